package record_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/clause"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/record"
)

// TestReadings: the observed values go over a policy, and the basis is observed where the value in force is the
// observed one, and nowhere else (X02).
func TestReadings(t *testing.T) {
	r, err := record.NewReadings(
		record.ObservedReading{Key: clause.L08, Value: 1, Profile: "gym", Date: day("2026-03-31")},
		record.ObservedReading{Key: clause.L01, Value: 1, Profile: "rent", Date: day("2026-02-28")},
	)
	if err != nil {
		t.Fatal(err)
	}
	base := engine.Policy{MaxZero: engine.MaxZeroReject}
	pol := r.Policy(base)
	if want := "month-end=skip,start-absent=as-of,start-past=skip,finish-bound=inclusive,max-counts=repeats-after-first,max-zero=reject"; !strings.HasPrefix(pol.String(), want) {
		t.Errorf("the policy is %v", pol)
	}
	for _, c := range []struct {
		rests ledger.Because
		under engine.Policy
		want  ledger.Basis
	}{
		{ledger.On(clause.L01), pol, ledger.Observed},
		{ledger.On(clause.L01), base, ledger.Inferred}, // another value is in force
		{ledger.On(clause.L01, clause.Doc221), pol, ledger.Observed},
		{ledger.On(clause.L01, clause.L09), pol, ledger.Assumed},
		{ledger.On(clause.L07, clause.L01), pol, ledger.Inferred},
		{ledger.On(clause.Doc221), pol, ledger.Stated},
		{ledger.Because{}, pol, 0},
	} {
		if got := r.Basis(c.rests, c.under); got != c.want {
			t.Errorf("%v is %v, want %v", c.rests, got, c.want)
		}
		if got := (record.Readings{}).Basis(c.rests, c.under); got != c.rests.Basis() {
			t.Errorf("without readings %v is %v", c.rests, got)
		}
	}
	if got := (record.Readings{}).Policy(base); got != base {
		t.Errorf("no readings make the policy %v", got)
	}
}

// TestReadingsRefused: what is no list of readings is refused, and says where.
func TestReadingsRefused(t *testing.T) {
	one := record.ObservedReading{Key: clause.L01, Value: 1}
	for _, c := range []struct {
		reason string
		list   []record.ObservedReading
		want   ledger.Code
	}{
		{"a clause without a key", []record.ObservedReading{{Key: clause.L07}}, engine.ErrPolicyKey},
		{"no clause", []record.ObservedReading{{}}, engine.ErrPolicyKey},
		{"a value that the key lacks", []record.ObservedReading{{Key: clause.L01, Value: 4}}, engine.ErrPolicyValue},
		{"a value below all", []record.ObservedReading{{Key: clause.L01, Value: -1}}, engine.ErrPolicyValue},
		{"two for a key", []record.ObservedReading{one, one}, engine.ErrPolicyTwice},
	} {
		if r, err := record.NewReadings(c.list...); !errors.Is(err, c.want) || !r.IsZero() {
			t.Errorf("%s: %v", c.reason, err)
		}
	}
	const item = `{"key":"month-end","value":"skip","shown_by":{"profile":"a","date":"2026-02-28"}}`
	whole := func(items string) string { return `{"schema":"chargecast.readings/1","readings":[` + items + `]}` }
	for _, c := range []struct {
		reason, text string
		want         ledger.Code
	}{
		{"another schema", strings.Replace(whole(item), "/1", "/2", 1), "json-unknown-field"},
		{"no schema", `{"readings":[]}`, "json-type"},
		{"no list", `{"schema":"chargecast.readings/1"}`, "json-type"},
		{"null", whole("null"), "json-type"},
		{"cut", strings.TrimSuffix(whole(item), "}"), "json-syntax"},
		{"more behind it", whole(item) + "{}", "json-syntax"},
		{"an unknown member", whole(strings.Replace(item, `"key"`, `"x":1,"key"`, 1)), "json-unknown-field"},
		{"a member twice", whole(strings.Replace(item, `"key"`, `"key":"month-end","key"`, 1)), "json-duplicate-field"},
		{"an unknown key", whole(strings.Replace(item, "month-end", "month-ends", 1)), engine.ErrPolicyKey},
		{"an unknown value", whole(strings.Replace(item, "skip", "skipp", 1)), engine.ErrPolicyValue},
		{"a key twice", whole(item + "," + item), engine.ErrPolicyTwice},
		{"nobody showed it", whole(`{"key":"month-end","value":"skip"}`), "json-type"},
		{"on no day", whole(strings.Replace(item, "02-28", "02-30", 1)), "date-not-a-day"},
	} {
		before, _ := record.NewReadings(one)
		r := before
		err := r.UnmarshalJSON([]byte(c.text))
		if f, ok := errors.AsType[ledger.Finding](err); !ok || f.Code != c.want || f.Help == "" || !r.Equal(before) {
			t.Errorf("%s: %#v", c.reason, err)
		}
	}
	var r record.Readings
	if err := json.Unmarshal([]byte(whole(item)), &r); err != nil {
		t.Error(err)
	}
	if got, ok := r.Of(clause.L01); !ok || got != (record.ObservedReading{Key: clause.L01, Value: 1, Profile: "a", Date: day("2026-02-28")}) {
		t.Errorf("read as %+v", got)
	}
}
