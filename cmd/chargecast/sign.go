package main

import (
	"crypto/rand"

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
