package rules

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/clause"
	"github.com/chargecast/chargecast/ledger"
)

func TestUpdate(t *testing.T) { // h252–h254
	for _, c := range []struct {
		name, reason string
		set          map[string]string
		want         string
		refused      ledger.Because
	}{
		{"a date", "L18", map[string]string{"start-date": "11.01.2026"}, "A", ledger.Because{}},
		{"removed", "h254", map[string]string{"start-date": ""}, "A", ledger.Because{}},
		{"everything", "N11", map[string]string{"period": "day", "interval": "2", "finish-date": "31.12.2026", "max-repeats-number": "3", "amount": "1.00"}, "A", ledger.Because{}},
		{"amounts", "L26", map[string]string{"amount": "", "amount-sequence": "1.00,2.00"}, "A", ledger.Because{}},
		{"range", "L26", map[string]string{"amount-from": "1.00", "amount-to": "2.00"}, "A", ledger.Because{}},
		{"no effect on charges", "L42", map[string]string{"email": "a@b.example"}, "A", ledger.Because{}},
		{"unknown column", "h252", map[string]string{"finish_date": "31.12.2026"}, "E column-unknown", ledger.Because{}},
		{"client-orderid", "h252", map[string]string{"client-orderid": "x"}, "E script-column", ledger.Because{}},
		{"card data", "h252", map[string]string{"cvv2": "123"}, "E script-column", ledger.Because{}},
		{"nothing", "h252", nil, "W script-empty", ledger.Because{}},
		{"interval 0", "h253", map[string]string{"interval": "0"}, "E interval-value", ledger.On(clause.L56b)},
		{"a bad date", "h253", map[string]string{"start-date": "2026-01-11"}, "E date-syntax", ledger.On(clause.L38)},
		{"a bad period", "h253", map[string]string{"period": "monthly"}, "E period-value", ledger.On(clause.Doc21)},
		{"a bad amount", "h253", map[string]string{"amount": "1e3"}, "E amount-syntax", ledger.On(clause.L36)},
		{"a long amount", "h253", map[string]string{"amount": "12345678.90"}, "E too-long", ledger.On(clause.L35)},
		{"an amount as long as may be", "2.1", map[string]string{"amount": "1234567.90"}, "A", ledger.Because{}},
		{"zero", "h253", map[string]string{"amount": "0"}, "E amount-zero", ledger.On(clause.L36)},
		{"a bad element", "h253", map[string]string{"amount-sequence": "1,,2"}, "E sequence-element", ledger.On(clause.L36b)},
		{"negative", "h253", map[string]string{"max-repeats-number": "-1"}, "E max-negative", ledger.On(clause.L10)},
		{"space", "h253", map[string]string{"interval": " 1"}, "E surrounding-space", ledger.On(clause.L46)},
		{"spaces only", "h253", map[string]string{"interval": "  "}, "E surrounding-space", ledger.On(clause.L46)},
		{"a long e-mail", "2.1", map[string]string{"email": strings.Repeat("a", 200) + "@b.example"}, "E too-long", ledger.On(clause.Doc21)},
		{"a form that is not an e-mail", "L54", map[string]string{"email": "a@"}, "W email-form", ledger.Because{}},
		{"leading zero", "L36", map[string]string{"interval": "01"}, "W leading-zero", ledger.Because{}},
	} {
		u, ps := ParseUpdate(maps.All(c.set), UpdateOptions{})
		if got := verdict(ps); got != c.want || clausesOf(u.Unreadable) != c.refused {
			t.Errorf("%s (%s): %s, refused %v; want %s, %v", c.name, c.reason, got, clausesOf(u.Unreadable), c.want, c.refused)
		}
	}
	for _, value := range []string{"", "3"} { // a bad number leaves the profile as it is
		want := engine.Remove[engine.Limit]()
		if value != "" {
			want = engine.To(engine.AtMost(3))
		}
		if u, _ := ParseUpdate(maps.All(map[string]string{"max-repeats-number": value}), UpdateOptions{}); u.MaxRepeats != want {
			t.Errorf("%q: %+v", value, u.MaxRepeats)
		}
	}
	if u, _ := ParseUpdate(maps.All(map[string]string{"max-repeats-number": "x"}), UpdateOptions{}); u.MaxRepeats.Given {
		t.Errorf("%+v", u.MaxRepeats)
	}
	u, _ := ParseUpdate(maps.All(map[string]string{"start-date": "11.01.2026", "interval": "2", "finish-date": "", "max-repeats-number": "0"}), UpdateOptions{})
	if u.Start != engine.To(calendar.MustParse("2026-01-11")) || u.Interval != engine.To(2) || !u.Finish.Given || !u.Finish.Value.IsZero() ||
		u.MaxRepeats != engine.To(engine.AtMost(0)) || u.Unit.Given {
		t.Errorf("%+v", u)
	}
}

// An update was judged by judges of its own, which told less than those of a payload: no remedy for 2,5 as an interval, a
// date or a period, and another clause for an amount that is too long.
func TestUpdateIsJudgedAsAPayload(t *testing.T) {
	for col, value := range map[Column]string{
		ColumnAmount: "1,5", ColumnAmountFrom: "12345678.90", ColumnAmountTo: "-1", ColumnAmountSequence: "1.00;2.00", ColumnPeriod: "months",
		ColumnInterval: "2,5", ColumnStartDate: "2026-01-31", ColumnFinishDate: "“01.01.2027”", ColumnMaxRepeatsNumber: "-3", ColumnCountry: "us",
		ColumnBirthday: "31.02.2000", ColumnPurpose: "a\tb", ColumnNotifyURL: "x", ColumnCustomerIP: "1.2.3", ColumnCity: " x",
	} {
		v := values{ColumnStartDate: "01.01.2026"}
		maps.Copy(v, values{col: value})
		var want ledger.Findings
		for _, f := range judge(document(source(v)), options()).problems { // but for what is about two columns
			if f.Subject == col.String() && f.Code != AmountHalfRange {
				f.Place, f.Hint = ledger.Place{}, "" // an update is no file to mend
				want = append(want, f)
			}
		}
		_, got := ParseUpdate(maps.All(map[string]string{col.String(): value}), UpdateOptions{})
		if len(want) == 0 || !slices.Equal(got, want) {
			t.Errorf("%s %q:\n%v\nas a row:\n%v", col, value, got, want)
		}
	}
}

// clausesOf are the clauses of findings.
func clausesOf(fs ledger.Findings) ledger.Because {
	var b ledger.Because
	for _, f := range fs {
		b = b.With(f.Clause)
	}
	return b
}
