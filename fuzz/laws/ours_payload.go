package laws

import (
	"bytes"
	"fmt"
	"io"

	"github.com/chargecast/chargecast/fuzz/gen"
	"github.com/chargecast/chargecast/gateway/response"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/rules"
)

func ourPayloads() PayloadImpl {
	return PayloadImpl{
		ReadPayload:    ourReadPayload,
		ShowPayload:    ourShowPayload,
		WriteRows:      ourWriteRows,
		RewritePayload: ourRewritePayload,
		EncodePayload: func(csv []byte, to rules.Input) []byte {
			var b bytes.Buffer
			if err := rules.Encode(&b, bytes.NewReader(csv), to); err != nil {
				return nil
			}
			return b.Bytes()
		},
		DecodePayload: func(wire []byte, o rules.Options) ([]byte, []Finding) {
			text, ps := rules.DecodeBytes(wire, o)
			return text, findingsFrom(ps)
		},
		FixPayload:    ourFixPayload,
		ParseResponse: response.Parse,
		FormatResponse: func(r response.Record) []byte {
			text, _ := r.AppendText(nil)
			return text
		},
	}
}

func ourReadPayload(src io.Reader, o rules.Options, yield func(PayloadStep) bool) PayloadEnd {
	r := rules.NewReader(src, o)
	for row, ps := range r.Rows() {
		step := PayloadStep{Findings: findingsFrom(ps)}
		if row != nil {
			step.Row = payloadRowFrom(row)
		}
		if !yield(step) {
			break
		}
	}
	s := r.Summary()
	return PayloadEnd{s.Rows, s.Valid, s.Errors, r.Err()}
}

// findingsFrom are findings of the library in the words of the kit.
func findingsFrom(ps ledger.Findings) []Finding {
	var list []Finding
	for _, p := range ps {
		column, _ := rules.ColumnOf(p.Subject)
		list = append(list, Finding{p.Code, p.Severity, p.Place.Row, p.Place.Line, p.Place.Col, p.Place.Offset, p.Place.Wire, column, p.Message + "; " + p.Help})
	}
	return list
}

func payloadRowFrom(row *rules.Row) *PayloadRow {
	r := &PayloadRow{Number: row.Number, Line: row.Line, Profile: row.Profile()}
	for column, cell := range row.Cells() {
		r.Cells[column] = cell.Reveal()
	}
	return r
}

func ourShowPayload(src io.Reader, o rules.Options) []string {
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
			if column.Spec().Private() {
				show(cell)
			}
		}
	}
	show(r.Err())
	show(r.Summary())
	return shown
}

func ourWriteRows(rows []gen.Cells) []byte {
	text := rules.AppendHeader(nil)
	for i := range rows {
		text = rules.AppendRecord(text, rows[i][1:]...)
	}
	return text
}

func ourRewritePayload(payload []byte, o rules.Options) []byte {
	text := rules.AppendHeader(nil)
	for row := range rules.NewReader(bytes.NewReader(payload), o).Rows() {
		if row != nil {
			text = row.AppendCSV(text)
		}
	}
	return text
}

// ourFixPayload is the library's fixer.
func ourFixPayload(payload []byte) ([]byte, []rules.Change) {
	var text bytes.Buffer
	var changes []rules.Change
	f := rules.Fixer{Report: func(c rules.Change) { changes = append(changes, c) }}
	if done, err := f.Fix(&text, bytes.NewReader(payload)); err != nil || done.Findings.Err() != nil {
		return nil, changes
	}
	return text.Bytes(), changes
}

func ourMask() MaskImpl { return MaskImpl{Mask: rules.Mask} }
