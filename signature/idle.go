package signature

import "slices"

// idle reports that an edit cannot change anything in this request, whatever other mistake it is
// combined with. The search leaves out such edits.
func (m *material) idle(r *recipe) bool {
	p := &r.params
	switch {
	case p.body == bodyNonForm:
		return m.nonForm == nil
	case p.query != queryRight:
		return !m.url.hasQuery
	case p.input != (inputForm{}):
		return m.idleInput(p.input)
	case p.payload != payloadSent:
		return !m.differs(p.payload)
	case p.text != textUTF8:
		return m.isASCII()
	case p.order == orderNone && len(m.query) == 0:
		// With two groups there are two orders: body first, OAuth first.
		return p.groups != 0 && p.groups != 2
	case r.rest.port == portDropped:
		return m.url.number == 0 || m.url.number == defaultPort(m.url.secure())
	case r.rest.port == portKeptAsTyped:
		return !m.url.hasPort
	}
	return false
}

func (m *material) idleInput(f inputForm) bool {
	body, query := slices.Concat(m.body, m.nonForm), m.query
	switch {
	case f.bodyAsSent && f.bodyValues || f.queryAsSent && f.queryValues:
		if !f.bodyAsSent {
			body = nil
		}
		if !f.queryAsSent {
			query = nil
		}
		// With names that needed no encoding it is the same as names and values as sent.
		return namesPlain(body) && namesPlain(query) || valuesEncoded(body) && valuesEncoded(query)
	case f.bodyAsSent || f.queryAsSent:
		return (!f.bodyAsSent || sentEncoded(body)) && (!f.queryAsSent || sentEncoded(query))
	}
	onBody, onQuery := f.bodyValues && len(body) > 0, f.queryValues && len(query) > 0
	// With one of the two alone, the variant for both is the same as that for the one.
	return !onBody && !onQuery || f.bodyValues && f.queryValues && !(onBody && onQuery)
}

// sentEncoded reports that everything was sent as the right encoder writes it.
func sentEncoded(items []item) bool {
	return !slices.ContainsFunc(items, func(it item) bool {
		return it.sent.Name != Encode(it.raw.Name) || it.sent.Value != Encode(it.raw.Value)
	})
}

func valuesEncoded(items []item) bool {
	return !slices.ContainsFunc(items, func(it item) bool { return it.sent.Value != Encode(it.raw.Value) })
}

// namesPlain reports that no name was sent with an escape.
func namesPlain(items []item) bool {
	return !slices.ContainsFunc(items, func(it item) bool { return it.sent.Name != it.raw.Name })
}

// isASCII reports that all that may be signed as text is ASCII. The CSV in a payload counts too.
func (m *material) isASCII() bool {
	for _, list := range [...][]item{m.body, m.nonForm, m.query} {
		for _, it := range list {
			decoded := it
			payloadCSV.apply(&decoded)
			if !plainASCII(it.raw.Name) || !plainASCII(it.raw.Value) || !plainASCII(decoded.raw.Value) {
				return false
			}
		}
	}
	return plainASCII(m.realm) && !slices.ContainsFunc(m.oauth, func(p pair) bool { return !plainASCII(p.Name) || !plainASCII(p.Value) })
}
