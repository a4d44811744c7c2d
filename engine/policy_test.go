package engine_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/chargecast/chargecast/engine"
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

// TestLedger: ids are unique, every entry is whole, and ids find their clause.
func TestLedger(t *testing.T) {
	var ids, keys []string
	for c, e := range engine.Ledger() {
		if e.ID == "" || e.Where == "" || e.Basis == 0 || e.Question == "" || len(e.Readings) == 0 {
			t.Errorf("clause %d has an entry with holes: %+v", c, e)
		}
		for _, r := range e.Readings {
			if r.Text == "" || (r.Value == "") != (e.Key == "") {
				t.Errorf("%s has a reading with holes", e.ID)
			}
		}
		if got, ok := engine.ClauseOf(e.ID); !ok || got != c {
			t.Errorf("%s finds clause %d, want %d", e.ID, got, c)
		}
		if e.Key != "" {
			keys = append(keys, e.Key)
		}
		ids = append(ids, e.ID)
	}
	for _, list := range [][]string{ids, keys} {
		slices.Sort(list)
		if n := len(slices.Compact(slices.Clone(list))); n != len(list) {
			t.Errorf("%d of %d names are unique", n, len(list))
		}
	}
	if len(ids) >= 128 {
		t.Errorf("%d entries do not fit a Because", len(ids))
	}
	want := []string{
		"finish-bound", "manual-counts", "manual-takes-slot", "manual-when-stopped", "max-counts", "max-zero", "month-end",
		"resume-anchor", "resume-counter", "resume-missed", "run-missed", "start-absent", "start-past",
	}
	if !slices.Equal(keys, want) {
		t.Errorf("keys are %v", keys)
	}
}

// TestBecause: a set gives its members back, in the order of the ledger, and its basis is
// the weakest one (X02).
func TestBecause(t *testing.T) {
	all := engine.Because{}
	for c := range engine.Ledger() {
		one := engine.On(c)
		if got := slices.Collect(one.All()); !slices.Equal(got, []engine.Clause{c}) || one.Basis() != c.Entry().Basis {
			t.Errorf("%v gives %v with basis %v", c, got, one.Basis())
		}
		all = all.With(c)
	}
	if got := slices.Collect(all.All()); !slices.IsSorted(got) || len(got) != 111 {
		t.Errorf("%d clauses of 111, sorted: %v", len(got), slices.IsSorted(got))
	}
	if !engine.On(0).IsEmpty() {
		t.Error("the zero clause is cited")
	}
}
