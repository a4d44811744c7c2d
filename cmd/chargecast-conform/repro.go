package main

import (
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"github.com/chargecast/chargecast/fuzz"
	"github.com/chargecast/chargecast/internal/program"
)

func newRepro(a *app) *cobra.Command {
	f := newFlags()
	c := &cobra.Command{
		Use:   "repro TOKEN [-- CMD [ARG...]]",
		Short: "Replays one case of a law",
		Long: `repro judges the one case that a token names, with the program CMD, or with chargecast
itself where no CMD is given. It shows the law, its clause and the case as a payload and a
command. Exit code 1 when the law fails, or CMD does not answer what the case asks.`,
		Example: `  chargecast-conform repro cc2:T05:0:17
  chargecast-conform repro cc2:T05:0:17 -- ./my-scheduler`,
		ValidArgsFunction: cobra.NoFileCompletions,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return program.Usage("give the token of a case", "every failure is shown with one, such as cc2:T05:0:17")
			}
			return nil
		},
	}
	f.registerJudged(c)
	c.Flags().Lookup("policy").Usage = "the readings of the run that showed the token; every case asks for them"
	f.format = program.Output(c, "text", "json")
	c.RunE = func(c *cobra.Command, args []string) error {
		if len(args) == c.ArgsLenAtDash() { // an empty variable of a script, perhaps
			return errNoProgram()
		}
		return f.repro(a, args[0], args[1:])
	}
	return c
}

func (f *flags) repro(a *app, token string, command []string) error {
	if err := judgesSigning(); err != nil {
		return err
	}
	o := f.options()
	replay := func(token string, o fuzz.Options) (fuzz.Result, fuzz.Counterexample, error) {
		return fuzz.Replay(fuzz.Ours(), token, o)
	}
	if len(command) > 0 {
		p, err := a.start(command, f)
		if err != nil {
			return err
		}
		defer a.end(p)
		replay = p.Replay
	}
	judged := replayed{token: token}
	var err error
	if judged.result, judged.shown, err = replay(token, o); err != nil {
		return program.Usage(err.Error(), "every failure is shown with a token, such as cc2:T05:0:17")
	}
	text := judged.text()
	if f.format.V == "json" {
		text = judged.json()
	}
	err = a.write(f.format.V, text)
	if judged.result.Failed() || !judged.result.Covered() {
		err = errors.Join(err, errFindings)
	}
	return err
}

// A replayed case is a case and its verdict.
type replayed struct {
	token  string
	result fuzz.Result
	shown  fuzz.Counterexample
}

// verdict is the word for what became of the case.
func (r replayed) verdict() string {
	switch {
	case r.result.Failed():
		return "fails"
	case !r.result.Covered():
		return "not covered"
	case r.result.Unspecified > 0:
		return "unspecified"
	}
	return "holds"
}

func (r replayed) text() []byte {
	var text strings.Builder
	text.WriteString(r.result.Law.ID + " (clause " + r.result.Law.Clause + "): " + r.result.Law.Formula + "\n" + r.token + ": " + r.verdict())
	for _, key := range r.result.Keys {
		text.WriteString(": the answer fits another reading of " + key)
	}
	text.WriteString("\n")
	if len(r.result.Failures) > 0 {
		return r.result.Failures[0].AppendText([]byte(text.String()))
	}
	return r.shown.AppendText([]byte(text.String()))
}

func (r replayed) json() []byte {
	type counterexample struct {
		CSV     string `json:"csv"`
		Command string `json:"command"`
	}
	v := struct {
		Token          string         `json:"token"`
		Law            string         `json:"law"`
		Clause         string         `json:"clause"`
		Formula        string         `json:"formula"`
		Verdict        string         `json:"verdict"`
		Unspecified    string         `json:"unspecified,omitempty"`
		Message        string         `json:"message,omitempty"`
		Counterexample counterexample `json:"counterexample"`
	}{r.token, r.result.Law.ID, r.result.Law.Clause, r.result.Law.Formula, r.verdict(), "", "", counterexample{r.shown.CSV, r.shown.Command}}
	if len(r.result.Keys) > 0 {
		v.Unspecified = r.result.Keys[0]
	}
	if len(r.result.Failures) > 0 {
		v.Message = r.result.Failures[0].Message
	}
	return program.JSON(v)
}
