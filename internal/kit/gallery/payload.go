package gallery

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/gateway/response"
	"github.com/chargecast/chargecast/internal/gen"
	"github.com/chargecast/chargecast/internal/kit/laws"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/rules"
)

// payloadRows are wrong about the CSV of payloads. They stand on our own reader: what
// it is given, or what it tells, is changed.
func payloadRows() []Member {
	return []Member{
		{"lazy-quotes", "a bare quote is text", by("V07"), `a"b`, given(lazily)},
		{"crlf-to-lf", "line ends in quotes changed", by("V11"), "cell with CR LF", reported(func(j *judged) {
			j.cells(func(s string) string { return strings.ReplaceAll(s, "\r\n", "\n") })
		})},
		{"first-problem-only", "stops at the first problem", by("V03", "V04"), "two faults", reported(func(j *judged) {
			first := true
			j.drop(func(laws.Finding) bool {
				before := first
				first = false
				return !before
			})
		})},
		{"bad-row-ends-file", "nothing after a ragged row", by("V17"), "short row in the middle", reported(endAtBadRow)},
		{"bytes-for-characters", "lengths in bytes", by("V08"), "128 two-byte letters", reported(func(j *judged) {
			j.refuse(rules.TooLong, func(spec rules.Spec, s string) bool { return len(s) > spec.Max })
		})},
		{"limit-minus-one", "L refused", by("V08"), "128 letters", reported(func(j *judged) {
			j.refuse(rules.TooLong, func(spec rules.Spec, s string) bool { return utf8.RuneCountInString(s) == spec.Max })
		})},
		{"limit-plus-one", "L+1 accepted", by("V08"), "129 letters", reported(func(j *judged) {
			j.drop(func(f laws.Finding) bool {
				return f.Code == rules.TooLong && strings.Contains(f.Text, " 129 characters")
			})
		})},
		{"equal-bounds-refused", "from = to is out of order", by("V06"), "amount-from 1.00, amount-to 1.00", reported(equalBoundsRefused)},
		{"trims-cells", "spaces dropped", by("V07", "V11"), `"SRC "`, given(trimmed)},
		{"any-case-columns", "`Amount` accepted", by("V07"), "header", given(func(text []byte) []byte {
			header, rest, ok := bytes.Cut(text, []byte("\n"))
			if !ok {
				return text
			}
			return slices.Concat(bytes.ToLower(header), []byte("\n"), rest)
		})},
		{"unknown-column-ignored", "mistyped finish-date dropped", by("V07", "V21"), "`finish_date`", reported(func(j *judged) {
			j.drop(of(rules.ColumnUnknown))
		})},
		{"blank-lines-uncounted", "line numbers count records", by("V13", "V14"), "blank line", reported(withoutBlankLines)},
		{"sequence-drops-empty", "`1.00,,2.00` read as two", by("V07"), "that cell", given(func(text []byte) []byte {
			return emptyElement.ReplaceAll(text, []byte("$1,$2"))
		})},
		wrong("V01", "another answer at each call", func(i *laws.Impl) {
			calls := 0
			steps(func(_ int, s *laws.PayloadStep) {
				if calls++; calls%2 == 0 {
					s.Findings = nil
				}
			})(i)
		}),
		wrong("V01", "a usable row with errors", steps(func(n int, s *laws.PayloadStep) {
			if s.Row == nil {
				s.Row = &laws.PayloadRow{}
			}
		})),
		wrong("V02", "the last finding first", steps(func(n int, s *laws.PayloadStep) { slices.Reverse(s.Findings) })),
		wrong("V02", "each finding twice", steps(func(n int, s *laws.PayloadStep) {
			s.Findings = slices.Concat(s.Findings, s.Findings)
		})),
		wrong("V05", "nothing far to the right", forgetting(func(f laws.Finding) bool { return f.Col > 150 })),
		wrong("V05", "nothing in the second row", forgetting(func(f laws.Finding) bool { return f.Row == 2 })),
		wrong("V06", "a start one day later", steps(func(n int, s *laws.PayloadStep) {
			if s.Row != nil && !s.Row.Profile.Start.IsZero() {
				s.Row.Profile.Start = s.Row.Profile.Start.AddDays(1)
			}
		})),
		wrong("V06", "an amount of the row before", amountOfRowBefore),
		wrong("V06", "a finding about nothing", steps(func(n int, s *laws.PayloadStep) {
			s.Findings = append(s.Findings, laws.Finding{Code: rules.StateUnknown, Severity: ledger.SeverityWarning, Row: n + 1, Text: "x"})
		})),
		wrong("V10", "a column that is there must have a value", purposeNeeded),
		wrong("V12", "rows written last first", rewritten(func(text []byte) []byte {
			lines := bytes.SplitAfter(bytes.TrimSuffix(text, []byte("\n")), []byte("\n"))
			slices.Reverse(lines[1:])
			return append(bytes.TrimSuffix(bytes.Join(lines, nil), []byte("\n")), '\n')
		})),
		wrong("V12", "bare values", rewritten(func(text []byte) []byte { return bytes.ReplaceAll(text, []byte(`""`), nil) })),
		wrong("V13", "line ends in values lost", steps(func(n int, s *laws.PayloadStep) {
			if s.Row != nil {
				s.Row.Cells[rules.ColumnOrderDesc] = strings.ReplaceAll(s.Row.Cells[rules.ColumnOrderDesc], "\n", "")
			}
		})),
		wrong("V15", "the first piece only", reads(func(right readPayload, src io.Reader, o rules.Options, yield func(laws.PayloadStep) bool) laws.PayloadEnd {
			piece := make([]byte, 1<<20)
			n, _ := src.Read(piece)
			return right(bytes.NewReader(piece[:n]), o, yield)
		})),
		wrong("V15", "an error taken for the end", reads(whole)),
		wrong("V16", "the input read whole", reads(whole)),
		wrong("V16", "a limit without its number", steps(func(n int, s *laws.PayloadStep) {
			for i := range s.Findings {
				s.Findings[i].Text = "too much"
			}
		})),
		wrong("V16", "work for every byte before", steps(func(n int, s *laws.PayloadStep) {
			s.Findings = append(s.Findings, laws.Finding{Text: strings.Repeat("x", n/2)})
		})),
		wrong("V18", "strict forgotten", options(func(o *rules.Options) { o.Strict = false })),
		wrong("V18", "off taken for a warning", severities(func(set map[ledger.Code]ledger.Severity, _ rules.Input) {
			for code, s := range set {
				set[code] = max(s, ledger.SeverityWarning)
			}
		})),
		wrong("V19", "an echo of the payload", func(i *laws.Impl) {
			right := i.ShowPayload
			i.ShowPayload = func(src io.Reader, o rules.Options) []string {
				text, err := io.ReadAll(src)
				return append(right(bytes.NewReader(text), o), base64.StdEncoding.EncodeToString(text), errors.Join(err, errors.New(string(text))).Error())
			}
		}),
		wrong("V20", "never-charges forgotten", forgetting(of(rules.NeverCharges))),
		wrong("V20", "max-repeats-unreachable forgotten", forgetting(of(rules.MaxRepeatsUnreachable))),
		wrong("V20", "card-expires-before-charge forgotten", forgetting(of(rules.CardExpiresBeforeCharge))),
		wrong("V20", "first-charge-today forgotten", forgetting(of(rules.FirstChargeToday))),
		wrong("V20", "another policy", options(func(o *rules.Options) { o.Policy = engine.Policy{} })),
		wrong("V22", "nothing read after an error", reads(func(right readPayload, src io.Reader, o rules.Options, yield func(laws.PayloadStep) bool) laws.PayloadEnd {
			return right(src, o, func(s laws.PayloadStep) bool {
				return yield(s) && !slices.ContainsFunc(s.Findings, func(f laws.Finding) bool { return f.Severity == ledger.SeverityError })
			})
		})),
		wrong("V22", "errors not counted", reads(func(right readPayload, src io.Reader, o rules.Options, yield func(laws.PayloadStep) bool) laws.PayloadEnd {
			end := right(src, o, yield)
			end.Errors = 0
			return end
		})),
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
		wrong("W02", "the URL-safe alphabet", encoded(strings.NewReplacer("+", "-", "/", "_").Replace)),
		wrong("W02", "no padding", encoded(func(s string) string { return strings.TrimRight(s, "=") })),
		wrong("W03", "a bare +", encoded(func(s string) string { return strings.ReplaceAll(s, "%2B", "+") })),
		wrong("W03", "a bare /", encoded(func(s string) string { return strings.ReplaceAll(s, "%2F", "/") })),
		wrong("W03", "the last byte lost", decoded(func(text []byte, found []laws.Finding) ([]byte, []laws.Finding) {
			return text[:max(len(text)-1, 0)], found
		})),
		wrong("W05", "the last line end lost in base64", encoded(func(s string) string {
			raw, err := base64.StdEncoding.DecodeString(s)
			if err != nil {
				return s
			}
			return base64.StdEncoding.EncodeToString(bytes.TrimRight(raw, "\"\n"))
		})),
		wrong("W05", "a form body judged more mildly", severities(func(set map[ledger.Code]ledger.Severity, in rules.Input) {
			if in == rules.InputForm {
				set[rules.CSVWidth], set[rules.CardNumberShort], set[rules.DateSyntax] = ledger.SeverityOff, ledger.SeverityOff, ledger.SeverityOff
			}
		})),
		wrong("W06", "every defect called a fault of syntax", decoded(func(text []byte, found []laws.Finding) ([]byte, []laws.Finding) {
			for i := range found {
				found[i].Code = rules.Base64Syntax
			}
			return text, found
		})),
		wrong("W07", "a prefix beside an error", decoded(func(text []byte, found []laws.Finding) ([]byte, []laws.Finding) {
			return append(text, 'x'), found
		})),
		wrong("W08", "unknown names dropped", responses(func(r *response.Record) { r.Extra = nil })),
		wrong("W08", "every line end left out", responses(func(r *response.Record) { r.Status = strings.TrimRight(r.Status, "\n") })),
		wrong("W08", "a success by the status", responses(func(r *response.Record) { r.Outcome = response.OutcomeAccepted })),
		wrong("F01", "line ends become LF", mended("\r\n", "\n")),
		wrong("F01", "something is added each time", fixes(func(text []byte, changes []rules.Change) ([]byte, []rules.Change) {
			return append(slices.Clone(text), "#\n"...), changes
		})),
		wrong("F01", "a case is left as it is", mended(`"SRC"`, `"src"`)),
		wrong("F01", "what is refused passes when fixed again", func(i *laws.Impl) {
			right := i.FixPayload
			i.FixPayload = func(payload []byte) ([]byte, []rules.Change) {
				text, changes := right(payload)
				if bytes.Equal(text, payload) {
					changes = nil
				}
				return text, changes
			}
		}),
		wrong("F02", "dates are changed in silence", unsaid(func(c rules.Change) bool { return c.Code == "date-iso" })),
		wrong("F02", "spaces are removed in silence", unsaid(func(c rules.Change) bool { return c.Code == "spaces" })),
		wrong("F02", "changes without a place", fixes(func(text []byte, changes []rules.Change) ([]byte, []rules.Change) {
			changes = slices.Clone(changes)
			for i := range changes {
				changes[i].Line = 0
			}
			return text, changes
		})),
		wrong("F03", "a decimal comma is dropped", mended(",", "")),
		wrong("F03", "day and month are guessed", unsaid(func(c rules.Change) bool { return c.Code == "date-order" })),
		wrong("F03", "a sequence with commas is guessed", unsaid(func(c rules.Change) bool { return c.Refused && c.Code == "decimal-comma" })),
		wrong("F04", "every text is taken for one in windows-1252", func(i *laws.Impl) {
			right, from := i.FixPayload, i.FixPayloadFrom
			i.FixPayload = func(payload []byte) ([]byte, []rules.Change) {
				if !utf8.Valid(payload) {
					return from(payload, "windows-1252")
				}
				return right(payload)
			}
		}),
		wrong("F04", "every name of an encoding is taken for windows-1252", func(i *laws.Impl) {
			from := i.FixPayloadFrom
			i.FixPayloadFrom = func(payload []byte, _ string) ([]byte, []rules.Change) { return from(payload, "windows-1252") }
		}),
		{"pan-in-error", "a cell's value in a message", by("K01"), "card number in amount", func(i *laws.Impl) {
			right := i.ParseAmount
			i.ParseAmount = func(s string) (amount.Amount, error) {
				a, err := right(s)
				if err != nil {
					err = errors.New("no amount: " + s)
				}
				return a, err
			}
		}},
		{"pan-in-format", "`%+v` of a row shows it", by("V19"), "any", func(i *laws.Impl) {
			right, read := i.ShowPayload, i.ReadPayload
			i.ShowPayload = func(src io.Reader, o rules.Options) []string {
				var text bytes.Buffer
				shown := right(io.TeeReader(src, &text), o)
				read(&text, o, func(s laws.PayloadStep) bool {
					shown = append(shown, fmt.Sprintf("%+v", s.Row))
					return true
				})
				return shown
			}
		}},
		{"mask-keeps-eight", "first 8 shown", by("K02"), "16 digits", func(i *laws.Impl) {
			right := i.Mask
			i.Mask = func(c rules.Column, s string) string {
				masked := right(c, s)
				if len(masked) != len(s) || len(s) < 13 {
					return masked
				}
				return s[:8] + masked[8:]
			}
		}},
	}
}

var emptyElement = regexp.MustCompile(`([0-9]),,([0-9])`)

// judged is the result of a reader of a payload.
type judged struct {
	steps []laws.PayloadStep
	end   laws.PayloadEnd
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
		laws.Ours().ReadPayload(bytes.NewReader(text), rules.Options{AsOf: gen.JudgedOn(), Input: rules.InputCSV}, func(s laws.PayloadStep) bool {
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
				j.drop(func(f laws.Finding) bool { return f.Code == rule && f.Column == column.Column })
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
	return reported(func(j *judged) { j.drop(func(f laws.Finding) bool { return f.Code == code }) })
}

// severities is our validator with changed severities.
func severities(change func(set map[ledger.Code]ledger.Severity, in rules.Input)) damage {
	return options(func(o *rules.Options) {
		set := map[ledger.Code]ledger.Severity{}
		maps.Copy(set, o.Severity)
		change(set, o.Input)
		o.Severity = set
	})
}

// options is our reader with changed options.
func options(change func(o *rules.Options)) damage {
	return reads(func(right readPayload, src io.Reader, o rules.Options, yield func(laws.PayloadStep) bool) laws.PayloadEnd {
		change(&o)
		return right(src, o, yield)
	})
}

// sent is our own reader of wire forms that is given another text than was sent.
func sent(change func([]byte, rules.Input) []byte) damage {
	return func(i *laws.Impl) {
		right := i.DecodePayload
		i.DecodePayload = func(wire []byte, o rules.Options) ([]byte, []laws.Finding) {
			return right(change(wire, o.Input), o)
		}
	}
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

// steps is our own reader with each step changed.
func steps(change func(n int, s *laws.PayloadStep)) damage {
	return func(i *laws.Impl) {
		right := i.ReadPayload
		i.ReadPayload = func(src io.Reader, o rules.Options, yield func(laws.PayloadStep) bool) laws.PayloadEnd {
			n := 0
			return right(src, o, func(s laws.PayloadStep) bool {
				change(n, &s)
				n++
				return yield(s)
			})
		}
	}
}

// reads is our own reader that is called in another way.
func reads(read func(right readPayload, src io.Reader, o rules.Options, yield func(laws.PayloadStep) bool) laws.PayloadEnd) damage {
	return func(i *laws.Impl) {
		right := i.ReadPayload
		i.ReadPayload = func(src io.Reader, o rules.Options, yield func(laws.PayloadStep) bool) laws.PayloadEnd {
			return read(right, src, o, yield)
		}
	}
}

type readPayload = func(io.Reader, rules.Options, func(laws.PayloadStep) bool) laws.PayloadEnd

// whole reads the input to its end before anything else.
func whole(right readPayload, src io.Reader, o rules.Options, yield func(laws.PayloadStep) bool) laws.PayloadEnd {
	text, _ := io.ReadAll(src)
	return right(bytes.NewReader(text), o, yield)
}

// forgetting is our own reader that never tells of some findings.
func forgetting(which func(laws.Finding) bool) damage {
	return steps(func(_ int, s *laws.PayloadStep) { s.Findings = slices.DeleteFunc(s.Findings, which) })
}

// of are the findings of a rule.
func of(code ledger.Code) func(laws.Finding) bool {
	return func(f laws.Finding) bool { return f.Code == code }
}

// decoded is our own decoder with its answer changed.
func decoded(change func(text []byte, found []laws.Finding) ([]byte, []laws.Finding)) damage {
	return func(i *laws.Impl) {
		right := i.DecodePayload
		i.DecodePayload = func(wire []byte, o rules.Options) ([]byte, []laws.Finding) { return change(right(wire, o)) }
	}
}

// rewritten is our own writer with its text changed.
func rewritten(change func([]byte) []byte) damage {
	return func(i *laws.Impl) {
		right := i.RewritePayload
		i.RewritePayload = func(payload []byte, o rules.Options) []byte { return change(right(payload, o)) }
	}
}

// fixes is our own fixer with its result changed.
func fixes(change func(text []byte, changes []rules.Change) ([]byte, []rules.Change)) damage {
	return func(i *laws.Impl) {
		right := i.FixPayload
		i.FixPayload = func(payload []byte) ([]byte, []rules.Change) { return change(right(payload)) }
	}
}

// responses is our own reader of responses with its answer changed.
func responses(change func(*response.Record)) damage {
	return func(i *laws.Impl) {
		right := i.ParseResponse
		i.ParseResponse = func(status int, body []byte) (response.Record, error) {
			r, err := right(status, body)
			change(&r)
			return r, err
		}
	}
}

// given is our own reader that is given another text than was sent.
func given(change func([]byte) []byte) damage {
	return func(i *laws.Impl) {
		right := i.ReadPayload
		i.Prompt = false // the text is read whole
		i.ReadPayload = func(src io.Reader, o rules.Options, yield func(laws.PayloadStep) bool) laws.PayloadEnd {
			text, err := io.ReadAll(src)
			if err != nil {
				return laws.PayloadEnd{Err: err}
			}
			return right(bytes.NewReader(change(text)), o, yield)
		}
	}
}

// reported is our own reader that tells otherwise what it found. It tells at the end.
func reported(change func(*judged)) damage {
	return func(i *laws.Impl) {
		right := i.ReadPayload
		i.Prompt = false // nothing is reported before the end
		i.ReadPayload = func(src io.Reader, o rules.Options, yield func(laws.PayloadStep) bool) laws.PayloadEnd {
			var j judged
			j.end = right(src, o, func(s laws.PayloadStep) bool {
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
	}
}

// amountOfRowBefore is a cache that is not asked about the amount.
func amountOfRowBefore(i *laws.Impl) {
	var before *laws.PayloadRow
	steps(func(n int, s *laws.PayloadStep) {
		if s.Row == nil {
			return
		}
		if n > 0 && before != nil {
			s.Row.Profile.Amounts = before.Profile.Amounts
		}
		before = s.Row
	})(i)
}

// purposeNeeded refuses the first row when it leaves the column purpose empty.
func purposeNeeded(i *laws.Impl) {
	right := i.ReadPayload
	i.ReadPayload = func(src io.Reader, o rules.Options, yield func(laws.PayloadStep) bool) laws.PayloadEnd {
		text, _ := io.ReadAll(src)
		return right(bytes.NewReader(text), o, func(s laws.PayloadStep) bool {
			if s.Row != nil && s.Row.Cells[rules.ColumnPurpose] == "" && s.Row.Line == 2 && bytes.Contains(text, []byte("purpose")) {
				s.Row = nil
			}
			return yield(s)
		})
	}
}

// encoded is our own encoder with its text changed.
func encoded(change func(string) string) damage {
	return func(i *laws.Impl) {
		right := i.EncodePayload
		i.EncodePayload = func(csv []byte, to rules.Input) []byte { return []byte(change(string(right(csv, to)))) }
	}
}

// mended is our own fixer that writes one text for another.
func mended(from, to string) damage {
	return fixes(func(text []byte, changes []rules.Change) ([]byte, []rules.Change) {
		return bytes.ReplaceAll(text, []byte(from), []byte(to)), changes
	})
}

// unsaid is our own fixer that does not say what it changed.
func unsaid(which func(rules.Change) bool) damage {
	return fixes(func(text []byte, changes []rules.Change) ([]byte, []rules.Change) {
		return text, slices.DeleteFunc(slices.Clone(changes), which)
	})
}
