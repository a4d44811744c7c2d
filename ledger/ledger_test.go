package ledger_test

import (
	"encoding/json"
	"errors"
	"log/slog"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/chargecast/chargecast/internal/clause"
	"github.com/chargecast/chargecast/ledger"
)

// entries is how many entries the ledger has. A new one is meant, and so is the number.
const entries = 111

// TestEntries: ids and keys are unique, every entry is whole, each key has a choice, and ids find their entry (X05).
func TestEntries(t *testing.T) {
	var ids, keys []string
	for e := range ledger.Entries() {
		id := e.Clause.String()
		if id == "" || e.Where == "" || e.Basis == 0 || e.Question == "" || len(e.Readings) == 0 {
			t.Errorf("%q has an entry with holes: %+v", id, e)
		}
		for i, r := range e.Readings {
			if r.Text == "" || (r.Value == "") != (e.Key == "") || !strings.HasSuffix(r.Text, ".") {
				t.Errorf("%s has a reading with holes or without a full stop", id)
			}
			if got, ok := e.Clause.Reading(i); !ok || got != r {
				t.Errorf("%s: reading %d is %v, %v", id, i, got, ok)
			}
		}
		if got, ok := ledger.Lookup(id); !ok || got.Clause != e.Clause {
			t.Errorf("%s finds %v", id, got.Clause)
		}
		if e.Basis != e.Clause.Basis() || e.Key != e.Clause.Key() || (e.Values() == nil) != (e.Key == "") {
			t.Errorf("%s: basis, key or values differ", id)
		}
		if e.Key != "" {
			if len(e.Readings) < 2 {
				t.Errorf("%s has a key and no choice", id)
			}
			keys = append(keys, e.Key)
		}
		ids = append(ids, id)
	}
	for _, list := range [][]string{ids, keys} {
		slices.Sort(list)
		if n := len(slices.Compact(slices.Clone(list))); n != len(list) {
			t.Errorf("%d of %d names are unique", n, len(list))
		}
	}
	if len(ids) != entries {
		t.Errorf("%d entries; a Because holds 127", len(ids))
	}
	want := []string{
		"finish-bound", "manual-counts", "manual-takes-slot", "manual-when-stopped", "max-counts", "max-zero", "month-end",
		"resume-anchor", "resume-counter", "resume-missed", "run-missed", "start-absent", "start-past",
	}
	if !slices.Equal(keys, want) {
		t.Errorf("keys are %v", keys)
	}
}

// TestLookup: ids that the ledger joins are found, and nothing else is guessed.
func TestLookup(t *testing.T) {
	for id, want := range map[string]ledger.Clause{"2.2.6": clause.Doc226, "L16b": clause.L16b, "X8": clause.X8, "L50": clause.L50, "L51": clause.L50, "L53": clause.L50} {
		if e, ok := ledger.Lookup(id); !ok || e.Clause != want {
			t.Errorf("%s finds %v", id, e.Clause)
		}
	}
	for _, id := range []string{"", "L", "L04", "l01", "2.2.11", "L510", " L01"} {
		if e, ok := ledger.Lookup(id); ok {
			t.Errorf("%q finds %v", id, e.Clause)
		}
	}
}

// TestEntriesAreCopies: what a caller writes to an entry shows nowhere else (E12).
func TestEntriesAreCopies(t *testing.T) {
	e, _ := ledger.Lookup("L01")
	e.Readings[0].Value = "x"
	if again, _ := ledger.Lookup("L01"); again.Readings[0].Value != "clamp" {
		t.Error("the ledger was overwritten through an entry")
	}
	for e := range ledger.Entries() {
		e.Readings[0].Text = "x"
	}
	if r, _ := clause.L01.Reading(0); r.Text == "x" {
		t.Error("the ledger was overwritten through Entries")
	}
}

// TestBecause: a set gives its members back, in the order of the ledger, and its basis is the
// weakest one (X02).
func TestBecause(t *testing.T) {
	var all ledger.Because
	for e := range ledger.Entries() {
		one := ledger.On(e.Clause)
		if got := slices.Collect(one.All()); !slices.Equal(got, []ledger.Clause{e.Clause}) || one.Basis() != e.Basis || !one.Has(e.Clause) {
			t.Errorf("%v gives %v with basis %v", e.Clause, got, one.Basis())
		}
		if one.IsZero() || all.Has(e.Clause) || one.And(all) != all.With(e.Clause) {
			t.Errorf("%v: membership", e.Clause)
		}
		all = all.With(e.Clause)
	}
	if got := slices.Collect(all.All()); !slices.IsSorted(got) || len(got) != entries || all.Basis() != ledger.Assumed {
		t.Errorf("%d clauses of %d, sorted: %v", len(got), entries, slices.IsSorted(got))
	}
	for i := range entries + 1 {
		n := 0
		for range all.All() {
			if n++; n == i {
				break
			}
		}
		if n != min(i, entries) && i > 0 {
			t.Errorf("broken off after %d, want %d", n, i)
		}
	}
	if got := ledger.On(clause.L01, clause.Doc221, clause.X7).String(); got != "2.2.1 X7 L01" {
		t.Errorf("the text is %q", got)
	}
	if b := ledger.On(0); !b.IsZero() || b.Basis() != 0 || b.Has(0) || all.Has(200) || all.Has(255) {
		t.Errorf("values that name no entry are cited: %v", b)
	}
	for _, c := range []ledger.Clause{entries + 1, 127, 128, 200, 255} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("clause %d, which is none, is passed over", c)
				}
			}()
			ledger.On(clause.L01, c)
		}()
	}
}

// TestOutOfRange: no value of a type makes it panic to look at it (E11, h312).
func TestOutOfRange(t *testing.T) {
	for i := range 256 {
		c := ledger.Clause(i)
		text := c.String()
		_, named := ledger.Lookup(text)
		if i > entries && text != "Clause("+itoa(i)+")" || i > 0 && i <= entries != named {
			t.Errorf("clause %d is %q", i, text)
		}
		if e := c.Entry(); named != (e.Clause == c && i > 0) || len(e.Values()) > 0 != (c.Key() != "") {
			t.Errorf("clause %d has the entry %+v", i, e)
		}
		c.Basis()
		for _, n := range []int{-1, 0, 1, 5, 1 << 30} {
			c.Reading(n)
		}
		for name, v := range map[string]interface {
			String() string
			MarshalText() ([]byte, error)
		}{"Basis": ledger.Basis(i), "Severity": ledger.Severity(i)} {
			out := i > 3 && name == "Severity" || i > 4
			if _, err := v.MarshalText(); (err != nil) != out || out != (v.String() == name+"("+itoa(i)+")") {
				t.Errorf("%s %d is %q, %v", name, i, v, err)
			}
		}
		if k := ledger.SubjectKind(i); (i > 3) != (k.String() == "SubjectKind("+itoa(i)+")") {
			t.Errorf("kind %d is %q", i, k)
		}
		_, err := json.Marshal(ledger.Finding{Severity: ledger.Severity(i)})
		if (err != nil) != (i > 3) {
			t.Errorf("a finding of severity %d marshals with %v", i, err)
		}
	}
}

func itoa(i int) string { return slog.IntValue(i).String() }

// TestJSON: every exported struct and set survives JSON.
func TestJSON(t *testing.T) {
	entry, _ := ledger.Lookup("L03")
	for _, v := range []any{
		ledger.Because{}, ledger.On(clause.Doc226, clause.L71), clause.L01, ledger.Clause(0), ledger.Assumed, ledger.Basis(0),
		ledger.SeverityError, entry, entry.Readings[1], finding(), ledger.Findings{finding(), {}}, ledger.Finding{},
		ledger.Finding{Kind: ledger.SubjectField, Subject: "repeat"}, ledger.Finding{Kind: ledger.SubjectParameter, Subject: "oauth_nonce"},
		ledger.Finding{Place: ledger.Place{Line: 1, Col: 1}}, ledger.Finding{Place: ledger.Place{Offset: 7, Wire: true}},
	} {
		text, err := json.Marshal(v)
		if err != nil {
			t.Errorf("%T: %v", v, err)
			continue
		}
		back := reflect.New(reflect.TypeOf(v))
		if err := json.Unmarshal(text, back.Interface()); err != nil || !reflect.DeepEqual(back.Elem().Interface(), v) {
			t.Errorf("%s read back is %+v, %v; want %+v", text, back.Elem().Interface(), err, v)
		}
	}
}

// TestJSONRefused: what is not a value of the type is an error, and changes nothing.
func TestJSONRefused(t *testing.T) {
	b, c, basis, severity, f := ledger.On(clause.L01), clause.L02, ledger.Stated, ledger.SeverityOff, finding()
	for text, into := range map[string]any{
		`["L99"]`: &b, `"L01"`: &b, `[1]`: &b, `"L99"`: &c, `7`: &basis, `"sure"`: &basis, `"fatal"`: &severity,
		`{"type":"charge"}`: &f, `[]`: &f, `8`: &f, `{"code":"c","message":"m"}`: &f, `{"type":"problem","code":"c"}`: &f, `{"type":"problem","code":1,"message":"m"}`: &f,
		problem(`"severity":"fatal"`): &f, problem(`"severity":""`): &f, problem(`"basis":1`): &f, problem(`"clause":"L99"`): &f, problem(`"because":{}`): &f,
		problem(`"row":"1"`): &f, problem(`"line":1.0`): &f, problem(`"col":-1`): &f, problem(`"offset":9223372036854775808`): &f, problem(`"wire":"true"`): &f,
		problem(`"file":null`): &f, problem(`"profile":1`): &f, problem(`"help":[]`): &f, problem(`"column":"a","field":"b"`): &f, problem(`"field":1`): &f, problem(`"type":"problem"`): &f,
	} {
		if err := json.Unmarshal([]byte(text), into); err == nil {
			t.Errorf("%s is read into %T", text, into)
		}
	}
	if b != ledger.On(clause.L01) || c != clause.L02 || basis != ledger.Stated || severity != ledger.SeverityOff || f != finding() {
		t.Error("a refused text changes the value")
	}
}

// problem is a record with a member added.
func problem(member string) string {
	return `{"type":"problem","code":"c","message":"m",` + member + `}`
}

// TestFindingNotRead: the error names the member and its column.
func TestFindingNotRead(t *testing.T) {
	var f ledger.Finding
	for text, want := range map[string]ledger.Finding{
		problem(`"row":-1`):             {Place: ledger.Place{Col: 50}, Kind: ledger.SubjectField, Subject: "row"},
		`{"type":"problem","code":"c"}`: {Place: ledger.Place{Col: 1}, Kind: ledger.SubjectField, Subject: "message"},
		problem(`"code":"d"`):           {Place: ledger.Place{Col: 44}},
	} {
		got, ok := errors.AsType[ledger.Finding](f.UnmarshalJSON([]byte(text)))
		if !ok || got.Place != want.Place || got.Kind != want.Kind || got.Subject != want.Subject || got.Code == "" || got.Message == "" || got.Help == "" || got.Severity != ledger.SeverityError {
			t.Errorf("%s: %+v", text, got)
		}
	}
	if err := f.UnmarshalJSON([]byte(problem(`"later":[{"a":null}],"column":""`))); err != nil || f.Kind != ledger.SubjectColumn {
		t.Errorf("a member of a later version: %+v, %v", f, err)
	}
}

func finding() ledger.Finding {
	return ledger.Finding{
		Code: "amount-order", Severity: ledger.SeverityError, Basis: ledger.Assumed, Clause: clause.L33, Because: ledger.On(clause.Doc225, clause.L33),
		Place: ledger.Place{File: "p.csv", Profile: "order-1", Row: 17, Line: 18, Col: 42, Offset: 3131, Wire: true},
		Kind:  ledger.SubjectColumn, Subject: "amount-from", Message: "amount-from is above amount-to", Help: "swap them",
	}
}

// TestFindingRecord: the names and the order of the members are a promise.
func TestFindingRecord(t *testing.T) {
	f := finding()
	f.Place = ledger.Place{Row: 17, Line: 18, Col: 42, Offset: 3131}
	f.Because = ledger.Because{}
	const want = `{"type":"problem","code":"amount-order","severity":"error","basis":"assumed","clause":"L33","row":17,"line":18,"col":42,"offset":3131,"column":"amount-from","message":"amount-from is above amount-to","help":"swap them"}`
	if got := string(f.AppendJSON(nil)); got != want {
		t.Errorf("the record is\n%s, want\n%s", got, want)
	}
	if got, want := f.Error(), "18:42: amount-from: amount-from is above amount-to: swap them [amount-order, L33]"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	f.Place.File = "p.csv"
	if got := f.Error(); !strings.HasPrefix(got, "p.csv:18:42: ") {
		t.Errorf("with a file: %q", got)
	}
	f.Place = ledger.Place{File: "p.csv"}
	f.Help, f.Clause, f.Subject = "", 0, ""
	if got, want := f.Error(), "p.csv: amount-from is above amount-to [amount-order]"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestFindings: the list is an error only when one of its findings is.
func TestFindings(t *testing.T) {
	warning, late := finding(), finding()
	warning.Severity, warning.Place.Offset, warning.Code = ledger.SeverityWarning, 7, "leading-zero"
	late.Place.Offset, late.Code = 9000, "amount-zero"
	fs := ledger.Findings{late, finding(), warning}
	fs.Sort()
	if fs[0] != warning || fs[2] != late {
		t.Errorf("sorted: %v", fs)
	}
	err := fs.Err()
	if !errors.Is(err, ledger.Code("amount-zero")) || errors.Is(err, ledger.Code("amount-scale")) || !fs.Has("amount-zero") || fs.Has("amount-scale") {
		t.Errorf("codes in %v", err)
	}
	if all, ok := errors.AsType[ledger.Findings](err); !ok || len(all) != len(fs) {
		t.Errorf("the list itself is %v", all)
	}
	if !strings.Contains(fs.Error(), "amount-order") || !strings.Contains(fs.Error(), "(and 1 more)") || fs.Count(ledger.SeverityError) != 2 {
		t.Errorf("%v", fs)
	}
	for _, none := range []ledger.Findings{nil, {}, {warning}} {
		if err := none.Err(); err != nil {
			t.Errorf("%d warnings are the error %v", len(none), err)
		}
	}
	if (ledger.Findings{}).Error() == "" || (ledger.Findings{warning}).Error() != warning.Error() {
		t.Error("the texts of short lists")
	}
}

// TestErrorIsNeverAWarning: a program that asks an error for its finding gets the first error, wherever a warning is in the
// list; no code of a warning is found, and the text counts errors alone. errors.As gave the warning parameter-extra of a
// request with a wrong signature.
func TestErrorIsNeverAWarning(t *testing.T) {
	warning, wrong := finding(), finding()
	warning.Severity, warning.Code, wrong.Code = ledger.SeverityWarning, "parameter-extra", "signature-mismatch"
	for _, list := range []ledger.Findings{{warning, wrong}, {wrong, warning}, {warning, wrong, warning}} {
		err := list.Err()
		if f, ok := errors.AsType[ledger.Finding](err); !ok || f != wrong {
			t.Errorf("the finding of the error is %v", f)
		}
		if !errors.Is(err, wrong.Code) || errors.Is(err, warning.Code) || err.Error() != wrong.Error() {
			t.Errorf("%v", err)
		}
	}
}

// TestNotCarried: a finding that the record cannot carry exactly is an error, not another finding.
func TestNotCarried(t *testing.T) {
	for name, change := range map[string]func(*ledger.Finding){
		"subject without kind": func(f *ledger.Finding) { f.Kind = 0 },
		"negative offset":      func(f *ledger.Finding) { f.Place.Offset = -1 },
		"negative row":         func(f *ledger.Finding) { f.Place.Row = -1 },
		"NUL":                  func(f *ledger.Finding) { f.Help = "a\x00" },
		"message":              func(f *ledger.Finding) { f.Message = "\xff" },
		"file":                 func(f *ledger.Finding) { f.Place.File = "\xff" },
	} {
		f := finding()
		change(&f)
		if text, err := json.Marshal(f); err == nil {
			t.Errorf("%s: %s", name, text)
		}
	}
	f := ledger.Finding{Kind: ledger.SubjectColumn}
	text, err := json.Marshal(f)
	var back ledger.Finding
	if err != nil || json.Unmarshal(text, &back) != nil || back != f {
		t.Errorf("a kind without a subject is read back as %+v, %v", back, err)
	}
}
