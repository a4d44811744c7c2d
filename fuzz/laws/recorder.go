package laws

import (
	"errors"
	"fmt"
	"strings"

	"github.com/chargecast/chargecast/fuzz/subject"
)

// A recorder is a T that collects the reports of one case.
type recorder struct {
	reports     []string
	unsupported bool   // the implementation does not offer what the case asks for
	unspecified string // the policy key of which the answer fits another value
}

// Helper does nothing.
func (r *recorder) Helper() {}

// Errorf keeps the first few reports: one case may break a law in a thousand places.
func (r *recorder) Errorf(format string, args ...any) {
	if len(r.reports) < 5 {
		r.reports = append(r.reports, fmt.Sprintf(format, args...))
	}
}

func (r *recorder) check(l Law, c *Case, impl subject.Impl) {
	defer func() {
		if p := recover(); p != nil {
			r.stopped(p)
		}
	}()
	l.Check(r, c, impl)
}

// stopped notes what a case panicked with.
func (r *recorder) stopped(p any) {
	if err, ok := p.(error); ok && errors.Is(err, subject.ErrNotSupported) {
		r.unsupported = true
		return
	}
	a, ok := p.(subject.Abort)
	switch {
	case !ok:
		r.Errorf("panic: %v", p)
	case a.Kind == subject.AbortUnspecified:
		r.unspecified = a.Text
	default:
		r.Errorf("%s", a.Text)
	}
}

// Reported runs a check outside a test and returns what it reports; empty when it reports nothing.
// A panic of the check goes on.
func Reported(check func(t T)) string {
	var r recorder
	check(&r)
	return strings.Join(r.reports, "\n")
}
