package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/rules"
)

// TestToldCodesAreRules holds every code that the command itself gives to a finding, about the
// lines of states and scripts above all, to the table of rules: explain must know it (X01).
func TestToldCodesAreRules(t *testing.T) {
	kebab := regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)+$`)
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	told := map[string]bool{}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || !tells(call.Fun) {
				return true
			}
			for _, arg := range call.Args {
				lit, ok := arg.(*ast.BasicLit)
				if !ok || lit.Kind != token.STRING {
					continue
				}
				if word, err := strconv.Unquote(lit.Value); err == nil && kebab.MatchString(word) {
					told[word] = true
				}
			}
			return true
		})
	}
	scripts := testScripts(t)
	for code := range told {
		if _, ok := rules.Lookup(ledger.Code(code)); !ok {
			t.Errorf("%s is no rule", code)
		}
		if !strings.Contains(scripts, code) && code != string(rules.JSONSyntax) {
			t.Errorf("no script of the tests meets %s", code)
		}
	}
	if len(told) < 10 {
		t.Errorf("only %d codes were found", len(told))
	}
}

// tells knows the functions that tell a finding, by their names.
func tells(fun ast.Expr) bool {
	name := ""
	switch f := fun.(type) {
	case *ast.Ident:
		name = f.Name
	case *ast.SelectorExpr:
		name = f.Sel.Name
	}
	switch name {
	case "lineProblem", "error", "warn":
		return true
	}
	return false
}

func testScripts(t *testing.T) string {
	files, err := filepath.Glob("testdata/script/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		b.Write(text)
	}
	return b.String()
}
