package main

import (
	"crypto/rand"
	"strings"

	"github.com/spf13/cobra"

	"github.com/chargecast/chargecast/internal/check"
	"github.com/chargecast/chargecast/internal/program"
	"github.com/chargecast/chargecast/signature"
)

// signing are the flags of sign.
type signing struct {
	requestFlags
	oauthFlags
	inBody bool
	format *program.Flag[string]
}

// oauthFlags are the flags for the OAuth parameters of a request that is not signed yet.
type oauthFlags struct {
	consumerKey, nonce, timestamp string
}

func (f *oauthFlags) register(c *cobra.Command) {
	flags := c.Flags()
	flags.StringVar(&f.consumerKey, "consumer-key", "", "the merchant's `LOGIN`")
	flags.StringVar(&f.nonce, "nonce", "", "`TEXT` of oauth_nonce (default: 32 random hex digits)")
	flags.StringVar(&f.timestamp, "timestamp", "", "oauth_timestamp in `SECONDS` (default: now)")
}

// oauth returns the OAuth parameters.
func (s *signing) oauth(a *app) (signature.OAuth, error) {
	o := signature.OAuth{ConsumerKey: s.consumerKey, Nonce: s.nonce, Timestamp: s.timestamp}
	if o.ConsumerKey == "" {
		return o, usage("the consumer key is not given", "give the merchant login with --consumer-key")
	}
	if !s.given("timestamp") {
		o.Timestamp = signature.Timestamp(a.now())
	}
	if !s.given("nonce") {
		nonce, err := signature.Nonce(rand.Reader)
		if err != nil {
			return o, signatureError(err)
		}
		o.Nonce = nonce
	}
	return o, nil
}

func newSign(a *app) *cobra.Command {
	s := new(signing)
	s.signs = true
	c := &cobra.Command{
		Use:   "sign",
		Short: "Signs a request",
		Long: `sign makes the Authorization header of a request: RSA-SHA256 with --key, HMAC-SHA1
with --secret-file or --secret-env. No flag takes a secret itself.

The body is that of --payload, of --form, or the parameters of --param in the order
of the flags; without these it is empty. A payload with errors is signed, with a
warning. -o curl is a command that sends the request.`,
		Example: `  chargecast sign --url "$URL" --payload profiles.csv \
    --consumer-key merchant-login --key key.pem
  chargecast sign --url "$URL" --payload profiles.csv -o curl \
    --consumer-key merchant-login --secret-env CONTROL_KEY`,
		Args: noArguments,
	}
	s.requestFlags.register(c)
	s.oauthFlags.register(c)
	c.Flags().BoolVar(&s.inBody, "oauth-in-body", false, "add the OAuth parameters to the body as well")
	s.format = program.Output(c, "header", "json", "curl")
	c.RunE = func(*cobra.Command, []string) error { return s.run(a) }
	return c
}

func (s *signing) run(a *app) error {
	if err := s.onStdin(); err != nil {
		return err
	}
	if err := s.complete(); err != nil {
		return err
	}
	o, err := s.oauth(a)
	if err != nil {
		return err
	}
	o.InBody = s.inBody
	key, err := s.signingKey(a)
	if err != nil {
		return err
	}
	r, err := s.read(a)
	if err != nil {
		return err
	}
	signed, found, err := signature.Sign(r, o, key)
	if err != nil {
		return s.requestError(err)
	}
	a.reportFindings(found)
	a.reportFindings(check.WarnOfMethod(signed, ""))
	if s.payload == "" {
		a.warnOfBody(r.Body())
	}
	switch s.format.V {
	case "json":
		record, err := signedRecordOf(signed)
		if err != nil {
			return signatureError(err)
		}
		a.out.b = append(a.out.b, program.JSON(record)...)
	case "curl":
		if a.out.b, err = appendCurl(a.out.b, signed); err != nil {
			return err
		}
	default:
		a.out.b = append(append(a.out.b, "Authorization: "+signed.Authorization()...), '\n')
	}
	a.out.endLine()
	return nil
}

// complete refuses a request of which more than one thing is missing, and names all of them; one
// alone has words of its own.
func (s *signing) complete() error {
	var missing []string
	if s.url == "" {
		missing = append(missing, "--url")
	}
	if !s.given("consumer-key") {
		missing = append(missing, "--consumer-key")
	}
	if !s.given("key") && !s.given("secret-file") && !s.given("secret-env") {
		missing = append(missing, "--key, --secret-file or --secret-env")
	}
	if len(missing) < 2 {
		return nil
	}
	return usage("not given: "+strings.Join(missing, "; "), "such as chargecast sign --url https://HOST/paynet/api/v4/create-recurring-payments/ID --payload profiles.csv --consumer-key LOGIN --key key.pem")
}

// A signedRecord is a signed request in JSON.
type signedRecord struct {
	BaseString    string `json:"base_string"`
	Signature     string `json:"signature"`
	Authorization string `json:"authorization"`
	Body          string `json:"body"`
}

func signedRecordOf(signed signature.Request) (signedRecord, error) {
	trace, err := signature.NewTrace(signed)
	if err != nil {
		return signedRecord{}, err
	}
	h, err := signature.ParseHeader(signed.Authorization())
	return signedRecord{trace.BaseString(), h.Value("oauth_signature"), signed.Authorization(), string(signed.Body())}, err
}

// argumentBytes is the longest argument of a command that is written: Linux allows 128 KiB.
const argumentBytes = 100_000

// curlURL returns the URL for curl, with the flags that keep curl from changing what was signed.
func curlURL(raw string) (string, error) {
	if strings.ContainsFunc(raw, func(c rune) bool { return c >= 0x80 }) {
		return "", usage("curl changes the characters of the URL that are not ASCII", "write them percent-encoded")
	}
	flags := ""
	if strings.ContainsAny(raw, "[]{}") {
		flags += " --globoff"
	}
	if strings.Contains(raw, "/.") {
		flags += " --path-as-is"
	}
	return flags + " --url " + program.ShellQuote(raw), nil
}

// appendCurl writes the curl command that sends the request. It shows status and headers of the
// answer, whose body is empty.
func appendCurl(dst []byte, signed signature.Request) ([]byte, error) {
	media := signed.ContentType()
	if media == "" {
		media = "application/x-www-form-urlencoded"
	}
	url, err := curlURL(signed.URL())
	if err != nil {
		return dst, err
	}
	command := "curl -i --request " + program.ShellQuote(signed.Method()) + " \\\n " + url +
		" \\\n  --header " + program.ShellQuote("Content-Type: "+media) +
		" \\\n  --header " + program.ShellQuote("Authorization: "+signed.Authorization())
	body := string(signed.Body())
	switch {
	case body == "":
		return append(append(dst, command...), '\n'), nil
	case strings.Contains(body, "\x00"):
		return dst, usage("a shell command cannot hold the NUL byte of the body", "send the body from a file")
	case len(body) > argumentBytes:
		// printf is the shell's own, so that no limit of arguments holds.
		return append(dst, "printf %s "+program.ShellQuote(body)+" | "+command+" \\\n  --data-binary @-\n"...), nil
	}
	// --data-raw takes a first @ as it is.
	return append(dst, command+" \\\n  --data-raw "+program.ShellQuote(body)+"\n"...), nil
}
