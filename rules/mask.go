package rules

import (
	"strings"

	"github.com/chargecast/chargecast/internal/cardtext"
)

// Mask returns a value of column c as it may be shown: a card number with at most its first
// 6 and last 4 digits (at most half of them, the last ones, when it has fewer than 13);
// cvv2, ssn, e-mail, phone, birthday and names not at all, not even their length; a callback address
// without userinfo, the values of its query and its fragment, and not at all if a card number is
// percent-encoded in it; in any other column a run of 12 and more digits, with single spaces or dashes
// between them or not, like a card number. Masking twice is the same as once. The zero Column is
// for text of no known column, masked like free text.
func Mask(c Column, s string) string {
	switch c.Spec().privacy {
	case masked:
		if s == "" {
			return ""
		}
		return hidden
	case edges:
		return maskCard(s)
	case address:
		return maskAddress(s)
	}
	return cardtext.Mask(s)
}

const hidden = "***"

// maskCard masks a card number. A value with other characters than digits and those of an earlier mask is hidden.
func maskCard(s string) string {
	b := []byte(s)
	for i, d := range b {
		if !isDigit(d) && d != cardtext.Cover {
			return hidden
		}
		if !cardtext.Shows(i, len(b)) {
			b[i] = cardtext.Cover
		}
	}
	return string(b)
}

// ShownCallback returns the address that the gateway calls for each final status of a charge (6), as it
// may be printed ([Mask]); empty for none. Two of them are an error of the row.
func (r Row) ShownCallback() string {
	if r.hidden == nil {
		return ""
	}
	return maskAddress(r.hidden(r.at).callback)
}

// maskAddress masks a callback address.
func maskAddress(url string) string { return cardtext.MaskEscaped(shownURL(url)) }

// shownURL returns an address without what may be a password or a token: the part before @, the values of the
// query and the fragment. The text may be anything, since a value that is not a URL is only a warning.
func shownURL(url string) string {
	if url == "" {
		return ""
	}
	address, query, _ := strings.Cut(url, "?")
	address, fragment, _ := strings.Cut(address, "#")
	scheme, rest, ok := strings.Cut(address, "://")
	if !ok {
		return hidden // not an address: all of it may be a token
	}
	scheme += "://"
	end := strings.IndexAny(rest, `/\`)
	if end < 0 {
		end = len(rest)
	}
	host, path := rest[:end], rest[end:]
	if at := strings.LastIndexByte(host, '@'); at >= 0 {
		host = host[at+1:]
	}
	// A password may have the characters that end a host: / ? #.
	if strings.Contains(path, "@") || strings.Contains(scheme, "@") || !hasPort(host) || path == "" && strings.Contains(query+fragment, "@") {
		host, path = hidden, ""
	}
	if strings.Contains(scheme, "@") {
		scheme = ""
	}
	shown := scheme + host + path
	if fragment != "" {
		return shown + "#" + hidden // a query after it is part of it
	}
	if query = shownQuery(query); query == "" {
		return shown
	}
	return shown + "?" + query
}

// hasPort reports whether the name or address of a host is followed by a port, or nothing. Other text may
// be a password with a character that ends a host.
func hasPort(host string) bool {
	if strings.HasPrefix(host, "[") {
		_, host, _ = strings.Cut(host, "]")
	}
	_, port, _ := strings.Cut(host, ":")
	return strings.Trim(port, "0123456789") == ""
}

// shownQuery keeps the names of a query.
func shownQuery(query string) string {
	query, fragment, _ := strings.Cut(query, "#")
	var b strings.Builder
	for i, item := range strings.FieldsFunc(query, func(r rune) bool { return r == '&' || r == ';' }) {
		if i > 0 {
			b.WriteByte('&')
		}
		if name, _, ok := strings.Cut(item, "="); ok {
			b.WriteString(name + "=")
		}
		b.WriteString(hidden)
	}
	if fragment != "" {
		b.WriteString("#" + hidden)
	}
	return b.String()
}
