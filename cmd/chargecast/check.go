package main

import (
	"bytes"
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/chargecast/chargecast/internal/check"
	"github.com/chargecast/chargecast/internal/program"
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
	findingFlags
	format *program.Flag[string]
	colour *program.Flag[string]
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
	flags.StringVar(&k.path, "path", check.Path, "the path's `TEMPLATE` (default: the document's)")
	flags.Lookup("path").DefValue = ""
	k.today.register(c)
	currencyVar(c, &k.currency)
	flags.BoolVar(&k.strict, "strict", false, "treat warnings about the payload as errors")
	k.registerFindings(c)
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

func (k *checking) run(a *app) error {
	if err := k.onStdin(k.capture, k.baseString); err != nil {
		return err
	}
	if err := cmp.Or(checkTemplate(k.path), checkCurrency(k.currency)); err != nil {
		return err
	}
	k.takeStdin(a)
	o, err := k.options(a)
	if err != nil {
		return err
	}
	r, err := k.read(a)
	if err != nil {
		return err
	}
	o.Findings, o.URL = k.found, k.capturedURL
	if k.capture != "" {
		o.Captured, o.Fixed = true, []string{"method"}
		if k.url == "" {
			o.Fixed = append(o.Fixed, "URL")
		}
		if !k.bodyElsewhere() {
			o.Fixed = append(o.Fixed, "body")
		}
	}
	if k.only.V != "payload" && k.hasKey() {
		if o.Verify, err = k.clock(a); err != nil {
			return err
		}
		if o.Key, o.Signer, err = k.checkingKey(a); err != nil {
			return err
		}
	}
	if o.BaseString, err = k.clientBase(a); err != nil {
		return err
	}
	c, err := check.Judge(r, o)
	if err != nil {
		return k.requestError(err)
	}
	var now *int64 // the machine's clock, where it was used
	if o.Verify.Window > 0 && !k.timed("now") {
		now = new(o.Verify.Now.Unix())
		sayAge(c, o.Verify.Now, r)
	}
	a.fit(k.format.V)
	if k.format.V == "json" {
		a.out.b = append(a.out.b, program.JSON(c.Record(now))...)
		a.out.endLine()
	} else {
		k.writeText(a, c, now)
	}
	if a.out.err == nil && !c.OK {
		return errFindings
	}
	return a.out.err
}

// takeStdin makes stdin the capture where nothing says what is checked, and nothing else reads it.
func (k *checking) takeStdin(a *app) {
	if k.capture == "" && !k.timed("authorization") && !program.IsTerminal(a.stdin) && !slices.ContainsFunc([]string{k.payload, k.form, k.key, k.secretFile, k.baseString}, isStdin) {
		k.capture, k.piped = "-", true
	}
}

// checkTemplate refuses a --path that no request can have.
func checkTemplate(template string) error {
	const id = check.EndpointID
	switch {
	case strings.Count(template, id) != 1:
		return usage("--path does not have "+id+" exactly once", "such as --path '/v5/"+id+"/create'")
	case template[0] != '/' || strings.HasSuffix(template, "/") || strings.Contains(template, "//") || strings.ContainsAny(template, "?#% "):
		return usage("--path is not a path", "begin it with a slash, and leave out a final slash, double slashes, escapes, a query and a fragment")
	}
	return nil
}

// options are those that need no input.
func (k *checking) options(a *app) (check.Options, error) {
	asOf, err := k.today.day(a)
	return check.Options{
		Words: check.Words{
			Finding: inCommand, Key: "give --key, --secret-file or --secret-env", Compare: "let your software print its base string, the text that it signs, and give it with --base-string",
			Address: "try --url URL",
			Body:    ", or give it with --form or --payload", Template: ", or name the template of another path with --path", Payload: "above",
		},
		Only: k.only.V, Path: k.path,
		Payload: rules.Options{AsOf: asOf, Policy: k.policy.policy, Currency: k.currency, Severity: k.severity, Strict: k.strict},
	}, err
}

// clientBase reads the base string of --base-string.
func (k *checking) clientBase(a *app) (string, error) {
	if k.baseString == "" {
		return "", nil
	}
	text, err := a.readAll(k.baseString, maxRequestBytes, limitBytes, tooLong)
	if err == nil && len(bytes.TrimRight(text, "\r\n")) == 0 {
		err = unreadable("the file that --base-string names is empty", "write the base string into it, as the other software made it")
	}
	return string(text), err
}

// sayAge puts into the finding of a stale timestamp how many days ago the request was signed, where
// it is more than one.
func sayAge(c *check.Result, now time.Time, r signature.Request) {
	h, err := signature.ParseHeader(r.Authorization())
	if err != nil {
		return
	}
	seconds, err := strconv.ParseInt(h.Value("oauth_timestamp"), 10, 64)
	days := (now.Unix() - seconds) / 86400
	i := slices.IndexFunc(c.Found, func(f ledger.Finding) bool { return f.Code == signature.TimestampStale })
	if err != nil || i < 0 || days < 2 {
		return
	}
	c.Found[i].Message = "signed " + strconv.FormatInt(days, 10) + " days ago"
	c.Found[i].Help = "for an old capture give --now; otherwise set the clock, and send the current time"
}

// clock returns what the request is verified by: the time of --now, or else the machine's.
func (k *checking) clock(a *app) (signature.Options, error) {
	o := signature.Options{Now: a.now(), Window: k.window.V}
	if !k.timed("now") {
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

func (k *checking) writeText(a *app, c *check.Result, now *int64) {
	p := a.text(k.colour.V)
	dst := append(a.out.b, "signature: "+strings.ReplaceAll(c.Signature, "-", " ")+"\nfresh: "+strings.ReplaceAll(c.Fresh, "-", " ")...)
	if now != nil {
		dst = append(dst, " (now "+strconv.FormatInt(*now, 10)+")"...)
	}
	a.out.b = append(dst, '\n')
	errors, warnings := c.Found.Count(ledger.SeverityError), c.Found.Count(ledger.SeverityWarning)
	shown := report.NewFindings(a.out, report.FindingsOptions{Quiet: k.quiet, Columns: a.columns, Color: a.colourful(k.colour.V)})
	for _, f := range c.Found {
		if c.IsInCauses(f) {
			f.Help = ""
		}
		shown.Open(f.Place.File)
		shown.Add(inCommand(f), nil)
	}
	if c.Sum != nil {
		errors, warnings = errors+c.Sum.Errors, warnings+c.Sum.Warnings
		shown.Open("payload")
		for _, f := range c.Payload {
			shown.Add(f, nil)
		}
	}
	shown.Flush()
	explains := c.Explains()
	if explains {
		a.out.b = appendCauses(append(a.out.b, '\n'), &c.Diagnosis, p)
	}
	if c.Difference != nil {
		a.out.b = appendDifference(append(a.out.b, '\n'), c.Difference)
	}
	if explains || c.Difference != nil {
		a.out.b = append(a.out.b, '\n')
	}
	if c.Sum != nil {
		a.out.b = append(a.out.b, "payload: "+counted(strconv.Itoa(c.Sum.Rows), "row")+", "+strconv.Itoa(c.Sum.Valid)+" usable\n"...)
	}
	if errors+warnings > 0 {
		a.out.b = append(a.out.b, counted(strconv.Itoa(errors), "error")+", "+counted(strconv.Itoa(warnings), "warning")+"\n"...)
	}
	a.out.b = p.wrapped(a.out.b, "", c.Conclusion())
	if c.Header != "" {
		a.out.b = append(a.out.b, "Authorization: "+c.Header+"\n"...)
	}
	a.out.endLine()
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

func appendDifference(dst []byte, d *check.Difference) []byte {
	dst = append(dst, "First difference of the base strings: "+d.Text...)
	if d.Parameter != "" {
		dst = append(dst, ": "+visible(d.Parameter)...)
	}
	dst = append(dst, ", byte "+strconv.Itoa(d.Byte)+" ("+d.Layer+", byte "+strconv.Itoa(d.Offset)+" of the base string)\n"...)
	return append(dst, "  right:  "+visible(d.Ours)+"\n  signed: "+visible(d.Theirs)+"\n"...)
}
