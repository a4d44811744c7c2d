package chargecast_test

import (
	"errors"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/chargecast/chargecast"

// rooms says which room may import what. "std" is the standard library. Do not change this data to fix a build:
// change the import. A sub-package belongs to the room above it.
var rooms = map[string][]string{
	".":                    {},
	"internal/enum":        {"std"},
	"internal/clause":      {"ledger"},
	"internal/fault":       {"std"},
	"internal/strictjson":  {"std", "internal/nearest"},
	"internal/form":        {"std"},
	"internal/cardtext":    {"std"},
	"internal/termtext":    {"std"},
	"internal/words":       {"std", "calendar", "amount", "engine", "internal/termtext"},
	"internal/tallyjson":   {"std", "amount"},
	"internal/sensitivity": {"std", "calendar", "amount", "ledger", "engine"},
	"internal/stencil":     {"std", "calendar", "engine"},
	"internal/nearest":     {},
	"internal/program":     {"std", "internal/nearest", "internal/termtext", "github.com/spf13/cobra", "github.com/spf13/pflag", "golang.org/x/term"},
	"internal/exportform":  {"std", "calendar", "internal/enum"},
	"internal/exportmap":   {"std", "ledger", "rules", "internal/exportform", "internal/termtext"},
	"internal/jsonline":    {"std", "calendar", "ledger", "internal/enum", "internal/strictjson"},
	"calendar":             {"std", "internal/enum", "internal/fault"},
	"amount":               {"std", "internal/fault", "github.com/shopspring/decimal"},
	"ledger":               {"std", "internal/enum", "internal/strictjson"},
	"engine":               {"std", "calendar", "amount", "ledger", "internal/clause", "internal/enum", "internal/strictjson", "internal/jsonline", "internal/tallyjson"},
	"record":               {"std", "calendar", "amount", "ledger", "internal/clause", "engine", "internal/enum", "internal/strictjson", "internal/jsonline", "internal/stencil", "internal/tallyjson"},
	"reconcile":            {"std", "calendar", "amount", "ledger", "internal/clause", "engine", "record", "internal/jsonline", "internal/exportform", "internal/strictjson", "internal/termtext"},
	"report":               {"std", "calendar", "amount", "ledger", "internal/clause", "engine", "record", "internal/sensitivity", "internal/stencil", "internal/termtext", "internal/words"},
	"internal/race":        {"std"},
	"internal/testkeys":    {"std"},
	"internal/workload":    {"std"},
	"internal/signtest":    {"std", "signature", "internal/testkeys", "internal/workload"},
	"signature":            {"std", "ledger", "internal/clause", "internal/enum", "internal/form"},
	"signature/diagnose":   {"std", "signature"},
	"internal/capture":     {"std", "ledger", "internal/clause"},
	"internal/check":       {"std", "ledger", "rules", "signature", "signature/diagnose", "internal/capture", "internal/termtext"},
	"internal/httprules":   {"std", "ledger", "internal/clause"},
	"internal/explained":   {"std", "ledger", "internal/clause", "engine", "rules", "record", "reconcile", "signature", "internal/capture", "internal/httprules"},
	"internal/seal":        {"std"},
	"internal/httpbody":    {"std", "ledger", "internal/httprules"},
	"internal/book":        {"std", "calendar", "ledger", "internal/clause", "engine", "rules", "record"},
	"internal/whyday":      {"std", "calendar", "ledger", "internal/clause", "engine", "record", "report", "internal/strictjson", "internal/termtext"},
	"signature/oauthhttp":  {"std", "signature", "ledger", "internal/httpbody", "internal/httprules"},
	"rules":                {"std", "calendar", "amount", "ledger", "internal/clause", "engine", "internal/exportform", "internal/cardtext", "internal/enum", "internal/form", "internal/nearest"},
	"gateway/client":       {"std", "calendar", "amount", "gateway/response", "internal/fault", "signature", "signature/oauthhttp"},
	"gateway/response":     {"std", "internal/enum", "internal/fault", "internal/form"},
	"gateway":              {"std", "calendar", "amount", "ledger", "internal/clause", "engine", "rules", "gateway/response", "record", "signature", "signature/diagnose", "signature/oauthhttp", "internal/cardtext", "internal/enum", "internal/httpbody", "internal/jsonline", "internal/seal", "internal/strictjson", "internal/termtext"},
	"internal/testpayload": {"std", "rules"},
	"gateway/gatewaytest":  {"std", "calendar", "engine", "gateway", "signature", "signature/oauthhttp", "internal/testkeys", "internal/testpayload"},
	"internal/storetest":   {"std", "calendar", "amount", "ledger", "internal/clause", "engine", "record", "rules", "gateway", "signature", "internal/testpayload"},
	"internal/oracle":      {"std"},
	"internal/gen":         {"std", "fuzz/vectortest", "calendar", "amount", "ledger", "internal/clause", "engine", "rules", "record", "gateway/response", "internal/oracle", "github.com/leanovate/gopter"},
	"internal/lawtext":     {"std"},
	"internal/kit":         {"std", "calendar", "amount", "ledger", "internal/clause", "engine", "rules", "record", "signature", "internal/testkeys", "internal/oracle", "internal/gen", "internal/lawtext", "internal/termtext", "github.com/shopspring/decimal", "github.com/google/go-cmp/cmp"},
	"fuzz":                 {"std", "amount", "calendar", "engine", "internal/gen", "internal/kit", "internal/lawtext", "ledger", "rules", "signature"},
	"cmd/chargecast":       {"std", "calendar", "amount", "ledger", "internal/clause", "engine", "rules", "record", "reconcile", "report", "signature", "signature/diagnose", "internal/book", "internal/capture", "internal/check", "internal/explained", "internal/lawtext", "internal/program", "internal/sensitivity", "internal/strictjson", "internal/nearest", "internal/exportform", "internal/exportmap", "internal/tallyjson", "internal/termtext", "internal/whyday", "internal/words", "github.com/spf13/cobra", "github.com/spf13/pflag", "golang.org/x/text"},

	// The second program is the kit's: nobody who forecasts carries it.
	"cmd/chargecast-conform": {"std", "engine", "internal/kit", "internal/program", "internal/termtext", "github.com/spf13/cobra", "github.com/spf13/pflag"},

	// The vectors know none of the rooms that they judge.
	"fuzz/vectortest": {"std"},
}

// pure are the rooms that read no clock, no chance and no environment, and start nothing.
var pure = []string{"calendar", "amount", "ledger", "engine", "record", "reconcile", "report", "rules", "gateway/response", "signature", "signature/diagnose"}

// impure are the packages that a pure room has no use for. Do not change this data to fix a build.
var impure = []string{"os", "os/exec", "os/signal", "unsafe", "C", "math/rand", "math/rand/v2", "net", "net/http", "log", "log/slog", "syscall", "plugin", "embed"}

// excused are the imports of impure packages that a pure room needs: signature declares LogValue, and logs nothing;
// the frame, style and script of report's page are files, which are part of the program and the same everywhere.
var excused = map[string]string{"signature": "log/slog", "report": "embed"}

// clocks are the functions of package time that look at the clock.
var clocks = []string{"Now", "Since", "Until", "After", "AfterFunc", "Sleep", "Tick", "NewTimer", "NewTicker"}

// exact are the rooms in which no number is a float.
var exact = []string{"calendar", "amount", "ledger", "engine", "record", "reconcile", "report"}

// inexact are their files with floats: a percentage is a probability, and no money.
var inexact = []string{"amount/percent.go"}

// TestRooms holds every package against the rooms above: it imports what its room may, and nothing is allowed that no
// package of the room imports.
func TestRooms(t *testing.T) {
	seen := map[string]bool{}
	used := map[[2]string]bool{}
	for dir, pkg := range packages(t) {
		room := roomOf(dir)
		if room == "" {
			t.Errorf("%s belongs to no room", dir)
			continue
		}
		seen[room] = true
		for _, imported := range pkg.Imports {
			may, ok := allowed(room, imported)
			if !ok {
				t.Errorf("%s imports %s, which its room may not", dir, imported)
			}
			used[[2]string{room, may}] = true
		}
	}
	for room, imports := range rooms {
		if !seen[room] {
			t.Errorf("there is no package in the room %s", room)
		}
		for _, may := range imports {
			if !used[[2]string{room, may}] {
				t.Errorf("no package of the room %s imports %s, which it may", room, may)
			}
		}
	}
}

// TestShippedProgram: the program that everybody installs carries nothing of the kit that tests: no law, no generator, no
// private key, no package testing.
func TestShippedProgram(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", "./cmd/chargecast").Output()
	if err != nil {
		t.Skip("go list does not run: ", err)
	}
	deps := strings.Fields(string(out))
	for _, dep := range deps {
		if dep == "testing" || strings.Contains(dep, "gopter") || strings.HasPrefix(dep, module+"/fuzz") || strings.HasSuffix(dep, "testkeys") || dep == "net/http" {
			t.Errorf("cmd/chargecast has %s in it", dep)
		}
	}
	if len(deps) < 50 {
		t.Errorf("only %d packages", len(deps))
	}
}

// TestEmbedder: a program that keeps profiles gets one foreign module with the engine, and no network.
func TestEmbedder(t *testing.T) {
	var walk func(dir string)
	seen := map[string]bool{}
	walk = func(dir string) {
		if seen[dir] {
			return
		}
		seen[dir] = true
		pkg, err := build.ImportDir(dir, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, imported := range pkg.Imports {
			if rest, ours := strings.CutPrefix(imported, module+"/"); ours {
				walk(rest)
				continue
			}
			if foreign := strings.Contains(strings.SplitN(imported, "/", 2)[0], "."); foreign && imported != "github.com/shopspring/decimal" || strings.HasPrefix(imported, "net") {
				t.Errorf("%s, under the engine, imports %s", dir, imported)
			}
		}
	}
	walk("engine")
	walk("record")
}

// TestPure looks into the sources of the library for what makes results depend on more than the arguments.
func TestPure(t *testing.T) {
	for dir, pkg := range packages(t) {
		room := roomOf(dir)
		if !slices.Contains(pure, room) {
			continue
		}
		for _, imported := range pkg.Imports {
			if slices.Contains(impure, imported) && excused[room] != imported {
				t.Errorf("%s imports %s", dir, imported)
			}
		}
		for _, name := range pkg.GoFiles {
			inspect(t, filepath.Join(dir, name), slices.Contains(exact, room) && !slices.Contains(inexact, filepath.ToSlash(filepath.Join(dir, name))))
		}
	}
}

// inspect reports clocks, goroutines, init functions and, where they are forbidden, floats.
func inspect(t *testing.T, file string, noFloats bool) {
	set := token.NewFileSet()
	tree, err := parser.ParseFile(set, file, nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(tree, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			if x, ok := n.X.(*ast.Ident); ok && x.Name == "time" && slices.Contains(clocks, n.Sel.Name) {
				t.Errorf("%s: time.%s", set.Position(n.Pos()), n.Sel.Name)
			}
			if n.Sel.Name == "Go" { // of a sync.WaitGroup
				t.Errorf("%s: a goroutine", set.Position(n.Pos()))
			}
		case *ast.GoStmt:
			t.Errorf("%s: a goroutine", set.Position(n.Pos()))
		case *ast.FuncDecl:
			if n.Recv == nil && n.Name.Name == "init" {
				t.Errorf("%s: an init function", set.Position(n.Pos()))
			}
		case *ast.Ident:
			if noFloats && (n.Name == "float64" || n.Name == "float32") {
				t.Errorf("%s: a float where money or dates are", set.Position(n.Pos()))
			}
		}
		return true
	})
}

// packages are those of the module that have source files, by directory.
func packages(t *testing.T) map[string]*build.Package {
	found := map[string]*build.Package{}
	err := filepath.WalkDir(".", func(dir string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		if dir != "." && leftOut(dir, d.Name()) {
			return filepath.SkipDir
		}
		pkg, err := build.ImportDir(dir, 0)
		if _, none := errors.AsType[*build.NoGoError](err); none {
			return nil
		}
		found[filepath.ToSlash(dir)] = pkg
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(found) < len(rooms) {
		t.Fatalf("only %v are found", slices.Sorted(maps.Keys(found)))
	}
	return found
}

// leftOut are the directories of data and of other modules.
func leftOut(dir, name string) bool {
	if name == "testdata" || strings.HasPrefix(name, ".") {
		return true
	}
	_, err := os.Stat(filepath.Join(dir, "go.mod"))
	return err == nil
}

// roomOf is the room that a directory lies in; empty for none.
func roomOf(dir string) string {
	for at := dir; ; at = path.Dir(at) {
		if _, ok := rooms[at]; ok && (at != "." || dir == ".") {
			return at
		}
		if at == "." {
			return ""
		}
	}
}

// allowed returns the entry of a room that allows an import, and whether there is one.
func allowed(room, imported string) (string, bool) {
	if rest, ours := strings.CutPrefix(imported, module+"/"); ours {
		to := roomOf(rest)
		return to, to == room || slices.Contains(rooms[room], to)
	}
	for _, may := range rooms[room] {
		std := may == "std" && !strings.Contains(strings.SplitN(imported, "/", 2)[0], ".")
		if std || imported == may || strings.HasPrefix(imported, may+"/") {
			return may, true
		}
	}
	return "", false
}
