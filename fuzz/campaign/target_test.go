package campaign_test

import (
	"bytes"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/fuzz/campaign"
	"github.com/chargecast/chargecast/rules"
)

func FuzzDate_Parse_Reference(f *testing.F)     { tryTarget(f) }
func FuzzAmount_Parse_Expression(f *testing.F)  { tryTarget(f) }
func FuzzInt_Grid_Exact(f *testing.F)           { tryTarget(f) }
func FuzzSchedule_At_Walk(f *testing.F)         { tryTarget(f) }
func FuzzPolicy_Parse_String(f *testing.F)      { tryTarget(f) }
func FuzzDates_Number_Steps(f *testing.F)       { tryTarget(f) }
func FuzzAmounts_Add_Digits(f *testing.F)       { tryTarget(f) }
func FuzzProfile_Forecast_Walk(f *testing.F)    { tryTarget(f) }
func FuzzForecast_Restart_Explain(f *testing.F) { tryTarget(f) }
func FuzzEventLog_Simulate_Walk(f *testing.F)   { tryTarget(f) }
func FuzzStateLine_Parse_Append(f *testing.F)   { tryTarget(f) }
func FuzzScriptLine_Parse_Json(f *testing.F)    { tryTarget(f) }
func FuzzCSV_Read_Chunks(f *testing.F)          { tryTarget(f) }
func FuzzPayload_Read_Chunks(f *testing.F)      { tryTarget(f) }
func FuzzBase64_Decode_Standard(f *testing.F)   { tryTarget(f) }
func FuzzForm_Decode_ParseQuery(f *testing.F)   { tryTarget(f) }
func FuzzRow_Compile_Policy(f *testing.F)       { tryTarget(f) }
func FuzzRows_Judge_Faults(f *testing.F)        { tryTarget(f) }
func FuzzPayload_Fix_Twice(f *testing.F)        { tryTarget(f) }
func FuzzStream_Rows_Alone(f *testing.F)        { tryTarget(f) }
func FuzzResponse_Parse_Append(f *testing.F)    { tryTarget(f) }
func FuzzPercent_Encode_Decode(f *testing.F)    { tryTarget(f) }
func FuzzForm_Parse_Append(f *testing.F)        { tryTarget(f) }
func FuzzURL_Normalise_Twice(f *testing.F)      { tryTarget(f) }
func FuzzHeader_Parse_String(f *testing.F)      { tryTarget(f) }
func FuzzBaseString_Stages(f *testing.F)        { tryTarget(f) }
func FuzzDiagnose_Mistake(f *testing.F)         { tryTarget(f) }
func FuzzPEM_Load(f *testing.F)                 { tryTarget(f) }
func FuzzCaptured_Parse_Verify(f *testing.F)    { tryTarget(f) }

// bodyOf is the body of the target with a name.
func bodyOf(t *testing.T, name string) func([]byte) {
	t.Helper()
	for _, one := range campaign.Targets() {
		if one.Name == name {
			return one.Body
		}
	}
	t.Fatalf("no target is called %s", name)
	return nil
}

// tryTarget runs the target that has the wrapper's name.
func tryTarget(f *testing.F) {
	for _, one := range campaign.Targets() {
		if one.Name != f.Name() {
			continue
		}
		for _, s := range one.Seeds {
			f.Add([]byte(s.Data))
		}
		f.Fuzz(func(_ *testing.T, data []byte) { one.Body(data) })
		return
	}
	f.Fatalf("no target is called %s", f.Name())
}

// The table of targets and the wrappers that a fuzzer can find are one list (G07): a
// wrapper that is missing or misspelt would never be run.
func TestTargets(t *testing.T) {
	var listed []string
	for _, one := range campaign.Targets() {
		listed = append(listed, one.Name)
		if len(one.Seeds) == 0 {
			t.Errorf("%s has no seeds", one.Name)
		}
		for _, s := range one.Seeds {
			if s.Why == "" {
				t.Errorf("%s: the seed %q has no reason", one.Name, s.Data)
			}
		}
	}
	slices.Sort(listed)
	if found := wrappers(t); !slices.Equal(listed, found) {
		t.Errorf("targets %v, wrappers %v", listed, found)
	}
}

var update = flag.Bool("update", false, "write the dictionaries")

// TestDictionaries: the files that other fuzzers read are what the table of targets says
// (G07), and the native seeds have every word, since the native fuzzer reads no dictionary.
func TestDictionaries(t *testing.T) {
	const dir = "testdata/dictionaries"
	var want []string
	for _, one := range campaign.Targets() {
		for _, word := range one.Words {
			if !slices.ContainsFunc(one.Seeds, func(s campaign.Seed) bool { return strings.Contains(s.Data, word) }) {
				t.Errorf("%s: no seed has the word %q", one.Name, word)
			}
		}
		text := dictionary(one.Words)
		if len(text) == 0 {
			continue
		}
		name := one.Name + ".dict"
		want = append(want, name)
		path := filepath.Join(dir, name)
		if *update {
			if err := os.WriteFile(path, text, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if got, err := os.ReadFile(path); err != nil || !bytes.Equal(got, text) {
			t.Errorf("%s is not what its target says (%v): go test ./fuzz/campaign -run TestDictionaries -update", path, err)
		}
	}
	files, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range files {
		got = append(got, f.Name())
	}
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("%s has %v, want %v", dir, got, want)
	}
}

// dictionary is words as libFuzzer and AFL read them, a line each; empty where there are none.
func dictionary(words []string) []byte {
	var b []byte
	for _, word := range words {
		b = append(b, '"')
		for _, c := range []byte(word) {
			switch {
			case c == '"' || c == '\\':
				b = append(b, '\\', c)
			case c < ' ' || c > '~':
				b = fmt.Appendf(b, `\x%02x`, c)
			default:
				b = append(b, c)
			}
		}
		b = append(b, "\"\n"...)
	}
	return b
}

// TestDictionaryWords reads a dictionary back: each line is a quoted word.
func TestDictionaryWords(t *testing.T) {
	words := []string{"plain", `a"b\c`, "\x00\x1f\x7f\xff", "é\n"}
	lines := strings.Split(strings.TrimSuffix(string(dictionary(words)), "\n"), "\n")
	if len(lines) != len(words) {
		t.Fatalf("%d lines for %d words", len(lines), len(words))
	}
	for i, line := range lines {
		if back, err := strconv.Unquote(line); err != nil || back != words[i] {
			t.Errorf("%s is read as %q, %v; want %q", line, back, err, words[i])
		}
	}
}

// TestWordsOfTables: the words come from the tables, none is forgotten.
func TestWordsOfTables(t *testing.T) {
	words := map[string][]string{}
	for _, one := range campaign.Targets() {
		words[one.Name] = one.Words
	}
	for s := range rules.Columns() {
		for _, name := range []string{"FuzzCSV_Read_Chunks", "FuzzPayload_Read_Chunks"} {
			if !slices.Contains(words[name], s.Column.String()) {
				t.Errorf("%s does not know the column %v", name, s.Column)
			}
		}
		if !slices.Contains(words["FuzzScriptLine_Parse_Json"], strconv.Quote(s.Column.String())) {
			t.Errorf("scripts do not know the column %v", s.Column)
		}
	}
	for v := engine.EventStop; v <= engine.EventNoRun; v++ {
		if !slices.Contains(words["FuzzScriptLine_Parse_Json"], strconv.Quote(v.String())) {
			t.Errorf("scripts do not know the verb %v", v)
		}
	}
	for _, name := range []string{"profile", "status", "repeat", "ran_through", "paid", "anchor", "missed", "stop", "last", "reasons"} {
		if !slices.Contains(words["FuzzStateLine_Parse_Append"], strconv.Quote(name)) {
			t.Errorf("states do not know %s", name)
		}
	}
	for c := range engine.Keys() {
		for _, value := range c.Entry().Values() {
			if !slices.Contains(words["FuzzPolicy_Parse_String"], c.Entry().Key+"="+value) {
				t.Errorf("policies do not know %s=%s", c.Entry().Key, value)
			}
		}
	}
}

// wrappers are the functions of this file that go test -list '^Fuzz' shows.
func wrappers(t *testing.T) []string {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "target_test.go", nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, d := range file.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil && strings.HasPrefix(f.Name.Name, "Fuzz") {
			found = append(found, f.Name.Name)
		}
	}
	slices.Sort(found)
	return found
}

// TestRowsOfLongStreams: several thousand rows, each read alone and among the others (V04).
func TestRowsOfLongStreams(t *testing.T) {
	streams := 12
	if testing.Short() {
		streams = 2
	}
	body := bodyOf(t, "FuzzStream_Rows_Alone")
	for i := range streams {
		body([]byte("stream " + strconv.Itoa(i)))
	}
}
