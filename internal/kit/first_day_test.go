package kit_test

import (
	"strings"
	"testing"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/gen"
	"github.com/chargecast/chargecast/internal/kit/laws"
)

// TestMadeOnFirstDay: the state of a profile that was made on 0001-01-01 and had no run has no RanThrough, since no day
// lies before that one. The days since count as days without a run; the slow oracle and the laws took the last of them
// for one with a run.
func TestMadeOnFirstDay(t *testing.T) {
	ours := laws.Ours().Guarded()
	for _, l := range laws.Laws() {
		if !strings.ContainsAny(l.ID[:1], "TERN") || l.Once {
			continue
		}
		for index := range uint64(300) {
			c := laws.Source{Seed: 1}.Case(l, index)
			switch p := c.Value.(type) {
			case gen.PlanCase:
				madeOnFirstDay(&p.Job, int(index%40))
				c.Value = p
			case gen.LogCase:
				by := madeOnFirstDay(&p.Job, int(index%40))
				for i := range p.Steps {
					p.Steps[i].Date = gen.Moved(p.Steps[i].Date, by)
				}
				c.Value = p
			default:
				continue
			}
			if v := laws.Judge(l, c, ours); v.Message != "" {
				t.Errorf("%s: %s\n%+v", l.ID, v.Message, c.Value)
				break
			}
		}
	}
}

// madeOnFirstDay moves a case to the first days of the calendar and gives it such a state.
func madeOnFirstDay(j *gen.Job, asOf int) (moved int) {
	moved = calendar.MinDate().Sub(j.AsOf) + asOf
	gen.MoveDays(j, moved)
	j.State = engine.State{Status: engine.StatusActive, Repeat: j.State.Repeat, Anchor: j.State.Anchor, Last: calendar.MinDate()}
	return moved
}
