package amount

import (
	"bytes"
	"encoding"
	"encoding/hex"
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

// A binaryValue has the binary form of package encoding, in both directions.
type binaryValue[T any] interface {
	*T
	encoding.BinaryMarshaler
	encoding.BinaryAppender
	encoding.BinaryUnmarshaler
}

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
		"Percent":    {Percent{}, mustPercent(t, "97.50"), mustPercent(t, "0.01")},
		"ChoiceKind": {KindFixed, KindRange, KindSequence},
	}
	for _, total := range sampleTotals(t) {
		values["Total"] = append(values["Total"], total)
	}
	return values
}

// notStored are the exported types that cannot be read back, each with its reason.
var notStored = map[string]string{
	"Draws":  "what quantiles are made of, on its way from a portfolio: its JSON is an error",
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
			if err := json.Unmarshal(text, out.Interface()); err != nil || !reflect.DeepEqual(out.Elem().Interface(), in) || out.Elem().Type().Name() != name {
				t.Errorf("%s: %s comes back as %+v, %v; want %+v", name, text, out.Elem(), err, in)
			}
		}
	}
}

func TestForms(t *testing.T) {
	// The texts, the JSON and the bytes are a promise: do not change them, fix the code.
	total := func(c Choice, n uint64) (t Total) { t.AddRun(c, 0, n); return t }
	wide := sumOf(Amount{1<<63 - 1, 0}, Amount{1<<63 - 1, 0}, Amount{2, 1})
	type row struct {
		because
		value any
		text  string
		json  string
		bytes string
	}
	each(t, []row{
		{because{"sum, zero value", "of nothing"}, Sum{}, "0", `"0"`, "010000"},
		{because{"sum", "A04"}, sumOf(MustParse("1.50")), "1.50", `"1.50"`, "01020196"},
		{because{"sum of two bytes", "A04"}, sumOf(MustParse("2.56")), "2.56", `"2.56"`, "0102020100"},
		{because{"wide sum", "A07"}, wide, "18446744073709551614.2", `"18446744073709551614.2"`, "010109" + "09ffffffffffffffee"},
		{because{"total, zero value", "of nothing"}, Total{}, "0 charges, 0", `{"charges":0,"min":"0","max":"0"}`, "010000000000" + "0000"},
		{because{"total", "no spread"}, total(Fixed(MustParse("1.50")), 300), "300 charges, 450.00", `{"charges":300,"min":"450.00","max":"450.00"}`, "01ac0202" + "02afc802" + "02afc8" + "0000"},
		{
			because{"total of a range", "A17: 3 charges of 101 values"}, total(mustRange(t, "1.00", "2.00", "EUR"), 3),
			"3 charges, 3.00 to 6.00, mean 4.50", `{"charges":3,"min":"3.00","max":"6.00","variance":"30600/120000"}`,
			"01030202012c" + "02020258" + "02027788",
		},
	}, func(t *testing.T, r row) {
		if text := r.value.(interface{ String() string }).String(); text != r.text {
			t.Errorf("String: %q, want %q", text, r.text)
		}
		if text, err := json.Marshal(r.value); err != nil || string(text) != r.json {
			t.Errorf("JSON: %s, %v; want %s", text, err, r.json)
		}
		if form, ok := r.value.(encoding.BinaryMarshaler); ok {
			if b, err := form.MarshalBinary(); err != nil || hex.EncodeToString(b) != r.bytes {
				t.Errorf("binary: %x, %v; want %s", b, err, r.bytes)
			}
		}
	})
}

// checkBinary tries a value's form whole, with each cut, with more after it, and with each byte
// changed.
func checkBinary[T any, P binaryValue[T]](t *testing.T, in T) {
	t.Helper()
	form, err := P(&in).MarshalBinary()
	appended, err2 := P(&in).AppendBinary([]byte("x"))
	if err != nil || err2 != nil || string(appended) != "x"+string(form) {
		t.Fatalf("%v: %x, %v; appended %x, %v", in, form, err, appended, err2)
	}
	var back T
	if err := P(&back).UnmarshalBinary(form); err != nil || !reflect.DeepEqual(back, in) {
		t.Fatalf("%v: %x comes back as %v, %v", in, form, back, err)
	}
	refused := func(b []byte, faults ...Fault) {
		t.Helper()
		err := P(&back).UnmarshalBinary(b)
		e, ok := errors.AsType[*Error](err)
		known := false
		for _, f := range faults {
			known = known || ok && e.Fault == f
		}
		if !known || e.Offset > len(b) || !reflect.DeepEqual(back, in) {
			t.Fatalf("%x of %x: %v, %v", b, form, back, err)
		}
	}
	for n := range form {
		refused(form[:n], ErrBinary)
	}
	refused(append(bytes.Clone(form), 0), ErrBinary)
	for _, version := range []byte{0, 2, 255} {
		refused(append([]byte{version}, form[1:]...), ErrVersion)
	}
	for i := range form {
		for change := range 255 {
			other := bytes.Clone(form)
			other[i] += byte(change + 1)
			var v T
			if P(&v).UnmarshalBinary(other) != nil {
				continue
			}
			// Another value then, with this one form.
			if again, err := P(&v).MarshalBinary(); err != nil || reflect.DeepEqual(v, in) || !bytes.Equal(again, other) {
				t.Fatalf("%x: %v has the form %x, %v", other, v, again, err)
			}
		}
	}
}

func TestBinaryForms(t *testing.T) {
	for _, total := range sampleTotals(t) {
		checkBinary(t, total)
		checkBinary(t, total.Min())
		checkBinary(t, total.Max())
	}
}

func TestBinaryRefuses(t *testing.T) {
	type row struct {
		because
		form   string
		into   encoding.BinaryUnmarshaler
		fault  Fault
		offset int
	}
	ff := strings.Repeat("ff", 9)
	each(t, []row{
		{because{"nothing", "no version"}, "", new(Sum), ErrBinary, 0},
		{because{"version alone", "cut"}, "01", new(Total), ErrBinary, 1},
		{because{"another version", "of a later release"}, "02020196", new(Sum), ErrVersion, 0},
		{because{"bytes left", "one value"}, "0102019600", new(Sum), ErrBinary, 4},
		{because{"scale of 19", "L36c"}, "01130196", new(Sum), ErrBinary, 1},
		{because{"varint too long", "one form for one value"}, "018200" + "02012c" + "02012c" + "0000", new(Total), ErrBinary, 1},
		{because{"varint beyond 2^64", "A07"}, "01" + ff + "02", new(Total), ErrBinary, 1},
		{because{"varint without end", "A07"}, "01" + ff + ff, new(Total), ErrBinary, 1},
		{because{"varint cut", "a byte lacks"}, "0182", new(Total), ErrBinary, 2},
		{because{"sum with a zero in front", "one form for one value"}, "0102020096", new(Sum), ErrBinary, 2},
		{because{"sum of 25 bytes", "A07"}, "010019" + strings.Repeat("01", 25), new(Sum), ErrBinary, 2},
		{because{"sum of 2^127", "A07: 32 sums can be added"}, "010010" + "80" + strings.Repeat("00", 15), new(Sum), ErrBinary, 1},
		{because{"total of other charges", "three unlike amounts"}, "010000000000" + "0100", new(Total), ErrBinary, 8},
		{because{"total without charges", "they have no money"}, "01000201960201960000", new(Total), ErrTotal, -1},
		{because{"total with min above max", "they contradict"}, "01030202025802" + "02012c" + "02027788", new(Total), ErrTotal, -1},
		{because{"total with a spread of fixed amounts", "they contradict"}, "01030202012c0202012c02027788", new(Total), ErrTotal, -1},
		{because{"total of a range without spread", "they contradict"}, "01030202012c020202580000", new(Total), ErrTotal, -1},
		{because{"total above its charges", "1 charge of 2^63"}, "0101" + "00088000000000000000" + "00088000000000000000" + "0000", new(Total), ErrTotal, -1},
		{because{"total of a wider spread", "it would wrap later"}, "010100000001010028" + strings.Repeat("ff", 40), new(Total), ErrTotal, -1},
	}, func(t *testing.T, r row) {
		form, err := hex.DecodeString(r.form)
		if err != nil {
			t.Fatal(err)
		}
		err = r.into.UnmarshalBinary(form)
		e, ok := errors.AsType[*Error](err)
		if !ok || e.Fault != r.fault || e.Offset != r.offset || !reflect.ValueOf(r.into).Elem().IsZero() {
			t.Errorf("got %v, %#v; want %v, offset %d", r.into, err, r.fault, r.offset)
		}
	})
}

func TestTotalJSONReads(t *testing.T) {
	// What any writer of JSON may do, which ours does not.
	var want Total
	want.AddRun(mustRange(t, "1.00", "2.00", "EUR"), 0, 1)
	for reason, text := range map[string]string{
		"order and space":     " {\n\"variance\" : \"10200/120000\" , \"max\":\"2.00\", \"charges\": 1 , \"min\":\"1.00\" } ",
		"name with an escape": `{"charges":1,"m\u0069n":"1.00","max":"2.00","variance":"10200/120000"}`,
	} {
		var total Total
		if err := json.Unmarshal([]byte(text), &total); err != nil || total != want {
			t.Errorf("%s: %v, %v; want %v", reason, total, err, want)
		}
	}
}

func TestTotalJSONRefuses(t *testing.T) {
	type row struct {
		because
		json   string
		fault  Fault
		part   string
		offset int
	}
	each(t, []row{
		{because{"null", "JSON"}, `null`, ErrType, "", 0},
		{because{"nothing", "JSON"}, ``, ErrType, "", 0},
		{because{"text", "an object"}, `"1.00"`, ErrType, "", 0},
		{because{"array", "an object"}, `["1.00"]`, ErrType, "", 0},
		{because{"cut", "JSON"}, `{"charges":1`, ErrType, "", 12},
		{because{"cut in a name", "JSON"}, `{"cha`, ErrType, "", 5},
		{because{"name without quotes", "JSON"}, `{1:"1"}`, ErrType, "", 1},
		{because{"more after it", "JSON"}, `{"charges":1} 2`, ErrType, "", 14},
		{because{"deep", "no recursion of ours"}, `{"charges":` + strings.Repeat("[", 1e5), ErrType, "", 17},
		{because{"upper case", "names are exact"}, `{"Charges":1}`, ErrMember, "", 11},
		{because{"escape inside", "one text for one sum"}, `{"min":"\u0031"}`, ErrSyntax, "min", 8},
		{because{"too many decimals", "L36c"}, `{"min":"0.0000000000000000001"}`, ErrRange, "min", 7},
		{because{"nothing in it", "all three are needed"}, `{}`, ErrTotal, "", -1},
		{because{"without charges", "all three are needed"}, `{"min":"0","max":"0"}`, ErrTotal, "", -1},
		{because{"without min", "all three are needed"}, `{"charges":1,"max":"0"}`, ErrTotal, "", -1},
		{because{"without max", "all three are needed"}, `{"charges":1,"min":"0"}`, ErrTotal, "", -1},
		{because{"unknown", "no member is ignored"}, `{"charges":1,"min":"1","max":"1","mean":"1"}`, ErrMember, "", 40},
		{because{"twice", "the last would win"}, `{"charges":1,"min":"1","charges":2}`, ErrMember, "", 23},
		{because{"charges below zero", "a number without a sign"}, `{"charges":-2}`, ErrType, "charges", 11},
		{because{"charges with a point", "a whole number"}, `{"charges":2.0}`, ErrType, "charges", 12},
		{because{"charges as text", "a number"}, `{"charges":"1"}`, ErrType, "charges", 11},
		{because{"charges with an exponent", "a whole number"}, `{"charges":1e3}`, ErrType, "charges", 12},
		{because{"2^64 charges", "A07"}, `{"charges":18446744073709551616}`, ErrRange, "charges", 11},
		{because{"2^64 + 4 charges", "A07: it does not wrap"}, `{"charges":18446744073709551620}`, ErrRange, "charges", 11},
		{because{"min as a number", "numbers lose digits"}, `{"min":1.5}`, ErrType, "min", 7},
		{because{"max null", "it would read as 0"}, `{"max":null}`, ErrType, "max", 7},
		{because{"max below zero", "L36"}, `{"max":"-1"}`, ErrSyntax, "max", 8},
		{because{"min above max", "they contradict"}, `{"charges":1,"min":"2","max":"1","variance":"1/12"}`, ErrTotal, "", -1},
		{because{"money without charges", "they contradict"}, `{"charges":0,"min":"1","max":"1"}`, ErrTotal, "", -1},
		{because{"decimals without charges", "the zero Total alone"}, `{"charges":0,"min":"0.00","max":"0.00"}`, ErrTotal, "", -1},
		{because{"above what a charge can have", "they contradict"}, `{"charges":1,"min":"0","max":"9223372036854775808","variance":"1/12"}`, ErrTotal, "", -1},
		{because{"variance left out", "min and max differ"}, `{"charges":1,"min":"0","max":"1"}`, ErrTotal, "", -1},
		{because{"variance of fixed amounts", "min and max are equal"}, `{"charges":1,"min":"1","max":"1","variance":"1/12"}`, ErrTotal, "", -1},
		{because{"variance above all ranges", "it would wrap later"}, `{"charges":1,"min":"0","max":"1","variance":"85070591730234615865843651857942052864/12"}`, ErrTotal, "", -1},
		{because{"variance as a number", "a fraction"}, `{"variance":0.5}`, ErrType, "variance", 12},
		{because{"variance in other units", "12·10^n alone"}, `{"variance":"1/24"}`, ErrTotal, "variance", 12},
		{because{"variance with an odd power", "squares of units"}, `{"variance":"1/120"}`, ErrTotal, "variance", 12},
		{because{"variance of 19 decimals", "L36c"}, `{"variance":"1/12` + strings.Repeat("0", 38) + `"}`, ErrTotal, "variance", 12},
		{because{"variance with a zero in front", "one form for one value"}, `{"variance":"01/12"}`, ErrTotal, "variance", 12},
		{because{"variance of 0", "it is left out"}, `{"variance":"0/12"}`, ErrTotal, "variance", 12},
		{because{"variance without numerator", "a fraction"}, `{"variance":"/12"}`, ErrTotal, "variance", 12},
		{because{"variance without denominator", "a fraction"}, `{"variance":"1"}`, ErrTotal, "variance", 12},
		{because{"variance below zero", "a square"}, `{"variance":"-1/12"}`, ErrTotal, "variance", 12},
		{because{"variance with a letter", "digits"}, `{"variance":"1x2/12"}`, ErrTotal, "variance", 12},
		{because{"variance of 96 digits", "A07: it fits, and is above all ranges"}, `{"charges":1,"min":"0","max":"1","variance":"` + strings.Repeat("9", 96) + `/12"}`, ErrTotal, "", -1},
		{because{"variance of 97 digits", "A07"}, `{"variance":"` + strings.Repeat("9", 97) + `/12"}`, ErrTotal, "variance", 12},
		{because{"variance of 10^5 digits", "A20"}, `{"variance":"` + strings.Repeat("9", 1e5) + `/12"}`, ErrTotal, "variance", 12},
	}, func(t *testing.T, r row) {
		before := Total{charges: 7}
		total := before
		err := total.UnmarshalJSON([]byte(r.json))
		e, ok := errors.AsType[*Error](err)
		if !ok || e.Fault != r.fault || e.Part != r.part || e.Offset != r.offset || total != before {
			t.Errorf("got %v, %#v; want %v, part %q, offset %d", total, err, r.fault, r.part, r.offset)
		}
	})
}

func TestSumJSONRefuses(t *testing.T) {
	for text, want := range map[string]*Error{
		`null`: {ErrType, "", 0}, `1.5`: {ErrType, "", 0}, `"1,5"`: {ErrSyntax, "", 2}, `""`: {ErrSyntax, "", 1}, `["1"]`: {ErrType, "", 0},
		`"`: {ErrType, "", 0}, ``: {ErrType, "", 0}, `"1`: {ErrType, "", 0}, `1"`: {ErrType, "", 0}, `"0.0000000000000000000"`: {ErrRange, "", -1},
	} {
		s := sumOf(MustParse("7"))
		err := s.UnmarshalJSON([]byte(text))
		if e, ok := errors.AsType[*Error](err); !ok || *e != *want || s != sumOf(MustParse("7")) {
			t.Errorf("%s: %v, %#v; want %#v", text, s, err, want)
		}
	}
}
