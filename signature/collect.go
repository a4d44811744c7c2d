package signature

import (
	"encoding/base64"
	"slices"
	"strings"
	"unicode/utf16"
)

// group tells where a parameter was collected; the order of collection is body, OAuth, query.
type group uint8

const (
	groupBody group = iota
	groupOAuth
	groupQuery
)

// item is one parameter on its way through a recipe.
type item struct {
	raw, sent   Param // decoded, and in the form in which it was sent
	group       group
	name, value string // as they enter the third element
}

// material is a request with all that any recipe may take from it.
type material struct {
	method  string
	rawURL  string
	url     urlParts
	body    []item
	nonForm []item // a body that is no form, read as one
	copies  []Param
	oauth   []Param // in the order of the header
	query   []item
	realm   string
	signed  int // where oauth_signature stands among oauth
}

func newMaterial(r *Request, in *resolved, header *Header, p Profile) (*material, *Error) {
	m := &material{method: in.method, rawURL: r.URL, url: in.url, realm: header.Realm.Value}
	for _, param := range header.Params {
		if param.Name == nameSignature {
			m.signed = len(m.oauth)
		} else if signedOAuth(param.Name, p) {
			m.oauth = append(m.oauth, param)
		}
	}
	if err := m.takeBody(r, in, header.Params); err != nil {
		return nil, err
	}
	m.query = asSent(in.query, splitForm(in.url.query), groupQuery)
	return m, nil
}

func (m *material) takeBody(r *Request, in *resolved, oauth []Param) *Error {
	var sent []Param
	switch {
	case r.Body != nil && in.form:
		sent = splitForm(string(r.Body))
	case r.Body != nil:
		if params, err := parseForm(string(r.Body), PartBody); err == nil {
			m.nonForm = asSent(params, splitForm(string(r.Body)), groupBody)
		}
		return nil
	}
	var kept []Param
	for _, it := range asSent(in.body, sent, groupBody) {
		if it.raw.Name == nameSignature {
			continue
		}
		if strings.HasPrefix(it.raw.Name, oauthPrefix) {
			copied, err := repeatsOAuth(it.raw, kept, oauth)
			if err != nil {
				return err
			}
			if copied {
				m.copies = append(m.copies, it.raw)
				continue
			}
		}
		kept = append(kept, it.raw)
		m.body = append(m.body, it)
	}
	return nil
}

// asSent pairs decoded parameters with the form in which they were sent: the encoded one where that is not known.
func asSent(params, sent []Param, g group) []item {
	items := make([]item, len(params))
	for i, p := range params {
		items[i] = item{raw: p, sent: Param{Encode(p.Name), Encode(p.Value)}, group: g}
		if len(sent) == len(params) {
			items[i].sent = sent[i]
		}
	}
	return items
}

// thirdElement makes the normalised parameters of a recipe, encoded for the base string.
func (m *material) thirdElement(r *paramRecipe) string {
	p := m.normalized(r)
	if r.rawElement {
		return p
	}
	enc := encodeRFC3986
	if r.everywhere {
		enc = r.encoder
	}
	return string(enc.append(make([]byte, 0, len(p)+len(p)/4), p))
}

// normalized makes the third element before its encoding.
func (m *material) normalized(r *paramRecipe) string {
	items := m.arranged(r)
	size := 0
	for i := range items {
		size += len(items[i].name) + len(items[i].value) + 2
	}
	out := make([]byte, 0, size)
	for i := range items {
		if i > 0 {
			out = append(out, '&')
		}
		out = append(out, items[i].name...)
		out = append(out, '=')
		out = append(out, items[i].value...)
	}
	return string(out)
}

// arranged collects, encodes and sorts.
func (m *material) arranged(r *paramRecipe) []item {
	items := r.oneOfEqual(m.collect(r))
	if r.dropEmpty {
		items = slices.DeleteFunc(items, func(it item) bool { return it.raw.Value == "" })
	}
	for i := range items {
		it := &items[i]
		it.name, it.value = it.raw.Name, it.raw.Value
		if !r.rawNames {
			it.name = r.encoder.encode(it.name)
		}
		if !r.rawValues {
			it.value = r.encoder.encode(it.value)
		}
	}
	r.arrange(items)
	return items
}

// collect gathers body, OAuth parameters and query as the recipe sees them.
func (m *material) collect(r *paramRecipe) []item {
	items := make([]item, 0, 2*len(m.oauth)+len(m.body)+len(m.nonForm)+len(m.query)+4)
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
	for _, it := range body {
		r.payload.apply(&it)
		items = append(items, r.entered(it, r.input.bodyNames, r.input.bodyValues, r.input.bodyAsSent))
	}
	oauth := m.oauthItems(r)
	if r.oauthTwice || r.copiesTwice {
		for _, it := range oauth {
			if r.oauthTwice || slices.ContainsFunc(m.copies, func(p Param) bool { return p.Name == it.raw.Name }) {
				it.group = groupBody
				items = append(items, it)
			}
		}
	}
	items = append(items, oauth...)
	if r.query == queryOmitted || r.query == queryOnly || r.query == queryRight && r.verbatimURL {
		return items
	}
	for _, it := range m.query {
		items = append(items, r.entered(it, r.input.queryNames, r.input.queryValues, r.input.queryAsSent))
	}
	return items
}

// entered gives the parameter in the form in which it enters the pipeline.
func (r *paramRecipe) entered(it item, names, values, asSent bool) item {
	switch {
	case asSent && values:
		it.raw = Param{r.text.apply(it.raw.Name), it.sent.Value}
		return it
	case asSent:
		it.raw = it.sent
		return it
	}
	it.raw = Param{r.text.apply(it.raw.Name), r.text.apply(it.raw.Value)}
	if names {
		it.raw.Name = Encode(it.raw.Name)
	}
	if values {
		it.raw.Value = Encode(it.raw.Value)
	}
	return it
}

func (m *material) oauthItems(r *paramRecipe) []item {
	var items []item
	add := func(name, value string) {
		value = r.text.apply(value)
		if r.oauthInput {
			value = Encode(value)
		}
		items = append(items, item{raw: Param{r.text.apply(name), value}, group: groupOAuth})
	}
	if r.realm {
		add(nameRealm, m.realm)
	}
	for i, p := range m.oauth {
		if r.signature && i == m.signed {
			add(nameSignature, "")
		}
		switch {
		case p.Name == nameVersion && r.noVersion:
		case p.Name == nameTimestamp && r.millis:
			add(p.Name, p.Value+"000")
		default:
			add(p.Name, p.Value)
		}
	}
	if r.signature && m.signed >= len(m.oauth) {
		add(nameSignature, "")
	}
	if r.token && !slices.ContainsFunc(m.oauth, func(p Param) bool { return p.Name == nameToken }) {
		add(nameToken, "")
	}
	return items
}

func (f payloadForm) apply(it *item) {
	if it.raw.Name != namePayload {
		return
	}
	switch f {
	case payloadSpaces:
		it.raw.Value = strings.ReplaceAll(it.raw.Value, "+", " ")
		it.sent.Value = Encode(it.raw.Value)
	case payloadCSV:
		if csv, err := base64.StdEncoding.Strict().DecodeString(it.raw.Value); err == nil {
			it.raw.Value = string(csv)
			it.sent.Value = Encode(it.raw.Value)
		}
	case payloadSent:
	}
}

// oneOfEqual reduces parameters of one name.
func (r *paramRecipe) oneOfEqual(items []item) []item {
	if r.duplicates == KeepAll {
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
		case r.duplicates == KeepLast:
			out[i] = it
		case r.duplicates == JoinByComma:
			out[i].raw.Value += "," + it.raw.Value
		}
	}
	return out
}

// arrange sorts the items as the recipe does.
func (r *paramRecipe) arrange(items []item) {
	switch r.order {
	case orderEncoded:
		slices.SortStableFunc(items, byBuiltText)
	case orderJoined:
		slices.SortStableFunc(items, func(a, b item) int { return strings.Compare(a.name+"="+a.value, b.name+"="+b.value) })
	case orderRawBytes:
		slices.SortStableFunc(items, func(a, b item) int {
			return either(strings.Compare(a.raw.Name, b.raw.Name), strings.Compare(a.raw.Value, b.raw.Value))
		})
	case orderRawUTF16:
		slices.SortStableFunc(items, func(a, b item) int {
			return either(compareUTF16(a.raw.Name, b.raw.Name), compareUTF16(a.raw.Value, b.raw.Value))
		})
	case orderNameOnly:
		slices.SortStableFunc(items, func(a, b item) int { return strings.Compare(a.name, b.name) })
	case orderNumeric:
		slices.SortStableFunc(items, func(a, b item) int {
			return either(strings.Compare(a.name, b.name), compareNumbers(a.value, b.value))
		})
	case orderIgnoringCase:
		slices.SortStableFunc(items, func(a, b item) int {
			return either(strings.Compare(strings.ToLower(a.name), strings.ToLower(b.name)),
				strings.Compare(strings.ToLower(a.value), strings.ToLower(b.value)))
		})
	case orderNone:
		rank := groupOrders()[r.groups]
		slices.SortStableFunc(items, func(a, b item) int { return int(rank[a.group]) - int(rank[b.group]) })
	}
}

const groupOrderCount = 6

// groupOrders are the places of body, OAuth parameters and query in each order of the three.
func groupOrders() [groupOrderCount][3]uint8 {
	return [groupOrderCount][3]uint8{{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}}
}

func byBuiltText(a, b item) int {
	return either(strings.Compare(a.name, b.name), strings.Compare(a.value, b.value))
}

func either(first, second int) int {
	if first != 0 {
		return first
	}
	return second
}

func compareUTF16(a, b string) int {
	return slices.Compare(utf16.Encode([]rune(a)), utf16.Encode([]rune(b)))
}

// compareNumbers puts texts of digits in front, by their number; all else by bytes.
func compareNumbers(a, b string) int {
	left, leftOK := significant(a)
	right, rightOK := significant(b)
	switch {
	case leftOK && rightOK:
		return either(len(left)-len(right), strings.Compare(left, right))
	case leftOK:
		return -1
	case rightOK:
		return 1
	}
	return strings.Compare(a, b)
}

// significant strips leading zeros off a text of digits.
func significant(text string) (string, bool) {
	for i := range len(text) {
		if text[i] < '0' || text[i] > '9' {
			return "", false
		}
	}
	return strings.TrimLeft(text, "0"), text != ""
}
