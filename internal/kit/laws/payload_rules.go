package laws

import (
	"bytes"
	"slices"
	"strings"

	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/gen"
	"github.com/chargecast/chargecast/internal/kit/plain"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/rules"
)

// payloadRuleLaws are the laws of what the vectors of payloads say. They have no random input: everything is tried.
func payloadRuleLaws() []Law {
	return []Law{
		once("V08", everyLength),
		ownOnce("V09", "2.1", "each vector of a payload has the problems that it says, and no other", everyRule),
	}
}

// everyLength reads the vectors of the greatest lengths, and of those that are one character longer.
func everyLength(t *T) {
	for _, v := range gen.PayloadVectors() {
		if !strings.HasPrefix(v.ID, "length-") {
			continue
		}
		j := t.read(bytes.NewReader(v.Text), v.Options)
		if usable := j.Row(1) != nil; usable != (v.Expect.Valid == 1) {
			t.Errorf("%s: usable is %v\n%s", v.ID, usable, j.Findings())
		}
		for _, p := range v.Expect.Problems {
			if column, _ := rules.ColumnOf(p.Column); !plain.Has(j.Findings(), ledger.Code(p.Code), column) {
				t.Errorf("%s: %s is not reported of %s, only\n%s", v.ID, p.Code, p.Column, j.Findings())
			}
		}
	}
}

// everyRule reads what breaks each rule.
func everyRule(t *T) {
	everyOption(t)
	everyVector(t)
}

// everyVector reads the vectors of payloads.
func everyVector(t *T) {
	for _, v := range gen.PayloadVectors() {
		if len(t.reports) > 0 {
			return
		}
		j := t.read(bytes.NewReader(v.Text), v.Options)
		var got, want []string
		for _, f := range j.Findings() {
			got = append(got, f.Severity.String()+" "+string(f.Code))
		}
		for _, p := range v.Expect.Problems {
			want = append(want, p.Severity+" "+p.Code)
			if column, _ := rules.ColumnOf(p.Column); !plain.Has(j.Findings(), ledger.Code(p.Code), column) {
				t.Errorf("%s: %s is not reported of %s, only\n%s", v.ID, p.Code, p.Column, j.Findings())
			}
		}
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) || j.End.Rows != v.Expect.Rows || j.End.Valid != v.Expect.Valid {
			t.Errorf("%s: %s, and %s; want %s, and %d rows, %d of them usable", v.ID, strings.Join(got, ", "), j.End, strings.Join(want, ", "), v.Expect.Rows, v.Expect.Valid)
		}
	}
}

// everyOption looks for the codes that only other options bring about.
func everyOption(t *T) {
	row := gen.PayloadVectors()[0].Text
	header, cells, _ := bytes.Cut(row, []byte("\n"))
	two := slices.Concat(row, bytes.Replace(cells, []byte("order-1"), []byte("order-0"), 1))
	without := bytes.Replace(row, []byte("31.01.2026"), nil, 1)
	today := bytes.Replace(row, []byte("31.01.2026"), []byte("10.01.2026"), 1)
	for code, v := range map[ledger.Code]struct {
		text []byte
		set  rules.Options
	}{
		rules.LimitBytes:        {row, rules.Options{MaxBytes: int64(len(row)) - 1}},
		rules.LimitRows:         {two, rules.Options{MaxRows: 1}},
		rules.LimitRow:          {row, rules.Options{MaxRow: len(header) - 1}},
		rules.LimitOrderIDs:     {two, rules.Options{MaxOrderIDs: 1}},
		rules.StartAbsent:       {without, rules.Options{Policy: engine.Policy{StartAbsent: engine.StartAbsentReject}}},
		rules.FinishUnreachable: {row, rules.Options{Severity: map[ledger.Code]ledger.Severity{rules.FinishUnreachable: ledger.SeverityWarning}}},
		rules.FirstChargeToday:  {today, rules.Options{Severity: map[ledger.Code]ledger.Severity{rules.FirstChargeToday: ledger.SeverityWarning}}},
	} {
		v.set.AsOf, v.set.Input = gen.JudgedOn(), rules.InputCSV
		if found := t.read(bytes.NewReader(v.text), v.set).Findings(); !plain.Has(found, code, 0) {
			t.Errorf("%s is not reported, only\n%s", string(code), found)
		}
	}
}
