package main

import (
	"strconv"
	"strings"

	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/rules"
	"github.com/chargecast/chargecast/signature"
)

// commandWords turn what the library says of its options into flags.
var commandWords = strings.NewReplacer(
	"the option MaxBytes", "--max-bytes", "the option MaxRows", "--max-rows", "the option MaxRow", "--max-row",
	"the option MaxCell", "--max-cell", "the option MaxColumns", "--max-columns", "the option MaxElements", "--max-elements",
	"the option States takes", "--states takes",
)

// fixHint leads to payload fix, which itself does not say it.
const fixHint = "; chargecast payload fix can do it"

// fixEncodingHint leads to payload fix for a text that is not UTF-8.
func fixEncodingHint(f ledger.Finding) string {
	rule, _ := rulebook.Lookup(f.Code)
	switch {
	case strings.Contains(f.Message, "UTF-32"):
		return "; of UTF-16, chargecast payload fix --encoding utf-16le or utf-16be can do it"
	case strings.Contains(f.Message, "UTF-16"):
		return fixHint
	case f.Help == rule.Help:
		return "; chargecast payload fix --encoding NAME can do it, such as --encoding windows-1252"
	}
	return "" // the row is in two encodings
}

// inCommand returns a finding of the library with the words of the command.
func inCommand(f ledger.Finding) ledger.Finding {
	f.Help = commandWords.Replace(f.Help)
	switch f.Code {
	case rules.ColumnUnknown, rules.NoHeader:
		if rule, _ := rulebook.Lookup(f.Code); f.Help == rule.Help {
			f.Help += "; chargecast explain " + string(f.Code) + " lists them"
		}
	}
	switch f.Code {
	case signature.SignatureWrong:
		f.Help = "chargecast diagnose with the same flags names the mistake, if it is a known one"
	case rules.CSVUnquoted:
		if rule, _ := rulebook.Lookup(f.Code); f.Help == rule.Help {
			f.Help += fixHint
		}
	case rules.CSVSeparator:
		if !strings.Contains(f.Message, "vertical bars") { // a separator that payload fix does not know
			f.Help += fixHint
		}
	case rules.InvalidUTF8:
		f.Help += fixEncodingHint(f)
	}
	return f
}

// isUnreadable reports whether one of the findings is an error that keeps the input from being read as a payload.
func isUnreadable(found ledger.Findings) bool {
	for _, f := range found {
		if f.Severity == ledger.SeverityError && rules.Unreadable(f.Code) {
			return true
		}
	}
	return false
}

// tell writes findings as messages.
func (a *app) tell(found ledger.Findings) {
	for _, f := range found {
		a.log.line("chargecast: " + f.Severity.String() + ": " + findingText(f))
	}
}

// findingText is a finding on one line: the place in a text of several parts, message, help and code.
func findingText(f ledger.Finding) string {
	text := ""
	if f.Place.Line > 0 {
		text = f.Place.File + ":" + strconv.Itoa(f.Place.Line) + ":" + strconv.Itoa(f.Place.Col) + ": "
	}
	if f.Subject != "" && !strings.Contains(f.Message, f.Subject) {
		text += f.Subject + ": "
	}
	text += f.Message
	if f.Help != "" {
		text += "; " + f.Help
	}
	return text + " (" + string(f.Code) + ")"
}

// appendFindings appends findings as a JSON array of problem records.
func appendFindings(dst []byte, found ledger.Findings) []byte {
	dst = append(dst, '[')
	for i, f := range found {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = f.AppendJSON(dst)
	}
	return append(dst, ']')
}

// appendFindingLines appends findings for people, one a line.
func appendFindingLines(dst []byte, found ledger.Findings) []byte {
	for _, f := range found {
		dst = append(append(dst, f.Severity.String()+": "+findingText(f)...), '\n')
	}
	return dst
}
