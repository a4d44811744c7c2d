package main

import (
	"cmp"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/rules"
)

func TestCodePages(t *testing.T) { // docs/codes is the table, a page for each code
	const dir = "../../docs/codes/"
	pages := map[string]string{"README.md": codeIndex()}
	for r := range inputRules() {
		pages[string(r.Code)+".md"] = codePage(r)
	}
	if *update {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		for name, text := range pages {
			if err := os.WriteFile(dir+name, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	files, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if _, ok := pages[f.Name()]; !ok {
			t.Errorf("%s belongs to no code", f.Name())
		}
	}
	for name, want := range pages {
		got, err := os.ReadFile(dir + name)
		if err != nil {
			t.Error(err)
		} else if string(got) != want {
			t.Errorf("%s is out of date; go test ./cmd/chargecast -update writes it", name)
		}
	}
}

func codeIndex() string {
	var b strings.Builder
	b.WriteString("<!-- Generated from rules.Rules and record.Rules by go test ./cmd/chargecast -update. -->\n\n# Codes\n\n" +
		"Everything that a check of a payload, of a state file, of a script or of an output can find. Codes are stable.\n" +
		"Severities are defaults, and each can be overridden but for those about states, scripts and outputs.\n\n" +
		"| code | severity | basis | clause | rule |\n|---|---|---|---|---|\n")
	for r := range inputRules() {
		b.WriteString("| [" + string(r.Code) + "](" + string(r.Code) + ".md) | " + r.Severity.String() + " | " + r.Basis.String() + " | " +
			r.Clause.String() + " | " + strings.ReplaceAll(r.Text, "|", `\|`) + " |\n")
	}
	return b.String()
}

func codePage(r ledger.Rule) string {
	var b strings.Builder
	b.WriteString("<!-- Generated from rules.Rules and record.Rules by go test ./cmd/chargecast -update. -->\n\n# " + string(r.Code) + "\n\n")
	b.WriteString("Severity **" + r.Severity.String() + "**")
	if r.Note != "" {
		b.WriteString(" (" + r.Note + ")")
	}
	b.WriteString(", basis *" + r.Basis.String() + "*, clause " + r.Clause.String() + ".\n\n")
	b.WriteString("**What is wrong:** " + r.Text + ".\n\n**What to do:** " + r.Help + ".\n\n")
	b.WriteString("Good:\n\n```text\n" + r.Good + "\n```\n\nBad:\n\n```text\n" + r.Bad + "\n```\n\n")
	e := r.Clause.Entry()
	b.WriteString("## " + e.Clause.String() + ": " + e.Question + "\n\n")
	for _, reading := range e.Readings {
		if reading.Value != "" {
			b.WriteString("- `" + e.Key + "=" + reading.Value + "`: ")
		}
		b.WriteString(reading.Text + "\n")
	}
	if r.Code == rules.ColumnUnknown {
		b.WriteString("\n## The columns\n\n| name | needed | for | condition | value | characters at most |\n|---|---|---|---|---|---|\n")
		for s := range rules.Columns() {
			kinds, most := "SRC, DST", ""
			if s.SourceOnly {
				kinds = "SRC"
			}
			if n := cmp.Or(s.Warn, s.Max); n > 0 {
				most = strconv.Itoa(n)
			}
			b.WriteString("| `" + s.Name + "` | " + s.Need + " | " + kinds + " | " + s.Condition + " | " + s.Kind() + " | " + most + " |\n")
		}
		b.WriteString("\nR: required, C: required under the condition, O: optional. In `amount-sequence` the limit holds for each amount.\n")
	}
	if rules.Unreadable(r.Code) {
		b.WriteString("\nAn input with this fault cannot be read as a payload at all; the command then exits with 3.\n")
	}
	return b.String()
}
