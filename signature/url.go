package signature

import (
	"net/netip"
	"strconv"
	"strings"

	"github.com/chargecast/chargecast/ledger"
)

// urlParts are the parts of a URL as typed; nothing is decoded.
type urlParts struct {
	scheme, userinfo, host, port, path, query, fragment string
	hasUserinfo, hasPort, hasQuery, hasFragment         bool
	plain                                               bool // the host is signed as typed, and nothing is odd about it
	number                                              int  // the port as a number, 0 without one
}

func urlFault(offset int, message, help string) *fault {
	f := faultAt(URLForm, partURL, offset, message, help)
	f.Help = help // none where the message says it all
	return f
}

// split cuts an absolute http or https URL into its parts and refuses bytes that none of them may
// have. Package net/url does not serve here: it accepts a URL without a host, re-encodes paths and
// drops query parameters with a semicolon or a bad escape.
func (u *urlParts) split(raw string) *fault {
	if err := checkURLBytes(raw); err != nil {
		return err
	}
	colon := strings.IndexByte(raw, ':')
	if colon < 0 || !isHTTP(raw[:colon]) || !strings.HasPrefix(raw[colon:], "://") {
		return newFault(URLForm, partURL, "this is not an absolute http or https URL", "write it in full, as in https://host/path")
	}
	scheme, rest := raw[:colon], raw[colon+len("://"):]
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
		return urlFault(start+i, "a percent sign in the path is not followed by two hex digits", "write a percent sign that is data as %25")
	}
	return nil
}

// isHTTP reports whether a scheme is http or https in any case; the usual spellings are tried first.
func isHTTP(scheme string) bool {
	return scheme == "https" || scheme == "http" || strings.EqualFold(scheme, "https") || strings.EqualFold(scheme, "http")
}

func checkURLBytes(raw string) *fault {
	i := 0
	for len(raw)-i >= wordSize && neverInURL(loadWord(raw[i:])) == 0 {
		i += wordSize
	}
	for ; i < len(raw); i++ {
		if c := raw[i]; c <= ' ' || c == 0x7f || c == '\\' {
			return urlFault(i, "a URL cannot have a space, a control character or a backslash", "percent-encode it")
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
		if text[i] == '%' && (i+2 >= len(text) || !isHex(text[i+1]) || !isHex(text[i+2])) {
			return i
		}
	}
	return -1
}

// setAuthority reads [userinfo@]host[:port]; start is its offset in the URL.
func (u *urlParts) setAuthority(authority string, start int) *fault {
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
			return urlFault(start+len(host), "only a port may follow an address in brackets", "")
		}
		u.port, u.hasPort = after[1:], true
	}
	if u.plain = isPlainHost(host); !u.plain {
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

func checkHost(host string, start int) *fault {
	if host == "" {
		return urlFault(start, "the URL has no host", "write it in full, as in https://host/path")
	}
	if host[0] == '[' {
		inside, closed := strings.CutSuffix(host[1:], "]")
		if address, err := netip.ParseAddr(inside); !closed || err != nil || !address.Is6() {
			return urlFault(start, "the text in brackets is not an IPv6 address", "")
		}
		return nil
	}
	for i := range len(host) {
		if unreserved[host[i]] != 0 {
			continue
		}
		switch host[i] {
		case '"', '<', '>', '^', '`', '{', '|', '}', '[', ']':
			return urlFault(start+i, "a host name cannot have this character", "")
		}
	}
	return nil
}

// readPort accepts an empty port and leading zeros; check refuses them where the profile does.
func (u *urlParts) readPort(start int) *fault {
	if !u.hasPort || u.port == "" {
		return nil
	}
	for i := range len(u.port) {
		c := u.port[i]
		if c < '0' || c > '9' || u.number > 65535 {
			return faultAt(URLPort, partURL, start, "", "")
		}
		u.number = u.number*10 + int(c-'0')
	}
	if u.number < 1 || u.number > 65535 {
		return faultAt(URLPort, partURL, start, "", "")
	}
	return nil
}

// check refuses what the profile does not allow (L59).
func (u *urlParts) check(p *readings) *fault {
	switch {
	case u.hasUserinfo && !p.dropExtras:
		return newFault(URLUserinfo, partURL, "", "")
	case u.hasQuery && !p.signQuery:
		return newFault(URLQuery, partURL, "", "")
	case u.hasFragment && !p.dropExtras:
		return newFault(URLFragment, partURL, "", "")
	case u.hasPort && !p.loosePort && (u.port == "" || u.port[0] == '0'):
		return newFault(URLPort, partURL, "the port is empty or has a leading zero", "write a plain number, or leave out the colon")
	}
	return nil
}

// findings warns of hosts that are signed as typed although another spelling of them is common.
func (u *urlParts) findings() ledger.Findings {
	if u.plain {
		return nil
	}
	odd := strings.HasSuffix(u.host, ".") || u.host[0] == '[' && strings.Contains(u.host, "%")
	for i := 0; i < len(u.host) && !odd; i++ {
		odd = u.host[i] >= 0x80
	}
	if !odd {
		return nil
	}
	return ledger.Findings{found(URLHost, partURL, "", "")}
}

func (u *urlParts) secure() bool { return strings.EqualFold(u.scheme, "https") }

// appendPort appends the port unless it is the default of the scheme (L58).
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

// appendBaseURI appends the encoded base URI: scheme and host in lower case, a default port dropped,
// the path byte for byte as sent, / for an empty one (L58).
func (u *urlParts) appendBaseURI(dst []byte) []byte {
	dst = appendEncodedLower(dst, u.scheme)
	dst = append(dst, "%3A%2F%2F"...)
	if u.plain {
		dst = append(dst, u.host...)
	} else {
		dst = appendEncodedLower(dst, u.host)
	}
	if u.number != 0 {
		var port [len(":65535")]byte
		dst = appendEncoded(dst, u.appendPort(port[:0]))
	}
	if u.path == "" {
		return append(dst, "%2F"...)
	}
	return appendEncoded(dst, u.path)
}

func appendLower(dst []byte, text string) []byte {
	for i := range len(text) {
		dst = append(dst, lower(text[i]))
	}
	return dst
}

func appendEncodedLower(dst []byte, text string) []byte {
	for i := range len(text) {
		dst = appendEncodedByte(dst, lower(text[i]), len("%"))
	}
	return dst
}

func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		c += 'a' - 'A'
	}
	return c
}
