package rules

import (
	"errors"
	"testing"

	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/ledger"
	recordlines "github.com/chargecast/chargecast/record"
)

// A lineCode is a code that the readers of state and script lines give.
type lineCode struct {
	code   ledger.Code
	reason string
	read   func(line []byte) error
}

func (c lineCode) id() (string, string) { return string(c.code), c.reason }

func readState(line []byte) error {
	_, _, err := engine.ParseStateLine(line)
	return err
}

func readScript(line []byte) error {
	_, err := recordlines.ParseScriptLine(line)
	return err
}

func lineCodes() []lineCode {
	return []lineCode{
		{JSONSyntax, "h246", readScript},
		{JSONType, "h254", readState},
		{JSONUnknownField, "h259", readState},
		{JSONDuplicateField, "h246", readScript},
		{StateStatus, "X14", readState},
		{StateRepeat, "2.2.7", readState},
		{StateConflict, "2.2.10", readState},
		{ScriptVerb, "3", readScript},
		{ScriptVia, "h250", readScript},
		{ScriptWhen, "h258", readScript},
		{ScriptOutcome, "h251", readScript},
	}
}

// commandCodes are those that the command finds in whole files.
func commandCodes() []ledger.Code {
	return []ledger.Code{
		LimitLine, StatePaidRepeated, StateProfileDuplicate, StateProfileAmbiguous, StateProfileUnknown,
		ScriptOutcomeTwice, ScriptOutcomeUnused, ScriptBeforeAsOf, ScriptProfileUnknown,
	}
}

// TestLineCodes holds the examples of the table to the readers of lines.
func TestLineCodes(t *testing.T) {
	each(t, lineCodes(), func(t *testing.T, c lineCode) {
		rule := ruleOf(c.code)
		if err := c.read([]byte(rule.Good)); err != nil {
			t.Errorf("the good example: %v", err)
		}
		err, ok := errors.AsType[ledger.Finding](c.read([]byte(rule.Bad)))
		if !ok || string(err.Code) != string(rule.Code) {
			t.Errorf("the bad example: %v", err)
		}
	})
	for _, c := range commandCodes() {
		if rule := ruleOf(c); rule.Bad[0] == '{' && readState([]byte(rule.Bad)) != nil {
			t.Errorf("%s: the bad example is no state", rule.Code)
		}
	}
}
