package main

import (
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"github.com/chargecast/chargecast/internal/jsontext"
	"github.com/chargecast/chargecast/signature"
)

// A verification is the flags of verify.
type verification struct {
	requestFlags
	window, nonceMin, nonceMax countFlag
	now                        string
	timed                      bool // --now is given, if only empty
	format                     *choice
}

func newVerify(a *app) *cobra.Command {
	v := new(verification)
	c := &cobra.Command{
		Use:   "verify",
		Short: "Checks the signature of a request",
		Long: `verify tells whether the signature of a request is right: ok, mismatch, or unreadable
where the header or the text of the signature cannot be read. Consumer key, nonce,
timestamp and method come from the header. A public key is enough.

That a request is fresh is another question, asked with --window, --nonce-min or
--nonce-max only: the document does not say what the service allows.

The exit code is 0 when the signature is ok and nothing is wrong with the rest, else 1.`,
		Example: `  chargecast verify --request captured.http --key public.pem
  chargecast verify --url "$URL" --payload profiles.csv --authorization "$HEADER" --secret-file control-key.txt -o json`,
		Args: noArguments,
	}
	v.register(c)
	v.registerHeader(c)
	flags := c.Flags()
	flags.Var(&v.window, "window", "largest distance of the timestamp from now, in seconds")
	flags.StringVar(&v.now, "now", "", "the time of --window in `SECONDS` since 1970; by default the clock's")
	flags.Var(&v.nonceMin, "nonce-min", "smallest length of the nonce")
	flags.Var(&v.nonceMax, "nonce-max", "largest length of the nonce")
	v.format = outputFlag(c, "text", "json")
	c.RunE = func(c *cobra.Command, _ []string) error {
		v.timed = c.Flags().Changed("now")
		return v.run(a)
	}
	return c
}

// freshness settles what is asked of timestamp and nonce.
func (v *verification) freshness(a *app) (signature.Freshness, error) {
	const longest = 1<<63 - 1
	f := signature.Freshness{Now: a.now(), NonceMin: int(v.nonceMin), NonceMax: int(v.nonceMax)}
	if int64(v.window) > longest/int64(time.Second) {
		return f, usage("--window is longer than any clock", "give it in seconds")
	}
	f.Window = time.Duration(v.window) * time.Second
	if v.timed {
		seconds, err := strconv.ParseInt(v.now, 10, 64)
		if err != nil || seconds < 0 {
			return f, usage("--now: the seconds since 1970 are wanted, in digits", "")
		}
		f.Now = time.Unix(seconds, 0)
	}
	return f, nil
}

func (v *verification) run(a *app) error {
	fresh, err := v.freshness(a)
	if err != nil {
		return err
	}
	key, err := v.verifyingKey(a)
	if err != nil {
		return err
	}
	r, err := v.read(a)
	if err != nil {
		return err
	}
	header, err := v.header()
	if err != nil {
		return err
	}
	verdict, err := signature.Verify(r, header, key, v.rules(), fresh)
	if err != nil {
		return signatureError(err)
	}
	verdict.Findings = append(v.captured.Findings, verdict.Findings...)
	a.out.b = appendVerdict(a.out.b, verdict, v.format.value)
	a.out.endLine()
	if verdict.Signature != signature.OK || hasFault(verdict.Findings) {
		return errFindings
	}
	return nil
}

func appendVerdict(dst []byte, v signature.Verdict, format string) []byte {
	if format != "json" {
		dst = append(dst, "signature: "+v.Signature.String()+"\nfresh: "+v.Fresh.String()+"\n"...)
		return appendFindingLines(dst, v.Findings)
	}
	dst = jsontext.AppendString(append(dst, `{"signature":`...), v.Signature.String())
	dst = append(dst, `,"fresh":`...)
	switch v.Fresh {
	case signature.FreshYes:
		dst = append(dst, "true"...)
	case signature.FreshNo:
		dst = append(dst, "false"...)
	case signature.FreshUnknown:
		dst = append(dst, "null"...)
	}
	return append(appendFindings(append(dst, `,"findings":`...), v.Findings), "}\n"...)
}
