package main

import (
	"errors"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/kit"
	"github.com/chargecast/chargecast/internal/kit/conform"
	"github.com/chargecast/chargecast/internal/kit/laws"
	"github.com/chargecast/chargecast/internal/program"
	"github.com/chargecast/chargecast/internal/termtext"
)

// flags are those of the program and of repro.
type flags struct {
	laws      []string
	cases     program.Flag[int64]
	time      program.Flag[time.Duration]
	seed      program.Flag[uint64]
	ordinary  bool
	verbose   bool
	dir, skip string
	setup     string
	format    *program.Flag[string]

	policy  policies
	codes   bool
	timeout program.Flag[time.Duration]
}

func newFlags() *flags {
	return &flags{
		cases: program.Count(), time: program.Duration(0), seed: program.Seed(),
		timeout: program.Duration(conform.Timeout), policy: newPolicies(),
	}
}

// ofCMD are the flags about a program under test.
var ofCMD = []string{"codes", "timeout", "setup"}

func (f *flags) register(c *cobra.Command) {
	c.Flags().StringSliceVar(&f.laws, "laws", nil, "`IDS` of laws, groups or patterns, such as C,T07,B*")
	c.Flags().Var(&f.cases, "cases", "cases of each law (default 300, of slow laws fewer)")
	c.Flags().Lookup("cases").DefValue = ""
	c.Flags().Var(&f.time, "time", "instead of --cases: length of the run, such as 8h")
	c.Flags().Lookup("time").DefValue = ""
	c.Flags().StringVar(&f.dir, "dir", "", "`DIR` of failing cases, which are judged first")
	c.Flags().Var(&f.seed, "seed", "what the cases are drawn from")
	c.Flags().BoolVar(&f.ordinary, "ordinary", false, "only what merchants send, and never an extreme")
	c.Flags().BoolVarP(&f.verbose, "verbose", "v", false, "write the token of each case before it is judged")
	c.Flags().Var(&f.policy, "policy", "interpretations that CMD follows and is asked for")
	f.registerJudged(c)
	c.Flags().StringVar(&f.skip, "skip", "", "`FILE` with ids of laws known to fail, one a line")
	f.format = program.Output(c, "text", "json", "junit")
}

// registerJudged adds the flags about the program under test.
func (f *flags) registerJudged(c *cobra.Command) {
	c.Flags().BoolVar(&f.codes, "codes", false, "refusals must have the codes of chargecast")
	c.Flags().Var(&f.timeout, "timeout", "longest wait for a reply of CMD")
	c.Flags().StringVar(&f.setup, "setup", "", "shell `COMMAND` to run once before CMD is started")
}

// check refuses flags that do not go together, and names of nothing.
func (f *flags) check(c *cobra.Command, command []string) error {
	if len(command) == 0 {
		if err := refuse(c, ofCMD, " is about a program under test", "give it behind --, such as: chargecast-conform -- ./my-scheduler"); err != nil {
			return err
		}
	}
	if c.Flags().Changed("cases") && c.Flags().Changed("time") {
		return program.Usage("--cases and --time both say when the run ends", "give one of them")
	}
	if unknown := (kit.Options{Laws: f.laws}).Unknown(); len(unknown) > 0 {
		help := "give ids such as T07, groups such as T, or patterns such as B*; chargecast-conform laws lists them"
		if tests := laws.Elsewhere(unknown[0]); tests != "" {
			help = "no implementation can be asked this law: it is left to " + tests + "; " + help
		}
		return program.Usage("no law has the id or pattern "+quoted(unknown[0]), help)
	}
	if c.Flags().Changed("dir") && f.dir == "" {
		return program.Usage("--dir is empty", "give a directory, or leave --dir out")
	}
	return nil
}

// refuse refuses a flag that the run cannot follow.
func refuse(c *cobra.Command, names []string, text, help string) (err error) {
	c.Flags().Visit(func(f *pflag.Flag) {
		for _, name := range names {
			if f.Name == name && err == nil {
				err = program.Usage("--"+name+text, help)
			}
		}
	})
	return err
}

// options are the flags as the kit has them.
func (f *flags) options() kit.Options {
	o := kit.Options{Laws: f.laws, Cases: int(f.cases.V), Time: f.time.V, Seed: f.seed.V, Ordinary: f.ordinary, Shrinks: 200, Memory: conform.Memory}
	if o.Cases == 0 && o.Time == 0 {
		o.Effort = conform.Cases
	}
	if f.policy.String() != "" {
		o.Policy = &f.policy.V
	}
	return o
}

// policies are --policy: settings that may be given in several flags.
type policies struct{ program.Flag[engine.Policy] }

func newPolicies() policies {
	return policies{program.NewFlag("KEY=VALUE,...", "", engine.Policy{}, func(s string) (engine.Policy, error) {
		policy, err := engine.ParsePolicy(s)
		if err != nil {
			return policy, program.Usage(termtext.Visible(err.Error()), "chargecast assumptions lists the keys and values")
		}
		return policy, nil
	})}
}

// Repeats says that the settings of several flags are one list.
func (*policies) Repeats() {}

func (p *policies) Set(s string) error {
	if s == "" {
		return errors.New("the value is empty")
	}
	if p.String() != "" {
		s = p.String() + "," + s
	}
	return p.Flag.Set(s)
}
