package main

import (
	"bytes"
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/chargecast/chargecast/internal/capture"
	"github.com/chargecast/chargecast/internal/program"
	"github.com/chargecast/chargecast/internal/strictjson"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/report"
	"github.com/chargecast/chargecast/rules"
	"github.com/chargecast/chargecast/signature"
	"github.com/chargecast/chargecast/signature/diagnose"
)

// checking are the flags of check, and what it finds.
type checking struct {
	requestFlags
	only       *program.Flag[string]
	window     program.Flag[time.Duration]
	now        string
	timed      func(name string) bool // whether a flag was given, if only empty
	baseString string
	path       string

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
		Short: "Explains a 403: signature, cause, freshness and payload",
		Long: `check judges a request as the gateway would. It says what is wrong, what to change
and, where the key allows it, the header to send. A wrong signature is explained by
the known mistakes that reproduce it. For RSA the public key is enough; without a
key the signature is not judged.

FILE is a captured request: HTTP text, a curl command or a HAR file. Or give its
parts, as for sign, with --authorization. The exit code is 1 if anything that was
judged has an error.`,
		Example: `  chargecast check captured.http --key public.pem
  chargecast check captured.har --secret-env CONTROL_KEY --window 5m`,
		Args: atMostOne,
	}
	k.requestFlags.register(c)
	flags := c.Flags()
	flags.StringVar(&k.authorization, "authorization", "", "the Authorization `HEADER`, instead of that of FILE")
	k.entry = program.Count()
	flags.Var(&k.entry, "entry", "request `N` of a HAR file (default: the signed one)")
	k.only = program.Among("signature", "payload")
	flags.Var(k.only, "only", "judge this alone")
	k.window = program.Duration(0)
	flags.Var(&k.window, "window", "how far the timestamp may be from now, such as 5m")
	flags.StringVar(&k.now, "now", "", "`TIME` for --window, ISO 8601 or seconds since 1970")
	flags.StringVar(&k.baseString, "base-string", "", "`FILE` with the base string that was signed")
	flags.StringVar(&k.path, "path", createPath, "the path's `TEMPLATE` (default: the document's)")
	flags.Lookup("path").DefValue = ""
	k.today.register(c)
	flags.StringVar(&k.currency, "currency", "", "the project's currency `CODE` (default: any)")
	flags.BoolVar(&k.strict, "strict", false, "treat warnings about the payload as errors")
	flags.Var(&k.severity, "severity", "another severity for a code: error, warning or off; may be repeated")
	flags.BoolVar(&k.quiet, "quiet", false, "leave warnings out of messages and text")
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
	header    string // what to send; empty if it is not known
	options   signature.Options
	key       signature.VerifyingKey
	cut       bool // the capture does not have the whole body
}

func (k *checking) run(a *app) error {
	if err := k.onStdin(k.capture, k.baseString); err != nil {
		return err
	}
	if err := checkTemplate(k.path); err != nil {
		return err
	}
	if k.capture == "" && k.url == "" && !k.timed("authorization") && !isTerminal(a.stdin) {
		k.capture = "-"
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
	creates := true
	if k.only.V != "signature" {
		var address ledger.Findings
		address, creates = judgeAddress(r, k.path)
		c.found = together(c.found, address)
		sendTheRightPath(&c)
	}
	o := rules.Options{AsOf: asOf, Policy: k.policy.policy, Currency: k.currency, Input: rules.InputForm, Severity: k.severity, Strict: k.strict}
	judge := func() *payloadFindings {
		return &payloadFindings{reader: rules.NewReader(bytes.NewReader(r.Body()), o), about: c.found, noBody: len(r.Body()) == 0}
	}
	if k.only.V != "signature" && creates {
		if len(r.Body()) == 0 { // one fault: the payload says it
			c.found = slices.DeleteFunc(c.found, func(f ledger.Finding) bool { return f.Code == signature.BodyMissing || f.Code == capture.ContentLength })
		}
		c.payload = judge().sum()
		if c.payload.Unreadable && c.found.Has(signature.ContentType) { // one fault: no form has no payload
			c.payload = nil
		}
	}
	c.ok = c.found.Count(ledger.SeverityError) == 0 && (c.payload == nil || c.payload.Errors == 0 && !c.payload.Unreadable)
	if c.header != "" && !k.isAcceptedWith(r, &c) {
		c.header = ""
	}
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
	c.diagnosis, c.diagnosed, c.options, c.key = d, true, o, key
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
	if d.Stale && !k.timed("now") {
		k.sayAge(c, o.Now, r)
	}
	return nil
}

// sayAge puts into the finding of a stale timestamp how many days ago the request was signed, where it is more than one.
func (k *checking) sayAge(c *checkedRequest, now time.Time, r signature.Request) {
	h, err := signature.ParseHeader(r.Authorization())
	if err != nil {
		return
	}
	seconds, err := strconv.ParseInt(h.Value("oauth_timestamp"), 10, 64)
	days := (now.Unix() - seconds) / 86400
	i := slices.IndexFunc(c.found, func(f ledger.Finding) bool { return f.Code == signature.TimestampStale })
	if err != nil || i < 0 || days < 2 {
		return
	}
	c.found[i].Message = "signed " + strconv.FormatInt(days, 10) + " days ago"
	c.found[i].Help = "for an old capture give --now; otherwise set the clock, and send the current time"
}

// options are what the request is verified by. The machine's clock is used only where it decides, and is shown.
func (k *checking) options(a *app, c *checkedRequest) (signature.Options, error) {
	o := signature.Options{Now: a.now(), Window: k.window.V}
	if !k.timed("now") {
		if o.Window > 0 {
			c.now = new(o.Now.Unix())
		}
		return o, nil
	}
	seconds, err := strconv.ParseInt(k.now, 10, 64)
	if err == nil && seconds >= 0 {
		o.Now = time.Unix(seconds, 0)
		return o, nil
	}
	for _, form := range [...]string{time.RFC3339, "2006-01-02T15:04", "2006-01-02T15:04:05", "2006-01-02"} {
		if o.Now, err = time.Parse(form, k.now); err == nil && o.Now.Unix() >= 0 {
			return o, nil
		}
	}
	return o, usage("--now is not a time", "write it as 2026-01-01T12:00:00Z, as a day, or as the seconds since 1970, 1767225600")
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
	o := signature.OAuth{ConsumerKey: h.Value("oauth_consumer_key"), Nonce: h.Value("oauth_nonce"), Timestamp: h.Value("oauth_timestamp"), Realm: h.Realm}
	signed, _, err := signature.Sign(r, o, signer)
	if err != nil {
		return ""
	}
	return signed.Authorization()
}

// isAcceptedWith reports whether nothing would be wrong with the request if it had the corrected header.
func (k *checking) isAcceptedWith(r signature.Request, c *checkedRequest) bool {
	if c.payload != nil && (c.payload.Errors > 0 || c.payload.Unreadable) {
		return false
	}
	if slices.ContainsFunc(c.found, func(f ledger.Finding) bool {
		return f.Severity == ledger.SeverityError && f.Place.File != "Authorization"
	}) {
		return false
	}
	_, err := signature.Verify(r.WithAuthorization(c.header), c.options, c.key)
	return err == nil
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

// A difference is the first one of two base strings, with both sides around it.
type difference struct {
	Layer     string `json:"layer"`
	Element   int    `json:"element"`
	Parameter string `json:"parameter"`
	Index     int    `json:"index"`
	Byte      int    `json:"byte"`
	Offset    int    `json:"offset"`
	Text      string `json:"text"`
	Ours      string `json:"ours"`
	Theirs    string `json:"theirs"`
}

// compare reads the base string of --base-string, and compares it with the right one.
func (k *checking) compare(a *app, r signature.Request, c *checkedRequest) error {
	if k.baseString == "" {
		return nil
	}
	text, err := a.readAll(k.baseString, maxRequestBytes, limitBytes, tooLong)
	if err != nil {
		return err
	}
	theirs := strings.TrimRight(string(text), "\r\n")
	if theirs == "" {
		return unreadable("the file that --base-string names is empty", "write the base string into it, as the other software made it")
	}
	trace, err := signature.NewTrace(r)
	if err != nil {
		if c.diagnosed {
			return nil // the findings say why
		}
		return k.requestError(err)
	}
	right := trace.BaseString()
	if d := diagnose.Compare(right, theirs); d != nil {
		c.different = &difference{d.Layer, d.Element, rules.Mask(0, d.Parameter), d.Index, d.Byte, d.Offset, d.Text, capture.BaseAround(right, d.Offset), capture.BaseAround(theirs, d.Offset)}
	} else if c.diagnosed && !c.diagnosis.Right && len(c.diagnosis.Causes) == 0 {
		if i := slices.IndexFunc(c.found, func(f ledger.Finding) bool { return f.Code == signature.SignatureWrong }); i >= 0 {
			c.found[i].Help = "the base string that was given is the right one, so the key or the secret differs, or what was done with it"
		}
	}
	return nil
}

// A causeRecord is a cause in JSON.
type causeRecord struct {
	IDs  []string `json:"ids"`
	Text string   `json:"text"`
	Fix  string   `json:"fix"`
}

func (k *checking) writeJSON(a *app, c *checkedRequest, judge func() *payloadFindings) error {
	causes := []causeRecord{}
	for _, cause := range c.diagnosis.Causes {
		causes = append(causes, causeRecord(cause))
	}
	member := func(name string, value any) {
		a.out.b = append(append(append(strictjson.AppendString(a.out.b, name), ':'), bytes.TrimSuffix(program.JSON(value), []byte("\n"))...), ',')
	}
	a.out.b = append(a.out.b, '{')
	member("ok", c.ok)
	member("signature", c.signature)
	member("fresh", c.fresh)
	if c.now != nil {
		member("now", *c.now)
	}
	member("causes", causes)
	member("first_difference", c.different)
	a.out.b = append(a.out.b, `"findings":[`...)
	separator := ""
	problem := func(f ledger.Finding) bool {
		a.out.b = append(a.out.b, separator...)
		a.out.b = f.AppendJSON(a.out.b)
		a.out.endLine()
		separator = ","
		return a.out.err == nil
	}
	for _, f := range c.found {
		problem(inCommand(f))
	}
	rows, valid := "null", "null"
	if c.payload != nil {
		judge().each(problem)
		rows, valid = strconv.Itoa(c.payload.Rows), strconv.Itoa(c.payload.Valid)
	}
	a.out.b = append(a.out.b, `],"rows":`+rows+`,"valid":`+valid+"}\n"...)
	a.out.endLine()
	return a.out.err
}

func (k *checking) writeText(a *app, c *checkedRequest, judge func() *payloadFindings) error {
	p := a.text(k.colour.V)
	dst := append(a.out.b, "signature: "+strings.ReplaceAll(c.signature, "-", " ")+"\nfresh: "+strings.ReplaceAll(c.fresh, "-", " ")...)
	if c.now != nil {
		dst = append(dst, " (now "+strconv.FormatInt(*c.now, 10)+")"...)
	}
	a.out.b = append(dst, '\n')
	errors, warnings := c.found.Count(ledger.SeverityError), c.found.Count(ledger.SeverityWarning)
	shown := report.NewFindings(a.out, report.FindingsOptions{Quiet: k.quiet, Columns: a.columns, Color: a.colourful(k.colour.V)})
	for _, f := range c.found {
		if k.isToldByCauses(c, f) {
			f.Help = ""
		}
		shown.Open(f.Place.File)
		shown.Add(inCommand(f), nil)
	}
	if c.payload != nil {
		errors, warnings = errors+c.payload.Errors, warnings+c.payload.Warnings
		shown.Open("payload")
		judge().each(func(f ledger.Finding) bool {
			shown.Add(f, nil)
			return a.out.err == nil
		})
	}
	shown.Flush()
	explains := len(c.diagnosis.Causes) > 0 || len(c.diagnosis.Known) > 1 && !c.cut && slices.ContainsFunc(c.found, isOfSignature)
	if explains { // one fact alone only repeats the finding
		a.out.b = appendCauses(append(a.out.b, '\n'), &c.diagnosis, p)
	}
	if d := c.different; d != nil {
		a.out.b = appendDifference(append(a.out.b, '\n'), d)
	}
	if explains || c.different != nil {
		a.out.b = append(a.out.b, '\n')
	}
	if c.payload != nil {
		a.out.b = append(a.out.b, "payload: "+counted(strconv.Itoa(c.payload.Rows), "row")+", "+strconv.Itoa(c.payload.Valid)+" usable\n"...)
	}
	if errors+warnings > 0 {
		a.out.b = append(a.out.b, counted(strconv.Itoa(errors), "error")+", "+counted(strconv.Itoa(warnings), "warning")+"\n"...)
	}
	a.out.b = p.wrapped(a.out.b, "", k.conclusion(c, judge))
	if c.header != "" {
		a.out.b = append(a.out.b, "Authorization: "+c.header+"\n"...)
	}
	a.out.endLine()
	return a.out.err
}

// isToldByCauses reports whether the help of a finding stands among the causes below it.
func (k *checking) isToldByCauses(c *checkedRequest, f ledger.Finding) bool {
	return isOfSignature(f) && c.diagnosed && !c.diagnosis.Right && f.Help != "" && !strings.HasPrefix(f.Help, "the base string that was given")
}

// conclusion is one sentence: what is wrong, and what to change.
func (k *checking) conclusion(c *checkedRequest, judge func() *payloadFindings) string {
	if c.ok {
		switch {
		case c.signature != signatureNotJudged:
			return "The request is acceptable."
		case k.only.V == "payload":
			if c.payload == nil {
				return "The payload and the signature were not judged."
			}
			return "The payload is acceptable; the signature was not judged."
		}
		fine := "Payload fine."
		if c.payload == nil {
			fine = "The payload was not judged."
		}
		return fine + " Signature not checked: give --key, --secret-file or --secret-env."
	}
	const wrong = "The request is not acceptable: "
	d := &c.diagnosis
	send := ""
	leads := func(f ledger.Finding) bool { return isOfSignature(f) } // what the sentence begins with
	if c.signature == signatureAbsent {
		leads = func(f ledger.Finding) bool { return f.Place.File == "Authorization" }
	} else if !slices.ContainsFunc(c.found, isOfSignature) {
		first := true
		leads = func(ledger.Finding) bool { was := first; first = false; return was }
	}
	for _, f := range c.found {
		isInFix := len(d.Causes) > 0 && strings.Contains(d.Causes[0].Fix, sentenceOf(f))
		if f.Severity == ledger.SeverityError && !leads(f) && !isInFix {
			send += " Also: " + sentenceOf(inCommand(f)) + "."
		}
	}
	if c.payload != nil {
		others := c.payload.Errors
		if c.found.Count(ledger.SeverityError) == 0 {
			others--
		}
		if others > 0 {
			send += " " + counted(strconv.Itoa(others), "more error") + " of the payload above."
		}
	}
	send = visible(send)
	if c.header != "" {
		send += " Send this header:"
	}
	switch {
	case c.signature == signatureAbsent:
		return wrong + "it is not signed; sign it and send the Authorization header." + send
	case c.cut && c.diagnosed && !d.Right && len(d.Causes) == 0 && d.Signature != 0:
		return wrong + "the capture does not have the whole body, so the signature cannot be explained; capture the request with its body, or give it with --form or --payload." + send
	case len(d.Causes) > 0:
		return wrong + d.Causes[0].Text + "; " + d.Causes[0].Fix + "." + send
	case c.diagnosed && !d.Right && d.Signature == signature.VerdictMismatch && !c.found.Has(signature.SignatureMethod):
		next := "compare the base string of your software with --base-string, and the key with the one that is registered"
		if c.different != nil {
			next = "mend the first difference"
		}
		nothing := "no known mistake"
		if len(d.NotTried) > 0 {
			nothing = "nothing that was tried"
		}
		return wrong + "its signature is wrong, and " + nothing + " explains it; " + next + "." + send
	}
	first := func(f ledger.Finding) string {
		text := sentenceOf(f)
		if d.Right && c.diagnosed && d.Signature != signature.VerdictOK {
			text = "the signature is right, but " + text
		}
		return visible(wrong + text + "." + send)
	}
	for _, f := range c.found {
		if f.Severity == ledger.SeverityError {
			return first(inCommand(f))
		}
	}
	sentence := wrong + "its payload cannot be used."
	if c.payload != nil {
		judge().each(func(f ledger.Finding) bool {
			if f.Severity != ledger.SeverityError {
				return true
			}
			sentence = first(f)
			return false
		})
	}
	return sentence
}

// sentenceOf is a finding in the conclusion: what is wrong, and what to change.
func sentenceOf(f ledger.Finding) string {
	text := f.Message
	if f.Subject != "" && !strings.Contains(text, f.Subject) {
		text = f.Subject + ": " + text
	}
	if f.Help != "" {
		text += "; " + f.Help
	}
	return text
}

// appendCauses appends what explains a signature, or what is known where nothing does.
func appendCauses(dst []byte, d *diagnose.Diagnosis, p paint) []byte {
	dst = p.wrapped(dst, "", d.Headline())
	for _, cause := range d.Causes {
		dst = append(p.bold(append(dst, "\n  "...), strings.Join(cause.IDs, " + ")), '\n')
		dst = p.wrapped(dst, "    ", cause.Text)
		dst = p.hanging(append(dst, "    fix: "...), 9, cause.Fix)
	}
	if len(d.Known) > 1 {
		for _, known := range d.Known[1:] { // the first is the headline's
			dst = p.wrapped(dst, "  ", known)
		}
	}
	if len(d.Causes) > 0 {
		for _, left := range d.NotTried {
			dst = p.wrapped(dst, "  ", "not tried: "+left)
		}
	}
	return dst
}

func appendDifference(dst []byte, d *difference) []byte {
	dst = append(dst, "First difference of the base strings: "+d.Text...)
	if d.Parameter != "" {
		dst = append(dst, ": "+visible(d.Parameter)...)
	}
	dst = append(dst, ", byte "+strconv.Itoa(d.Byte)+" ("+d.Layer+", byte "+strconv.Itoa(d.Offset)+" of the base string)\n"...)
	return append(dst, "  right:  "+visible(d.Ours)+"\n  signed: "+visible(d.Theirs)+"\n"...)
}
