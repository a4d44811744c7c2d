package laws

import (
	"bytes"
	"errors"
	"io"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing/iotest"

	"github.com/chargecast/chargecast/fuzz/gen"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/rules"
)

// payloadStreamLaws are the laws of reading in pieces and in bounded memory.
func payloadStreamLaws() []Law {
	return []Law{
		law("V15", "4.1", "whole, one byte at a time, in halves, with an error after n bytes: same rows and findings", gen.SentTexts, chunksAlike).heavy(),
		once("V16", "L56d", "no row is read far ahead; what is allocated, and the work, grow with the input at most; a limit's error names the limit", boundedReading).alone().prompt(),
	}
}

var errCut = errors.New("the source broke off")

func chunksAlike(t *T, text string) {
	o := rules.Options{AsOf: gen.JudgedOn()}
	if len(text)%3 == 0 {
		o.Input = [...]rules.Input{rules.InputCSV, rules.InputBase64, rules.InputForm}[len(text)/3%3]
	}
	same := func(x judgement, how string, src io.Reader) {
		t.Equal(how, t.read(src, o), x)
	}
	whole := t.read(strings.NewReader(text), o)
	same(whole, "one byte at a time", iotest.OneByteReader(strings.NewReader(text)))
	same(whole, "in halves, the end with the last of them", iotest.DataErrReader(iotest.HalfReader(strings.NewReader(text))))
	cut := len(text) * 2 / 3
	broken := func() io.Reader { return io.MultiReader(strings.NewReader(text[:cut]), iotest.ErrReader(errCut)) }
	short := t.read(broken(), o)
	same(short, "one byte at a time and then an error", iotest.OneByteReader(broken()))
	if !errors.Is(short.end.Err, errCut) && whole.end.Rows > 0 && !reflect.DeepEqual(short.findings(), whole.findings()) {
		t.Errorf("the source's error is reported as %s", read(short.end.Err))
	}
	if slices.ContainsFunc(whole.findings(), func(f Finding) bool { return f.Wire && f.Severity == ledger.SeverityError }) {
		return // a fault of the wire form that comes early leaves no rows; the cut may lie before it
	}
	for _, s := range short.steps {
		if s.Row != nil {
			t.Equal("a row before an error, and without it", s.Row, whole.row(s.Row.Number))
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

func boundedReading(t *T) {
	streams(t)
	growsWithInput(t)
	for _, v := range RuleVectors() {
		if limit := limitOf(v); limit != "" {
			for _, f := range t.read(strings.NewReader(v.Bad), v.Options).findings() {
				if f.Code == v.Code && !strings.Contains(f.Text, limit) {
					t.Errorf("%v does not name the limit %s", f, limit)
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
func streams(t *T) {
	row := string(slowCSV(plainRow(gen.OnSRC)))
	header := string(slowCSV())
	row = strings.TrimPrefix(row, header)
	for _, enough := range [...]int{3, 5000} {
		src := &countedSource{header: header, row: row, rows: 10_000}
		seen := 0
		t.ReadPayload(src, rules.Options{Input: rules.InputCSV, MaxOrderIDs: -1}, func(s PayloadStep) bool {
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
func slowCSV(rows ...gen.Cells) []byte { return plainCase(rows...).Write().Text }

// hungryTexts are what a bad reader does more and more work for, when they come again and
// again: rows, cells, quotes and line ends that make findings, or seem to be about to end.
var hungryTexts = [...]string{"x\n", ";", "\"", "\"\"", "\n", "\r", "a\"b\n", "\"a\nb\"\n", "\"a\";", "\x00", "\xff", "é", ",", "\"\";\"\n"}

// growsWithInput compares the work for a short and a long input of the same kind: reads
// from the source, bytes allocated, and steps where the implementation counts them.
func growsWithInput(t *T) {
	const short, long = 1 << 12, 1 << 16
	for _, shape := range hungryTexts {
		read := func(size int) (w Work, reads int) {
			text := append(slowCSV(plainRow(gen.OnSRC)), bytes.Repeat([]byte(shape), size/len(shape))...)
			src := &countedReads{src: bytes.NewReader(text)}
			w = t.work(func() {
				t.ReadPayload(src, rules.Options{Input: rules.InputCSV}, func(PayloadStep) bool { return true })
			})

			return w, src.reads
		}
		const perByte, fixed = 1 << 10, 4 << 20
		near, _ := read(short)
		far, reads := read(long)
		if far.Bytes > near.Bytes+(long-short)*perByte+fixed {
			t.Errorf("%q again and again: %d bytes allocated for %d, %d for %d", shape, near.Bytes, short, far.Bytes, long)
			return // the others would cost as much
		}
		// The square of the length would be 256 times as much.
		if times := uint64(4 * long / short); far.Steps > times*near.Steps+long {
			t.Errorf("%q again and again: %d bytes take %d steps, %d take %d", shape, short, near.Steps, long, far.Steps)
			return
		}
		if reads > long {
			t.Errorf("%q again and again: %d reads of a source of %d bytes", shape, reads, long)
			return
		}
	}
}

// A countedReads is a source that counts how often it is asked.
type countedReads struct {
	src   io.Reader
	reads int
}

// Read counts and reads.
func (s *countedReads) Read(p []byte) (int, error) {
	s.reads++
	return s.src.Read(p)
}
