package ledger_test

import (
	"slices"
	"testing"

	"github.com/chargecast/chargecast/internal/clause"
	"github.com/chargecast/chargecast/ledger"
)

// TestRules: a table explains its own rules and finds all of them; a finding has what the rule says, and
// the words that are given with it.
func TestRules(t *testing.T) {
	own := ledger.Rule{Code: "amount-order", Severity: ledger.SeverityError, Clause: clause.L33, Text: "above", Help: "swap them"}
	shared := ledger.Rule{Code: "url-form", Severity: ledger.SeverityWarning, Basis: ledger.Assumed, Clause: clause.Doc21, Text: "no URL"}
	table := ledger.NewRules([]ledger.Rule{own}, []ledger.Rule{shared})
	own.Basis = clause.L33.Basis()
	if all := slices.Collect(table.All()); !slices.Equal(all, []ledger.Rule{own}) {
		t.Errorf("explained: %+v", all)
	}
	for _, want := range []ledger.Rule{own, shared} {
		if r, ok := table.Lookup(want.Code); !ok || r != want {
			t.Errorf("%s: %+v, %v", want.Code, r, ok)
		}
	}
	if r, ok := table.Lookup("url"); ok || r != (ledger.Rule{}) {
		t.Errorf("a code of no rule: %+v", r)
	}
	f := ledger.Finding{Code: "amount-order", Severity: ledger.SeverityError, Basis: own.Basis, Clause: clause.L33, Message: "above", Help: "swap them"}
	if got := table.Finding("amount-order", "", ""); got != f {
		t.Errorf("%+v, want %+v", got, f)
	}
	f.Message, f.Help = "1 above", "swap"
	if got := table.Finding("amount-order", "1 above", "swap"); got != f {
		t.Errorf("%+v, want %+v", got, f)
	}
	for range table.All() {
		break
	}
	for name, rules := range map[string][]ledger.Rule{"no code": {{}}, "twice": {own, own}} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			ledger.NewRules(rules, nil)
		}()
	}
}
