package main

import (
	"bytes"
	"errors"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/rules"
	"github.com/chargecast/chargecast/signature"
)

// maxRequestBytes is the longest body or captured request that is read by default.
const maxRequestBytes = 64 << 20

// requestFlags are the flags of sign, verify, diagnose, trace and check for a request and a key.
type requestFlags struct {
	url, payload, form, request string
	params                      []string
	maxBytes                    countFlag
	profile                     *choice
	keyFlags

	authorization string
	headerGiven   bool            // --authorization was given, if only empty
	signs         bool            // the request is to be signed
	found         ledger.Findings // about the capture
}

func (f *requestFlags) register(c *cobra.Command) {
	flags := c.Flags()
	flags.StringVar(&f.url, "url", "", "the full `URL` of the request; overrides that of --request")
	flags.StringVar(&f.payload, "payload", "", "CSV `FILE`: its base64 is the parameter payload")
	flags.StringVar(&f.form, "form", "", "`FILE` with the body as it is sent")
	flags.StringArrayVar(&f.params, "param", nil, "one body parameter `NAME=VALUE`, not encoded; may be repeated")
	flags.StringVar(&f.request, "request", "", "`FILE` with a captured request: HTTP, curl -v, curl --trace-ascii or HAR")
	f.maxBytes = maxRequestBytes
	flags.Var(&f.maxBytes, "max-bytes", "read at most `N` bytes of a body or request")
	f.profile = oneOf("gateway", "rfc5849")
	flags.Var(f.profile, "profile", "the reading of the signing rules")
	f.method = &choice{of: []string{"RSA-SHA256", "HMAC-SHA1"}}
	flags.Var(f.method, "method", "signature method; by default that of the key")
	flags.StringVar(&f.key, "key", "", "PEM `FILE` with the RSA key")
	flags.StringVar(&f.secretFile, "secret-file", "", "`FILE` with the consumer secret")
	flags.StringVar(&f.secretEnv, "secret-env", "", "`NAME` of the environment variable that holds the consumer secret")
	flags.StringVar(&f.tokenFile, "token-secret-file", "", "`FILE` with the token secret, which this service leaves empty")
	c.SetFlagErrorFunc(secretFlagError)
	flags.StringVar(&f.tokenEnv, "token-secret-env", "", "`NAME` of the environment variable that holds the token secret")
}

// secretFlagError says where secrets come from if the flag that does not exist sounds like one for a secret. A guess at
// the flag that was meant could put the secret into another one.
func secretFlagError(c *cobra.Command, err error) error {
	if unknown, ok := errors.AsType[*pflag.NotExistError](err); ok {
		for _, word := range [...]string{"secret", "passw", "control", "private"} {
			if strings.Contains(unknown.GetSpecifiedName(), word) {
				return usage("unknown flag: no flag takes a secret itself", "use --secret-file, --secret-env or --key, which name where it is")
			}
		}
	}
	return flagError(c, err)
}

// registerHeader adds the flag that gives a signed request's header.
func (f *requestFlags) registerHeader(c *cobra.Command) {
	c.Flags().StringVar(&f.authorization, "authorization", "", "the Authorization `HEADER`; overrides that of --request")
	c.PreRun = func(c *cobra.Command, _ []string) { f.headerGiven = c.Flags().Changed("authorization") }
}

func (f *requestFlags) rules() signature.Profile {
	if f.profile.value == "rfc5849" {
		return signature.ProfileRFC5849
	}
	return signature.ProfileGateway
}

// onStdin refuses flags of which two would read stdin, whatever they call it.
func (f *requestFlags) onStdin(more ...string) error {
	return oneStdin(append(more, f.payload, f.form, f.request, f.key, f.secretFile, f.tokenFile)...)
}

// read returns the request of the flags, with its Authorization header if there is one.
func (f *requestFlags) read(a *app) (signature.Request, error) {
	bodies := 0
	for _, given := range [...]bool{f.payload != "", f.form != "", len(f.params) > 0} {
		if given {
			bodies++
		}
	}
	if bodies > 1 {
		return signature.Request{}, usage("more than one source of the body is given", "use one of --payload, --form and --param")
	}
	r := signature.NewRequest("", f.url)
	if f.request != "" {
		var err error
		if r, err = f.readCaptured(a); err != nil {
			return r, err
		}
		if bodies > 0 && len(r.Body()) > 0 {
			return r, usage("the captured request has a body, and another source of it is given", "use one of --payload, --form, --param and --request")
		}
	}
	if r.URL() == "" {
		return r, usage("the URL of the request is not given", "give it with --url, or a captured request with --request")
	}
	if bodies > 0 {
		return f.readBody(a, r)
	}
	if f.request == "" {
		r = r.WithParams()
	}
	return r, nil
}

func (f *requestFlags) readCaptured(a *app) (signature.Request, error) {
	raw, err := a.readAll(f.request, int(f.maxBytes), limitBytes, raiseLimit)
	if err != nil {
		return signature.Request{}, err
	}
	r, found, err := signature.ParseRequest(raw)
	if err != nil && f.url != "" {
		r, found, err = withoutHost(raw, err)
	}
	if err != nil {
		return r, captureError(nameOf(f.request), err)
	}
	if f.url != "" {
		r = r.WithURL(f.url)
	}
	f.found = found
	if f.bodyElsewhere() {
		f.found = slices.DeleteFunc(found, func(f ledger.Finding) bool { return f.Code == signature.BodyMissing })
	}
	a.warnOfLineEnd(r.Body(), "; if an editor added it, remove it, or keep the line Content-Length, which says where the body ends")
	return r, nil
}

// bodyElsewhere reports whether another flag than --request gives the body.
func (f *requestFlags) bodyElsewhere() bool {
	return f.payload != "" || f.form != "" || len(f.params) > 0
}

// readBody adds the body of --payload, --form or --param.
func (f *requestFlags) readBody(a *app, r signature.Request) (signature.Request, error) {
	switch {
	case f.payload != "":
		in, err := a.openText(f.payload)
		if err != nil {
			return r, err
		}
		defer in.close()
		csv, err := in.readAll(int(f.maxBytes), limitBytes, raiseLimit)
		if err == nil && f.signs {
			a.warnOfPayload(f.payload, csv)
		}
		return r.WithParams(signature.Payload(csv)), err
	case f.form != "":
		body, err := a.readAll(f.form, int(f.maxBytes), limitBytes, raiseLimit)
		a.warnOfLineEnd(body, "")
		return r.WithBody("application/x-www-form-urlencoded", string(body)), err
	}
	var params []signature.Param
	for _, text := range f.params {
		name, value, ok := strings.Cut(text, "=")
		if !ok || name == "" {
			return r, usage("--param is not NAME=VALUE", "the name ends at the first equals sign")
		}
		params = append(params, signature.NewParam(name, value))
	}
	return r.WithParams(params...), nil
}

// warnOfPayload warns if the file of --payload is not a payload that the gateway would accept. It is signed as it is.
func (a *app) warnOfPayload(path string, csv []byte) {
	if p, ok := a.firstError(csv, rules.InputCSV); ok {
		a.log.line("chargecast: warning: the payload has errors, such as " + string(p.Code) + "; it is signed as it is; see: chargecast validate " + visible(path))
	}
}

// warnOfBody warns if check would refuse the body for its payload. Its signature is right all the same. A body without
// the parameter payload may be that of another operation.
func (a *app) warnOfBody(body []byte) {
	if p, ok := a.firstError(body, rules.InputForm); ok && p.Code != rules.PayloadMissing {
		p.Place.File = "payload"
		a.log.line("chargecast: warning: the body is signed as it is, but chargecast check refuses it: " + findingText(inCommand(p)))
	}
}

// firstError returns the first error of a payload.
func (a *app) firstError(payload []byte, form rules.Input) (ledger.Finding, bool) {
	o := rules.Options{AsOf: calendar.Of(a.now().UTC()), Input: form, MaxOrderIDs: 1}
	for _, problems := range rules.NewReader(bytes.NewReader(payload), o).Rows() {
		for _, p := range problems {
			if p.Severity == ledger.SeverityError {
				return p, true
			}
		}
	}
	return ledger.Finding{}, false
}

// warnOfLineEnd warns of a line end after the body: a form has none, and no signature that was made without it fits.
func (a *app) warnOfLineEnd(body []byte, remedy string) {
	if bytes.HasSuffix(body, []byte("\n")) {
		a.log.line("chargecast: warning: the body ends in a line break, which counts as part of its last value" + remedy)
	}
}

// withoutHost reads a captured request whose URL another flag gives, if it only lacks the Host header.
func withoutHost(raw []byte, failed error) (signature.Request, ledger.Findings, error) {
	line, rest, ok := bytes.Cut(raw, []byte("\n"))
	if !ok {
		return signature.Request{}, nil, failed
	}
	r, found, err := signature.ParseRequest(slices.Concat(line, []byte("\nHost: unknown\n"), rest))
	if err != nil {
		return r, nil, failed
	}
	return r, found, nil
}

// judged reads the request with the Authorization header that is judged. A captured request without one
// is judged too: that it lacks it is what is wrong.
func (f *requestFlags) judged(a *app) (signature.Request, error) {
	r, err := f.read(a)
	if err != nil {
		return r, err
	}
	signed, none := f.signed(r)
	if none != nil && f.request != "" {
		return r, nil
	}
	return signed, none
}

// signed is the request with the Authorization header of the flags or of the capture.
func (f *requestFlags) signed(r signature.Request) (signature.Request, error) {
	switch {
	case f.headerGiven:
		return r.WithAuthorization(unfolded(bareHeader(f.authorization))), nil
	case r.Authorization() == "":
		return r, usage("the request has no Authorization header", "give it with --authorization, or a captured request that has one")
	}
	return r, nil
}

// bareHeader removes the name of a header from its value.
func bareHeader(header string) string {
	const name = "authorization:"
	if len(header) > len(name) && strings.EqualFold(header[:len(name)], name) {
		header = strings.TrimLeft(header[len(name):], " \t")
	}
	return header
}

// unfolded makes the first fold of a header a bare line break. In a captured request a folded line is one line;
// in a flag a line break is a fault of the header, whatever follows it.
func unfolded(header string) string {
	i := strings.IndexAny(header, "\r\n")
	if i < 0 {
		return header
	}
	return header[:i] + "\n" + strings.TrimLeft(header[i:], " \t\r\n")
}
