package book_test

import (
	"strings"
	"testing"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/book"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/rules"
)

const payload = `"client-orderid";"amount";"currency";"period";"interval"
"a";"10.00";"EUR";"month";"1"
"b";"x";"EUR";"month";"1"
"c";"10.00";"EUR";"month";"1"
"a";"11.00";"EUR";"month";"1"
`

var asOf = calendar.MustParse("2026-03-01")

// TestRowsAndStates: each row without errors comes once, with the state of its profile; a row that shares its state is left
// out, and so is one that is at fault.
func TestRowsAndStates(t *testing.T) {
	var codes []string
	report := func(f ledger.Finding) bool { codes = append(codes, string(f.Code)); return true }
	states := book.NewStates(asOf, engine.Policy{}, report)
	if !states.Read(strings.NewReader(`{"profile":"a","repeat":5}`+"\n"+`{"profile":"gone"}`+"\n"), "s") {
		t.Error("the states are not known")
	}
	for range 2 {
		codes = nil
		joined := states.Fresh(report)
		r := book.Reader{States: joined, Select: func(r *rules.Row) bool { return r.ShownID != "c" }, Report: func(f ledger.Finding) { report(f) }}
		o := book.Options(asOf, asOf, engine.Policy{}, joined)
		o.Severity = map[ledger.Code]ledger.Severity{rules.OrderIDDuplicate: ledger.SeverityWarning}
		r.Open(strings.NewReader(payload), "", o)
		var got []string
		for p := range r.Profiles() {
			text := p.ShownID
			if p.Left {
				text += " left"
			}
			if p.Stored.State.Repeat == 5 {
				text += " 5"
			}
			got = append(got, text)
		}
		joined.Finish()
		if text := strings.Join(got, ","); text != "a 5,c left" || r.LeftOut != 2 {
			t.Errorf("%s, %d left out", text, r.LeftOut)
		}
		if text := strings.Join(codes, ","); text != "amount-syntax,orderid-duplicate,state-profile-ambiguous,state-profile-unknown" {
			t.Error(text)
		}
	}
}

// TestUnknownState: of a state that cannot be read the profile is not known, so that nothing may be forecast.
func TestUnknownState(t *testing.T) {
	var found ledger.Findings
	s := book.NewStates(asOf, engine.Policy{}, func(f ledger.Finding) bool { found = append(found, f); return true })
	if s.Read(strings.NewReader(`{"profile":"a","repeat":-1}`), "s") || len(found) != 1 || found[0].Place.File != "s" {
		t.Error("a line that cannot be read is taken as read:", found)
	}
}

// TestScriptOfProfile: the lines for all and those for one; what is wrong has its place.
func TestScriptOfProfile(t *testing.T) {
	var found ledger.Findings
	s := book.NewScript(asOf, asOf.AddDays(30), func(f ledger.Finding) bool { found = append(found, f); return true })
	s.Read(strings.NewReader(`{"date":"2026-03-02","do":"stop"}
{"date":"2026-03-03","do":"charge","profile":"a"}
{"date":"2026-02-03","do":"charge"}
{"date":"2027-02-03","do":"charge"}
`), "file")
	if got := len(s.Of("a").Steps); got != 3 || len(s.Of("b").Steps) != 2 || s.Later != 1 {
		t.Error(got, s.Later)
	}
	if len(found) != 1 || found[0].Place.Line != 3 || found[0].Place.File != "file" {
		t.Error(found)
	}
}
