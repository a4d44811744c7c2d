package main

import (
	"strings"
	"testing"

	"github.com/chargecast/chargecast/rules"
)

// TestDecodedTextIsCut: base64 that was cut at a group of four decodes to a text that ends inside a row, and nobody said so.
func TestDecodedTextIsCut(t *testing.T) {
	header := string(rules.AppendHeader(nil))
	whole := "\ufeff" + header + string(rules.AppendRecord(nil, exampleRow()...))
	for cut := range len(whole) + 1 {
		text := whole[:cut]
		row := text[strings.LastIndexByte(text, '\n')+1:]
		inQuotes, short := strings.Count(text, `"`)%2 == 1, cut > len(header) && row != "" && strings.Count(row, ";") < strings.Count(header, ";")
		want := len(text) > len("\ufeff\"rp_card_type") && (inQuotes || short)
		var end rowEnds
		for piece := range strings.SplitAfterSeq(text, "_") {
			_, _ = end.Write([]byte(piece))
		}
		if end.isInside() != want && len(text) > len("\ufeff\"rp_card_type") {
			t.Errorf("%d bytes, %q: %v", cut, row, !want)
		}
	}
	for _, text := range []string{"", `"any text`, `a;"b`} {
		var end rowEnds
		_, _ = end.Write([]byte(text))
		if end.isInside() {
			t.Errorf("%q is not a payload", text)
		}
	}
}
