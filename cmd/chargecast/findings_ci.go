package main

import (
	"encoding/xml"
	"slices"
	"strconv"
	"strings"

	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/rules"
)

// findingsGitHub writes workflow commands that become annotations. One step shows ten
// errors and ten warnings and drops the rest, so the tenth says how many there are.
type findingsGitHub struct {
	*checked

	counts [ledger.SeverityError + 1]int
	tenth  [ledger.SeverityError + 1][]byte
}

const annotations = 10

func (f *findingsGitHub) begin(dst []byte) []byte { return dst }

func (f *findingsGitHub) problem(dst []byte, p ledger.Finding) []byte {
	f.counts[p.Severity]++
	switch n := f.counts[p.Severity]; {
	case n < annotations:
		return f.annotation(dst, p)
	case n == annotations:
		f.tenth[p.Severity] = f.annotation(nil, p)
	}
	return dst
}

func (f *findingsGitHub) annotation(dst []byte, p ledger.Finding) []byte {
	dst = append(dst, "::"+p.Severity.String()+" file="+property(f.file)...)
	if p.Place.Line > 0 && f.reader.Summary().Input == rules.InputCSV {
		dst = append(dst, ",line="+strconv.Itoa(p.Place.Line)+",col="+strconv.Itoa(p.Place.Col)...)
	}
	dst = append(dst, ",title="+property(string(p.Code)+" ("+p.Basis.String()+", "+p.Clause.String()+")")+"::"...)
	text := p.Message
	if p.Subject != "" {
		text = p.Subject + ": " + text
	}
	if p.Place.Row > 0 {
		text = "row " + strconv.Itoa(p.Place.Row) + profileOf(p, " (profile ", ")") + ": " + text
	}
	if p.Help != "" {
		text += "; " + p.Help
	}
	return append(append(dst, command(text)...), '\n')
}

func (f *findingsGitHub) end(dst []byte) []byte {
	for _, s := range []ledger.Severity{ledger.SeverityError, ledger.SeverityWarning} {
		switch n := f.counts[s]; {
		case n == annotations:
			dst = append(dst, f.tenth[s]...)
		case n > annotations:
			dst = append(dst, "::"+s.String()+" file="+property(f.file)+",title=chargecast::"+
				strconv.Itoa(n-annotations+1)+" more findings of severity "+s.String()+"; chargecast validate -o text lists them\n"...)
		}
	}
	if f.isCutOff() {
		dst = append(dst, "::error file="+property(f.file)+",title=chargecast::"+cutOff+"\n"...)
	}
	s := f.reader.Summary()
	return append(dst, counted(strconv.Itoa(s.Rows), "row")+", "+strconv.Itoa(s.Valid)+" usable; "+
		counted(strconv.Itoa(f.errors()), "error")+", "+counted(strconv.Itoa(s.Warnings), "warning")+"\n"...)
}

// command is text that cannot end a workflow command, or begin another.
func command(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(s)
}

// property is text that cannot end a property of one either.
func property(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C").Replace(s)
}

// findingsJUnit writes a test suite in which each code that was found is a test case:
// failed by errors, with warnings as its output.
type findingsJUnit struct {
	*checked

	found map[ledger.Code]*junitCase
}

// A junitCase is what was found of one code.
type junitCase struct {
	errors, warnings int
	places           []string // the first maxTold
}

func (f *findingsJUnit) begin(dst []byte) []byte { return dst }

func (f *findingsJUnit) problem(dst []byte, p ledger.Finding) []byte {
	c := f.found[p.Code]
	if c == nil {
		c = new(junitCase)
		f.found[p.Code] = c
	}
	if p.Severity == ledger.SeverityError {
		c.errors++
	} else {
		c.warnings++
	}
	if len(c.places) < maxTold {
		c.places = append(c.places, problemLine(f.file, p)+"; "+p.Help)
	}
	return dst
}

func (f *findingsJUnit) end(dst []byte) []byte {
	codes := make([]ledger.Code, 0, len(f.found))
	failed := 0
	for code, c := range f.found {
		codes = append(codes, code)
		if c.errors > 0 {
			failed++
		}
	}
	slices.Sort(codes)
	cases, input := len(codes)+1, ""
	if f.isCutOff() {
		cases, failed = cases+1, failed+1
		input = `<testcase classname="chargecast.validate" name="input"><failure message="` + cutOff + `"></failure></testcase>` + "\n"
	}
	s := f.reader.Summary()
	dst = append(dst, `<?xml version="1.0" encoding="UTF-8"?>`+"\n"...)
	dst = append(dst, `<testsuite name="chargecast validate" tests="`+strconv.Itoa(cases)+`" failures="`+strconv.Itoa(failed)+`">`+"\n"...)
	dst = append(dst, `<testcase classname="chargecast.validate" name="rows"><system-out>`+
		counted(strconv.Itoa(s.Rows), "row")+", "+strconv.Itoa(s.Valid)+" usable; as of "+f.asOf.String()+"</system-out></testcase>\n"...)
	dst = append(dst, input...)
	for _, code := range codes {
		dst = f.found[code].append(dst, code)
	}
	return append(dst, "</testsuite>\n"...)
}

// textOf is what the rule of a code says.
func textOf(code ledger.Code) string {
	rule, _ := rulebook.Lookup(code)
	return rule.Text
}

func (c *junitCase) append(dst []byte, code ledger.Code) []byte {
	rest := c.errors + c.warnings - len(c.places)
	text := strings.Join(c.places, "\n")
	if rest > 0 {
		text += "\nand " + strconv.Itoa(rest) + " more"
	}
	dst = append(dst, `<testcase classname="chargecast.validate" name="`+string(code)+`">`...)
	if c.errors > 0 {
		dst = append(dst, `<failure type="`+string(code)+`" message="`+escaped(textOf(code))+`">`+escaped(text)+"</failure>"...)
	} else {
		dst = append(dst, "<system-out>"+escaped(text)+"</system-out>"...)
	}
	return append(dst, "</testcase>\n"...)
}

// escaped is text for an XML document.
func escaped(s string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(s)) // a Builder does not fail
	return b.String()
}
