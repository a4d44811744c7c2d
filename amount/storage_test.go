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

// sampleTotals are totals of choices of every kind, at the edges of what they hold.
func sampleTotals(t testing.TB) []Total {
	t.Helper()
	widest, err := Range(Amount{}, Amount{1<<63 - 1, 0}, "JPY")
	if err != nil {
		t.Fatal(err)
	}
	choices := []Choice{
		Fixed(Amount{}), Fixed(MustParse("9.99")), Fixed(Amount{1<<63 - 1, MaxScale}),
		mustRange(t, "0", "0", "EUR"), mustRange(t, "1.00", "5.00", "EUR"), mustRange(t, "1", "5", "EUR"), mustRange(t, "1.000", "5", "EUR"),
		mustRange(t, "1.00", "5.00", "JPY"), mustRange(t, "0.001", "0.0035", "EUR"), mustRange(t, "2.5", "2.50", "KWD"), widest,
		mustSequence(t, "1.00"), mustSequence(t, "1.00", "9.99", "0", "9223372036854775807"),
	}
	totals := []Total{{}}
	var all, huge Total
	for i, c := range choices {
		var one Total
		one.AddRun(c, 0, uint64(i+1))
		all.Merge(one)
		totals = append(totals, one, all)
	}
	finest := mustRange(t, "0.000000000000000001", "0.000000000000000003", "")
	huge.AddRun(widest, 0, math.MaxUint64-1)
	huge.AddRun(finest, 0, 1)
	return append(totals, huge)
}

// stored lists values of every exported type of the package. None is missing: exportedTypes reads
// the sources.
func stored(t *testing.T) map[string][]any {
	values := map[string][]any{
		"Amount":     {Amount{}, MustParse("1.50"), Amount{1<<63 - 1, MaxScale}},
		"Sum":        {Sum{}, sumOf(MustParse("0.00")), sumOf(Amount{1<<63 - 1, 0}, Amount{1<<63 - 1, 0}, Amount{3, MaxScale})},
		"Fault":      {ErrSyntax, ErrPercent},
		"Error":      {Error{Fault: ErrSyntax, Part: "amount-to", Offset: 8}, Error{Offset: -1}},
		"Percent":    {Percent(0), Percent(97.5), Percent(0.01)},
		"ChoiceKind": {KindFixed, KindRange, KindSequence},
	}
	for _, total := range sampleTotals(t) {
		values["Total"] = append(values["Total"], total)
		values["Tally"] = append(values["Tally"], Tally{total, total, total}, Tally{Total: total}, Tally{Declined: total})
	}
	return values
}

// notStored are the exported types that cannot be read back, each with its reason.
var notStored = map[string]string{
	"Seed":   "made by NewSeed: what is stored is the number for the simulation",
	"Choice": "part of a profile, which stores it as the columns of the document",
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
			if err := json.Unmarshal(text, out.Interface()); err != nil || !isSame(out.Elem().Interface(), in) || out.Elem().Type().Name() != name {
				t.Errorf("%s: %s comes back as %+v, %v; want %+v", name, text, out.Elem(), err, in)
			}
		}
	}
}

// isSame compares totals by what is in them.
func isSame(a, b any) bool {
	switch b := b.(type) {
	case Total:
		return a.(Total).Equal(b)
	case Tally:
		return a.(Tally).Equal(b)
	}
	return reflect.DeepEqual(a, b)
}

func TestForms(t *testing.T) {
	// The texts and the JSON are a promise: do not change them, fix the code.
	total := func(n uint64, list ...Choice) (t Total) {
		for _, c := range list {
			t.AddRun(c, 0, n)
		}
		return t
	}
	cents, yen := mustRange(t, "1.00", "2.00", "EUR"), mustRange(t, "1", "3", "JPY")
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
		{because{"total, zero value", "of nothing"}, Total{}, "0 charges, 0", `{"charges":0,"min":"0","max":"0","mean":"0"}`},
		{because{"total", "nothing random"}, total(300, Fixed(MustParse("1.50"))), "300 charges, 450.00", `{"charges":300,"min":"450.00","max":"450.00","mean":"450.00"}`},
		{
			because{"total of a range", "A17: 3 charges of 101 values"}, total(3, cents),
			"3 charges, 3.00 to 6.00, mean 4.50", `{"charges":3,"min":"3.00","max":"6.00","mean":"4.50","draws":[{"values":101,"scale":2,"charges":3}]}`,
		},
		{
			because{"total of two ranges", "in order of scale, then values, whatever the order of the charges"}, total(1, cents, yen, cents),
			"3 charges, 3.00 to 7.00, mean 5.00",
			`{"charges":3,"min":"3.00","max":"7.00","mean":"5.00","draws":[{"values":3,"scale":0,"charges":1},{"values":101,"scale":2,"charges":2}]}`,
		},
		{because{"tally, zero value", "nothing attempted"}, Tally{}, "0 charges, 0", `{"charges":0,"min":"0","max":"0","mean":"0"}`},
		{
			because{"tally", "2.2.7, L31"}, Tally{total(3, Fixed(MustParse("2"))), total(1, Fixed(MustParse("7"))), total(2, Fixed(MustParse("2")))},
			"3 charges, 6; declined: 1 charge, 7; after the card's expiry: 2 charges, 4",
			`{"charges":3,"min":"6","max":"6","mean":"6","declined":{"charges":1,"min":"7","max":"7","mean":"7"},"card_expired":{"charges":2,"min":"4","max":"4","mean":"4"}}`,
		},
	}, func(t *testing.T, r row) {
		if text := r.value.(interface{ String() string }).String(); text != r.text {
			t.Errorf("String: %q, want %q", text, r.text)
		}
		if text, err := json.Marshal(r.value); err != nil || string(text) != r.json {
			t.Errorf("JSON: %s, %v; want %s", text, err, r.json)
		}
	})
}

func TestTotalJSONReads(t *testing.T) {
	// What any writer of JSON may do, which ours does not.
	var want Total
	want.AddRun(mustRange(t, "1.00", "2.00", "EUR"), 0, 1)
	for reason, text := range map[string]string{
		"order and space":     " {\n\"draws\" : [ {\"charges\":1, \"scale\":2,\"values\":101} ] , \"max\":\"2.00\", \"charges\": 1 , \"min\":\"1.00\" } ",
		"name with an escape": `{"charges":1,"m\u0069n":"1.00","max":"2.00","mean":"1.50","draws":[{"values":101,"scale":2,"charges":1}]}`,
	} {
		var total Total
		if err := json.Unmarshal([]byte(text), &total); err != nil || !total.Equal(want) {
			t.Errorf("%s: %v, %v; want %v", reason, total, err, want)
		}
	}
}

func TestTotalJSONRefuses(t *testing.T) {
	type row struct {
		because
		json string
	}
	draws := func(max, list string) string {
		return `{"charges":2,"min":"1.00","max":"` + max + `","draws":[` + list + `]}`
	}
	each(t, []row{
		{because{"null", "JSON"}, `null`},
		{because{"nothing", "JSON"}, ``},
		{because{"text", "an object"}, `"1.00"`},
		{because{"array", "an object"}, `["1.00"]`},
		{because{"cut", "JSON"}, `{"charges":1`},
		{because{"cut in a name", "JSON"}, `{"cha`},
		{because{"name without quotes", "JSON"}, `{1:"1"}`},
		{because{"more after it", "JSON"}, `{"charges":1,"min":"1","max":"1"} 2`},
		{because{"deep", "no recursion of ours"}, `{"charges":` + strings.Repeat("[", 1e5)},
		{because{"upper case", "names are exact"}, `{"Charges":1,"min":"1","max":"1"}`},
		{because{"too many decimals", "L36c"}, `{"charges":1,"min":"0","max":"0.0000000000000000001"}`},
		{because{"nothing in it", "all three are needed"}, `{}`},
		{because{"without charges", "all three are needed"}, `{"min":"0","max":"0"}`},
		{because{"without min", "all three are needed"}, `{"charges":1,"max":"0"}`},
		{because{"without max", "all three are needed"}, `{"charges":1,"min":"0"}`},
		{because{"unknown", "no member is ignored"}, `{"charges":1,"min":"1","max":"1","variance":"1"}`},
		{because{"twice", "the last would win"}, `{"charges":1,"min":"1","max":"1","charges":2}`},
		{because{"charges below zero", "a number without a sign"}, `{"charges":-2,"min":"1","max":"1"}`},
		{because{"charges with a point", "a whole number"}, `{"charges":2.0,"min":"1","max":"1"}`},
		{because{"charges as text", "a number"}, `{"charges":"1","min":"1","max":"1"}`},
		{because{"2^64 charges", "A07"}, `{"charges":18446744073709551616,"min":"1","max":"1"}`},
		{because{"min as a number", "numbers lose digits"}, `{"charges":1,"min":1.5,"max":"1.5"}`},
		{because{"max null", "it would read as 0"}, `{"charges":1,"min":"0","max":null}`},
		{because{"max below zero", "L36"}, `{"charges":1,"min":"0","max":"-1"}`},
		{because{"min above max", "they contradict"}, `{"charges":1,"min":"2","max":"1"}`},
		{because{"money without charges", "they contradict"}, `{"charges":0,"min":"1","max":"1"}`},
		{because{"decimals without charges", "the zero Total alone"}, `{"charges":0,"min":"0.00","max":"0.00"}`},
		{because{"above what a charge can have", "they contradict"}, `{"charges":1,"min":"0","max":"9223372036854775808"}`},
		{because{"another mean", "they contradict"}, `{"charges":1,"min":"1","max":"2","mean":"1.6"}`},
		{because{"mean with another scale", "one text for one mean"}, `{"charges":1,"min":"1","max":"2","mean":"1.50"}`},
		{because{"draws wider than the sums are apart", "they contradict"}, draws("1.01", `{"values":3,"scale":2,"charges":1}`)},
		{because{"more draws than charges", "they contradict"}, draws("9.00", `{"values":3,"scale":2,"charges":3}`)},
		{because{"more draws than charges in two groups", "they contradict"}, draws("9.00", `{"values":3,"scale":2,"charges":1},{"values":4,"scale":2,"charges":2}`)},
		{because{"a draw of one value", "it is not random"}, draws("9.00", `{"values":1,"scale":2,"charges":1}`)},
		{because{"a draw of too many values", "L36c"}, draws("99999999999999999999", `{"values":9223372036854775809,"scale":2,"charges":1}`)},
		{because{"a group of no draws", "it is left out"}, draws("9.00", `{"values":3,"scale":2,"charges":0}`)},
		{because{"draws of 19 decimals", "L36c"}, draws("9.00", `{"values":3,"scale":19,"charges":1}`)},
		{because{"draws of one class twice", "one form for one total"}, draws("9.00", `{"values":3,"scale":2,"charges":1},{"values":3,"scale":2,"charges":1}`)},
		{because{"draws in another order", "one form for one total"}, draws("9.00", `{"values":4,"scale":2,"charges":1},{"values":3,"scale":2,"charges":1}`)},
	}, func(t *testing.T, r row) {
		total := Total{Charges: 7}
		if err := total.UnmarshalJSON([]byte(r.json)); !errors.Is(err, ErrTotal) || total != (Total{Charges: 7}) {
			t.Errorf("got %v, %#v", total, err)
		}
		tally := Tally{Declined: Total{Charges: 7}}
		if err := tally.UnmarshalJSON([]byte(r.json)); !errors.Is(err, ErrTotal) || tally != (Tally{Declined: Total{Charges: 7}}) {
			t.Errorf("tally: got %v, %#v", tally, err)
		}
	})
	for reason, text := range map[string]string{
		"more after the expiry than in all": `{"charges":1,"min":"1","max":"1","card_expired":{"charges":2,"min":"1","max":"1"}}`,
		"declined that are no total":        `{"charges":1,"min":"1","max":"1","declined":{"charges":2}}`,
		"declined as a number":              `{"charges":1,"min":"1","max":"1","declined":3}`,
	} {
		var tally Tally
		if err := tally.UnmarshalJSON([]byte(text)); !errors.Is(err, ErrTotal) || tally != (Tally{}) {
			t.Errorf("%s: %v, %v", reason, tally, err)
		}
	}
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
