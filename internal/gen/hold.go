package gen

import (
	"fmt"
	"strings"
	"testing"

	"github.com/leanovate/gopter"
	"github.com/leanovate/gopter/prop"
)

// A Report is what is wrong with a case of a property.
type Report struct{ lines []string }

// Errorf reports something that is wrong with the case. The first few reports are kept.
func (r *Report) Errorf(format string, args ...any) {
	if len(r.lines) < 5 {
		r.lines = append(r.lines, fmt.Sprintf(format, args...))
	}
}

// Fatalf reports something that is wrong with the case, and ends it.
func (r *Report) Fatalf(format string, args ...any) {
	r.Errorf(format, args...)
	panic(ended{})
}

type ended struct{}

// Hold tests a property: check reports what is wrong with a case. The cases are always the same; gopter draws them, and looks for
// a simpler one of those that fail.
func Hold[V any](t *testing.T, cases int, draw func(Chooser) V, check func(*Report, V)) {
	t.Helper()
	p := gopter.DefaultTestParametersWithSeed(1)
	p.MinSuccessfulTests, p.MaxShrinkCount = cases, 100
	properties := gopter.NewProperties(p)
	properties.Property(t.Name(), prop.ForAll(func(d *Drawn) string { return Judge(d.Value.(V), check) }, Gopter(func(r Chooser) any { return draw(r) })))
	properties.TestingRun(t)
}

// Judge is what is wrong with a case, and the case; empty where nothing is.
func Judge[V any](v V, check func(*Report, V)) string {
	var r Report
	func() {
		defer func() {
			if p := recover(); p != nil && p != any(ended{}) {
				panic(p)
			}
		}()
		check(&r, v)
	}()
	if r.lines == nil {
		return ""
	}
	return strings.Join(append(r.lines, fmt.Sprintf("of %+v", v)), "\n")
}
