package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/chargecast/chargecast/internal/race"
)

// A meter counts lines and notes how much had been allocated in all when certain lines had come.
type meter struct {
	lines int
	marks []mark
}

// markEach is how many lines lie between two marks.
const markEach = 250_000

type mark struct {
	lines int
	alloc uint64
}

func (m *meter) Write(p []byte) (int, error) {
	before := m.lines
	m.lines += bytes.Count(p, []byte{'\n'})
	if m.lines/markEach > before/markEach {
		var stats runtime.MemStats
		runtime.ReadMemStats(&stats)
		m.marks = append(m.marks, mark{m.lines, stats.TotalAlloc})
	}
	return len(p), nil
}

// endless is an input without an end, as /dev/zero is.
type endless struct{}

func (endless) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}

// TestAnEndlessInputIsReadUpToItsLimit: reading what has no end allocates little more than the limit in all, and what comes in
// pieces is read whole.
func TestAnEndlessInputIsReadUpToItsLimit(t *testing.T) {
	const limit = 16 << 20
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err := (&input{name: "zero", file: endless{}}).readAll(limit, limitBytes, tooLong)
	runtime.ReadMemStats(&after)
	if err == nil {
		t.Error("an input without an end is read whole")
	}
	if got := after.TotalAlloc - before.TotalAlloc; got > limit*3/2 {
		t.Errorf("%d bytes were allocated for a limit of %d", got, limit)
	}
	for _, n := range []int{0, 1, 511, 512, 513, 4095, 4096, 4097} {
		text := bytes.Repeat([]byte("x"), n)
		got, err := (&input{name: "pieces", file: iotest.HalfReader(bytes.NewReader(text))}).readAll(4096, limitBytes, tooLong)
		if (err == nil) != (n <= 4096) || err == nil && !bytes.Equal(got, text) {
			t.Errorf("%d bytes: %d were read, %v", n, len(got), err)
		}
	}
}

// TestNoAllocationPerCharge lists the charges of a daily profile, once over the whole calendar, where they are 3.6
// million, and shorter times in other forms, and asks that after the first marks next to nothing is allocated.
func TestNoAllocationPerCharge(t *testing.T) {
	if race.Enabled {
		t.Skip("the race detector allocates")
	}
	payload := payloadOf(map[string]string{
		"rp_card_type": "SRC", "amount-sequence": "1.00,2.00", "currency": "EUR",
		"period": "day", "interval": "1", "start-date": "01.01.0001",
	})
	const few = 64 << 10
	for _, c := range []struct {
		reason, until string
		charges       int
		most          uint64 // bytes
		flags         []string
	}{
		{"P11: ndjson streams", "9999-12-31", 3_652_059, few, []string{"-o", "ndjson"}},
		{"P11: csv streams", "1999-12-31", 730_000, few, []string{"-o", "csv"}},
		{"memory: json keeps the ends only", "1999-12-31", 730_000, few, []string{"-o", "json"}},
		{"X01: reasons are made once for charges that share them", "1999-12-31", 730_000, few, []string{"-o", "ndjson", "--explain"}},
	} {
		t.Run(c.reason, func(t *testing.T) {
			m, messages := new(meter), new(bytes.Buffer)
			args := append([]string{"forecast", "--as-of", "0001-01-01", "--until", c.until}, c.flags...)
			if code := run(args, strings.NewReader(payload), m, messages); code != 0 {
				t.Fatalf("exit %d: %s", code, messages)
			}
			if m.lines < c.charges || len(m.marks) < 2 {
				t.Fatalf("only %d lines", m.lines)
			}
			first, last := m.marks[0], m.marks[len(m.marks)-1]
			if grown := last.alloc - first.alloc; grown >= c.most {
				t.Errorf("%d bytes allocated for %d charges", grown, last.lines-first.lines)
			}
		})
	}
}

// BenchmarkForecast is P11: charges a second to a discarding writer.
func BenchmarkForecast(b *testing.B) {
	payload := payloadOf(map[string]string{
		"rp_card_type": "SRC", "amount": "10.00", "currency": "EUR",
		"period": "day", "interval": "1", "start-date": "01.01.0001",
	})
	for _, format := range []string{"ndjson", "csv"} {
		b.Run(format, func(b *testing.B) {
			charges := 0
			for b.Loop() {
				m := new(meter)
				run([]string{"forecast", "--as-of", "0001-01-01", "--until", "9999-12-31", "-o", format}, strings.NewReader(payload), m, m)
				charges += m.lines - 2
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(charges), "ns/charge")
		})
	}
}

// A manyLines yields a header and lines of one profile, and notes the greatest heap on the way.
type manyLines struct {
	lines, most int
	heap        uint64
}

func (m *manyLines) Read(p []byte) (int, error) {
	if m.lines == 0 {
		m.lines++
		return copy(p, "profile,date,amount,id\n"), nil
	}
	if m.lines >= m.most {
		return 0, io.EOF
	}
	line := "gym,2026-01-15,1," + strings.Repeat("x", 500) + "\n"
	n := 0
	for n+len(line) <= len(p) {
		n += copy(p[n:], line)
		m.lines++
		if m.lines%100_000 == 0 {
			var stats runtime.MemStats
			runtime.ReadMemStats(&stats)
			m.heap = max(m.heap, stats.HeapAlloc)
		}
	}
	return n, nil
}

// TestPipedActualsInMemory pipes more lines than may be kept: the limit is one of memory, ids included.
func TestPipedActualsInMemory(t *testing.T) {
	if race.Enabled || os.Getenv("CHARGECAST_GATE") == "" {
		t.Skip("a gigabyte: the gate runs it")
	}
	file := filepath.Join(t.TempDir(), "book.csv")
	if err := os.WriteFile(file, []byte("client-orderid,amount\ngym,1.00\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	in, out, messages := &manyLines{most: 2_000_000}, new(meter), new(bytes.Buffer)
	code := run([]string{"reconcile", "--as-of", "2026-01-10", "--through", "2026-02-20", "--actual", "-", file}, in, out, messages)
	if code != 3 || !strings.Contains(messages.String(), "give a file") {
		t.Fatalf("exit %d after %d lines: %.300s", code, in.lines, messages)
	}
	if in.heap > 2*maxLines {
		t.Errorf("%d bytes of memory", in.heap)
	}
	t.Logf("%d lines, %d bytes of memory", in.lines, in.heap)
}
