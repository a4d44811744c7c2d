package rules

import (
	"strings"

	"github.com/chargecast/chargecast/internal/cardtext"
)

// ShownCallback returns the address that the gateway calls for each final status of a charge (6), as it
// may be printed ([Mask]); empty for none. Two of them are an error of the row.
func (r Row) ShownCallback() string {
	column := ColumnServerCallbackURL
	if r.Cell(column).IsEmpty() {
		column = ColumnNotifyURL
	}
	return r.Cell(column).String()
}

// maskAddress masks a callback address.
func maskAddress(url string) string { return cardtext.MaskEscaped(shownURL(url)) }

// shownURL is an address without what may be a password or a token: the part before @, the values of the
// query and the fragment. It takes any text apart, since an address that is not one is only warned of.
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
		return shown + "#" + hidden // a query behind it is part of it
	}
	if query = shownQuery(query); query == "" {
		return shown
	}
	return shown + "?" + query
}

// hasPort reports whether what follows the name or address of a host is a port, or nothing. Else it may
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
