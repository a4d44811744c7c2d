package laws

import (
	"fmt"
	"strings"

	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/fuzz/gen"
	"github.com/chargecast/chargecast/fuzz/subject"
)

// A Verdict is what became of one case. The zero Verdict is a case that holds.
type Verdict struct {
	Message     string // what the law reports; empty when it holds
	NotCovered  bool   // the implementation does not support what the case asks for
	Unspecified string // the policy key, or ledger entry, of which the answer fits another reading
}

// Judge checks a law on one case. A panic is a report.
func Judge(l Law, c *Case, impl subject.Impl) Verdict {
	replies := func() uint64 {
		if impl.Replies == nil {
			return 0
		}
		return impl.Replies()
	}
	var r recorder
	before := replies()
	r.check(l, c, impl.Guarded())
	v := Verdict{Message: strings.Join(r.reports, "\n")}
	if v.Message != "" {
		return v
	}
	v.NotCovered = r.unsupported || impl.Replies != nil && replies() == before
	v.Unspecified = r.unspecified
	return v
}

// Under is the case with one policy in place of the one that its generator chose; a case without a
// policy stays as it is. Shrinking keeps the policy.
func (c *Case) Under(p engine.Policy) *Case {
	o := *c
	o.fixed = &p
	o.Value = fixedPolicy(c.Value, p)
	return &o
}

// Policy is the policy of [Case.Under]; nil without.
func (c *Case) Policy() *engine.Policy { return c.fixed }

func fixedPolicy(value any, p engine.Policy) any {
	switch v := value.(type) {
	case gen.PlanCase:
		v.Policy = p
		return v
	case gen.LogCase:
		v.Policy = p
		return v
	}
	return value
}

// unchanged reports whether a simpler case came to the same again, because its policy is fixed.
func (c *Case) unchanged(o *Case) bool {
	return c.fixed != nil && fmt.Sprintf("%+v", c.Value) == fmt.Sprintf("%+v", o.Value)
}
