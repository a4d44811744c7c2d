package calendar

import (
	"encoding/json"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"reflect"
	"strings"
	"testing"
)

// stored lists values of every exported type of the package. None is missing: exportedTypes reads
// the sources.
var stored = map[string][]any{
	"Date":     {Date{}, First(), day("2024-02-29"), Last()},
	"Unit":     {UnitNone, UnitDay, UnitWeek, UnitMonth},
	"MonthEnd": {MonthEndClamp, MonthEndSkip, MonthEndNextFirst, MonthEndOverflow},
	"Window":   {Window{}, Through(day("2026-01-01"), day("2026-01-31")), Window{To: First()}, Window{From: Last()}},
	"Schedule": {Schedule{}, schedule("2026-01-31", UnitMonth, 2, MonthEndSkip), schedule("9999-12-31", UnitWeek, 1, MonthEndOverflow)},
	"Fault":    {ErrSyntax, ErrMember},
	"Error":    {Error{Fault: ErrSyntax, Part: "from", Form: "YYYY-MM-DD", Offset: 8}, Error{Offset: -1}},
}

// exportedTypes returns the names of the exported types of the package in the working directory.
func exportedTypes(t *testing.T) (names []string) {
	t.Helper()
	files, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if !strings.HasSuffix(file.Name(), ".go") || strings.HasSuffix(file.Name(), "_test.go") {
			continue
		}
		tree, err := parser.ParseFile(token.NewFileSet(), file.Name(), nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(tree, func(n ast.Node) bool {
			if spec, ok := n.(*ast.TypeSpec); ok && spec.Name.IsExported() {
				names = append(names, spec.Name.Name)
			}
			return true
		})
	}
	return names
}

func TestEveryExportedTypeSurvivesJSON(t *testing.T) {
	// E14: encoding/json writes {} for a struct without exported fields, with a nil error.
	names := exportedTypes(t)
	if len(names) != len(stored) {
		t.Errorf("%d exported types, %d in the table: %v", len(names), len(stored), names)
	}
	for _, name := range names {
		if len(stored[name]) == 0 {
			t.Errorf("%s has no value in the table", name)
		}
		for _, in := range stored[name] {
			text, err := json.Marshal(in)
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			out := reflect.New(reflect.TypeOf(in))
			if err := json.Unmarshal(text, out.Interface()); err != nil || out.Elem().Interface() != in || out.Elem().Type().Name() != name {
				t.Errorf("%s: %s comes back as %+v, %v; want %+v", name, text, out.Elem(), err, in)
			}
		}
	}
}

func TestStructOfAllSurvivesJSON(t *testing.T) {
	// E14: as fields, and as keys where a program counts by them.
	type record struct {
		Start    Date           `json:"start"`
		Finish   Date           `json:"finish,omitzero"`
		Missed   []Window       `json:"missed"`
		Schedule Schedule       `json:"schedule"`
		None     Schedule       `json:"none,omitzero"`
		Units    map[Unit]int   `json:"units"`
		Ends     []MonthEnd     `json:"ends"`
		Paid     map[Date]uint8 `json:"paid"`
	}
	in := record{
		Start: day("2026-01-31"), Missed: []Window{Through(day("2026-02-01"), day("2026-02-07")), {}},
		Schedule: schedule("2026-01-31", UnitMonth, 1, MonthEndNextFirst), Units: map[Unit]int{UnitWeek: 2},
		Ends: []MonthEnd{MonthEndSkip}, Paid: map[Date]uint8{day("2026-02-28"): 1},
	}
	text, err := json.Marshal(in)
	const want = `{"start":"2026-01-31","missed":[{"from":"2026-02-01","through":"2026-02-07"},{}],` +
		`"schedule":{"start":"2026-01-31","unit":"month","interval":1,"month-end":"next-first"},` +
		`"units":{"week":2},"ends":["skip"],"paid":{"2026-02-28":1}}`
	if err != nil || string(text) != want {
		t.Fatalf("%s, %v", text, err)
	}
	var out record
	if err := json.Unmarshal(text, &out); err != nil || !reflect.DeepEqual(in, out) {
		t.Errorf("%+v, %v; want %+v", out, err, in)
	}
	if _, err := json.Marshal(record{Ends: []MonthEnd{9}}); !errors.Is(err, ErrMonthEnd) {
		t.Errorf("a month end outside the list: %v", err)
	}
}

func TestSchedule_Forms(t *testing.T) {
	type row struct {
		because
		s    Schedule
		text string
		json string
	}
	const maxInt = int(^uint(0) >> 1)
	each(t, []row{
		{because{"zero", "no schedule"}, Schedule{}, "no dates", `{}`},
		{because{"day", "2.2.1"}, schedule("2026-01-31", UnitDay, 1, MonthEndClamp), "every day from 2026-01-31", `{"start":"2026-01-31","unit":"day","interval":1,"month-end":"clamp"}`},
		{because{"weeks", "2.2.2; == keeps an unused month end"}, schedule("2026-01-31", UnitWeek, 2, MonthEndSkip), "every 2 weeks from 2026-01-31", `{"start":"2026-01-31","unit":"week","interval":2,"month-end":"skip"}`},
		{because{"month", "L01"}, schedule("2026-01-31", UnitMonth, 1, MonthEndClamp), "every month from 2026-01-31, clamp", `{"start":"2026-01-31","unit":"month","interval":1,"month-end":"clamp"}`},
		{because{"months", "L01"}, schedule("9999-12-31", UnitMonth, 36, MonthEndNextFirst), "every 36 months from 9999-12-31, next-first", `{"start":"9999-12-31","unit":"month","interval":36,"month-end":"next-first"}`},
	}, func(t *testing.T, r row) {
		if r.s.String() != r.text {
			t.Errorf("String: %q, want %q", r.s, r.text)
		}
		text, err := json.Marshal(r.s)
		if err != nil || string(text) != r.json {
			t.Errorf("JSON: %s, %v; want %s", text, err, r.json)
		}
		back := schedule("2000-01-01", UnitDay, 7, MonthEndOverflow)
		if err := json.Unmarshal(text, &back); err != nil || back != r.s {
			t.Errorf("%s comes back as %v, %v", text, back, err)
		}
	})
	greatest := schedule("2026-01-31", UnitMonth, maxInt, MonthEndClamp)
	text, _ := json.Marshal(greatest)
	var back Schedule
	if err := json.Unmarshal(text, &back); err != nil || back != greatest || back.Interval() != maxInt {
		t.Errorf("%s comes back as %v, %v", text, back, err)
	}
}

func TestSchedule_JSONReads(t *testing.T) {
	start := schedule("2026-01-31", UnitMonth, 1, MonthEndClamp)
	type row struct {
		because
		json   string
		want   Schedule
		fault  error
		part   string
		offset int
	}
	each(t, []row{
		{because{"month-end left out", "L01: the default"}, `{"start":"2026-01-31","unit":"month","interval":1}`, start, nil, "", 0},
		{because{"any order", "JSON"}, `{"interval":1,"month-end":"clamp","unit":"month","start":"2026-01-31"}`, start, nil, "", 0},
		{because{"space in an object without members", "the zero Schedule"}, ` { } `, Schedule{}, nil, "", 0},
		{because{"null", "it would read as no schedule"}, `null`, Schedule{}, ErrType, "", 0},
		{because{"no start", "C32"}, `{"unit":"month","interval":1}`, Schedule{}, ErrStart, "start", -1},
		{because{"empty start", "C32"}, `{"start":"","unit":"month","interval":1}`, Schedule{}, ErrStart, "start", -1},
		{because{"no unit", "C32"}, `{"start":"2026-01-31","interval":1}`, Schedule{}, ErrUnit, "unit", -1},
		{because{"unit none", "C32"}, `{"start":"2026-01-31","unit":"none","interval":1}`, Schedule{}, ErrUnit, "unit", -1},
		{because{"no interval", "C32"}, `{"start":"2026-01-31","unit":"day"}`, Schedule{}, ErrInterval, "interval", -1},
		{because{"interval 0", "L56b"}, `{"start":"2026-01-31","unit":"day","interval":0}`, Schedule{}, ErrInterval, "interval", -1},
		{because{"another unit", "2.1"}, `{"start":"2026-01-31","unit":"year","interval":1}`, Schedule{}, ErrUnit, "unit", 29},
		{because{"another month end", "L01"}, `{"month-end":"drift"}`, Schedule{}, ErrMonthEnd, "month-end", 13},
		{because{"month end as a number", "a word"}, `{"month-end":0}`, Schedule{}, ErrType, "month-end", 13},
		{because{"interval as text", "a number"}, `{"interval":"1"}`, Schedule{}, ErrType, "interval", 12},
		{because{"negative interval", "a number without a sign"}, `{"interval":-1}`, Schedule{}, ErrType, "interval", 12},
		{because{"interval with a point", "a whole number"}, `{"interval":1.0}`, Schedule{}, ErrInterval, "interval", 12},
		{because{"interval with an exponent", "a whole number"}, `{"interval":1e2}`, Schedule{}, ErrInterval, "interval", 12},
		{because{"interval of 2^64", "it does not wrap"}, `{"interval":18446744073709551616}`, Schedule{}, ErrInterval, "interval", 12},
		{because{"interval null", "a number"}, `{"interval":null}`, Schedule{}, ErrType, "interval", 12},
		{because{"unknown", "no member is ignored"}, `{"end":"2026-01-31"}`, Schedule{}, ErrMember, "", 7},
		{because{"twice", "the last would win"}, `{"interval":1,"interval":2}`, Schedule{}, ErrMember, "", 14},
	}, func(t *testing.T, r row) {
		before := schedule("2000-01-01", UnitDay, 7, MonthEndOverflow)
		s := before
		err := s.UnmarshalJSON([]byte(r.json))
		if r.fault == nil {
			if err != nil || s != r.want {
				t.Errorf("got %v, %v; want %v", s, err, r.want)
			}
			return
		}
		e, ok := errors.AsType[*Error](err)
		if !ok || !errors.Is(err, r.fault) || e.Part != r.part || e.Offset != r.offset || s != before {
			t.Errorf("got %v, %#v; want %v, part %q, offset %d", s, err, r.fault, r.part, r.offset)
		}
	})
}
