package conform_test

import (
	"cmp"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/kit"
	"github.com/chargecast/chargecast/internal/kit/conform"
	"github.com/chargecast/chargecast/internal/kit/laws"
)

// program is the environment variable that makes the test binary a program under test.
const program = "CONFORM_TEST_PROGRAM"

func TestMain(m *testing.M) {
	name := os.Getenv(program)
	if fault := faultOf(name); fault != nil {
		with(fault)(os.Stdin, os.Stdout)
		return
	}
	if name != "" {
		programs[name](os.Stdin, os.Stdout)
		return
	}
	os.Exit(m.Run())
}

// long is how long a program may take that is not meant to be late, on a machine that is busy.
const long = 5 * time.Minute

// stays are the programs that close a pipe or leave it to a child: what they do is known once their last words are
// waited for in vain.
var stays = []string{"closes stdin", "closes stdout", "leaves a child"}

// self starts the test binary as a program. Without a timeout it has a long time for each reply.
func self(t *testing.T, name string, timeout time.Duration) (*conform.Program, error) {
	t.Helper()
	if programs[name] == nil && faultOf(name) == nil {
		t.Fatalf("no such program: %s", name)
	}
	t.Setenv(program, name)
	hello, last := long, long
	if name == "hangs at hello" {
		hello = timeout
	}
	if slices.Contains(stays, name) {
		last = time.Second
	}
	p := conform.New([]string{os.Args[0]}, cmp.Or(timeout, long))
	p.Wait(hello, last)
	t.Cleanup(p.Close)
	return p, p.Start()
}

// run runs laws against the test binary as a program.
func run(t *testing.T, name string, o kit.Options) kit.Report {
	t.Helper()
	p, err := self(t, name, 0)
	if err != nil {
		t.Fatalf("%v\n%s", err, p.Stderr())
	}
	return p.Run(o)
}

// inGate is the number of cases of an ordinary run, or that of one in the gate.
func inGate(ordinary, gate int) int {
	if os.Getenv("CHARGECAST_GATE") != "" {
		return gate
	}
	return ordinary
}

// law is the result of one law of a report.
func law(t *testing.T, r kit.Report, id string) kit.Result {
	t.Helper()
	i := slices.IndexFunc(r.Results, func(l kit.Result) bool { return l.Law.ID == id })
	if i < 0 {
		t.Fatalf("no result for %s", id)
	}
	return r.Results[i]
}

// TestOneVerdict: our own implementation passes every law through the protocol that it passes in
// process, and each law of the table is judged.
func TestOneVerdict(t *testing.T) {
	p, err := self(t, "ours", 0)
	if err != nil {
		t.Fatalf("%v\n%s", err, p.Stderr())
	}
	p.Codes = true
	cases := inGate(4, 12)
	r := p.Run(kit.Options{Cases: cases})
	for _, l := range r.Results {
		if l.Covered() && !l.Law.Once && l.Cases != cases {
			t.Errorf("%s: %d cases, want %d", l.Law.ID, l.Cases, cases)
		}
		for _, f := range l.Failures {
			t.Errorf("%s: %s\n%s\n%s\n%s", l.Law.ID, f.Token, f.Message, f.Counterexample.CSV, f.Counterexample.Command)
		}
		if conform.Judged(l.Law.ID) != l.Covered() {
			t.Errorf("%s is covered: %v", l.Law.ID, l.Covered())
		}
		if l.Unspecified > 0 || l.NotRun || l.Cases > 0 != l.Covered() {
			t.Errorf("%+v", l)
		}
	}
}

// TestFaultsAreFound: a fault is found by a law about it, and a case that fails through the protocol
// fails in process too.
func TestFaultsAreFound(t *testing.T) {
	for name, id := range map[string]string{
		"plus-for-space": "P02", "duplicates-dropped": "B02", "verify-prefix": "S05",
		"one charge too many": "T07", "a stop is forgotten": "E23", "validator-without-amount-syntax": "V07",
	} {
		t.Run(name, func(t *testing.T) {
			l := law(t, run(t, name, kit.Options{Laws: []string{id}, Cases: 240, Shrinks: inGate(20, 200)}), id)
			if len(l.Failures) == 0 {
				t.Fatalf("%s holds: %+v", id, l)
			}
			f := l.Failures[0]
			if f.Message == "" || f.Counterexample.Command == "" {
				t.Errorf("%+v", f)
			}
			impl := laws.Ours()
			faultOf(name)(&impl)
			if own, _, err := kit.Again(impl, f.Token, kit.Options{}); err != nil || !own.Failed() {
				t.Errorf("in process the case holds: %+v, %v", own, err)
			}
		})
	}
}

// TestAnotherReading: where the document is silent, another answer is no failure, and the key is
// named; where it is not, another answer is one.
func TestAnotherReading(t *testing.T) {
	for _, tt := range []struct{ name, law, key string }{
		{"catches up", "T07", "start-past"}, {"zero is no limit", "T07", "max-zero"}, {"counts from 0 again", "E23", "resume-counter"},
		{"exclusive finish", "T07", ""}, {"overflowing months", "T07", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			cases := 300
			if tt.key != "" { // as many as are wanted; a failure ends them
				cases = 300
			}
			l := law(t, run(t, tt.name, kit.Options{Laws: []string{tt.law}, Cases: cases, Shrinks: 3}), tt.law)
			if tt.key == "" {
				if !l.Failed() || l.Unspecified > 0 || !strings.HasSuffix(l.Failures[0].Text(), "; if that is yours, give --policy") {
					t.Errorf("%+v", l)
				}
				return
			}
			if l.Failed() || l.Unspecified == 0 || len(l.Readings) != 1 || l.Readings[0].Key != tt.key || l.Readings[0].Got == l.Readings[0].Want || l.Readings[0].Token == "" {
				t.Errorf("%+v", l)
			}
		})
	}
}

// TestOwnReading: a program that says which reading it follows is judged by it.
func TestOwnReading(t *testing.T) {
	p, err := engine.ParsePolicy("finish-bound=exclusive")
	if err != nil {
		t.Fatal(err)
	}
	program, err := self(t, "exclusive finish", 0)
	if err != nil {
		t.Fatalf("%v\n%s", err, program.Stderr())
	}
	r := program.Run(kit.Options{Laws: []string{"T07", "T25"}, Cases: 30, Policy: &p})
	for _, id := range []string{"T07", "T25"} {
		if l := law(t, r, id); l.Failed() || l.Unspecified > 0 || l.Cases == 0 {
			t.Errorf("%+v", l)
		}
	}
}

// TestDefaultReadingOnly: who supports the default reading alone fails no law.
func TestDefaultReadingOnly(t *testing.T) {
	r := run(t, "default reading only", kit.Options{Laws: []string{"T"}, Cases: 20})
	if !r.OK() || r.Judged() < 4 {
		t.Errorf("%d judged, OK %v: %+v", r.Judged(), r.OK(), r.Results)
	}
}

// TestSecretAsItIs: the document says "the consumer secret", the ledger assumes that it is encoded as RFC 5849 has it: the
// other is unspecified, and named. A key without its ampersand is wrong.
func TestSecretAsItIs(t *testing.T) {
	r := run(t, "the secret is not encoded", kit.Options{Laws: []string{"S04", "S07"}, Cases: 60})
	for _, l := range r.Results {
		if l.Failed() || l.Unspecified == 0 || l.Unspecified == l.Cases || l.Readings[0].Key != "L64" {
			t.Errorf("%+v", l)
		}
	}
	if l := law(t, run(t, "secret-without-ampersand", kit.Options{Laws: []string{"S04"}, Cases: 20}), "S04"); !l.Failed() || l.Unspecified > 0 {
		t.Errorf("%+v", l)
	}
}

// TestBadPrograms: whatever a program does, the run ends with a failure that says what it did, and the request. It is started
// again for each law.
func TestBadPrograms(t *testing.T) {
	const short = 300 * time.Millisecond
	for name, want := range map[string]string{
		"exits after hello": "ended before it replied", "hangs after hello": "did not reply in time", "garbage after hello": "not a JSON object",
		"null": "another id", "another id": "another id", "half a line": "ended before it replied", "a giant line": "longer than 8 MiB",
		"a flood of lines": "another id", "closes stdout": "closed its standard output", "leaves a child": "ended before it replied",
		"panics later": "ended before it replied", "a deep reply": "not a JSON object",
	} {
		t.Run(name, func(t *testing.T) {
			timeout := time.Duration(0)
			if name == "hangs after hello" {
				timeout = short
			}
			p, err := self(t, name, timeout)
			if err != nil {
				t.Fatal(err)
			}
			laws := []string{"T07", "T25", "T26", "T21"}
			if slices.Contains(stays, name) {
				laws = laws[:1]
			}
			r := p.Run(kit.Options{Laws: laws, Cases: 50, Shrinks: 3})
			if r.OK() || len(r.Results) != len(laws) {
				t.Fatalf("%+v", r)
			}
			for _, l := range r.Results {
				if f := l.Failures; name != "panics later" && (len(f) == 0 || !strings.Contains(f[0].Message, want) || !strings.Contains(f[0].Message, `"op":"forecast"`)) {
					t.Errorf("%+v", l)
				}
			}
			if len(laws) > 1 && r.Restarts < 3 {
				t.Errorf("started again %d times", r.Restarts)
			}
			if text := string(r.AppendText(nil, nil)); name != "panics later" && strings.Count(text, want) > 4 {
				t.Errorf("%s", text)
			}
		})
	}
}

// TestMistakesAreSaidOnce: a reply with another form than the protocol's is one mistake, said once with the request and the reply,
// and the laws that need it are not covered.
func TestMistakesAreSaidOnce(t *testing.T) {
	for name, want := range map[string]string{
		"no members": "lacks charges", "a string for a list": "another form", "money as a number": "another form", "no such day": "YYYY-MM-DD",
		"null in a list": "lacks repeat", "negative repeat": "another form", "another status": "not active or stopped",
		"a stop without a day": "YYYY-MM-DD", "an amount with an exponent": "not digits",
	} {
		t.Run(name, func(t *testing.T) {
			r := run(t, name, kit.Options{Laws: []string{"T07", "T25", "T26"}, Cases: 50})
			if r.OK() || r.Judged() > 0 || len(r.Mistakes) != 1 || !strings.Contains(r.Mistakes[0], want) || !strings.Contains(r.Mistakes[0], `"op":"forecast"`) || !strings.Contains(r.Mistakes[0], "reply: {") {
				t.Errorf("%q %+v", r.Mistakes, r.Results)
			}
		})
	}
}

// TestStdinClosed: a program that closes its input is told apart from one that is silent, or is
// silent: a pipe takes what nobody reads.
func TestStdinClosed(t *testing.T) {
	p, err := self(t, "closes stdin", 500*time.Millisecond)
	if err != nil {
		t.Fatal(err)
	}
	r := p.Run(kit.Options{Laws: []string{"T07"}, Cases: 1})
	if r.OK() {
		t.Errorf("%+v", r)
	}
}

// TestBadHello: a program that cannot be greeted is an error of the start.
func TestBadHello(t *testing.T) {
	for name, want := range map[string]string{
		"exits at once": "ended before it replied", "hangs at hello": "did not reply in time", "garbage at hello": "not a JSON object",
		"refuses hello": "refuses hello", "no ops": "names no ops",
	} {
		timeout := time.Duration(0)
		if name == "hangs at hello" {
			timeout = 300 * time.Millisecond
		}
		if _, err := self(t, name, timeout); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := conform.New([]string{"/no/such/program"}, 0).Start(); err == nil || strings.Contains(err.Error(), "/no/such") {
		t.Errorf("a program that does not exist: %v", err)
	}
	if err := conform.New(nil, 0).Start(); err == nil {
		t.Error("no command is started")
	}
	closed := conform.New([]string{os.Args[0]}, 0)
	closed.Close()
	if err := closed.Start(); err == nil {
		t.Error("a program that was closed is started")
	}
}

// TestStderr: a program that writes without end to its standard error is not stopped by it, and 64
// KiB of that are kept.
func TestStderr(t *testing.T) {
	p, err := self(t, "floods stderr", 0)
	if err != nil {
		t.Fatal(err)
	}
	if r := p.Run(kit.Options{Laws: []string{"T07"}, Cases: 3}); !r.OK() {
		t.Errorf("%+v", r)
	}
	p.Close()
	if got := p.Stderr(); len(got) != 64<<10 || !strings.HasPrefix(got, "noise\n") {
		t.Errorf("%d bytes", len(got))
	}
}

// TestSameBytes: the same seed gives the same report.
func TestSameBytes(t *testing.T) {
	o := kit.Options{Laws: []string{"T", "P02"}, Cases: 15, Seed: 3, Shrinks: 5}
	a := run(t, "one charge too many", o)
	b := run(t, "one charge too many", o)
	if x, y := a.AppendJSON(nil), b.AppendJSON(nil); string(x) != string(y) || len(x) == 0 {
		t.Errorf("%s\n%s", x, y)
	}
}

// TestSkipped: a law on the skip list may fail, and may not hold.
func TestSkipped(t *testing.T) {
	r := run(t, "plus-for-space", kit.Options{Laws: []string{"P02", "W01"}, Cases: 5, Skip: []string{"P02", "W01"}})
	if l := law(t, r, "P02"); l.Failed() || !l.Skipped {
		t.Errorf("%+v", l)
	}
	if l := law(t, r, "W01"); !l.Failed() || l.Skipped || l.Failures[0].Message == "" {
		t.Errorf("%+v", l)
	}
}

// TestReplay: a token of a report fails again, with the same message, alone.
func TestReplay(t *testing.T) {
	p, err := self(t, "one charge too many", 0)
	if err != nil {
		t.Fatal(err)
	}
	r := p.Run(kit.Options{Laws: []string{"T07"}, Cases: 300})
	if r.OK() {
		t.Fatal("the fault is not found")
	}
	want := r.Results[0].Failures[0]
	again, _, err := p.Again(want.Token, kit.Options{})
	if f := again.Failures; err != nil || len(f) != 1 || f[0].Token != want.Token || f[0].Message != want.Message || f[0].Counterexample != want.Counterexample {
		t.Errorf("%+v, want %+v", f, want)
	}
	if own, shown, _ := kit.Again(laws.Ours(), want.Token, kit.Options{}); own.Failed() || own.Cases != 1 || !strings.Contains(shown.Command, "chargecast forecast --as-of ") {
		t.Errorf("our own implementation: %+v %+v", own, shown)
	}
}

// TestStopAsReplied: the last stop of a message is the one that the program replied.
func TestStopAsReplied(t *testing.T) {
	r := run(t, "stopped a day late", kit.Options{Laws: []string{"E31"}, Cases: 100})
	if len(r.Results[0].Failures) == 0 {
		t.Fatal("the fault is not found")
	}
	if m := r.Results[0].Failures[0].Message; !strings.Contains(m, "+") || strings.Contains(m, "stopped-by-api") {
		t.Errorf("%s", m)
	}
}
