package laws

import (
	"errors"
	"fmt"
	"slices"
	"strings"
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

// Fatalf reports that the case breaks the law, and ends it.
func (t *T) Fatalf(format string, args ...any) {
	t.Errorf(format, args...)
	panic(ended{})
}

// ended is what a case panics with that has said all.
type ended struct{}

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
	switch p := p.(type) {
	case ended:
	case Abort:
		if p.Kind == AbortUnspecified {
			t.unspecified = p.Text
			return
		}
		t.Errorf("%s", p.Text)
	default:
		t.Errorf("panic: %v", p)
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

// Reported asks an implementation and returns what is reported of it; empty when nothing is. A panic goes on.
func Reported(impl Impl, check func(t *T)) string {
	t := T{Impl: impl}
	func() {
		defer func() {
			if p := recover(); p != nil && p != any(ended{}) {
				panic(p)
			}
		}()
		check(&t)
	}()
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

// Laws are all laws, in the order of their files.
func Laws() []Law {
	return slices.Concat(
		calendarLaws(), gridLaws(), amountLaws(), drawLaws(), quantileLaws(),
		repeatLaws(), stopLaws(), windowLaws(), policyLaws(), logLaws(), eventLaws(), stateLaws(), advanceLaws(), explainLaws(), portfolioLaws(),
		secretLaws(),
		payloadLaws(), payloadTableLaws(), payloadTextLaws(), payloadStreamLaws(), payloadFixLaws(), payloadJudgeLaws(), wireLaws(),
		baseLaws(), headerLaws(), signatureLaws(), diagnoseLaws(),
		reconcileLaws(), probeLaws(),
	)
}
