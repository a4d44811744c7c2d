package main

import (
	"errors"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/fuzz/campaign"
	"github.com/chargecast/chargecast/fuzz/conform"
	"github.com/chargecast/chargecast/internal/program"
	"github.com/chargecast/chargecast/internal/termtext"
)

// flags are those of the program: of a run with CMD, of one without, and of repro.
type flags struct {
	laws, targets []string
	cases         program.Flag[int64]
	time          program.Flag[time.Duration]
	seed          program.Flag[uint64]
	workers       program.Flag[int64]
	dir, skip     string
	format        *program.Flag[string]

	policy  policies
	codes   bool
	timeout program.Flag[time.Duration]
}

func newFlags() *flags {
	return &flags{
		cases: program.Count(), time: program.Duration(campaign.Time), seed: program.Seed(), workers: program.Count(),
		timeout: program.Duration(conform.Timeout), policy: newPolicies(),
	}
}

// withCMD and withoutCMD are the flags that only a run with CMD, or only one without, can follow.
var (
	withCMD    = [...]string{"policy", "skip", "codes", "timeout"}
	withoutCMD = [...]string{"time", "dir", "targets", "workers"}
)

func (f *flags) register(c *cobra.Command) {
	c.Flags().StringSliceVar(&f.laws, "laws", nil, "`IDS` of laws, groups or patterns, such as C,T05,B* (default all)")
	c.Flags().Var(&f.cases, "cases", "cases of a law (default 300 with CMD); the same ones each time")
	c.Flags().Var(&f.time, "time", "how long a run without CMD takes, such as 90s or 8h")
	c.Flags().StringVar(&f.dir, "dir", "", "`DIR` of the corpus, which is made where it is missing; without CMD")
	c.Flags().Var(&f.seed, "seed", "what the cases are drawn from (default 0, or as in the corpus)")
	c.Flags().Lookup("seed").DefValue = ""
	c.Flags().StringSliceVar(&f.targets, "targets", nil, "`NAMES` of native targets, or how they begin, such as FuzzPayload")
	c.Flags().Var(&f.workers, "workers", "judge with `N` workers (default: the cores); without CMD")
	f.registerJudged(c)
	c.Flags().StringVar(&f.skip, "skip", "", "`FILE` with ids of laws that are known to fail, one a line; one that holds is a failure")
	f.format = program.Output(c, "text", "json", "junit", "html")
	c.Flags().Lookup("output").Usage = "`FORMAT` of the report: text, json, junit (with CMD) or html (without)"
}

// registerJudged adds the flags about the program under test.
func (f *flags) registerJudged(c *cobra.Command) {
	c.Flags().Var(&f.policy, "policy", "the readings that CMD follows; every case asks for them")
	c.Flags().BoolVar(&f.codes, "codes", false, "refusals and problems must have the codes of chargecast")
	c.Flags().Var(&f.timeout, "timeout", "how long a reply of CMD may take, such as 500ms")
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

// Repeats tells that the settings of several flags are one list.
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

// keys are the keys that were given a value.
func (p *policies) keys() (keys []string) {
	for item := range strings.SplitSeq(p.String(), ",") {
		key, _, _ := strings.Cut(item, "=")
		keys = append(keys, key)
	}
	return keys
}
