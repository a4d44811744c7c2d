package laws

import (
	"errors"
	"fmt"
	"math/big"
	"runtime"
	"slices"
	"strings"

	"github.com/google/go-cmp/cmp"
)

// ErrNotSupported is what a function of an [Impl] returns, alone or wrapped, for what the
// implementation does not offer, such as a reading of a policy: the case is then not covered. A
// function without an error result panics with it.
var ErrNotSupported = errors.New("not supported")

// errAbsent is what a function panics with that the implementation does not have.
var errAbsent = fmt.Errorf("absent: %w", ErrNotSupported)

// An AbortKind says why a case ended early.
type AbortKind uint8

// The kinds of an [Abort].
const (
	AbortUnspecified AbortKind = iota + 1 // the answer fits another reading of a silence of the document
	AbortFailed                           // the case fails whatever the law says
)

// An Abort is the value that a function of an [Impl] panics with to end a case. Text is the message of an
// AbortFailed, and of an AbortUnspecified the policy key, or the ledger entry where it has none.
type Abort struct {
	Kind AbortKind
	Text string
}

// A Work is what calls cost, counted rather than timed.
type Work struct {
	Steps uint64 // by the implementation's own count; 0 where it keeps none
	Bytes uint64 // allocated
}

// WorkOf counts what a call costs.
func (t *T) work(call func()) Work {
	if t.Steps == nil {
		return Work{Bytes: allocated(call)}
	}
	before := t.Steps()
	bytes := allocated(call)
	return Work{t.Steps() - before, bytes}
}

// allocated is how many bytes are allocated in a call.
func allocated(call func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	call()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// Exceeds reports whether the work is more than some times another, with an allowance for
// what comes once.
func (w Work) Exceeds(times uint64, other Work) bool {
	const steps, bytes = 100, 64 << 10
	return w.Steps > times*other.Steps+steps || w.Bytes > times*other.Bytes+bytes
}

// EqualTotals compares by value: texts of unequal scale may be equal.
func EqualTotals(a, b Total) bool {
	return a.Charges == b.Charges && equalText(a.Min, b.Min) && equalText(a.Max, b.Max) && equalText(a.Mean, b.Mean)
}

func equalText(a, b string) bool {
	x, ok1 := new(big.Rat).SetString(a)
	y, ok2 := new(big.Rat).SetString(b)
	return a == b || ok1 && ok2 && x.Cmp(y) == 0
}

// A T is the implementation that a law asks, and what the law reports of it.
type T struct {
	Impl

	reports     []string
	unsupported bool   // the implementation does not offer what the case asks for
	absent      bool   // since it has no such function
	unspecified string // the policy key of which the answer fits another value
}

// Errorf reports that the case breaks the law. The first few reports are kept: one case may break a law in a
// thousand places.
func (t *T) Errorf(format string, args ...any) {
	if len(t.reports) < 5 {
		t.reports = append(t.reports, fmt.Sprintf(format, args...))
	}
}

// Equal reports how two values differ, if they do.
func (t *T) Equal(what string, got, want any) bool {
	d := cmp.Diff(want, got)
	if d != "" {
		t.Errorf("%s differs (-want +got):\n%s", what, d)
	}
	return d == ""
}

// A Verdict is what became of one case. The zero Verdict is a case that holds.
type Verdict struct {
	Message     string // what the law reports; empty when it holds
	NotCovered  bool   // the implementation does not support what the case asks for
	Absent      bool   // since it has no such function; NotCovered too
	Unspecified string // the policy key, or ledger entry, of which the answer fits another reading
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
		t.unsupported, t.absent = true, errors.Is(err, errAbsent)
		return
	}
	a, ok := p.(Abort)
	switch {
	case !ok:
		t.Errorf("panic: %v", p)
	case a.Kind == AbortUnspecified:
		t.unspecified = a.Text
	default:
		t.Errorf("%s", a.Text)
	}
}

// isSupported asks, and reports whether the implementation supports what is asked.
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

// Reported asks an implementation and returns what is reported of it; empty when nothing is. A panic goes on.
func Reported(impl Impl, check func(t *T)) string {
	t := T{Impl: impl}
	check(&t)
	return strings.Join(t.reports, "\n")
}

// Judge checks a law on one case. A panic is a report.
func Judge(l Law, c *Case, impl Impl) Verdict {
	replies := func() uint64 {
		if impl.Replies == nil {
			return 0
		}
		return impl.Replies()
	}
	if !l.Covers(impl) {
		return Verdict{NotCovered: true}
	}
	t := T{Impl: impl.Guarded()}
	before := replies()
	t.judge(l, c.Value)
	if len(t.reports) > 0 {
		return Verdict{Message: strings.Join(t.reports, "\n")}
	}
	return Verdict{NotCovered: t.unsupported || impl.Replies != nil && replies() == before, Absent: t.absent, Unspecified: t.unspecified}
}

// Laws are all laws, in the order of their groups; a group is one or two files.
func Laws() []Law {
	return slices.Concat(
		calendarLaws(), gridLaws(), amountLaws(), drawLaws(), quantileLaws(),
		repeatLaws(), stopLaws(), windowLaws(), policyLaws(), logLaws(), eventLaws(), stateLaws(), advanceLaws(), explainLaws(), portfolioLaws(),
		secretLaws(),
		payloadLaws(), payloadTableLaws(), payloadTextLaws(), payloadStreamLaws(), payloadFixLaws(), payloadJudgeLaws(), wireLaws(),
		baseLaws(), headerLaws(), signatureLaws(), diagnoseLaws(),
	)
}
