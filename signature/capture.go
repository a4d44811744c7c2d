package signature

import (
	"bytes"
	"strconv"
	"strings"
)

// Captured is an HTTP request as it was recorded: what Verify and Diagnose take, and its Authorization header.
type Captured struct {
	Request       Request
	Authorization string // empty when the request had none
	Findings      []Finding
}

// maxHeaderLines bounds the header of a captured request.
const maxHeaderLines = 500

// ParseRequest reads a captured HTTP request: request line, header lines, an empty line, the body as sent; lines end in
// LF or CRLF, header names are compared without case, a folded line continues the one before. A target with scheme and
// host is the URL; otherwise it is https, Host and target. A body longer than Content-Length by line ends only loses
// these: editors add them. Errors: RequestForm, with the offset.
func ParseRequest(raw []byte) (Captured, error) {
	var c Captured
	s := requestScanner{raw: raw}
	method, target, err := s.requestLine()
	if err != nil {
		return c, err
	}
	fields, err := s.fields()
	if err != nil {
		return c, err
	}
	c.Request.Method = method
	if c.Request.URL, err = fields.url(target); err != nil {
		return c, err
	}
	if c.Request.ContentType, err = fields.one("Content-Type"); err != nil {
		return c, err
	}
	if c.Authorization, err = fields.one("Authorization"); err != nil {
		return c, err
	}
	c.Request.Body, c.Findings, err = fields.body(raw[s.at:])
	if err != nil {
		return c, err
	}
	return c, nil
}

func badRequest(offset int, rule, remedy string) *Error {
	return &Error{Code: RequestForm, Part: PartRequest, Offset: offset, Rule: rule, Remedy: remedy}
}

type requestScanner struct {
	raw []byte
	at  int
}

// line gives the next line without its end, and false at the end of the text.
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

func (s *requestScanner) requestLine() (method, target string, failed error) {
	line, _ := s.line()
	method, rest, _ := strings.Cut(line, " ")
	target, version, ok := strings.Cut(rest, " ")
	if !ok || method == "" || target == "" || !strings.HasPrefix(version, "HTTP/") {
		return "", "", badRequest(0, "the first line is no request line", "it reads METHOD TARGET HTTP/1.1")
	}
	return method, target, nil
}

// field is one header line, its folds joined.
type field struct{ name, value string }

type fieldList []field

func (s *requestScanner) fields() (fieldList, error) {
	var list fieldList
	for {
		start := s.at
		line, ok := s.line()
		switch {
		case !ok && len(list) == 0:
			return nil, badRequest(start, "there are no header lines", "an empty line stands between header and body")
		case !ok || line == "":
			return list, nil
		case line[0] == ' ' || line[0] == '\t':
			if len(list) == 0 {
				return nil, badRequest(start, "the first header line begins with a space", "")
			}
			list[len(list)-1].value += "\n" + line
			continue
		case len(list) == maxHeaderLines:
			return nil, badRequest(start, "more than "+strconv.Itoa(maxHeaderLines)+" header lines", "")
		}
		name, value, ok := strings.Cut(line, ":")
		if !ok || name == "" || strings.ContainsAny(name, " \t") {
			return nil, badRequest(start, "a header line has no name and colon", "an empty line stands between header and body")
		}
		list = append(list, field{name, strings.Trim(value, " \t")})
	}
}

// one gives the value of a header that may stand once, or the empty text.
func (list fieldList) one(name string) (string, error) {
	value, found := "", false
	for _, f := range list {
		if !strings.EqualFold(f.name, name) {
			continue
		}
		if found {
			return "", badRequest(noOffset, "the request has two headers "+name, "keep one")
		}
		value, found = f.value, true
	}
	return value, nil
}

func (list fieldList) url(target string) (string, error) {
	if target[0] != '/' {
		return target, nil
	}
	host, err := list.one("Host")
	if err != nil {
		return "", err
	}
	if host == "" {
		return "", badRequest(noOffset, "the request has no Host header", "give the URL beside it")
	}
	return "https://" + host + target, nil
}

func (list fieldList) body(rest []byte) ([]byte, []Finding, error) {
	if coding, _ := list.one("Transfer-Encoding"); coding != "" && !strings.EqualFold(coding, "identity") {
		return nil, nil, badRequest(noOffset, "the body has a transfer coding", "capture the request with its body decoded")
	}
	text, err := list.one("Content-Length")
	if err != nil {
		return nil, nil, err
	}
	body := append([]byte{}, rest...)
	if text == "" {
		return body, nil, nil
	}
	length, invalid := strconv.Atoi(text)
	switch {
	case invalid != nil || length < 0:
		return nil, nil, badRequest(noOffset, "Content-Length is no number", "")
	case length < len(body) && len(bytes.Trim(body[length:], "\r\n")) == 0:
		return body[:length], nil, nil
	case length != len(body):
		return body, []Finding{warning(ContentLength, "4.1", "the body has "+strconv.Itoa(len(body))+" bytes, Content-Length says "+strconv.Itoa(length),
			"capture the request whole")}, nil
	}
	return body, nil, nil
}
