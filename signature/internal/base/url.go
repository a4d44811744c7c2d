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
	Plain                                               bool // the host is signed as typed, and nothing is odd about it
	Number                                              int  // the port as a number, 0 without one
}

// A URLError is what makes a text something else than an absolute http or https URL.
type URLError struct {
	Offset        int // of the byte that is wrong; -1 if none is
	Message, Help string
	Port          bool // the port is wrong, and there is no message
}

// Split cuts an absolute http or https URL into its parts and refuses bytes that none of them may
// have. Package net/url does not serve here: it accepts a URL without a host, re-encodes paths and
// drops query parameters with a semicolon or a bad escape.
func (u *URL) Split(raw string) *URLError {
	if err := checkURLBytes(raw); err != nil {
		return err
	}
	colon := strings.IndexByte(raw, ':')
	if colon < 0 || !isHTTP(raw[:colon]) || !strings.HasPrefix(raw[colon:], "://") {
		return &URLError{Offset: -1, Message: "this is not an absolute http or https URL", Help: "write it in full, as in https://host/path"}
	}
	scheme, rest := raw[:colon], raw[colon+len("://"):]
	u.Scheme = scheme
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
	tail, u.Fragment, u.HasFragment = strings.Cut(tail, "#")
	u.Path, u.Query, u.HasQuery = strings.Cut(tail, "?")
	start := len(scheme) + len("://") + len(authority)
	if i := badEscapeIn(u.Path); i >= 0 {
		return &URLError{Offset: start + i, Message: "a percent sign in the path is not followed by two hex digits", Help: "write a percent sign that is data as %25"}
	}
	return nil
}

// isHTTP reports whether a scheme is http or https in any case; the usual spellings are tried first.
func isHTTP(scheme string) bool {
	return scheme == "https" || scheme == "http" || strings.EqualFold(scheme, "https") || strings.EqualFold(scheme, "http")
}

func checkURLBytes(raw string) *URLError {
	i := 0
	for len(raw)-i >= wordSize && neverInURL(loadWord(raw[i:])) == 0 {
		i += wordSize
	}
	for ; i < len(raw); i++ {
		if c := raw[i]; c <= ' ' || c == 0x7f || c == '\\' {
			return &URLError{Offset: i, Message: "a URL cannot have a space, a control character or a backslash", Help: "percent-encode it"}
		}
	}
	return nil
}

// neverInURL returns the top bit of each byte of w that is a space, a control character or a
// backslash.
func neverInURL(w uint64) uint64 {
	low := w &^ tops
	space := (0x80+' ')*ones - low
	del := low + (0x80-0x7f)*ones
	backslash := tops - (low ^ '\\'*ones) // 0x80 where nothing differs
	return (space | del | backslash) &^ w & tops
}

func badEscapeIn(text string) int {
	first := strings.IndexByte(text, '%')
	if first < 0 {
		return -1
	}
	for i := first; i < len(text); i++ {
		if text[i] == '%' && (i+2 >= len(text) || !IsHex(text[i+1]) || !IsHex(text[i+2])) {
			return i
		}
	}
	return -1
}

// setAuthority reads [userinfo@]host[:port]; start is its offset in the URL.
func (u *URL) setAuthority(authority string, start int) *URLError {
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
			return &URLError{Offset: start + len(host), Message: "only a port may follow an address in brackets"}
		}
		u.Port, u.HasPort = after[1:], true
	}
	if u.Plain = isPlainHost(host); !u.Plain {
		if err := checkHost(host, start); err != nil {
			return err
		}
	}
	return u.readPort(start + len(host) + 1)
}

// isPlainHost reports whether a host is like most: lower-case letters, digits, hyphens and points, the
// last byte no point.
func isPlainHost(host string) bool {
	for i := range len(host) {
		if c := host[i]; (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '-' && c != '.' {
			return false
		}
	}
	return host != "" && host[len(host)-1] != '.'
}

func checkHost(host string, start int) *URLError {
	if host == "" {
		return &URLError{Offset: start, Message: "the URL has no host", Help: "write it in full, as in https://host/path"}
	}
	if host[0] == '[' {
		inside, closed := strings.CutSuffix(host[1:], "]")
		if address, err := netip.ParseAddr(inside); !closed || err != nil || !address.Is6() {
			return &URLError{Offset: start, Message: "the text in brackets is not an IPv6 address"}
		}
		return nil
	}
	for i := range len(host) {
		if unreserved[host[i]] != 0 {
			continue
		}
		switch host[i] {
		case '"', '<', '>', '^', '`', '{', '|', '}', '[', ']':
			return &URLError{Offset: start + i, Message: "a host name cannot have this character"}
		}
	}
	return nil
}

// readPort accepts an empty port and leading zeros; check refuses them where the profile does.
func (u *URL) readPort(start int) *URLError {
	if !u.HasPort || u.Port == "" {
		return nil
	}
	for i := range len(u.Port) {
		c := u.Port[i]
		if c < '0' || c > '9' || u.Number > 65535 {
			return &URLError{Offset: start, Port: true}
		}
		u.Number = u.Number*10 + int(c-'0')
	}
	if u.Number < 1 || u.Number > 65535 {
		return &URLError{Offset: start, Port: true}
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

// Parts returns what is signed of the URL: scheme and host in lower case, the port behind its colon unless it is the
// default one of the scheme, and the path byte for byte as sent, / for an empty one (L58).
func (u *URL) Parts() (scheme, host, port, path string) {
	scheme, host, path = lower(u.Scheme), u.Host, cmp.Or(u.Path, "/")
	if !u.Plain {
		host = lower(host)
	}
	if u.Number != 0 && u.Number != DefaultPort(scheme) {
		port = ":" + strconv.Itoa(u.Number)
	}
	return scheme, host, port, path
}

// AppendEncoded appends the encoded base URI.
func (u *URL) AppendEncoded(dst []byte) []byte {
	scheme, host, port, path := u.Parts()
	dst = append(AppendEncoded(dst, scheme), "%3A%2F%2F"...)
	return AppendEncoded(AppendEncoded(AppendEncoded(dst, host), port), path)
}

// lower is text with the letters of ASCII in lower case, and the text itself if they are.
func lower(text string) string {
	for i := range len(text) {
		if c := text[i]; 'A' <= c && c <= 'Z' {
			low := []byte(text)
			for ; i < len(low); i++ {
				if c := low[i]; 'A' <= c && c <= 'Z' {
					low[i] = c + 'a' - 'A'
				}
			}
			return string(low)
		}
	}
	return text
}
