package vectors_test

import (
	"encoding/json"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/chargecast/chargecast/internal/vectors"
)

// TestForecasts: the public vectors are whole, each with a name of its own.
func TestForecasts(t *testing.T) {
	file, err := os.Open("../../testdata/vectors/forecast.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	list, err := vectors.ReadForecasts(file)
	if err != nil || len(list) != 121 {
		t.Fatalf("%d vectors, %v", len(list), err)
	}
	seen := map[string]bool{}
	for _, v := range list {
		if seen[v.ID] || len(v.Profile) == 0 || v.AsOf == "" || v.Until == "" || !v.Expect.Rejected && v.Expect.End == nil {
			t.Errorf("%s is there twice or has holes", v.ID)
		}
		seen[v.ID] = true
	}
}

// TestRefused: a line that is not a vector is an error, not a vector with holes.
func TestRefused(t *testing.T) {
	const whole = `{"id":"a","title":"b","clauses":["2.1"]}`
	for _, text := range []string{`{}`, `x`, whole + "\n" + `{"id":"a"}`, strings.Replace(whole, "title", "titel", 1)} {
		if list, err := vectors.ReadForecasts(strings.NewReader(text)); !errors.Is(err, vectors.ErrLine) {
			t.Errorf("%s: %v, %v", text, list, err)
		}
	}
	if list, err := vectors.DecodeAll[int]([]json.RawMessage{json.RawMessage(`1`), json.RawMessage(`"x"`)}); err == nil {
		t.Errorf("text is decoded as %v", list)
	}
	if list, err := vectors.DecodeAll[int](nil); list != nil || err != nil {
		t.Errorf("no list is %v, %v", list, err)
	}
	if v, err := vectors.Decode[any](json.RawMessage(`1.50`)); v != json.Number("1.50") || err != nil {
		t.Errorf("a number is %v, %v", v, err)
	}
}
