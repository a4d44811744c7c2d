package main

import (
	"time"

	"github.com/spf13/cobra"

	"github.com/chargecast/chargecast/fuzz"
	"github.com/chargecast/chargecast/fuzz/conform"
	"github.com/chargecast/chargecast/internal/strictjson"
)

func newRepro(a *app) *cobra.Command {
	f := new(conforming)
	c := &cobra.Command{
		Use:   "repro TOKEN [-- CMD [ARG...]]",
		Short: "Replays one case of a law",
		Long: `repro judges the one case that a token of conform names, with the program CMD, or with
chargecast itself where no CMD is given. It shows the law, its clause and the case as a
payload and a command. Exit code 1 when the law fails, or CMD does not answer what the
case asks.`,
		Example: `  chargecast repro cc1:T05:0:17
  chargecast repro cc1:T05:0:17 -- ./my-scheduler`,
		ValidArgsFunction: cobra.NoFileCompletions,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usage("give the token of a case", "conform shows one for every failure, such as cc1:T05:0:17")
			}
			return nil
		},
	}
	f.register(c)
	f.format = outputFlag(c, "text", "json")
	c.RunE = func(c *cobra.Command, args []string) error {
		if len(args) == c.ArgsLenAtDash() { // an empty variable of a script, perhaps
			return usage("no program is given behind --", "give CMD, or leave -- out to judge chargecast itself")
		}
		return f.repro(a, args[0], args[1:])
	}
	return c
}

func (f *conforming) repro(a *app, token string, command []string) error {
	if err := judgesSigning(); err != nil {
		return err
	}
	l, of, err := fuzz.Replay(token)
	if err != nil {
		return usage(err.Error(), "conform shows a token for every failure, such as cc1:T05:0:17")
	}
	f.laws, f.cases, f.seed.n = []string{l.ID}, 1, of.Seed
	o := f.options()
	if o.Policy != nil {
		of = of.Under(*o.Policy)
	}
	judged := replayed{token: token}
	judged.law, judged.shown = conform.Replay(fuzz.Ours(), l, of)
	if len(command) > 0 {
		o.First = of.Index
		p, err := a.startProgram(command, time.Duration(f.timeout))
		if err != nil {
			return err
		}
		judged.law = p.Run(o).Laws[0]
		a.endProgram(p)
	}
	for _, failure := range judged.law.Failures {
		judged.shown = failure.Counterexample
	}
	a.fit(f.format.value)
	if f.format.value == "json" {
		a.out.b = judged.json(a.out.b)
	} else {
		a.out.b = judged.text(a.out.b)
	}
	a.out.endLine()
	if judged.law.Failed() || !judged.law.Covered {
		return errFindings
	}
	return nil
}

// A replayed case is a case and its verdict.
type replayed struct {
	token string
	law   conform.Law
	shown conform.Counterexample
}

// verdict is the word for what became of the case.
func (r replayed) verdict() string {
	switch {
	case r.law.Failed():
		return "fails"
	case !r.law.Covered:
		return "not covered"
	case r.law.Unspecified > 0:
		return "unspecified"
	}
	return "holds"
}

func (r replayed) text(dst []byte) []byte {
	dst = append(dst, r.law.ID+" (clause "+r.law.Clause+"): "+r.law.Formula+"\n"...)
	dst = append(dst, r.token+": "+r.verdict()...)
	for _, key := range r.law.Keys {
		dst = append(dst, ": the answer fits another reading of "+key...)
	}
	dst = append(dst, '\n')
	if len(r.law.Failures) > 0 {
		return r.law.Failures[0].AppendText(dst)
	}
	return r.shown.AppendText(dst)
}

func (r replayed) json(dst []byte) []byte {
	member := func(name, value string) {
		dst = strictjson.AppendString(append(dst, `,"`+name+`":`...), value)
	}
	dst = append(dst, `{"token":`...)
	dst = strictjson.AppendString(dst, r.token)
	member("law", r.law.ID)
	member("clause", r.law.Clause)
	member("formula", r.law.Formula)
	member("verdict", r.verdict())
	if len(r.law.Keys) > 0 {
		member("unspecified", r.law.Keys[0])
	}
	if len(r.law.Failures) > 0 {
		member("message", r.law.Failures[0].Message)
	}
	dst = append(dst, `,"counterexample":{"csv":`...)
	dst = strictjson.AppendString(dst, r.shown.CSV)
	member("command", r.shown.Command)
	return append(dst, "}}\n"...)
}
