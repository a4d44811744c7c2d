package record_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"io"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/record"
)

// bookPart returns the bytes of a part by month with one fixed and one random charge.
func bookPart(t testing.TB) []byte {
	t.Helper()
	h := record.Header{Schema: record.SchemaForecast, AsOf: day("2026-01-10"), Until: day("2026-06-30"), Zone: "UTC", Input: "csv", By: engine.ByMonth}
	p, err := engine.NewPortfolio(engine.Scope{AsOf: h.AsOf, Window: calendar.Through(h.AsOf, h.Until), Draws: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []engine.Charge{
		{Date: day("2026-01-31"), Min: amount.MustParse("10.00"), Max: amount.MustParse("10.00")},
		{Date: day("2026-02-28"), Min: amount.MustParse("1.00"), Max: amount.MustParse("5.00")},
	} {
		if err := p.AddCharge("EUR", &c); err != nil {
			t.Fatal(err)
		}
	}
	q, _ := amount.ParsePercent("97.5")
	var out bytes.Buffer
	if err := record.NewPartWriter(&out, h).Close(p, partEnd(q)); err != nil {
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

func partEnd(q ...amount.Percent) record.PartEnd {
	sum := "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
	return record.PartEnd{
		Inputs: []record.PartInput{{Name: "a<b>.csv", Size: 1 << 63, SHA256: sum, Form: "csv"}, {Name: "-", SHA256: sum}},
		States: []record.PartInput{{Name: "states.jsonl", Size: 7, SHA256: sum}}, Quantiles: q, LeftOut: 3,
	}
}

// profilePart returns the bytes of a part by profile, with so many totals.
func profilePart(t testing.TB, n int) []byte {
	t.Helper()
	var out bytes.Buffer
	w := record.NewPartWriter(&out, record.Header{Schema: record.SchemaForecast, AsOf: day("2026-01-10"), Next: 3, Zone: "UTC", By: engine.ByProfile})
	for i := range n {
		total := profileTotal(i)
		if err := w.Total(&total); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(nil, partEnd()); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func profileTotal(i int) record.Total {
	total := record.Total{By: engine.ByProfile, Value: "order-" + string(rune('a'+i%26)), Currency: "EUR"}
	total.Charges = uint64(i + 1)
	total.Max.Add(amount.MustParse("5.00"))
	p, _ := amount.ParsePercent("5")
	total.Quantiles = []record.Quantile{{Percent: p, Sum: total.Max}}
	return total
}

// TestPartRoundTrip: a part has what was written, whatever its size.
func TestPartRoundTrip(t *testing.T) {
	p, err := readPart(bookPart(t))
	if err != nil {
		t.Fatal(err)
	}
	totals := slices.Collect(p.Portfolio.Totals(p.Header.By))
	if len(totals) != 2 || len(totals[1].Draws) != 1 || p.LeftOut != 3 || len(p.Inputs) != 2 || p.Inputs[0].Name != "a<b>.csv" || p.Quantiles[0].String() != "97.5" {
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
		if len(list) != n || p.Portfolio != nil {
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

// TestPartOfAnotherVersion: a part, or its portfolio, of another version is one only under a right check
// sum, however it is divided into reads; otherwise it is damaged.
func TestPartOfAnotherVersion(t *testing.T) {
	for _, name := range []string{"chargecast.part/", "chargecast.portfolio/"} {
		body := bytes.Replace(bookPart(t), []byte(name+"1\n"), []byte(name+"2\n"), 1)
		body = body[:len(body)-sha256.Size]
		sum := sha256.Sum256(body)
		for _, r := range []func([]byte) io.Reader{
			func(b []byte) io.Reader { return bytes.NewReader(b) },
			func(b []byte) io.Reader { return iotest.OneByteReader(bytes.NewReader(b)) },
			func(b []byte) io.Reader { return iotest.DataErrReader(bytes.NewReader(b)) },
		} {
			whole := append(bytes.Clone(body), sum[:]...)
			if _, err := record.ReadPart(r(whole), nil); !errors.Is(err, record.ErrPartVersion) {
				t.Errorf("%s2: %v", name, err)
			}
			for _, n := range []int{len(whole) - 1, len(body), len(name) + 2} {
				if _, err := record.ReadPart(r(whole[:n]), nil); !errors.Is(err, record.ErrPartForm) {
					t.Errorf("%s2, cut after %d bytes: %v", name, n, err)
				}
			}
			if _, err := record.ReadPart(r(append(whole, 'x')), nil); !errors.Is(err, record.ErrPartForm) {
				t.Errorf("%s2 with another byte: %v", name, err)
			}
		}
	}
	broken := errors.New("broken")
	cut := io.MultiReader(strings.NewReader("chargecast.part/2\nand so on"), iotest.ErrReader(broken))
	if _, err := record.ReadPart(cut, nil); !errors.Is(err, broken) {
		t.Errorf("a reader that fails: %v", err)
	}
}

// sealed returns a part of sections with the right check sum.
func sealed(sections ...[]byte) []byte {
	b := append([]byte("chargecast.part/1\n"), bytes.Join(sections, nil)...)
	sum := sha256.Sum256(b)
	return append(b, sum[:]...)
}

// TestPartSealed: what is wrong under a right check sum is refused as well, and lengths are not believed.
func TestPartSealed(t *testing.T) {
	whole := bookPart(t)
	body := whole[len("chargecast.part/1\n") : len(whole)-sha256.Size]
	if _, err := readPart(sealed(body)); err != nil {
		t.Fatal(err)
	}
	profiles := profilePart(t, 2)
	profiles = bytes.Replace(profiles[len("chargecast.part/1\n"):len(profiles)-sha256.Size], []byte(`"charges"`), []byte(`"chargeS"`), 1)
	huge := binary.AppendUvarint([]byte("H"), 1<<63)
	for _, c := range []struct {
		reason string
		part   []byte
	}{
		{"no section", sealed()},
		{"a length beyond the end", sealed(huge, body)},
		{"a length in a longer form", sealed([]byte{'H', body[1] | 0x80}, body[1:])},
		{"bytes after the end", sealed(body, []byte("E"))},
		{"another order", sealed([]byte("E\x02{}"), body)},
		{"a window that is not the portfolio's", sealed(bytes.Replace(body, []byte("2026-06-30"), []byte("2026-06-29"), 1))},
		{"more rows overridden than left out", sealed(bytes.Replace(body, []byte(`"left_out":3}`), []byte(`"overridden":3}`), 1))},
		{"an unknown member", sealed(bytes.Replace(body, []byte(`"left_out"`), []byte(`"left_ouT"`), 1))},
		{"differences", sealed(bytes.Replace(body, []byte("chargecast.forecast/1"), []byte("chargecast.diff/1"), 1))},
		{"a simulation without its seed", sealed(bytes.Replace(body, []byte("chargecast.forecast/1"), []byte("chargecast.simulate/1"), 1))},
		{"a total by profile that is not one", sealed(profiles)},
		{"charges", sealed(bytes.Replace(body, []byte(`"by":"month"`), []byte(`"bY":"month"`), 1))},
	} {
		if _, err := readPart(c.part); !errors.Is(err, record.ErrPartForm) {
			t.Errorf("%s: %v", c.reason, err)
		}
		if _, err := record.ReadPart(bytes.NewReader(c.part), nil); !errors.Is(err, record.ErrPartForm) {
			t.Errorf("%s, totals not sent: %v", c.reason, err)
		}
	}
}

// FuzzReadPart_Close: no bytes make the reader fail otherwise than with an error, sealed or not, and a
// part that is accepted is written again as it was.
func FuzzReadPart_Close(f *testing.F) {
	for _, part := range [][]byte{bookPart(f), profilePart(f, 0), profilePart(f, 3)} {
		f.Add(part, false)
		f.Add(part[len("chargecast.part/1\n"):len(part)-sha256.Size], true)
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
		w := record.NewPartWriter(&out, p.Header)
		for i := range list {
			_ = w.Total(&list[i])
		}
		if err := w.Close(p.Portfolio, p.PartEnd); err != nil || !bytes.Equal(out.Bytes(), data) {
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
