package laws

import (
	"github.com/leanovate/gopter"
	"github.com/leanovate/gopter/prop"

	"github.com/chargecast/chargecast/fuzz/subject"
)

// Prop is the law as a gopter property, for those who have a gopter run of their own.
// Put one law in a Properties: all properties of one share a random stream.
func (l Law) Prop(impl subject.Impl) gopter.Prop {
	if l.Gen == nil {
		return func(*gopter.GenParameters) *gopter.PropResult {
			return verdict(Judge(l, &Case{Law: l.ID}, impl))
		}
	}
	return prop.ForAll1(l.Gen, func(v any) (any, error) {
		return verdict(Judge(l, &Case{Law: l.ID, Value: v}, impl)), nil
	})
}

func verdict(v Verdict) *gopter.PropResult {
	switch {
	case v.Message != "":
		return &gopter.PropResult{Status: gopter.PropFalse, Labels: []string{v.Message}}
	case v.NotCovered:
		return &gopter.PropResult{Status: gopter.PropUndecided}
	}
	return &gopter.PropResult{Status: gopter.PropTrue}
}
