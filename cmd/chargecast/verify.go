package main

import (
	"cmp"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"github.com/chargecast/chargecast/internal/strictjson"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/signature"
)

// verification are the flags of verify.
type verification struct {
	requestFlags
	freshnessFlags
	format *choice
}

// freshnessFlags are the flags that bound timestamp and nonce.
type freshnessFlags struct {
	window, nonceMin, nonceMax countFlag
	now                        string
	timed                      func() bool // whether --now was given, if only empty
}

func (f *freshnessFlags) register(c *cobra.Command) {
	flags := c.Flags()
	flags.Var(&f.window, "window", "largest distance of the timestamp from now, in seconds")
	flags.StringVar(&f.now, "now", "", "for --window, the current time in `SECONDS` since 1970; by default the clock's")
	flags.Var(&f.nonceMin, "nonce-min", "smallest length of the nonce")
	flags.Var(&f.nonceMax, "nonce-max", "largest length of the nonce")
	f.timed = func() bool { return flags.Changed("now") }
}

// options returns what a request is judged by.
func (f *freshnessFlags) options(a *app, p signature.Profile) (signature.Options, error) {
	const longest = 1<<63 - 1
	o := signature.Options{Profile: p, Now: a.now(), NonceMin: int(f.nonceMin), NonceMax: int(f.nonceMax)}
	if int64(f.window) > longest/int64(time.Second) {
		return o, usage("--window: the number of seconds is too large", "such as --window 300")
	}
	o.Window = time.Duration(f.window) * time.Second
	if f.timed() {
		seconds, err := strconv.ParseInt(f.now, 10, 64)
		if err != nil || seconds < 0 {
			return o, usage("--now must be the seconds since 1970, in digits", "such as --now 1767225600")
		}
		o.Now = time.Unix(seconds, 0)
	}
	return o, nil
}

// fresh is whether the request is fresh by the options: nothing if none was given or the header cannot be read.
func fresh(v signature.Verified, o signature.Options) *bool {
	asked := o.Window > 0 || o.NonceMin > 0 || o.NonceMax > 0
	if !asked || v.Signature == 0 || v.Signature == signature.VerdictUnreadable {
		return nil
	}
	return new(!v.Stale)
}

func newVerify(a *app) *cobra.Command {
	v := new(verification)
	c := &cobra.Command{
		Use:   "verify",
		Short: "Checks the signature of a request",
		Long: `verify says whether the signature of a request is right: ok, mismatch, or unreadable
if the header or the text of the signature cannot be read. A captured request that
cannot be signed at all, such as a GET, is not judged. Consumer key, nonce,
timestamp and method come from the header. A public key is enough.

Whether the request is fresh is checked with --window, --nonce-min or --nonce-max only:
the document does not say what the service allows.

A captured request is text as HTTP sends it, the output of curl --trace-ascii or curl -v,
or a HAR file. curl -v shows no body: add it with --payload, --form or --param.

The exit code is 0 if the signature is ok and nothing is wrong with the rest, else 1.`,
		Example: `  chargecast verify --request captured.http --key public.pem
  chargecast verify --url "$URL" --payload profiles.csv --authorization "$HEADER" --secret-file control-key.txt -o json`,
		Args: noArguments,
	}
	v.requestFlags.register(c)
	v.registerHeader(c)
	v.freshnessFlags.register(c)
	v.format = outputFlag(c, "text", "json")
	c.RunE = func(*cobra.Command, []string) error { return v.run(a) }
	return c
}

func (v *verification) run(a *app) error {
	if err := v.onStdin(); err != nil {
		return err
	}
	o, err := v.options(a, v.rules())
	if err != nil {
		return err
	}
	r, err := v.judged(a)
	if err != nil {
		return err
	}
	key, err := v.verifyingKey(a)
	if err != nil {
		return err
	}
	verified, refused := signature.Verify(r, key, o)
	if verified.Signature == 0 {
		if err := v.notJudged(verified.Findings, refused); err != nil {
			return err
		}
	}
	verified.Findings = together(v.found, verified.Findings)
	for i := range verified.Findings {
		verified.Findings[i] = inCommand(verified.Findings[i])
	}
	a.fit(v.format.value)
	a.out.b = appendVerdict(a.out.b, verified, fresh(verified, o), v.format.value)
	a.out.endLine()
	if refused != nil {
		return errFindings
	}
	return nil
}

// together joins the findings about a capture to those about the request. A code of the first is not reported again.
func together(captured, found ledger.Findings) ledger.Findings {
	all := captured
	for _, f := range found {
		if !captured.Has(f.Code) {
			all = append(all, f)
		}
	}
	return all
}

func appendVerdict(dst []byte, v signature.Verified, fresh *bool, format string) []byte {
	if format != "json" {
		return appendFindingLines(appendVerdictLines(dst, v, fresh), v.Findings)
	}
	dst = appendVerdictMembers(append(dst, '{'), v, fresh)
	return append(appendFindings(append(dst, `,"findings":`...), v.Findings), "}\n"...)
}

func appendVerdictLines(dst []byte, v signature.Verified, fresh *bool) []byte {
	dst = append(dst, "signature: "+cmp.Or(v.Signature.String(), "not judged")+"\nfresh: "...)
	switch {
	case fresh == nil:
		dst = append(dst, "not checked"...)
	case *fresh:
		dst = append(dst, "yes"...)
	default:
		dst = append(dst, "no"...)
	}
	return append(dst, '\n')
}

func appendVerdictMembers(dst []byte, v signature.Verified, fresh *bool) []byte {
	verdict := cmp.Or(v.Signature, signature.VerdictUnreadable) // for a request that could not be judged
	dst = strictjson.AppendString(append(dst, `"signature":`...), verdict.String())
	dst = append(dst, `,"fresh":`...)
	if fresh == nil {
		return append(dst, "null"...)
	}
	return strconv.AppendBool(dst, *fresh)
}
