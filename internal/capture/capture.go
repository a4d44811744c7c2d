// Package capture reads captured requests: text as HTTP/1 sends it, a curl command, and HAR files.
package capture

import (
	"bytes"
	"encoding/base64"
	"errors"
	"iter"
	"slices"
	"strconv"
	"strings"

	"github.com/chargecast/chargecast/internal/clause"
	"github.com/chargecast/chargecast/ledger"
)

// The codes of a capture: one that cannot be read, one whose body is not as long as it says, one
// that goes to another address than that of create-recurring-payments, and one that is signed by
// another method than the operation's.
const (
	RequestForm      ledger.Code = "request-form"
	ContentLength    ledger.Code = "content-length"
	RequestPath      ledger.Code = "request-path"
	RequestOperation ledger.Code = "request-operation"
	RequestHMAC      ledger.Code = "signature-method-hmac"
)

var table = ledger.NewRules([]ledger.Rule{
	{Code: RequestForm, Severity: ledger.SeverityError, Clause: clause.Doc41, Text: "the text is not a captured HTTP request that can be read",
		Help: "capture the request line, the header lines, an empty line and the body"},
	{Code: ContentLength, Severity: ledger.SeverityWarning, Clause: clause.Doc41, Text: "the length of the body is not that of Content-Length", Help: "capture the request whole"},
	{Code: RequestPath, Severity: ledger.SeverityError, Clause: clause.Doc41, Text: "the path is not that of create-recurring-payments",
		Help: "send it to an address that ends in /paynet/api/v4/create-recurring-payments/ and the endpoint id, and sign that"},
	{Code: RequestOperation, Severity: ledger.SeverityWarning, Clause: clause.Doc41, Text: "the document does not show this operation, so its payload is not judged",
		Help: "for a payload of profiles, send the request to create-recurring-payments"},
	{Code: RequestHMAC, Severity: ledger.SeverityWarning, Clause: clause.Doc51, Text: "the document names RSA-SHA256 for create-recurring-payments, and the request is signed with HMAC-SHA1",
		Help: "sign with an RSA key, or ask the service whether it takes HMAC-SHA1 for this operation"},
}, nil)

// Rules yields what the codes of this package mean.
func Rules() iter.Seq[ledger.Rule] { return table.All() }

// A Request is what was captured. It holds what the merchant sent, card numbers too.
type Request struct {
	Method, URL, ContentType string
	Authorization            string // empty if there is none
	Body                     []byte
}

// Options say how a capture is read.
type Options struct {
	Entry   int  // which request of a HAR file, from 1; 0 for the one that is signed
	AnyHost bool // the URL is known from elsewhere, so that the Host header may be missing
	AnyBody bool // the body is known from elsewhere, so that a command may have it in a file
}

// part is the File of the places here.
const part = "request"

const byteOrderMark = "\xef\xbb\xbf"

// Parse reads a capture of any form. A target with scheme and host is the URL; otherwise it is
// https, Host and target. A body longer than Content-Length by line ends only loses these: editors
// add them. The findings are warnings, the error is a finding with the code [RequestForm].
func Parse(raw []byte, o Options) (Request, ledger.Findings, error) {
	raw = bytes.TrimPrefix(raw, []byte(byteOrderMark))
	text := bytes.TrimLeft(raw, " \t\r\n")
	if len(text) > 0 && (text[0] == '$' || text[0] == '%' || text[0] == '#') {
		text = []byte(bareCommand(string(text)))
	}
	head, _ := cutLine(text)
	switch {
	case bytes.HasPrefix(raw, []byte("\xff\xfe")), bytes.HasPrefix(raw, []byte("\xfe\xff")):
		return refuse(nowhere, "the text is in UTF-16", "save it as UTF-8")
	case len(text) == 0:
		return refuse(nowhere, "the capture is empty", "capture the request line, the header lines, an empty line and the body")
	case bytes.HasPrefix(text, []byte("{")):
		return parseHAR(raw, o)
	case strings.HasPrefix(head, "* "), strings.HasPrefix(head, "> "), isTrace(head):
		return refuse(nowhere, "this is what curl prints of a request, not the request", "give the curl command itself, or capture the request as HTTP text")
	case o.Entry > 1:
		return Request{}, nil, oneRequest()
	case isCommand(head):
		return parseCommand(string(text), o)
	}
	s := scanner{raw: raw, scheme: "https", anyHost: o.AnyHost}
	r, found, err := s.request()
	if err != nil && !isRequestLine(head) {
		switch {
		case isPayload(head):
			return Request{}, nil, hinted(HintPayload, "this is a payload: chargecast validate checks it", "to check a request with it, give the payload or the body, and the Authorization header")
		case isScript(string(text)):
			return refuse(nowhere, "this is a shell script: what its commands compute, such as variables, is not in the text", "run it with sh -x, and paste the curl command that it prints")
		}
	}
	return r, found, err
}

// isRequestLine reports whether a line begins as the first of a request does.
func isRequestLine(line string) bool {
	method, target, _ := strings.Cut(line, " ")
	return strings.ToUpper(method) == method && (strings.HasPrefix(target, "/") || strings.HasPrefix(target, "http"))
}

// isPayload reports whether a line is the beginning of a payload: a CSV, base64 of one, or a form
// body.
func isPayload(line string) bool {
	if strings.HasPrefix(line, "payload=") || strings.Contains(line, "client-orderid") || strings.Contains(line, "rp_card_type") {
		return true
	}
	decoded, _ := base64.StdEncoding.DecodeString(line[:len(line)/4*4])
	return len(line) > 40 && (bytes.Contains(decoded, []byte("client-orderid")) || bytes.Contains(decoded, []byte("rp_card_type")))
}

// isTrace reports whether a line is the first that curl writes with --trace-ascii, alone or with
// times.
func isTrace(line string) bool {
	return strings.Contains(line, "=> Send header") || strings.Contains(line, "== Info:") || strings.HasPrefix(line, "Note: ")
}

// Is reports whether a text that begins with head looks like a capture, which may still be refused
// as a whole. A few hundred bytes are enough; no payload begins so.
func Is(head []byte) bool {
	text := bytes.TrimLeft(bytes.TrimPrefix(head, []byte(byteOrderMark)), " \t\r\n")
	if rest, isObject := bytes.CutPrefix(text, []byte("{")); isObject {
		return bytes.HasPrefix(bytes.TrimLeft(rest, " \t\r\n"), []byte(`"log"`))
	}
	line, _ := cutLine(text)
	if bareLine, _, _ := strings.Cut(bareCommand(string(text)), "\n"); isCommand(bareLine) {
		return true
	}
	method, target, _ := strings.Cut(line, " ")
	switch {
	case slices.Contains([]string{"POST", "GET", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "CONNECT"}, method):
		return strings.HasPrefix(target, "/") || strings.HasPrefix(target, "http") || method == "CONNECT"
	case strings.HasPrefix(line, "* "), strings.HasPrefix(line, "> "):
		return true
	}
	return isTrace(line)
}

// An EntryError is the fault of a capture that can be read, but not with the [Options.Entry] that
// was chosen, or without one.
type EntryError struct{ ledger.Finding }

func (e *EntryError) Unwrap() error { return e.Finding }

func wrongEntry(message, help string) error {
	f, _ := errors.AsType[ledger.Finding](fault(nowhere, message, help))
	return &EntryError{f}
}

func oneRequest() error {
	return wrongEntry("there is one request, and another was chosen", "leave out its number")
}

// nowhere is the offset of what has no single place.
const nowhere = -1

func refuse(offset int, message, help string) (Request, ledger.Findings, error) {
	return Request{}, nil, fault(offset, message, help)
}

// The hints of the findings about a body that a caller can give in another way: that the text is a
// payload, not a request, and that the body of a command is in a file.
const (
	HintPayload = "payload"
	HintBody    = "body"
)

func hinted(hint ledger.Code, message, help string) error {
	f, _ := errors.AsType[ledger.Finding](fault(nowhere, message, help))
	f.Hint = hint
	return f
}

func fault(offset int, message, help string) error {
	f := table.Finding(RequestForm, message, help)
	f.Place.File = part
	if offset >= 0 {
		f.Place.Line, f.Place.Offset = 1, int64(offset)
	}
	return f
}

// A scanner reads a request as HTTP/1 sends it.
type scanner struct {
	raw     []byte
	at      int
	scheme  string // of a target without one
	anyHost bool
}

func (s *scanner) request() (Request, ledger.Findings, error) {
	r, found, err := s.parts()
	if f, ok := err.(ledger.Finding); ok && f.Place.Line > 0 {
		before := s.raw[:f.Place.Offset]
		f.Place.Line = 1 + bytes.Count(before, []byte("\n"))
		f.Place.Col = len(before) - bytes.LastIndexByte(before, '\n')
		err = f
	}
	return r, found, err
}

func (s *scanner) parts() (Request, ledger.Findings, error) {
	line, _ := s.line()
	method, rest, _ := strings.Cut(line, " ")
	target, version, ok := strings.Cut(rest, " ")
	if !ok || method == "" || target == "" || !strings.HasPrefix(version, "HTTP/") {
		return refuse(0, "the first line is not an HTTP request line or a curl command", "capture the request from its first line on, which reads METHOD TARGET HTTP/1.1, or paste the curl command")
	}
	fields, err := s.fields()
	if err != nil {
		return Request{}, nil, err
	}
	url, err := fields.url(s.scheme, target, s.anyHost)
	if err != nil {
		return Request{}, nil, err
	}
	return fields.request(method, url, s.raw[s.at:])
}

// line returns the next line without its end, and false at the end of the text.
func (s *scanner) line() (string, bool) {
	if s.at >= len(s.raw) {
		return "", false
	}
	line, rest := cutLine(s.raw[s.at:])
	s.at = len(s.raw) - len(rest)
	return line, true
}

func cutLine(text []byte) (line string, rest []byte) {
	before, after, _ := bytes.Cut(text, []byte("\n"))
	return string(bytes.TrimSuffix(before, []byte("\r"))), after
}

// A field is one header line with its folds.
type field struct{ name, value string }

type fieldList []field

// maxFields bounds the header of a request.
const maxFields = 500

func (s *scanner) fields() (fieldList, error) {
	var list fieldList
	for {
		start := s.at
		line, ok := s.line()
		switch {
		case !ok && len(list) == 0:
			return nil, fault(start, "the request has no header lines", "capture the header lines too")
		case !ok || line == "":
			return list, nil
		case line[0] == ' ' || line[0] == '\t':
			if len(list) == 0 {
				return nil, fault(start, "the first header line begins with a space", "remove the space")
			}
			list[len(list)-1].value += "\n" + line
			continue
		case len(list) == maxFields:
			return nil, fault(start, "the request has more than "+strconv.Itoa(maxFields)+" header lines", "capture one request")
		}
		name, value, ok := strings.Cut(line, ":")
		if !ok || name == "" || strings.ContainsAny(name, " \t") {
			return nil, fault(start, "a header line does not have a name and a colon", "put an empty line between header and body")
		}
		list = append(list, field{name, strings.Trim(value, " \t")})
	}
}

// one returns the value of a header that may be there once, and whether it is there.
func (list fieldList) one(name string) (value string, found bool, err error) {
	for _, f := range list {
		if !strings.EqualFold(f.name, name) {
			continue
		}
		if found {
			return "", false, fault(nowhere, "the request has two headers "+name, "keep the one that was used")
		}
		value, found = f.value, true
	}
	return value, found, nil
}

// url joins the target to the Host header. A target of another form is the URL itself.
func (list fieldList) url(scheme, target string, anyHost bool) (string, error) {
	if strings.Contains(target, "#") {
		return "", fault(nowhere, "the target of the request has a fragment, which HTTP never sends", "capture the request as it was sent")
	}
	host, _, err := list.one("Host")
	switch {
	case err != nil || target[0] != '/':
		return target, err
	case host == "" && anyHost:
		return scheme + "://unknown" + target, nil
	case host == "":
		return "", fault(nowhere, "the request has no Host header", "capture it, or add the URL")
	case !isAuthority(host):
		return "", fault(nowhere, "the Host header is not a host with an optional port", "capture the request as it was sent")
	}
	return scheme + "://" + host + target, nil
}

// isAuthority reports whether a Host header is a host and an optional port and nothing else, so
// that it can be put into a URL without changing the meaning of what follows. Which hosts and ports
// there are is checked with the URL.
func isAuthority(host string) bool {
	for i := range len(host) {
		if c := host[i]; c <= ' ' || c == 0x7f || strings.IndexByte(`/\?#@`, c) >= 0 {
			return false
		}
	}
	return host != ""
}

// request makes the request of the header lines and of what follows them.
func (list fieldList) request(method, url string, rest []byte) (Request, ledger.Findings, error) {
	r := Request{Method: method, URL: url}
	var err error
	if r.ContentType, _, err = list.one("Content-Type"); err == nil {
		r.Authorization, _, err = list.one("Authorization")
	}
	var found ledger.Findings
	if err == nil {
		r.Body, found, err = list.body(rest)
	}
	return r, found, err
}

func (list fieldList) body(rest []byte) ([]byte, ledger.Findings, error) {
	coding, _, err := list.one("Transfer-Encoding")
	if err == nil && coding != "" && !strings.EqualFold(coding, "identity") {
		err = fault(nowhere, "the body has a transfer coding", "capture the request with its body decoded")
	}
	text, given, err2 := list.one("Content-Length")
	if err == nil {
		err = err2
	}
	if err != nil || !given {
		return rest, nil, err
	}
	length, valid := readLength(text)
	short := func(message, help string) (body []byte, _ ledger.Findings, _ error) {
		f := table.Finding(ContentLength, message, help)
		f.Place.File = part
		return rest, ledger.Findings{f}, nil
	}
	switch {
	case !valid:
		return nil, nil, fault(nowhere, "Content-Length is not a number in digits", "capture the request as it was sent")
	case length < len(rest) && len(bytes.Trim(rest[length:], "\r\n")) == 0:
		return rest[:length], nil, nil
	case length > 0 && len(rest) == 0:
		return short("the request has no body, and its Content-Length is "+strconv.Itoa(length), "capture the request with its body")
	case length != len(rest):
		return short("the body has "+strconv.Itoa(len(rest))+" bytes, and Content-Length is "+strconv.Itoa(length), "capture the request whole")
	}
	return rest, nil, nil
}

// readLength reads a number in digits: no sign, nothing around it.
func readLength(text string) (int, bool) {
	if text == "" || strings.Trim(text, "0123456789") != "" {
		return 0, false
	}
	n, err := strconv.Atoi(text)
	return n, err == nil
}

// isSigned reports whether the value of an Authorization header is one of the scheme OAuth.
func isSigned(authorization string) bool {
	const scheme = "OAuth"
	return len(authorization) > len(scheme) && strings.EqualFold(authorization[:len(scheme)], scheme)
}
