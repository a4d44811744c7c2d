package diagnose

import (
	"slices"
	"strings"

	"github.com/chargecast/chargecast/signature"
	"github.com/chargecast/chargecast/signature/internal/base"
)

// An item is a parameter: decoded, and as it was sent.
type item struct {
	base.Pair
	sent base.Pair
	from base.Source
}

// A material is the request as it was sent, with everything that a mistake may use of it. It never changes.
type material struct {
	method             string
	url                base.URL
	body, oauth, query []item
	nonForm            []item // a body that is not a form, read as one
	realm              string
	signature          int // where oauth_signature is among oauth
	places             map[base.Source][]int
	otherURLs          []base.URL // which may be what was signed
	scheme, host, port string     // as they are signed
	path               string
}

func newMaterial(r signature.Request, o Options) (*material, error) {
	trace, err := signature.NewTrace(r, o.Verify.Profile)
	if err != nil {
		return nil, err
	}
	h, err := signature.ParseHeader(r.Authorization())
	if err != nil {
		return nil, err
	}
	m := &material{method: trace.Method(), places: map[base.Source][]int{}}
	_ = m.url.Split(r.URL()) // it has been read
	m.scheme, m.host, m.port, m.path = m.url.Parts()
	if h.Realm != nil {
		m.realm = *h.Realm
	}
	signed := slices.IndexFunc(h.Params, func(p signature.Param) bool { return p.Name() == base.Signature })
	for _, p := range trace.Collected() {
		it := item{Pair: pairOf(p.Raw()), sent: pairOf(p.Sent())}
		list := &m.query
		switch p.Source() {
		case base.Body.String():
			it.from, list = base.Body, &m.body
		case base.OAuth.String():
			it.from, list = base.OAuth, &m.oauth
			if p.Place() <= signed {
				m.signature = len(m.oauth) + 1
			}
		default:
			it.from = base.Query
		}
		*list = append(*list, it)
		m.places[it.from] = append(m.places[it.from], p.Place())
	}
	if media, _, _ := strings.Cut(r.ContentType(), ";"); media != "" && !strings.EqualFold(strings.TrimSpace(media), "application/x-www-form-urlencoded") {
		body := string(r.Body())
		if params, err := signature.ParseForm(body); err == nil {
			for i, sent := range base.Split(body) {
				m.nonForm = append(m.nonForm, item{Pair: pairOf(params[i]), sent: sent})
			}
		}
	}
	for _, text := range o.OtherURLs {
		var u base.URL
		if u.Split(text) == nil {
			m.otherURLs = append(m.otherURLs, u)
		}
	}
	return m, nil
}

func pairOf(p signature.Param) base.Pair { return base.Pair{Name: p.Name(), Value: p.Value()} }

// A stages is the stages of one base string and its signature. A mistake changes them: lists and parts that are made
// at once, and the rest as it is used later.
type stages struct {
	m *material

	body, oauth, query   []item // each in the order of collection; a mistake changes a copy
	one                  func(list []item) []item
	dropEmpty            bool
	order                order
	groups               [3]base.Source
	names, values, third *base.Encoder // nil: the right one

	method                         string
	scheme, user, host, port, path string
	tail                           string // of the URL, behind its path
	pathOnly                       bool
	elements, uri                  *base.Encoder
	bom, end                       string
	whole                          bool
	key                            keyForm
	hash                           hashForm
	added                          *item // the parameter that was left out as added after signing
	addedPlace                     int
}

// right returns the stages of the right signature.
func (m *material) right() *stages {
	return &stages{
		m: m, body: m.body, oauth: m.oauth, query: m.query, groups: [3]base.Source{base.Body, base.OAuth, base.Query},
		method: m.method, scheme: m.scheme, host: m.host, port: m.port, path: m.path,
	}
}

// A writer makes base strings, in memory that it uses again.
type writer struct {
	list         []item
	pairs        []base.Pair
	form         base.Form
	front, third []byte
	text         []byte
}

// writeThird makes the third element, and returns how many parameters it has.
func (w *writer) writeThird(s *stages) int {
	w.list = w.list[:0]
	for _, from := range s.groups {
		w.list = append(w.list, [...][]item{base.Body: s.body, base.OAuth: s.oauth, base.Query: s.query}[from]...)
	}
	list := w.list
	if s.one != nil {
		list = s.one(list)
	}
	if s.dropEmpty {
		list = slices.DeleteFunc(list, func(it item) bool { return it.Value == "" })
	}
	w.pairs = w.pairs[:0]
	for i := range list {
		w.pairs = append(w.pairs, list[i].Pair)
	}
	if s.order == orderRight && s.names == nil && s.values == nil {
		base.Sort(w.pairs)
	} else {
		s.order.sort(w.pairs, s.names, s.values)
	}
	w.form.Name, w.form.Value, w.form.Third = s.names, s.values, s.third
	w.third = w.form.AppendThird(w.third[:0], w.pairs)
	return len(w.pairs)
}

// write makes the base string around the third element that was made last, in the pieces in which it is hashed.
func (w *writer) write(s *stages) [4][]byte {
	w.form.Method, w.form.URI = s.elements, s.uri
	uri := s.path + s.tail
	if !s.pathOnly {
		uri = s.scheme + "://" + s.user + s.host + s.port + uri
	}
	w.front = w.form.AppendFront(w.front[:0], s.method, uri)
	if !s.whole {
		return [4][]byte{[]byte(s.bom), w.front, w.third, []byte(s.end)}
	}
	w.text = base.AppendEncoded(base.AppendEncoded(w.text[:0], w.front), w.third)
	return [4][]byte{[]byte(s.bom), w.text, nil, []byte(s.end)}
}

// baseString returns what is signed.
func (s *stages) baseString() string {
	var w writer
	w.writeThird(s)
	pieces := w.write(s)
	return string(slices.Concat(pieces[:]...))
}
