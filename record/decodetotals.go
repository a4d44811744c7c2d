package record

import (
	"slices"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/jsonline"
)

// A totalDraft is a total as it is read.
type totalDraft struct {
	total Total
	why   reasons
}

var totalMembers = slices.Concat(
	byMembers(),
	[]member[totalDraft]{
		{"file", false, func(t *totalDraft, v *jsonline.Value) error { return jsonline.String(v, &t.total.File) }},
		{"currency", true, func(t *totalDraft, v *jsonline.Value) error { return jsonline.String(v, &t.total.Currency) }},
	},
	of(func(t *totalDraft) *Tally { return &t.total.Tally }, tallyMembers),
	[]member[totalDraft]{
		{"quantiles", false, func(t *totalDraft, v *jsonline.Value) error { return readQuantiles(v, &t.total.Quantiles) }},
		{"quantiles_by", false, func(t *totalDraft, v *jsonline.Value) error { return readNormal(v, &t.total.Normal) }},
	},
	of(func(t *totalDraft) *reasons { return &t.why }, reasonsMembers),
)

// byWords are the words of the member by.
var byWords = wordsOfBy()

func wordsOfBy() []string {
	var list []string
	for by := engine.ByCharge; by <= engine.ByProfile; by++ {
		list = append(list, by.String())
	}
	return list
}

// byMembers returns the members that say what a total is for.
func byMembers() []member[totalDraft] {
	var list []member[totalDraft]
	for by := engine.ByDay; by <= engine.ByProfile; by++ {
		list = append(list, member[totalDraft]{by.Member(), false, func(t *totalDraft, v *jsonline.Value) error {
			if t.total.By != engine.ByCharge {
				return jsonline.Fault(RecordMember, v.At+1, "a total is for one thing", "write the record as the command does")
			}
			t.total.By = by
			return readValue(by, v, &t.total.Value)
		}})
	}
	return list
}

func readTotal(fields []jsonline.Field, h *Header) (Record, error) {
	t := totalDraft{why: reasons{header: h}}
	err := readMembers(fields, totalMembers, &t)
	if err == nil && t.total.By == engine.ByCharge {
		err = refuse(RecordMember, "date", "the total does not say what it is for", "write the record as the command does")
	}
	t.total.Because, t.total.Explain = t.why.because, t.why.explain
	return t.total, err
}

// readQuantiles reads sums by percentage.
func readQuantiles(v *jsonline.Value, to *[]Quantile) error {
	if err := jsonline.As(v, jsonline.KindObject, "write an object in braces"); err != nil {
		return err
	}
	*to = nil
	for i := range v.Fields {
		f := &v.Fields[i]
		p, err := amount.ParsePercent(f.Name.Text())
		if err != nil {
			return jsonline.Fault(RecordMember, f.Name.At+1, "the name is not a percentage", "write a number from 0 to 100")
		}
		q := Quantile{Percent: p}
		if err := readSum(&f.Value, &q.Sum); err != nil {
			return err
		}
		*to = append(*to, q)
	}
	return nil
}

// readNormal reads how quantiles were found, which is left out unless it is by a normal approximation.
func readNormal(v *jsonline.Value, to *bool) error {
	err := jsonline.As(v, jsonline.KindString, "write it in double quotes")
	if *to = err == nil && v.Text() == "normal"; err == nil && !*to {
		err = jsonline.Fault(RecordMember, v.At+1, "quantiles are not found that way", `write "normal", or leave the member out`)
	}
	return err
}

// readValue reads what a total is for.
func readValue(b engine.By, v *jsonline.Value, to *string) error {
	if err := jsonline.String(v, to); err != nil {
		return err
	}
	if !isValue(b, *to) {
		return jsonline.Fault(RecordMember, v.At+1, "the value has not the form of this member", "write the record as the command does")
	}
	return nil
}

var weekdays = [...]string{"monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"}

// isValue reports whether text has the form of what totals of this kind are for.
func isValue(b engine.By, text string) bool {
	year, rest := text, ""
	if len(text) > 5 {
		year, rest = text[:5], text[5:]
	}
	switch b {
	case engine.ByDay:
		return isDate(text)
	case engine.ByMonth:
		return isDate(text + "-01")
	case engine.ByWeek:
		return len(rest) == 3 && rest[0] == 'W' && rest[1:] >= "01" && rest[1:] <= "53" && '0' <= rest[2] && rest[2] <= '9' && isDate(year+"01-01")
	case engine.ByQuarter:
		return len(rest) == 2 && rest >= "Q1" && rest <= "Q4" && isDate(year+"01-01")
	case engine.ByWeekday:
		return slices.Contains(weekdays[:], text)
	}
	return true
}

func isDate(text string) bool {
	_, err := calendar.Parse(text)
	return err == nil
}

var sumsMembers = []member[Sums]{
	{"charges", true, func(s *Sums, v *jsonline.Value) error { return whole(v, &s.Charges) }},
	{"min", true, func(s *Sums, v *jsonline.Value) error { return readSum(v, &s.Min) }},
	{"max", true, func(s *Sums, v *jsonline.Value) error { return readSum(v, &s.Max) }},
}

var tallyMembers = append(of(func(t *Tally) *Sums { return &t.Sums }, sumsMembers), []member[Tally]{
	{"declined", false, func(t *Tally, v *jsonline.Value) error { return readPart(v, &t.Declined) }},
	{"card_expired", false, func(t *Tally, v *jsonline.Value) error { return readPart(v, &t.CardExpired) }},
}...)

// readPart reads the sums of some of the charges, which are left out if there are none.
func readPart(v *jsonline.Value, to *Sums) error {
	err := object(v, sumsMembers, to)
	if err == nil && to.Charges == 0 {
		err = jsonline.Fault(RecordMember, v.At+1, "the sums are those of no charge", "leave the member out")
	}
	return err
}

func readSum(v *jsonline.Value, to *amount.Sum) error {
	if err := jsonline.As(v, jsonline.KindString, "write a sum in double quotes"); err != nil {
		return err
	}
	s, err := amount.ParseSum(v.Text())
	if err != nil {
		return jsonline.Fault("amount-syntax", v.At+1, "the sum cannot be read", "write digits, with decimals after a point")
	}
	*to = s
	return nil
}

// A sides is the profile and the kind of a difference.
type sides struct {
	header        *Header
	profile, kind string
	charges       Difference
	ends          EndDifference
}

var (
	differenceMembers = []member[sides]{
		{"profile", true, func(s *sides, v *jsonline.Value) error { return jsonline.String(v, &s.profile) }},
		{"kind", true, func(s *sides, v *jsonline.Value) error { return jsonline.String(v, &s.kind) }},
	}
	chargeSides = []member[sides]{
		{"kind", true, func(s *sides, v *jsonline.Value) error {
			return jsonline.Word(v, &s.charges.Kind, RecordMember, []string{"", "added", "removed", "moved", "changed"})
		}},
		{"old", true, func(s *sides, v *jsonline.Value) error { return readSide(v, &s.charges.Old, s.header) }},
		{"new", true, func(s *sides, v *jsonline.Value) error { return readSide(v, &s.charges.New, s.header) }},
	}
	endSides = []member[sides]{
		{"old", true, func(s *sides, v *jsonline.Value) error { return readEndSide(v, &s.ends.Old) }},
		{"new", true, func(s *sides, v *jsonline.Value) error { return readEndSide(v, &s.ends.New) }},
	}
)

func readDifference(fields []jsonline.Field, h *Header) (Record, error) {
	s := sides{header: h}
	if err := readMembers(fields, differenceMembers, &s); err != nil {
		return nil, err
	}
	if s.kind == kindEnd {
		s.ends.Profile = s.profile
		err := readMembers(fields, endSides, &s)
		if err == nil && s.ends.Old == nil && s.ends.New == nil {
			err = refuse(RecordMember, "old", "there is no end", "write the record as the command does")
		}
		return s.ends, err
	}
	s.charges.Profile = s.profile
	err := readMembers(fields, chargeSides, &s)
	d := &s.charges
	if err == nil && ((d.Old == nil) != (d.Kind == engine.DifferenceAdded) || (d.New == nil) != (d.Kind == engine.DifferenceRemoved)) {
		err = refuse(RecordMember, "kind", "the kind does not agree with old and new", "write the record as the command does")
	}
	return s.charges, err
}

// readSide reads one of the two charges, or null.
func readSide(v *jsonline.Value, to **Charge, h *Header) error {
	if v.Kind == jsonline.KindNull {
		return nil
	}
	c := chargeDraft{why: reasons{header: h}}
	if err := object(v, sideMembers, &c); err != nil {
		return err
	}
	*to = &c.charge
	return c.finish()
}

// readEndSide reads one of the two ends, or null.
func readEndSide(v *jsonline.Value, to **engine.End) error {
	if v.Kind == jsonline.KindNull {
		return nil
	}
	*to = new(engine.End)
	return object(v, endSideMembers, *to)
}

var moneyMembers = []member[Money]{
	{"currency", true, func(m *Money, v *jsonline.Value) error { return jsonline.String(v, &m.Currency) }},
	{"old", true, func(m *Money, v *jsonline.Value) error { return object(v, tallyMembers, &m.Old) }},
	{"new", true, func(m *Money, v *jsonline.Value) error { return object(v, tallyMembers, &m.New) }},
}

var summaryMembers = append(countMembers((*Summary).counts), []member[Summary]{
	{"currency_checked", false, func(s *Summary, v *jsonline.Value) error { return jsonline.Bool(v, &s.CurrencyChecked) }},
	{"orderids_checked", false, func(s *Summary, v *jsonline.Value) error { return number(v, &s.OrderIDsChecked) }},
	{"orderids_complete", false, func(s *Summary, v *jsonline.Value) error { return jsonline.Bool(v, &s.OrderIDsComplete) }},
	{"cut_off", false, func(s *Summary, v *jsonline.Value) error { return jsonline.Bool(v, &s.CutOff) }},
}...)

var differenceSummaryMembers = countMembers((*DifferenceSummary).counts)

func countMembers[T any](counts func(*T) []count) []member[T] {
	var none T
	var list []member[T]
	for i, c := range counts(&none) {
		list = append(list, member[T]{c.name, true, func(to *T, v *jsonline.Value) error { return number(v, counts(to)[i].n) }})
	}
	return list
}
