package main

import (
	"bytes"
	"errors"
	"io"
	"math"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/chargecast/chargecast/internal/jsontext"
	"github.com/chargecast/chargecast/signature"
)

// maxRequestBytes is how much of a body or of a captured request is read by default.
const maxRequestBytes = 64 << 20

// A requestFlags is the flags by which sign, verify, diagnose and trace are told of a
// request and of the key.
type requestFlags struct {
	url, payload, form, request string
	params                      []string
	maxBytes                    countFlag
	profile                     *choice
	keyFlags

	authorization string
	headerGiven   bool // that --authorization is given, if only empty
	captured      signature.Captured
}

// A keyFlags is the flags that name a key. None takes a secret's value.
type keyFlags struct {
	method                *choice
	key                   string
	secretFile, secretEnv string
	tokenFile, tokenEnv   string
}

func (f *requestFlags) register(c *cobra.Command) {
	flags := c.Flags()
	flags.StringVar(&f.url, "url", "", "the full `URL` of the request; wins over that of --request")
	flags.StringVar(&f.payload, "payload", "", "CSV `FILE`: its base64 is the parameter payload")
	flags.StringVar(&f.form, "form", "", "`FILE` with the body as it is sent")
	flags.StringArrayVar(&f.params, "param", nil, "one body parameter `NAME=VALUE`, not encoded; may be repeated")
	flags.StringVar(&f.request, "request", "", "`FILE` with a captured HTTP request")
	f.maxBytes = maxRequestBytes
	flags.Var(&f.maxBytes, "max-bytes", "how much of a body or request is read")
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

// secretFlagError tells those who look for a flag that takes a secret where secrets come from (h189). A guess at the
// flag they meant could put the secret into another one.
func secretFlagError(c *cobra.Command, err error) error {
	if unknown, ok := errors.AsType[*pflag.NotExistError](err); ok {
		for _, word := range [...]string{"secret", "passw", "control", "private"} {
			if strings.Contains(unknown.GetSpecifiedName(), word) {
				return usage("there is no such flag: none takes a secret itself", "use --secret-file, --secret-env or --key, which name where it is")
			}
		}
	}
	return flagError(c, err)
}

// registerHeader adds the flag that gives a signed request's header.
func (f *requestFlags) registerHeader(c *cobra.Command) {
	c.Flags().StringVar(&f.authorization, "authorization", "", "the Authorization `HEADER`; wins over that of --request")
	c.PreRun = func(c *cobra.Command, _ []string) { f.headerGiven = c.Flags().Changed("authorization") }
}

func (f *requestFlags) rules() signature.Profile {
	if f.profile.value == "rfc5849" {
		return signature.RFC5849()
	}
	return signature.Gateway()
}

// read makes the request of the flags.
func (f *requestFlags) read(a *app) (signature.Request, error) {
	bodies := 0
	for _, given := range [...]bool{f.payload != "", f.form != "", len(f.params) > 0, f.request != ""} {
		if given {
			bodies++
		}
	}
	if bodies > 1 {
		return signature.Request{}, usage("more than one source of the body is given", "use one of --payload, --form, --param and --request")
	}
	r, err := f.readBody(a)
	if err != nil {
		return r, err
	}
	if f.url != "" {
		r.URL = f.url
	}
	if r.URL == "" {
		return r, usage("the URL of the request is not given", "give it with --url, or a captured request with --request")
	}
	return r, nil
}

func (f *requestFlags) readBody(a *app) (signature.Request, error) {
	var r signature.Request
	switch {
	case f.payload != "":
		csv, err := a.readAll(f.payload, int(f.maxBytes), limitBytes, raiseLimit)
		r.Params = []signature.Param{signature.Payload(csv)}
		return r, err
	case f.form != "":
		body, err := a.readAll(f.form, int(f.maxBytes), limitBytes, raiseLimit)
		r.Body, r.ContentType = append([]byte{}, body...), signature.FormType
		a.warnOfLineEnd(body, "")
		return r, err
	case f.request != "":
		raw, err := a.readAll(f.request, int(f.maxBytes), limitBytes, raiseLimit)
		if err != nil {
			return r, err
		}
		if f.captured, err = signature.ParseRequest(raw); err != nil && (f.url == "" || !f.withoutHost(raw)) {
			return r, signatureError(err)
		}
		a.warnOfLineEnd(f.captured.Request.Body, "; where an editor added it, take it out, or keep the line Content-Length, which tells where the body ends")
		return f.captured.Request, nil
	}
	for _, text := range f.params {
		name, value, ok := strings.Cut(text, "=")
		if !ok || name == "" {
			return r, usage("--param is written NAME=VALUE", "the name ends at the first equals sign")
		}
		r.Params = append(r.Params, signature.Param{Name: name, Value: value})
	}
	return r, nil
}

// warnOfLineEnd tells of a line end behind the body: a form has none, and no signature that was made without it fits.
func (a *app) warnOfLineEnd(body []byte, remedy string) {
	if bytes.HasSuffix(body, []byte("\n")) {
		a.log.line("chargecast: warning: the body ends in a line break, which counts as part of its last value" + remedy)
	}
}

// withoutHost reads a captured request whose URL another flag gives.
func (f *requestFlags) withoutHost(raw []byte) bool {
	line, rest, ok := bytes.Cut(raw, []byte("\n"))
	if !ok {
		return false
	}
	var err error
	f.captured, err = signature.ParseRequest(append(append(append([]byte{}, line...), "\nHost: unknown\n"...), rest...))
	return err == nil
}

// header is the Authorization header that is judged.
func (f *requestFlags) header() (string, error) {
	header := f.authorization
	if f.headerGiven {
		return bareHeader(header), nil
	}
	header = f.captured.Authorization
	if header == "" {
		return "", usage("there is no Authorization header", "give it with --authorization, or a captured request that has one")
	}
	return bareHeader(header), nil
}

// bareHeader takes the header's name off its value.
func bareHeader(header string) string {
	const name = "authorization:"
	if len(header) > len(name) && strings.EqualFold(header[:len(name)], name) {
		header = strings.TrimLeft(header[len(name):], " \t")
	}
	return header
}

// The code and the remedy for a body or a request that is too long.
const (
	limitBytes = "limit-bytes"
	raiseLimit = "--max-bytes raises the limit"
)

// readAll reads a file whole, up to a limit; code and remedy are for a longer one.
func (a *app) readAll(path string, limit int, code, remedy string) ([]byte, error) {
	in, err := a.open(path)
	if err != nil {
		return nil, err
	}
	defer in.close()
	data, err := io.ReadAll(io.LimitReader(in, int64(min(limit, math.MaxInt-1))+1))
	if failed := in.failed(); failed != nil {
		return nil, failed
	}
	if err != nil {
		return nil, unreadable(in.name+": cannot be read", "")
	}
	if len(data) > limit {
		return nil, unreadable(in.name+": has more than "+strconv.Itoa(limit)+" bytes ("+code+")", remedy)
	}
	return data, nil
}

// signatureError gives an error of package signature the exit code of its place.
func signatureError(err error) error {
	e, ok := err.(*signature.Error) //nolint:errorlint // the package's errors are never wrapped
	if !ok {
		return internal("the request cannot be signed", "")
	}
	text := e.Error()
	switch e.Part {
	case signature.PartKey, signature.PartBody, signature.PartRequest:
		return unreadable(text, "")
	}
	return usage(text, "")
}

// secret reads the HMAC secret. Nil means that none is named.
func (f *keyFlags) secret(a *app) (*signature.Secret, error) {
	if f.secretFile == "" && f.secretEnv == "" {
		return nil, nil
	}
	consumer, err := a.secretText("secret", f.secretFile, f.secretEnv)
	if err != nil {
		return nil, err
	}
	if consumer == "" {
		if f.secretEnv != "" {
			return nil, usage("the variable that --secret-env names is set, but empty", "set it to the merchant control key")
		}
		return nil, usage("the file that --secret-file names holds no secret: it is empty", "write the merchant control key into it")
	}
	token := ""
	if f.tokenFile != "" || f.tokenEnv != "" {
		if token, err = a.secretText("token-secret", f.tokenFile, f.tokenEnv); err != nil {
			return nil, err
		}
	}
	s, err := signature.NewSecret(consumer, token)
	if err != nil {
		return nil, signatureError(err)
	}
	return s, nil
}

// secretText reads a secret from a file or a variable. One line end of a file is the
// editor's, not the secret's.
func (a *app) secretText(flag, file, variable string) (string, error) {
	switch {
	case file != "" && variable != "":
		return "", usage("--"+flag+"-file and --"+flag+"-env are both given", "use one of the two")
	case variable != "":
		value := a.getenv(variable)
		if _, set := os.LookupEnv(variable); value == "" && !set {
			return "", usage("the variable that --"+flag+"-env names is not set", "export it, or use --"+flag+"-file")
		}
		return value, nil
	}
	data, err := a.readAll(file, signature.MaxKeyBytes, limitBytes, "give a file with the secret alone")
	if err != nil {
		return "", err
	}
	text := string(data)
	if cut, ok := strings.CutSuffix(text, "\n"); ok {
		text = strings.TrimSuffix(cut, "\r")
		a.log.line("chargecast: warning: the file of --" + flag + "-file ends in a line end, which is not part of the secret (secret-line-end)")
	}
	return text, nil
}

// one refuses a key and a secret at once, none at all, and a method that is not the key's.
func (f *keyFlags) one(secret *signature.Secret) (signature.Method, error) {
	var method signature.Method
	switch {
	case f.key != "" && secret != nil:
		return method, usage("an RSA key and a secret are both given", "use --key for RSA-SHA256, or --secret-file or --secret-env for HMAC-SHA1")
	case f.key != "":
		method = signature.RSASHA256
	case secret != nil:
		method = signature.HMACSHA1
	default:
		return method, usage("no key is given", "use --key for RSA-SHA256, or --secret-file or --secret-env for HMAC-SHA1")
	}
	if f.method.value != "" && f.method.value != method.String() {
		return method, usage("--method is not the method of the key that is given", "use --key for RSA-SHA256, or --secret-file or --secret-env for HMAC-SHA1")
	}
	return method, nil
}

// material is the secret or, where there is none, the text of the key file.
func (f *keyFlags) material(a *app) (*signature.Secret, []byte, error) {
	secret, err := f.secret(a)
	if err != nil {
		return nil, nil, err
	}
	method, err := f.one(secret)
	if err != nil || method == signature.HMACSHA1 {
		return secret, nil, err
	}
	file, err := a.readAll(f.key, signature.MaxKeyBytes, string(signature.LimitKey), "give a file with one key")
	return nil, file, err
}

// signingKey loads the private key or the secret.
func (f *keyFlags) signingKey(a *app) (signature.SigningKey, error) {
	secret, file, err := f.material(a)
	switch {
	case err != nil:
		return nil, err
	case secret != nil:
		return secret, nil
	}
	key, found, err := signature.LoadPrivateKey(file, signature.KeyRules{})
	if err != nil {
		return nil, signatureError(err)
	}
	a.tell(found)
	f.warnOfPermissions(a)
	return key, nil
}

// verifyingKey loads the public key or the secret.
func (f *keyFlags) verifyingKey(a *app) (signature.VerifyingKey, error) {
	secret, file, err := f.material(a)
	switch {
	case err != nil:
		return nil, err
	case secret != nil:
		return secret, nil
	}
	key, found, err := signature.LoadPublicKey(file, signature.KeyRules{})
	if err != nil {
		return nil, signatureError(err)
	}
	a.tell(found)
	return key, nil
}

// warnOfPermissions speaks of a private key that everybody may read.
func (f *keyFlags) warnOfPermissions(a *app) {
	if info, err := os.Stat(f.key); err == nil && info.Mode().IsRegular() && info.Mode().Perm()&0o004 != 0 {
		a.log.line("chargecast: warning: everybody on this machine may read the private key; take that right away with chmod 600 (key-permissions)")
	}
}

// tell writes findings as messages.
func (a *app) tell(found []signature.Finding) {
	for _, f := range found {
		a.log.line("chargecast: " + f.String())
	}
}

// appendFindings appends findings as a JSON array.
func appendFindings(dst []byte, found []signature.Finding) []byte {
	dst = append(dst, '[')
	for i, f := range found {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = jsontext.AppendString(append(dst, `{"code":`...), string(f.Code))
		dst = jsontext.AppendString(append(dst, `,"severity":`...), f.Severity.String())
		dst = jsontext.AppendString(append(dst, `,"clause":`...), f.Clause)
		dst = jsontext.AppendString(append(dst, `,"text":`...), f.Text)
		dst = jsontext.AppendString(append(dst, `,"fix":`...), f.Fix)
		dst = append(dst, '}')
	}
	return append(dst, ']')
}

// appendFindingLines appends findings for people, one a line.
func appendFindingLines(dst []byte, found []signature.Finding) []byte {
	for _, f := range found {
		dst = append(append(dst, f.String()...), '\n')
	}
	return dst
}

// hasFault tells whether a finding is of severity error.
func hasFault(found []signature.Finding) bool {
	for _, f := range found {
		if f.Severity == signature.Fault {
			return true
		}
	}
	return false
}
