package main

import (
	"context"
	"errors"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/chargecast/chargecast/fuzz/campaign"
)

// campaigning are the flags of campaign.
type campaigning struct {
	laws, targets []string
	time          durationFlag
	cases         countFlag
	seed          seedFlag
	dir           string
	workers       workers
	format        *choice
}

func newCampaign(a *app) *cobra.Command {
	f := &campaigning{time: durationFlag(campaign.Time), seed: seedFlag{text: "0"}}
	c := &cobra.Command{
		Use:   "campaign [--time 1h] [--dir DIR]",
		Short: "Looks for cases that break a law, for a given time",
		Long: `campaign judges chargecast itself: the laws on ever new cases, then the native fuzz targets,
on all cores until the time is over. The laws get half of the time and the targets what is
left once they are compiled, which takes minutes in a fresh clone, unless --laws or --targets
asks for one kind alone. The targets need the Go command and a clone of the module around
the current directory. The report says so where one is missing, or compiling took too long.

The corpus in --dir keeps what each campaign learns: the next campaign goes on where the
last one ended, judges the old findings again, and shares its inputs with other fuzzing
engines. docs/campaigns.md describes the files. Without --dir nothing is kept.

An interrupt ends the campaign with its report; a second one ends it at once. Exit code 1
when a finding fails, 2 for a law or target that does not exist, 3 when the corpus cannot be
read, 4 when it cannot be written, 130 when interrupted.`,
		Example: `  chargecast campaign --time 1h --dir corpus
  chargecast campaign --time 5m --laws T,R04 -o json
  chargecast campaign --cases 1000 --laws C --seed 7
  chargecast campaign --time 10m --targets 'FuzzPayload*' --dir corpus`,
		Args:              noArguments,
		ValidArgsFunction: cobra.NoFileCompletions,
	}
	c.Flags().Var(&f.time, "time", "how long the campaign takes, such as 90s or 8h")
	c.Flags().StringSliceVar(&f.laws, "laws", nil, "`IDS` of laws, groups or patterns, such as C,T05,B*")
	c.Flags().StringSliceVar(&f.targets, "targets", nil, "`NAMES` of native targets, or how they begin, such as FuzzPayload")
	c.Flags().StringVar(&f.dir, "dir", "", "`DIR` of the corpus, which is made where it is missing")
	c.Flags().Var(&f.cases, "cases", "cases of a law, and inputs of a target, in place of --time: the same ones each time")
	c.Flags().Lookup("cases").DefValue = "0" // said in the text
	c.Flags().Var(&f.seed, "seed", "what the cases are drawn from (default: as in the corpus)")
	c.Flags().Lookup("seed").DefValue = ""
	f.workers.register(c)
	c.Flags().Lookup("workers").Usage = "judge with `N` workers (default: the cores)"
	f.format = outputFlag(c, "text", "json", "html")
	c.RunE = func(c *cobra.Command, _ []string) error { return f.run(a, c) }
	return c
}

func (f *campaigning) options(c *cobra.Command) campaign.Options {
	o := campaign.Options{Laws: f.laws, Targets: f.targets, Cases: uint64(f.cases), Dir: f.dir, Workers: f.workers.number()}
	if f.cases == 0 || c.Flags().Changed("time") {
		o.Time = time.Duration(f.time)
	}
	if c.Flags().Changed("seed") {
		o.Seed = &f.seed.n
	}
	if here, err := os.Getwd(); err == nil {
		o.Clone = here
	}
	return o
}

func (f *campaigning) run(a *app, c *cobra.Command) error {
	if err := judgesSigning(); err != nil {
		return err
	}
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	a.stop.Store(&stop)
	defer a.stop.Store(nil)
	report, err := campaign.Run(ctx, f.options(c))
	kept := campaignError(err)
	if kept != nil && report.Campaigns == 0 {
		return kept
	}
	a.fit(f.format.value)
	switch f.format.value {
	case "json":
		a.out.b = report.AppendJSON(a.out.b)
	case "html":
		a.out.b = report.AppendHTML(a.out.b)
	default:
		a.out.b = report.AppendText(a.out.b)
	}
	a.out.endLine()
	switch {
	case kept != nil:
		return kept
	case report.Interrupted:
		return &failure{code: exitInterrupted}
	case !report.OK():
		return errFindings
	}
	return nil
}

// campaignError is the error of a campaign as a failure of the command.
func campaignError(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, campaign.ErrUnknown):
		return usage(visible(err.Error()), "laws are written T05, T or B*, targets FuzzDate_Parse_Reference, FuzzDate or Fuzz*_Chunks")
	case errors.Is(err, campaign.ErrKeep):
		return internal("--dir: "+visible(err.Error()), "check the directory and the space on its disk")
	}
	return unreadable("--dir: "+visible(err.Error()), "give the directory of a campaign, or one that is empty")
}
