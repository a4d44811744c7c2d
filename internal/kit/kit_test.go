package kit_test

import (
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"iter"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/gen"
	"github.com/chargecast/chargecast/internal/kit"
	"github.com/chargecast/chargecast/internal/kit/gallery"
	"github.com/chargecast/chargecast/internal/kit/laws"
	"github.com/chargecast/chargecast/internal/race"
	"github.com/chargecast/chargecast/ledger"
)

// TestCasesRepeat: a case is the same alone, in any order, and by its token, under a policy too (G02).
func TestCasesRepeat(t *testing.T) {
	skip := engine.Policy{MonthEnd: calendar.MonthEndSkip}
	for _, l := range laws.Laws() {
		for _, policy := range []*engine.Policy{nil, {}, &skip} {
			for _, i := range []uint64{0, 1, 250} {
				c := laws.Source{Seed: 7, Policy: policy}.Case(l, i)
				want := fmt.Sprintf("%+v", c.Value)
				for _, c := range []*laws.Case{c, c.Unnumbered()} {
					_, again, err := laws.Replay(c.Token())
					if err != nil || again.Token() != c.Token() {
						t.Fatalf("%s leads to %+v, %v", c.Token(), again, err)
					}
					if got := fmt.Sprintf("%+v", again.Value); got != want && !strings.Contains(got, "0x") {
						t.Errorf("%s is %s, want %s", c.Token(), got, want)
					}
				}
			}
		}
	}
}

// TestTokenKeepsItsPolicy: a token found under a policy passed, since it was judged again without that policy.
func TestTokenKeepsItsPolicy(t *testing.T) {
	p := engine.Policy{MonthEnd: calendar.MonthEndSkip}
	clamps := laws.Ours()
	right := clamps.Forecast
	clamps.Forecast = func(j gen.Job) (laws.Forecast, error) {
		j.Policy.MonthEnd = calendar.MonthEndClamp
		return right(j)
	}
	r := kit.Run(clamps, kit.Options{Laws: []string{"T07"}, Cases: 400, Policy: &p})
	if r.OK() {
		t.Fatal("skip read as clamp is not noticed")
	}
	token := r.Results[0].Failures[0].Token
	if !strings.HasPrefix(token, "cc3:T07:month-end=skip:") {
		t.Errorf("the token %s has not its policy", token)
	}
	if again, _, err := kit.Again(clamps, token, kit.Options{}); err != nil || !again.Failed() {
		t.Errorf("%s: %v, failed %v", token, err, again.Failed())
	}
	if again, _, err := kit.Again(laws.Ours(), token, kit.Options{}); err != nil || again.Failed() || !again.Covered() {
		t.Errorf("%s: our own code: %v, %+v", token, err, again)
	}
}

func TestReplayRefuses(t *testing.T) {
	for _, row := range []struct {
		token, reason string
		want          error
	}{
		{"", "damaged", laws.ErrToken},
		{"cc3:T07:1", "damaged", laws.ErrToken},
		{"cc3:T07::-1:2", "damaged", laws.ErrToken},
		{"cc3:T07::01:2", "another spelling", laws.ErrToken},
		{"cc3:T07::1:18446744073709551616", "no index", laws.ErrToken},
		{"cc2:T07:1:2", "another version", laws.ErrTokenVersion},
		{"cc3:T99::1:2", "unknown law", laws.ErrTokenLaw},
		{"cc3:T07::b64:AA==", "no base64 of choices", laws.ErrTokenChoices},
		{"cc3:T07:month-end=never:1:2", "no such reading", laws.ErrTokenPolicy},
		{"cc3:T07:month-end=clamp:1:2", "another spelling of the defaults", laws.ErrToken},
	} {
		if _, _, err := laws.Replay(row.token); !errors.Is(err, row.want) {
			t.Errorf("%s: %q gives %v, want %v", row.reason, row.token, err, row.want)
		}
	}
}

// TestOrdinaryFirst: the first cases have dates of 2025 to 2027, the default policy and amounts under 10,000; with Ordinary all have.
func TestOrdinaryFirst(t *testing.T) {
	l, _ := laws.Find("T07")
	extreme := false
	for i := range uint64(600) {
		for _, ordinary := range []bool{false, true} {
			p := laws.Source{Ordinary: ordinary}.Case(l, i).Value.(gen.PlanCase)
			year, _, _ := p.AsOf.Date()
			is := year >= 2024 && year <= 2030 && p.Job.Policy == (engine.Policy{}) && p.Profile.Interval <= 12
			if (ordinary || i < 100) && !is {
				t.Fatalf("case %d, ordinary %v: %v", i, ordinary, p)
			}
			extreme = extreme || !is
		}
	}
	if !extreme {
		t.Error("no case is an extreme")
	}
}

// TestDriftIsShownNearToday: a scheduler that drifts fails within the ordinary cases, with a payload of these years.
func TestDriftIsShownNearToday(t *testing.T) {
	m, _ := gallery.Find("month-drift")
	drifts := laws.Ours()
	grid := m.Impl().NewGrid
	drifts.Forecast = func(j gen.Job) (laws.Forecast, error) {
		f, err := laws.Ours().Forecast(j)
		right := f.Charges
		f.Charges = func(w calendar.Window) iter.Seq[engine.Charge] {
			return func(yield func(engine.Charge) bool) {
				for c := range right(w) {
					if g, err := grid(j.Profile.Start, j.Profile.Unit, j.Profile.Interval, j.Policy.MonthEnd); err == nil {
						if k, on := mustGrid(t, j).Index(c.Date); on {
							c.Date, _ = g.At(k)
							c.Slot = c.Date
						}
					}
					if !yield(c) {
						return
					}
				}
			}
		}
		return f, err
	}
	r := kit.Run(drifts, kit.Options{Laws: []string{"T07"}, Cases: 100})
	if r.OK() {
		t.Fatal("the drift is not noticed in 100 cases")
	}
	f := r.Results[0].Failures[0]
	if !strings.Contains(f.Counterexample.CSV, "202") || !strings.Contains(f.Message, "the date of a charge (clauses 2.2.1") || !strings.Contains(f.Message, "\nwanted: repeat ") || !strings.Contains(f.Message, "\ncame:   repeat ") {
		t.Errorf("%s\n%s", f.Message, f.Counterexample.CSV)
	}
}

func mustGrid(t *testing.T, j gen.Job) calendar.Schedule {
	t.Helper()
	s, err := calendar.NewSchedule(j.Profile.Start, j.Profile.Unit, j.Profile.Interval, j.Policy.MonthEnd)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestSkipList: a law on the skip list that holds is a failure; one that fails is not (G05).
func TestSkipList(t *testing.T) {
	m, _ := gallery.Find("max-zero-unlimited")
	r := kit.Run(m.Impl(), kit.Options{Laws: []string{"T07", "C03"}, Cases: 600, Skip: []string{"T07", "C03"}, Shrinks: -1})
	for _, result := range r.Results {
		if fails := result.Law.ID == "T07"; result.Skipped != fails || (len(result.Failures) == 0) != fails {
			t.Errorf("%s: skipped %v, %d failures", result.Law.ID, result.Skipped, len(result.Failures))
		}
	}
}

// TestNotCovered: what an implementation lacks is not covered, never passed, by cases that ask less neither.
func TestNotCovered(t *testing.T) {
	r := kit.Run(laws.Impl{Name: "nothing"}, kit.Options{Cases: 1})
	for _, result := range r.Results {
		if !result.NotCovered {
			t.Errorf("%s covers an implementation of nothing", result.Law.ID)
		}
	}
	if r.OK() {
		t.Error("a run that judged no law is OK")
	}
	var lists laws.Impl
	lists.Forecast = func(j gen.Job) (laws.Forecast, error) {
		f, err := laws.Ours().Forecast(j)
		return laws.Forecast{Charges: f.Charges}, err
	}
	for _, l := range kit.Run(lists, kit.Options{Laws: []string{"T"}, Cases: 100}).Results {
		if want := l.Law.ID != "T07" && l.Law.ID != "T21"; l.NotCovered != want || len(l.Failures) > 0 {
			t.Errorf("%s: with charges alone, not covered is %v, %d failures", l.Law.ID, l.NotCovered, len(l.Failures))
		}
	}
}

// TestNothingSupported: an implementation that supports no case of a law does not hold it.
func TestNothingSupported(t *testing.T) {
	var impl laws.Impl
	impl.Forecast = func(gen.Job) (laws.Forecast, error) { return laws.Forecast{}, laws.ErrNotSupported }
	for _, l := range kit.Run(impl, kit.Options{Laws: []string{"T", "R"}, Cases: 30}).Results {
		if !l.NotCovered {
			t.Errorf("%s: %+v", l.Law.ID, l)
		}
	}
}

// TestVerdicts: what a function panics with decides about the case, and any other panic is a failure that names a place.
func TestVerdicts(t *testing.T) {
	law, _ := laws.Find("P02")
	for _, tt := range []struct {
		with       any
		message    string
		notCovered bool
		key        string
	}{
		{laws.ErrNotSupported, "", true, ""},
		{fmt.Errorf("a reading: %w", laws.ErrNotSupported), "", true, ""},
		{errors.New("broken"), "panic: broken at kit_test.go:", false, ""},
		{laws.Abort{Kind: laws.AbortUnspecified, Text: "max-zero", Got: "a", Want: "b"}, "", false, "max-zero"},
		{laws.Abort{Kind: laws.AbortFailed, Text: "gone"}, "gone", false, ""},
	} {
		var impl laws.Impl
		impl.Encode = func(string) string { panic(tt.with) }
		v := laws.Judge(law, laws.Source{Seed: 1}.Case(law, 0), impl)
		if !strings.HasPrefix(v.Message, tt.message) || (v.Message == "") != (tt.message == "") || v.NotCovered != tt.notCovered || (v.Unspecified != nil) != (tt.key != "") {
			t.Errorf("%v: %+v", tt.with, v)
		}
		r := kit.Run(impl, kit.Options{Laws: []string{"P02"}})
		text := string(r.AppendText(nil, nil))
		if tt.key != "" && (r.Results[0].Unspecified != 1 || !strings.Contains(text, "answered: a\n") || !strings.Contains(text, "cc3:P02::0:0")) {
			t.Errorf("%v: %s", tt.with, text)
		}
	}
}

// TestNothingJudgedFails: a run that a misspelled law or an implementation without answers leaves without a judgement is a failure.
func TestNothingJudgedFails(t *testing.T) {
	for _, row := range []struct {
		impl laws.Impl
		o    kit.Options
		ok   bool
	}{
		{laws.Ours(), kit.Options{Laws: []string{"P02"}}, true},
		{laws.Ours(), kit.Options{Laws: []string{"P2"}}, false},
		{laws.Ours(), kit.Options{Laws: []string{"P02", "T5"}}, false},
		{laws.Ours(), kit.Options{Laws: []string{"p02"}}, false},
		{laws.Ours(), kit.Options{Laws: []string{"P02"}, Skip: []string{"T5"}}, false},
		{laws.Impl{Name: "nothing"}, kit.Options{Laws: []string{"P02"}}, false},
	} {
		r := kit.Run(row.impl, row.o)
		if r.OK() != row.ok || !row.ok && len(r.Unknown) == 0 && r.Judged() > 0 {
			t.Errorf("%+v: OK %v", row.o, r.OK())
		}
		for _, name := range r.Unknown {
			if text := string(r.AppendText(nil, nil)); !strings.Contains(text, "No law has the id or pattern "+name+"\n") {
				t.Errorf("%s", text)
			}
		}
	}
}

// TestHanging: a case without an answer fails its law and is named; a function that ends its goroutine, too.
func TestHanging(t *testing.T) {
	for _, hang := range []bool{true, false} {
		impl := laws.Impl{Name: "hangs"}
		impl.ParseAmount = func(string) (amount.Amount, error) {
			if hang {
				select {}
			}
			runtime.Goexit() // as t.Fatal does
			return amount.Amount{}, nil
		}
		begun := time.Now()
		r := kit.Run(impl, kit.Options{Laws: []string{"A01"}, Cases: 20, Timeout: 100 * time.Millisecond})
		if r.OK() || len(r.Results[0].Failures) != 1 || r.Results[0].Failures[0].Token == "" || time.Since(begun) > 10*time.Second {
			t.Errorf("hangs %v: %s", hang, r.AppendText(nil, nil))
		}
	}
}

// TestMemory: a case that eats memory ends the run, and is named.
func TestMemory(t *testing.T) {
	if race.Enabled {
		t.Skip("the race detector changes what is in use")
	}
	var kept [][]byte
	impl := laws.Impl{Name: "eats"}
	stop := make(chan struct{})
	impl.ParseAmount = func(string) (amount.Amount, error) {
		for {
			select {
			case <-stop:
				return amount.Amount{}, nil
			default:
				if len(kept) < 300 {
					kept = append(kept, make([]byte, 1<<20))
				}
				time.Sleep(100 * time.Microsecond)
			}
		}
	}
	r := kit.Run(impl, kit.Options{Laws: []string{"A01", "A02"}, Cases: 20, Memory: 200 << 20, Timeout: time.Minute})
	close(stop)
	if r.OK() || !strings.Contains(r.Ended, "more than 200 MiB") || len(r.Results[0].Failures) != 1 || !r.Results[1].NotRun && !r.Results[1].NotReached {
		t.Errorf("%s", r.AppendText(nil, nil))
	}
}

// TestEndlessIterators: an iterator that yields more than there can be fails the law.
func TestEndlessIterators(t *testing.T) {
	impl := laws.Ours()
	right := impl.Forecast
	impl.Forecast = func(j gen.Job) (laws.Forecast, error) {
		f, err := right(j)
		f.Charges = func(calendar.Window) iter.Seq[engine.Charge] {
			return func(yield func(engine.Charge) bool) {
				for yield(engine.Charge{}) {
				}
			}
		}
		return f, err
	}
	r := kit.Run(impl, kit.Options{Laws: []string{"T07"}, Cases: 3, Shrinks: -1})
	if r.OK() || !strings.Contains(r.Results[0].Failures[0].Message, "yields more than") {
		t.Errorf("%s", r.AppendText(nil, nil))
	}
}

// TestReportForms: text, JSON and JUnit say the same of each law, and a message that several laws have is said once.
func TestReportForms(t *testing.T) {
	impl := laws.Ours()
	impl.ParseAmount = func(string) (amount.Amount, error) { panic("boom") }
	r := kit.Run(impl, kit.Options{Laws: []string{"A01", "A02", "C03"}, Cases: 20, Seed: 1})
	text := string(r.AppendText(nil, func(token string) string { return "repro " + token }))
	if strings.Count(text, "panic: boom") != 1 || !strings.Contains(text, "The same of: A02\n") || !strings.Contains(text, "Held: C03\n") || !strings.Contains(text, "repro cc3:A01::") {
		t.Errorf("%s", text)
	}
	var report struct {
		OK   bool
		Laws []struct {
			ID       string
			Failures []struct{ Token, Message string }
		}
	}
	if err := json.Unmarshal(r.AppendJSON(nil), &report); err != nil || report.OK || len(report.Laws) != 3 {
		t.Errorf("%v: %s", err, r.AppendJSON(nil))
	}
	d := xml.NewDecoder(strings.NewReader(string(r.AppendJUnit(nil, nil))))
	for {
		if _, err := d.Token(); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
}

// TestFirst: a case that failed in an earlier run is judged first, and named when it holds now.
func TestFirst(t *testing.T) {
	r := kit.Run(laws.Ours(), kit.Options{Laws: []string{"T07"}, Cases: 1, First: []string{"cc3:T07::0:3", "cc2:T07:0:3", "cc3:C03::0:0"}})
	if !r.OK() || len(r.Mended) != 1 || r.Mended[0] != "cc3:T07::0:3" || r.Results[0].Cases != 1 {
		t.Errorf("%+v", r)
	}
}

// TestRegistry: ids are unique, and what a law rests on can be looked up.
func TestRegistry(t *testing.T) {
	seen := map[string]bool{}
	for _, l := range laws.Laws() {
		if seen[l.ID] || l.Sentence == "" || l.Clause == "" {
			t.Errorf("%s: twice, or without sentence or clause", l.ID)
		}
		seen[l.ID] = true
		for id := range strings.FieldsSeq(l.Clause) {
			if _, ok := ledger.Lookup(id); !ok {
				t.Errorf("%s rests on %s, which chargecast explain does not know", l.ID, id)
			}
		}
	}
}

// TestByteStream: the bytes of a fuzzer lead to every corner, and their end is no end.
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
}
