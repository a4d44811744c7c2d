package main

import (
	"strconv"

	"github.com/chargecast/chargecast/internal/jsontext"
	"github.com/chargecast/chargecast/ledger"
)

const validateSchema = "chargecast.validate/1"

// findingsJSON writes findings as JSON records, one a line; whole makes one document of
// them, which is streamed as well.
type findingsJSON struct {
	*checked

	whole bool
	begun bool
	some  bool
}

func (f *findingsJSON) begin(dst []byte) []byte {
	f.begun = true
	if f.whole {
		dst = append(dst, `{"header":`...)
	}
	dst = append(dst, `{"type":"header","schema":"`+validateSchema+`","as_of":"`...)
	dst = append(f.asOf.Append(dst), '"')
	dst = jsontext.AppendString(append(dst, `,"zone":`...), f.zone)
	dst = jsontext.AppendString(append(dst, `,"input":`...), f.reader.Summary().Input.String())
	dst = strconv.AppendBool(append(dst, `,"strict":`...), f.strict)
	dst = append(appendPolicy(append(dst, `,"policy":`...), f.policy), '}')
	if f.whole {
		dst = append(dst, `,"problems":[`...)
	}
	return append(dst, '\n')
}

func (f *findingsJSON) problem(dst []byte, p ledger.Finding) []byte {
	if !f.whole {
		return append(p.AppendJSON(dst), '\n')
	}
	if f.some { // the line before is left open for it, and may have been written already
		dst = append(dst, ",\n"...)
	}
	f.some = true
	return p.AppendJSON(dst)
}

func (f *findingsJSON) end(dst []byte) []byte {
	if !f.begun {
		dst = f.begin(dst)
	}
	if f.some {
		dst = append(dst, '\n')
	}
	if f.whole {
		dst = append(dst, `],"summary":`...)
	}
	s := f.reader.Summary()
	dst = strconv.AppendInt(append(dst, `{"type":"summary","rows":`...), int64(s.Rows), 10)
	dst = strconv.AppendInt(append(dst, `,"valid":`...), int64(s.Valid), 10)
	dst = strconv.AppendInt(append(dst, `,"errors":`...), int64(s.Errors), 10)
	dst = strconv.AppendInt(append(dst, `,"warnings":`...), int64(s.Warnings), 10)
	dst = strconv.AppendBool(append(dst, `,"currency_checked":`...), s.CurrencyChecked)
	dst = strconv.AppendInt(append(dst, `,"orderids_checked":`...), int64(s.OrderIDs), 10)
	dst = strconv.AppendBool(append(dst, `,"orderids_complete":`...), !s.OrderIDsCut)
	dst = append(dst, '}')
	if f.whole {
		dst = append(dst, '}')
	}
	return append(dst, '\n')
}
