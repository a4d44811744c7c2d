package main

import (
	"crypto/rand"
	"strings"

	"github.com/spf13/cobra"

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
	consumerKey, nonce, timestamp, realm string
}

func (f *oauthFlags) register(c *cobra.Command) {
	flags := c.Flags()
	flags.StringVar(&f.consumerKey, "consumer-key", "", "the merchant `LOGIN`")
	flags.StringVar(&f.nonce, "nonce", "", "`TEXT` of oauth_nonce; by default 32 random hex digits")
	flags.StringVar(&f.timestamp, "timestamp", "", "oauth_timestamp in `SECONDS`; by default now")
	flags.StringVar(&f.realm, "realm", "", "`TEXT` of the realm in the header, which may be empty; left out by default")
}

// oauth returns the OAuth parameters.
func (s *signing) oauth(a *app) (signature.OAuth, error) {
	o := signature.OAuth{ConsumerKey: s.consumerKey, Nonce: s.nonce, Timestamp: s.timestamp}
	if s.given("realm") {
		o.Realm = &s.realm
	}
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
		Long: `sign makes the Authorization header of a request: RSA-SHA256 with --key, HMAC-SHA1 with
--secret-file or --secret-env. No flag takes a secret itself.

The body comes from --payload, from --form, or from --param, whose parameters keep the order
of the flags; without one it is empty. A body that check would refuse for its payload is
signed, with a warning: the signature is right all the same. The outputs curl and openssl are
commands to paste: the first sends the request, the second makes the same signature.`,
		Example: `  chargecast sign --url https://gate.example.com/paynet/api/v4/create-recurring-payments/1234 \
    --payload profiles.csv --consumer-key merchant-login --key key.pem
  chargecast sign --url "$URL" --payload profiles.csv --consumer-key merchant-login --secret-env CONTROL_KEY -o curl`,
		Args: noArguments,
	}
	s.requestFlags.register(c)
	s.oauthFlags.register(c)
	c.Flags().BoolVar(&s.inBody, "oauth-in-body", false, "add the OAuth parameters to the body as well")
	s.format = program.Output(c, "header", "json", "curl", "openssl")
	c.RunE = func(*cobra.Command, []string) error { return s.run(a) }
	return c
}

func (s *signing) run(a *app) error {
	if err := s.onStdin(); err != nil {
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
	signed, err := signature.Sign(r, o, key, s.rules())
	if err != nil {
		return s.requestError(err)
	}
	a.tell(s.found)
	a.tell(signed.Findings())
	if s.payload == "" && s.rules() == signature.ProfileGateway {
		a.warnOfBody(r.Body())
	}
	switch s.format.V {
	case "json":
		a.out.b = append(a.out.b, program.JSON(signedRecord{signed.BaseString(), signed.Signature(), signed.Authorization(), string(signed.Body())})...)
	case "curl":
		if a.out.b, err = appendCurl(a.out.b, r, signed); err != nil {
			return err
		}
	case "openssl":
		recipe, err := s.openssl(signed)
		if err != nil {
			return err
		}
		a.out.b = append(a.out.b, recipe...)
	default:
		a.out.b = append(append(a.out.b, "Authorization: "+signed.Authorization()...), '\n')
	}
	a.out.endLine()
	return nil
}

// A signedRecord is a signed request in JSON.
type signedRecord struct {
	BaseString    string `json:"base_string"`
	Signature     string `json:"signature"`
	Authorization string `json:"authorization"`
	Body          string `json:"body"`
}

// argumentBytes is the longest argument of a command that is written: Linux allows 128 KiB.
const argumentBytes = 100_000

// shellQuote makes a text one word of a POSIX shell.
func shellQuote(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }

// curlURL returns the URL for curl, with the flags that keep curl from changing what was signed. A user name and a
// password are never signed and are left out.
func curlURL(raw string) (string, error) {
	scheme, rest, _ := strings.Cut(raw, "://")
	end := strings.IndexAny(rest, "/?#")
	if end < 0 {
		end = len(rest)
	}
	rest = rest[strings.LastIndexByte(rest[:end], '@')+1:]
	if strings.ContainsFunc(rest, func(c rune) bool { return c >= 0x80 }) {
		return "", usage("curl changes the characters of the URL that are not ASCII", "write them percent-encoded")
	}
	flags := ""
	if strings.ContainsAny(rest, "[]{}") {
		flags += " --globoff"
	}
	if strings.Contains(rest, "/.") {
		flags += " --path-as-is"
	}
	return flags + " --url " + shellQuote(scheme+"://"+rest), nil
}

// appendCurl writes the curl command that sends the request.
func appendCurl(dst []byte, r signature.Request, s signature.Signed) ([]byte, error) {
	method, media := r.Method(), r.ContentType()
	if method == "" {
		method = "POST"
	}
	if media == "" {
		media = "application/x-www-form-urlencoded"
	}
	url, err := curlURL(r.URL())
	if err != nil {
		return dst, err
	}
	command := "curl --request " + shellQuote(method) + " \\\n " + url +
		" \\\n  --header " + shellQuote("Content-Type: "+media) +
		" \\\n  --header " + shellQuote("Authorization: "+s.Authorization())
	body := string(s.Body())
	switch {
	case body == "":
		return append(append(dst, command...), '\n'), nil
	case strings.Contains(body, "\x00"):
		return dst, usage("a shell command cannot hold the NUL byte of the body", "send the body from a file")
	case len(body) > argumentBytes:
		// printf is the shell's own, so that no limit of arguments holds.
		return append(dst, "printf %s "+shellQuote(body)+" | "+command+" \\\n  --data-binary @-\n"...), nil
	}
	// --data-raw takes a first @ as it is.
	return append(dst, command+" \\\n  --data-raw "+shellQuote(body)+"\n"...), nil
}

// encodeSecret percent-encodes stdin with tools that every system has.
const encodeSecret = `od -An -v -tx1 | tr -s ' ' '\n' | LC_ALL=C awk 'BEGIN{for(i=33;i<127;i++)c[sprintf("%02x",i)]=sprintf("%c",i)} NF{s=c[$1];printf "%s",(s~/^[A-Za-z0-9._~-]$/)?s:"%" toupper($1)}'`

// openssl writes the command that makes the signature with openssl.
func (s *signing) openssl(signed signature.Signed) (string, error) {
	digest := "openssl dgst -sha256 -sign " + shellQuote(s.key) + " -binary"
	if s.key == "" {
		secret, err := s.secretCommand(s.secretFile, s.secretEnv)
		if err != nil {
			return "", err
		}
		token := ""
		if s.tokenFile != "" || s.tokenEnv != "" {
			if token, err = s.secretCommand(s.tokenFile, s.tokenEnv); err != nil {
				return "", err
			}
		}
		digest = `openssl dgst -sha1 -hmac "` + secret + "&" + token + `" -binary`
	} else if s.key == "-" {
		return "", usage("-o openssl cannot name a key that came on stdin", "give the key as a file")
	} else if strings.HasPrefix(s.key, "-") {
		digest = "openssl dgst -sha256 -sign " + shellQuote("./"+s.key) + " -binary"
	}
	command := digest + " | openssl base64 -A"
	return "printf %s " + shellQuote(signed.BaseString()) + " | " + command + "\n", nil
}

// secretCommand returns the shell text that reads a secret and encodes it, without showing it.
func (s *signing) secretCommand(file, variable string) (string, error) {
	switch {
	case file == "-":
		return "", usage("-o openssl cannot name a secret that came on stdin", "give the secret as a file or in a variable")
	case variable != "" && !isShellName(variable):
		return "", usage("-o openssl cannot name the variable: a shell takes letters, digits and underscores", "use a variable of such a name")
	case variable != "":
		return `$(printf %s "$` + variable + `" | ` + encodeSecret + ")", nil
	}
	// One final line end is not part of the secret. It is taken away once it is encoded: the shell would take them all.
	return `$(<` + shellQuote(file) + " " + encodeSecret + ` | sed -e 's/%0D%0A$//' -e t -e 's/%0A$//')`, nil
}

// isShellName reports whether a shell accepts a name for a variable.
func isShellName(name string) bool {
	for i := range len(name) {
		c := name[i] | 0x20
		if c >= 'a' && c <= 'z' || name[i] == '_' || i > 0 && name[i] >= '0' && name[i] <= '9' {
			continue
		}
		return false
	}
	return name != ""
}
