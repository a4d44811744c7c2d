package gateway

import (
	"context"
	"errors"
	"maps"
	"net/url"
	"slices"
	"strings"

	"github.com/chargecast/chargecast/internal/cardtext"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/rules"
	"github.com/chargecast/chargecast/signature"
)

// maxRequests is how many requests are kept; the oldest ones go first.
const maxRequests = 10_000

// Limits of what is kept of one request.
const (
	maxText    = 512 // bytes of a URI, a header or a name
	maxHeaders = 64
	maxParams  = 64
)

// record stores a request with the next id, on the clock's day.
func (g *Gateway) record(ctx context.Context, r *Request) error {
	return g.store.Update(context.WithoutCancel(ctx), func(tx Tx) error {
		c, err := tx.Clock()
		if err != nil {
			return err
		}
		r.Date, r.At = c.Now, g.config.Now()
		if r.ID, err = tx.Requests().NextID(); err != nil {
			return err
		}
		return putRequest(tx, r, nil, 0)
	})
}

// putRequest stores a request with further findings, of which n are errors, and drops the oldest
// one if there are too many.
func putRequest(tx Tx, r *Request, findings ledger.Findings, n int) error {
	r.Errors += n
	r.Findings = slices.Concat(r.Findings, findings)
	if len(r.Findings) > maxFindings {
		r.Findings = r.Findings[len(r.Findings)-maxFindings:]
	}
	if err := tx.Requests().Put(*r); err != nil {
		return err
	}
	if r.ID <= maxRequests {
		return nil
	}
	if err := tx.Requests().Delete(r.ID - maxRequests); err != nil && !errors.Is(err, NotFound) {
		return err
	}
	return nil
}

// describe takes over what may be kept of a request.
func (v *visit) describe() {
	v.record.Method = v.texts.cut(rules.Mask(0, v.r.Method))
	v.record.URI = v.texts.cut(shownURI(v.r.RequestURI))
	if values := v.r.Header["Authorization"]; len(values) == 1 {
		v.header, _ = signature.ParseHeader(values[0])
	}
	v.record.Headers = v.shownHeaders()
}

// cut shortens a text, and makes a copy of it.
func (t *texts) cut(text string) string {
	if len(text) > maxText {
		text = text[:maxText-3] + "..."
	}
	return t.keep(strings.ToValidUTF8(text, "\uFFFD"))
}

// shownURI is a request target without userinfo, without the values of its query, and without what
// could be a card number, escaped or not.
func shownURI(target string) string {
	path, _, hasQuery := strings.Cut(target, "?")
	if before, rest, ok := strings.Cut(path, "://"); ok {
		if at := strings.LastIndexByte(rest, '@'); at >= 0 {
			path = before + "://***@" + rest[at+1:]
		}
	}
	if _, err := url.PathUnescape(path); err != nil {
		path = "***"
	}
	path = cardtext.MaskEscaped(path)
	if hasQuery {
		path += "?***"
	}
	return path
}

// plainHeaders are the headers that are shown; all others may hold a secret.
var plainHeaders = [...]string{
	"Accept", "Accept-Encoding", "Connection", "Content-Length", "Content-Type", "Date", "Expect", "Transfer-Encoding", "User-Agent",
}

// shownHeaders are the headers by name, with the Host in front.
func (v *visit) shownHeaders() []Header {
	list := make([]Header, 0, min(len(v.r.Header)+1, maxHeaders))
	list = append(list, Header{"Host", v.texts.cut(cardtext.MaskEscaped(v.r.Host))})
	for _, name := range slices.Sorted(maps.Keys(v.r.Header)) {
		for _, value := range v.r.Header[name] {
			if len(list) == maxHeaders {
				return list
			}
			switch {
			case slices.Contains(plainHeaders[:], name):
				value = v.texts.cut(cardtext.MaskEscaped(value))
			case name == "Authorization":
				value = v.texts.cut(shownAuthorization(v.header))
			default:
				value = "***"
			}
			list = append(list, Header{v.texts.cut(rules.Mask(0, name)), value})
		}
	}
	return list
}

// shownAuthorization shows the parameters of a header of OAuth without the signature, which is a
// secret as long as its nonce can be used again.
func shownAuthorization(h signature.Header) string {
	if len(h.Params) == 0 {
		return "***"
	}
	b := make([]byte, 0, maxText)
	b = append(b, "OAuth "...)
	for i, p := range h.Params {
		if i > 0 {
			b = append(b, ", "...)
		}
		name, text := p.Name(), "***"
		if slices.Contains(plainParams[:], name) {
			text = cardtext.MaskEscaped(p.Value())
		}
		b = append(append(b, rules.Mask(0, name)...), `="`...)
		b = append(append(b, text...), '"')
	}
	return string(b)
}

// shownParams are the parameters of a form body by name, with their lengths.
func (t *texts) shownParams(body string) []Param {
	var list []Param
	for pair := range strings.SplitSeq(body, "&") {
		if len(list) == maxParams {
			break
		}
		before, value, _ := strings.Cut(pair, "=")
		name := before[:min(len(before), maxText)]
		if name != "payload" && !strings.HasPrefix(name, "oauth_") {
			name = rules.Mask(0, name)
			if strings.Contains(name, "%") || len(name) > 64 {
				name = "***"
			}
		}
		list = append(list, Param{t.cut(rules.Mask(0, name)), len(value)})
	}
	return list
}
