package diagnose

import (
	"slices"
	"strconv"
	"strings"

	"github.com/chargecast/chargecast/signature"
	"github.com/chargecast/chargecast/signature/internal/base"
)

// An item is a parameter: decoded, and as it was sent.
type item struct {
	base.Pair
	sent  base.Pair
	place int // among the parameters of body or header, as they were sent, from 1
}

// encoded is a pair with name and value encoded.
func encoded(p base.Pair) base.Pair {
	return base.Pair{Name: signature.Encode(p.Name), Value: signature.Encode(p.Value)}
}

// set changes the value, as if the change had been sent.
func (it *item) set(value string) {
	it.Value, it.sent.Value = value, signature.Encode(value)
}

// An original is the request as it was sent, with everything that a mistake may use of it. It never
// changes.
type original struct {
	url                base.URL
	body, oauth        []item // what is signed
	extras             []item // what is in the header and is not signed
	realm, secret      string
	signature          int        // how many of oauth are before oauth_signature
	otherURLs          []base.URL // which may be what was signed
	scheme, host, port string     // as they are signed
	path               string
}

// newOriginal reads a request that was verified; ok is false where body and header disagree.
func newOriginal(r signature.Request, key signature.VerifyingKey, o Options) (_ *original, ok bool) {
	h, problem := base.ParseHeader(r.Authorization())
	if problem != nil {
		return nil, false
	}
	body := string(r.Body())
	parts, problem := base.ReadRequest(r.Method(), r.URL(), r.ContentType(), body)
	if problem != nil {
		return nil, false
	}
	places, problem := parts.SignedPlaces(h.Params)
	if problem != nil {
		return nil, false
	}
	out := &original{url: parts.URL}
	out.scheme, out.host, out.port, out.path = parts.URL.Parts()
	out.secret, _ = base.SecretText(key)
	if h.Realm != nil {
		out.realm = *h.Realm
	}
	sent := base.Split(body)
	for _, i := range places {
		out.body = append(out.body, item{parts.Body[i], sent[i], i + 1})
	}
	for i, p := range h.Params {
		it := item{p, encoded(p), i + 1}
		switch {
		case p.Name == base.Signature:
			out.signature = len(out.oauth)
		case base.IsFive(p.Name):
			out.oauth = append(out.oauth, it)
		default:
			out.extras = append(out.extras, it)
		}
	}
	for _, text := range o.OtherURLs[:min(len(o.OtherURLs), mostOtherURLs)] {
		if u, problem := base.ParseURL(text); problem == nil {
			out.otherURLs = append(out.otherURLs, u)
		}
	}
	return out, true
}

// A candidate is one way to build the base string and its signature. A variant of a mistake changes
// it: lists and parts are made at once, the rest as it is used later.
type candidate struct {
	o *original

	body, oauth           []item // each in the order of collection; a mistake changes a copy
	dropEmpty             bool
	order                 order
	oauthFirst            bool
	names, values, params *encoder // nil: the right one

	method                         string
	scheme, user, host, port, path string
	tail                           string // of the URL, behind its path
	pathOnly                       bool
	elements, uri                  *encoder
	bom, end                       string
	whole                          bool
	key                            func(secret string) string // of HMAC; nil: the right one
	hash                           hashForm

	added       *item  // the parameter that was left out as added after signing
	addedInBody bool   // where it is
	extras      string // the names of the parameters of the header that were signed too
}

// right returns the candidate of the right signature.
func (o *original) right() *candidate {
	return &candidate{o: o, body: o.body, oauth: o.oauth, method: "POST", scheme: o.scheme, host: o.host, port: o.port, path: o.path}
}

// A writer makes base strings, in memory that it uses again.
type writer struct {
	pairs                       []base.Pair
	front, params, joined, text []byte
}

// writeParams makes the parameter string.
func (w *writer) writeParams(c *candidate) {
	w.pairs = w.pairs[:0]
	groups := [...][]item{c.body, c.oauth}
	if c.oauthFirst {
		groups[0], groups[1] = groups[1], groups[0]
	}
	for _, group := range groups {
		for i := range group {
			if !c.dropEmpty || group[i].Value != "" {
				w.pairs = append(w.pairs, group[i].Pair)
			}
		}
	}
	if c.order == orderRight && c.names == nil && c.values == nil {
		base.Sort(w.pairs)
	} else {
		c.order.sort(w.pairs, c.names, c.values)
	}
	if c.names == nil && c.values == nil && c.params == nil {
		w.params = base.AppendParams(w.params[:0], w.pairs)
		return
	}
	w.joined = w.joined[:0]
	for i, p := range w.pairs {
		if i > 0 {
			w.joined = append(w.joined, '&')
		}
		w.joined = append(appendAs(c.names, w.joined, p.Name), '=')
		w.joined = appendAs(c.values, w.joined, p.Value)
	}
	w.params = appendAs(c.params, w.params[:0], w.joined)
}

// write makes the base string around the parameter string that was made last, in the pieces in
// which it is hashed.
func (w *writer) write(c *candidate) [4][]byte {
	uri := c.path + c.tail
	if !c.pathOnly {
		uri = c.scheme + "://" + c.user + c.host + c.port + uri
	}
	w.front = append(appendAs(c.elements, w.front[:0], c.method), '&')
	w.front = append(appendAs(c.uri, w.front, uri), '&')
	if !c.whole {
		return [4][]byte{[]byte(c.bom), w.front, w.params, []byte(c.end)}
	}
	w.text = base.AppendEncoded(base.AppendEncoded(w.text[:0], w.front), w.params)
	return [4][]byte{[]byte(c.bom), w.text, nil, []byte(c.end)}
}

// baseString returns what is signed.
func (c *candidate) baseString() string {
	var w writer
	w.writeParams(c)
	pieces := w.write(c)
	return string(slices.Concat(pieces[:]...))
}

// addedName says which parameter was taken for added, by its name if that may be shown: another may
// be part of what was sent in a wrong form.
func (c *candidate) addedName() string {
	where := "Authorization header"
	if c.addedInBody {
		where = "body"
	}
	where = "parameter " + strconv.Itoa(c.added.place) + " of the " + where
	if base.IsWord(c.added.Name) {
		return c.added.Name + ", " + where
	}
	return where
}

// extraNames joins the names of parameters of the header, as far as they may be shown.
func extraNames(list []item) string {
	var names []string
	for _, it := range list {
		if base.IsWord(it.Name) {
			names = append(names, it.Name)
		} else {
			names = append(names, "parameter "+strconv.Itoa(it.place))
		}
	}
	return strings.Join(names, ", ")
}
