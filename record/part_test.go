package record_test

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/clause"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/record"
)

// bookPart returns the bytes of a part by month with one fixed and one random charge.
func bookPart(t testing.TB) []byte {
	t.Helper()
	h := record.Header{Schema: record.SchemaForecast, AsOf: day("2026-01-10"), Until: day("2026-06-30"), Zone: "UTC", Input: "csv", By: engine.ByMonth}
	p, err := engine.NewPortfolio(engine.Scope{AsOf: h.AsOf, Window: calendar.Through(h.AsOf, h.Until), Draws: true, Explain: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []engine.Charge{
		{Date: day("2026-01-31"), Min: amount.MustParse("10.00"), Max: amount.MustParse("10.00"), Because: ledger.On(clause.Doc226)},
		{Date: day("2026-02-27"), Min: amount.MustParse("1.00"), Max: amount.MustParse("5.00")},
		{Date: day("2026-02-28"), Min: amount.MustParse("1.00"), Max: amount.MustParse("5.00"), Outcome: engine.OutcomeDeclined},
	} {
		if err := p.AddCharge("EUR", &c); err != nil {
			t.Fatal(err)
		}
	}
	q, _ := amount.ParsePercent("97.5")
	var out bytes.Buffer
	w := record.NewPartWriter(&out, h, record.PartAsked{Quantiles: []amount.Percent{q}, Explain: true})
	if err := errors.Join(w.Days(p.Totals(engine.ByDay)), w.Close(partEnd())); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// readPart reads a part from memory, one byte at a time every other time.
func readPart(part []byte) (*record.Part, error) {
	if len(part)%2 == 0 {
		return record.ReadPart(iotest.OneByteReader(bytes.NewReader(part)), nil)
	}
	return record.ReadPart(bytes.NewReader(part), func(*record.Total) {})
}

func partEnd() record.PartEnd {
	sum := "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
	return record.PartEnd{
		Inputs: []record.PartInput{{Name: "a<b>.csv", Size: 1 << 63, SHA256: sum, Form: "csv"}, {Name: "-", SHA256: sum}},
		States: []record.PartInput{{Name: "states.jsonl", Size: 7, SHA256: sum}}, Summary: record.ForecastSummary{LeftOut: 3},
	}
}

// profilePart returns the bytes of a part by profile, with so many totals.
func profilePart(t testing.TB, n int) []byte {
	t.Helper()
	var out bytes.Buffer
	w := record.NewPartWriter(&out, record.Header{Schema: record.SchemaForecast, AsOf: day("2026-01-10"), Next: 3, Zone: "UTC", By: engine.ByProfile}, record.PartAsked{})
	for i := range n {
		total := profileTotal(i)
		if err := w.Total(&total); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(partEnd()); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func profileTotal(i int) record.Total {
	total := record.Total{By: engine.ByProfile, Value: "order-" + string(rune('a'+i%26)), Currency: "EUR"}
	total.Charges = uint64(i + 1)
	total.Max.Add(amount.MustParse("5.00"))
	return total
}

// TestPartRoundTrip: a part has what was written, whatever its size.
func TestPartRoundTrip(t *testing.T) {
	p, err := readPart(bookPart(t))
	if err != nil {
		t.Fatal(err)
	}
	totals := slices.Collect(p.Days.Totals(p.Header.By))
	sums, err := totals[1].Quantiles(p.Quantiles...)
	if len(totals) != 2 || err != nil || sums[0].String() != "4.90" || totals[1].Declined.Charges != 1 || totals[0].Because.IsZero() || p.Summary.LeftOut != 3 || len(p.Inputs) != 2 || p.Inputs[0].Name != "a<b>.csv" || p.Quantiles[0].String() != "97.5" {
		t.Errorf("%+v", p)
	}
	for _, n := range []int{0, 1, 2000} {
		var list []record.Total
		p, err := record.ReadPart(bytes.NewReader(profilePart(t, n)), func(total *record.Total) { list = append(list, *total) })
		if err != nil {
			t.Fatal(err)
		}
		for i, got := range list {
			want := profileTotal(i)
			if !bytes.Equal(got.AppendJSON(nil), want.AppendJSON(nil)) {
				t.Errorf("%+v, want %+v", got, want)
			}
		}
		if len(list) != n || p.Days != nil {
			t.Errorf("%d totals, want %d", len(list), n)
		}
	}
}

// TestPartDamaged: a part that was cut anywhere, or of which any byte was changed, is refused.
func TestPartDamaged(t *testing.T) {
	for _, part := range [][]byte{bookPart(t), profilePart(t, 2)} {
		for i := range part {
			if _, err := readPart(part[:i]); !errors.Is(err, record.ErrPartForm) {
				t.Fatalf("cut after %d bytes: %v", i, err)
			}
			damaged := bytes.Clone(part)
			damaged[i] ^= 1 << (i % 8)
			if _, err := readPart(damaged); !errors.Is(err, record.ErrPartForm) {
				t.Fatalf("byte %d changed: %v", i, err)
			}
		}
	}
}

// TestPartOfAnotherVersion: a part of another version is one only under a right check sum, however it is
// divided into reads; otherwise it is damaged.
func TestPartOfAnotherVersion(t *testing.T) {
	body := bytes.Replace(unsealed(bookPart(t)), []byte("chargecast.part/3"), []byte("chargecast.part/4"), 1)
	whole := sealed(append(body, "anything\n"...))
	for _, r := range []func([]byte) io.Reader{
		func(b []byte) io.Reader { return bytes.NewReader(b) },
		func(b []byte) io.Reader { return iotest.OneByteReader(bytes.NewReader(b)) },
		func(b []byte) io.Reader { return iotest.DataErrReader(bytes.NewReader(b)) },
	} {
		if _, err := record.ReadPart(r(whole), nil); !errors.Is(err, record.ErrPartVersion) {
			t.Errorf("version 3: %v", err)
		}
		for _, n := range []int{len(whole) - 1, len(body), 20} {
			if _, err := record.ReadPart(r(whole[:n]), nil); !errors.Is(err, record.ErrPartForm) {
				t.Errorf("version 3, cut after %d bytes: %v", n, err)
			}
		}
		if _, err := record.ReadPart(r(append(whole, 'x')), nil); !errors.Is(err, record.ErrPartForm) {
			t.Errorf("version 3 with another byte: %v", err)
		}
	}
	broken := errors.New("broken")
	cut := io.MultiReader(strings.NewReader(`{"type":"part","schema":"chargecast.part/3"}`+"\nand so on"), iotest.ErrReader(broken))
	if _, err := record.ReadPart(cut, nil); !errors.Is(err, broken) {
		t.Errorf("a reader that fails: %v", err)
	}
}

// unsealed returns a part without its last line.
func unsealed(part []byte) []byte {
	return bytes.Clone(part[:bytes.LastIndexByte(part[:len(part)-1], '\n')+1])
}

// sealed returns lines with the right check sum.
func sealed(lines []byte) []byte {
	return fmt.Appendf(bytes.Clone(lines), `{"type":"sum","sha256":"%x"}`+"\n", sha256.Sum256(lines))
}

// TestPartSealed: what is wrong under a right check sum is refused as well.
func TestPartSealed(t *testing.T) {
	body, profiles := string(unsealed(bookPart(t))), string(unsealed(profilePart(t, 2)))
	if _, err := readPart(sealed([]byte(body))); err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(body, "\n")
	swapped := slices.Clone(lines)
	swapped[2], swapped[3] = lines[3], lines[2]
	change := func(text, old, replacement string) string {
		t.Helper()
		if strings.Count(text, old) == 0 {
			t.Fatalf("%s has no %s", text, old)
		}
		return strings.Replace(text, old, replacement, 1)
	}
	for _, c := range []struct{ reason, part string }{
		{"no line", ""},
		{"no header", lines[0]},
		{"no end", strings.Join(lines[:5], "")},
		{"a line after the end", body + "{}\n"},
		{"two totals swapped", strings.Join(swapped, "")},
		{"a total twice", strings.Join(slices.Insert(slices.Clone(lines), 3, lines[2]), "")},
		{"a total after the end", strings.Join(append(slices.Clone(lines), lines[2]), "")},
		{"an empty line", change(body, "\n", "\n\n")},
		{"a space", change(body, `"currency":"EUR"`, `"currency": "EUR"`)},
		{"a day that is not in the window", change(body, "2026-06-30", "2026-01-30")},
		{"a day before as-of", change(body, `"date":"2026-01-31"`, `"date":"2026-01-09"`)},
		{"a day without charges", change(body, `"total":{"charges":1,"min":"10.00","max":"10.00","mean":"10.00"}`, `"total":{"charges":0,"min":"0","max":"0","mean":"0"}`)},
		{"another mean", change(body, `"mean":"10.00"`, `"mean":"10.01"`)},
		{"a random amount of unknown draws", change(body, `,"draws":[{"values":401,"scale":2,"charges":1}]`, "")},
		{"draws without quantiles", change(body, `,"quantiles":[97.5]`, "")},
		{"reasons that were not asked for", change(body, `,"explain":true`, "")},
		{"a total by profile among days", change(body, `"date":"2026-01-31"`, `"profile":"order-1"`)},
		{"a total by day among profiles", change(profiles, `"profile":"order-a"`, `"date":"2026-01-31"`)},
		{"more rows overridden than left out", change(body, `"left_out":3`, `"overridden":3`)},
		{"an unknown member", change(body, `"left_out"`, `"left_ouT"`)},
		{"differences", change(body, "chargecast.forecast/1", "chargecast.diff/1")},
		{"a simulation without its seed", change(body, "chargecast.forecast/1", "chargecast.simulate/1")},
		{"a total by profile that is not one", change(profiles, `"charges"`, `"chargeS"`)},
		{"charges", change(body, `"by":"month"`, `"bY":"month"`)},
		{"an id that no row has, of none", change(body, `"left_out":3`, `"left_out":3,"unmet":[0]`)},
		{"2^64 charges", change(body, `{"charges":1,"min":"10.00","max":"10.00","mean":"10.00"}`, `{"charges":18446744073709551615,"min":"0","max":"0","mean":"0"}`)},
	} {
		part := sealed([]byte(c.part))
		if _, err := readPart(part); !errors.Is(err, record.ErrPartForm) {
			t.Errorf("%s: %v", c.reason, err)
		}
		if _, err := record.ReadPart(bytes.NewReader(part), nil); !errors.Is(err, record.ErrPartForm) {
			t.Errorf("%s, totals not sent: %v", c.reason, err)
		}
	}
}

// TestPartsMerge: parts are added up in any order to the same days, counts and ids; what would wrap is an
// error.
func TestPartsMerge(t *testing.T) {
	read := func(change func(string) string) *record.Part {
		p, err := readPart(sealed([]byte(change(string(unsealed(bookPart(t)))))))
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	same := func(s string) string { return s }
	other := func(s string) string {
		s = strings.ReplaceAll(strings.ReplaceAll(s, "2026-01-31", "2026-01-30"), `"form":"csv"`, `"form":"form"`)
		return strings.Replace(s, "a<b>", "c", 1)
	}
	a, b := read(same), read(other)
	if err := errors.Join(a.Merge(read(other)), b.Merge(read(same))); err != nil {
		t.Fatal(err)
	}
	if a.Differs(b) != "" || !slices.EqualFunc(a.Days, b.Days, engine.Total.Equal) || len(a.Days) != 4 {
		t.Errorf("%v, in another order %v", a.Days, b.Days)
	}
	if a.Summary.LeftOut != 6 || len(a.Inputs) != 4 || len(a.States) != 1 || a.Header.Input != "" {
		t.Errorf("%+v", a)
	}
	a.Summary.LeftOut = math.MaxUint64
	if err := a.Merge(b); !errors.Is(err, engine.ErrPortfolioFull) {
		t.Errorf("2^64 rows left out: %v", err)
	}
}

// FuzzReadPart_Close: no bytes make the reader fail otherwise than with an error, sealed or not, and a
// part that is accepted is written again as it was.
func FuzzReadPart_Close(f *testing.F) {
	for _, part := range [][]byte{bookPart(f), profilePart(f, 0), profilePart(f, 3)} {
		f.Add(part, false)
		f.Add(unsealed(part), true)
	}
	f.Add([]byte(nil), false)
	f.Fuzz(func(t *testing.T, data []byte, seal bool) {
		if seal {
			data = sealed(data)
		}
		var list []record.Total
		p, err := record.ReadPart(bytes.NewReader(data), func(total *record.Total) { list = append(list, *total) })
		if err != nil {
			return
		}
		var out bytes.Buffer
		w := record.NewPartWriter(&out, p.Header, p.PartAsked)
		for i := range list {
			_ = w.Total(&list[i])
		}
		_ = w.Days(slices.Values(p.Days))
		if err := w.Close(p.PartEnd); err != nil || !bytes.Equal(out.Bytes(), data) {
			t.Errorf("%v: written again as\n%q\nwant\n%q", err, out.Bytes(), data)
		}
	})
}

// TestPartOfAReaderThatFails: the error is that of the reader, not that of a damaged part.
func TestPartOfAReaderThatFails(t *testing.T) {
	for _, part := range [][]byte{bookPart(t), profilePart(t, 2)} {
		for i := range part {
			_, err := record.ReadPart(io.MultiReader(bytes.NewReader(part[:i]), iotest.ErrReader(io.ErrClosedPipe)), nil)
			if !errors.Is(err, io.ErrClosedPipe) {
				t.Fatalf("after %d bytes: %v", i, err)
			}
		}
	}
}

// TestPartByProfileStreams: nothing is kept of the totals that were read.
func TestPartByProfileStreams(t *testing.T) {
	const totals = 40_000
	part := profilePart(t, totals)
	n, early, late := 0, uint64(0), uint64(0)
	heap := func() uint64 {
		var stats runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&stats)
		return stats.HeapAlloc
	}
	if _, err := record.ReadPart(bytes.NewReader(part), func(*record.Total) {
		switch n++; n {
		case totals / 10:
			early = heap()
		case totals:
			late = heap()
		}
	}); err != nil {
		t.Fatal(err)
	}
	if n != totals || late > early+uint64(len(part)/8) {
		t.Errorf("%d totals; %d bytes of a part of %d are kept", n, late-early, len(part))
	}
}
