package main

import (
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"github.com/chargecast/chargecast/internal/kit"
	"github.com/chargecast/chargecast/internal/kit/laws"
	"github.com/chargecast/chargecast/internal/program"
	"github.com/chargecast/chargecast/internal/termtext"
)

func newRepro(a *app) *cobra.Command {
	f := newFlags()
	c := &cobra.Command{
		Use:   "repro TOKEN [-- CMD [ARG...]]",
		Short: "Replays one case of a law",
		Long: `repro judges the one case that a token names, with the program CMD, or with chargecast
itself where no CMD is given, under the policy of the token. It shows the law, its clause and
the case as a payload and a command. The exit code is 1 when the law fails, or CMD does not
answer what the case asks.`,
		Example: `  chargecast-conform repro cc3:T07::0:17
  chargecast-conform repro cc3:T07::0:17 -- ./my-scheduler`,
		ValidArgsFunction: cobra.NoFileCompletions,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return program.Usage("give the token of a case", "every failure is shown with one, such as cc3:T07::0:17")
			}
			return nil
		},
	}
	f.registerJudged(c)
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
	again := func(token string, o kit.Options) (kit.Result, kit.Counterexample, error) {
		return kit.Again(laws.Ours(), token, o)
	}
	if len(command) > 0 {
		p, err := a.start(command, f)
		if err != nil {
			return err
		}
		defer a.end(p)
		again = p.Again
	}
	judged := repeated{token: token}
	var err error
	if judged.result, judged.shown, err = again(token, o); err != nil {
		return program.Usage(err.Error(), "every failure is shown with a token, such as cc3:T07::0:17")
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

// A repeated case is a case and its verdict.
type repeated struct {
	token  string
	result kit.Result
	shown  kit.Counterexample
}

// verdict is the word for what became of the case.
func (r repeated) verdict() string {
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

func (r repeated) text() []byte {
	var text strings.Builder
	text.WriteString(r.result.Law.ID + " (clause " + r.result.Law.Clause + "): " + r.result.Law.Sentence + "\n" + r.token + ": " + r.verdict())
	for _, u := range r.result.Readings {
		text.WriteString(": the answer fits another reading of " + u.Key)
		if u.Got != "" {
			text.WriteString("\n  answered: " + termtext.Visible(u.Got) + "\n  the ledger: " + termtext.Visible(u.Want))
		}
	}
	text.WriteString("\n")
	if len(r.result.Failures) > 0 {
		f := r.result.Failures[0]
		return f.Counterexample.AppendText(laws.AppendIndented([]byte(text.String()), "  ", f.Text()))
	}
	return r.shown.AppendText([]byte(text.String()))
}

func (r repeated) json() []byte {
	type counterexample struct {
		CSV     string `json:"csv"`
		Command string `json:"command"`
	}
	v := struct {
		Token          string         `json:"token"`
		Law            string         `json:"law"`
		Clause         string         `json:"clause"`
		Sentence       string         `json:"sentence"`
		Verdict        string         `json:"verdict"`
		Unspecified    string         `json:"unspecified,omitempty"`
		Message        string         `json:"message,omitempty"`
		Counterexample counterexample `json:"counterexample"`
	}{r.token, r.result.Law.ID, r.result.Law.Clause, r.result.Law.Sentence, r.verdict(), "", "", counterexample{r.shown.CSV, r.shown.Command}}
	if len(r.result.Readings) > 0 {
		v.Unspecified = r.result.Readings[0].Key
	}
	if len(r.result.Failures) > 0 {
		v.Message = r.result.Failures[0].Text()
	}
	return program.JSON(v)
}
