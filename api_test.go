package chargecast_test

import (
	"bytes"
	"errors"
	"go/ast"
	"go/build"
	"go/doc"
	"go/parser"
	"go/printer"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestAPI compares the exported surface of every package with api/, one sorted line a symbol, so that
// a change of it is read in review. It also refuses a symbol without a sentence about it.
func TestAPI(t *testing.T) {
	written := map[string]bool{}
	for _, dir := range libraryPackages(t) {
		name := filepath.Join("api", strings.ReplaceAll(dir, "/", "_")+".txt")
		written[name] = true
		got := strings.Join(surface(t, dir), "\n") + "\n"
		if *update {
			if err := os.WriteFile(name, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(name)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			t.Fatal(err)
		}
		for _, line := range difference(string(want), got) {
			t.Errorf("%s: %s; go test . -run TestAPI -update writes it", name, line)
		}
	}
	files, err := filepath.Glob("api/*.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		if !written[name] {
			t.Errorf("%s belongs to no package", name)
		}
	}
}

// TestTexts: a type with AppendText has MarshalText, so that every version of encoding/json writes
// the same, and a number with words is a word in JSON too: engine.EffectKind and engine.Why are
// none, as an Effect and an Explanation have no JSON form.
func TestTexts(t *testing.T) {
	number := regexp.MustCompile(`^type (\w+) uint8$`)
	appender := regexp.MustCompile(`^func \((\w+)\) AppendText\(\w+ \[\]byte\) \(\[\]byte, error\)$`)
	for _, dir := range libraryPackages(t) {
		symbols := surface(t, dir)
		has := func(receiver, method string) bool { return slices.Contains(symbols, "func ("+receiver+") "+method) }
		for _, line := range symbols {
			m := appender.FindStringSubmatch(line)
			if n := number.FindStringSubmatch(line); n != nil && has(n[1], "String() string") {
				m = n
			}
			if m != nil && !has(m[1], "MarshalText() ([]byte, error)") && !has(m[1], "MarshalJSON() ([]byte, error)") && m[1] != "EffectKind" && m[1] != "Why" {
				t.Errorf("%s.%s has a text, but not in JSON: add MarshalText", dir, m[1])
			}
		}
	}
}

// libraryPackages are the packages that other modules can import.
func libraryPackages(t *testing.T) []string {
	var dirs []string
	for dir, pkg := range packages(t) {
		if pkg.Name != "main" && dir != "." && !strings.Contains("/"+dir+"/", "/internal/") {
			dirs = append(dirs, dir)
		}
	}
	slices.Sort(dirs)
	return dirs
}

// difference lists the lines that only one of two texts has.
func difference(want, got string) []string {
	var list []string
	for line := range strings.Lines(want) {
		if !strings.Contains("\n"+got, "\n"+line) {
			list = append(list, "- "+strings.TrimSpace(line))
		}
	}
	for line := range strings.Lines(got) {
		if !strings.Contains("\n"+want, "\n"+line) {
			list = append(list, "+ "+strings.TrimSpace(line))
		}
	}
	return list
}

// surface lists the exported symbols of a package, and reports those that say nothing.
func surface(t *testing.T, dir string) []string {
	pkg, err := build.ImportDir(dir, 0)
	if err != nil {
		t.Fatal(err)
	}
	set := token.NewFileSet()
	var files []*ast.File
	for _, name := range pkg.GoFiles {
		file, err := parser.ParseFile(set, filepath.Join(dir, name), nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	docs, err := doc.NewFromFiles(set, files, module+"/"+dir)
	if err != nil {
		t.Fatal(err)
	}
	s := symbols{t: t, set: set, pkg: dir}
	if docs.Doc == "" {
		t.Errorf("package %s has no comment", dir)
	}
	s.values(docs.Consts)
	s.values(docs.Vars)
	for _, f := range docs.Funcs {
		s.function(f)
	}
	for _, typ := range docs.Types {
		s.typ(typ)
	}
	slices.Sort(s.lines)
	return slices.Compact(s.lines)
}

// symbols collects the lines of a package.
type symbols struct {
	t     *testing.T
	set   *token.FileSet
	pkg   string
	lines []string
}

func (s *symbols) add(line, comment string) {
	if strings.TrimSpace(comment) == "" {
		s.t.Errorf("%s: %s has no comment", s.pkg, line)
	}
	s.lines = append(s.lines, line)
}

// values adds constants and variables. A comment on the group or on the line is one.
func (s *symbols) values(list []*doc.Value) {
	for _, v := range list {
		for _, spec := range v.Decl.Specs {
			spec := spec.(*ast.ValueSpec)
			for _, name := range spec.Names {
				if ast.IsExported(name.Name) {
					s.add(v.Decl.Tok.String()+" "+name.Name, v.Doc+spec.Comment.Text()+spec.Doc.Text())
				}
			}
		}
	}
}

func (s *symbols) function(f *doc.Func) {
	receiver := ""
	if f.Recv != "" {
		receiver = "(" + f.Recv + ") "
	}
	s.add("func "+receiver+f.Name+strings.TrimPrefix(s.text(f.Decl.Type), "func"), f.Doc+conventional(f.Name))
}

// conventional is the meaning of a method that many types share under the same contract.
func conventional(name string) string {
	switch name {
	case "Error", "Unwrap", "String", "MarshalText", "UnmarshalText", "Len", "Less", "Swap":
		return name
	}
	return ""
}

func (s *symbols) typ(typ *doc.Type) {
	for _, spec := range typ.Decl.Specs {
		spec := spec.(*ast.TypeSpec)
		comment := typ.Doc + spec.Comment.Text() + spec.Doc.Text()
		switch of := spec.Type.(type) {
		case *ast.StructType:
			s.add("type "+spec.Name.Name+" struct", comment)
			s.fields(spec.Name.Name, of.Fields)
		case *ast.InterfaceType:
			s.add("type "+spec.Name.Name+" interface", comment)
			s.fields(spec.Name.Name, of.Methods)
		default:
			s.add("type "+spec.Name.Name+" "+s.text(spec.Type), comment)
		}
	}
	s.values(typ.Consts)
	s.values(typ.Vars)
	for _, f := range slices.Concat(typ.Funcs, typ.Methods) {
		s.function(f)
	}
}

// fields adds the exported fields of a struct and the methods of an interface.
func (s *symbols) fields(owner string, list *ast.FieldList) {
	for _, f := range list.List {
		if len(f.Names) == 0 {
			s.lines = append(s.lines, "field "+owner+" "+s.text(f.Type))
		}
		for _, name := range f.Names {
			if ast.IsExported(name.Name) {
				s.lines = append(s.lines, "field "+owner+"."+name.Name+" "+s.text(f.Type))
			}
		}
	}
}

func (s *symbols) text(node ast.Node) string {
	var b bytes.Buffer
	if err := printer.Fprint(&b, s.set, node); err != nil {
		s.t.Fatal(err)
	}
	return strings.Join(strings.Fields(b.String()), " ")
}
