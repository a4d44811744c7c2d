package rules

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"math/rand/v2"
	"os"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/chargecast/chargecast/internal/ordered"
	"github.com/chargecast/chargecast/internal/workload"
	"github.com/chargecast/chargecast/ledger"
)

// An account is all that a step says: the row with its values, the findings with their excerpts, and the
// counts so far.
type account struct {
	row      string
	found    ledger.Findings
	excerpts []string
	summary  Summary
}

// tell reads a payload to its end, or as far as so many steps.
func tell(r *Reader, steps int) (all []account) {
	for row, found := range r.Rows() {
		t := account{found: found, summary: r.Summary()}
		t.summary.OrderIDs, t.summary.OrderIDsCut, t.summary.Unreadable = 0, false, false // of what was read ahead
		if row != nil {
			t.row = fmt.Sprintf("%d %d %+v", row.Number, row.Line, row.Profile())
			for _, c := range row.Cells() {
				t.row += ";" + c.Reveal()
			}
		}
		for _, f := range found {
			text, caret, ok := r.Excerpt(f)
			t.excerpts = append(t.excerpts, fmt.Sprint(text, caret, ok))
		}
		if all = append(all, t); len(all) == steps {
			break
		}
	}
	return all
}

// sameReading compares what one Reader and one with workers say of a payload.
func sameReading(t *testing.T, src func() io.Reader, o Options, workers, size int) {
	t.Helper()
	one, many := NewReader(src(), o), NewReader(src(), o.InChunks(workers, size))
	want, got := tell(one, -1), tell(many, -1)
	for i := range min(len(want), len(got)) {
		if !reflect.DeepEqual(want[i], got[i]) {
			t.Fatalf("%d workers, chunks of %d bytes: step %d is\n%+v, want\n%+v", workers, size, i, got[i], want[i])
		}
	}
	if len(got) != len(want) || one.Summary() != many.Summary() || !errors.Is(many.Err(), one.Err()) {
		t.Fatalf("%d workers, chunks of %d bytes: %d steps, want %d; %+v, want %+v; error %v, want %v",
			workers, size, len(got), len(want), many.Summary(), one.Summary(), many.Err(), one.Err())
	}
}

// severalRows is a payload in which most rows are like each other and some have faults that can be
// mistaken for the end of a row, or that depend on other rows.
func severalRows(chance *rand.Rand, rows int) []byte {
	odd := []string{
		"\n", "\r\n", "\n\n\n", "x\n", "\"a\"b;\n", "a\"b;\"c\n", "\"open\nline\n", "\"\"\n", ";\n", "\x00\xff\n", "one\rtwo\n",
		strings.Repeat(";", 200) + "\n", strings.Repeat("long", 400) + "\n", "\"" + strings.Repeat("long\n", 300) + "\";\n", "\"\n\"\n",
	}
	end := []string{"\n", "\r\n"}[chance.IntN(2)]
	text := bytes.ReplaceAll(AppendHeader(nil), []byte("\n"), []byte(end))
	rise, often := chance.IntN(2) == 0, chance.IntN(12)
	for i := range rows {
		v := w3Row(uint64(i))
		if !rise {
			v[ColumnOrderID] = fmt.Sprint("o", chance.IntN(20*rows))
		}
		if chance.IntN(12) < often {
			switch chance.IntN(8) {
			case 0:
				v[ColumnInterval], v[ColumnStartDate], v[ColumnCurrency] = "0", "1.2.2026", ""
			case 1:
				v[ColumnOrderDesc] = "two\nlines; \"\"\n\"\";"
			case 2:
				v[ColumnOrderDesc] = "\n" + strings.TrimSuffix(line(w3Row(uint64(i))), "\n") + "\n"
			case 3:
				v[ColumnOrderID] = fmt.Sprintf("order-%09d", chance.IntN(i+1))
			case 4:
				v[ColumnCardType], v[ColumnStartDate] = "DST", ""
			default:
				text = append(text, odd[chance.IntN(len(odd))]...)
			}
		}
		row := line(v)
		if chance.IntN(12) < often/3 {
			row = strings.ReplaceAll(row, `"USD"`, "USD")
		}
		text = append(text, strings.Replace(row, "\n", end, strings.Count(row, "\n"))...)
	}
	return text
}

// someOptions are options with limits that the payloads reach.
func someOptions(chance *rand.Rand) Options {
	o := w3Options()
	switch chance.IntN(6) {
	case 0:
		o.MaxRows = 1 + chance.IntN(40)
	case 1:
		o.MaxBytes = int64(1 + chance.IntN(20_000))
	case 2:
		o.MaxRow, o.MaxCell = 1000, 300
	case 3:
		o.MaxOrderIDs = []int{-1, 1, 10}[chance.IntN(3)]
	case 4:
		o.Strict = true
	case 5:
		o.Severity = map[ledger.Code]ledger.Severity{OrderIDDuplicate: ledger.SeverityError, IntervalValue: ledger.SeverityOff}
	}
	return o
}

// whole says that the slowest tests take all their cases, which takes seconds: the gate sets CHARGECAST_GATE.
var whole = os.Getenv("CHARGECAST_GATE") != "" && !raceEnabled

// TestWorkersChangeNothing: rows, findings, places, excerpts, counts and errors are those of one Reader,
// whatever the number of workers, the size of chunks, the form and the pieces of the input.
func TestWorkersChangeNothing(t *testing.T) {
	chance := rand.New(rand.NewPCG(1, 2))
	cases := 100
	if whole {
		cases = 400
	}
	for range cases {
		text := severalRows(chance, 1+chance.IntN(60))
		switch chance.IntN(4) {
		case 0:
			text = text[:chance.IntN(len(text)+1)]
		case 1:
			text[chance.IntN(len(text))] = "\"\n;\r \x00"[chance.IntN(6)]
		}
		sent := text
		switch chance.IntN(4) {
		case 0:
			sent = formOf(text)
			if chance.IntN(2) == 0 {
				sent = append(sent, "&a=b+c"...)
			}
			if chance.IntN(4) == 0 {
				sent[chance.IntN(len(sent))] = "%; ="[chance.IntN(4)]
			}
		case 1:
			var b bytes.Buffer
			if err := Encode(&b, bytes.NewReader(text), InputBase64); err != nil {
				t.Fatal(err)
			}
			if sent = b.Bytes(); chance.IntN(4) == 0 && len(sent) > 0 {
				sent[chance.IntN(len(sent))] = '-'
			}
		}
		src := func() io.Reader { return bytes.NewReader(sent) }
		switch chance.IntN(4) {
		case 0:
			src = func() io.Reader { return iotest.OneByteReader(bytes.NewReader(sent)) }
		case 1:
			src = func() io.Reader { return iotest.DataErrReader(iotest.HalfReader(bytes.NewReader(sent))) }
		case 2:
			cut := chance.IntN(len(sent) + 1)
			src = func() io.Reader {
				return io.MultiReader(bytes.NewReader(sent[:cut]), iotest.ErrReader(io.ErrUnexpectedEOF))
			}
		}
		size := []int{1, 2, 7, 100, 380, 500, 1000, 3000, 10_000}[chance.IntN(9)]
		sameReading(t, src, someOptions(chance), 2+chance.IntN(15), size)
	}
}

// TestWorkersChangeNothingOfHostileInputs does the same with every hostile text of the vectors,
// between rows without faults.
func TestWorkersChangeNothingOfHostileInputs(t *testing.T) {
	rows := string(bytes.TrimPrefix(w3(6, nil), AppendHeader(nil)))
	for _, c := range payloadVectors(t, "payload-csv") {
		text := c.input + rows + c.input + rows
		if len(text) > 3<<20 || len(text) > 1<<16 && raceEnabled {
			continue // a million findings, which take seconds to compare
		}
		for _, size := range []int{50, 400, 900} {
			size = max(size, len(text)/100)
			sameReading(t, func() io.Reader { return strings.NewReader(text) }, w3Options(), 3, size)
		}
	}
	for _, c := range hostilePayloads(t, "payload-wire") {
		sameReading(t, func() io.Reader { return strings.NewReader(c.input) }, w3Options(), 3, max(50, len(c.input)/100))
	}
}

// TestWorkersFailAtEveryByte: a source that fails is reported as by one Reader, wherever it fails.
func TestWorkersFailAtEveryByte(t *testing.T) {
	text := workload.Payload(workload.Bad, 4)
	step := 1
	if raceEnabled {
		step = 37
	}
	for n := 0; n < len(text); n += step {
		sameReading(t, func() io.Reader {
			return io.MultiReader(bytes.NewReader(text[:n]), iotest.ErrReader(io.ErrUnexpectedEOF))
		}, w3Options(), 2, 300)
	}
}

// noMoreThan waits until no more goroutines are there than before: one that has ended is counted until the system gives
// its thread some time.
func noMoreThan(t *testing.T, before int) {
	t.Helper()
	for limit := time.Now().Add(2 * time.Minute); runtime.NumGoroutine() > before; runtime.Gosched() {
		if time.Now().After(limit) {
			t.Fatalf("%d goroutines, before it were %d", runtime.NumGoroutine(), before)
		}
	}
}

// TestWorkersGoOn: a reading that was broken off goes on where it was left, and leaves no goroutine.
func TestWorkersGoOn(t *testing.T) {
	text := severalRows(rand.New(rand.NewPCG(3, 4)), 200)
	want := tell(NewReader(bytes.NewReader(text), w3Options()), -1)
	before := runtime.NumGoroutine()
	for steps := 1; steps < 60; steps++ {
		r := NewReader(bytes.NewReader(text), w3Options().InChunks(3, 1000))
		var got []account
		for {
			some := tell(r, steps)
			noMoreThan(t, before)
			if len(some) == 0 {
				break
			}
			got = append(got, some...)
		}
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("broken off after each %d steps, the reading differs", steps)
		}
	}
}

// TestWorkersCountOrderIDs: workers reported that not all order ids could be compared, where one Reader compared them
// all: those of a payload whose first ids do not rise, and all others do.
func TestWorkersCountOrderIDs(t *testing.T) {
	for odd := range uint64(6) {
		text := w3(60, func(i uint64, v values) {
			if v[ColumnOrderID] = fmt.Sprint(1000 + i); i == odd {
				v[ColumnOrderID] = "0500"
			}
		})
		for _, most := range []int{1, 2, 3, 10, 60} {
			o := w3Options()
			o.MaxOrderIDs = most
			for _, size := range []int{500, 1000, 5000} {
				sameReading(t, func() io.Reader { return bytes.NewReader(text) }, o, 3, size)
			}
		}
	}
}

// TestBatches: what work gives comes out in the order of the payload, however many workers and results
// there are, and each worker's own sum is right.
func TestBatches(t *testing.T) {
	chance := rand.New(rand.NewPCG(5, 6))
	for workers := 1; workers <= 16; workers++ {
		text, o := severalRows(chance, 150), someOptions(chance)
		var want []string
		one := NewReader(bytes.NewReader(text), o)
		for row, found := range one.Rows() {
			want = append(want, fmt.Sprint(row, found))
		}
		sums := make([]int, workers)
		many := NewReader(bytes.NewReader(text), o.InChunks(workers, 700))
		var got []string
		for s := range Batches(many, func(worker int, steps iter.Seq2[*Row, ledger.Findings], yield func(string) bool) {
			for row, found := range steps {
				if row != nil {
					sums[worker]++
				}
				if !yield(fmt.Sprint(row, found)) {
					return
				}
			}
		}) {
			got = append(got, s)
		}
		if !slices.Equal(got, want) {
			t.Fatalf("%d workers: %d results, want %d, or in another order", workers, len(got), len(want))
		}
		rows := 0
		for _, n := range sums {
			rows += n
		}
		if s := many.Summary(); s != one.Summary() || rows != s.Valid {
			t.Fatalf("%d workers: %d rows, %+v, want %+v", workers, rows, s, one.Summary())
		}
		for range many.Rows() {
			t.Fatal("there are rows after the end")
		}
	}
}

// TestWorkersHaveTheWork: of a payload in which every row is as it should be the workers judge all chunks, and there are several batches. One worker, or a header with which no row is
// right, is one batch.
func TestWorkersHaveTheWork(t *testing.T) {
	const workers, size, rows = 3, 3000, 400
	text := w3(rows, nil)
	reader := func(o Options) *Reader { return NewReader(bytes.NewReader(text), o) }
	r := reader(w3Options().InChunks(workers, size))
	r.begin()
	r.divide()
	if r.parallel == nil {
		t.Fatal("the payload is not divided")
	}
	steps := 0
	for c := range r.parallel.chunks {
		if c.lines == 0 && len(c.steps) > 0 {
			t.Errorf("%d rows are read by the Reader itself", len(c.steps))
		}
		steps += len(c.steps)
	}
	if steps != rows {
		t.Errorf("%d rows, want %d", steps, rows)
	}
	for name, c := range map[string]struct {
		r    *Reader
		want bool // several batches
	}{
		"three workers": {reader(w3Options().InChunks(workers, size)), true},
		"one worker":    {reader(w3Options().InChunks(1, size)), false},
		"one chunk":     {reader(w3Options().InChunks(workers, len(text)+1)), false},
		"no column currency": {NewReader(bytes.NewReader(bytes.Replace(text, []byte("\"currency\""), []byte("\"x\""), 1)),
			w3Options().InChunks(workers, size)), false},
	} {
		batches := 0
		for range Batches(c.r, func(_ int, steps iter.Seq2[*Row, ledger.Findings], yield func(bool) bool) {
			for range steps {
			}
			yield(true)
		}) {
			batches++
		}
		if several := batches >= len(text)/size; several != c.want || !several && batches != 1 {
			t.Errorf("%s: %d batches", name, batches)
		}
	}
}

// TestChunksShareABound: whatever the number of workers, all chunks that may be under way have 2 MiB together, and
// none has more than 256 KiB.
func TestChunksShareABound(t *testing.T) {
	text := w3(1000, nil)
	for _, workers := range []int{2, 3, 8, mostWorkers} {
		o := w3Options()
		o.Workers = workers
		r := NewReader(bytes.NewReader(text), o)
		r.begin()
		r.divide()
		if r.parallel == nil {
			t.Fatalf("%d workers: a payload of %d bytes is not divided", workers, len(text))
		}
		size, under := r.parallel.source.size, 2*(workers+ordered.Ahead)
		if size > 256<<10 || size*under > 2<<20 || size*(under+1) < 2<<20-size && size < 256<<10 {
			t.Errorf("%d workers: %d chunks of %d bytes", workers, under, size)
		}
	}
}

// TestBatchesBreakOff: a caller who has enough ends the work, whether it waits for room or for steps.
func TestBatchesBreakOff(t *testing.T) {
	text := w3(300, nil)
	before := runtime.NumGoroutine()
	for enough := range 40 {
		r := NewReader(bytes.NewReader(text), w3Options().InChunks(4, 1500))
		results := 0
		for range Batches(r, func(_ int, steps iter.Seq2[*Row, ledger.Findings], yield func(int) bool) {
			for range steps {
				for i := range 3 {
					if !yield(i) {
						return
					}
				}
			}
		}) {
			if results++; results > enough {
				break
			}
		}
		for range r.Rows() {
			t.Fatal("there are rows after the end")
		}
		noMoreThan(t, before)
	}
}

// TestBatchesPanic: a panic of the work is one of the caller's goroutine, where it can be recovered.
func TestBatchesPanic(t *testing.T) {
	defer func() {
		if v := recover(); v != "boom" {
			t.Errorf("recovered %v", v)
		}
	}()
	r := NewReader(bytes.NewReader(w3(300, nil)), w3Options().InChunks(4, 1500))
	for range Batches(r, func(_ int, steps iter.Seq2[*Row, ledger.Findings], _ func(int) bool) {
		for row := range steps {
			if row.Number == 200 {
				panic("boom")
			}
		}
	}) {
	}
	t.Error("the panic is lost")
}
