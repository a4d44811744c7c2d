package conform_test

import (
	"cmp"
	"io"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/fuzz"
	"github.com/chargecast/chargecast/fuzz/conform"
	"github.com/chargecast/chargecast/fuzz/laws"
	"github.com/chargecast/chargecast/rules"
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
func run(t *testing.T, name string, o fuzz.Options) fuzz.Report {
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
func law(t *testing.T, r fuzz.Report, id string) fuzz.Result {
	t.Helper()
	i := slices.IndexFunc(r.Results, func(l fuzz.Result) bool { return l.Law.ID == id })
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
	r := p.Run(fuzz.Options{Cases: cases})
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
		"one charge too many": "R04", "a stop is forgotten": "E23", "validator-without-amount-syntax": "V07",
	} {
		t.Run(name, func(t *testing.T) {
			l := law(t, run(t, name, fuzz.Options{Laws: []string{id}, Cases: 240, Shrinks: inGate(20, 200)}), id)
			if len(l.Failures) == 0 {
				t.Fatalf("%s holds: %+v", id, l)
			}
			f := l.Failures[0]
			if f.Message == "" || f.Counterexample.Command == "" {
				t.Errorf("%+v", f)
			}
			impl := laws.Ours()
			faultOf(name)(&impl)
			if own, _, err := fuzz.Replay(impl, f.Token, fuzz.Options{}); err != nil || !own.Failed() {
				t.Errorf("in process the case holds: %+v, %v", own, err)
			}
		})
	}
}

// TestAnotherReading: where the document is silent, another answer is no failure, and the key is
// named; where it is not, another answer is one.
func TestAnotherReading(t *testing.T) {
	for _, tt := range []struct{ name, law, key string }{
		{"catches up", "T23", "start-past"}, {"zero is no limit", "Y05", "max-zero"}, {"counts from 0 again", "E23", "resume-counter"},
		{"exclusive finish", "T01", ""}, {"overflowing months", "T01", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			cases := 150
			if tt.key != "" { // as many as are wanted; a failure ends them
				cases = inGate(50, cases)
			}
			l := law(t, run(t, tt.name, fuzz.Options{Laws: []string{tt.law}, Cases: cases, Shrinks: 3}), tt.law)
			if tt.key == "" {
				if !l.Failed() || l.Unspecified > 0 {
					t.Errorf("%+v", l)
				}
				return
			}
			if l.Failed() || l.Unspecified == 0 || !slices.Equal(l.Keys, []string{tt.key}) {
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
	program.Asked = []string{"finish-bound"}
	r := program.Run(fuzz.Options{Laws: []string{"T02", "T11"}, Cases: 30, Policy: &p})
	for _, id := range []string{"T02", "T11"} {
		if l := law(t, r, id); l.Failed() || l.Unspecified > 0 || l.Cases == 0 {
			t.Errorf("%+v", l)
		}
	}
}

// TestDefaultReadingOnly: who supports the default reading alone fails no law.
func TestDefaultReadingOnly(t *testing.T) {
	r := run(t, "default reading only", fuzz.Options{Laws: []string{"T", "R", "Y"}, Cases: 20})
	if !r.OK() || r.Judged() < 20 {
		t.Errorf("%d judged, OK %v: %+v", r.Judged(), r.OK(), r.Results)
	}
}

// TestSecretAsItIs: the document says "the consumer secret", the ledger assumes that it is encoded as RFC 5849 has it: the
// other is unspecified, and named. A key without its ampersand is wrong.
func TestSecretAsItIs(t *testing.T) {
	r := run(t, "the secret is not encoded", fuzz.Options{Laws: []string{"S04", "S07"}, Cases: 60})
	for _, l := range r.Results {
		if l.Failed() || l.Unspecified == 0 || l.Unspecified == l.Cases || !slices.Equal(l.Keys, []string{"L64"}) {
			t.Errorf("%+v", l)
		}
	}
	if l := law(t, run(t, "secret-without-ampersand", fuzz.Options{Laws: []string{"S04"}, Cases: 20}), "S04"); !l.Failed() || l.Unspecified > 0 {
		t.Errorf("%+v", l)
	}
}

// TestBadPrograms: whatever a program does, the run ends with a failure that says what it did.
func TestBadPrograms(t *testing.T) {
	const short = 300 * time.Millisecond
	for name, want := range map[string]string{
		"exits after hello": "ended before it replied", "hangs after hello": "did not reply in time", "garbage after hello": "not a JSON object",
		"null": "another id", "another id": "another id", "no members": "lacks charges or end", "a string for a list": "another form",
		"money as a number": "another form", "no such day": "YYYY-MM-DD", "half a line": "ended before it replied", "a giant line": "longer than 8 MiB",
		"a flood of lines": "another id", "closes stdout": "closed its standard output", "leaves a child": "ended before it replied",
		"panics later": "ended before it replied", "null in a list": "lacks repeat", "negative repeat": "another form", "another status": "not active or stopped",
		"a stop without a day": "YYYY-MM-DD", "an amount with an exponent": "not digits", "a deep reply": "not a JSON object",
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
			laws := []string{"T01", "T02", "T03", "T04", "T05", "T06"}
			if slices.Contains(stays, name) {
				laws = laws[:1]
			}
			r := p.Run(fuzz.Options{Laws: laws, Cases: 50})
			if r.OK() || len(r.Results) != len(laws) {
				t.Fatalf("%+v", r)
			}
			first := r.Results[slices.IndexFunc(r.Results, fuzz.Result.Failed)]
			if f := first.Failures; len(f) == 0 || !strings.Contains(f[0].Message, want) || !strings.Contains(f[0].Message, `"op":"forecast"`) {
				t.Errorf("%+v", first)
			}
			// The first start and three more: the fifth law is not run.
			if name != "panics later" && len(laws) == 6 && (r.Results[3].NotRun || !r.Results[4].NotRun || !r.Results[5].NotRun) {
				t.Errorf("not run: %v %v", r.Results[3], r.Results[4])
			}
			if slices.ContainsFunc(r.Results, func(l fuzz.Result) bool { return l.NotRun }) {
				notRunHasAWord(t, r)
			}
		})
	}
}

// notRunHasAWord checks that reports list T05 and T06 as not run, and neither as held nor as failed.
func notRunHasAWord(t *testing.T, r fuzz.Report) {
	t.Helper()
	text, junit := string(r.AppendText(nil, nil)), string(r.AppendJUnit(nil, nil))
	if strings.Contains(text, "T05 FAILS") || !strings.Contains(text, "Not run, as the program had failed too often before: T05 T06\n") ||
		!strings.Contains(text, " 4 of 6 laws failed; 4 judged, 0 not covered, 2 not run, seed 0\n") {
		t.Errorf("%s", text)
	}
	if !strings.Contains(junit, ` failures="4" errors="2" skipped="0"`) || strings.Count(junit, `<error type="not-run"`) != 2 || r.OK() {
		t.Errorf("%s", junit)
	}
}

// TestBrokenRequestIsShown: what is shown of a program that gives no reply is the request without one, not a wrong reply
// before it that the law does not look at.
func TestBrokenRequestIsShown(t *testing.T) {
	l := law(t, run(t, "ends at a large interval", fuzz.Options{Laws: []string{"T09"}, Cases: 4000}), "T09")
	if len(l.Failures) != 1 || !strings.Contains(l.Failures[0].Message, "ended before it replied") {
		t.Fatalf("%+v", l)
	}
	f := l.Failures[0]
	_, after, _ := strings.Cut(f.Message, `"interval":`)
	interval, _, _ := strings.Cut(after, ",")
	if interval == "" || !strings.Contains(f.Counterexample.CSV, ";"+interval+";") {
		t.Errorf("%s\n%s", f.Message, f.Counterexample.CSV)
	}
}

// TestStdinClosed: a program that closes its input is told apart from one that is silent, or is
// silent: a pipe takes what nobody reads.
func TestStdinClosed(t *testing.T) {
	p, err := self(t, "closes stdin", 500*time.Millisecond)
	if err != nil {
		t.Fatal(err)
	}
	r := p.Run(fuzz.Options{Laws: []string{"T01"}, Cases: 1})
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
	if r := p.Run(fuzz.Options{Laws: []string{"T01"}, Cases: 3}); !r.OK() {
		t.Errorf("%+v", r)
	}
	p.Close()
	if got := p.Stderr(); len(got) != 64<<10 || !strings.HasPrefix(got, "noise\n") {
		t.Errorf("%d bytes", len(got))
	}
}

// TestSameBytes: the same seed gives the same report.
func TestSameBytes(t *testing.T) {
	o := fuzz.Options{Laws: []string{"T0*", "Y03", "P02"}, Cases: 15, Seed: 3, Shrinks: 5}
	a := run(t, "one charge too many", o)
	b := run(t, "one charge too many", o)
	if x, y := a.AppendJSON(nil), b.AppendJSON(nil); string(x) != string(y) || len(x) == 0 {
		t.Errorf("%s\n%s", x, y)
	}
}

// TestSkipped: a law on the skip list may fail, and may not hold.
func TestSkipped(t *testing.T) {
	r := run(t, "plus-for-space", fuzz.Options{Laws: []string{"P02", "P03"}, Cases: 5, Skip: []string{"P02", "P03"}})
	if l := law(t, r, "P02"); l.Failed() || !l.Skipped {
		t.Errorf("%+v", l)
	}
	if l := law(t, r, "P03"); !l.Failed() || l.Skipped || l.Failures[0].Message == "" {
		t.Errorf("%+v", l)
	}
}

// TestReplayOfAStuckCase: a case that does not come to an end is replayed to its verdict.
func TestReplayOfAStuckCase(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		defer close(release)
		impl := laws.Ours()
		impl.ParseAmount = func(string) (amount.Amount, error) { <-release; return amount.Amount{}, nil }
		impl.ReadPayload = func(io.Reader, rules.Options, func(laws.PayloadStep) bool) laws.PayloadEnd {
			<-release
			return laws.PayloadEnd{}
		}
		for _, row := range []struct{ token, command, reason string }{
			{"cc2:A01:0:0", "chargecast-conform repro cc2:A01:0:0", "only its token shows the case"},
			{"cc2:V06:0:0", "chargecast validate payload.csv", "the case is a payload"},
		} {
			one, shown, err := fuzz.Replay(impl, row.token, fuzz.Options{})
			if err != nil || !one.Failed() || one.Failures[0].Message != "no answer within 1m0s" || shown.Command != row.command || one.Failures[0].Counterexample != shown {
				t.Errorf("%s: %+v %+v", row.reason, one, shown)
			}
		}
	})
}

// TestReplay: a token of a report fails again, with the same message, alone.
func TestReplay(t *testing.T) {
	p, err := self(t, "one charge too many", 0)
	if err != nil {
		t.Fatal(err)
	}
	r := p.Run(fuzz.Options{Laws: []string{"R04"}, Cases: 60})
	if r.OK() {
		t.Fatal("the fault is not found")
	}
	want := r.Results[0].Failures[0]
	again, _, err := p.Replay(want.Token, fuzz.Options{})
	if f := again.Failures; err != nil || len(f) != 1 || f[0].Token != want.Token || f[0].Message != want.Message || f[0].Counterexample != want.Counterexample {
		t.Errorf("%+v, want %+v", f, want)
	}
	if own, shown, _ := fuzz.Replay(laws.Ours(), want.Token, fuzz.Options{}); own.Failed() || own.Cases != 1 || !strings.Contains(shown.Command, "chargecast forecast --as-of ") {
		t.Errorf("our own implementation: %+v %+v", own, shown)
	}
}

// TestReasonsOfManualCharge: a manual charge reaches the cap past finish-date, which no run has judged yet. A program that
// stops for both reasons was failed, with a stop in the message that it had not replied.
func TestReasonsOfManualCharge(t *testing.T) {
	const token = "cc2:E23:b64:AAAAAAAAAAAAAAAAAABEAAACAAAAAAAKAAMAAAAA"
	p, err := self(t, "both reasons of a manual charge past finish-date", 0)
	if err != nil {
		t.Fatal(err)
	}
	if r, _, err := p.Replay(token, fuzz.Options{}); err != nil || len(r.Failures) > 0 || r.Cases != 1 || !slices.Equal(r.Keys, []string{"L11"}) {
		t.Errorf("%+v", r)
	}
}

// TestStopAsReplied: the last stop of a message is the one that the program replied.
func TestStopAsReplied(t *testing.T) {
	r := run(t, "stopped a day late", fuzz.Options{Laws: []string{"E23"}, Cases: 60})
	if len(r.Results[0].Failures) == 0 {
		t.Fatal("the fault is not found")
	}
	if m := r.Results[0].Failures[0].Message; !strings.Contains(m, "+") || strings.Contains(m, "stopped-by-api") {
		t.Errorf("%s", m)
	}
}
