package gallery

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/chargecast/chargecast/fuzz/laws"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/rules"
)

// payloadMembers are wrong about the CSV of payloads. They stand on our own reader: what
// it is given, or what it tells, is changed.
func payloadMembers() []Member {
	return []Member{
		{"lazy-quotes", "a bare quote is text", by("V07"), `a"b`, given(lazily)},
		{"crlf-to-lf", "line ends in quotes changed", by("V11"), "cell with CR LF", told(func(j *judged) {
			j.cells(func(s string) string { return strings.ReplaceAll(s, "\r\n", "\n") })
		})},
		{"first-problem-only", "stops at the first problem", by("V03"), "two faults", told(func(j *judged) {
			first := true
			j.drop(func(laws.Finding) bool {
				before := first
				first = false
				return !before
			})
		})},
		{"bad-row-ends-file", "nothing after a ragged row", by("V17"), "short row in the middle", told(endAtBadRow)},
		{"bytes-for-characters", "lengths in bytes", by("V08"), "128 two-byte letters", told(func(j *judged) {
			j.refuse(rules.TooLong, func(spec rules.Spec, s string) bool { return len(s) > spec.Max })
		})},
		{"limit-minus-one", "L refused", by("V08"), "128 letters", told(func(j *judged) {
			j.refuse(rules.TooLong, func(spec rules.Spec, s string) bool { return utf8.RuneCountInString(s) == spec.Max })
		})},
		{"limit-plus-one", "L+1 accepted", by("V08"), "129 letters", told(func(j *judged) {
			j.drop(func(f laws.Finding) bool {
				return f.Code == rules.TooLong && strings.Contains(f.Text, " 129 characters")
			})
		})},
		{"equal-bounds-refused", "from = to is out of order", by("V06"), "amount-from 1.00, amount-to 1.00", told(equalBoundsRefused)},
		{"trims-cells", "spaces dropped", by("V07", "V11"), `"SRC "`, given(trimmed)},
		{"any-case-columns", "`Amount` accepted", by("V07"), "header", given(func(text []byte) []byte {
			header, rest, ok := bytes.Cut(text, []byte("\n"))
			if !ok {
				return text
			}
			return slices.Concat(bytes.ToLower(header), []byte("\n"), rest)
		})},
		{"unknown-column-ignored", "mistyped finish-date dropped", by("V07", "V21"), "`finish_date`", told(func(j *judged) {
			j.drop(func(f laws.Finding) bool { return f.Code == rules.ColumnUnknown })
		})},
		{"blank-lines-uncounted", "line numbers count records", by("V14"), "blank line", told(withoutBlankLines)},
		{"sequence-drops-empty", "`1.00,,2.00` read as two", by("V07"), "that cell", given(func(text []byte) []byte {
			return emptyElement.ReplaceAll(text, []byte("$1,$2"))
		})},
	}
}

var emptyElement = regexp.MustCompile(`([0-9]),,([0-9])`)

// given is our own reader that is given another text than was sent.
func given(change func([]byte) []byte) laws.Impl {
	return ours(func(i *laws.Impl) { changeInput(i, change) })
}

// judged is what a reader tells of a payload.
type judged struct {
	steps []laws.PayloadStep
	end   laws.PayloadEnd
}

// told is our own reader that tells otherwise what it found. It tells at the end.
func told(change func(*judged)) laws.Impl {
	return ours(func(i *laws.Impl) { changeFindings(i, change) })
}

// drop leaves out findings. What they kept from being usable stays so.
func (j *judged) drop(which func(laws.Finding) bool) {
	for i := range j.steps {
		j.steps[i].Findings = slices.DeleteFunc(j.steps[i].Findings, which)
	}
	j.count()
}

// count makes the end agree with the findings.
func (j *judged) count() {
	j.end.Errors, j.end.Valid = 0, 0
	for _, s := range j.steps {
		for _, f := range s.Findings {
			if f.Severity == ledger.SeverityError {
				j.end.Errors++
			}
		}
		if s.Row != nil {
			j.end.Valid++
		}
	}
}

// cells changes the values of the usable rows.
func (j *judged) cells(change func(string) string) {
	for _, s := range j.steps {
		if s.Row == nil {
			continue
		}
		for i, value := range s.Row.Cells {
			s.Row.Cells[i] = change(value)
		}
	}
}

// refuse finds fault with values of usable rows in columns with a limit.
func (j *judged) refuse(code ledger.Code, which func(spec rules.Spec, s string) bool) {
	for i := range j.steps {
		s := &j.steps[i]
		if s.Row == nil {
			continue
		}
		row := *s.Row
		for spec := range rules.Columns() {
			if value := row.Cells[spec.Column]; value == "" || spec.Max == 0 || spec.Column == rules.ColumnAmountSequence || !which(spec, value) {
				continue
			}
			s.Findings = append(s.Findings, laws.Finding{Code: code, Severity: ledger.SeverityError, Row: row.Number, Line: row.Line, Col: 1, Column: spec.Column, Text: "too long"})
			s.Row = nil
		}
	}
	j.count()
}

func equalBoundsRefused(j *judged) {
	for i := range j.steps {
		s := &j.steps[i]
		if s.Row == nil || s.Row.Cells[rules.ColumnAmountFrom] == "" || s.Row.Cells[rules.ColumnAmountFrom] != s.Row.Cells[rules.ColumnAmountTo] {
			continue
		}
		s.Findings = append(s.Findings, laws.Finding{Code: rules.AmountOrder, Severity: ledger.SeverityError, Row: s.Row.Number, Line: s.Row.Line, Col: 1, Column: rules.ColumnAmountFrom, Text: "out of order"})
		s.Row = nil
	}
	j.count()
}

func endAtBadRow(j *judged) {
	for i, s := range j.steps {
		if slices.ContainsFunc(s.Findings, func(f laws.Finding) bool { return f.Code == rules.CSVWidth || f.Code == rules.CSVQuote }) {
			j.steps = j.steps[:i+1]
			break
		}
	}
	j.count()
}

func withoutBlankLines(j *judged) {
	blank := 0
	for i := range j.steps {
		s := &j.steps[i]
		for k := range s.Findings {
			if f := &s.Findings[k]; f.Code == rules.BlankLine {
				blank++
			} else if f.Row > 0 {
				f.Line -= blank
			}
		}
		if s.Row != nil {
			s.Row.Line -= blank
		}
	}
}

// lazily puts quotes around each value that our reader finds a bare quote in.
func lazily(text []byte) []byte {
	done := -1 // the last place that was mended: what is found there again stays
	for range 50 {
		at := -1
		laws.Ours().ReadPayload(bytes.NewReader(text), rules.Options{Input: rules.InputCSV}, func(s laws.PayloadStep) bool {
			for _, f := range s.Findings {
				if f.Code == rules.CSVQuote && at < 0 && int(f.Offset) > done {
					at = int(f.Offset)
				}
			}
			return at < 0
		})
		if at < 0 {
			break
		}
		from := 1 + bytes.LastIndexAny(text[:at], ";\n")
		to := at + bytes.IndexAny(slices.Concat(text[at:], []byte("\n")), ";\r\n")
		value := strings.ReplaceAll(strings.Trim(string(text[from:to]), `"`), `"`, `""`)
		text, done = slices.Concat(text[:from], []byte(`"`+value+`"`), text[to:]), from+len(value)+1
	}
	return text
}

// trimmed takes the spaces at the ends of quoted values away, as most do.
func trimmed(text []byte) []byte {
	return spaceInside.ReplaceAll(text, []byte("$1"))
}

var spaceInside = regexp.MustCompile(`(?m) +("(?:;|\r?$))`)
