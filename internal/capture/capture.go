// Package capture reads captured requests: text as HTTP/1 sends it, a curl command, the output of curl --trace-ascii,
// and HAR files.
package capture

import (
	"bytes"
	"errors"
	"iter"
	"slices"
	"strconv"
	"strings"

	"github.com/chargecast/chargecast/internal/clause"
	"github.com/chargecast/chargecast/ledger"
)

// The codes of a capture: one that cannot be read, and one whose body is not as long as it says.
const (
	RequestForm   ledger.Code = "request-form"
	ContentLength ledger.Code = "content-length"
)

var table = ledger.NewRules([]ledger.Rule{
	{Code: RequestForm, Severity: ledger.SeverityError, Clause: clause.Doc41, Text: "the text is not a captured HTTP request that can be read",
		Help: "capture the request line, the header lines, an empty line and the body"},
	{Code: ContentLength, Severity: ledger.SeverityWarning, Clause: clause.Doc41, Text: "the length of the body is not that of Content-Length", Help: "capture the request whole"},
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
	Entry   int  // which request of a HAR file or a trace, from 1; 0 for the one that is signed
	AnyHost bool // the URL is known from elsewhere, so that the Host header may be missing
	AnyBody bool // the body is known from elsewhere, so that a command may have it in a file
}

// part is the File of the places here.
const part = "request"

const byteOrderMark = "\xef\xbb\xbf"

// Parse reads a capture of any form. A target with scheme and host is the URL; otherwise it is https, Host and target,
// or http if a trace shows that curl connected without TLS. A body longer than Content-Length by line ends only loses
// these: editors add them. The findings are warnings, the error is a finding with the code [RequestForm].
func Parse(raw []byte, o Options) (Request, ledger.Findings, error) {
	raw = bytes.TrimPrefix(raw, []byte(byteOrderMark))
	text := bytes.TrimLeft(raw, " \t\r\n")
	switch head, _ := cutLine(text); {
	case bytes.HasPrefix(raw, []byte("\xff\xfe")), bytes.HasPrefix(raw, []byte("\xfe\xff")):
		return refuse(nowhere, "the text is in UTF-16", "save it as UTF-8; in PowerShell let curl write the file itself, with --trace-ascii")
	case len(text) == 0:
		return refuse(nowhere, "the capture is empty", "capture the request line, the header lines, an empty line and the body")
	case bytes.HasPrefix(text, []byte("{")):
		return parseHAR(raw, o)
	case isCommand(head):
		if o.Entry > 1 {
			return Request{}, nil, oneRequest()
		}
		return parseCommand(string(text), o)
	case isTrace(head):
		return parseTrace(text, o)
	case strings.HasPrefix(head, "* "), strings.HasPrefix(head, "> "):
		return refuse(nowhere, "this is the output of curl -v, which shows no body", "capture with --trace-ascii FILE")
	case o.Entry > 1:
		return Request{}, nil, oneRequest()
	}
	s := scanner{raw: raw, scheme: "https", anyHost: o.AnyHost}
	return s.request()
}

// Is reports whether a text that begins with head looks like a capture, which may still be refused as a whole. A few
// hundred bytes are enough; no payload begins so.
func Is(head []byte) bool {
	text := bytes.TrimLeft(bytes.TrimPrefix(head, []byte(byteOrderMark)), " \t\r\n")
	if rest, isObject := bytes.CutPrefix(text, []byte("{")); isObject {
		return bytes.HasPrefix(bytes.TrimLeft(rest, " \t\r\n"), []byte(`"log"`))
	}
	line, _ := cutLine(text)
	method, target, _ := strings.Cut(line, " ")
	switch {
	case slices.Contains([]string{"POST", "GET", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "CONNECT"}, method):
		return strings.HasPrefix(target, "/") || strings.HasPrefix(target, "http") || method == "CONNECT"
	case strings.HasPrefix(line, "* "), strings.HasPrefix(line, "> "):
		return true
	}
	return isCommand(line) || isTrace(line)
}

// An EntryError is the fault of a capture that can be read, but not with the [Options.Entry] that was chosen, or without
// one.
type EntryError struct{ ledger.Finding }

func (e *EntryError) Unwrap() error { return e.Finding }

func wrongEntry(message, help string) error {
	f, _ := errors.AsType[ledger.Finding](fault(nowhere, message, help))
	return &EntryError{f}
}

func oneRequest() error {
	return wrongEntry("there is one request, and another was chosen", "leave the choice out")
}

// nowhere is the offset of what has no single place.
const nowhere = -1

func refuse(offset int, message, help string) (Request, ledger.Findings, error) {
	return Request{}, nil, fault(offset, message, help)
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
		return refuse(0, "the first line is not an HTTP request line", "capture the request from its first line on, which reads METHOD TARGET HTTP/1.1")
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

// isAuthority reports whether a Host header is a host and an optional port and nothing else, so that
// it can be put into a URL without changing the meaning of what follows. Which hosts and ports there
// are is checked with the URL.
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

// choose returns which of several requests is meant: the one that was chosen, or the only one that is signed.
func choose(what string, signed []bool, entry int) (int, error) {
	switch {
	case entry > len(signed):
		return 0, wrongEntry(what+" has "+strconv.Itoa(len(signed))+" requests, and another was chosen", "choose one of them")
	case entry > 0:
		return entry - 1, nil
	case len(signed) == 1:
		return 0, nil
	}
	var which []string
	at := 0
	for i, is := range signed {
		if is {
			at, which = i, append(which, strconv.Itoa(i+1))
		}
	}
	switch len(which) {
	case 0:
		return 0, fault(nowhere, "none of the "+strconv.Itoa(len(signed))+" requests has an Authorization header of the scheme OAuth",
			"save a HAR file with sensitive data included: browsers leave the header out by default")
	case 1:
		return at, nil
	}
	const most = 10
	if len(which) > most {
		which = append(which[:most], "…")
	}
	return 0, wrongEntry(what+" has several signed requests: entries "+strings.Join(which, ", "), "keep the one that is meant")
}
