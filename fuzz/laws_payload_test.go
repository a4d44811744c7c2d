package fuzz_test

import (
	"bytes"
	"encoding/base64"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/fuzz"
	"github.com/chargecast/chargecast/fuzz/gallery"
	"github.com/chargecast/chargecast/fuzz/laws"
	"github.com/chargecast/chargecast/gateway/response"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/rules"
)

// Every rule that can speak about a payload has a vector (V09), and every vector is of
// such a rule. The others are about updates, states and scripts.
func TestRulesHaveVectors(t *testing.T) {
	met := map[ledger.Code]bool{}
	for _, v := range laws.RuleVectors() {
		met[v.Code] = true
	}
	of := true // those of payloads come first
	for rule := range rules.Rules() {
		of = of && rule.Code != rules.ScriptColumn
		if of != met[rule.Code] {
			t.Errorf("%s: of payloads is %v, has a vector is %v", string(rule.Code), of, met[rule.Code])
		}
	}
}

// steps is our own reader with each step changed.
func steps(change func(n int, s *laws.PayloadStep)) func(*fuzz.Impl) {
	return func(i *fuzz.Impl) {
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
func reads(read func(right func(io.Reader, rules.Options, func(laws.PayloadStep) bool) laws.PayloadEnd, src io.Reader, o rules.Options, yield func(laws.PayloadStep) bool) laws.PayloadEnd) func(*fuzz.Impl) {
	return func(i *fuzz.Impl) {
		right := i.ReadPayload
		i.ReadPayload = func(src io.Reader, o rules.Options, yield func(laws.PayloadStep) bool) laws.PayloadEnd {
			return read(right, src, o, yield)
		}
	}
}

type readPayload = func(io.Reader, rules.Options, func(laws.PayloadStep) bool) laws.PayloadEnd

// forgetting is our own reader that never tells of a rule.
func forgetting(code ledger.Code) func(*fuzz.Impl) {
	return steps(func(_ int, s *laws.PayloadStep) {
		s.Findings = slices.DeleteFunc(s.Findings, func(f laws.Finding) bool { return f.Code == code })
	})
}

// decoded is our own decoder with its answer changed.
func decoded(change func(text []byte, found []laws.Finding) ([]byte, []laws.Finding)) func(*fuzz.Impl) {
	return func(i *fuzz.Impl) {
		right := i.DecodePayload
		i.DecodePayload = func(wire []byte, o rules.Options) ([]byte, []laws.Finding) { return change(right(wire, o)) }
	}
}

// Each law that no member of the gallery is for rejects an implementation that breaks it.
func TestPayloadLawsReject(t *testing.T) {
	for _, row := range slices.Concat(readerDamages(), wireDamages(), fixDamages()) {
		if _, ok := fuzz.Find(row.law); !ok {
			t.Fatalf("no law %s", row.law)
		}
		damaged := fuzz.Ours()
		row.damage(&damaged)
		report := fuzz.Run(damaged, fuzz.Options{Laws: []string{row.law}, Cases: 600, Seed: 1, Shrinks: -1})
		if report.OK() {
			t.Errorf("%s takes %s", row.law, row.reason)
		}
	}
}

// Every law of payloads rejects a member of the gallery or a damage: nothing else shows that it can fail.
func TestPayloadLawsAreProven(t *testing.T) {
	proven := map[string]bool{"K02": true} // in TestCompareAndMaskCanFail
	for _, m := range gallery.Members() {
		for _, id := range m.By {
			proven[id] = true
		}
	}
	for _, d := range slices.Concat(readerDamages(), wireDamages(), fixDamages()) {
		proven[d.law] = true
	}
	for _, l := range laws.Laws() {
		if strings.ContainsAny(l.ID[:1], "VWF") && !proven[l.ID] {
			t.Errorf("%s rejects no member and no damage", l.ID)
		}
	}
}

type damage struct {
	law, reason string
	damage      func(*fuzz.Impl)
}

func readerDamages() []damage {
	calls := 0
	return []damage{
		{"V01", "another answer at each call", steps(func(n int, s *laws.PayloadStep) {
			if calls++; calls%2 == 0 {
				s.Findings = nil
			}
		})},
		{"V01", "a panic", steps(func(n int, s *laws.PayloadStep) {
			if len(s.Findings) > 1 {
				panic("boom")
			}
		})},
		{"V01", "a usable row with errors", steps(func(n int, s *laws.PayloadStep) {
			if s.Row == nil {
				s.Row = &laws.PayloadRow{}
			}
		})},
		{"V02", "the last finding first", steps(func(n int, s *laws.PayloadStep) { slices.Reverse(s.Findings) })},
		{"V02", "each finding twice", steps(func(n int, s *laws.PayloadStep) {
			s.Findings = slices.Concat(s.Findings, s.Findings)
		})},
		{"V04", "findings of the first row only", steps(func(n int, s *laws.PayloadStep) {
			if n > 0 {
				s.Findings = nil
			}
		})},
		{"V05", "nothing far to the right", steps(func(n int, s *laws.PayloadStep) {
			s.Findings = slices.DeleteFunc(s.Findings, func(f laws.Finding) bool { return f.Col > 150 })
		})},
		{"V05", "nothing in the second row", steps(func(n int, s *laws.PayloadStep) {
			s.Findings = slices.DeleteFunc(s.Findings, func(f laws.Finding) bool { return f.Row == 2 })
		})},
		{"V06", "a start one day later", steps(func(n int, s *laws.PayloadStep) {
			if s.Row != nil && !s.Row.Profile.Start.IsZero() {
				s.Row.Profile.Start = s.Row.Profile.Start.AddDays(1)
			}
		})},
		{"V06", "an amount of the row before", amountOfRowBefore()},
		{"V06", "a finding about nothing", func(i *fuzz.Impl) {
			steps(func(n int, s *laws.PayloadStep) {
				s.Findings = append(s.Findings, laws.Finding{Code: rules.StateUnknown, Severity: ledger.SeverityWarning, Row: n + 1, Text: "x"})
			})(i)
		}},
		{"V10", "a column that is there must have a value", func(i *fuzz.Impl) {
			steps(func(n int, s *laws.PayloadStep) {
				if s.Row != nil && s.Row.Cells[rules.ColumnPurpose] == "" && s.Row.Line == 2 {
					s.Row = nil
				}
			})(i)
			onlyWith(i, "purpose")
		}},
		{"V12", "rows written last first", func(i *fuzz.Impl) {
			right := i.RewritePayload
			i.RewritePayload = func(payload []byte, o rules.Options) []byte {
				lines := bytes.SplitAfter(bytes.TrimSuffix(right(payload, o), []byte("\n")), []byte("\n"))
				slices.Reverse(lines[1:])
				return append(bytes.TrimSuffix(bytes.Join(lines, nil), []byte("\n")), '\n')
			}
		}},
		{"V12", "bare values", func(i *fuzz.Impl) {
			right := i.RewritePayload
			i.RewritePayload = func(payload []byte, o rules.Options) []byte {
				return bytes.ReplaceAll(right(payload, o), []byte(`""`), nil)
			}
		}},
		{"V13", "line ends in values lost", steps(func(n int, s *laws.PayloadStep) {
			if s.Row != nil {
				s.Row.Cells[rules.ColumnOrderDesc] = strings.ReplaceAll(s.Row.Cells[rules.ColumnOrderDesc], "\n", "")
			}
		})},
		{"V13", "lines counted from 0", steps(func(n int, s *laws.PayloadStep) {
			if s.Row != nil {
				s.Row.Line--
			}
		})},
		{"V15", "the first piece only", reads(func(right readPayload, src io.Reader, o rules.Options, yield func(laws.PayloadStep) bool) laws.PayloadEnd {
			piece := make([]byte, 1<<20)
			n, _ := src.Read(piece)
			return right(bytes.NewReader(piece[:n]), o, yield)
		})},
		{"V15", "an error taken for the end", reads(func(right readPayload, src io.Reader, o rules.Options, yield func(laws.PayloadStep) bool) laws.PayloadEnd {
			text, _ := io.ReadAll(src)
			return right(bytes.NewReader(text), o, yield)
		})},
		{"V16", "the input read whole", reads(func(right readPayload, src io.Reader, o rules.Options, yield func(laws.PayloadStep) bool) laws.PayloadEnd {
			text, _ := io.ReadAll(src)
			return right(bytes.NewReader(text), o, yield)
		})},
		{"V16", "a limit without its number", steps(func(n int, s *laws.PayloadStep) {
			for i := range s.Findings {
				s.Findings[i].Text = "too much"
			}
		})},
		{"V16", "work for every byte before", steps(func(n int, s *laws.PayloadStep) {
			s.Findings = append(s.Findings, laws.Finding{Text: strings.Repeat("x", n/2)})
		})},
		{"V16", "a look back at every step", func(i *fuzz.Impl) {
			looks := uint64(0)
			steps(func(n int, s *laws.PayloadStep) { looks += uint64(n) })(i)
			i.Steps = func() uint64 { return looks }
		}},
		{"V18", "strict forgotten", reads(func(right readPayload, src io.Reader, o rules.Options, yield func(laws.PayloadStep) bool) laws.PayloadEnd {
			o.Strict = false
			return right(src, o, yield)
		})},
		{"V18", "off taken for a warning", reads(func(right readPayload, src io.Reader, o rules.Options, yield func(laws.PayloadStep) bool) laws.PayloadEnd {
			severity := map[ledger.Code]ledger.Severity{}
			for code, s := range o.Severity {
				severity[code] = max(s, ledger.SeverityWarning)
			}
			o.Severity = severity
			return right(src, o, yield)
		})},
		{"V19", "an echo of the payload", func(i *fuzz.Impl) {
			right := i.ShowPayload
			i.ShowPayload = func(src io.Reader, o rules.Options) []string {
				text, err := io.ReadAll(src)
				return append(right(bytes.NewReader(text), o), base64.StdEncoding.EncodeToString(text), errors.Join(err, errors.New(string(text))).Error())
			}
		}},
		{"V20", "never-charges forgotten", forgetting(rules.NeverCharges)},
		{"V20", "max-repeats-unreachable forgotten", forgetting(rules.MaxRepeatsUnreachable)},
		{"V20", "card-expires-before-charge forgotten", forgetting(rules.CardExpiresBeforeCharge)},
		{"V20", "first-charge-today forgotten", forgetting(rules.FirstChargeToday)},
		{"V20", "another policy", reads(func(right readPayload, src io.Reader, o rules.Options, yield func(laws.PayloadStep) bool) laws.PayloadEnd {
			o.Policy = engine.Policy{}
			return right(src, o, yield)
		})},
		{"V22", "nothing read after an error", reads(func(right readPayload, src io.Reader, o rules.Options, yield func(laws.PayloadStep) bool) laws.PayloadEnd {
			return right(src, o, func(s laws.PayloadStep) bool {
				return yield(s) && !slices.ContainsFunc(s.Findings, func(f laws.Finding) bool { return f.Severity == ledger.SeverityError })
			})
		})},
		{"V22", "errors not counted", reads(func(right readPayload, src io.Reader, o rules.Options, yield func(laws.PayloadStep) bool) laws.PayloadEnd {
			end := right(src, o, yield)
			end.Errors = 0
			return end
		})},
	}
}

// amountOfRowBefore is a cache that is not asked about the amount.
func amountOfRowBefore() func(*fuzz.Impl) {
	var before *laws.PayloadRow
	return steps(func(n int, s *laws.PayloadStep) {
		if s.Row == nil {
			return
		}
		row := s.Row
		if n > 0 && before != nil {
			row.Profile.Amounts = before.Profile.Amounts
		}
		before = row
	})
}

// onlyWith changes the reader back for payloads that lack a column.
func onlyWith(i *fuzz.Impl, column string) {
	right, wrong := fuzz.Ours().ReadPayload, i.ReadPayload
	i.ReadPayload = func(src io.Reader, o rules.Options, yield func(laws.PayloadStep) bool) laws.PayloadEnd {
		text, _ := io.ReadAll(src)
		if bytes.Contains(text, []byte(column)) {
			return wrong(bytes.NewReader(text), o, yield)
		}
		return right(bytes.NewReader(text), o, yield)
	}
}

// fixes is our own fixer with its result changed.
func fixes(change func(text []byte, changes []rules.Change) ([]byte, []rules.Change)) func(*fuzz.Impl) {
	return func(i *fuzz.Impl) {
		right := i.FixPayload
		i.FixPayload = func(payload []byte) ([]byte, []rules.Change) { return change(right(payload)) }
	}
}

func fixDamages() []damage {
	replaced := func(from, to string) func(*fuzz.Impl) {
		return fixes(func(text []byte, changes []rules.Change) ([]byte, []rules.Change) {
			return bytes.ReplaceAll(text, []byte(from), []byte(to)), changes
		})
	}
	without := func(which func(rules.Change) bool) func(*fuzz.Impl) {
		return fixes(func(text []byte, changes []rules.Change) ([]byte, []rules.Change) {
			return text, slices.DeleteFunc(slices.Clone(changes), which)
		})
	}
	return []damage{
		{"F01", "line ends become LF", replaced("\r\n", "\n")},
		{"F01", "something is added each time", fixes(func(text []byte, changes []rules.Change) ([]byte, []rules.Change) {
			return append(slices.Clone(text), "#\n"...), changes
		})},
		{"F01", "a case is left as it is", replaced(`"SRC"`, `"src"`)},
		{"F01", "what is refused passes when fixed again", func(i *fuzz.Impl) {
			right := i.FixPayload
			i.FixPayload = func(payload []byte) ([]byte, []rules.Change) {
				text, changes := right(payload)
				if bytes.Equal(text, payload) {
					changes = nil
				}
				return text, changes
			}
		}},
		{"F02", "dates are changed in silence", without(func(c rules.Change) bool { return c.Code == "date-iso" })},
		{"F02", "spaces are removed in silence", without(func(c rules.Change) bool { return c.Code == "spaces" })},
		{"F02", "changes without a place", fixes(func(text []byte, changes []rules.Change) ([]byte, []rules.Change) {
			changes = slices.Clone(changes)
			for i := range changes {
				changes[i].Line = 0
			}
			return text, changes
		})},
		{"F03", "a decimal comma is dropped", replaced(",", "")},
		{"F03", "day and month are guessed", without(func(c rules.Change) bool { return c.Code == "date-order" })},
		{"F03", "a sequence with commas is guessed", without(func(c rules.Change) bool { return c.Refused && c.Code == "decimal-comma" })},
	}
}

func wireDamages() []damage {
	encoder := func(change func(string) string) func(*fuzz.Impl) {
		return func(i *fuzz.Impl) {
			right := i.EncodePayload
			i.EncodePayload = func(csv []byte, to rules.Input) []byte { return []byte(change(string(right(csv, to)))) }
		}
	}
	return []damage{
		{"W02", "the URL-safe alphabet", encoder(strings.NewReplacer("+", "-", "/", "_").Replace)},
		{"W02", "no padding", encoder(func(s string) string { return strings.TrimRight(s, "=") })},
		{"W03", "a bare +", encoder(func(s string) string { return strings.ReplaceAll(s, "%2B", "+") })},
		{"W03", "a bare /", encoder(func(s string) string { return strings.ReplaceAll(s, "%2F", "/") })},
		{"W03", "the last byte lost", decoded(func(text []byte, found []laws.Finding) ([]byte, []laws.Finding) {
			return text[:max(len(text)-1, 0)], found
		})},
		{"W05", "the last line end lost in base64", encoder(func(s string) string {
			raw, err := base64.StdEncoding.DecodeString(s)
			if err != nil {
				return s
			}
			return base64.StdEncoding.EncodeToString(bytes.TrimRight(raw, "\"\n"))
		})},
		{"W05", "a form body judged more mildly", reads(func(right readPayload, src io.Reader, o rules.Options, yield func(laws.PayloadStep) bool) laws.PayloadEnd {
			if o.Input == rules.InputForm {
				o.Severity = map[ledger.Code]ledger.Severity{rules.CSVWidth: ledger.SeverityOff, rules.CardNumberShort: ledger.SeverityOff, rules.DateSyntax: ledger.SeverityOff}
			}
			return right(src, o, yield)
		})},
		{"W06", "every defect called a fault of syntax", decoded(func(text []byte, found []laws.Finding) ([]byte, []laws.Finding) {
			for i := range found {
				found[i].Code = rules.Base64Syntax
			}
			return text, found
		})},
		{"W07", "a prefix beside an error", decoded(func(text []byte, found []laws.Finding) ([]byte, []laws.Finding) {
			return append(text, 'x'), found
		})},
		{"W08", "unknown names dropped", responses(func(r *response.Record) { r.Extra = nil })},
		{"W08", "every line end left out", responses(func(r *response.Record) { r.Status = strings.TrimRight(r.Status, "\n") })},
		{"W08", "a success by the status", responses(func(r *response.Record) { r.Outcome = response.OutcomeAccepted })},
	}
}

// responses is our own reader of responses with its answer changed.
func responses(change func(*response.Record)) func(*fuzz.Impl) {
	return func(i *fuzz.Impl) {
		right := i.ParseResponse
		i.ParseResponse = func(status int, body []byte) (response.Record, error) {
			r, err := right(status, body)
			change(&r)
			return r, err
		}
	}
}
