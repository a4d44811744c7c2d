package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/chargecast/chargecast/internal/program"
	"github.com/chargecast/chargecast/record"
	"github.com/chargecast/chargecast/rules"
)

// TestLineCodesAreMet: every code about states, scripts and outputs is explained by the command (X01),
// has a name of its own, and is met by a scenario of the tests.
func TestLineCodesAreMet(t *testing.T) {
	scripts := testScripts(t)
	n := 0
	for r := range record.Rules() {
		n++
		if found, ok := rulebook.Lookup(r.Code); !ok || found.Text != r.Text || isPayloadCode(r.Code) {
			t.Errorf("%s is not explained", r.Code)
		}
		if !strings.Contains(scripts, ": "+string(r.Code)+": ") {
			t.Errorf("no scenario meets %s", r.Code)
		}
	}
	if n < 25 {
		t.Errorf("only %d codes", n)
	}
}

// TestRepairsAreExplained: every code that payload fix prints has an explanation that names it, and
// completion offers each code once.
func TestRepairsAreExplained(t *testing.T) {
	for r := range rules.Repairs() {
		e, ok := explanationOf(string(r.Code))
		if !ok || !strings.HasPrefix(string(e.show(nil, paint{columns: defaultWidth})), string(r.Code)+"  ") || !json.Valid(program.JSON(e.record)) {
			t.Errorf("%s is not explained", r.Code)
		}
	}
	seen := map[string]bool{}
	for _, e := range explanations() {
		if seen[e.id] {
			t.Errorf("%s is offered twice", e.id)
		}
		seen[e.id] = true
	}
}

// TestMessagesNameNoGo: "raise the option MaxBytes" says nothing to who runs a command, so no code's text or help has a name of
// Go, such as MaxBytes or rand.Reader.
func TestMessagesNameNoGo(t *testing.T) {
	names := regexp.MustCompile(`\b(Max|Min|Allow|With|New)[A-Z]\w*|\b[a-z]+\.[A-Z]\w+|\bthe option [A-Z]`)
	for r := range rulebook.All() {
		f := inCommand(rulebook.Finding(r.Code, r.Text, ""))
		if name := names.FindString(r.Text + "\n" + r.Help + "\n" + f.Help); name != "" {
			t.Errorf("%s names %s", r.Code, name)
		}
	}
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
