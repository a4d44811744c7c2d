package main

import (
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/record"
)

// findingsJSON writes findings as records. It writes to out, whose buffer is what its methods return;
// an error stays in out.
type findingsJSON struct {
	*checked

	out     *output
	options record.Options
	w       *record.Writer
}

func (f *findingsJSON) begin([]byte) []byte {
	f.w = record.NewWriter(f.out, record.Header{
		Schema: record.SchemaValidate, AsOf: f.asOf, Zone: f.zone, Input: f.reader.Summary().Input.String(), Strict: f.strict, Policy: f.policy,
	}, f.options)
	return f.out.b
}

func (f *findingsJSON) problem(_ []byte, p ledger.Finding) []byte {
	_ = f.w.Write(record.Problem{Finding: p})
	return f.out.b
}

func (f *findingsJSON) end([]byte) []byte {
	if f.w == nil {
		f.begin(nil)
	}
	s := f.reader.Summary()
	_ = f.w.Write(record.Summary{
		CutOff: f.isCutOff(), Rows: s.Rows, Valid: s.Valid, Errors: f.errors(), Warnings: s.Warnings,
		CurrencyChecked: s.CurrencyChecked, OrderIDsChecked: s.OrderIDs, OrderIDsComplete: !s.OrderIDsCut && !f.isCutOff(),
	})
	_ = f.w.Close()
	return f.out.b
}
