package rules

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"strings"
	"testing"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/internal/oracle"
	"github.com/chargecast/chargecast/internal/race"
	"github.com/chargecast/chargecast/internal/workload"
)

// w3Row is row i of workload W3.
func w3Row(i uint64) values {
	records, _ := oracle.Records(workload.Plain.AppendRow(nil, i))
	v := values{}
	for k, cell := range records[0] {
		v[Column(1+k)] = cell
	}
	return v
}

// w3 is a payload of n rows of W3, each of which may be changed.
func w3(n uint64, change func(i uint64, v values)) []byte {
	if change == nil {
		return workload.Payload(workload.Plain, n)
	}
	text := AppendHeader(nil)
	for i := range n {
		v := w3Row(i)
		change(i, v)
		text = append(text, line(v)...)
	}
	return text
}

func w3Options() Options { return Options{AsOf: calendar.MustParse("2026-01-01")} }

func TestWorkloadW3(t *testing.T) {
	if workload.Mix(0) != 0xe220a8397b1dcdaf || workload.Draw(1, 3) != 0xb1441d254bd86cd7 {
		t.Fatal("the generator differs from its check values")
	}
	if n := len(w3(1, nil)); n != 793 {
		t.Errorf("header and row 0 have %d bytes, want 793", n)
	}
	if testing.Short() || race.Enabled {
		t.Skip("it takes seconds under the race detector")
	}
	const rows = 10_000 // the module bench has all 100,000, with their check sum
	text := w3(rows, nil)
	sum := sha256.Sum256(text)
	if got := hex.EncodeToString(sum[:]); len(text) != 3_739_575 || got != "18fb7513e0555969d1b08c918190d955aa3ccd537ca87619057174b66b6a674b" {
		t.Fatalf("%d bytes, SHA-256 %s", len(text), got)
	}
	r := NewReader(bytes.NewReader(text), w3Options())
	for _, ps := range r.Rows() {
		if len(ps) > 0 {
			t.Fatal(ps.Unwrap())
		}
	}
	if s := r.Summary(); s.Rows != rows || s.Valid != rows {
		t.Errorf("%+v", s)
	}
	var form bytes.Buffer
	if err := Encode(&form, bytes.NewReader(text), InputForm); err != nil {
		t.Fatal(err)
	}
	r = NewReader(&form, w3Options())
	for range r.Rows() {
	}
	if s := r.Summary(); s.Input != InputForm || s.Valid != rows {
		t.Errorf("as a form body: %+v", s)
	}
}

func TestRowAllocations(t *testing.T) { // P5: at most three objects a row
	if race.Enabled {
		t.Skip("the race detector allocates")
	}
	const n = 2000
	text := w3(n, nil)
	crlf := append([]byte(mark), bytes.ReplaceAll(text, []byte("\n"), []byte("\r\n"))...)
	for name, in := range map[string][]byte{"CSV": text, "CRLF and mark": crlf, "form": formOf(text)} {
		read := func(in []byte) float64 {
			return testing.AllocsPerRun(3, func() {
				r := NewReader(bytes.NewReader(in), w3Options())
				for range r.Rows() {
				}
				if r.Summary().Valid != n {
					t.Fatal("a row of W3 is refused")
				}
			})
		}
		if got := read(in) / n; got > 3 {
			t.Errorf("%s: %.3f allocations a row", name, got)
		}
	}
}

// TestOneRowIsReadOnce: a payload of one row, as most requests have, is not read again for what a Fixer would do with a header to which
// nothing has to be done.
func TestOneRowIsReadOnce(t *testing.T) {
	if race.Enabled {
		t.Skip("the race detector allocates")
	}
	text := w3(1, nil)
	n := testing.AllocsPerRun(10, func() {
		r := NewReader(bytes.NewReader(text), w3Options())
		for range r.Rows() {
		}
		if r.Summary().Valid != 1 {
			t.Fatal("a row of W3 is refused")
		}
	})
	if n > 80 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkRead(b *testing.B) {
	text := w3(20_000, nil)
	crlf := append([]byte(mark), bytes.ReplaceAll(text, []byte("\n"), []byte("\r\n"))...)
	for _, c := range []struct {
		name string
		in   []byte
	}{{"W3", text}, {"W3-crlf", crlf}, {"W3v", workload.Payload(workload.Varied, 20_000)}, {"W3-bad", workload.Payload(workload.Bad, 20_000)}, {"form", formOf(text)}} {
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(int64(len(c.in)))
			b.ReportAllocs()
			for b.Loop() {
				r := NewReader(bytes.NewReader(c.in), w3Options())
				for range r.Rows() {
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/20_000, "ns/row")
		})
	}
	b.Run("encoding-csv", func(b *testing.B) {
		b.SetBytes(int64(len(text)))
		for b.Loop() {
			peer := csvReader(bytes.NewReader(text))
			for {
				if _, err := peer.Read(); err == io.EOF {
					break
				}
			}
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/20_000, "ns/row")
	})
}

func TestMemoryStaysFlat(t *testing.T) { // performance.md "Memory": three objects a row and nothing else
	if race.Enabled {
		t.Skip("the race detector allocates")
	}
	o := w3Options()
	o.MaxOrderIDs = -1
	row := line(w3Row(0))
	read := func(n int) float64 {
		return testing.AllocsPerRun(1, func() {
			r := NewReader(io.MultiReader(bytes.NewReader(AppendHeader(nil)), strings.NewReader(strings.Repeat(row, n))), o)
			for range r.Rows() {
			}
		})
	}
	if few, many := read(1000), read(3000); many-few > 3*2000+100 {
		t.Errorf("2,000 rows more cost %v allocations", many-few)
	}
}
