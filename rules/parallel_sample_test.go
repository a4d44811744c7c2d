package rules

import (
	"bytes"
	_ "embed"
	"io"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"
)

// generated are payloads and requests that the generators of the kit made, each as a quoted text. They are
// a frozen sample: the kit depends on this package, and would be compiled anew for its tests.
//
//go:embed testdata/generated.txt
var generated string

// sampleTexts are the texts of the sample.
func sampleTexts(t *testing.T) (texts []string) {
	t.Helper()
	for line := range strings.Lines(generated) {
		text, err := strconv.Unquote(strings.TrimSuffix(line, "\n"))
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, text)
	}
	if len(texts) < 90 {
		t.Fatalf("only %d texts", len(texts))
	}
	return texts
}

// changed is a text of the sample as it is, several times over, spliced with another, or with bytes changed.
func changed(chance *rand.Rand, texts []string, text string) []byte {
	b := []byte(text)
	switch chance.IntN(5) {
	case 0:
		other := texts[chance.IntN(len(texts))]
		b = slices.Concat(b[:chance.IntN(len(b)+1)], []byte(other[chance.IntN(len(other)+1):]))
	case 1:
		for range 1 + chance.IntN(8) {
			if len(b) > 0 {
				b[chance.IntN(len(b))] = "\"\n;\r \x00%=&,9a\xff"[chance.IntN(13)]
			}
		}
	}
	if i := bytes.IndexByte(b, '\n'); i > 0 && chance.IntN(2) == 0 {
		b = slices.Concat(b, b[i+1:], b[i+1:], b[i+1:])
	}
	return b
}

// TestWorkersChangeNothingOfGeneratedInputs reads inputs of the kit's generators, and what is near them.
func TestWorkersChangeNothingOfGeneratedInputs(t *testing.T) {
	chance := rand.New(rand.NewPCG(7, 8))
	texts := sampleTexts(t)
	rounds := 5
	if whole {
		rounds = 20
	}
	for round := range rounds {
		for _, text := range texts {
			b := []byte(text)
			if round > 0 {
				b = changed(chance, texts, text)
			}
			for _, size := range []int{1 + chance.IntN(50), 60 + chance.IntN(300)} {
				wrap := func(r io.Reader) io.Reader { return r }
				if chance.IntN(3) == 0 {
					wrap = iotest.OneByteReader
				}
				sameReading(t, func() io.Reader { return wrap(bytes.NewReader(b)) }, w3Options(), 2+chance.IntN(15), size)
			}
		}
	}
}
