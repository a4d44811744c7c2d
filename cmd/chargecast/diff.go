package main

import (
	"github.com/spf13/cobra"

	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/record"
)

// A diffing is the flags of diff.
type diffing struct {
	today
	horizon
	selection
	policy *policyFlag
	// oldPolicy and newPolicy are for one payload, with policy left out.
	oldPolicy, newPolicy *policyFlag
	format               *choice
	colour               *choice

	summary  bool
	selector *selector // of both files
}

func newDiff(a *app) *cobra.Command {
	q := new(diffing)
	c := &cobra.Command{
		Use:   "diff OLD NEW",
		Short: "Shows which charges differ between two forecasts",
		Long: `diff shows which charges differ between OLD and NEW. Each is a payload, which is forecast
with the flags given, or the output of forecast or simulate in NDJSON or JSON: so two payloads
can be compared, two states, or a simulation with the plain forecast. With --old-policy and
--new-policy it reads one payload and compares its forecasts under two policies.

Profiles are matched by client-orderid, charges by due day and then by repeat number. A
charge is added, removed, moved to another day, or changed in amount, repeat or outcome.
--profile and --exclude choose among the profiles of both files; an id that one of them has
is found. The exit code is 1 when anything differs.

Both files are read side by side. A profile that the other file has at another place is kept
until it is met there: files in one order need little memory for any number of profiles, as
does one payload under two policies. An output in JSON is kept whole.

Two outputs are compared as they were made, in the window of NEW, whatever --as-of, --zone
and --until say; the other flags that change a forecast are usage errors then.`,
		Example: `  chargecast diff --until +1y old.csv new.csv
  chargecast diff before.ndjson after.ndjson
  chargecast diff --profile 'gym-*' --until +1y old.csv new.csv
  chargecast diff --until +1y --old-policy month-end=clamp --new-policy month-end=skip payload.csv
  chargecast diff --as-of 2026-01-10 --until 2026-12-31 payload.csv simulated.ndjson -o ndjson`,
		Args: func(c *cobra.Command, args []string) error {
			two := firstSet(c, "old-policy", "new-policy") != ""
			switch {
			case two && len(args) > 1:
				return usage("diff with two policies reads one payload", "see: "+c.CommandPath()+" --help")
			case two && firstSet(c, "policy") != "":
				return usage("--policy is for two files", "give --old-policy and --new-policy in full")
			case !two && len(args) != 2:
				return usage("diff compares two files, OLD and NEW, or one under --old-policy and --new-policy", "see: "+c.CommandPath()+" --help")
			}
			return nil
		},
	}
	q.horizon.register(c)
	q.today.register(c)
	q.registerProfiles(c)
	q.input = inputFlag(c)
	q.registerFindings(c)
	q.policy = policyVar(c)
	q.oldPolicy, q.newPolicy = new(policyFlag), new(policyFlag)
	c.Flags().Var(q.oldPolicy, "old-policy", "with one payload: the readings of OLD; a key that is left out has its default")
	c.Flags().Var(q.newPolicy, "new-policy", "with one payload: the readings of NEW; a key that is left out has its default")
	q.format = outputFlag(c, formatTable, "json", "ndjson")
	q.colour = colourFlag(c)
	c.Flags().BoolVar(&q.summary, "summary", false, "leave out the differences: only how many there are, and the money")
	c.RunE = func(c *cobra.Command, args []string) error {
		h, err := q.head(a)
		switch {
		case err != nil:
			return err
		case firstSet(c, "old-policy", "new-policy") != "":
			return q.diffPolicies(a, argument(args), h)
		}
		return q.diff(a, args[0], args[1], h, firstSet(c, "next", "policy", "input", "severity"))
	}
	return c
}

// head settles what is asked.
func (q *diffing) head(a *app) (*header, error) {
	a.log.quiet = q.quiet
	asOf, err := q.day(a)
	if err != nil {
		return nil, err
	}
	h := &header{schema: record.SchemaDiff, asOf: asOf, zone: q.zone, policy: q.policy.policy, profiles: q.profiles, excluded: q.excluded}
	q.selector = newSelector(q.profiles, q.excluded)
	return h, nil
}

// diff compares two files. Set is a flag that was given and says how payloads are forecast.
func (q *diffing) diff(a *app, oldPath, newPath string, h *header, set string) error {
	if err := oneStdin(oldPath, newPath); err != nil {
		return err
	}
	was, err := q.open(a, oldPath, h)
	if err != nil {
		return err
	}
	defer was.in.close()
	is, err := q.open(a, newPath, h)
	if err != nil {
		return err
	}
	defer is.in.close()
	if set != "" && was.header == nil && is.header == nil {
		return usage("--"+set+" is for payloads, and both files are outputs", "leave it out: outputs are compared as they were made")
	}
	c := q.comparer(a, h, was, is)
	if c.match(); a.out.err != nil {
		return a.out.err
	}
	bad := false
	for _, s := range [...]*compared{was, is} {
		if (was.isBroken() || is.isBroken()) && !s.isBroken() {
			continue // it was not read to its end
		}
		usable, err := s.finish()
		if !usable {
			return err
		}
		bad = bad || err != nil
	}
	if err := q.selector.failed(bad); err != nil {
		return err
	}
	if was.reach() != is.reach() {
		a.log.line("chargecast: note: OLD reaches " + was.reach() + ", NEW " + is.reach() + "; what only one of them reaches differs for that alone")
	}
	c.alone()
	return c.finish(a, bad)
}

func (q *diffing) comparer(a *app, h *header, was, is *compared) *comparer {
	c := &comparer{was: was, is: is, sums: balance{}, out: a.out, header: h}
	c.w = &differenceRecords{out: a.out, options: recordOptions(a, q.format.value, false), brief: q.summary}
	if q.format.value == formatTable {
		c.w = &differenceText{out: a.out, paint: a.text(q.colour.value), brief: q.summary}
	}
	return c
}

// differences is a form of the output of diff.
type differences interface {
	begin(h *header)
	charges(was, is *timeline, list []engine.Difference)
	ends(was, is *timeline, old, now *engine.End) // which differ
	money(m record.Money)
	finish()
}
