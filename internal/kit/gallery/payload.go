package gallery

import (
	"bytes"
	"encoding/base64"
	"errors"
	"io"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/internal/gen"
	"github.com/chargecast/chargecast/internal/kit/laws"
	"github.com/chargecast/chargecast/internal/kit/plain"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/rules"
)

// payloadRows are wrong about the CSV of payloads. They change what
// our own reader is given, or what it reports.
func payloadRows() []Member {
	return []Member{
		{"lazy-quotes", "a bare quote is text", by("V07"), `a"b`, given(lazily)},
		{"crlf-to-lf", "line ends in quotes changed", by("V06"), "cell with CR LF", reported(func(j *judged) {
			j.cells(func(s string) string { return strings.ReplaceAll(s, "\r\n", "\n") })
		})},
		{"first-problem-only", "stops at the first problem", by("V03", "V04"), "two faults", reported(func(j *judged) {
			first := true
			j.drop(func(plain.Finding) bool {
				before := first
				first = false
				return !before
			})
		})},
		{"bad-row-ends-file", "nothing after a ragged row", by("V04"), "short row in the middle", reported(endAtBadRow)},
		{"bytes-for-characters", "lengths in bytes", by("V08"), "128 two-byte letters", reported(func(j *judged) {
			j.refuse(rules.TooLong, func(spec rules.Spec, s string) bool { return len(s) > spec.Max })
		})},
		{"limit-minus-one", "L refused", by("V08"), "128 letters", reported(func(j *judged) {
			j.refuse(rules.TooLong, func(spec rules.Spec, s string) bool { return utf8.RuneCountInString(s) == spec.Max })
		})},
		{"limit-plus-one", "L+1 accepted", by("V08"), "129 letters", reported(func(j *judged) {
			j.drop(func(f plain.Finding) bool {
				return f.Code == rules.TooLong && strings.Contains(f.Text, " 129 characters")
			})
		})},
		{"equal-bounds-refused", "from = to is out of order", by("V06"), "amount-from 1.00, amount-to 1.00", reported(equalBoundsRefused)},
		{"trims-cells", "spaces dropped", by("V07"), `"SRC "`, given(trimmed)},
		{"any-case-columns", "`Amount` accepted", by("V07"), "header", given(func(text []byte) []byte {
			header, rest, ok := bytes.Cut(text, []byte("\n"))
			if !ok {
				return text
			}
			return slices.Concat(bytes.ToLower(header), []byte("\n"), rest)
		})},
		{"unknown-column-ignored", "mistyped finish-date dropped", by("V07"), "`finish_date`", reported(func(j *judged) {
			j.drop(func(f plain.Finding) bool { return f.Code == rules.ColumnUnknown })
		})},
		{"blank-lines-uncounted", "line numbers count records", by("V06"), "blank line", reported(withoutBlankLines)},
		{"sequence-drops-empty", "`1.00,,2.00` read as two", by("V07"), "that cell", given(func(text []byte) []byte {
			return emptyElement.ReplaceAll(text, []byte("$1,$2"))
		})},
		{"base64-takes-lines", "CR LF inside accepted", by("W01"), "wrapped text", sent(func(text []byte, in rules.Input) []byte {
			if in == rules.InputBase64 {
				return []byte(strings.NewReplacer("\r", "", "\n", "").Replace(string(text)))
			}
			return text
		})},
		{"base64-takes-stray-bits", "`YWJ=` accepted", by("W01"), "that", sent(func(text []byte, in rules.Input) []byte {
			if raw, err := base64.StdEncoding.DecodeString(string(text)); in == rules.InputBase64 && err == nil && !bytes.ContainsAny(text, "\r\n") {
				return []byte(base64.StdEncoding.EncodeToString(raw))
			}
			return text
		})},
		{"form-drops-pairs", "a bad escape loses its pair", by("W04"), "`%zz`", pairs(func(pair string) bool {
			_, err := url.QueryUnescape(pair)
			return err != nil
		})},
		{"form-semicolon", "pair with `;` lost", by("W04"), "`a=1;b=2`", pairs(func(pair string) bool { return strings.Contains(pair, ";") })},
		{"pan-in-error", "a cell's value in a message", by("A01"), "card number in amount", func(i *laws.Impl) {
			patch(&i.ParseAmount, func(right parse) parse {
				return func(s string) (amount.Amount, error) {
					a, err := right(s)
					if err != nil {
						err = errors.New("no amount: " + s)
					}
					return a, err
				}
			})
		}},
	}
}

var emptyElement = regexp.MustCompile(`([0-9]),,([0-9])`)

// judged is the result of a reader of a payload.
type judged struct {
	steps []plain.PayloadStep
	end   plain.PayloadEnd
}

// drop leaves out findings. What they kept from being usable stays so.
func (j *judged) drop(which func(plain.Finding) bool) {
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
			s.Findings = append(s.Findings, plain.Finding{Code: code, Severity: ledger.SeverityError, Row: row.Number, Line: row.Line, Col: 1, Column: spec.Column, Text: "too long"})
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
		s.Findings = append(s.Findings, plain.Finding{Code: rules.AmountOrder, Severity: ledger.SeverityError, Row: s.Row.Number, Line: s.Row.Line, Col: 1, Column: rules.ColumnAmountFrom, Text: "out of order"})
		s.Row = nil
	}
	j.count()
}

func endAtBadRow(j *judged) {
	for i, s := range j.steps {
		if slices.ContainsFunc(s.Findings, func(f plain.Finding) bool { return f.Code == rules.CSVWidth || f.Code == rules.CSVQuote }) {
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
		laws.Ours().ReadPayload(bytes.NewReader(text), rules.Options{AsOf: gen.JudgedOn(), Input: rules.InputCSV}, func(s plain.PayloadStep) bool {
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

// ruleRows lack one rule each: one for every rule of payloads, and for the rules that
// hold in many columns one for every column.
func ruleRows() []Member {
	var list []Member
	for rule := range rules.Rules() {
		if rule.Code == rules.ScriptColumn {
			break // of updates
		}
		if rule.Code == rules.AsOfMissing || rule.Code == rules.OptionValue {
			continue // about a program
		}
		list = append(list, Member{"validator-without-" + string(rule.Code), "lacks the rule: " + rule.Text, by("V09"), rule.Bad, without(rule.Code)})
	}
	for column := range rules.Columns() {
		for _, rule := range rulesOf(column) {
			name := "validator-without-" + string(rule) + "-" + column.Name
			list = append(list, Member{name, "lacks the rule in one column", by("V09"), "the rule's invalid vector of " + column.Name, reported(func(j *judged) {
				j.drop(func(f plain.Finding) bool { return f.Code == rule && f.Column == column.Column })
			})})
		}
	}
	return list
}

// rulesOf are the rules of many columns that hold in one.
func rulesOf(column rules.Spec) []ledger.Code {
	var list []ledger.Code
	switch {
	case column.Need == "R", column.Column == rules.ColumnCardPrintedName, column.Column == rules.ColumnExpireYear, column.Column == rules.ColumnExpireMonth:
		list = append(list, rules.MissingValue)
	}
	if column.Max > 0 {
		list = append(list, rules.TooLong)
	}
	if column.SourceOnly && column.Column != rules.ColumnPeriod && column.Column != rules.ColumnInterval {
		list = append(list, rules.SrcOnlyOnDst)
	}
	if column.Kind() == "date" {
		list = append(list, rules.DateSyntax, rules.DateNotADay)
	}
	return list
}

// without is our own validator without the findings of a rule.
func without(code ledger.Code) damage {
	return reported(func(j *judged) { j.drop(func(f plain.Finding) bool { return f.Code == code }) })
}

// pairs is our own reader of form bodies that loses some pairs.
func pairs(lost func(string) bool) damage {
	return sent(func(text []byte, in rules.Input) []byte {
		if in != rules.InputForm {
			return text
		}
		return []byte(strings.Join(slices.DeleteFunc(strings.Split(string(text), "&"), lost), "&"))
	})
}

type (
	readPayload   = func(io.Reader, rules.Options, func(plain.PayloadStep) bool) plain.PayloadEnd
	decodePayload = func(wire []byte, o rules.Options) ([]byte, []plain.Finding)
)

// sent is our own reader of wire forms that is given another text than was sent.
func sent(change func([]byte, rules.Input) []byte) damage {
	return func(i *laws.Impl) {
		patch(&i.DecodePayload, func(right decodePayload) decodePayload {
			return func(wire []byte, o rules.Options) ([]byte, []plain.Finding) { return right(change(wire, o.Input), o) }
		})
	}
}

// given is our own reader that is given another text than was sent.
func given(change func([]byte) []byte) damage {
	return func(i *laws.Impl) {
		patch(&i.ReadPayload, func(right readPayload) readPayload {
			return func(src io.Reader, o rules.Options, yield func(plain.PayloadStep) bool) plain.PayloadEnd {
				text, err := io.ReadAll(src)
				if err != nil {
					return plain.PayloadEnd{Err: err}
				}
				return right(bytes.NewReader(change(text)), o, yield)
			}
		})
	}
}

// reported is our own reader that reports otherwise what it found, at the end.
func reported(change func(*judged)) damage {
	return func(i *laws.Impl) {
		patch(&i.ReadPayload, func(right readPayload) readPayload {
			return func(src io.Reader, o rules.Options, yield func(plain.PayloadStep) bool) plain.PayloadEnd {
				var j judged
				j.end = right(src, o, func(s plain.PayloadStep) bool {
					j.steps = append(j.steps, s)
					return true
				})
				change(&j)
				for _, s := range j.steps {
					if !yield(s) {
						break
					}
				}
				return j.end
			}
		})
	}
}
