package signature

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/chargecast/chargecast/ledger"
)

// maxHeaderLines bounds the header of a captured request.
const maxHeaderLines = 500

// ParseRequest reads a captured request in one of four forms, which it recognises:
//
//   - as HTTP/1 sends it: request line, header lines, an empty line, the body; lines end in LF or
//     CRLF, names are compared without case, and a folded line continues the one before
//   - the output of curl -v, which shows no body: add one with [Request.WithBody]
//   - the output of curl --trace-ascii or --trace; before that, or -v, the command as it was typed is skipped
//   - a HAR file, with exactly one request that has an Authorization header of the scheme OAuth
//
// A target with scheme and host is the URL; otherwise it is https, Host and target, or http if curl
// shows that it connected without TLS. The request CONNECT that curl sends to a proxy first is skipped.
// A body longer than Content-Length by line ends only loses these: editors add them. The findings are warnings.
// A byte-order mark before the text is no part of it. The error has the code [RequestForm].
func ParseRequest(raw []byte) (Request, ledger.Findings, error) {
	c, findings, failed := parseCapture(bytes.TrimPrefix(raw, []byte(byteOrderMark)))
	if failed != nil {
		return Request{}, nil, failed.err()
	}
	return Request{hide(*c)}, findings, nil
}

func parseCapture(raw []byte) (*requestData, ledger.Findings, *fault) {
	if bytes.HasPrefix(raw, []byte("\xff\xfe")) || bytes.HasPrefix(raw, []byte("\xfe\xff")) {
		return nil, nil, badRequest(noOffset, "the text is in UTF-16", "save it as UTF-8; in PowerShell let curl write the file itself, with --trace-ascii or --stderr")
	}
	trace, form, scheme := recogniseCurl(raw)
	if form == notCurl {
		if bytes.HasPrefix(raw, []byte("* ")) || bytes.HasPrefix(raw, []byte("== Info")) {
			return nil, nil, badRequest(noOffset, "the output of curl shows no request", "curl did not connect, or the lines that begin with > or => are missing")
		}
		if looksLikeJSON(raw) {
			return parseHAR(raw)
		}
		s := requestScanner{raw: raw, scheme: "https"}
		c, findings, failed := s.request()
		return c, findings, failed.locate(string(raw))
	}
	var failed *fault
	if form == curlVerbose {
		trace = readCurlVerbose(trace)
	} else if trace, failed = readCurlTrace(trace); failed != nil {
		return nil, nil, failed
	}
	s := requestScanner{raw: trace, scheme: scheme}
	c, findings, failed := s.request()
	if failed != nil { // its place is not one of the text that was given
		failed.Place = ledger.Place{File: partRequest}
	}
	return c, findings, failed
}

func badRequest(offset int, message, help string) *fault {
	if offset < 0 {
		return newFault(RequestForm, partRequest, message, help)
	}
	return faultAt(RequestForm, partRequest, offset, message, help)
}

// noOffset is the offset of what has no single place.
const noOffset = -1

// A requestScanner reads a request as HTTP/1 sends it.
type requestScanner struct {
	raw    []byte
	at     int
	scheme string // of a target without one
}

func (s *requestScanner) request() (*requestData, ledger.Findings, *fault) {
	c := &requestData{wire: true}
	method, target, err := s.requestLine()
	if err != nil {
		return nil, nil, err
	}
	fields, err := s.fields()
	if err != nil {
		return nil, nil, err
	}
	c.method = method
	if c.url, err = fields.url(s.scheme, target); err != nil {
		return nil, nil, err
	}
	if c.contentType, err = fields.one("Content-Type"); err != nil {
		return nil, nil, err
	}
	if c.authorization, err = fields.one("Authorization"); err != nil {
		return nil, nil, err
	}
	body, findings, err := fields.body(s.raw[s.at:])
	if err != nil {
		return nil, nil, err
	}
	c.body = string(body)
	return c, findings, nil
}

// line returns the next line without its end, and false at the end of the text.
func (s *requestScanner) line() (string, bool) {
	if s.at >= len(s.raw) {
		return "", false
	}
	rest := s.raw[s.at:]
	end := bytes.IndexByte(rest, '\n')
	if end < 0 {
		s.at = len(s.raw)
		return string(rest), true
	}
	s.at += end + 1
	return string(bytes.TrimSuffix(rest[:end], []byte("\r"))), true
}

func (s *requestScanner) requestLine() (method, target string, failed *fault) {
	line, _ := s.line()
	method, rest, _ := strings.Cut(line, " ")
	target, version, ok := strings.Cut(rest, " ")
	if !ok || method == "" || target == "" || !strings.HasPrefix(version, "HTTP/") {
		return "", "", badRequest(0, "the first line is not an HTTP request line", "capture the request from its first line on, which reads METHOD TARGET HTTP/1.1")
	}
	return method, target, nil
}

// A field is one header line with its folds.
type field struct{ name, value string }

type fieldList []field

func (s *requestScanner) fields() (fieldList, *fault) {
	var list fieldList
	for {
		start := s.at
		line, ok := s.line()
		switch {
		case !ok && len(list) == 0:
			return nil, badRequest(start, "the request has no header lines", "capture the header lines too")
		case !ok || line == "":
			return list, nil
		case line[0] == ' ' || line[0] == '\t':
			if len(list) == 0 {
				return nil, badRequest(start, "the first header line begins with a space", "remove the space")
			}
			list[len(list)-1].value += "\n" + line
			continue
		case len(list) == maxHeaderLines:
			return nil, badRequest(start, "the request has more than "+strconv.Itoa(maxHeaderLines)+" header lines", "capture one request")
		}
		name, value, ok := strings.Cut(line, ":")
		if !ok || name == "" || strings.ContainsAny(name, " \t") {
			return nil, badRequest(start, "a header line does not have a name and a colon", "put an empty line between header and body")
		}
		list = append(list, field{name, strings.Trim(value, " \t")})
	}
}

// one returns the value of a header that may be there once, or the empty text.
func (list fieldList) one(name string) (string, *fault) {
	value, _, err := list.lookup(name)
	return value, err
}

// lookup returns the value of a header that may be there once, and whether it is there.
func (list fieldList) lookup(name string) (value string, found bool, failed *fault) {
	for _, f := range list {
		if !strings.EqualFold(f.name, name) {
			continue
		}
		if found {
			return "", false, badRequest(noOffset, "the request has two headers "+name, "keep the one that was used")
		}
		value, found = f.value, true
	}
	return value, found, nil
}

// url joins the target to the Host header. A target of another form is the URL itself.
func (list fieldList) url(scheme, target string) (string, *fault) {
	if strings.Contains(target, "#") {
		return "", badRequest(noOffset, "the target of the request has a fragment, which HTTP never sends", "capture the request as it was sent")
	}
	host, err := list.one("Host")
	if err != nil {
		return "", err
	}
	if target[0] != '/' {
		return target, nil
	}
	if host == "" {
		return "", badRequest(noOffset, "the request has no Host header", "capture it, or add the URL")
	}
	if !isAuthority(host) {
		return "", badRequest(noOffset, "the Host header is not a host with an optional port", "capture the request as it was sent")
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

func (list fieldList) body(rest []byte) ([]byte, ledger.Findings, *fault) {
	coding, err := list.one("Transfer-Encoding")
	if err == nil && coding != "" && !strings.EqualFold(coding, "identity") {
		err = badRequest(noOffset, "the body has a transfer coding", "capture the request with its body decoded")
	}
	if err != nil {
		return nil, nil, err
	}
	text, given, err := list.lookup("Content-Length")
	if err != nil {
		return nil, nil, err
	}
	if !given {
		return rest, nil, nil
	}
	length, valid := readLength(text)
	switch {
	case text == "":
		return nil, nil, badRequest(noOffset, "Content-Length is empty", "capture the request as it was sent")
	case !valid:
		return nil, nil, badRequest(noOffset, "Content-Length is not a number in digits", "capture the request as it was sent")
	case length < len(rest) && len(bytes.Trim(rest[length:], "\r\n")) == 0:
		return rest[:length], nil, nil
	case length > 0 && len(rest) == 0:
		return rest, ledger.Findings{found(BodyMissing, partRequest, "the request has no body, and its Content-Length is "+strconv.Itoa(length), "capture the request with its body")}, nil
	case length != len(rest):
		return rest, ledger.Findings{found(ContentLength, partRequest, "the body has "+strconv.Itoa(len(rest))+" bytes, and Content-Length is "+strconv.Itoa(length),
			"capture the request whole")}, nil
	}
	return rest, nil, nil
}

// readLength reads a number in digits: no sign, nothing around it.
func readLength(text string) (int, bool) {
	if strings.Trim(text, "0123456789") != "" {
		return 0, false
	}
	n, err := strconv.Atoi(text)
	return n, err == nil
}
