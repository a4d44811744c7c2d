package engine_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/clause"
)

// TestPolicyText: text to policy to text is the identity, for every value of every key
// (Y01).
func TestPolicyText(t *testing.T) {
	zero := engine.Policy{}.String()
	for c := range engine.Keys() {
		e := c.Entry()
		for i, value := range e.Values() {
			p, err := engine.ParsePolicy(e.Key + "=" + value)
			if err != nil {
				t.Fatal(err)
			}
			if p != (engine.Policy{}).WithReading(c, i) {
				t.Errorf("%s=%s gives %v", e.Key, value, p)
			}
			again, err := engine.ParsePolicy(p.String())
			if err != nil || again != p {
				t.Errorf("%v read back gives %v, %v", p, again, err)
			}
			if (p.String() == zero) != (i == 0) {
				t.Errorf("%s=%s: the default is not the zero policy", e.Key, value)
			}
		}
	}
	if p, err := engine.ParsePolicy(""); err != nil || p != (engine.Policy{}) {
		t.Errorf("the empty text gives %v, %v", p, err)
	}
}

func TestPolicyTextRefused(t *testing.T) {
	for _, r := range []struct {
		reason, text string
		want         error
		choice       string
	}{
		{"h269: value", "month-end=drift", engine.ErrPolicyValue, "next-first"},
		{"h269: key", "monthend=clamp", engine.ErrPolicyKey, "month-end"},
		{"h269: twice", "month-end=clamp,month-end=clamp", engine.ErrPolicyTwice, ""},
		{"h269: empty value", "month-end=", engine.ErrPolicyValue, "clamp"},
		{"h269: empty items", ",,", engine.ErrPolicyForm, "month-end"},
		{"case counts", "Month-End=clamp", engine.ErrPolicyKey, "month-end"},
		{"no space is trimmed", " month-end=clamp", engine.ErrPolicyKey, "month-end"},
		{"an entry without a key", "L07=clamp", engine.ErrPolicyKey, "month-end"},
	} {
		_, err := engine.ParsePolicy(r.text)
		if !errors.Is(err, r.want) || !strings.Contains(err.Error(), r.choice) {
			t.Errorf("%s: %v", r.reason, err)
		}
	}
}

// TestArgumentsOutOfRange (G10): a reading or a limit that does not exist is a mistake in the program, and is
// not passed over.
func TestArgumentsOutOfRange(t *testing.T) {
	for name, call := range map[string]func(){
		"a reading too many":    func() { engine.Policy{}.WithReading(clause.L05, 2) },
		"a negative reading":    func() { engine.Policy{}.WithReading(clause.L05, -1) },
		"a clause without key":  func() { engine.Policy{}.WithReading(clause.L07, 0) },
		"no clause":             func() { engine.Policy{}.WithReading(0, 0) },
		"beyond the last limit": func() { engine.AtMost(1 << 63) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			call()
		}()
	}
}

// TestPolicyTexts (G17): a value of a key is its word, in JSON too, and there and back.
func TestPolicyTexts(t *testing.T) {
	in := engine.Policy{FinishBound: engine.FinishBoundExclusive, MaxZero: engine.MaxZeroUnlimited}
	text, err := json.Marshal(in)
	if want := policyText(in); string(text) != want || err != nil {
		t.Errorf("%s, %v; want %s", text, err, want)
	}
	var out engine.Policy
	if err := json.Unmarshal(text, &out); err != nil || out != in {
		t.Errorf("%+v, %v", out, err)
	}
	if _, err := json.Marshal(engine.Policy{MaxZero: 9}); !errors.Is(err, engine.ErrPolicy) {
		t.Errorf("a number without a word: %v", err)
	}
	if err := out.UnmarshalJSON([]byte(`{"max-zero":"never"}`)); !errors.Is(err, engine.ErrPolicyValue) || out != in {
		t.Errorf("a word without a number: %v, %+v", err, out)
	}
}

// policyText is the JSON of a policy, made of its text.
func policyText(p engine.Policy) string {
	return `{"` + strings.NewReplacer("=", `":"`, ",", `","`).Replace(p.String()) + `"}`
}
