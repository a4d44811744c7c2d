package rules

import (
	"reflect"
	"testing"

	"github.com/chargecast/chargecast/ledger"
)

func TestSplitExpiry(t *testing.T) {
	warning := func(c ledger.Code) ledger.Finding {
		return ledger.Finding{Code: c, Severity: ledger.SeverityWarning}
	}
	expired, before, other := warning(CardExpired), warning(CardExpiresBeforeCharge), warning(StartPast)
	raised := expired // by an override it is about the row, charged or not
	raised.Severity = ledger.SeverityError
	for _, c := range []struct {
		reason                string
		found, others, expiry ledger.Findings
	}{
		{"nothing", nil, nil, nil},
		{"none is about expiry", ledger.Findings{other}, ledger.Findings{other}, nil},
		{"the only one is", ledger.Findings{before}, nil, ledger.Findings{before}},
		{"both kinds, in order", ledger.Findings{expired, other, before}, ledger.Findings{other}, ledger.Findings{expired, before}},
		{"an error is not", ledger.Findings{raised, before}, ledger.Findings{raised}, ledger.Findings{before}},
	} {
		if others, expiry := SplitExpiry(c.found); !reflect.DeepEqual(others, c.others) || !reflect.DeepEqual(expiry, c.expiry) {
			t.Errorf("%s: %v and %v", c.reason, others, expiry)
		}
	}
}
