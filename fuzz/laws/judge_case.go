package laws

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/google/go-cmp/cmp"
)

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

// Reported asks an implementation and returns what is reported of it; empty when nothing is. A panic goes on.
func Reported(impl Impl, check func(t *T)) string {
	t := T{Impl: impl}
	check(&t)
	return strings.Join(t.reports, "\n")
}

// A Verdict is what became of one case. The zero Verdict is a case that holds.
type Verdict struct {
	Message     string // what the law reports; empty when it holds
	NotCovered  bool   // the implementation does not support what the case asks for
	Absent      bool   // since it has no such function; NotCovered too
	Unspecified string // the policy key, or ledger entry, of which the answer fits another reading
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

// Laws are all laws, in the order of their groups; a group is one or two files.
func Laws() []Law {
	return slices.Concat(
		calendarLaws(), gridLaws(), amountLaws(), drawLaws(), quantileLaws(),
		planLaws(), repeatLaws(), stopLaws(), windowLaws(), policyLaws(), eventLaws(), stateLaws(), advanceLaws(), explainLaws(), secretLaws(), compareLaws(), portfolioLaws(),
		maskLaws(), payloadLaws(), tableLaws(), payloadTextLaws(), payloadStreamLaws(), fixLaws(), payloadJudgeLaws(), wireLaws(),
		signatureLaws(), signatureRestLaws(),
	)
}
