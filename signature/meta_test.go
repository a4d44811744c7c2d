package signature_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestTagsAreComparedInConstantTime looks at every comparison of bytes and every use of hex in the source (S07). A
// digest that a public key recovers is public; so are moduli.
func TestTagsAreComparedInConstantTime(t *testing.T) {
	allowed := map[string][]string{
		"hmac.Equal":         {"keys.go", "diagnose/hmac.go"},
		"bytes.Equal":        {"diagnose/rsa.go"},
		"bytes.Compare":      {"keys.go"},                                      // with the modulus
		"slices.Equal":       {"diagnose/difference.go", "diagnose/search.go"}, // of parameters
		"hex.EncodeToString": {"timestamp.go", "diagnose/rsa.go", "keys.go"},
	}
	watched := []string{"hmac.Equal", "bytes.Equal", "bytes.Compare", "bytes.EqualFold", "slices.Equal", "reflect.DeepEqual", "subtle.ConstantTimeCompare",
		"hex.EncodeToString", "hex.AppendEncode", "hex.Encode"}
	seen := map[string]bool{}
	for name, file := range sources(t) {
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CallExpr:
				call := dotted(n.Fun)
				if slices.Contains(watched, call) {
					seen[call+" "+name] = true
					if !slices.Contains(allowed[call], name) {
						t.Errorf("%s calls %s", name, call)
					}
				}
			case *ast.BinaryExpr:
				if n.Op == token.EQL || n.Op == token.NEQ {
					for _, side := range [...]ast.Expr{n.X, n.Y} {
						if isTag(side) && dotted(n.Y) != "nil" {
							t.Errorf("%s compares a tag with %s", name, n.Op)
						}
					}
				}
			}
			return true
		})
	}
	for _, must := range []string{"hmac.Equal keys.go", "hmac.Equal diagnose/hmac.go"} {
		if !seen[must] {
			t.Errorf("not found: %s", must)
		}
	}
}

// isTag reports whether a text is the name of a tag, or made of one.
func isTag(e ast.Expr) bool {
	if call, ok := e.(*ast.CallExpr); ok && len(call.Args) == 1 && dotted(call.Fun) == "string" {
		e = call.Args[0]
	}
	if slice, ok := e.(*ast.SliceExpr); ok {
		e = slice.X
	}
	return slices.Contains([]string{"sum", "tag", "mac", "raw", "digest"}, dotted(e))
}

func dotted(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return dotted(e.X) + "." + e.Sel.Name
	}
	return ""
}

func sources(t *testing.T) map[string]*ast.File {
	t.Helper()
	files := map[string]*ast.File{}
	for _, pattern := range [...]string{"*.go", "diagnose/*.go"} {
		names, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			files[filepath.ToSlash(name)] = file
		}
	}
	return files
}
