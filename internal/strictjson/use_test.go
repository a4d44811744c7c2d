package strictjson_test

import (
	"testing"

	"github.com/chargecast/chargecast/internal/strictjson"
)

// A mistyped name or word is answered by the one that is meant (h227, h249), a strange one by all, and neither is repeated.
func TestUse(t *testing.T) {
	words := []string{"run", "stop", "resume"}
	for word, want := range map[string]string{
		"Stop":   "did you mean stop? use run, stop, resume",
		"resmue": "did you mean resume? use run, stop, resume",
		"secret": "use run, stop, resume",
		"":       "use run, stop, resume",
	} {
		if got := strictjson.Use(word, words); got != want {
			t.Errorf("%q: %q, want %q", word, got, want)
		}
	}
}
