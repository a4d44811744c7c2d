package fuzz_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/leanovate/gopter"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/fuzz"
	"github.com/chargecast/chargecast/fuzz/gallery"
	"github.com/chargecast/chargecast/fuzz/laws"
	"github.com/chargecast/chargecast/internal/gen"
)

// A case is the same alone, in any order, and by its token (G02).
func TestCasesRepeat(t *testing.T) {
	for _, l := range fuzz.Laws() {
		var forward []string
		for i := range uint64(5) {
			forward = append(forward, fmt.Sprintf("%+v", laws.Source{Seed: 7}.Case(l, i).Value))
		}
		for i := uint64(5); i > 0; i-- {
			c := laws.Source{Seed: 7}.Case(l, i-1)
			if got := fmt.Sprintf("%+v", c.Value); got != forward[i-1] && !strings.Contains(got, "0x") {
				t.Errorf("%s: case %d is %s, then %s", l.ID, i-1, forward[i-1], got)
			}
			_, again, err := laws.Replay(c.Token())
			if err != nil || again.Law != l.ID || again.Token() != c.Token() || !slices.Equal(again.Choices, c.Choices) {
				t.Errorf("%s leads to %+v, %v", c.Token(), again, err)
			}
			shrunk := laws.Case{Law: l.ID, Choices: c.Choices}
			if _, again, err := laws.Replay(shrunk.Token()); err != nil || !slices.Equal(again.Choices, c.Choices) {
				t.Errorf("%s leads to %+v, %v", shrunk.Token(), again, err)
			}
		}
	}
}

func TestReplayRefuses(t *testing.T) {
	for _, row := range []struct {
		token, reason string
		want          error
	}{
		{"", "G08: damaged", laws.ErrToken},
		{"cc2:T05:1", "G08: damaged", laws.ErrToken},
		{"cc2:T05:-1:2", "G08: damaged", laws.ErrToken},
		{"cc2:T05:01:2", "G08: another spelling", laws.ErrToken},
		{"cc2:T05:1:18446744073709551616", "G08: no index", laws.ErrToken},
		{"cc1:T05:1:2", "G08: another version", laws.ErrTokenVersion},
		{"cc2:T99:1:2", "G08: unknown law", laws.ErrTokenLaw},
	} {
		if _, _, err := laws.Replay(row.token); !errors.Is(err, row.want) {
			t.Errorf("%s: %q gives %v, want %v", row.reason, row.token, err, row.want)
		}
	}
}

// What is proposed as simpler is simpler: fewer choices, or smaller ones; so the search ends (G04).
func TestSimplerIsSimpler(t *testing.T) {
	for _, l := range fuzz.Laws() {
		for i := range uint64(2) {
			result := laws.Source{Seed: 3}.Gen(l, i)(nil)
			of := result.Result.(*gen.Drawn)
			for range 80 {
				next, ok := result.Shrinker(of)()
				if !ok {
					break
				}
				n := next.(*gen.Drawn)
				if !gen.Simpler(n.Choices, of.Choices) {
					t.Errorf("%s: %v is made %v", l.ID, of.Choices, n.Choices)
					break
				}
				of = n
			}
		}
	}
}

// Shrinking finds the smallest case of a fault that everybody can see.
func TestShrinkingIsThorough(t *testing.T) {
	m, _ := gallery.Find("interval-ignored")
	r := fuzz.Run(m.Impl(), fuzz.Options{Laws: []string{"C16"}, Cases: 1000, Seed: 1})
	if r.OK() {
		t.Fatal("C16 rejects nothing")
	}
	if f := r.Results[0].Failures[0]; !strings.Contains(f.Value, "Start:2026-01-01 Unit:day Interval:2") {
		t.Errorf("shrunk to %s", f.Value)
	}
}

// A law on the skip list that holds is a failure; one that fails is not (G05).
func TestSkipList(t *testing.T) {
	m, _ := gallery.Find("max-zero-unlimited")
	r := fuzz.Run(m.Impl(), fuzz.Options{Laws: []string{"Y05", "Y04"}, Cases: 300, Skip: []string{"Y04", "Y05"}, Shrinks: -1})
	for _, result := range r.Results {
		if fails := result.Law.ID == "Y05"; result.Skipped != fails || (len(result.Failures) == 0) != fails {
			t.Errorf("%s: skipped %v, %d failures", result.Law.ID, result.Skipped, len(result.Failures))
		}
	}
}

// What an implementation lacks is not covered, never passed: not the laws of our own tables either, which ask
// nothing of it.
func TestNotCovered(t *testing.T) {
	r := fuzz.Run(fuzz.Impl{Name: "nothing"}, fuzz.Options{Cases: 1})
	for _, result := range r.Results {
		if !result.NotCovered {
			t.Errorf("%s covers an implementation of nothing", result.Law.ID)
		}
	}
	if r.OK() {
		t.Error("a run that judged no law is OK")
	}
}

// A noted T collects what a check reports and logs.
type noted struct{ errors, logs string }

func (*noted) Helper()                          {}
func (n *noted) Errorf(format string, a ...any) { n.errors += fmt.Sprintf(format, a...) + "\n" }
func (n *noted) Logf(format string, a ...any)   { n.logs += fmt.Sprintf(format, a...) + "\n" }

// A run that a misspelled law or an implementation without answers leaves without a judgement is a failure,
// and so is one of which a single pattern names no law.
func TestNothingJudgedFails(t *testing.T) {
	ours := fuzz.Ours()
	for _, row := range []struct {
		name string
		impl fuzz.Impl
		o    fuzz.Options
		says string // by Check; empty where the run is OK
	}{
		{"a law with its answer", ours, fuzz.Options{Laws: []string{"P02"}}, ""},
		{"a typo", ours, fuzz.Options{Laws: []string{"P2"}}, "no law has the id or pattern \"P2\"\nno law was judged"},
		{"a typo beside a law", ours, fuzz.Options{Laws: []string{"P02", "T5"}}, "no law has the id or pattern \"T5\"\n"},
		{"a pattern that is none", ours, fuzz.Options{Laws: []string{"P02", "["}}, "no law has the id or pattern \"[\"\n"},
		{"a small letter", ours, fuzz.Options{Laws: []string{"p02"}}, "no law has the id or pattern \"p02\"\nno law was judged"},
		{"a typo on the skip list", ours, fuzz.Options{Laws: []string{"P02"}, Skip: []string{"T5"}}, "no law has the id or pattern \"T5\"\n"},
		{"an implementation of nothing", fuzz.Impl{Name: "nothing"}, fuzz.Options{Laws: []string{"P02"}}, "no law was judged: "},
	} {
		var n noted
		r := fuzz.Check(&n, row.impl, row.o)
		ok := row.says == ""
		if r.OK() != ok || strings.HasPrefix(n.errors, row.says) == (ok && n.errors != "") {
			t.Errorf("%s: OK %v, errors %q", row.name, r.OK(), n.errors)
		}
		if text := string(r.AppendText(nil, nil)); !strings.HasSuffix(text, n.logs[:len(n.logs)-1]) {
			t.Errorf("%s: logs %q, the report is %q", row.name, n.logs, text)
		}
		for _, name := range r.Unknown {
			if text := string(r.AppendText(nil, nil)); !strings.Contains(text, "No law has the id or pattern "+name+"\n") {
				t.Errorf("%s: the text does not name %q: %s", row.name, name, text)
			}
			if junit := string(r.AppendJUnit(nil, nil)); !strings.Contains(junit, ` errors="1"`) || strings.Count(junit, "<testcase") != len(r.Results)+1 {
				t.Errorf("%s: the JUnit report is %s", row.name, junit)
			}
		}
	}
}

// A panic of the code under test is a report, and no end.
func TestPanicIsAReport(t *testing.T) {
	impl := fuzz.Ours()
	impl.ParseAmount = func(string) (amount.Amount, error) { panic("boom") }
	r := fuzz.Run(impl, fuzz.Options{Laws: []string{"A01"}, Cases: 1, Shrinks: -1})
	if r.OK() || !strings.Contains(r.Results[0].Failures[0].Message, "boom") {
		t.Errorf("a panic gives %+v", r.Results)
	}
}

// A law works in a gopter run of the user's own.
func TestGopter(t *testing.T) {
	wrong, _ := gallery.Find("interval-ignored")
	for _, impl := range []fuzz.Impl{fuzz.Ours(), wrong.Impl()} {
		p := gopter.DefaultTestParametersWithSeed(1)
		p.MinSuccessfulTests, p.Workers, p.MaxShrinkCount = 200, 1, 20
		properties := gopter.NewProperties(p)
		l, _ := laws.Find("C16")
		properties.Property("C16", l.Prop(l.Gen(), impl, nil))
		if passed := properties.Run(gopter.NewFormatedReporter(false, 75, discard{})); passed != (impl.Name == "chargecast") {
			t.Errorf("gopter's verdict on %s is %v", impl.Name, passed)
		}
	}
}

type discard struct{}

func (discard) Write(p []byte) (int, error) { return len(p), nil }

// The registry: ids are unique, laws say what they rest on, and there are enough.
func TestRegistry(t *testing.T) {
	seen := map[string]bool{}
	for _, l := range fuzz.Laws() {
		if seen[l.ID] || l.Formula == "" || l.Clause == "" {
			t.Errorf("%s: twice, or without formula or clause", l.ID)
		}
		seen[l.ID] = true
	}
	if len(seen) < 95 {
		t.Errorf("%d laws, want at least 95", len(seen))
	}
}

// The bytes of a fuzzer lead to every corner, and their end is no end.
func TestByteStream(t *testing.T) {
	r := gen.Chooser{Stream: gen.FromBytes([]byte{1, 2, 0x80})}
	if a, b := r.Below(10), r.Uint64(); a != 1 || b != 2 {
		t.Errorf("the bytes 1 and 2 are %d and %d", a, b)
	}
	seen := map[uint64]bool{}
	for range 100 {
		seen[r.Uint64()] = true
	}
	if len(seen) != 100 {
		t.Errorf("%d different words of 100 after the end", len(seen))
	}
	choices := []uint64{0, 1, 127, 128, 1 << 63, 300}
	again := gen.FromBytes(gen.Bytes(choices))
	for _, want := range choices {
		if got := (gen.Chooser{Stream: again}).Uint64(); got != want {
			t.Errorf("%d is read back as %d", want, got)
		}
	}
}
