package calendar

import (
	"encoding/json"
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
	"Date":     {Date{}, MinDate(), day("2024-02-29"), MaxDate()},
	"Unit":     {UnitNone, UnitDay, UnitWeek, UnitMonth},
	"MonthEnd": {MonthEndClamp, MonthEndSkip, MonthEndNextFirst, MonthEndOverflow},
	"Window":   {Window{}, Through(day("2026-01-01"), day("2026-01-31")), Window{To: MinDate()}, Window{From: MaxDate()}},
	"Fault":    {ErrSyntax, ErrMonthEnd},
	"Error":    {Error{Fault: ErrNotADay, Part: "day", Offset: 8}, Error{Offset: -1}},
}

// unstored lists the other types, with the reason why no program keeps or sends their values.
var unstored = map[string]string{
	"Schedule": "it is made from four values that a program keeps, such as the columns of a profile",
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
	if len(names) != len(stored)+len(unstored) {
		t.Errorf("%d exported types, %d in the tables: %v", len(names), len(stored)+len(unstored), names)
	}
	for _, name := range names {
		if len(stored[name]) == 0 && unstored[name] == "" {
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
		Start  Date           `json:"start"`
		Finish Date           `json:"finish,omitzero"`
		Missed []Window       `json:"missed"`
		Units  map[Unit]int   `json:"units"`
		Ends   []MonthEnd     `json:"ends"`
		Paid   map[Date]uint8 `json:"paid"`
	}
	in := record{
		Start: day("2026-01-31"), Missed: []Window{Through(day("2026-02-01"), day("2026-02-07")), {}},
		Units: map[Unit]int{UnitWeek: 2}, Ends: []MonthEnd{MonthEndSkip}, Paid: map[Date]uint8{day("2026-02-28"): 1},
	}
	text, err := json.Marshal(in)
	const want = `{"start":"2026-01-31","missed":[{"From":"2026-02-01","To":"2026-02-08"},{"From":"","To":""}],` +
		`"units":{"week":2},"ends":["skip"],"paid":{"2026-02-28":1}}`
	if err != nil || string(text) != want {
		t.Fatalf("%s, %v", text, err)
	}
	var out record
	if err := json.Unmarshal(text, &out); err != nil || !reflect.DeepEqual(in, out) {
		t.Errorf("%+v, %v; want %+v", out, err, in)
	}
	if _, err := json.Marshal(record{Ends: []MonthEnd{9}}); err == nil {
		t.Errorf("a month end outside the list: %v", err)
	}
}
