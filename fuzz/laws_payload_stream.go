package fuzz

import (
	"bytes"
	"errors"
	"io"
	"reflect"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing/iotest"
	"time"

	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/rules"
)

// payloadStreamLaws are the laws of reading in pieces and in bounded memory.
func payloadStreamLaws() []Law {
	reads := func(i Impl) bool { return i.ReadPayload != nil }
	return []Law{
		{ID: "V15", Formula: "whole, one byte at a time, in halves, with an error after n bytes: same rows and findings", Clause: "4.1", Gen: SentTexts(), Slow: true, Needs: reads, Check: onText(chunksAlike)},
		{ID: "V16", Formula: "no row is read far ahead; what is allocated, and the time, grow with the input at most; a limit's error names the limit", Clause: "L56d", Alone: true, Needs: func(i Impl) bool { return i.ReadPayload != nil && i.Prompt }, Check: boundedReading},
	}
}

var errCut = errors.New("the source broke off")

func chunksAlike(t T, text string, impl Impl) {
	o := rules.Options{AsOf: judgedOn()}
	if len(text)%3 == 0 {
		o.Input = [...]rules.Input{rules.CSV, rules.Base64, rules.Form}[len(text)/3%3]
	}
	same := func(how string, a, b io.Reader) judgement {
		x, y := impl.judge(a, o), impl.judge(b, o)
		if !reflect.DeepEqual(x, y) {
			t.Errorf("whole: %+v\n%s\n%s: %+v\n%s", x.end, textOf(x.findings()), how, y.end, textOf(y.findings()))
		}
		return x
	}
	whole := same("one byte at a time", strings.NewReader(text), iotest.OneByteReader(strings.NewReader(text)))
	same("in halves, the end with the last of them", strings.NewReader(text), iotest.DataErrReader(iotest.HalfReader(strings.NewReader(text))))
	cut := len(text) * 2 / 3
	broken := func() io.Reader { return io.MultiReader(strings.NewReader(text[:cut]), iotest.ErrReader(errCut)) }
	short := same("one byte at a time and then an error", broken(), iotest.OneByteReader(broken()))
	if !errors.Is(short.end.Err, errCut) && whole.end.Rows > 0 && !reflect.DeepEqual(short.findings(), whole.findings()) {
		t.Errorf("the source's error is told as %v", short.end.Err)
	}
	if slices.ContainsFunc(whole.findings(), func(f Finding) bool { return f.Wire && f.Severity == ledger.SeverityError }) {
		return // a fault of the wire form that comes early leaves no rows; the cut may lie before it
	}
	for _, s := range short.steps {
		if s.Row != nil && !reflect.DeepEqual(whole.row(s.Row.Number), s.Row) {
			t.Errorf("before an error row %d is %+v, without it %+v", s.Row.Number, s.Row, whole.row(s.Row.Number))
		}
	}
}

// readAhead is how many bytes a reader may hold beyond the row that it gives.
const readAhead = 512 << 10

// A countedSource gives the same row again and again, and counts the bytes.
type countedSource struct {
	header, row string
	given       int
	rest        string
	rows        int // that are still to come
}

// Read gives what is left of the current row.
func (s *countedSource) Read(p []byte) (int, error) {
	if s.rest == "" {
		switch {
		case s.header != "":
			s.rest, s.header = s.header, ""
		case s.rows > 0:
			s.rest = s.row
			s.rows--
		default:
			return 0, io.EOF
		}
	}
	n := copy(p, s.rest)
	s.rest = s.rest[n:]
	s.given += n
	return n, nil
}

func boundedReading(t T, _ *Case, impl Impl) {
	streams(t, impl)
	growsWithInput(t, impl)
	for _, v := range RuleVectors() {
		if limit := limitOf(v); limit != "" {
			for _, f := range impl.judge(strings.NewReader(v.Bad), v.Options).findings() {
				if f.Code == v.Code && !strings.Contains(f.Text, limit) {
					t.Errorf("%v does not name the limit %s: %s", f, limit, f.Text)
				}
			}
		}
	}
}

// limitOf is the limit that a vector breaks, as text; empty for none.
func limitOf(v RuleVector) string {
	n := map[ledger.Code]int{
		rules.LimitBytes: int(v.Options.MaxBytes), rules.LimitRows: v.Options.MaxRows, rules.LimitRow: v.Options.MaxRow,
		rules.LimitCell: v.Options.MaxCell, rules.LimitColumns: v.Options.MaxColumns, rules.LimitElements: v.Options.MaxElements,
	}[v.Code]
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}

// streams checks that each row comes before much more was read, and that a reader who
// has seen enough is not fed further.
func streams(t T, impl Impl) {
	row := string(slowCSV(plainRow(onSRC)))
	header := string(slowCSV())
	row = strings.TrimPrefix(row, header)
	for _, enough := range [...]int{3, 5000} {
		src := &countedSource{header: header, row: row, rows: 10_000}
		seen := 0
		impl.ReadPayload(src, rules.Options{Input: rules.CSV, MaxOrderIDs: -1}, func(s PayloadStep) bool {
			if s.Row != nil {
				seen++
			}
			return seen < enough
		})
		if most := len(header) + seen*len(row) + readAhead; seen != enough || src.given > most {
			t.Errorf("after %d rows %d bytes were read, want at most %d", seen, src.given, most)
		}
	}
}

// slowCSV is the CSV of rows, all columns in order.
func slowCSV(rows ...Cells) []byte { return plainCase(rows...).write().text }

// hungryTexts are what a bad reader does more and more work for, when they come again and
// again: rows, cells, quotes and line ends that make findings, or seem to be about to end.
var hungryTexts = [...]string{"x\n", ";", "\"", "\"\"", "\n", "\r", "a\"b\n", "\"a\nb\"\n", "\"a\";", "\x00", "\xff", "é", ",", "\"\";\"\n"}

// growsWithInput compares what is allocated, and the time that is taken, for a short and a
// long input of the same kind.
func growsWithInput(t T, impl Impl) {
	const short, long = 1 << 12, 1 << 16
	for _, shape := range hungryTexts {
		read := func(size int) func() {
			text := append(slowCSV(plainRow(onSRC)), bytes.Repeat([]byte(shape), size/len(shape))...)
			return func() {
				impl.ReadPayload(bytes.NewReader(text), rules.Options{Input: rules.CSV}, func(PayloadStep) bool { return true })
			}
		}
		const perByte, fixed = 1 << 10, 4 << 20
		near, far := read(short), read(long)
		if few, many := allocated(near), allocated(far); many > few+(long-short)*perByte+fixed {
			t.Errorf("%q again and again: %d bytes allocated for %d, %d for %d", shape, few, short, many, long)
			return // the others would cost as much
		}
		// The square of the length would be 256 times as much.
		if times := slowdown(near, far, 100); times > 100 {
			t.Errorf("%q again and again: %d bytes take %d times as long as %d", shape, long, times, short)
			return
		}
	}
}

// allocated is how many bytes are allocated in a call.
func allocated(call func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	call()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// slowdown is how many times longer far takes than near. A busy machine makes it seem
// longer, so that what seems too long is tried again, many times unless it is hopeless.
func slowdown(near, far func(), most int64) int64 {
	took := func(call func()) int64 {
		begin := time.Now()
		call()
		return int64(time.Since(begin))
	}
	base := took(near)
	for range 4 {
		base = min(base, took(near))
	}
	least := took(far)
	for try := range 30 {
		if least <= most*base || try > 3 && least > 20*most*base {
			break
		}
		least = min(least, took(far))
	}
	return least / max(base, 1)
}
