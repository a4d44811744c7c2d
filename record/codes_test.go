package record_test

import (
	"errors"
	"regexp"
	"strings"
	"testing"

	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/record"
)

// TestRules: each code has a whole entry of its own, which does not speak of the command.
func TestRules(t *testing.T) {
	seen := map[ledger.Code]bool{}
	kebab := regexp.MustCompile(`^[a-z]+(-[a-z]+)+$`)
	for r := range record.Rules() {
		if seen[r.Code] || !kebab.MatchString(string(r.Code)) || r.Severity < ledger.SeverityWarning || r.Clause == 0 || r.Text == "" || r.Help == "" || r.Good == "" || r.Bad == "" {
			t.Errorf("%+v", r)
		}
		seen[r.Code] = true
		if strings.Contains(r.Text+r.Help, "chargecast") || strings.Contains(r.Text+r.Help, "--") {
			t.Errorf("%s speaks of the command", r.Code)
		}
	}
	for range record.Rules() {
		break
	}
}

// TestRuleExamples: the good example of a line is read, and the bad one has the code.
func TestRuleExamples(t *testing.T) {
	state := func(line string) error { return new(record.StateLine).UnmarshalJSON([]byte(line)) }
	script := func(line string) error {
		_, err := record.ParseScriptLine([]byte(line))
		return err
	}
	output := func(text string) (err error) {
		for _, e := range record.Read(strings.NewReader(head + "\n" + text + "\n" + summary)) {
			err = errors.Join(err, e)
		}
		return err
	}
	kept := func(text string) (err error) {
		for _, e := range record.ReadStates(strings.NewReader(text)) {
			err = errors.Join(err, e)
		}
		return err
	}
	readers := map[ledger.Code]func(string) error{
		record.JSONSyntax: script, "json-type": state, "json-unknown-field": state, "json-duplicate-field": script,
		"state-status": state, "state-repeat": state, "state-conflict": state, "state-paid-repeated": kept,
		"script-verb": script, "script-via": script, "script-when": script, "script-outcome": script,
		"record-type": output, "record-member": output,
	}
	met := 0
	for r := range record.Rules() {
		read, ok := readers[r.Code]
		if !ok {
			continue
		}
		met++
		if err := read(r.Good); err != nil {
			t.Errorf("%s: the good example: %v", r.Code, err)
		}
		if err := read(r.Bad); !errors.Is(err, r.Code) {
			t.Errorf("%s: the bad example: %v", r.Code, err)
		}
	}
	if met != len(readers) {
		t.Errorf("%d of %d codes", met, len(readers))
	}
}
