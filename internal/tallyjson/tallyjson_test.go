package tallyjson_test

import (
	"math"
	"strings"
	"testing"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/internal/strictjson"
	"github.com/chargecast/chargecast/internal/tallyjson"
)

var form = strictjson.FormOf[tallyjson.Tally]()

// read reads a tally, and returns what is wrong with it.
func read(text string) (amount.Tally, string) {
	var v tallyjson.Tally
	if err := form.Read([]byte(text), &v); err != nil {
		return amount.Tally{}, err.Error()
	}
	return v.Read()
}

func write(t amount.Tally) string {
	v := tallyjson.Of(&t)
	return string(form.Append(nil, &v))
}

func choice(from, to, currency string) amount.Choice {
	c, err := amount.Range(amount.MustParse(from), amount.MustParse(to), currency)
	if err != nil {
		panic(err)
	}
	return c
}

func total(n uint64, list ...amount.Choice) (t amount.Total) {
	for _, c := range list {
		t.AddRun(c, 0, n)
	}
	return t
}

// TestForms: the JSON is a promise. Do not change it: fix the code.
func TestForms(t *testing.T) {
	fixed := func(text string) amount.Choice { return amount.Fixed(amount.MustParse(text)) }
	cents, yen := choice("1.00", "2.00", "EUR"), choice("1", "3", "JPY")
	for reason, r := range map[string]struct {
		tally amount.Tally
		json  string
	}{
		"nothing attempted":    {amount.Tally{}, `{"charges":0,"min":"0","max":"0","mean":"0"}`},
		"nothing random":       {amount.Tally{Total: total(300, fixed("1.50"))}, `{"charges":300,"min":"450.00","max":"450.00","mean":"450.00"}`},
		"3 charges of a range": {amount.Tally{Total: total(3, cents)}, `{"charges":3,"min":"3.00","max":"6.00","mean":"4.50","draws":[{"values":101,"scale":2,"charges":3}]}`},
		"two ranges, in order of scale, then values, whatever the order of the charges": {
			amount.Tally{Total: total(1, cents, yen, cents)},
			`{"charges":3,"min":"3.00","max":"7.00","mean":"5.00","draws":[{"values":3,"scale":0,"charges":1},{"values":101,"scale":2,"charges":2}]}`,
		},
		"all three": {
			amount.Tally{Total: total(3, fixed("2")), Declined: total(1, fixed("7")), CardExpired: total(2, fixed("2"))},
			`{"charges":3,"min":"6","max":"6","mean":"6","declined":{"charges":1,"min":"7","max":"7","mean":"7"},"card_expired":{"charges":2,"min":"4","max":"4","mean":"4"}}`,
		},
		"2^64-2 charges of the largest amount": {
			amount.Tally{Total: total(math.MaxUint64-1, fixed("9223372036854775807"))},
			`{"charges":18446744073709551614,"min":"170141183460469231694793815568465002498","max":"170141183460469231694793815568465002498","mean":"170141183460469231694793815568465002498"}`,
		},
	} {
		text := write(r.tally)
		if text != r.json {
			t.Errorf("%s: %s", reason, text)
		}
		if back, wrong := read(text); wrong != "" || !back.Equal(r.tally) {
			t.Errorf("%s: read back as %v, %s", reason, back, wrong)
		}
	}
	withoutMean := `{"charges":1,"min":"1","max":"2"}`
	if back, wrong := read(withoutMean); wrong != "" || back.Max.String() != "2" {
		t.Errorf("without a mean: %v, %s", back, wrong)
	}
}

// TestWhatNoChargesHaveIsRefused: sums that contradict each other, and draws that do not make up the
// difference of the sums.
func TestWhatNoChargesHaveIsRefused(t *testing.T) {
	draws := func(max, list string) string {
		return `{"charges":2,"min":"1.00","max":"` + max + `","draws":[` + list + `]}`
	}
	for reason, text := range map[string]string{
		"nothing in it":                                `{}`,
		"without charges":                              `{"min":"0","max":"0"}`,
		"without min":                                  `{"charges":1,"max":"0"}`,
		"without max":                                  `{"charges":1,"min":"0"}`,
		"an unknown member":                            `{"charges":1,"min":"1","max":"1","variance":"1"}`,
		"a member twice":                               `{"charges":1,"min":"1","max":"1","charges":2}`,
		"2^64 charges":                                 `{"charges":18446744073709551616,"min":"1","max":"1"}`,
		"min as a number":                              `{"charges":1,"min":1.5,"max":"1.5"}`,
		"max null":                                     `{"charges":1,"min":"0","max":null}`,
		"max below zero":                               `{"charges":1,"min":"0","max":"-1"}`,
		"too many decimals":                            `{"charges":1,"min":"0","max":"0.0000000000000000001"}`,
		"min above max":                                `{"charges":1,"min":"2","max":"1"}`,
		"money without charges":                        `{"charges":0,"min":"1","max":"1"}`,
		"decimals without charges":                     `{"charges":0,"min":"0.00","max":"0.00"}`,
		"more than a charge can have":                  `{"charges":1,"min":"0","max":"9223372036854775808"}`,
		"another mean":                                 `{"charges":1,"min":"1","max":"2","mean":"1.6"}`,
		"a mean with another scale":                    `{"charges":1,"min":"1","max":"2","mean":"1.50"}`,
		"draws wider than the sums are apart":          draws("1.01", `{"values":3,"scale":2,"charges":1}`),
		"draws narrower than the sums are apart":       draws("9.00", `{"values":3,"scale":2,"charges":1}`),
		"more draws than charges":                      draws("1.06", `{"values":3,"scale":2,"charges":3}`),
		"more draws than charges in two groups":        draws("1.08", `{"values":3,"scale":2,"charges":1},{"values":4,"scale":2,"charges":2}`),
		"a draw of one value":                          draws("1.00", `{"values":1,"scale":2,"charges":1}`),
		"a draw of too many values":                    draws("9223372036854775809.00", `{"values":9223372036854775809,"scale":0,"charges":1}`),
		"a group of no draws":                          draws("1.00", `{"values":3,"scale":2,"charges":0}`),
		"draws of 19 decimals":                         draws("1.00", `{"values":3,"scale":19,"charges":1}`),
		"draws of negative decimals":                   draws("1.00", `{"values":3,"scale":-1,"charges":1}`),
		"draws of one class twice":                     draws("1.04", `{"values":3,"scale":2,"charges":1},{"values":3,"scale":2,"charges":1}`),
		"draws in another order":                       draws("1.05", `{"values":4,"scale":2,"charges":1},{"values":3,"scale":2,"charges":1}`),
		"more after the expiry than in all":            `{"charges":1,"min":"1","max":"1","card_expired":{"charges":2,"min":"1","max":"1"}}`,
		"declined that are no total":                   `{"charges":1,"min":"1","max":"1","declined":{"charges":2}}`,
		"declined as a number":                         `{"charges":1,"min":"1","max":"1","declined":3}`,
		"declined without a charge":                    `{"charges":1,"min":"1","max":"1","declined":{"charges":0,"min":"0","max":"0"}}`,
		"arrays in arrays, which no recursion follows": `{"charges":` + strings.Repeat("[", 1e5),
	} {
		if tally, wrong := read(text); wrong == "" {
			t.Errorf("%s: read as %v", reason, tally)
		}
	}
}
