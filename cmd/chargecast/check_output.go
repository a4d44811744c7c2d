package main

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/chargecast/chargecast/internal/strictjson"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/report"
	"github.com/chargecast/chargecast/rules"
	"github.com/chargecast/chargecast/signature"
	"github.com/chargecast/chargecast/signature/diagnose"
)

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

// A tracedParam is a parameter on its way to the base string.
type tracedParam struct {
	Source string `json:"source"`
	Name   string `json:"name"`
	Value  string `json:"value"`
}

// tracedStages are the stages of the right signature, and of what was signed.
type tracedStages struct {
	Ours   ourStages    `json:"ours"`
	Theirs *theirStages `json:"theirs"`
}

type ourStages struct {
	Collected  []tracedParam `json:"collected"`
	Sorted     []tracedParam `json:"sorted"`
	Method     string        `json:"method"`
	URI        string        `json:"uri"`
	Parameters string        `json:"parameters"`
	BaseString string        `json:"base_string"`
	SHA256     string        `json:"sha256"`
	SHA1       string        `json:"sha1"`
}

type theirStages struct {
	From       string   `json:"from"`
	Elements   []string `json:"elements"`
	BaseString string   `json:"base_string"`
}

// compare reads the base string of the other side, and compares it with the right one.
func (k *checking) compare(a *app, r signature.Request, c *checkedRequest) error {
	theirs, from := c.diagnosis.BaseString(), "the first cause"
	if k.baseString != "" {
		text, err := a.readAll(k.baseString, int(k.maxBytes), limitBytes, raiseLimit)
		if err != nil {
			return err
		}
		theirs, from = strings.TrimRight(string(text), "\r\n"), "--base-string"
		if theirs == "" {
			return unreadable("the file that --base-string names is empty", "write the base string into it, as the other software made it")
		}
	}
	if theirs == "" && !k.trace {
		return nil
	}
	trace, err := signature.NewTrace(r, k.rules())
	if err != nil {
		if c.diagnosed {
			return nil // the findings say why
		}
		return k.requestError(err)
	}
	right := trace.BaseString()
	if d := diagnose.Compare(right, theirs); d != nil && k.baseString != "" {
		c.different = &difference{d.Layer, d.Element, rules.Mask(0, d.Parameter), d.Index, d.Byte, d.Offset, d.Text, baseAround(right, d.Offset), baseAround(theirs, d.Offset)}
	} else if k.baseString != "" && c.diagnosed && !c.diagnosis.Right && len(c.diagnosis.Causes) == 0 {
		if i := slices.IndexFunc(c.found, func(f ledger.Finding) bool { return f.Code == signature.SignatureWrong }); i >= 0 {
			c.found[i].Help = "the base string that was given is the right one, so the key or the secret differs, or what was done with it"
		}
	}
	if k.trace {
		c.stages = stagesOf(&trace, theirs, from)
	}
	return nil
}

// baseAround shows the bytes around a place of a base string.
func baseAround(text string, at int) string {
	const before, after = 24, 24
	start, end := max(0, at-before), min(len(text), at+after)
	if start >= end {
		return ""
	}
	shown := maskedBase(text, at)[start:end]
	if start > 0 {
		shown = "…" + shown
	}
	if end < len(text) {
		shown += "…"
	}
	return shown
}

// maskedBase is a base string as it may be shown. Values of the body hold card numbers: there letters and digits are x, but
// for escapes and the byte at a place.
func maskedBase(text string, keep int) string {
	hidden := hiddenIn(text)
	out := []byte(text)
	for i := range out {
		if !hidden[i] || i == keep || isEscape(text, i) {
			continue
		}
		if c := out[i] | 0x20; 'a' <= c && c <= 'z' || '0' <= out[i] && out[i] <= '9' {
			out[i] = 'x'
		}
	}
	return string(out)
}

// hiddenIn says which bytes of a base string are not shown: the values of all parameters but those of OAuth, and
// everything where the text has no form that is known.
func hiddenIn(text string) []bool {
	hidden := make([]bool, len(text))
	elements := strings.SplitN(text, "&", 3)
	if len(elements) < 3 {
		for i := range hidden {
			hidden[i] = true
		}
		return hidden
	}
	third := elements[2]
	separator, sign := "&", "="
	if strings.Contains(third, "%3D") { // as it should be
		separator, sign = "%26", "%3D"
	}
	at := len(text) - len(third)
	for segment := range strings.SplitSeq(third, separator) {
		name, _, found := strings.Cut(segment, sign)
		if !strings.HasPrefix(name, "oauth_") {
			value := at
			if found {
				value += len(name) + len(sign)
			}
			for i := value; i < at+len(segment); i++ {
				hidden[i] = true
			}
		}
		at += len(segment) + len(separator)
	}
	return hidden
}

// isEscape reports whether a byte is part of %XX or %25XX.
func isEscape(text string, at int) bool {
	start := max(0, at-len("%25X"))
	i := strings.LastIndexByte(text[start:at+1], '%')
	return i >= 0 && (at-start-i < 3 || strings.HasPrefix(text[start+i:], "%25"))
}

func stagesOf(trace *signature.Trace, theirs, from string) *tracedStages {
	shown := func(p signature.TracedParam, value string) string {
		if p.Source() != "body" {
			return value
		}
		return "<" + counted(strconv.Itoa(len(value)), "byte") + ">"
	}
	s := &tracedStages{Ours: ourStages{Method: trace.Method(), URI: trace.URI(), SHA256: trace.SHA256(), SHA1: trace.SHA1()}}
	for _, p := range trace.Collected() {
		s.Ours.Collected = append(s.Ours.Collected, tracedParam{p.Source(), p.Raw().Name(), shown(p, p.Raw().Value())})
	}
	var once, twice []string
	for _, p := range trace.Sorted() {
		name, value := p.Encoded().Name(), p.Encoded().Value()
		s.Ours.Sorted = append(s.Ours.Sorted, tracedParam{p.Source(), name, shown(p, value)})
		once = append(once, name+"="+shown(p, value))
		twice = append(twice, signature.Encode(name)+"%3D"+shown(p, signature.Encode(value)))
	}
	s.Ours.Parameters = strings.Join(once, "&")
	s.Ours.BaseString = signature.Encode(trace.Method()) + "&" + signature.Encode(trace.URI()) + "&" + strings.Join(twice, "%26")
	if theirs != "" {
		s.Theirs = &theirStages{From: from, BaseString: maskedBase(theirs, -1)}
		for element := range strings.SplitSeq(s.Theirs.BaseString, "&") {
			if plain, err := signature.Decode(element); err == nil {
				element = plain
			}
			s.Theirs.Elements = append(s.Theirs.Elements, element)
		}
	}
	return s
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
		a.out.b = append(append(append(strictjson.AppendString(a.out.b, name), ':'), plainJSON(value)...), ',')
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
	if c.stages != nil {
		member("trace", c.stages)
	}
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
	p := a.text(k.colour.value)
	dst := append(a.out.b, "signature: "+strings.ReplaceAll(c.signature, "-", " ")+"\nfresh: "+strings.ReplaceAll(c.fresh, "-", " ")...)
	if c.now != nil {
		dst = append(dst, " (now "+strconv.FormatInt(*c.now, 10)+")"...)
	}
	a.out.b = append(dst, '\n')
	var shown report.FindingCounts
	errors, warnings := 0, 0
	problem := func(f ledger.Finding) bool {
		if f.Severity == ledger.SeverityError {
			errors++
		} else if warnings++; k.quiet {
			return true
		}
		if shown.Add(f) {
			a.out.b = append(a.out.b, f.Severity.String()+": "+visible(findingText(f))+"\n"...)
			a.out.endLine()
		}
		return a.out.err == nil
	}
	for _, f := range c.found {
		if k.isToldByCauses(c, f) {
			f.Help = ""
		}
		problem(inCommand(f))
	}
	if c.payload != nil {
		judge().each(problem)
	}
	a.out.b = shown.AppendRest(a.out.b, "")
	if d := &c.diagnosis; len(d.Causes) > 0 || len(d.Known) > 1 { // one fact alone only repeats the finding
		a.out.b = appendCauses(append(a.out.b, '\n'), &c.diagnosis, p)
	}
	if d := c.different; d != nil {
		a.out.b = appendDifference(append(a.out.b, '\n'), d)
	}
	if c.stages != nil {
		a.out.b = appendStages(append(a.out.b, '\n'), c.stages)
	}
	if len(c.diagnosis.Causes) > 0 || len(c.diagnosis.Known) > 1 || c.different != nil || c.stages != nil {
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
	switch f.Code {
	case signature.SignatureWrong, signature.SignatureLength, signature.SignatureText:
		return c.diagnosed && !c.diagnosis.Right && f.Help != "" && !strings.HasPrefix(f.Help, "the base string that was given")
	}
	return false
}

// conclusion is one sentence: what is wrong, and what to change.
func (k *checking) conclusion(c *checkedRequest, judge func() *payloadFindings) string {
	if c.ok {
		switch {
		case c.signature != signatureNotJudged:
			return "The request is acceptable."
		case k.only.value == "payload":
			return "The payload is acceptable; the signature was not judged."
		}
		return "Nothing is wrong with what was judged; the signature was not judged: give --key, --secret-file or --secret-env."
	}
	const wrong = "The request is not acceptable: "
	send := ""
	if c.header != "" {
		send = " Send this header:"
	}
	d := &c.diagnosis
	switch {
	case c.signature == signatureAbsent:
		return wrong + "it is not signed; sign it and send the Authorization header."
	case c.cut && c.diagnosed && !d.Right && len(d.Causes) == 0 && d.Signature != 0:
		return wrong + "the capture does not have the whole body, so the signature cannot be explained; capture the request with its body, or give it with --form or --payload."
	case len(d.Causes) > 0:
		return wrong + d.Causes[0].Text + "; " + d.Causes[0].Fix + "." + send
	case c.diagnosed && !d.Right && d.Signature == signature.VerdictMismatch:
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
		text := f.Message
		if f.Subject != "" && !strings.Contains(text, f.Subject) {
			text = f.Subject + ": " + text
		}
		if f.Help != "" {
			text += "; " + f.Help
		}
		if d.Right && c.diagnosed && d.Signature != signature.VerdictOK {
			text = "the signature is right, but " + text
		}
		return visible(wrong + text + ".")
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
			if c.payload.Errors > 1 {
				sentence = strings.TrimSuffix(sentence, ".") + "; and " + strconv.Itoa(c.payload.Errors-1) + " more."
			}
			return false
		})
	}
	return sentence
}

// appendCauses appends what explains a signature, or what is known where nothing does.
func appendCauses(dst []byte, d *diagnose.Diagnosis, p paint) []byte {
	dst = p.wrapped(dst, "", d.Headline())
	for _, cause := range d.Causes {
		dst = append(p.bold(append(dst, "\n  "...), strings.Join(cause.IDs, " + ")), '\n')
		dst = p.wrapped(dst, "    ", cause.Text)
		dst = p.hanging(append(dst, "    fix: "...), 9, cause.Fix)
	}
	for _, known := range d.Known {
		dst = p.wrapped(dst, "  ", known)
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

func appendStages(dst []byte, s *tracedStages) []byte {
	params := func(title string, list []tracedParam) {
		dst = append(dst, title+"\n"...)
		for _, p := range list {
			dst = append(dst, "  "+visible(p.Name)+" = "+visible(p.Value)+"  ("+p.Source+")\n"...)
		}
	}
	params("Collected", s.Ours.Collected)
	params("Encoded and sorted", s.Ours.Sorted)
	for _, stage := range [...][2]string{{"Method", s.Ours.Method}, {"URI", s.Ours.URI}, {"Parameters", s.Ours.Parameters},
		{"Base string", s.Ours.BaseString}, {"SHA-256", s.Ours.SHA256}, {"SHA-1", s.Ours.SHA1}} {
		dst = append(dst, stage[0]+"\n  "+visible(stage[1])+"\n"...)
	}
	if s.Theirs == nil {
		return dst
	}
	dst = append(dst, "What was signed, by "+s.Theirs.From+"\n"...)
	for _, element := range s.Theirs.Elements {
		dst = append(dst, "  "+visible(element)+"\n"...)
	}
	return append(dst, "  "+visible(s.Theirs.BaseString)+"\n"...)
}

// plainJSON is the JSON of a value of texts and numbers, without the escapes for HTML.
func plainJSON(value any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(value); err != nil {
		return []byte("null") // not reached
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}
