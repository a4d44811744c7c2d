package nearest_test

import (
	"strings"
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

// TestDistanceOfEveryShortWord compares with the definition: every word of up to three letters
// against each other, and longer ones, where most are left out unmeasured.
func TestDistanceOfEveryShortWord(t *testing.T) {
	words := []string{""}
	for begin := 0; len(words[begin]) < 3; begin++ {
		for _, letter := range []string{"a", "B", "-"} {
			words = append(words, words[begin]+letter)
		}
	}
	words = append(words, "amount-sequence", "amuont-sequence", "amount-seqeunces", "amonut_seqence", "AMOUNT FROM", "amount-from", "mount-form", "finish-date", "start-date",
		"strat-dte", "card-number", "0rder-1dp", "order-idq", "credit-card-number", "criddt-kard-nunber", "crxdxt-cxrd-nxmbxr", "crxdxt-cxrd-nxmbxry")
	near := 0
	for _, a := range words {
		for _, b := range words {
			want := slow(a, b, map[[2]int]int{})
			wanted := a != "" && want <= max(1, len(a)/3) && want < max(len(a), len(b))
			d, got := nearest.Distance(a, b)
			if got != wanted || got && d != want {
				t.Fatalf("%q, %q: %d, %v, want %d, %v", a, b, d, got, want, wanted)
			}
			if got {
				near++
			}
		}
	}
	if near < 100 {
		t.Errorf("only %d pairs are near", near)
	}
}

// slow is the edit distance by its definition.
func slow(a, b string, known map[[2]int]int) int {
	fold := strings.NewReplacer("_", "-", " ", "-").Replace
	x, y := strings.ToLower(fold(a)), strings.ToLower(fold(b))
	if len(x) == 0 || len(y) == 0 {
		return len(x) + len(y)
	}
	at := [2]int{len(x), len(y)}
	if d, ok := known[at]; ok {
		return d
	}
	d := min(slow(x[1:], y, known), slow(x, y[1:], known)) + 1
	if x[0] == y[0] {
		d = min(d, slow(x[1:], y[1:], known))
	} else {
		d = min(d, slow(x[1:], y[1:], known)+1)
	}
	if len(x) > 1 && len(y) > 1 && x[0] == y[1] && x[1] == y[0] {
		d = min(d, slow(x[2:], y[2:], known)+1)
	}
	known[at] = d
	return d
}
