package amount

import (
	"encoding"
	"encoding/json"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"math"
	"os"
	"reflect"
	"strings"
	"testing"
)

var (
	_ json.Unmarshaler         = (*Amount)(nil)
	_ encoding.TextUnmarshaler = (*Amount)(nil)
	_ json.Unmarshaler         = (*Sum)(nil)
	_ encoding.TextUnmarshaler = (*Sum)(nil)
)

// stored lists values of every exported type of the package. None is missing: exportedTypes reads
// the sources.
func stored(t *testing.T) map[string][]any {
	values := map[string][]any{
		"Amount":     {Amount{}, MustParse("1.50"), Amount{1<<63 - 1, MaxScale}},
		"Sum":        {Sum{}, sumOf(MustParse("0.00")), sumOf(Amount{1<<63 - 1, 0}, Amount{1<<63 - 1, 0}, Amount{3, MaxScale})},
		"Fault":      {ErrSyntax, ErrPercent},
		"Error":      {Error{Fault: ErrSyntax, Part: "amount-to", Offset: 8}, Error{Offset: -1}},
		"Percent":    {Percent(0), Percent(97.5), Percent(0.01)},
		"Draws":      {Draws{}, Draws{Values: 1 << 63, Scale: MaxScale, Charges: math.MaxUint64}},
		"ChoiceKind": {KindFixed, KindRange, KindSequence},
	}
	return values
}

// notStored are the exported types that cannot be read back, each with its reason.
var notStored = map[string]string{
	"Seed":   "made by NewSeed: what is stored is the number for the simulation",
	"Choice": "part of a profile, which stores it as the columns of the document",
	"Total":  "written as a record.Total, or in an engine.Book",
	"Tally":  "as a Total",
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
	names, values := exportedTypes(t), stored(t)
	if len(names) != len(values)+len(notStored) {
		t.Errorf("%d exported types, %d in the tables: %v", len(names), len(values)+len(notStored), names)
	}
	for _, name := range names {
		if len(values[name]) == 0 && notStored[name] == "" {
			t.Errorf("%s has no value in the table", name)
		}
		for _, in := range values[name] {
			text, err := json.Marshal(in)
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			out := reflect.New(reflect.TypeOf(in))
			if err := json.Unmarshal(text, out.Interface()); err != nil || !reflect.DeepEqual(out.Elem().Interface(), in) || out.Elem().Type().Name() != name {
				t.Errorf("%s: %s comes back as %+v, %v; want %+v", name, text, out.Elem(), err, in)
			}
		}
	}
}

func TestForms(t *testing.T) {
	// The texts and the JSON are a promise: do not change them, fix the code.
	wide := sumOf(Amount{1<<63 - 1, 0}, Amount{1<<63 - 1, 0}, Amount{2, 1})
	type row struct {
		because
		value any
		text  string
		json  string
	}
	each(t, []row{
		{because{"sum, zero value", "of nothing"}, Sum{}, "0", `"0"`},
		{because{"sum", "A04"}, sumOf(MustParse("1.50")), "1.50", `"1.50"`},
		{because{"wide sum", "A07"}, wide, "18446744073709551614.2", `"18446744073709551614.2"`},
	}, func(t *testing.T, r row) {
		if text := r.value.(interface{ String() string }).String(); text != r.text {
			t.Errorf("String: %q, want %q", text, r.text)
		}
		if text, err := json.Marshal(r.value); err != nil || string(text) != r.json {
			t.Errorf("JSON: %s, %v; want %s", text, err, r.json)
		}
	})
}

func TestSumJSONRefuses(t *testing.T) {
	for text, want := range map[string]*Error{
		`null`: {Fault: ErrType, Offset: 0}, `1.5`: {Fault: ErrType, Offset: 0}, `"1,5"`: {Fault: ErrSyntax, Offset: 2}, `""`: {Fault: ErrSyntax, Offset: 1}, `["1"]`: {Fault: ErrType, Offset: 0},
		`"`: {Fault: ErrType, Offset: 0}, ``: {Fault: ErrType, Offset: 0}, `"1`: {Fault: ErrType, Offset: 0}, `1"`: {Fault: ErrType, Offset: 0}, `"0.0000000000000000000"`: {Fault: ErrRange, Offset: -1},
	} {
		s := sumOf(MustParse("7"))
		err := s.UnmarshalJSON([]byte(text))
		if e, ok := errors.AsType[*Error](err); !ok || *e != *want || s != sumOf(MustParse("7")) {
			t.Errorf("%s: %v, %#v; want %#v", text, s, err, want)
		}
	}
}

// TestTotalsRefuseJSON: a total that is written by its fields would lose what it is drawn from.
func TestTotalsRefuseJSON(t *testing.T) {
	for _, v := range []any{Total{}, Tally{}, &Total{}, struct{ Tally }{}} {
		if text, err := json.Marshal(v); err == nil || !strings.Contains(err.Error(), "record.Total") {
			t.Errorf("%s, %v", text, err)
		}
	}
}
