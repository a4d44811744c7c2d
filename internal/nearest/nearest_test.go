package nearest_test

import (
	"testing"

	"github.com/chargecast/chargecast/internal/nearest"
)

func TestOf(t *testing.T) { // V21
	names := []string{
		"rp_card_type", "client-orderid", "credit-card-number", "card-printed-name", "expire-year", "expire-month", "amount", "amount-from", "amount-to",
		"amount-sequence", "first-name", "last-name", "order_desc", "start-date", "finish-date", "state",
	}
	for word, want := range map[string]string{
		"finish_date":   "finish-date",
		"order-desc":    "order_desc",
		"Amount":        "amount",
		"amount ":       "amount",
		"fnish-date":    "finish-date",
		"strat-date":    "start-date",
		"amount-form":   "amount-from",
		"card":          "",
		"":              "",
		"x":             "",
		"4111111111111": "",
		"name":          "",
	} {
		i, ok := nearest.Of(word, names)
		if got := ""; ok {
			got = names[i]
			if got != want {
				t.Errorf("%q: %s, want %q", word, got, want)
			}
		} else if want != "" {
			t.Errorf("%q: nothing, want %s", word, want)
		}
	}
	if _, ok := nearest.Of("ab", []string{"aa", "bb"}); ok {
		t.Error("two are equally near and yet one is named")
	}
}

// TestDistance: short words have near ones too, but not those that share nothing with them.
func TestDistance(t *testing.T) {
	for _, c := range []struct {
		word, candidate string
		d               int
		near            bool
	}{
		{"pp1", "p1", 1, true}, {"1", "p1", 1, true}, {"p1", "p2", 1, true}, {"p1", "q2", 2, false}, {"x", "a", 1, false}, {"x", "xy", 1, true},
		{"order-3", "order-12", 2, true}, {"order-3", "order-123", 2, true}, {"order-3", "order-1234", 3, false}, {"", "a", 0, false}, {"a", "", 1, false},
	} {
		if d, near := nearest.Distance(c.word, c.candidate); near != c.near || near && d != c.d {
			t.Errorf("%q, %q: %d, %v", c.word, c.candidate, d, near)
		}
	}
}
