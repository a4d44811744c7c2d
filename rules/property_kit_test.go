package rules_test

import (
	"bytes"
	"fmt"
	"io"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"github.com/chargecast/chargecast/internal/gen"
	"github.com/chargecast/chargecast/internal/kit/plain"
	"github.com/chargecast/chargecast/rules"
)

// A prop is what a property reports, and the reader and writer that it asks.
type prop struct{ *gen.Report }

// holds tests a property on a number of cases.
func holds[V any](t *testing.T, cases int, draw func(gen.Chooser) V, check func(*prop, V)) {
	t.Parallel()
	gen.Hold(t, cases, draw, func(r *gen.Report, v V) { check(&prop{r}, v) })
}

// once tests what has no random input, and measures: nothing else runs meanwhile.
func once(t *testing.T, check func(*prop)) {
	if text := gen.Judge(struct{}{}, func(r *gen.Report, _ struct{}) { check(&prop{r}) }); text != "" {
		t.Error(text)
	}
}

// Equal reports how two values differ, if they do.
func (t *prop) Equal(what string, got, want any) bool {
	if reflect.DeepEqual(got, want) {
		return true
	}
	t.Errorf("%s: %+v, want %+v", what, got, want)
	return false
}

// read reads a payload to its end.
func (t *prop) read(src io.Reader, o rules.Options) plain.Judgement {
	return plain.JudgedBy(plain.ReadPayload, src, o)
}

// readCSV reads a CSV text.
func (t *prop) readCSV(text []byte, o rules.Options) plain.Judgement {
	o.Input = rules.InputCSV
	return t.read(bytes.NewReader(text), o)
}

// readCase reads the case.
func (t *prop) readCase(c gen.PayloadCase) (gen.Written, plain.Judgement) {
	w := c.Write()
	return w, t.readCSV(w.Text, c.Options())
}

// sameRow compares what rows hold, wherever they are.
func (t *prop) sameRow(what string, got, want *plain.PayloadRow) {
	if (got == nil) != (want == nil) {
		t.Errorf("%s: usable %v, want %v", what, got != nil, want != nil)
	} else if got != nil {
		t.Equal(what, got.Cells, want.Cells)
		t.Equal(what, plain.ProfileByColumn(got.Profile), plain.ProfileByColumn(want.Profile))
	}
}

// samePlaceless compares findings wherever they are.
func (t *prop) samePlaceless(what string, got, want plain.Findings) {
	t.Equal(what, plain.WithoutPlaces(got), plain.WithoutPlaces(want))
}

// plainCase is a payload of one row, all columns in order.
func plainCase(rows ...gen.Cells) gen.PayloadCase {
	var c gen.PayloadCase
	for column := rules.ColumnCardType; column <= rules.ColumnServerCallbackURL; column++ {
		c.Columns = append(c.Columns, column)
	}
	for _, row := range rows {
		c.Rows = append(c.Rows, gen.PayloadLine{Clean: row})
	}
	return c
}

func showPayload(src io.Reader, o rules.Options) []string {
	var shown []string
	show := func(v any) {
		for _, verb := range [...]string{"%v", "%+v", "%#v", "%s", "%q"} {
			shown = append(shown, fmt.Sprintf(verb, v))
		}
	}
	r := rules.NewReader(src, o)
	for row, ps := range r.Rows() {
		for i := range ps {
			ps[i].Place.Profile = "" // the merchant's own key may be shown (L47)
		}
		show(ps)
		for _, p := range ps {
			show(p)
			text, _, _ := r.Excerpt(p)
			shown = append(shown, text)
		}
		if row == nil {
			continue
		}
		show(row)
		for column, cell := range row.Cells() {
			// What the mask of a column leaves is the business of the law of masking.
			if column.Spec().Kind() != "URL" && rules.Mask(column, "a") != "a" {
				show(cell)
			}
		}
	}
	show(r.Err())
	show(r.Summary())
	return shown
}

func writeRows(rows []gen.Cells) []byte {
	text := rules.AppendHeader(nil)
	for i := range rows {
		text = rules.AppendRecord(text, rows[i][1:]...)
	}
	return text
}

func rewritePayload(payload []byte, o rules.Options) []byte {
	text := rules.AppendHeader(nil)
	for row := range rules.NewReader(bytes.NewReader(payload), o).Rows() {
		if row != nil {
			text = appendRow(text, row)
		}
	}
	return text
}

// appendRow appends a row as it is written, with all columns.
func appendRow(dst []byte, row *rules.Row) []byte {
	var cells []string
	for _, cell := range row.Cells() {
		cells = append(cells, cell.Reveal())
	}
	return rules.AppendRecord(dst, cells...)
}

func (t *prop) decode(wire []byte, o rules.Options) ([]byte, plain.Findings) {
	return plain.DecodePayload(wire, o)
}

// allocated is how many bytes are allocated in a call.
func allocated(call func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	call()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// encodedAs is a payload as it is sent.
func encodedAs(csv string, to rules.Input) []byte {
	var b bytes.Buffer
	if err := rules.Encode(&b, strings.NewReader(csv), to); err != nil {
		return nil
	}
	return b.Bytes()
}
