package chargecast_test

import (
	"cmp"
	"iter"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/gateway"
	"github.com/chargecast/chargecast/internal/capture"
	"github.com/chargecast/chargecast/internal/explained"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/reconcile"
	"github.com/chargecast/chargecast/record"
	"github.com/chargecast/chargecast/rules"
	"github.com/chargecast/chargecast/signature"
	"github.com/chargecast/chargecast/signature/diagnose"
	"github.com/chargecast/chargecast/signature/oauthhttp"
)

// TestCodesAreUnique: one lookup explains every name, so no name stands in two tables: the rules of a
// room, the mistakes of signing, the changes of payload fix. And every code that a room declares is
// explained by one of them.
func TestCodesAreUnique(t *testing.T) {
	kebab := regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)
	table := map[string]string{}
	add := func(name, code, text string) {
		if other, twice := table[code]; twice {
			t.Errorf("%s stands in the table of %s and in that of %s", code, other, name)
		}
		if !kebab.MatchString(code) || text == "" {
			t.Errorf("%s: %q is not a name, or says nothing", name, code)
		}
		table[code] = name
	}
	for _, room := range ruleTables() {
		for r := range room.rules {
			add(room.name, string(r.Code), r.Text)
			if r.Severity == 0 || r.Help == "" && room.name != "engine" || r.Basis < r.Clause.Basis() || (r.Good == "") != (r.Bad == "") {
				t.Errorf("%s: %+v has no severity or help, is firmer than its clause, or has half an example", room.name, r)
			}
		}
	}
	for m := range diagnose.Mistakes() {
		if m.ID == string(signature.TimestampMillis) {
			continue // one name for one mistake, made before signing or while signing; the rule says so
		}
		add("the mistakes of signing", m.ID, m.Text)
	}
	for r := range rules.Repairs() {
		add("payload fix", string(r.Code), r.Text)
	}

	declared := regexp.MustCompile(`\bledger\.Code = "([^"]+)"|\bReason = "([^"]+)"`)
	n := 0
	for dir, pkg := range packages(t) {
		for _, file := range pkg.GoFiles {
			text, err := os.ReadFile(filepath.Join(dir, file))
			if err != nil {
				t.Fatal(err)
			}
			for _, found := range declared.FindAllSubmatch(text, -1) {
				n++
				if code := string(found[1]) + string(found[2]); table[code] == "" {
					t.Errorf("%s in %s is explained nowhere", code, filepath.Join(dir, file))
				}
			}
		}
	}
	if n < len(table)/2 {
		t.Errorf("%d codes found in the source, and %d in the tables", n, len(table))
	}
}

// A ruleTable is the table of codes of one package.
type ruleTable struct {
	name, title string // of the package, and of its section in docs/codes.md
	rules       iter.Seq[ledger.Rule]
}

func ruleTables() []ruleTable {
	return []ruleTable{
		{"rules", "Payloads and updates", rules.Rules()},
		{"record", "States, scripts and outputs", record.Rules()},
		{"reconcile", "Actual charges", reconcile.Rules()},
		{"engine", "Profiles, events and policies", engine.Rules()},
		{"signature", "Signatures", signature.Rules()},
		{"oauthhttp", "Signed requests", oauthhttp.Rules()},
		{"capture", "Captured requests", capture.Rules()},
		{"explained", "Keys and secrets", explained.KeyRules()},
		{"gateway", "The gateway to test against", gateway.Rules()},
	}
}

// TestCodesPage: docs/codes.md has every code, mistake of signing and change of payload fix.
func TestCodesPage(t *testing.T) {
	golden(t, "docs/codes.md", codesPage())
}

func codesPage() string {
	var b strings.Builder
	b.WriteString(`<!-- Generated from the tables of the packages by go test . -update. -->

# Codes

Every problem that chargecast reports has a code, and codes are stable. Each entry gives the default severity, the clause
of [the document](document.md) or entry of [the ledger](ledger.md) it comes from, and the basis: *stated* by the document,
*inferred* from its wording, or *assumed* where it is silent. ` + "`--severity CODE=error|warning|off`" + ` changes the severity of a code about
payloads. ` + "`chargecast explain CODE`" + ` prints one entry.
`)
	for _, room := range ruleTables() {
		b.WriteString("\n## " + room.title + "\n")
		for r := range room.rules {
			writeCode(&b, r)
		}
	}
	b.WriteString("\n## Mistakes of signing\n\n`chargecast check` names these where the signature is not the one expected.\n")
	for m := range diagnose.Mistakes() {
		if m.ID != string(signature.TimestampMillis) {
			b.WriteString("\n### " + m.ID + "\n\n" + sentence(m.Text) + " " + sentence(m.Fix) + "\n")
		}
	}
	b.WriteString("\n## Changes of payload fix\n\n`chargecast payload fix` reports these for what it changes or refuses.\n")
	for r := range rules.Repairs() {
		b.WriteString("\n### " + string(r.Code) + "\n\n" + sentence(r.Text) + "\n")
	}
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
	return b.String()
}

func writeCode(b *strings.Builder, r ledger.Rule) {
	b.WriteString("\n### " + string(r.Code) + "\n\n" + sentence(r.Text) + " **" + r.Severity.String() + "**")
	if r.Note != "" {
		b.WriteString(" (" + r.Note + ")")
	}
	if r.Clause != 0 {
		b.WriteString(", " + r.Clause.String() + ", " + r.Basis.String())
	}
	b.WriteString(".")
	if r.Help != "" {
		b.WriteString(" " + sentence(r.Help))
	}
	b.WriteString("\n")
	if r.Good != "" {
		b.WriteString("\n```text\ngood  " + strings.ReplaceAll(r.Good, "\n", "\n      ") + "\nbad   " + strings.ReplaceAll(r.Bad, "\n", "\n      ") + "\n```\n")
	}
	if rules.Unreadable(r.Code) {
		b.WriteString("\nThe input cannot be read as a payload at all: exit code 3.\n")
	}
}

// sentence is a text of a table as a sentence; one that begins with a name in lower case keeps it.
func sentence(text string) string {
	if text == "" {
		return ""
	}
	if first, _, _ := strings.Cut(text, " "); strings.ContainsAny(first, "-_=.(") {
		return strings.TrimSuffix(text, ".") + "."
	}
	return strings.ToUpper(text[:1]) + strings.TrimSuffix(text[1:], ".") + "."
}
