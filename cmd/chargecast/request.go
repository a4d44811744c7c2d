package main

import (
	"bytes"
	"errors"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/internal/capture"
	"github.com/chargecast/chargecast/internal/program"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/rules"
	"github.com/chargecast/chargecast/signature"
)

// maxRequestBytes is the longest body or captured request that is read by default.
const maxRequestBytes = 64 << 20

// requestFlags are the flags of sign and check for a request and a key.
type requestFlags struct {
	url, payload, form string
	params             []string
	keyFlags

	capture       string // FILE of check; empty where the request is given by its parts
	piped         bool   // FILE is what stdin happens to be
	capturedURL   string
	entry         program.Flag[int64]
	authorization string
	given         func(name string) bool // whether a flag was given, if only empty
	signs         bool                   // the request is to be signed
	found         ledger.Findings        // about the capture
}

func (f *requestFlags) register(c *cobra.Command) {
	flags := c.Flags()
	flags.StringVar(&f.url, "url", "", "full `URL` of the request")
	flags.StringVar(&f.payload, "payload", "", "CSV `FILE`, sent in base64 as payload")
	flags.StringVar(&f.form, "form", "", "`FILE` with the body as it is sent")
	flags.StringArrayVar(&f.params, "param", nil, "`NAME=VALUE` of the body, not encoded; may be repeated")
	f.method = program.Among("RSA-SHA256", "HMAC-SHA1")
	flags.Var(f.method, "method", "`METHOD`: RSA-SHA256 or HMAC-SHA1 (default: the key's)")
	flags.StringVar(&f.key, "key", "", "PEM `FILE` with the RSA key")
	flags.StringVar(&f.secretFile, "secret-file", "", "`FILE` with the consumer secret")
	flags.StringVar(&f.secretEnv, "secret-env", "", "`NAME` of the variable with the consumer secret")
	flags.BoolVar(&f.secretAsIs, "secret-as-is", false, "use the secret as it is, but for a final line end")
	f.given = flags.Changed
}

// onStdin refuses flags of which two would read stdin, whatever they call it.
func (f *requestFlags) onStdin(more ...string) error {
	return oneStdin(append(more, f.payload, f.form, f.key, f.secretFile)...)
}

// read returns the request of FILE and flags, with its Authorization header if there is one.
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
	if f.entry.V > 0 && f.capture == "" {
		return signature.Request{}, usage("--entry is given without FILE", "give the HAR file that it chooses from")
	}
	r := signature.NewRequest("", f.url)
	if f.capture != "" {
		var err error
		if r, err = f.readCaptured(a); err != nil {
			return r, err
		}
		if bodies > 0 && len(r.Body()) > 0 {
			return r, usage("the captured request has a body, and another source of it is given", "leave out --payload, --form and --param")
		}
	}
	if r.URL() == "" {
		help := "give it with --url"
		if !f.signs {
			help += ", or a captured request as FILE"
		}
		return r, usage("the URL of the request is not given", help)
	}
	var err error
	switch {
	case bodies > 0:
		r, err = f.readBody(a, r)
	case f.capture == "":
		r = r.WithParams()
	}
	if err == nil && f.given("authorization") {
		r = r.WithAuthorization(unfolded(bareHeader(f.authorization)))
	}
	return r, err
}

func (f *requestFlags) readCaptured(a *app) (signature.Request, error) {
	raw, err := a.readAll(f.capture, maxRequestBytes, limitBytes, tooLong)
	if err != nil {
		return signature.Request{}, err
	}
	if f.piped && f.url != "" && len(bytes.TrimSpace(raw)) == 0 { // nobody gave one
		f.capture = ""
		return signature.NewRequest("", f.url), nil
	}
	captured, found, err := capture.Parse(raw, capture.Options{Entry: int(f.entry.V), AnyHost: f.url != "", AnyBody: f.bodyElsewhere()})
	if wrong, ok := errors.AsType[*capture.EntryError](err); ok {
		help := "choose the request that is meant with --entry N; the first is 1"
		if f.entry.V > 0 {
			help = wrong.Help
		}
		return signature.Request{}, usage("--entry: "+nameOf(f.capture)+": "+wrong.Message, help)
	}
	if err != nil {
		return signature.Request{}, captureError(nameOf(f.capture), err)
	}
	f.capturedURL = captured.URL
	r := signature.NewRequest(captured.Method, captured.URL).WithBody(captured.ContentType, string(captured.Body)).WithAuthorization(captured.Authorization)
	if f.url != "" {
		r = r.WithURL(f.url)
	}
	if f.found = found; f.bodyElsewhere() && len(captured.Body) == 0 {
		f.found = nil
	}
	a.warnOfLineEnd(captured.Body, "; if an editor added it, remove it, or keep the line Content-Length, which says where the body ends")
	return r, nil
}

// bodyElsewhere reports whether a flag gives the body.
func (f *requestFlags) bodyElsewhere() bool {
	return f.payload != "" || f.form != "" || len(f.params) > 0
}

// readBody adds the body of --payload, --form or --param.
func (f *requestFlags) readBody(a *app, r signature.Request) (signature.Request, error) {
	switch {
	case f.payload != "":
		in, err := a.open(f.payload)
		if err != nil {
			return r, err
		}
		defer in.close()
		csv, err := in.readAll(maxRequestBytes, limitBytes, tooLong)
		if err == nil && f.signs {
			err = a.refuseOrWarn(f.payload, csv)
		}
		return r.WithParams(signature.Payload(csv)), err
	case f.form != "":
		body, err := a.readAll(f.form, maxRequestBytes, limitBytes, tooLong)
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

// refuseOrWarn refuses a file of --payload that is nothing like a payload, and warns of one that
// the gateway would not accept, which is signed as it is.
func (a *app) refuseOrWarn(path string, csv []byte) error {
	p, ok := a.firstError(csv, rules.InputCSV)
	switch {
	case ok && p.Code == rules.NotAPayload:
		p.Place = ledger.Place{}
		return unreadable(nameOf(path)+": "+findingText(inCommand(p)), "")
	case ok:
		a.log.line("chargecast: warning: the payload has errors, such as " + string(p.Code) + "; it is signed as it is; see: chargecast validate " + visible(path))
	}
	return nil
}

// warnOfBody warns if check would refuse the body for its payload. Its signature is right all the
// same. A body without the parameter payload may be that of another operation.
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

// warnOfLineEnd warns of a line end after the body: a form has none, and no signature that was made
// without it fits.
func (a *app) warnOfLineEnd(body []byte, remedy string) {
	if bytes.HasSuffix(body, []byte("\n")) {
		a.log.line("chargecast: warning: the body ends in a line break, which counts as part of its last value" + remedy)
	}
}

// bareHeader removes the name of a header from its value.
func bareHeader(header string) string {
	const name = "authorization:"
	if len(header) > len(name) && strings.EqualFold(header[:len(name)], name) {
		header = strings.TrimLeft(header[len(name):], " \t")
	}
	return header
}

// unfolded makes the first fold of a header a bare line break. In a captured request a folded line
// is one line; in a flag a line break is a fault of the header, whatever follows it.
func unfolded(header string) string {
	i := strings.IndexAny(header, "\r\n")
	if i < 0 {
		return header
	}
	return header[:i] + "\n" + strings.TrimLeft(header[i:], " \t\r\n")
}

// captureError is why a file does not hold a captured request, with the file's name.
func captureError(name string, err error) error {
	f, ok := firstError(err)
	if !ok {
		return signatureError(err)
	}
	f = inCommand(f)
	if f.Place.File = name; f.Place.Line == 0 {
		return unreadable(name+": "+findingText(f), "")
	}
	return unreadable(findingText(f), "")
}

// firstError is the finding that made a library refuse something.
func firstError(err error) (ledger.Finding, bool) {
	if all, several := errors.AsType[ledger.Findings](err); several {
		return all[max(0, slices.IndexFunc(all, func(f ledger.Finding) bool { return f.Severity == ledger.SeverityError }))], true
	}
	return errors.AsType[ledger.Finding](err)
}

// signatureError gives an error of package signature the exit code of its place.
func signatureError(err error) error {
	f, ok := firstError(err)
	if !ok {
		return internal("the request cannot be signed", "")
	}
	switch f.Place.File {
	case "key", "body", "request":
		return unreadable(findingText(f), "")
	}
	return usage(findingText(f), "")
}

// requestError is signatureError for a request, whose URL may be a flag's value.
func (f *requestFlags) requestError(err error) error {
	wrong, ok := firstError(err)
	if !ok || wrong.Place.File != "URL" || f.url == "" {
		return signatureError(err)
	}
	const name = "--url"
	if wrong.Place.File = name; wrong.Place.Line == 0 {
		return usage(name+": "+findingText(wrong), "")
	}
	return usage(findingText(wrong), "")
}
