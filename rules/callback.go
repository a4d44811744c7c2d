package rules

import "strings"

// ShownCallback returns the address that the gateway calls for each final status of a charge (6), as it
// may be printed: without what may be a password or a token, and card numbers masked; empty for none.
// Two of them are an error of the row.
func (r Row) ShownCallback() string {
	url := r.Cell(ColumnServerCallbackURL).Reveal()
	if url == "" {
		url = r.Cell(ColumnNotifyURL).Reveal()
	}
	return Mask(0, shownURL(url))
}

// concealed takes the place of what is not shown.
const concealed = "***"

// shownURL is an address without what may be a password or a token: the part before @, the values of the
// query and the fragment. It takes any text apart, since an address that is not one is only warned of.
func shownURL(url string) string {
	address, query, _ := strings.Cut(url, "?")
	address, fragment, _ := strings.Cut(address, "#")
	scheme, rest, ok := strings.Cut(address, "://")
	if !ok {
		scheme, rest = "", address
	} else {
		scheme += "://"
	}
	end := strings.IndexAny(rest, `/\`)
	if end < 0 {
		end = len(rest)
	}
	host, path := rest[:end], rest[end:]
	if at := strings.LastIndexByte(host, '@'); at >= 0 {
		host = host[at+1:]
	}
	if strings.ContainsAny(path, "@") || strings.ContainsAny(scheme, "@") { // a password may have a slash
		host, path = concealed, ""
	}
	if strings.ContainsAny(scheme, "@") {
		scheme = ""
	}
	shown := scheme + host + path
	if fragment != "" {
		return shown + "#" + concealed // a query behind it is part of it
	}
	if query == "" {
		return shown
	}
	return shown + "?" + shownQuery(query)
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
		b.WriteString(concealed)
	}
	if fragment != "" {
		b.WriteString("#" + concealed)
	}
	return b.String()
}
