package rules

import (
	"slices"

	"github.com/chargecast/chargecast/ledger"
)

// SplitExpiry separates the warnings about the expiry of the card from the other findings of a row: they matter
// only where something is charged after it (L31). The results may share memory with found; both are nil without
// findings.
func SplitExpiry(found ledger.Findings) (others, expiry ledger.Findings) {
	switch {
	case !slices.ContainsFunc(found, isExpiry):
		return found, nil
	case len(found) == 1:
		return nil, found
	}
	for _, f := range found {
		if isExpiry(f) {
			expiry = append(expiry, f)
		} else {
			others = append(others, f)
		}
	}
	return others, expiry
}

func isExpiry(f ledger.Finding) bool {
	return f.Severity == ledger.SeverityWarning && (f.Code == CardExpired || f.Code == CardExpiresBeforeCharge)
}
