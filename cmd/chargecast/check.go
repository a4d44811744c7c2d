package main

import (
	"bytes"
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/chargecast/chargecast/internal/capture"
	"github.com/chargecast/chargecast/internal/program"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/rules"
	"github.com/chargecast/chargecast/signature"
	"github.com/chargecast/chargecast/signature/diagnose"
	"github.com/spf13/cobra"
)

// checking are the flags of check, and what it finds.
type checking struct {
	requestFlags
	only       *program.Flag[string]
	window     program.Flag[time.Duration]
	now        string
	timed      func(name string) bool // whether a flag was given, if only empty
	baseString string
	trace      bool

	today    today
	policy   *policyFlag
	currency string
	strict   bool
	quiet    bool
	severity severityFlag
	format   *program.Flag[string]
	colour   *program.Flag[string]
}

func newCheck(a *app) *cobra.Command {
	k := new(checking)
	c := &cobra.Command{
		Use:   "check [FILE]",
		Short: "Explains a 403: signature, its cause, freshness and payload of a request",
		Long: `check judges a request as the gateway would, and says what is wrong, what to change and, where the
key allows it, the header to send. A wrong signature is explained by the known mistakes that
reproduce it, alone or in pairs. For RSA the public key is enough; without a key the signature is
not judged.

FILE is a captured request: HTTP text, a curl command, the output of curl --trace-ascii, or a HAR
file. Or give its parts, as for sign, with --authorization.

The exit code is 0 if nothing that was judged has an error, else 1.`,
		Example: `  chargecast check captured.http --key public.pem
  chargecast check captured.har --entry 2 --secret-env CONTROL_KEY --window 5m
  chargecast check --url "$URL" --payload profiles.csv --authorization "$HEADER" --key public.pem`,
		Args: atMostOne,
	}
	k.requestFlags.register(c)
	flags := c.Flags()
	flags.StringVar(&k.authorization, "authorization", "", "the Authorization `HEADER`; overrides that of FILE")
	k.entry = program.Count()
	flags.Var(&k.entry, "entry", "which request of a HAR file or a trace; by default the one that is signed")
	k.only = program.Among("signature", "payload")
	flags.Var(k.only, "only", "judge this alone")
	k.window = program.Duration(0)
	flags.Var(&k.window, "window", "largest distance of the timestamp from now, such as 5m; not judged by default")
	flags.StringVar(&k.now, "now", "", "for --window, the time in `SECONDS` since 1970; by default the clock's")
	flags.BoolVar(&k.trace, "trace", false, "show every stage of the signature, of both sides")
	flags.StringVar(&k.baseString, "base-string", "", "`FILE` with the base string that was signed, to compare with the right one")
	k.today.register(c)
	flags.StringVar(&k.currency, "currency", "", "the project's currency `CODE`; without it currencies are not compared")
	flags.BoolVar(&k.strict, "strict", false, "turn warnings about the payload into errors")
	flags.Var(&k.severity, "severity", "another severity for a code of the payload: error, warning or off; may be repeated")
	flags.BoolVar(&k.quiet, "quiet", false, "leave warnings out of the text")
	k.policy = policyVar(c)
	k.format = program.Output(c, "text", "json")
	k.colour = colourFlag(c)
	k.timed = flags.Changed
	c.RunE = func(_ *cobra.Command, args []string) error {
		if len(args) > 0 {
			k.capture = args[0]
		}
		return k.run(a)
	}
	return c
}

// The words for the signature of a request, beside those of a verdict.
const (
	signatureAbsent    = "absent"
	signatureNotJudged = "not-judged"
)

// A checked is what check knows of a request.
type checkedRequest struct {
	ok        bool
	signature string
	fresh     string
	now       *int64 // the machine's clock, where it was used
	diagnosis diagnose.Diagnosis
	diagnosed bool
	found     ledger.Findings // about the request; those of the payload are read as they are written
	payload   *rules.Summary  // nil where it is not judged
	different *difference
	stages    *tracedStages
	header    string // what to send; empty if it is not known
	cut       bool   // the capture does not have the whole body
}

func (k *checking) run(a *app) error {
	if err := k.onStdin(k.capture, k.baseString); err != nil {
		return err
	}
	asOf, err := k.today.day(a)
	if err != nil {
		return err
	}
	r, err := k.read(a)
	if err != nil {
		return err
	}
	c := checkedRequest{signature: signatureNotJudged, fresh: signatureNotJudged, found: k.found}
	c.cut = k.found.Has(capture.ContentLength) || k.capture != "" && len(r.Body()) == 0
	if k.only.V != "payload" && k.hasKey() {
		if err := k.judgeSignature(a, r, &c); err != nil {
			return err
		}
	}
	if err := k.compare(a, r, &c); err != nil {
		return err
	}
	o := rules.Options{AsOf: asOf, Policy: k.policy.policy, Currency: k.currency, Input: rules.InputForm, Severity: k.severity, Strict: k.strict}
	judge := func() *payloadFindings {
		return &payloadFindings{reader: rules.NewReader(bytes.NewReader(r.Body()), o), about: c.found, noBody: len(r.Body()) == 0}
	}
	if k.only.V != "signature" {
		if len(r.Body()) == 0 { // one fault: the payload says it
			c.found = slices.DeleteFunc(c.found, func(f ledger.Finding) bool { return f.Code == signature.BodyMissing || f.Code == capture.ContentLength })
		}
		c.payload = judge().sum()
	}
	c.ok = c.found.Count(ledger.SeverityError) == 0 && (c.payload == nil || c.payload.Errors == 0 && !c.payload.Unreadable)
	a.fit(k.format.V)
	if k.format.V == "json" {
		err = k.writeJSON(a, &c, judge)
	} else {
		err = k.writeText(a, &c, judge)
	}
	if err == nil && !c.ok {
		err = errFindings
	}
	return err
}

// judgeSignature verifies the request and, if its signature is wrong, looks for the cause.
func (k *checking) judgeSignature(a *app, r signature.Request, c *checkedRequest) error {
	o, err := k.options(a, c)
	if err != nil {
		return err
	}
	key, signer, err := k.checkingKey(a)
	if err != nil {
		return err
	}
	others := []string{}
	if k.capturedURL != "" && k.capturedURL != r.URL() {
		others = append(others, k.capturedURL)
	}
	d, refused := diagnose.Request(context.Background(), r, key, diagnose.Options{Verify: o, OtherURLs: others})
	if d.Signature == 0 {
		if err := k.notJudged(d.Findings, refused); err != nil {
			return err
		}
	}
	c.diagnosis, c.diagnosed = d, true
	c.found = k.explained(together(k.found, d.Findings), &d, r)
	switch {
	case r.Authorization() == "":
		c.signature = signatureAbsent
	case d.Right:
		c.signature = signature.VerdictOK.String()
	case d.Signature == 0:
		c.signature = signature.VerdictUnreadable.String()
	default:
		c.signature = d.Signature.String()
	}
	if o.Window > 0 && (d.Signature == signature.VerdictOK || d.Signature == signature.VerdictMismatch) {
		if c.fresh = "ok"; d.Stale {
			c.fresh = "stale"
		}
	}
	if !c.cut && (c.signature == signature.VerdictMismatch.String() || c.signature == signature.VerdictUnreadable.String()) {
		c.header = k.corrected(r, signer, &d)
	}
	return nil
}

// options are what the request is verified by. The machine's clock is used only where it decides, and is shown.
func (k *checking) options(a *app, c *checkedRequest) (signature.Options, error) {
	o := signature.Options{Profile: k.rules(), Now: a.now(), Window: k.window.V}
	if !k.timed("now") {
		if o.Window > 0 {
			c.now = new(o.Now.Unix())
		}
		return o, nil
	}
	seconds, err := strconv.ParseInt(k.now, 10, 64)
	if err != nil || seconds < 0 {
		return o, usage("--now must be the seconds since 1970, in digits", "such as --now 1767225600")
	}
	o.Now = time.Unix(seconds, 0)
	return o, nil
}

// together joins the findings about a capture to those about the request. A code of the first is not reported again.
func together(captured, found ledger.Findings) ledger.Findings {
	all := slices.Clone(captured)
	for _, f := range found {
		if !captured.Has(f.Code) {
			all = append(all, f)
		}
	}
	return all
}

// explained puts into the finding of a wrong signature what is known of its cause, and leaves out what only repeats it.
func (k *checking) explained(found ledger.Findings, d *diagnose.Diagnosis, r signature.Request) ledger.Findings {
	if len(r.Body()) == 0 && found.Has(signature.BodyMissing) {
		found = slices.DeleteFunc(found, func(f ledger.Finding) bool { return f.Code == capture.ContentLength })
	}
	for i := range found {
		f := &found[i]
		if !isOfSignature(*f) {
			continue
		}
		if len(d.Causes) > 0 {
			f.Help = d.Causes[0].Fix
			continue
		}
		known := d.Known
		if found.Has(capture.ContentLength) {
			known = []string{"the body is not as long as its Content-Length, so the capture does not have what was signed: capture the request whole"}
		}
		for _, left := range d.NotTried {
			known = append(known, "not tried: "+left)
		}
		if f.Code == signature.SignatureWrong || len(d.NotTried) > 0 {
			f.Help = strings.Join(known, "; ")
		}
	}
	return found
}

// isOfSignature reports whether a finding is that the signature is wrong, which has a cause.
func isOfSignature(f ledger.Finding) bool {
	return f.Code == signature.SignatureWrong || f.Code == signature.SignatureLength || f.Code == signature.SignatureText
}

// corrected is the header to send: the request's own, with the right signature; empty where the key cannot sign, or the
// fault is not in the header.
func (k *checking) corrected(r signature.Request, signer signature.SigningKey, d *diagnose.Diagnosis) string {
	if signer == nil || len(d.Causes) > 0 && slices.Contains(d.Causes[0].IDs, "body-raw-plus") {
		return ""
	}
	h, err := signature.ParseHeader(r.Authorization())
	if err != nil {
		return ""
	}
	o := signature.OAuth{Realm: h.Realm}
	for _, p := range h.Params {
		switch p.Name() {
		case "oauth_consumer_key":
			o.ConsumerKey = p.Value()
		case "oauth_nonce":
			o.Nonce = p.Value()
		case "oauth_timestamp":
			o.Timestamp = p.Value()
		}
	}
	signed, err := signature.Sign(r, o, signer, k.rules())
	if err != nil {
		return ""
	}
	return signed.Authorization()
}

// payloadFindings reads the payload's findings, in the words of the command. Those that the request has already are left out.
type payloadFindings struct {
	reader *rules.Reader
	about  ledger.Findings
	noBody bool
}

// each yields the findings as they are read, until the function returns false.
func (p *payloadFindings) each(yield func(ledger.Finding) bool) {
	for _, found := range p.reader.Rows() {
		for _, f := range found {
			if f.Place.Row == 0 && p.about.Has(f.Code) {
				continue
			}
			f = inCommand(f)
			f.Place.File = "payload"
			if f.Code == rules.PayloadMissing && p.noBody {
				f.Place.Wire = false
				f.Message, f.Help = "the request has no body", "capture the request with its body, or give it with --form or --payload"
			}
			if !yield(f) {
				return
			}
		}
	}
}

// sum reads the payload to its end. Its counts are those of the findings that are shown.
func (p *payloadFindings) sum() *rules.Summary {
	errors, warnings := 0, 0
	p.each(func(f ledger.Finding) bool {
		if f.Severity == ledger.SeverityError {
			errors++
		} else {
			warnings++
		}
		return true
	})
	s := p.reader.Summary()
	s.Errors, s.Warnings = errors, warnings
	return &s
}
