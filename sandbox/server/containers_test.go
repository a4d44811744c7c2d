package server

import (
	"encoding/json"
	"net/http"
	"os"
	"regexp"
	"slices"
	"testing"

	"github.com/chargecast/chargecast/internal/program"
)

// listIn is the list of words behind a mark in a file.
func listIn(t *testing.T, file, mark string) (words []string) {
	t.Helper()
	text, err := os.ReadFile(file)
	check(t, err)
	found := regexp.MustCompile(mark + `(.*)[\])]`).FindSubmatch(text)
	if found == nil {
		t.Fatalf("%s has no %s", file, mark)
	}
	check(t, json.Unmarshal([]byte("["+string(found[1])+"]"), &words))
	return words
}

// TestContainers starts the program as the container does, with the words that the compose file and
// the recipe for Testcontainers add: it listens for other machines, answers by the names that they
// use, and checks itself.
func TestContainers(t *testing.T) {
	t.Parallel()
	const file = rootOfClone + "/containers/chargecast-sandbox.Containerfile"
	const port = ":8043"
	entry, health := listIn(t, file, `ENTRYPOINT \[`)[1:], listIn(t, file, `HEALTHCHECK .* CMD \[`)[1:]
	at := slices.Index(entry, "0.0.0.0"+port)
	if at < 0 || len(health) != 2 || health[0] != "--health" || health[1] != "http://127.0.0.1"+port {
		t.Fatalf("it listens by %q, and is checked by %q", entry, health)
	}
	entry[at] = "0.0.0.0:0"
	for what, c := range map[string]struct {
		words []string
		hosts map[string]int
	}{
		"docker run": {nil, map[string]int{"gateway": 421}},
		"compose":    {listIn(t, rootOfClone+"/containers/compose.yaml", `command: \[`), map[string]int{"gateway": 200, "other": 421}},
		"Testcontainers": {
			listIn(t, rootOfClone+"/docs/sandbox.md", `testcontainers.WithCmd\(`), map[string]int{"localhost:49153": 200, "anything": 200},
		},
	} {
		p := startWith(t, t.TempDir(), append(entry[:len(entry):len(entry)], c.words...)...)
		for host, want := range c.hosts {
			r, err := http.NewRequest("GET", p.url+"/healthz", nil)
			check(t, err)
			r.Host = host
			if status, _, err := send(r); err != nil || status != want {
				t.Errorf("%s, %s: %d %v, not %d", what, host, status, err, want)
			}
		}
		if code, stderr := fails(t, t.TempDir(), health[0], p.url); code != program.ExitOK {
			t.Errorf("%s: %d %s", what, code, stderr)
		}
	}
}
