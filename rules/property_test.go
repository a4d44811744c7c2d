package rules_test

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/clause"
	"github.com/chargecast/chargecast/internal/gen"
	"github.com/chargecast/chargecast/internal/kit/plain"
	"github.com/chargecast/chargecast/internal/oracle"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/rules"
)

// TestFindingsInOrder: findings come sorted by position, then code; none comes twice (L43).
func TestFindingsInOrder(t *testing.T) { holds(t, 300, gen.BrokenPayloads, findingsInOrder) }

// TestSeveritiesOverridden: a severity override changes severities, never the set of findings but for off; strict turns each
// warning into an error (L48).
func TestSeveritiesOverridden(t *testing.T) { holds(t, 300, gen.FaultyPayloads, overridden) }

// TestAgreesWithEngine: a row without errors compiles under the same policy; never-charges if and only if there is no charge; a
// stop condition that never acts is named if and only if the stop says so (L11).
func TestAgreesWithEngine(t *testing.T) { holds(t, 300, gen.FreshPlans, agreesWithEngine) }

// TestNearestColumnNamed: the hint for an unknown column is the column of least edit distance when that is unique (L42).
func TestNearestColumnNamed(t *testing.T) { holds(t, 300, gen.Payloads, nearestColumnNamed) }

func findingsInOrder(t *prop, c gen.PayloadCase) {
	_, j := t.readCase(c)
	for _, s := range j.Steps {
		for i := 1; i < len(s.Findings); i++ {
			a, b := s.Findings[i-1], s.Findings[i]
			if order := cmp.Or(cmp.Compare(a.Offset, b.Offset), cmp.Compare(a.Code, b.Code), cmp.Compare(a.Column.String(), b.Column.String())); order >= 0 {
				t.Errorf("%v, then %v", a, b)
			}
		}
	}
}

// overridden leaves out the findings about the file that would spoil rows as errors.
func overridden(t *prop, c gen.PayloadCase) {
	c.Mark, c.Blank = false, false
	w, was := t.readCase(c)
	r, o := c.Choices(), c.Options()
	o.Strict = r.Chance(30)
	o.Severity = map[ledger.Code]ledger.Severity{}
	for range r.In(1, 40) {
		o.Severity[gen.CellFaults()[r.Below(len(gen.CellFaults()))].Code] = gen.Pick(r, ledger.SeverityOff, ledger.SeverityWarning, ledger.SeverityError)
	}
	is := t.readCSV(w.Text, o)
	var want []plain.Finding
	for _, f := range was.Findings() {
		if s := o.Severity[f.Code]; s != 0 {
			f.Severity = s
		}
		if o.Strict && f.Severity == ledger.SeverityWarning {
			f.Severity = ledger.SeverityError
		}
		if f.Severity != ledger.SeverityOff {
			want = append(want, f)
		}
	}
	t.Equal(fmt.Sprintf("under %s, strict %v", severities(o), o.Strict), []plain.Finding(is.Findings()), want)
	if failed := plain.ErrorsIn(want); is.End.Errors != failed || is.End.Rows != was.End.Rows {
		t.Errorf("%d errors, the end says %s", failed, is.End)
	}
	for i := range c.Rows {
		if failed := plain.HasError(is.About(i + 1)); is.Row(i+1) != nil && failed || is.Row(i+1) == nil && was.Row(i+1) != nil && !failed {
			t.Errorf("row %d is usable: %v, with errors: %v", i+1, is.Row(i+1) != nil, failed)
		}
	}
}

// severities are those that options set, in words.
func severities(o rules.Options) string {
	var list []string
	for code, s := range o.Severity {
		list = append(list, string(code)+" "+s.String())
	}
	slices.Sort(list)
	return strings.Join(list, ", ")
}

// agreesWithEngine writes the plan's profile as a row and compares what the reader tells
// with the forecast of the same profile.
func agreesWithEngine(t *prop, p gen.PlanCase) {
	if p.N < 3 {
		p.Policy = p.Policy.WithReading([...]ledger.Clause{clause.L02, clause.L03, clause.L09}[p.N], refusing(p.N))
	}
	cells, expires := rowOfPlan(p)
	o := rules.Options{AsOf: p.AsOf, Policy: p.Policy, Severity: map[ledger.Code]ledger.Severity{rules.FinishUnreachable: ledger.SeverityWarning, rules.FirstChargeToday: ledger.SeverityWarning}}
	j := t.readCSV(slowCSV(cells), o)
	found := j.About(1)
	row := j.Row(1)
	plan, err := engine.New(p.Policy).Compile(p.Stored(), p.AsOf)
	if (row == nil) != (err != nil) {
		t.Errorf("the row is usable: %v, the engine says %v\n%s", row != nil, err, found)
	}
	if row == nil || err != nil {
		return
	}
	want := p.Profile
	want.ID, want.Currency, want.Amounts = row.Profile.ID, row.Profile.Currency, row.Profile.Amounts
	t.Equal("the row", plain.ProfileByColumn(row.Profile), plain.ProfileByColumn(want))
	for code, want := range findingsOf(p, plan, expires) {
		if plain.Has(found, code, 0) != want {
			t.Errorf("%v is reported: %v, want %v\n%s", code, !want, want, found)
		}
	}
}

// refusing is the place of the reading reject of the policy keys that have one.
func refusing(n int) int {
	return slices.Index([...]ledger.Clause{clause.L02, clause.L03, clause.L09}[n].Entry().Values(), "reject")
}

// rowOfPlan is the plan's profile as cells, with a card that may expire in between.
func rowOfPlan(p gen.PlanCase) (cells gen.Cells, expires calendar.Date) {
	cells = plain.FaultlessRow(p.Profile.Kind.String())
	own := plain.ProfileCells(p.Profile)
	for _, column := range [...]rules.Column{rules.ColumnPeriod, rules.ColumnInterval, rules.ColumnStartDate, rules.ColumnFinishDate, rules.ColumnMaxRepeatsNumber} {
		cells[column] = own[column]
	}
	year, month, _ := gen.Moved(p.AsOf, p.B-40).Date()
	cells[rules.ColumnExpireYear], cells[rules.ColumnExpireMonth] = fmt.Sprintf("%04d", year), fmt.Sprintf("%02d", int(month))
	return cells, lastOfMonth(year, month)
}

func lastOfMonth(year int, month time.Month) calendar.Date {
	d := time.Date(year, month+1, 0, 0, 0, 0, 0, time.UTC)
	return calendar.Of(d)
}

// threeYearsAfter is how far the expiry of a card is looked for.
func threeYearsAfter(d calendar.Date) calendar.Date {
	year, month, day := d.Date()
	if year+3 > 9999 {
		return calendar.MaxDate()
	}
	last := lastOfMonth(year+3, month)
	return last.AddDays(-max(0, calendar.DaysIn(year+3, month)-day))
}

// findingsOf is which findings a row must have, found by listing charges where there are few.
func findingsOf(p gen.PlanCase, f *engine.Plan, expires calendar.Date) map[ledger.Code]bool {
	automatic := p.Profile.Unit != 0
	most, capped := p.Profile.MaxRepeats.Value()
	both := automatic && capped && most > 0 && !p.Profile.Finish.IsZero()
	stop := slices.Collect(f.Stop().Reasons.All())
	today := false
	for c := range f.Next(1) {
		today = c.Date == p.AsOf
	}
	charges, inTime := f.Count(calendar.Window{}), 0
	expired := expires.Before(p.AsOf)
	if !expired {
		inTime = f.Count(calendar.Through(calendar.MinDate(), expires))
	}
	start, finish := p.Profile.Start, p.Profile.Finish
	return map[ledger.Code]bool{
		rules.NeverCharges:            automatic && charges == 0,
		rules.MaxRepeatsUnreachable:   both && slices.Equal(stop, []string{"finish-date"}),
		rules.FinishUnreachable:       both && slices.Equal(stop, []string{"max-repeats"}),
		rules.FirstChargeToday:        automatic && today,
		rules.CardExpired:             expired,
		rules.CardExpiresBeforeCharge: automatic && !expired && inTime < f.Count(calendar.Through(calendar.MinDate(), threeYearsAfter(p.AsOf))),
		rules.StartPast:               automatic && !start.IsZero() && start.Before(p.AsOf),
		rules.FinishBeforeStart:       !start.IsZero() && !finish.IsZero() && finish.Before(start),
		rules.MaxZero:                 capped && most == 0,
	}
}

// nearestColumnNamed puts misspelt names into the header and looks for the names of
// columns in what is reported of them.
func nearestColumnNamed(t *prop, c gen.PayloadCase) {
	r := c.Choices()
	names := c.Names()
	for range 3 {
		if name := misspelt(r); !slices.Contains(gen.DocumentNames(), name) {
			names = append(names, name)
		}
	}
	var w gen.Written
	header := w.Line(names, false)
	j := t.readCSV(append(w.Text, '\n'), c.Options())
	for i, name := range names[len(c.Columns):] {
		f := plain.FindingAt(j.Findings(), rules.ColumnUnknown, header.Cells[len(c.Columns)+i].From)
		if f == nil {
			t.Errorf("%q is not reported as unknown", name)
			continue
		}
		near, distance, unique := oracle.Nearest(name, gen.DocumentNames()[1:])
		hints := plain.ColumnsNamed(strings.ReplaceAll(f.Text, `"`+name+`"`, "")) // the name itself may be shown
		if len(hints) > 1 || len(hints) == 1 && (!unique || hints[0] != near) {
			t.Errorf("%q: %v is meant, want %s (unique: %v)", name, hints, near, unique)
		}
		if clear := distance == 1 || distance == 2 && len(name) >= 6; len(hints) == 0 && unique && clear {
			t.Errorf("%q: nothing is meant, want %s", name, near)
		}
	}
}

// misspelt is the name of a column with a few letters wrong.
func misspelt(r gen.Chooser) string {
	name := []byte(gen.Pick(r, gen.DocumentNames()[1:]...))
	for range gen.Pick(r, 1, 1, 2, 3) {
		i := r.Below(len(name))
		switch r.Below(4) {
		case 0:
			name[i] = gen.Pick(r, []byte("aexz9_-A ")...)
		case 1:
			name = slices.Insert(name, i, gen.Pick(r, []byte("aexz9_-S")...))
		case 2:
			if len(name) > 2 {
				name = slices.Delete(name, i, i+1)
			}
		default:
			j := max(i-1, 0)
			name[i], name[j] = name[j], name[i]
		}
	}
	return string(name)
}
