package clause_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strings"
	"testing"

	"github.com/chargecast/chargecast/ledger"
)

// TestNames holds the names of the constants, in their order, to the ids of the ledger.
func TestNames(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "clause.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, d := range file.Decls {
		if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.CONST {
			for _, s := range g.Specs {
				names = append(names, s.(*ast.ValueSpec).Names[0].Name)
			}
		}
	}
	i := 0
	for e := range ledger.Entries() {
		if i >= len(names) || names[i] != nameOf(e.Clause.String()) {
			t.Fatalf("entry %d is %v, and its constant is not", i+1, e.Clause)
		}
		i++
	}
	if i != len(names) {
		t.Errorf("%d constants, %d entries", len(names), i)
	}
}

// nameOf returns the name of the constant of an id.
func nameOf(id string) string {
	if id[0] >= 'A' {
		return id
	}
	return "Doc" + strings.ReplaceAll(id, ".", "")
}
