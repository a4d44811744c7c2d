package gallery

import (
	"flag"
	"maps"
	"os"
	"regexp"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/chargecast/chargecast/internal/kit"
	"github.com/chargecast/chargecast/internal/kit/laws"
	"github.com/chargecast/chargecast/rules"
)

var (
	search = flag.Bool("search", false, "look for a failing case of every row again, in 4,000 cases")
	update = flag.Bool("update", false, "store the failing cases that are missing; with -search, those of every row")
)

// TestMain collects garbage less often than usual: cases allocate much and keep nothing.
func TestMain(m *testing.M) {
	debug.SetGCPercent(800)
	os.Exit(m.Run())
}

// stored are the tokens of the smallest failing cases found, by [rowOf].
const stored = "testdata/failing.txt"

func rowOf(m Member, law string) string { return law + "	" + m.Name }

func readStored(t *testing.T) map[string]string {
	text, err := os.ReadFile(stored)
	if err != nil && !*update {
		t.Fatal(err)
	}
	tokens := map[string]string{}
	for line := range strings.Lines(string(text)) {
		at := strings.LastIndexByte(line, '\t')
		tokens[line[:max(at, 0)]] = strings.TrimSpace(line[at+1:])
	}
	return tokens
}

func writeStored(t *testing.T, tokens map[string]string) {
	var text strings.Builder
	for _, row := range slices.Sorted(maps.Keys(tokens)) {
		text.WriteString(row + "\t" + tokens[row] + "\n")
	}
	if err := os.WriteFile(stored, []byte(text.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}

// Each law rejects the stored case of each row that names it, where our own code and the reference hold (G01).
func TestRows(t *testing.T) {
	tokens, met := readStored(t), map[string]string{}
	var lock sync.Mutex
	t.Cleanup(func() {
		switch {
		case *update:
			writeStored(t, met)
		case len(met) < len(tokens) && !t.Skipped():
			t.Errorf("%s has %d cases, the rows have %d: run with -update", stored, len(tokens), len(met))
		}
	})
	for _, m := range Members() {
		for _, law := range m.By {
			row := rowOf(m, law)
			if met[row] != "" {
				t.Errorf("%s is there twice", row)
			}
			met[row] = tokens[row]
			t.Run(strings.NewReplacer("\t", "/", " ", "-").Replace(row), func(t *testing.T) {
				if *search && !alone(law) {
					t.Parallel()
				}
				why := rejects(law, tokens[row], m)
				// The limits of int are others with 32 bits: a stored case may hold there, and another one fail.
				if *search || why != "" && (*update || strconv.IntSize < 64) {
					token := found(t, law, m)
					why = rejects(law, token, m)
					lock.Lock()
					met[row] = token
					lock.Unlock()
				}
				if why != "" {
					t.Error(why)
				}
			})
		}
	}
}

// alone reports whether a law measures, or changes what others read.
func alone(law string) bool {
	l, _ := laws.Find(law)
	return l.Alone
}

const notRejected = "it is not rejected"

// rejects says what is wrong with a stored case; empty where nothing is.
func rejects(law, token string, m Member) string {
	l, c, err := laws.Replay(token)
	if err != nil || l.ID != law {
		return "no case is stored for it: run with -update"
	}
	for _, right := range [...]laws.Impl{laws.Ours(), laws.Reference()} {
		if l.Once {
			break // the tests of package fuzz judge the same case
		}
		if v := laws.Judge(l, c, right); v.Message != "" {
			return right.Name + " fails: " + v.Message
		}
	}
	switch message := laws.Judge(l, c, m.Impl()).Message; {
	case message == "":
		return notRejected
	case strings.HasPrefix(message, "panic: "): // the row itself may be broken
		return "the law does not look, it panics: " + message
	case dump.MatchString(quoted.ReplaceAllString(message, "")):
		return "the law shows a value as Go prints it: " + message
	}
	return ""
}

// A dump is a value as Go prints it, a quoted text is one of the case's own.
var (
	dump   = regexp.MustCompile(`[{}]|map\[|\[\]|0x[0-9a-f]{4}|<nil>|%!`)
	quoted = regexp.MustCompile(`"(?:[^"\\]|\\.)*"|\{"[^\n]*|(?m:^(?:[ +-] |…).*$)`) // and the lines of a difference by go-cmp
)

// found is the token of a failing case, the simplest that the search comes to.
func found(t *testing.T, law string, m Member) string {
	o := kit.Options{Laws: []string{law}, Effort: 4000, Seed: 1, Shrinks: -1, Timeout: -1}
	if *update {
		o.Shrinks = 0
	}
	r := kit.Run(m.Impl(), o)
	if r.OK() || len(r.Results[0].Failures) == 0 {
		t.Fatalf("%s does not reject it in 4,000 cases", law)
	}
	_, c, err := laws.Replay(r.Results[0].Failures[0].Token)
	if err != nil {
		t.Fatal(err)
	}
	if token := c.Unnumbered().Token(); o.Shrinks < 0 || rejects(law, token, m) != notRejected {
		return token
	}
	return c.Token() // made simpler alone, a case for what remembers others may hold
}

// TestRowsNameLaws: rows name laws that there are.
func TestRowsNameLaws(t *testing.T) {
	for _, m := range Members() {
		for _, law := range m.By {
			if _, ok := laws.Find(law); !ok {
				t.Errorf("%s names the law %s, which does not exist", m.Name, law)
			}
		}
	}
}

// What rows are made with is right until it is changed: no law rejects it.
func TestUnchanged(t *testing.T) {
	same := func(text []byte) []byte { return text }
	for _, row := range []struct {
		name, laws string
		change     damage
	}{
		{"given", "V", given(same)},
		{"reported", "V", reported((*judged).count)},
		{"without", "V", without(rules.ScriptEmpty)},
		{"sent", "W", sent(func(text []byte, _ rules.Input) []byte { return text })},
		{"pairs", "W", pairs(func(string) bool { return false })},
		{"signing", "[PBHS]*", signing(nil)},
	} {
		impl := Member{change: row.change}.Impl()
		for _, r := range kit.Run(impl, kit.Options{Laws: []string{row.laws}, Effort: 50, Seed: 1, Shrinks: -1}).Results {
			for _, f := range r.Failures {
				t.Errorf("%s is rejected by %s: %s", row.name, r.Law.ID, f.Message)
			}
		}
	}
}

// The names lead to the members, and to nothing else; each has what the list of members shows.
func TestFind(t *testing.T) {
	seen := map[string]bool{}
	for i, m := range Members() {
		if seen[m.Name] || m.Does == "" || m.Witness == "" || len(m.By) == 0 {
			t.Errorf("%s: a member needs a name of its own, what it does, a witness and a law", m.Name)
		}
		seen[m.Name] = true
		if i%10 != 0 {
			continue // each Find makes all members
		}
		if found, ok := Find(m.Name); !ok || found.Name != m.Name || found.Impl().Name != m.Name {
			t.Errorf("%s is not found", m.Name)
		}
	}
	if _, ok := Find("right"); ok {
		t.Errorf("a name that no member has leads to one")
	}
}
