package chargecast_test

import (
	"cmp"
	"flag"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"github.com/chargecast/chargecast/ledger"
)

var update = flag.Bool("update", false, "rewrite the generated pages")

// TestLedgerPage holds docs/ledger.md to the table in ledger (law X05).
func TestLedgerPage(t *testing.T) {
	golden(t, "docs/ledger.md", ledgerPage())
}

// golden compares a generated page with its file, or writes the file with -update.
func golden(t *testing.T, page, want string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(page, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Errorf("%s is out of date; go test . -update writes it", page)
	}
}

func ledgerPage() string {
	var b strings.Builder
	b.WriteString(`<!-- Generated from ledger.Entries by go test . -update. -->

# The ledger

What the document says, what it leaves open, and how chargecast reads it. A basis is *stated* (the document says so),
*inferred* (it follows from its wording) or *assumed* (the document is silent). Nothing that is inferred or assumed is
the gateway's word. Where users could need another reading there is a policy key: ` + "`--policy KEY=VALUE`" + ` in the
command, a field of engine.Policy in the library. The first value of a key is the default.
`)
	sections := []struct {
		title string
		in    func(ledger.Entry) bool
	}{
		{"Policies", func(e ledger.Entry) bool { return e.Key != "" }},
		{"Fixed readings", func(e ledger.Entry) bool { return e.Key == "" && e.Clause.String()[0] == 'L' }},
		{"Contradictions in the document", func(e ledger.Entry) bool { return e.Clause.String()[0] == 'X' }},
		{"Clauses of the document", func(e ledger.Entry) bool { return e.Clause.String()[0] < 'A' }},
	}
	for _, s := range sections {
		b.WriteString("\n## " + s.title + "\n\n| id | clause | point | reading | basis |\n|---|---|---|---|---|\n")
		for e := range ledger.Entries() {
			if s.in(e) {
				b.WriteString("| " + e.Clause.String() + " | " + e.Where + " | " + cell(e.Question) + " | " + readings(e) + " | " + e.Basis.String() + " |\n")
			}
		}
	}
	return b.String()
}

func readings(e ledger.Entry) string {
	if e.Key == "" {
		return cell(e.Readings[0].Text)
	}
	texts := make([]string, len(e.Readings))
	for i, r := range e.Readings {
		texts[i] = "`" + e.Key + "=" + r.Value + "` " + cell(r.Text)
	}
	return strings.Join(texts, "<br>")
}

// cell is text that cannot break a table.
func cell(s string) string { return strings.ReplaceAll(s, "|", `\|`) }

// TestShownSchedulerCompiles: the scheduler and its tests that docs/fuzz-your-own.md shows are in no pattern of packages, so
// that nothing else notices when a name that they use is gone.
func TestShownSchedulerCompiles(t *testing.T) {
	if out, err := exec.Command("go", "vet", "./internal/kit/conform/testdata/mine").CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestSnippets: what the pages for Go programs show is part of an example that runs, word for word but for its depth.
func TestSnippets(t *testing.T) {
	for page, examples := range map[string]string{
		"docs/embed.md":   "engine/example_embed_test.go",
		"docs/upgrade.md": "engine/example_embed_test.go",
		"docs/sandbox.md": "gateway/gatewaytest/docs_test.go",
	} {
		source, err := os.ReadFile(examples)
		if err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		code := flat(string(source))
		shown, _, _ := strings.Cut(string(text), "\n## As a program\n") // what follows needs Testcontainers
		parts := strings.Split(shown, "```go\n")
		if len(parts) < 3 {
			t.Errorf("%s shows no code", page)
		}
		for _, part := range parts[1:] {
			snippet, _, _ := strings.Cut(part, "```")
			if !strings.Contains(code, flat(snippet)) {
				t.Errorf("%s: no example has\n%s", page, snippet)
			}
		}
	}
}

// flat removes the indentation and blank lines.
func flat(code string) string {
	var b strings.Builder
	for line := range strings.Lines(code) {
		if line = strings.TrimSpace(line); line != "" {
			b.WriteString(line + "\n")
		}
	}
	return b.String()
}

// TestDocumentPage: docs/document.md has a heading for every clause of the document.
func TestDocumentPage(t *testing.T) {
	page, err := os.ReadFile("docs/document.md")
	if err != nil {
		t.Fatal(err)
	}
	for e := range ledger.Entries() {
		id := e.Clause.String()
		if id[0] < 'A' && !regexp.MustCompile(`(?m)^#+ `+regexp.QuoteMeta(id)+` `).Match(page) {
			t.Errorf("clause %s has no heading", id)
		}
	}
}

// TestLinks: every link of a page to a file of this repository leads to a file, and to a heading in it where it names one.
func TestLinks(t *testing.T) {
	link := regexp.MustCompile(`\]\(([^)\s]+)\)`)
	err := filepath.WalkDir(".", func(page string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() && (d.Name() == "node_modules" || d.Name() == ".git") {
			return cmp.Or(err, filepath.SkipDir)
		}
		if filepath.Ext(page) != ".md" {
			return nil
		}
		prose, _ := proseAndHeadings(t, page)
		for _, m := range link.FindAllStringSubmatch(prose, -1) {
			target, heading, _ := strings.Cut(m[1], "#")
			if strings.Contains(target, "://") {
				continue
			}
			file := page
			if target != "" {
				file = filepath.Join(filepath.Dir(page), filepath.FromSlash(target))
			}
			if _, err := os.Stat(file); err != nil {
				t.Errorf("%s: no file %s", page, m[1])
			} else if heading != "" {
				if _, headings := proseAndHeadings(t, file); !headings[heading] {
					t.Errorf("%s: no heading %s", page, m[1])
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// proseAndHeadings returns the text of a page without its blocks of code, and its headings in the form in which links name them.
func proseAndHeadings(t *testing.T, page string) (string, map[string]bool) {
	t.Helper()
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	var prose strings.Builder
	headings, code := map[string]bool{}, false
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "```") {
			code = !code
		}
		if code {
			continue
		}
		prose.WriteString(line)
		if strings.HasPrefix(line, "#") {
			headings[slug(strings.TrimLeft(line, "# "))] = true
		}
	}
	return prose.String(), headings
}

// slug is a heading as links name it: in lower case, with hyphens for spaces, without other signs.
func slug(heading string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case r == '-' || r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r):
			return unicode.ToLower(r)
		}
		return -1
	}, strings.TrimSpace(heading))
}
