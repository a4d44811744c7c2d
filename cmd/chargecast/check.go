package main

import (
	"bytes"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/rules"
	"github.com/chargecast/chargecast/signature"
)

// checking are the flags of check.
type checking struct {
	requestFlags
	freshnessFlags
	today    today
	policy   *policyFlag
	currency string
	strict   bool
	quiet    bool
	severity severityFlag
	format   *choice

	some  bool                // whether a problem has been written
	shown map[ledger.Code]int // how many problems of a code the text has so far
}

func newCheck(a *app) *cobra.Command {
	k := &checking{shown: map[ledger.Code]int{}}
	c := &cobra.Command{
		Use:   "check FILE",
		Short: "Checks signature, freshness and payload of one captured request",
		Long: `check checks a captured request as the gateway would: its signature, every row of its payload
and, with --window, --nonce-min or --nonce-max, the freshness of its timestamp and nonce. The
result is one verdict and one list of problems.

The capture is text as HTTP sends it, the output of curl --trace-ascii or curl -v, or a HAR
file. curl -v shows no body: add it with --payload, --form or --param.

The exit code is 0 if the request is acceptable, else 1.`,
		Example: `  chargecast check captured.http --key public.pem
  chargecast check captured.har --secret-env CONTROL_KEY --window 300 --currency EUR -o json`,
		Args: oneFile,
	}
	k.requestFlags.register(c)
	_ = c.Flags().MarkHidden("request") // FILE is the request
	k.registerHeader(c)
	for name, text := range map[string]string{
		"url": "the full `URL` of the request; overrides that of FILE", "authorization": "the Authorization `HEADER`; overrides that of FILE",
	} {
		c.Flags().Lookup(name).Usage = text
	}
	k.freshnessFlags.register(c)
	k.today.register(c)
	c.Flags().StringVar(&k.currency, "currency", "", "the project's currency `CODE`; without it currencies are not compared")
	c.Flags().BoolVar(&k.strict, "strict", false, "turn warnings about the payload into errors")
	c.Flags().Var(&k.severity, "severity", "another severity for a code of the payload: error, warning or off; may be repeated")
	c.Flags().BoolVar(&k.quiet, "quiet", false, "leave warnings out of the text")
	k.policy = policyVar(c)
	k.format = outputFlag(c, "text", "json")
	c.RunE = func(_ *cobra.Command, args []string) error {
		k.request = args[0]
		return k.run(a)
	}
	return c
}

// oneFile takes exactly one FILE, and none with --request, as the other commands have it.
func oneFile(c *cobra.Command, args []string) error {
	if c.Flags().Changed("request") {
		return usage("chargecast check takes the captured request as FILE", "leave out --request, and keep its file")
	}
	if len(args) != 1 {
		return usage("one FILE with a captured request is needed", "- is stdin")
	}
	return nil
}

func (k *checking) run(a *app) error {
	if err := k.onStdin(); err != nil {
		return err
	}
	asOf, err := k.today.day(a)
	if err != nil {
		return err
	}
	o, err := k.options(a, k.rules())
	if err != nil {
		return err
	}
	r, err := k.read(a)
	if err != nil {
		return err
	}
	key, err := k.verifyingKey(a)
	if err != nil {
		return err
	}
	if k.headerGiven {
		r = r.WithAuthorization(bareHeader(k.authorization))
	}
	verified, refused := signature.Verify(r, key, o)
	if err := k.urlError(refused); err != nil {
		return err
	}
	verified.Findings = together(k.found, verified.Findings)
	payload := rules.NewReader(bytes.NewReader(r.Body()), rules.Options{
		AsOf: asOf, Policy: k.policy.policy, Currency: k.currency, Input: rules.InputForm, Severity: k.severity, Strict: k.strict,
	})
	a.fit(k.format.value)
	a.out.b = k.begin(a.out.b, verified, fresh(verified, o))
	bad := refused != nil
	for _, problems := range payload.Rows() {
		for _, p := range problems {
			bad = bad || p.Severity == ledger.SeverityError
			p = inCommand(p)
			p.Place.File = "payload"
			if p.Code == rules.PayloadMissing && verified.Findings.Has(signature.BodyMissing) {
				p.Message, p.Help = "the captured request has no body", "capture the request with its body: curl -v leaves it out, curl --trace-ascii shows it"
			}
			a.out.b = k.problem(a.out.b, p)
			a.out.endLine()
			if a.out.err != nil {
				return a.out.err
			}
		}
	}
	s := payload.Summary()
	bad = bad || s.Unreadable || s.Errors > 0
	a.out.b = k.end(a.out.b, s, bad)
	a.out.endLine()
	if bad {
		return errFindings
	}
	return nil
}

// begin writes the verdict on the signature, and what was found in the request.
func (k *checking) begin(dst []byte, v signature.Verified, fresh *bool) []byte {
	if k.format.value != "json" {
		dst = appendVerdictLines(dst, v, fresh)
	} else {
		dst = append(appendVerdictMembers(append(dst, '{'), v, fresh), `,"problems":[`...)
	}
	for _, f := range v.Findings {
		dst = k.problem(dst, inCommand(f))
	}
	return dst
}

// problem writes one problem of the request or of its payload.
func (k *checking) problem(dst []byte, f ledger.Finding) []byte {
	if k.format.value == "json" {
		if k.some {
			dst = append(dst, ',', '\n')
		}
		k.some = true
		return f.AppendJSON(dst)
	}
	if k.quiet && f.Severity == ledger.SeverityWarning {
		return dst
	}
	if k.shown[f.Code]++; k.shown[f.Code] > maxTold {
		return dst
	}
	return append(dst, f.Severity.String()+": "+visible(findingText(f))+"\n"...)
}

func (k *checking) end(dst []byte, s rules.Summary, bad bool) []byte {
	if k.format.value == "json" {
		dst = strconv.AppendInt(append(dst, `],"rows":`...), int64(s.Rows), 10)
		dst = strconv.AppendInt(append(dst, `,"valid":`...), int64(s.Valid), 10)
		return append(strconv.AppendBool(append(dst, `,"acceptable":`...), !bad), "}\n"...)
	}
	for code, n := range sortedCounts(k.shown) {
		if n > maxTold {
			dst = append(dst, strconv.Itoa(n-maxTold)+" more like these: "+string(code)+"\n"...)
		}
	}
	dst = append(dst, "payload: "+counted(strconv.Itoa(s.Rows), "row")+", "+strconv.Itoa(s.Valid)+" usable; "+
		counted(strconv.Itoa(s.Errors), "error")+", "+counted(strconv.Itoa(s.Warnings), "warning")+"\n"...)
	if bad {
		return append(dst, "The request is not acceptable.\n"...)
	}
	return append(dst, "The request is acceptable.\n"...)
}
