package rules

import (
	"strings"

	"github.com/chargecast/chargecast/internal/nearest"
)

// nearestOf is the word that a mistyped one means; empty where that is not clear.
func nearestOf(s string, words ...string) string {
	if i, ok := nearest.Of(s, words); ok {
		return words[i]
	}
	return ""
}

// inCapitals is the code of a list that s is but for its case; empty for none. Codes are so
// short that one with another letter may mean any of them.
func inCapitals(s string, listed func(string) bool) string {
	if code := strings.ToUpper(s); listed(code) {
		return code
	}
	return ""
}

// meantHelp is the remedy for a value that probably means a word of a closed list; empty
// where that is not known.
func meantHelp(word string) string {
	if word == "" {
		return ""
	}
	return "perhaps " + word + " is meant: write it exactly so"
}
