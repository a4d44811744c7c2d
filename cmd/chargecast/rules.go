package main

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/chargecast/chargecast/internal/strictjson"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/rules"
)

func newRules(a *app) *cobra.Command {
	c := &cobra.Command{
		Use:   "rules",
		Short: "Lists every code that a check of a payload, a state file, a script or an output can give",
		Long: `rules lists the codes of all findings about a payload, and about the lines of a state file,
a script or an output: the default severity, how firm the rule is (stated by the document,
inferred from its wording, or assumed where it is silent), the clause or ledger entry, and
what it says. Codes are stable.`,
		Example: `  chargecast rules
  chargecast rules -o json
  chargecast explain finish-before-start`,
		Args: noArguments,
	}
	format := outputFlag(c, "table", "json")
	colour := colourFlag(c)
	c.RunE = func(*cobra.Command, []string) error {
		if format.value == "json" {
			a.out.b = appendRulesJSON(a.out.b)
		} else {
			a.out.b = appendRulesText(a.out.b, a.text(colour.value))
		}
		a.out.endLine()
		return nil
	}
	return c
}

func appendRulesText(dst []byte, p paint) []byte {
	width := 0
	for r := range inputRules() {
		width = max(width, len(string(r.Code)))
	}
	for r := range inputRules() {
		dst = p.bold(dst, string(r.Code))
		dst = append(dst, strings.Repeat(" ", width-len(string(r.Code))+2)...)
		dst = append(dst, pad(r.Severity.String(), 9)+pad(r.Basis.String()+" "+r.Clause.String(), 16)...)
		dst = p.hanging(dst, width+2+9+16, r.Text)
	}
	return dst
}

func appendRulesJSON(dst []byte) []byte {
	dst = append(dst, `{"schema":"chargecast.rules/1","rules":[`...)
	sep := "\n"
	for r := range inputRules() {
		dst = appendRuleJSON(append(dst, sep...), r)
		sep = ",\n"
	}
	return append(dst, "\n]}\n"...)
}

func appendRuleJSON(dst []byte, r ledger.Rule) []byte {
	dst = append(dst, `{"code":"`+string(r.Code)+`"`...)
	for _, f := range [...]struct{ name, text string }{
		{"severity", r.Severity.String()}, {"basis", r.Basis.String()}, {"clause", r.Clause.String()}, {"text", r.Text}, {"help", r.Help}, {"good", r.Good}, {"bad", r.Bad}, {"note", r.Note},
	} {
		if f.text != "" {
			dst = append(dst, `,"`+f.name+`":`...)
			dst = strictjson.AppendString(dst, f.text)
		}
	}
	return append(dst, '}')
}

func appendRuleText(dst []byte, r ledger.Rule, p paint) []byte {
	dst = append(p.bold(dst, string(r.Code)), "  "+r.Severity.String()...)
	if r.Note != "" {
		dst = append(dst, " ("+r.Note+")"...)
	}
	dst = append(dst, "\n\n"...)
	dst = p.wrapped(dst, "  ", sentence(r.Text))
	if r.Help != "" {
		dst = p.wrapped(dst, "  ", sentence(r.Help))
	}
	if r.Good != "" {
		dst = p.hanging(append(dst, "\n  good  "...), 8, visible(r.Good))
		dst = p.hanging(append(dst, "  bad   "...), 8, visible(r.Bad))
	}
	e := r.Clause.Entry()
	if r.Clause != 0 {
		dst = append(dst, "\n  "+r.Basis.String()+", "+e.Clause.String()+": "+e.Question+" ("+e.Where+")\n"...)
	}
	for _, reading := range e.Readings {
		text := reading.Text
		if reading.Value != "" {
			text = e.Key + "=" + reading.Value + ": " + text
		}
		dst = p.wrapped(dst, "    ", text)
	}
	switch r.Code {
	case rules.ColumnUnknown, rules.ColumnMissing, rules.NoHeader:
		dst = appendColumns(append(dst, "\n  The columns, in any order:\n"...))
	}
	return dst
}

// appendColumns appends the names that a header row may have, and what belongs there.
func appendColumns(dst []byte) []byte {
	for s := range rules.Columns() {
		dst = append(append(dst, "    "...), pad(s.Name, 21)+pad(needOf(s), 23)+s.Kind()...)
		if most := cmp.Or(s.Warn, s.Max); most > 0 {
			dst = append(dst, ", "+strconv.Itoa(most)+" characters at most"...)
		}
		if s.Condition != "" {
			dst = append(dst, "; required if "+s.Condition...)
		}
		dst = append(dst, '\n')
	}
	return dst
}

// needOf is the table's need of a column, in words.
func needOf(s rules.Spec) string {
	need := map[string]string{"R": "required", "C": "conditional", "O": "optional"}[s.Need]
	switch {
	case s.SourceOnly && s.Need == "R":
		need += " for SRC"
	case s.SourceOnly:
		need += ", SRC only"
	}
	return need
}

// sentence is a text of the table as a sentence of its own.
func sentence(s string) string {
	if s == "" {
		return ""
	}
	if c := s[0]; 'a' <= c && c <= 'z' && !strings.Contains(strings.SplitN(s, " ", 2)[0], "-") && !strings.Contains(strings.SplitN(s, " ", 2)[0], "_") {
		s = string(c-'a'+'A') + s[1:]
	}
	return s + "."
}
