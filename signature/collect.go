package signature

import "slices"

// A group is where a parameter was collected, in the order of collection.
type group uint8

const (
	groupBody group = iota
	groupOAuth
	groupQuery
)

// item is one parameter on its way through a recipe.
type item struct {
	raw, sent   pair // decoded, and in the form in which it was sent
	group       group
	place       int    // among the parameters of its group as they were sent, from 1
	name, value string // as they enter the third element
}

// material is a request with all that a recipe may use of it.
type material struct {
	method  string
	url     urlParts
	body    []item
	nonForm []item // a body that is not a form, read as one
	oauth   []pair // in the order of the header
	places  []int  // of these in the header
	query   []item
	realm   string
	signed  int // where oauth_signature is among oauth

	memo  memo
	items []item  // of the candidate that is being made
	order []*item // the same, sorted
	uri   []byte
}

func newMaterial(r *requestData, in *resolved, h *header, p *readings) (*material, *fault) {
	m := &material{method: in.method, url: in.url, realm: h.realm}
	for i, param := range h.params {
		if param.Name == nameSignature {
			m.signed = len(m.oauth)
		} else if signedOAuth(param.Name, p) {
			m.oauth, m.places = append(m.oauth, param), append(m.places, i+1)
		}
	}
	if err := m.takeBody(r, in, h.params); err != nil {
		return nil, err
	}
	m.query = slices.DeleteFunc(asSent(in.query, splitForm(in.url.query), groupQuery), func(it item) bool { return it.raw.Name == nameSignature })
	return m, nil
}

func (m *material) takeBody(r *requestData, in *resolved, oauth []pair) *fault {
	var sent []pair
	switch {
	case r.wire && in.form:
		sent = splitForm(r.body)
	case r.wire:
		if params, err := parseForm(r.body, partBody); err == nil {
			m.nonForm = asSent(params, splitForm(r.body), groupBody)
		}
		return nil
	}
	var seen copies
	for _, it := range asSent(in.body, sent, groupBody) {
		counts, err := seen.counts(it.raw, oauth)
		if err != nil {
			return err
		}
		if counts {
			m.body = append(m.body, it)
		}
	}
	return nil
}

// asSent joins decoded parameters to the form in which they were sent: the encoded one if that is
// not known.
func asSent(params, sent []pair, g group) []item {
	items := make([]item, len(params))
	for i, p := range params {
		items[i] = item{raw: p, sent: pair{Encode(p.Name), Encode(p.Value)}, group: g, place: i + 1}
		if len(sent) == len(params) {
			items[i].sent = sent[i]
		}
	}
	return items
}

func (m *material) appendThird(dst []byte, r *paramRecipe) []byte {
	items := m.arranged(r)
	element := encodeRFC3986
	if r.everywhere {
		element = r.encoder
	}
	encoded := func(text string) string {
		if r.rawElement {
			return text
		}
		return m.memo.encode(element, text)
	}
	and, is := encoded("&"), encoded("=")
	for i, it := range items {
		if i > 0 {
			dst = append(dst, and...)
		}
		dst = append(append(append(dst, encoded(it.name)...), is...), encoded(it.value)...)
	}
	return dst
}

// normalized returns the third element of sorted parameters before its encoding.
func normalized(items []*item) string {
	var out []byte
	for i, it := range items {
		if i > 0 {
			out = append(out, '&')
		}
		out = append(append(append(out, it.name...), '='), it.value...)
	}
	return string(out)
}

// arranged collects, encodes and sorts. The result is valid until the next call.
func (m *material) arranged(r *paramRecipe) []*item {
	items := r.oneOfEqual(m.collect(r))
	m.order = m.order[:0]
	for i := range items {
		it := &items[i]
		if r.dropEmpty && it.raw.Value == "" {
			continue
		}
		it.name, it.value = it.raw.Name, it.raw.Value
		if !r.rawNames {
			it.name = m.memo.encode(r.encoder, it.name)
		}
		if !r.rawValues {
			it.value = m.memo.encode(r.encoder, it.value)
		}
		m.order = append(m.order, it)
	}
	r.arrange(m.order)
	return m.order
}

// collect returns body, OAuth parameters and query as the recipe has them.
func (m *material) collect(r *paramRecipe) []item {
	items := m.items[:0]
	defer func() { m.items = items }()
	body := m.body
	switch r.body {
	case bodyOmitted:
		body = nil
	case bodyNonForm:
		if m.nonForm != nil {
			body = m.nonForm
		}
	case bodySigned:
	}
	query := m.query
	if r.added > 0 {
		body, query = m.without(r, groupBody, body), m.without(r, groupQuery, query)
	}
	for _, it := range body {
		if r.payload != payloadSent && it.raw.Name == namePayload {
			if changed := m.memo.payload(r.payload, it.raw.Value); changed != it.raw.Value {
				it.raw.Value = changed
				it.sent.Value = m.memo.encode(encodeRFC3986, changed)
			}
		}
		items = append(items, r.entered(&m.memo, it, r.input.bodyNames, r.input.bodyValues, r.input.bodyAsSent))
	}
	if r.oauthTwice {
		start := len(items)
		items = m.appendOAuth(items, r)
		for i := start; i < len(items); i++ {
			items[i].group = groupBody
		}
	}
	items = m.appendOAuth(items, r)
	if r.query == queryOmitted || r.query == queryOnly || r.query == queryRight && r.verbatimURL {
		return items
	}
	for _, it := range query {
		items = append(items, r.entered(&m.memo, it, r.input.queryNames, r.input.queryValues, r.input.queryAsSent))
	}
	return items
}

// entered returns the parameter in the form in which it enters the pipeline.
func (r *paramRecipe) entered(memo *memo, it item, names, values, asSent bool) item {
	switch {
	case asSent && values:
		it.raw = pair{r.text.apply(it.raw.Name), it.sent.Value}
		return it
	case asSent:
		it.raw = it.sent
		return it
	}
	it.raw = pair{r.text.apply(it.raw.Name), r.text.apply(it.raw.Value)}
	if names {
		it.raw.Name = memo.encode(encodeRFC3986, it.raw.Name)
	}
	if values {
		it.raw.Value = memo.encode(encodeRFC3986, it.raw.Value)
	}
	return it
}

func (m *material) appendOAuth(items []item, r *paramRecipe) []item {
	add := func(name, value string) {
		value = r.text.apply(value)
		if r.oauthInput {
			value = m.memo.encode(encodeRFC3986, value)
		}
		items = append(items, item{raw: pair{r.text.apply(name), value}, group: groupOAuth})
	}
	if r.realm {
		add(nameRealm, m.realm)
	}
	hasToken := false
	for i := range m.oauth {
		p := &m.oauth[i]
		if r.signature && i == m.signed {
			add(nameSignature, "")
		}
		hasToken = hasToken || p.Name == nameToken
		switch {
		case p.Name == nameVersion && r.noVersion, r.added == len(m.body)+i+1:
		case p.Name == nameTimestamp && r.millis:
			add(p.Name, p.Value+"000")
		default:
			add(p.Name, p.Value)
		}
	}
	if r.signature && m.signed >= len(m.oauth) {
		add(nameSignature, "")
	}
	if r.token && !hasToken {
		add(nameToken, "")
	}
	return items
}

// oneOfEqual reduces parameters of one name.
func (r *paramRecipe) oneOfEqual(items []item) []item {
	if r.duplicates == duplicatesKept {
		return items
	}
	place := map[string]int{}
	var out []item
	for _, it := range items {
		i, seen := place[it.raw.Name]
		switch {
		case !seen:
			place[it.raw.Name] = len(out)
			out = append(out, it)
		case r.duplicates == duplicatesLast:
			out[i] = it
		case r.duplicates == duplicatesJoined:
			out[i].raw.Value += "," + it.raw.Value
		}
	}
	return out
}
