package signature

import (
	"net/netip"
	"strconv"
	"strings"
)

// urlParts are the pieces of a URL as typed, sub-texts of it; nothing is decoded.
type urlParts struct {
	scheme, userinfo, host, port, path, query, fragment string
	hasUserinfo, hasPort, hasQuery, hasFragment         bool
	number                                              int // the port as a number, 0 without one
}

func urlError(code Code, offset int, rule, remedy string) *Error {
	return &Error{Code: code, Part: PartURL, Offset: offset, Rule: rule, Remedy: remedy, Clause: "L58"}
}

// splitURL cuts an absolute http or https URL into its parts and refuses what none of them may hold. net/url is of no
// use here: it takes a URL without a host, re-encodes paths and drops query parameters it does not like.
func splitURL(raw string) (urlParts, *Error) {
	var u urlParts
	err := u.split(raw)
	return u, err
}

func (u *urlParts) split(raw string) *Error {
	if err := checkURLBytes(raw); err != nil {
		return err
	}
	scheme, rest, ok := strings.Cut(raw, "://")
	if !ok || !isHTTP(scheme) {
		return urlError(URLForm, noOffset, "an absolute URL of the scheme http or https is needed",
			"write it in full, as in https://host/path")
	}
	u.scheme = scheme
	authority, tail := rest, ""
	for i := range len(rest) {
		if c := rest[i]; c == '/' || c == '?' || c == '#' {
			authority, tail = rest[:i], rest[i:]
			break
		}
	}
	if err := u.setAuthority(authority, len(scheme)+len("://")); err != nil {
		return err
	}
	tail, u.fragment, u.hasFragment = strings.Cut(tail, "#")
	u.path, u.query, u.hasQuery = strings.Cut(tail, "?")
	start := len(scheme) + len("://") + len(authority)
	if i := badEscapeIn(u.path); i >= 0 {
		return urlError(URLForm, start+i, "a percent sign in the path needs two hex digits after it", "")
	}
	return nil
}

// isHTTP tells whether a scheme is http or https in any case; the usual spelling is quick to know.
func isHTTP(scheme string) bool {
	return scheme == "https" || scheme == "http" || strings.EqualFold(scheme, "https") || strings.EqualFold(scheme, "http")
}

func checkURLBytes(raw string) *Error {
	for i := range len(raw) {
		if c := raw[i]; c <= ' ' || c == 0x7f || c == '\\' {
			return urlError(URLForm, i, "a URL has no space, control character or backslash", "percent-encode it")
		}
	}
	return nil
}

func badEscapeIn(text string) int {
	first := strings.IndexByte(text, '%')
	if first < 0 {
		return -1
	}
	for i := first; i < len(text); i++ {
		if text[i] == '%' && (i+2 >= len(text) || !isHex(text[i+1]) || !isHex(text[i+2])) {
			return i
		}
	}
	return -1
}

// setAuthority reads [userinfo@]host[:port]; start is its offset in the URL.
func (u *urlParts) setAuthority(authority string, start int) *Error {
	if i := strings.LastIndexByte(authority, '@'); i >= 0 {
		u.userinfo, u.hasUserinfo = authority[:i], true
		authority = authority[i+1:]
		start += i + 1
	}
	host := authority
	if end := strings.IndexByte(authority, ']'); strings.HasPrefix(authority, "[") && end > 0 {
		host = authority[:end+1]
	} else if before, _, ok := strings.Cut(authority, ":"); ok {
		host = before
	}
	u.host = host
	if after := authority[len(host):]; after != "" {
		if after[0] != ':' {
			return urlError(URLForm, start+len(host), "only a port may follow an address in brackets", "")
		}
		u.port, u.hasPort = after[1:], true
	}
	if err := checkHost(host, start); err != nil {
		return err
	}
	return u.readPort(start + len(host) + 1)
}

func checkHost(host string, start int) *Error {
	if host == "" {
		return urlError(URLForm, start, "the URL has no host", "write it in full, as in https://host/path")
	}
	if host[0] == '[' {
		inside, closed := strings.CutSuffix(host[1:], "]")
		if address, err := netip.ParseAddr(inside); !closed || err != nil || !address.Is6() {
			return urlError(URLForm, start, "brackets hold an IPv6 address", "")
		}
		return nil
	}
	for i := range len(host) {
		switch host[i] {
		case '"', '<', '>', '^', '`', '{', '|', '}', '[', ']':
			return urlError(URLForm, start+i, "a character that no host name has", "")
		}
	}
	return nil
}

// readPort takes an empty port and leading zeros; whether the profile does is checkPort's business.
func (u *urlParts) readPort(start int) *Error {
	if !u.hasPort || u.port == "" {
		return nil
	}
	for i := range len(u.port) {
		c := u.port[i]
		if c < '0' || c > '9' || u.number > 65535 {
			return urlError(URLPort, start, "a port is a number from 1 to 65535", "")
		}
		u.number = u.number*10 + int(c-'0')
	}
	if u.number < 1 || u.number > 65535 {
		return urlError(URLPort, start, "a port is a number from 1 to 65535", "")
	}
	return nil
}

// check refuses what the profile does not allow (L59).
func (u *urlParts) check(p Profile) *Error {
	switch {
	case u.hasUserinfo && p.Extras == ExtrasRefused:
		return &Error{Code: URLUserinfo, Part: PartURL, Offset: noOffset, Rule: "the URL holds a user name or password",
			Remedy: "take it out: it is never signed", Clause: "L59"}
	case u.hasQuery && p.Query == QueryRefused:
		return &Error{Code: URLQuery, Part: PartURL, Offset: noOffset, Rule: "the URL has a query",
			Remedy: "send parameters in the body, or use the profile rfc5849, which signs the query", Clause: "L59"}
	case u.hasFragment && p.Extras == ExtrasRefused:
		return &Error{Code: URLFragment, Part: PartURL, Offset: noOffset, Rule: "the URL has a fragment",
			Remedy: "take it out: it is never sent", Clause: "L59"}
	case u.hasPort && p.Port == PortExact && (u.port == "" || u.port[0] == '0'):
		return urlError(URLPort, noOffset, "the port is empty or has a leading zero", "write it as a plain number, or leave out the colon")
	}
	return nil
}

// findings warns of hosts that are signed as typed although another spelling of them is common.
func (u *urlParts) findings() []Finding {
	odd := strings.HasSuffix(u.host, ".") || u.host[0] == '[' && strings.Contains(u.host, "%")
	for i := 0; i < len(u.host) && !odd; i++ {
		odd = u.host[i] >= 0x80
	}
	if !odd {
		return nil
	}
	return []Finding{warning(URLHost, "L58", "the host has a final dot, an address zone or characters outside ASCII; it is signed as typed",
		"use the form that the service registered")}
}

func (u *urlParts) secure() bool { return strings.EqualFold(u.scheme, "https") }

// appendPort appends the port unless it is the scheme's own (L58).
func (u *urlParts) appendPort(dst []byte) []byte {
	if u.number == 0 || u.number == defaultPort(u.secure()) {
		return dst
	}
	return strconv.AppendInt(append(dst, ':'), int64(u.number), 10)
}

func defaultPort(secure bool) int {
	if secure {
		return 443
	}
	return 80
}

// appendBaseURI appends the base URI: scheme and host in lower case, a default port dropped, the path byte for byte as
// sent, / for an empty one (L58).
func (u *urlParts) appendBaseURI(dst []byte) []byte {
	dst = appendLower(dst, u.scheme)
	dst = append(dst, "://"...)
	dst = appendLower(dst, u.host)
	dst = u.appendPort(dst)
	if u.path == "" {
		return append(dst, '/')
	}
	return append(dst, u.path...)
}

func appendLower(dst []byte, text string) []byte {
	for i := range len(text) {
		c := text[i]
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		dst = append(dst, c)
	}
	return dst
}

// BaseURI is the URL as it enters the base string before its encoding (5.2.5, L58, L59): scheme and host in lower
// case, the scheme's default port dropped, the path as sent, an empty path as /. A query, fragment or userinfo is an
// error under Gateway and is left out under RFC5849. The error is an *Error with URLForm, URLPort or one of their kin.
func BaseURI(raw string, p Profile) (string, error) {
	u, err := splitURL(raw)
	if err == nil {
		err = u.check(p)
	}
	if err != nil {
		return "", err
	}
	if p.URL == URLVerbatim {
		return raw, nil
	}
	return string(u.appendBaseURI(make([]byte, 0, len(raw)+1))), nil
}
