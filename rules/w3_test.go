package rules

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/chargecast/chargecast/calendar"
)

// mix and u are the generator that all workloads share.
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

func u(i, j uint64) uint64 { return mix(mix(i) + j) }

// w3Row is row i of workload W3.
func w3Row(i uint64) values {
	number := fmt.Sprintf("4%014d", u(i, 0)%1e14)
	for check := byte('0'); check <= '9'; check++ {
		if checkDigit(number + string(check)) {
			number += string(check)
			break
		}
	}
	v := values{
		ColumnCardType: "SRC", ColumnOrderID: fmt.Sprintf("order-%09d", i), ColumnCardNumber: number,
		ColumnCVV2: fmt.Sprintf("%03d", u(i, 1)%1000), ColumnCardPrintedName: "JOHN Q PUBLIC",
		ColumnExpireYear: fmt.Sprint(2031 + u(i, 2)%5), ColumnExpireMonth: fmt.Sprintf("%02d", 1+u(i, 3)%12),
		ColumnCurrency: "USD", ColumnCountry: "US", ColumnCity: "Springfield", ColumnZipCode: fmt.Sprintf("%05d", u(i, 7)%100000),
		ColumnAddress1:  fmt.Sprintf("%d Example Street; Apt %d", 1+u(i, 8)%999, 1+u(i, 9)%99),
		ColumnFirstName: "John", ColumnLastName: "Public", ColumnEmail: fmt.Sprintf("john%d@example.com", i),
		ColumnPeriod: []string{"day", "week", "month"}[u(i, 10)%3], ColumnInterval: fmt.Sprint(1 + u(i, 11)%3),
		ColumnOrderDesc: `Monthly "premium" subscription`, ColumnCustomerIP: "192.0.2.17", ColumnBirthday: "01.02.1980",
		ColumnPhone: "+15555550100", ColumnState: "CA", ColumnStartDate: "31.01.2026", ColumnFinishDate: "31.12.2030", ColumnMaxRepeatsNumber: "12",
		ColumnPurpose: "subscription", ColumnServerCallbackURL: "https://merchant.example/cb",
	}
	switch u(i, 4) % 3 {
	case 0:
		v[ColumnAmount] = fmt.Sprintf("%d.%02d", 1+u(i, 5)%499, u(i, 6)%100)
	case 1:
		v[ColumnAmountFrom], v[ColumnAmountTo] = "10.00", "49.99"
	default:
		v[ColumnAmountSequence] = "1.00,9.99,19.99"
	}
	return v
}

// w3 is a payload of n rows of W3.
func w3(n uint64, change func(i uint64, v values)) []byte {
	var b bytes.Buffer
	b.Write(AppendHeader(nil))
	for i := range n {
		v := w3Row(i)
		if change != nil {
			change(i, v)
		}
		b.WriteString(line(v))
	}
	return b.Bytes()
}

// w3Bad puts three faults into every tenth row.
func w3Bad(i uint64, v values) {
	if i%10 == 9 {
		v[ColumnInterval], v[ColumnStartDate], v[ColumnCurrency] = "0", "1.2.2026", ""
	}
}

func w3Options() Options { return Options{AsOf: calendar.MustParse("2026-01-01")} }

func TestWorkloadW3(t *testing.T) {
	if mix(0) != 0xe220a8397b1dcdaf || u(1, 3) != 0xb1441d254bd86cd7 {
		t.Fatal("the generator differs from its check values")
	}
	if n := len(w3(1, nil)); n != 793 {
		t.Errorf("header and row 0 have %d bytes, want 793", n)
	}
	if testing.Short() || raceEnabled {
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

func TestRowAllocations(t *testing.T) { // P5: at most two objects a row
	if raceEnabled {
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
		if got := read(in) / n; got > 2.05 {
			t.Errorf("%s: %.3f allocations a row", name, got)
		}
	}
}

func BenchmarkRead(b *testing.B) {
	text := w3(20_000, nil)
	crlf := append([]byte(mark), bytes.ReplaceAll(text, []byte("\n"), []byte("\r\n"))...)
	for _, c := range []struct {
		name string
		in   []byte
	}{{"W3", text}, {"W3-crlf", crlf}, {"W3-bad", w3(20_000, w3Bad)}, {"form", formOf(text)}} {
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

func TestMemoryStaysFlat(t *testing.T) { // performance.md "Memory": two objects a row and nothing else
	if raceEnabled {
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
	if few, many := read(1000), read(3000); many-few > 2*2000+100 {
		t.Errorf("2,000 rows more cost %v allocations", many-few)
	}
}
