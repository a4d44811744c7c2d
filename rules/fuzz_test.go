package rules_test

import (
	"bytes"
	"encoding/base64"
	"net/url"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/rules"
)

// plainCells are the values of a valid row, in the order of the columns.
func plainCells() []string {
	return []string{
		"SRC", "order-1", "4111111111111111", "123", "JANE DOE", "2030", "12", "10.00", "", "", "", "EUR", "DE", "Berlin", "10115", "Street 1", "Jane", "Doe",
		"jane@example.com", "month", "1", "", "", "", "", "", "", "31.01.2026", "", "6", "", "", "",
	}
}

// cellWords are what means something in a cell and chance would not find.
var cellWords = []string{"SRC", "DST", "4111111111111111", "31.01.2026", "1.00,2.00", "month", "week", "day", "EUR", "9223372036854775807"}

// payloadSeeds are payloads: a valid one, one with each word in each cell, and hostile ones.
func payloadSeeds() []string {
	good := string(rules.AppendRecord(rules.AppendHeader(nil), plainCells()...))
	words := rules.AppendHeader(nil)
	for _, w := range cellWords {
		words = rules.AppendRecord(words, slices.Repeat([]string{w}, len(plainCells()))...)
	}
	return []string{
		good, string(words), "", "\n", "\x1a", "\xff\xfe", "\"open", "'a';'b'\n", "a,b\n1,2\n", "sep=;\n", "a;b\r\n\r\n1;2\r\n", "a\"b;c\n", "\"a\"b;\n",
		"\xef\xbb\xbf\"rp_card_type\";\"amount\"\n", "\"amount\";\"amount\"\n\"1\";\"2\"\n", good + "\n\"short\"\n" + good, strings.ReplaceAll(good, "\n", "\r\n"),
		strings.ReplaceAll(good, "\n", "\r"), strings.ReplaceAll(good, `"`, ""), strings.ReplaceAll(good, "SRC", "SRC\x00"), strings.ReplaceAll(good, ";", ","),
	}
}

// wireSeeds are payloads as base64 and as form bodies, right ones and broken ones.
func wireSeeds() []string {
	text := base64.StdEncoding.EncodeToString(rules.AppendRecord(rules.AppendHeader(nil), plainCells()...))
	return []string{
		text, "payload=" + url.QueryEscape(text), "payload=YWJj", "a=1&payload=YWJj&b=2", "&&payload=YWJj&", "payload=", "payload", "payload=%zz", "payload=%", "payload=%2",
		"payload=a+b", "payload=YQ==&payload=YQ==", "a=1;payload=YQ==", "=v", "?payload=YWJj", "payload=%2525", "pay%6coad=YQ%3D%3D", "PAYLOAD=", "YWI=", "YWJj\n", "YWJ=",
		"YR==", "YWI=YWI=", "YW\nJj", "-_-_", "YQ", "YQ===", "====", "%3D", "data:text/csv;base64,YQ==", "PK\x03\x04", "\x1f\x8b\x08", "%PDF-1.7", "<html>",
	}
}

func add(f *testing.F, texts ...string) {
	for _, text := range texts {
		f.Add([]byte(text))
	}
}

// FuzzCSV_Read_Chunks: a CSV read whole and byte by byte gives the same rows and findings, each with a place in the text.
func FuzzCSV_Read_Chunks(f *testing.F) {
	add(f, payloadSeeds()...)
	f.Fuzz(func(t *testing.T, data []byte) { readInChunks(t, data, rules.InputCSV) })
}

// FuzzPayload_Read_Chunks is the same of a payload in any form.
func FuzzPayload_Read_Chunks(f *testing.F) {
	add(f, append(payloadSeeds(), wireSeeds()...)...)
	f.Fuzz(func(t *testing.T, data []byte) { readInChunks(t, data, rules.InputAuto) })
}

func readInChunks(t *testing.T, data []byte, input rules.Input) {
	o := rules.Options{AsOf: calendar.MustParse("2026-01-10"), Input: input}
	type step struct {
		finding ledger.Finding
		row     string
	}
	read := func(r *rules.Reader, judge bool) (steps []step) {
		for row, found := range r.Rows() {
			for _, p := range found {
				steps = append(steps, step{finding: p})
				if at := p.Place; judge && (p.Code == "" || p.Severity == 0 || p.Message == "" || at.Offset < 0 || at.Offset > int64(len(data)) || at.Line < 0 || at.Line > len(data)+1 || (at.Line > 0) != (at.Col > 0)) {
					t.Errorf("%+v has no place in %d bytes", p, len(data))
				}
			}
			if row != nil {
				steps = append(steps, step{row: row.String()})
				if _, err := engine.New(o.Policy).Compile(engine.Stored{Profile: row.Profile()}, o.AsOf); judge && (err != nil || found.Err() != nil) {
					t.Errorf("a usable row: %v, %v", err, found.Err())
				}
			}
			if len(steps) > 64*(len(data)+16) {
				t.Fatalf("%d steps from %d bytes", len(steps), len(data))
			}
		}
		return steps
	}
	whole := read(rules.NewReader(bytes.NewReader(data), o), true)
	if single := read(rules.NewReader(iotest.OneByteReader(bytes.NewReader(data)), o), false); !slices.Equal(whole, single) {
		t.Errorf("read whole: %+v, byte by byte: %+v", whole, single)
	}
}

// FuzzForm_Decode_ParseQuery: a form body that is accepted has one payload, the one that package url reads.
func FuzzForm_Decode_ParseQuery(f *testing.F) {
	add(f, wireSeeds()...)
	f.Fuzz(func(t *testing.T, data []byte) {
		var text bytes.Buffer
		found, err := rules.Decode(&text, bytes.NewReader(data), rules.Options{AsOf: calendar.MustParse("2026-01-10"), Input: rules.InputForm})
		body := strings.TrimSuffix(strings.TrimSuffix(string(data), "\n"), "\r")
		if err != nil || found.Err() != nil || strings.Contains(body, ";") {
			return
		}
		values, err := url.ParseQuery(body)
		if err != nil || len(values["payload"]) != 1 {
			t.Fatalf("%q is accepted, package url says %v", data, err)
		}
		if want, err := base64.StdEncoding.Strict().DecodeString(values.Get("payload")); err != nil || !bytes.Equal(want, text.Bytes()) {
			t.Errorf("%q is decoded to %q, want %q", data, text.Bytes(), want)
		}
	})
}

// FuzzRow_Compile_Policy: a usable row compiles, keeps its cells, and never-charges is said where the engine says so.
func FuzzRow_Compile_Policy(f *testing.F) {
	add(f, strings.Join(plainCells(), "\x1f"), "DST\x1fx", strings.Repeat("\x1f", 32))
	for _, w := range cellWords {
		for i := range plainCells() {
			cells := plainCells()
			cells[i] = w
			add(f, strings.Join(cells, "\x1f"))
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		cells := strings.SplitN(string(data), "\x1f", len(plainCells()))
		cells = append(cells, make([]string, len(plainCells())-len(cells))...)
		o := rules.Options{AsOf: calendar.MustParse("2026-01-10"), Input: rules.InputCSV}
		for row, found := range rules.NewReader(bytes.NewReader(rules.AppendRecord(rules.AppendHeader(nil), cells...)), o).Rows() {
			if row == nil {
				continue
			}
			plan, err := engine.New(o.Policy).Compile(engine.Stored{Profile: row.Profile()}, o.AsOf)
			if err != nil {
				t.Fatalf("a usable row does not compile: %v", err)
			}
			if never := plan.Count(calendar.Window{}) == 0; row.Profile().Automatic() && never != found.Has(rules.NeverCharges) {
				t.Errorf("no charge: %v, never-charges: %v", never, !never)
			}
			i := 0
			for column, cell := range row.Cells() {
				if cell.Reveal() != cells[i] {
					t.Errorf("column %v is read otherwise", column)
				}
				i++
			}
		}
	})
}
