package main

import (
	"strings"

	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/rules"
)

// commandWords turn what the library says of its options into flags.
var commandWords = strings.NewReplacer(
	"the option MaxBytes", "--max-bytes", "the option MaxRows", "--max-rows", "the option MaxRow", "--max-row",
	"the option MaxCell", "--max-cell", "the option MaxColumns", "--max-columns", "the option MaxElements", "--max-elements",
	"the option States takes", "--states takes",
)

// inCommand returns a finding of the library with the words of the command.
func inCommand(f ledger.Finding) ledger.Finding {
	f.Help = commandWords.Replace(f.Help)
	switch f.Code {
	case rules.ColumnUnknown, rules.NoHeader:
		if rule, _ := rules.Lookup(f.Code); f.Help == rule.Help {
			f.Help += "; chargecast explain " + string(f.Code) + " lists them"
		}
	}
	switch f.Code {
	case rules.CSVSeparator, rules.InvalidUTF8, rules.CSVUnquoted:
		f.Help += "; chargecast payload fix can do it"
	}
	return f
}

// isUnreadable reports whether one of the findings is an error that makes the input no payload.
func isUnreadable(found ledger.Findings) bool {
	for _, f := range found {
		if rule, _ := rules.Lookup(f.Code); f.Severity == ledger.SeverityError && rule.Unreadable {
			return true
		}
	}
	return false
}
