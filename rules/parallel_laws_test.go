package rules_test

import (
	"bytes"
	"fmt"
	"io"
	"math/rand"
	"slices"
	"testing"
	"testing/iotest"

	"github.com/leanovate/gopter"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/fuzz/gen"
	"github.com/chargecast/chargecast/rules"
)

// TestWorkersChangeNothingOfGeneratedInputs reads the inputs of the kit's own laws, as they are and, where
// they are CSV, several times over.
func TestWorkersChangeNothingOfGeneratedInputs(t *testing.T) {
	cases := 500
	if testing.Short() {
		cases = 100
	}
	for name, gen := range map[string]gopter.Gen{
		"payload texts": gen.PayloadTexts(), "rough payloads": gen.RoughPayloads(), "payload bytes": gen.PayloadBytes(),
		"forms": gen.FormBodies(), "wire texts": gen.WireTexts(), "sent texts": gen.SentTexts(),
	} {
		t.Run(name, func(t *testing.T) {
			parameters := gopter.DefaultGenParameters()
			parameters.Rng = rand.New(rand.NewSource(1))
			for n := range cases {
				value, ok := gen(parameters).Retrieve()
				if !ok {
					continue
				}
				text := fmt.Append(nil, value)
				if i := bytes.IndexByte(text, '\n'); i > 0 && n%2 == 0 {
					text = slices.Concat(text, text[i+1:], text[i+1:], text[i+1:])
				}
				o := rules.Options{AsOf: calendar.MustParse("2026-01-10")}
				want := outcome(rules.NewReader(bytes.NewReader(text), o))
				for _, size := range []int{1 + n%50, 60 + n%300} {
					var src io.Reader = bytes.NewReader(text)
					if n%3 == 0 {
						src = iotest.OneByteReader(src)
					}
					if got := outcome(rules.NewReader(src, o.InChunks(2+n%15, size))); !slices.Equal(got, want) {
						t.Fatalf("chunks of %d bytes of %q:\n%q\nwant\n%q", size, text, got, want)
					}
				}
			}
		})
	}
}

// outcome is all that a Reader gives.
func outcome(r *rules.Reader) (lines []string) {
	for row, found := range r.Rows() {
		line := fmt.Sprint(row, found)
		if row != nil {
			line = fmt.Sprint(row, row.Profile(), row.Line, found)
			for _, c := range row.Cells() {
				line += ";" + c.Reveal()
			}
		}
		for _, f := range found {
			text, caret, ok := r.Excerpt(f)
			line += fmt.Sprint(f.Place, f.Message, f.Help, text, caret, ok)
		}
		lines = append(lines, line)
	}
	return append(lines, fmt.Sprint(r.Summary(), r.Err()))
}
