package laws

import (
	"errors"
	"fmt"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/gen"
	"github.com/chargecast/chargecast/internal/kit/plain"
	"github.com/chargecast/chargecast/internal/oracle"
)

// ErrNotSupported is what a function of an [Impl] returns, alone or wrapped, for what the
// implementation does not offer, such as a reading of a policy: the case is then not covered. A
// function without an error result panics with it.
var ErrNotSupported = errors.New("not supported")

// ErrAbsent is what a function panics with that the implementation does not have: the law is not covered.
var ErrAbsent = fmt.Errorf("absent: %w", ErrNotSupported)

// An AbortKind says why a case ended early.
type AbortKind uint8

// The kinds of an [Abort].
const (
	AbortUnspecified AbortKind = iota + 1 // the answer fits another reading of a silence of the document
	AbortFailed                           // the case fails whatever the law says
)

// An Abort is the value that a function of an [Impl] panics with to end a case. Text is the message of an
// AbortFailed, and of an AbortUnspecified the policy key, or the ledger entry where it has none, beside both answers.
type Abort struct {
	Kind      AbortKind
	Text      string
	Got, Want string
}

// An Unspecified says which reading of the ledger an answer fits in place of ours.
type Unspecified struct {
	Key       string // the policy key, or the ledger entry where it has none
	Got, Want string // the answer, and that of the ledger; empty where they cannot be shown
}

// A T is the implementation that a law asks, and what the law reports of it.
type T struct {
	Impl

	reports     []string
	unsupported bool // the implementation does not offer what the case asks for
	absent      bool // since it has no such function
	unspecified *Unspecified
	broken      bool // something fails whatever the law says
	lives       []simulated
	open        string // the ledger entry of a point that the requirements leave open, which the case is about
}

// Errorf reports that the case breaks the law. The first few reports are kept: one case may break a law in a
// thousand places.
func (t *T) Errorf(format string, args ...any) {
	if len(t.reports) < 5 {
		t.reports = append(t.reports, fmt.Sprintf(format, args...))
	}
}

// Fatalf reports that the case breaks the law, and ends it.
func (t *T) Fatalf(format string, args ...any) {
	t.Errorf(format, args...)
	panic(ended{})
}

// ended is what a case panics with that has said all.
type ended struct{}

// A Verdict is what became of one case. The zero Verdict is a case that holds.
type Verdict struct {
	Message     string       // what the law reports; empty when it holds
	NotCovered  bool         // the implementation does not support what the case asks for
	Absent      bool         // since it has no such function; NotCovered too
	Unspecified *Unspecified // of an answer that fits another reading; nil for others
}

func (t *T) judge(l Law, v any) {
	defer func() {
		if p := recover(); p != nil {
			t.stopped(p)
		}
	}()
	l.check(t, v)
}

// stopped notes what a case panicked with.
func (t *T) stopped(p any) {
	if err, ok := p.(error); ok && errors.Is(err, ErrNotSupported) {
		t.unsupported, t.absent = true, errors.Is(err, ErrAbsent)
		return
	}
	switch p := p.(type) {
	case ended:
	case Abort:
		if p.Kind == AbortUnspecified {
			t.unspecified = &Unspecified{p.Text, p.Got, p.Want}
			return
		}
		t.broken = true
		t.Errorf("%s", p.Text)
	default:
		t.broken = true
		t.Errorf("panic: %v%s", p, panicPlace())
	}
}

// panicPlace is where a function of an implementation panicked: the first file of the stack that is
// not Go's own, nor of this package or package plain.
func panicPlace() string {
	notTheirs := [...]string{"runtime.", "reflect.", "github.com/chargecast/chargecast/internal/kit/laws.", "github.com/chargecast/chargecast/internal/kit/plain."}
	pcs := make([]uintptr, 64)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(4, pcs)])
	for {
		f, more := frames.Next()
		if f.File != "" && !slices.ContainsFunc(notTheirs[:], func(prefix string) bool { return strings.HasPrefix(f.Function, prefix) }) {
			return " at " + filepath.Base(f.File) + ":" + strconv.Itoa(f.Line)
		}
		if !more {
			return ""
		}
	}
}

// can asks, and reports whether the implementation supports what is asked.
func (t *T) can(ask func()) (ok bool) {
	defer func() {
		p := recover()
		if err, _ := p.(error); errors.Is(err, ErrNotSupported) {
			ok = false
			return
		}
		if p != nil {
			panic(p)
		}
	}()
	ask()
	return true
}

// some asks several things. The case is not covered where the implementation supports none of them.
func (t *T) some(asks ...func()) {
	none := true
	for _, ask := range asks {
		if t.can(ask) {
			none = false
		}
	}
	if none {
		panic(ErrNotSupported)
	}
}

// Judge checks a law on one case. A panic is a report.
func Judge(l Law, c *Case, impl Impl) Verdict {
	replies := func() uint64 {
		if impl.Replies == nil {
			return 0
		}
		return impl.Replies()
	}
	t := T{Impl: impl.Guarded()}
	before := replies()
	t.judge(l, c.Value)
	if t.absent {
		return Verdict{NotCovered: true, Absent: true}
	}
	if len(t.reports) > 0 {
		if entry := t.leftOpen(); entry != "" {
			return Verdict{Unspecified: &Unspecified{Key: entry}}
		}
		return Verdict{Message: strings.Join(t.reports, "\n")}
	}
	return Verdict{NotCovered: t.unsupported || impl.Replies != nil && replies() == before, Absent: t.absent, Unspecified: t.unspecified}
}

// The requirements leave open what follows a manual charge or a stop while a stop condition holds that no run has judged, an
// update that moves the grid under a catch-up policy, and one that removes start-date. The ledger assumes something there, by
// which an implementation is judged that cites the ledger. For any other, differences after such an event only are not judged.

// A simulated life is a request to simulate and the reply to it.
type simulated struct {
	policy engine.Policy
	asked  engine.Simulation
	life   plain.Simulated
}

// noteLife keeps a life in which something may be open.
func (t *T) noteLife(p engine.Policy, s engine.Simulation, l plain.Simulated) {
	if !t.Cites && len(s.Steps) > 0 {
		t.lives = append(t.lives, simulated{p, s, l})
	}
}

// leftOpen is the entry of the ledger that accounts for what a law reports; empty if it breaks the law.
func (t *T) leftOpen() string {
	if t.Cites || t.broken {
		return ""
	}
	for _, s := range t.lives {
		if entry := s.leftOpen(); entry != "" {
			return entry
		}
	}
	return t.open
}

// leftOpen is the entry of the open event behind which the life differs from the oracle's. Amounts are not compared: no open
// event decides one.
func (s simulated) leftOpen() string {
	m := gen.Lived(s.policy, s.asked, oracle.Right())
	if m == nil || m.Open.Entry == "" {
		return ""
	}
	var want []engine.Effect
	for _, r := range m.Records {
		want = append(want, gen.EffectFromOracle(r))
	}
	before, got := withoutStops(want[:m.Open.Records]), withoutStops(s.life.Effects)
	if len(got) < len(before) || !slices.EqualFunc(before, got[:len(before)], sameButAmount) {
		return ""
	}
	a, b := s.life.End.State, gen.StateFromOracle(m.Save())
	if slices.EqualFunc(s.life.Effects, want, sameButAmount) && a.Anchor == b.Anchor && reflect.DeepEqual(plainEnd(a), plainEnd(b)) {
		return ""
	}
	return m.Open.Entry
}

// withoutStops leaves out what a program tells of its last stop only.
func withoutStops(list []engine.Effect) []engine.Effect {
	return slices.DeleteFunc(slices.Clone(list), func(e engine.Effect) bool { return e.Kind == engine.EffectStop })
}

func sameButAmount(a, b engine.Effect) bool {
	bare := func(e engine.Effect) engine.Effect {
		e = plain.EffectOf(e)
		e.Charge.Min, e.Charge.Max = b.Charge.Min, b.Charge.Min
		if e.Charge.Manual {
			e.Charge.Slot = e.Date
		}
		return e
	}
	return bare(a) == bare(b)
}

// Equal reports how two values differ, if they do. What is the same for a reader is equal: an empty list and none, an error
// and one that wraps it.
func (t *T) Equal(what string, got, want any) bool {
	if reflect.DeepEqual(got, want) {
		return true
	}
	options := cmp.Options{cmpopts.EquateEmpty(), cmpopts.EquateErrors(), cmp.Exporter(func(reflect.Type) bool { return true })}
	if cmp.Equal(want, got, options) {
		return true
	}
	if wanted, list := inWords(want).([]plain.Text); list {
		t.Errorf("%s\nwanted: %s\ncame:   %s", what, oneALine(wanted), oneALine(inWords(got).([]plain.Text)))
		return false
	}
	d := cmp.Diff(inWords(want), inWords(got), options)
	if d == "" { // the words leave out what differs
		d = cmp.Diff(want, got, options)
	}
	t.Errorf("%s (-want +got):\n%s", what, shortened(d))
	return false
}

// oneALine are the first of some texts, one a line.
func oneALine(list []plain.Text) string {
	const most = 5
	var lines []string
	for _, w := range list[:min(len(list), most)] {
		lines = append(lines, w.String())
	}
	switch more := len(list) - most; {
	case len(list) == 0:
		return "nothing"
	case more > 0:
		lines = append(lines, "and "+strconv.Itoa(more)+" more")
	}
	return strings.Join(lines, "\n        ")
}

// shortened is a difference without what does not help to read it: spaces of another kind, which go-cmp writes at random, and
// all but its first lines.
func shortened(d string) string {
	const most = 12
	// go-cmp marks what String returns by an s.
	d = strings.NewReplacer("\u00a0", " ", "\ts\"", "\t\"", " s\"", " \"", "\t", "  ").Replace(d)
	lines := strings.Split(strings.TrimRight(d, "\n"), "\n")
	if more := len(lines) - most; more > 0 {
		lines = append(lines[:most], fmt.Sprintf("… and %d lines more", more))
	}
	return strings.Join(lines, "\n")
}

// inWords is a value as its differences are read: a line for each charge, effect and finding, columns by their names.
func inWords(v any) any {
	switch v := v.(type) {
	case []engine.Charge:
		return plain.Texts(v, plain.ChargeText)
	case []engine.Effect:
		return plain.Texts(v, plain.EffectText)
	case []plain.Finding:
		return plain.Texts(v, plain.Finding.String)
	case gen.Cells:
		return plain.ByColumn(v)
	case engine.State:
		type members engine.State // without Equal, so that go-cmp looks into it
		return members(v)
	}
	return v
}
