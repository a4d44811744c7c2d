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
		return ": did you mean " + prefix + name + "?"
	}
	return ""
}
