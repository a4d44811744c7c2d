package main

import (
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/clause"
	"github.com/chargecast/chargecast/ledger"
)

// diffPolicies compares the forecasts of one payload under two policies, row by row.
func (q *diffing) diffPolicies(a *app, path string, h *header) error {
	if err := q.reach(h); err != nil {
		return err
	}
	old, now := *h, *h
	old.policy, now.policy = q.oldPolicy.policy, q.newPolicy.policy
	now.oldPolicy = &old.policy
	in, text, options, err := q.openText(a, path, h, accepting(old.policy))
	if err != nil {
		return err
	}
	defer in.close()
	if isOutput(text) {
		return usage("an output was made under one policy", "give the payload that it was made from")
	}
	rows := newRows(a, q.selector)
	rows.open(&input{name: in.name, file: text}, options)
	c := q.comparer(a, &now, &compared{header: &old}, &compared{header: &now})
	for row := range rows.all() {
		if row.left {
			continue
		}
		t := timelineOf(row.Row)
		var sides [2]*timeline // none where the policy refuses the profile
		for i, s := range [...]*compared{c.was, c.is} {
			if err := engine.New(s.header.policy).Recompile(&s.plan, engine.Stored{Profile: *t.profile}, h.asOf); err != nil {
				rows.refuse(row.Row, err)
				continue
			}
			sides[i] = t
		}
		if sides[0] != nil || sides[1] != nil {
			c.compare(sides[0], sides[1])
		}
		if a.out.err != nil {
			return a.out.err
		}
	}
	if err := rows.finish(rows.endOfFile(in)); err != nil {
		return err
	}
	return c.finish(a, rows.bad)
}

// accepting returns a policy without the readings that refuse a row: a profile that one of two
// policies refuses is a difference.
func accepting(p engine.Policy) engine.Policy {
	for _, c := range [...]ledger.Clause{clause.L02, clause.L03, clause.L09} {
		if p.Reading(c).Value == "reject" {
			p = p.WithReading(c, 0)
		}
	}
	return p
}
