package rules

import (
	"bytes"
	"encoding/base64"
	"encoding/csv"
	"errors"
	"io"
	"net/url"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/chargecast/chargecast/internal/workload"
	"github.com/chargecast/chargecast/ledger"
)

func TestEncodeDecode(t *testing.T) { // W02, W03, N09: byte for byte, at every length
	for n := range 200 {
		text := bytes.Repeat([]byte{0xFB, 0xFF, 0x00, '\r', '\n', '"'}, n)[:n]
		var body bytes.Buffer
		if err := Encode(&body, iotest.OneByteReader(bytes.NewReader(text)), InputForm); err != nil {
			t.Fatal(err)
		}
		if want := "payload=" + url.QueryEscape(base64.StdEncoding.EncodeToString(text)); body.String() != want {
			t.Fatalf("%d bytes: %q, want %q", n, body.String(), want)
		}
		if got := formOf(text); !bytes.Equal(got, body.Bytes()) {
			t.Fatalf("%d bytes: AppendForm differs", n)
		}
		got, ps := decodeBytes(body.Bytes(), Options{Input: InputForm})
		if n == 0 {
			if !ps.Has(PayloadEmpty) {
				t.Error("an empty payload is decoded")
			}
			continue
		}
		if !bytes.Equal(got, text) || len(ps) > 0 {
			t.Fatalf("%d bytes: %q, %v", n, got, ps)
		}
	}
}

func TestDecodeLong(t *testing.T) { // chunks do not change a byte
	text := []byte(strings.Repeat("\xfb\xefa", 100_000) + "x")
	body := formOf(text)
	for name, r := range map[string]io.Reader{
		"whole": bytes.NewReader(body), "one byte": iotest.OneByteReader(bytes.NewReader(body)), "half": iotest.HalfReader(bytes.NewReader(body)),
	} {
		var got bytes.Buffer
		ps, err := Decode(&got, r, Options{})
		if err != nil || ps.Err() != nil || !bytes.Equal(got.Bytes(), text) {
			t.Errorf("%s: %d bytes, %v, %v", name, got.Len(), ps, err)
		}
	}
}

func TestOneTextPerPayload(t *testing.T) { // W01: exactly one accepted text for each string of bytes
	const alphabet = "ABZaz09+/="
	accepted := map[string]string{}
	var try func(prefix string)
	try = func(prefix string) {
		if len(prefix) == 4 || len(prefix) == 0 {
			text, ps := decodeBytes([]byte("payload="+url.QueryEscape(prefix)), Options{Input: InputForm})
			want, err := base64.StdEncoding.Strict().DecodeString(prefix)
			if ok := ps.Err() == nil; ok != (err == nil && prefix != "") || ok && string(text) != string(want) {
				t.Fatalf("%q: %q, %v; the standard library says %q, %v", prefix, text, ps, want, err)
			}
			if ps.Err() == nil {
				if other, twice := accepted[string(text)]; twice {
					t.Fatalf("%q and %q are one payload", prefix, other)
				}
				accepted[string(text)] = prefix
			}
		}
		if len(prefix) < 4 {
			for _, c := range alphabet {
				try(prefix + string(c))
			}
		}
	}
	try("")
}

func TestNothingDecodedWithAnError(t *testing.T) { // W07
	for _, c := range hostilePayloads(t, "payload-wire") {
		text, ps := decodeBytes([]byte(c.input), Options{Input: c.in})
		if (ps.Err() != nil) && text != nil {
			t.Errorf("%s: %d bytes beside %v", c.name, len(text), ps)
		}
	}
}

func TestWriteErrors(t *testing.T) {
	broken := errors.New("disk full")
	if err := Encode(failing{broken}, strings.NewReader("abc"), InputForm); !errors.Is(err, broken) {
		t.Error(err)
	}
	if _, err := Decode(failing{broken}, strings.NewReader(short), options()); !errors.Is(err, broken) {
		t.Error(err)
	}
	if err := Encode(io.Discard, iotest.ErrReader(broken), InputBase64); !errors.Is(err, broken) {
		t.Error(err)
	}
	if _, err := Decode(io.Discard, iotest.ErrReader(broken), Options{}); !errors.Is(err, broken) {
		t.Error(err)
	}
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }

func TestCanonicalRows(t *testing.T) { // V11, V12, R107: what is written reads back, and writing that changes nothing
	row := source(values{ColumnOrderDesc: "a;b\"c\r\nd\"\"", ColumnCity: `"`, ColumnPurpose: ";"})
	j := judge(document(row), options())
	if len(j.rows) != 1 {
		t.Fatal(j.problems.Unwrap())
	}
	once := append(AppendHeader(nil), csvOf(j.rows[0])...)
	if string(once) != document(row) {
		t.Errorf("got %q, want %q", once, document(row))
	}
	for c, v := range row {
		if got := j.rows[0].Cell(c).Reveal(); got != v {
			t.Errorf("%s: %q, want %q", c, got, v)
		}
	}
	again := judge(string(once), options())
	if twice := append(AppendHeader(nil), csvOf(again.rows[0])...); !bytes.Equal(once, twice) {
		t.Error("writing is no fixed point")
	}
}

func TestPermutedColumns(t *testing.T) { // V05, V10
	row := source(values{ColumnCVV2: "12"})
	var names, cells []string
	for s := range Columns() {
		if row[s.Column] != "" {
			names, cells = append(names, s.Name), append(cells, row[s.Column])
		}
	}
	for shift := range names {
		text := AppendRecord(nil, append(names[shift:len(names):len(names)], names[:shift]...)...)
		text = AppendRecord(text, append(cells[shift:len(cells):len(cells)], cells[:shift]...)...)
		if got := verdict(judge(string(text), options()).problems); got != "E cvv2-form" {
			t.Errorf("shifted by %d: %s", shift, got)
		}
	}
}

func TestAgreesWithTheStandardReader(t *testing.T) { // V13
	parts := []string{`"`, `""`, `;`, "\n", "a", " ", `"a"`, `"a";"b"`, `"x""y"`, "é", "\"\n\""}
	state := uint64(1)
	for range 20_000 {
		var b strings.Builder
		for range 1 + workload.Mix(state)%12 {
			state++
			b.WriteString(parts[workload.Mix(state)%uint64(len(parts))])
		}
		input := b.String()
		peer := csv.NewReader(strings.NewReader(input))
		peer.Comma, peer.FieldsPerRecord = ';', -1
		want, err := peer.ReadAll()
		if err != nil {
			continue
		}
		sc := newScanner(strings.NewReader(input), defaultMaxRow)
		var got [][]string
		for sc.scan() {
			if sc.fault.code != "" {
				got = nil
				break
			}
			if len(sc.raw) == 0 {
				continue // the standard reader skips blank lines
			}
			var cells []string
			for _, c := range sc.cells {
				cells = append(cells, c.of(string(sc.raw)))
			}
			got = append(got, cells)
		}
		if sc.fault.code == CSVQuote {
			continue // stricter here: nothing after a closing quote, no quote in a bare value
		}
		if len(got) != len(want) {
			t.Fatalf("%q: %q, the standard reader has %q", input, got, want)
		}
		for i := range want {
			if strings.Join(got[i], "|") != strings.Join(want[i], "|") {
				t.Fatalf("%q: %q, the standard reader has %q", input, got, want)
			}
		}
	}
}

func TestFormAgreesWithNetURL(t *testing.T) { // W04
	parts := []string{"a", "=", "&", "payload", "%41", "%2B", "oauth_x", "YWJj", "%", "%4", "%zz", "+", ";", "%3D", "payload=YWJj", "&a=b&", "YQ%3D%3D", "p%61yload="}
	state := uint64(7)
	accepted := 0
	for range 20_000 {
		var b strings.Builder
		for range 1 + workload.Mix(state)%8 {
			state++
			b.WriteString(parts[workload.Mix(state)%uint64(len(parts))])
		}
		body := b.String()
		text, ps := decodeBytes([]byte(body), Options{Input: InputForm})
		pairs, err := url.ParseQuery(body)
		if ps.Err() != nil {
			continue
		}
		accepted++
		if err != nil || len(pairs["payload"]) != 1 {
			t.Fatalf("%q is accepted; the standard library says %v", body, err)
		}
		if want, _ := base64.StdEncoding.DecodeString(pairs.Get("payload")); !bytes.Equal(want, text) {
			t.Fatalf("%q: %q, want %q", body, text, want)
		}
	}
	if accepted < 20 {
		t.Errorf("only %d bodies were accepted: the test tests nothing", accepted)
	}
}

func TestThreeFormsOneAnswer(t *testing.T) { // W05
	for _, c := range payloadVectors(t, "hostile-cells")[:40] {
		var coded bytes.Buffer
		if err := Encode(&coded, strings.NewReader(c.input), InputBase64); err != nil {
			t.Fatal(err)
		}
		for _, in := range []string{coded.String(), string(formOf([]byte(c.input)))} {
			if got := verdict(judge(in, options()).problems); got != c.want {
				t.Errorf("%s: %s, as CSV %s", c.name, got, c.want)
			}
		}
	}
}

// TestEncodeOfASourceThatFails: what was written before a source failed cannot be taken for a shorter
// payload.
func TestEncodeOfASourceThatFails(t *testing.T) {
	broken := errors.New("broken")
	text := strings.Repeat("a", 3<<15)
	for _, n := range []int{0, 1, 2, 3, 4, 3<<13 - 1, 3 << 13, 3<<13 + 1, 3<<13 + 3, 3 << 14, 3<<15 - 2, 3 << 15} {
		for _, form := range []Input{InputBase64, InputForm} {
			var b bytes.Buffer
			if err := Encode(&b, io.MultiReader(strings.NewReader(text[:n]), iotest.ErrReader(broken)), form); err != broken {
				t.Errorf("%s after %d bytes: %v", form, n, err)
			}
			if back, found := decodeBytes(b.Bytes(), Options{Input: form}); found.Err() == nil && len(back) > 0 { // an empty body has no payload
				t.Errorf("%s after %d bytes: decoded to %d bytes", form, n, len(back))
			}
		}
	}
}

// TestUnknownInput: a form that is none of the named ones is refused where it is written and where it is
// read, before anything else.
func TestUnknownInput(t *testing.T) {
	const unknown = InputForm + 1
	var out bytes.Buffer
	src := strings.NewReader("a")
	if err := Encode(&out, src, unknown); err == nil || out.Len() > 0 || src.Len() != 1 {
		t.Errorf("Encode: %v, %d bytes written, %d left", err, out.Len(), src.Len())
	}
	csv := string(AppendHeader(nil))
	for _, in := range []Input{unknown, 99, 255} {
		o := Options{Input: in, AsOf: asOf()}
		check := func(name string, ps ledger.Findings) {
			t.Helper()
			if len(ps) != 1 || ps[0].Code != NotAPayload || ps[0].Message != "Options.Input has an unknown value" || !strings.Contains(ps[0].Help, "InputForm") {
				t.Errorf("%s of %v: %v", name, in, ps)
			}
		}
		r := NewReader(strings.NewReader(csv), o)
		var found ledger.Findings
		for row, ps := range r.Rows() {
			if row != nil {
				t.Error("a row")
			}
			found = append(found, ps...)
		}
		if len(found) != 1 || found[0].Code != OptionValue || r.Summary().OK() || !errors.Is(r.Err(), OptionValue) {
			t.Errorf("Rows of %v: %v, %v", in, found, r.Err())
		}
		text, ps := decodeBytes([]byte(csv), o)
		check("Decode", ps)
		if text != nil {
			t.Error("a text")
		}
		out.Reset()
		x := Fixer{Options: o}
		fixed, err := x.Fix(&out, strings.NewReader(csv))
		check("Fix", fixed.Findings)
		if err != nil || out.Len() > 0 {
			t.Errorf("Fix: %v, %q", err, out.Bytes())
		}
	}
}
