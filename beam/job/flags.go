package job

import (
	"errors"
	"flag"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
)

// parse reads the flags: ours, and those of package beam, which registers its own with the command
// line of the program.
func parse(args []string) (Job, error) {
	var j Job
	set := flag.CommandLine
	set.Init("beam", flag.ContinueOnError)
	set.SetOutput(io.Discard)
	set.Usage = func() {}
	j.register(set)
	if err := set.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return j, &Fault{Status: StatusOK, Text: help()}
		}
		return j, usage(err.Error(), "--help lists the flags")
	}
	if set.NArg() > 0 {
		return j, usage("files are named by --input", "such as --input 'book/*.csv'")
	}
	if !slices.Contains([]string{"debug", "info", "warn", "error"}, j.LogLevel) {
		return j, usage("--log-level must be debug, info, warn or error", "")
	}
	return j, nil
}

// help describes our flags, and a few of the many of package beam.
func help() string {
	var b strings.Builder
	b.WriteString("the forecast of a book in many files, on Apache Beam\n\n" +
		"  beam --input 'book/*.csv' --as-of 2026-01-10 --until 2026-12-31 --output results\n\n")
	var j Job
	set := flag.NewFlagSet("beam", flag.ContinueOnError)
	set.SetOutput(&b)
	j.register(set)
	set.PrintDefaults()
	b.WriteString("\nFlags of Apache Beam, among others:\n" +
		"  -runner NAME: prism (in this process, the default), flink, spark, dataflow or universal\n" +
		"  -endpoint HOST:PORT of the runner's job service\n" +
		"  -environment_type, -environment_config: how workers are started\n" +
		"  -async: do not wait for the end of the job\n" +
		"README.md shows how they go together.")
	return b.String()
}

func (j *Job) register(set *flag.FlagSet) {
	set.Var((*listFlag)(&j.Inputs), "input", "`PATTERN` of the files of the book, each a shard; may be repeated")
	set.Var((*listFlag)(&j.States), "state", "`PATTERN` of the files with the states of the shards, of the same names but for the endings; may be repeated")
	set.IntVar(&j.Expect, "shards", 0, "refuse another number of files than `N`")
	set.BoolVar(&j.Profiles, "profiles", false, "the files are JSON lines of stored profiles, not payloads")
	set.TextVar(&j.AsOf, "as-of", calendar.Date{}, "the current `DATE`, required")
	set.TextVar(&j.From, "from", calendar.Date{}, "first day, a `DATE`: charges before it are left out (default as-of)")
	set.TextVar(&j.Until, "until", calendar.Date{}, "last day, a `DATE`, included; required")
	set.TextVar(&j.By, "by", engine.ByDay, "totals by `UNIT`: day, week, month, quarter, weekday or profile; or charge for charges")
	set.Func("policy", "other readings of what is left open, `KEY=VALUE,...`", func(s string) (err error) {
		j.Policy, err = engine.ParsePolicy(s)
		return err
	})
	set.Func("seed", "draw random amounts from `N`, as chargecast simulate does", func(s string) (err error) {
		j.Simulate = true
		if j.Seed, err = strconv.ParseUint(s, 10, 64); err != nil {
			return errors.New("must be a whole number from 0 to 18446744073709551615")
		}
		return nil
	})
	set.Var(&j.Form, "form", "`FORM` of totals and charges: ndjson, json or csv (default ndjson)")
	set.StringVar(&j.LogLevel, "log-level", "warn", "`LEVEL` of what Beam reports: debug, info, warn or error")
	set.StringVar(&j.Output, "output", "", "`DIRECTORY` for the results, required")
	j.Form = FormNDJSON
}

// String and Set make a Form a flag.
func (f *Form) String() string { return string(*f) }

// Set takes any word; Query.check refuses one that is not a form.
func (f *Form) Set(s string) error {
	*f = Form(s)
	return nil
}
