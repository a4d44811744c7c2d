package main

import (
	"strconv"
	"strings"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/record"
)

// csvSink writes the charge records, or the totals, as comma-separated values.
type csvSink struct {
	out       *output
	explain   bool
	simulated bool
	of        record.Subject
	head      []byte // the first fields of the profile's charges
	currency  []byte
	min, max  amount.Amount
	amounts   []byte // of a charge with these amounts, with the currency
}

func (s *csvSink) begin(h *header) {
	s.simulated = h.schema == record.SchemaSimulate
	columns := "profile,row,repeat,date,slot,amount,min,max,currency"
	if s.simulated {
		columns += ",kind,outcome"
	}
	if h.by != record.ByCharge {
		columns = h.by.Member() + ",currency,charges,min,max,mean"
		if s.simulated {
			columns += ",declined_charges,declined_min,declined_max,declined_mean"
		}
	}
	if s.explain {
		columns += ",because"
	}
	s.line(append(s.out.b, columns...))
}

func (s *csvSink) start(p *profile) {
	s.of = p.Subject
	s.head = append(appendCSV(s.head[:0], s.of.Profile), ',')
	s.head = append(strconv.AppendInt(s.head, int64(s.of.Row), 10), ',')
	s.currency = appendCSV(s.currency[:0], s.of.Currency)
	s.amounts = s.amounts[:0]
}

func (s *csvSink) charge(c *engine.Charge) {
	b := strconv.AppendUint(append(s.out.b, s.head...), c.Repeat, 10)
	b = append(c.Date.Append(append(b, ',')), ',')
	if c.Slot != c.Date {
		b = c.Slot.Append(b)
	}
	if len(s.amounts) == 0 || c.Min != s.min || c.Max != s.max {
		s.setAmounts(c)
	}
	b = append(b, s.amounts...)
	if s.simulated {
		b = append(append(b, ','), kindOf(c)...)
		b = append(append(b, ','), c.Outcome.String()...)
	}
	s.line(s.because(b, c.Because))
}

func (s *csvSink) setAmounts(c *engine.Charge) {
	s.min, s.max = c.Min, c.Max
	b := append(s.amounts[:0], ',')
	if c.Min.Compare(c.Max) == 0 {
		b = append(c.Min.Append(b), ",,,"...)
	} else {
		b = c.Min.Append(append(b, ','))
		b = append(c.Max.Append(append(b, ',')), ',')
	}
	s.amounts = append(b, s.currency...)
}

func (s *csvSink) total(t *record.Total) {
	b := append(appendCSV(s.out.b, t.Value), ',')
	b = appendSums(append(appendCSV(b, t.Currency), ','), t.Sums)
	if s.simulated {
		b = appendSums(append(b, ','), t.Declined)
	}
	s.line(s.because(b, t.Because))
}

func appendSums(b []byte, s record.Sums) []byte {
	b = append(strconv.AppendUint(b, s.Charges, 10), ',')
	b = append(s.Min.Append(b), ',')
	b = append(s.Max.Append(b), ',')
	return s.AppendMean(b)
}

// because appends the ids of the clauses with spaces between them.
func (s *csvSink) because(b []byte, why ledger.Because) []byte {
	if s.explain {
		b = append(b, ',')
		b = appendClauses(b, why)
	}
	return b
}

func (s *csvSink) event(*engine.Effect) {}
func (s *csvSink) end(*engine.End)      {}
func (s *csvSink) finish()              {}

func (s *csvSink) line(b []byte) {
	s.out.b = append(b, '\n')
	s.out.endLine()
}

// appendClauses appends the ids of a set with spaces between them.
func appendClauses(dst []byte, why ledger.Because) []byte {
	first := true
	for c := range why.All() {
		if !first {
			dst = append(dst, ' ')
		}
		first = false
		dst = append(dst, c.String()...)
	}
	return dst
}

// appendCSV appends one field, quoted where it must be. Control characters are made
// visible, for a spreadsheet or a terminal obeys them.
func appendCSV(dst []byte, s string) []byte {
	s = visible(s)
	if !strings.ContainsAny(s, `",`) && s == strings.TrimSpace(s) {
		return append(dst, s...)
	}
	dst = append(dst, '"')
	for i := range len(s) {
		if s[i] == '"' {
			dst = append(dst, '"')
		}
		dst = append(dst, s[i])
	}
	return append(dst, '"')
}
