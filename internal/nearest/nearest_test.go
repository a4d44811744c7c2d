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
