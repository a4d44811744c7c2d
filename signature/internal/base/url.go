package base

import (
	"cmp"
	"net/netip"
	"strconv"
	"strings"
)

// A URL is the parts of an absolute http or https URL as typed; nothing is decoded.
type URL struct {
	Scheme, Userinfo, Host, Port, Path, Query, Fragment string
	HasUserinfo, HasPort, HasQuery, HasFragment         bool
	Number                                              int // the port as a number, 0 without one
}

// ParseURL cuts an absolute http or https URL into its parts and refuses bytes that none of them
// may have. Package net/url does not serve here: it accepts a URL without a host, re-encodes paths
// and drops query parameters with a semicolon or a bad escape.
func ParseURL(raw string) (URL, *Problem) {
	var u URL
	problem := u.parse(raw)
	return u, problem
}

func (u *URL) parse(raw string) *Problem {
	for i := range len(raw) {
		if c := raw[i]; c <= ' ' || c == 0x7f || c == '\\' {
			return urlProblem(i, "a URL cannot have a space, a control character or a backslash", "percent-encode it")
		}
	}
	colon := strings.IndexByte(raw, ':')
	if colon < 0 || !isHTTP(raw[:colon]) || !strings.HasPrefix(raw[colon:], "://") {
		return urlProblem(-1, "this is not an absolute http or https URL", "write it in full, as in https://host/path")
	}
	scheme, rest := raw[:colon], raw[colon+len("://"):]
	u.Scheme = scheme
	end := strings.IndexAny(rest, "/?#")
	if end < 0 {
		end = len(rest)
	}
	authority, tail := rest[:end], rest[end:]
	if problem := u.setAuthority(authority, len(scheme)+len("://")); problem != nil {
		return problem
	}
	tail, u.Fragment, u.HasFragment = strings.Cut(tail, "#")
	u.Path, u.Query, u.HasQuery = strings.Cut(tail, "?")
	start := len(scheme) + len("://") + len(authority)
	if _, bad := Decode(u.Path); bad >= 0 {
		return urlProblem(start+bad, "a percent sign in the path is not followed by two hex digits", "write a percent sign that is data as %25")
	}
	return nil
}

func urlProblem(offset int, message, help string) *Problem {
	return &Problem{Code: codeURLForm, Part: PartURL, Offset: offset, Message: message, Help: help}
}

func isHTTP(scheme string) bool {
	return strings.EqualFold(scheme, "https") || strings.EqualFold(scheme, "http")
}

// setAuthority reads [userinfo@]host[:port]; start is its offset in the URL.
func (u *URL) setAuthority(authority string, start int) *Problem {
	if i := strings.LastIndexByte(authority, '@'); i >= 0 {
		u.Userinfo, u.HasUserinfo = authority[:i], true
		authority = authority[i+1:]
		start += i + 1
	}
	host := authority
	if end := strings.IndexByte(authority, ']'); strings.HasPrefix(authority, "[") && end > 0 {
		host = authority[:end+1]
	} else if before, _, ok := strings.Cut(authority, ":"); ok {
		host = before
	}
	u.Host = host
	if after := authority[len(host):]; after != "" {
		if after[0] != ':' {
			return urlProblem(start+len(host), "only a port may follow an address in brackets", "")
		}
		u.Port, u.HasPort = after[1:], true
	}
	if problem := checkHost(host, start); problem != nil {
		return problem
	}
	return u.readPort(start + len(host) + 1)
}

func checkHost(host string, start int) *Problem {
	if host == "" {
		return urlProblem(start, "the URL has no host", "write it in full, as in https://host/path")
	}
	if host[0] == '[' {
		inside, closed := strings.CutSuffix(host[1:], "]")
		if address, err := netip.ParseAddr(inside); !closed || err != nil || !address.Is6() {
			return urlProblem(start, "the text in brackets is not an IPv6 address", "")
		}
		return nil
	}
	if i := strings.IndexAny(host, "\"<>^`{|}[]"); i >= 0 {
		return urlProblem(start+i, "a host name cannot have this character", "")
	}
	return nil
}

// readPort accepts an empty port and leading zeros; [URL.Check] refuses them.
func (u *URL) readPort(start int) *Problem {
	if !u.HasPort || u.Port == "" {
		return nil
	}
	for i := range len(u.Port) {
		c := u.Port[i]
		if c < '0' || c > '9' || u.Number > 65535 {
			return portProblem(start)
		}
		u.Number = u.Number*10 + int(c-'0')
	}
	if u.Number < 1 || u.Number > 65535 {
		return portProblem(start)
	}
	return nil
}

// DefaultPort is that of a scheme.
func DefaultPort(scheme string) int {
	if strings.EqualFold(scheme, "https") {
		return 443
	}
	return 80
}

func portProblem(start int) *Problem {
	return &Problem{Code: codeURLPort, Part: PartURL, Offset: start}
}

// Check refuses what no request may have (L58, L59).
func (u *URL) Check() *Problem {
	problem := u.CheckExtras()
	if problem == nil && u.HasPort && (u.Port == "" || u.Port[0] == '0') {
		problem = portProblem(-1)
		problem.Message, problem.Help = "the port is empty or has a leading zero", "write a plain number, or leave out the colon"
	}
	return problem
}

// CheckExtras refuses user information, a query and a fragment (L59).
func (u *URL) CheckExtras() *Problem {
	code := codeURLUserinfo
	switch {
	case u.HasUserinfo:
	case u.HasQuery:
		code = codeURLQuery
	case u.HasFragment:
		code = codeURLFragment
	default:
		return nil
	}
	return &Problem{Code: code, Part: PartURL, Offset: -1}
}

// IsOdd reports whether the host is one that is signed as typed although another spelling of it is common.
func (u *URL) IsOdd() bool {
	return strings.HasSuffix(u.Host, ".") || u.Host[0] == '[' && strings.Contains(u.Host, "%") ||
		strings.ContainsFunc(u.Host, func(c rune) bool { return c >= 0x80 })
}

// Parts returns what is signed of the URL: scheme and host in lower case, the port behind its colon unless it is the
// default one of the scheme, and the path byte for byte as sent, / for an empty one (L58).
func (u *URL) Parts() (scheme, host, port, path string) {
	scheme, host, path = lower(u.Scheme), lower(u.Host), cmp.Or(u.Path, "/")
	if u.Number != 0 && u.Number != DefaultPort(scheme) {
		port = ":" + strconv.Itoa(u.Number)
	}
	return scheme, host, port, path
}

// URI returns the second element of a base string before its encoding.
func (u *URL) URI() string {
	scheme, host, port, path := u.Parts()
	return scheme + "://" + host + port + path
}

// lower is text with the letters of ASCII in lower case.
func lower(text string) string {
	return strings.Map(func(c rune) rune {
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		return c
	}, text)
}
