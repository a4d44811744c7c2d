package rules

import (
	"net/netip"
	"strings"
)

// isEmail reports whether s is a plain address: words with points between them, an @, and
// a domain of at least two labels (L54). Letters beyond ASCII are taken as they are.
func isEmail(s string) bool {
	name, domain, ok := strings.Cut(s, "@")
	return ok && isDotted(name, inAddress) && strings.IndexByte(domain, '.') >= 0 && isDotted(domain, inLabel) && hostForm(domain)
}

// isDotted reports whether s is one or more words of such bytes with single points
// between them.
func isDotted(s string, kind uint8) bool {
	last := byte('.')
	for i := range len(s) {
		c := s[i]
		if byteKinds[c]&kind == 0 && (c != '.' || last == '.') {
			return false
		}
		last = c
	}
	return last != '.'
}

// Kinds of bytes, as bits.
const (
	inLabel   = 1 << iota // of a host name; bytes of characters beyond ASCII can be
	inHost                // of a host name in a URL, where _ is used too
	inAddress             // of the name in an address
	inPath                // of a path, query or fragment
)

// byteKinds is what each byte can be part of.
var byteKinds = func() (kinds [256]uint8) {
	for i := range kinds {
		c := byte(i)
		switch {
		case 'a' <= c|0x20 && c|0x20 <= 'z', isDigit(c), c == '-', c >= 0x80:
			kinds[i] = inLabel | inHost | inAddress | inPath
		case c == '_':
			kinds[i] = inHost | inAddress | inPath
		case strings.IndexByte("!#$%&'*+/=?~", c) >= 0:
			kinds[i] = inAddress | inPath
		case strings.IndexByte("^`{|}", c) >= 0:
			kinds[i] = inAddress
		case c > ' ' && c != 0x7F && strings.IndexByte("\"<>\\", c) < 0:
			kinds[i] = inPath
		}
	}
	return kinds
}()

// hostForm reports whether no label of a dotted name begins or ends with a dash.
func hostForm(host string) bool {
	if strings.IndexByte(host, '-') < 0 {
		return true
	}
	last := byte('.')
	for i := range len(host) {
		c := host[i]
		if c == '-' && last == '.' || c == '.' && last == '-' {
			return false
		}
		last = c
	}
	return last != '-'
}

// isIP reports whether s is an IPv4 or IPv6 address and nothing else, no zone either
// (L54).
func isIP(s string) bool {
	const longest = 45
	if len(s) > longest || strings.IndexByte(s, '%') >= 0 {
		return false // netip would take a zone of any length
	}
	_, err := netip.ParseAddr(s) // the error repeats the value and is dropped
	return err == nil
}

// isURL reports whether s is an absolute http or https URL: scheme, host, perhaps port,
// and visible characters after it (L54).
func isURL(s string) bool {
	rest, ok := cutScheme(s)
	if !ok {
		return false
	}
	end := strings.IndexAny(rest, "/?#")
	authority, path := rest, ""
	if end >= 0 {
		authority, path = rest[:end], rest[end:]
	}
	return isAuthority(authority) && isVisible(path)
}

// cutScheme is s behind http:// or https://, in any case.
func cutScheme(s string) (rest string, ok bool) {
	for _, scheme := range [...]string{"https://", "http://"} {
		if len(s) >= len(scheme) && strings.EqualFold(s[:len(scheme)], scheme) {
			return s[len(scheme):], true
		}
	}
	return "", false
}

// isAuthority reports whether s is a host name or address, perhaps with a port.
func isAuthority(s string) bool {
	host, port := s, ""
	if i := strings.LastIndexByte(s, ':'); i >= 0 && !strings.HasSuffix(s, "]") {
		host, port = s[:i], s[i+1:]
		if n, ok := numberOf(port, 1, 5); !ok || n == 0 || n > 65535 {
			return false
		}
	}
	if strings.HasPrefix(host, "[") && strings.HasSuffix(host, "]") {
		return strings.Contains(host, ":") && isIP(host[1:len(host)-1])
	}
	return isDotted(host, inHost) && hostForm(host)
}

// isVisible reports whether s has no space, control character or other byte that a URL
// must escape.
func isVisible(s string) bool {
	for i := range len(s) {
		if byteKinds[s[i]]&inPath == 0 {
			return false
		}
	}
	return true
}
