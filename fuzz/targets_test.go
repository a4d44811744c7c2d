package fuzz_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strings"
	"testing"

	"github.com/chargecast/chargecast/fuzz"
)

func FuzzDate_Parse_Reference(f *testing.F)    { tryTarget(f) }
func FuzzAmount_Parse_Expression(f *testing.F) { tryTarget(f) }
func FuzzInt_Grid_Exact(f *testing.F)          { tryTarget(f) }
func FuzzSchedule_At_Walk(f *testing.F)        { tryTarget(f) }
func FuzzPolicy_Parse_String(f *testing.F)     { tryTarget(f) }
func FuzzProfile_Forecast_Walk(f *testing.F)   { tryTarget(f) }
func FuzzEventLog_Simulate_Walk(f *testing.F)  { tryTarget(f) }
func FuzzStateLine_Parse_Append(f *testing.F)  { tryTarget(f) }
func FuzzScriptLine_Parse_Json(f *testing.F)   { tryTarget(f) }
func FuzzCSV_Read_Chunks(f *testing.F)         { tryTarget(f) }
func FuzzPayload_Read_Chunks(f *testing.F)     { tryTarget(f) }
func FuzzBase64_Decode_Standard(f *testing.F)  { tryTarget(f) }
func FuzzForm_Decode_ParseQuery(f *testing.F)  { tryTarget(f) }
func FuzzRow_Compile_Policy(f *testing.F)      { tryTarget(f) }
func FuzzRows_Judge_Faults(f *testing.F)       { tryTarget(f) }

// tryTarget runs the target that has the wrapper's name.
func tryTarget(f *testing.F) {
	for _, target := range fuzz.Targets() {
		if target.Name != f.Name() {
			continue
		}
		for _, s := range target.Seeds {
			f.Add([]byte(s.Data))
		}
		f.Fuzz(func(_ *testing.T, data []byte) { target.Body(data) })
		return
	}
	f.Fatalf("no target is called %s", f.Name())
}

// The table of targets and the wrappers that a fuzzer can find are one list (G07): a
// wrapper that is missing or misspelt would never be run.
func TestTargets(t *testing.T) {
	var listed []string
	for _, target := range fuzz.Targets() {
		listed = append(listed, target.Name)
		if strings.Count(target.Name, "_") != 2 {
			t.Errorf("%s is not named Fuzz<What>_<Op>_<Oracle>", target.Name)
		}
		if len(target.Seeds) == 0 {
			t.Errorf("%s has no seeds", target.Name)
		}
		for _, s := range target.Seeds {
			if s.Why == "" {
				t.Errorf("%s: the seed %q has no reason", target.Name, s.Data)
			}
		}
	}
	slices.Sort(listed)
	if found := wrappers(t); !slices.Equal(listed, found) {
		t.Errorf("targets %v, wrappers %v", listed, found)
	}
}

// wrappers are the functions of this file that go test -list '^Fuzz' shows. The targets
// of signatures bring their seeds with them, in a file of their own.
func wrappers(t *testing.T) []string {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "targets_test.go", nil, parser.SkipObjectResolution)
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
