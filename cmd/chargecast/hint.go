package main

import near "github.com/chargecast/chargecast/internal/nearest"

// nearest is the one candidate that a mistyped word must have meant; empty for none.
func nearest(word string, candidates []string) string {
	if i, ok := near.Of(word, candidates); ok {
		return candidates[i]
	}
	return ""
}

// didYouMean is the end of a sentence about an unknown word.
func didYouMean(word string, candidates []string, prefix string) string {
	if name := nearest(word, candidates); name != "" {
		return "; did you mean " + prefix + name + "?"
	}
	return ""
}

// maxNamed is how long a word may be to be named; keys and tokens are longer.
const maxNamed = 24

// named is a mistyped word with a blank before it if it can be shown: one of letters and hyphens alone, which
// no card number and hardly a key is; else empty.
func named(prefix, word string) string {
	if word == "" || len(word) > maxNamed {
		return ""
	}
	for i := range len(word) {
		if c := word[i] | 0x20; (c < 'a' || c > 'z') && word[i] != '-' {
			return ""
		}
	}
	return " " + prefix + word
}
