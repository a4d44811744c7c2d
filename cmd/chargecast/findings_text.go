package main

import (
	"strconv"
	"strings"

	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/rules"
)

// findingsText is for people: each finding with its place and the remedy.
type findingsText struct {
	*checked

	told map[ledger.Code]int
}

func (f *findingsText) begin(dst []byte) []byte { return dst }

// maxTold is how many findings of one code are told in full.
const maxTold = 20

func (f *findingsText) problem(dst []byte, p ledger.Finding) []byte {
	if f.told[p.Code]++; f.told[p.Code] > maxTold {
		return dst
	}
	dst = append(dst, f.file...)
	if p.Place.Line > 0 {
		dst = strconv.AppendInt(append(dst, ':'), int64(p.Place.Line), 10)
		dst = strconv.AppendInt(append(dst, ':'), int64(p.Place.Col), 10)
	}
	dst = append(dst, ": "...)
	if p.Severity == ledger.SeverityError {
		dst = f.paint.bold(dst, "error")
	} else {
		dst = f.paint.warn(dst, "warning")
	}
	dst = append(dst, ": "...)
	if p.Subject != "" {
		dst = append(dst, p.Subject+": "...)
	}
	dst = append(dst, visible(p.Message)...)
	dst = f.paint.faint(append(dst, ' '), "["+string(p.Code)+", "+p.Basis.String()+" "+p.Clause.String()+"]"+profileOf(p, " profile ", ""))
	dst = append(dst, '\n')
	if p.Place.Wire {
		dst = append(dst, "  (in the text as it was sent)\n"...)
	}
	dst = f.excerpt(dst, p)
	if p.Help != "" {
		dst = append(append(append(dst, "  help: "...), visible(p.Help)...), '\n')
	}
	return dst
}

// excerpt shows the shape of the value with a caret.
func (f *findingsText) excerpt(dst []byte, p ledger.Finding) []byte {
	text, caret, ok := f.reader.Excerpt(p)
	if !ok {
		return dst
	}
	margin := strconv.Itoa(p.Place.Line) + " | "
	dst = append(append(append(dst, "  "...), margin...), visible(text)...)
	dst = append(append(dst, '\n'), strings.Repeat(" ", 2+len(margin)-2)...)
	dst = append(append(dst, "| "...), strings.Repeat(" ", caret)...)
	return append(f.paint.bold(dst, "^"), '\n')
}

func (f *findingsText) end(dst []byte) []byte {
	s := f.reader.Summary()
	for code, n := range sortedCounts(f.told) {
		if n > maxTold {
			dst = append(dst, f.file+": "+strconv.Itoa(n-maxTold)+" more like these: "+string(code)+"\n"...)
		}
	}
	dst = append(dst, counted(strconv.Itoa(s.Rows), "row")+", "...)
	if s.Valid == s.Rows && s.Errors == 0 && !s.Unreadable {
		dst = append(dst, "all usable"...)
	} else {
		dst = append(dst, strconv.Itoa(s.Valid)+" usable"...)
	}
	if s.Errors > 0 || s.Warnings > 0 {
		dst = append(dst, "; "+counted(strconv.Itoa(s.Errors), "error")+", "+counted(strconv.Itoa(s.Warnings), "warning")...)
	}
	if s.Unreadable && s.Errors == 0 { // by --severity
		dst = append(dst, "; the input cannot be read as a payload"...)
	}
	if s.Input != rules.CSV {
		dst = append(dst, "; read as "+s.Input.String()+", places are in the CSV inside"...)
	}
	dst = append(dst, "\nas of "+f.asOf.String()...)
	if !s.CurrencyChecked {
		dst = append(dst, "; the project's currency is not known and was not compared (--currency)"...)
	}
	dst = append(dst, '\n')
	if s.OrderIDsCut {
		dst = append(dst, "repeated client-orderids were looked for among the first "+strconv.Itoa(s.OrderIDs)+" only\n"...)
	}
	if s.Errors > 0 && s.Rows > 0 {
		dst = append(dst, "With an error in any row the gateway creates no profile at all (L48, inferred).\n"...)
	}
	return dst
}
