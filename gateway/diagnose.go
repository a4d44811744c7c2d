package gateway

import (
	"context"
	"errors"
	"sync"

	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/signature"
	"github.com/chargecast/chargecast/signature/diagnose"
)

// Limits of the requests that are kept whole until they are diagnosed. They are kept in memory
// alone: a body has card numbers.
const (
	maxRaw     = 64
	maxRawBody = 256 << 10
)

// rawRequests are the last requests that were refused for their signature.
type rawRequests struct {
	mu   sync.Mutex
	list []rawRequest // the oldest first
}

type rawRequest struct {
	id      ID
	request signature.Request
	method  string
	large   bool // its body was too long to be kept
}

// keepRaw keeps a request that may be diagnosed.
func (v *createRequest) keepRaw() {
	if v.record.ID == 0 || !v.record.isDiagnosable() {
		return
	}
	raw := rawRequest{id: v.record.ID, request: v.request, method: v.method}
	if raw.large = len(v.body) > maxRawBody; raw.large {
		raw.request = signature.Request{}
	}
	q := &v.g.raw
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.list) == maxRaw {
		copy(q.list, q.list[1:])
		q.list = q.list[:maxRaw-1]
	}
	q.list = append(q.list, raw)
}

// find returns the request with an id.
func (q *rawRequests) find(id ID) (rawRequest, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, raw := range q.list {
		if raw.id == id {
			return raw, true
		}
	}
	return rawRequest{}, false
}

// maxShort is the longest body that is diagnosed for a list, in bytes.
const maxShort = 16 << 10

// isShort reports whether a request is there and takes little time to diagnose.
func (q *rawRequests) isShort(id ID) bool {
	raw, ok := q.find(id)
	return ok && !raw.large && len(raw.request.Body()) <= maxShort
}

// drop forgets all requests, or the one with an id.
func (q *rawRequests) drop(id ID) {
	q.mu.Lock()
	defer q.mu.Unlock()
	var rest []rawRequest
	for _, raw := range q.list {
		if id != 0 && raw.id != id {
			rest = append(rest, raw)
		}
	}
	q.list = rest
}

// Request returns a request with the diagnosis of its signature, which is made when it is first
// read: a diagnosis costs a hundred times as much as a refusal. It is made with the keys that
// the merchant has by then. The error has the code [NotFound] for an id that no request has.
func (g *Gateway) Request(ctx context.Context, id ID) (Request, error) {
	var r Request
	var m Merchant
	err := g.store.View(ctx, func(tx Tx) (err error) {
		if r, err = tx.Requests().Get(id); err != nil || !r.isDiagnosable() {
			return err
		}
		m, err = merchantOf(tx, r.Login)
		return err
	})
	if err != nil || !r.isDiagnosable() {
		return r, err
	}
	d, final := g.diagnose(ctx, &m, id)
	if err := ctx.Err(); err != nil {
		return r, err
	}
	r.Diagnosis = &d
	if !final {
		return r, nil
	}
	err = g.store.Update(ctx, func(tx Tx) error {
		now, err := tx.Requests().Get(id)
		if err != nil {
			return err
		}
		now.Diagnosis = &d
		return tx.Requests().Put(now)
	})
	if err != nil && !errors.Is(err, NotFound) {
		return r, err
	}
	g.raw.drop(id)
	return r, nil
}

// isDiagnosable reports whether a diagnosis can say something that is not known yet.
func (r *Request) isDiagnosable() bool {
	return r.Diagnosis == nil && r.Login != "" && (r.Reason == ReasonMismatch || r.Reason == ReasonUnreadable || r.Reason == ReasonNotFresh)
}

// maxBase is how much of a base string is kept in front of the first difference, and behind it.
const maxBase = 2 << 10

// baseStrings returns the base strings of a request as they may be shown; nil if it has none.
func baseStrings(r signature.Request, d *diagnose.Diagnosis) *BaseStrings {
	trace, err := signature.NewTrace(r)
	if err != nil {
		return nil
	}
	right, signed := trace.BaseString(), d.BaseString()
	b := &BaseStrings{Right: maskBase(right), Signed: maskBase(signed)}
	if signed != "" {
		if first := diagnose.Compare(right, signed); first != nil {
			b.Offset, b.Text = first.Offset, first.Text
		}
	}
	if b.Start = max(0, b.Offset-maxBase); b.Start > 0 {
		b.Right, b.Signed = b.Right[min(b.Start, len(b.Right)):], b.Signed[min(b.Start, len(b.Signed)):]
		b.Offset -= b.Start
	}
	b.Right = b.Right[:min(len(b.Right), b.Offset+maxBase)]
	b.Signed = b.Signed[:min(len(b.Signed), b.Offset+maxBase)]
	return b
}

// diagnose finds out which mistakes explain the signature of a request, and whether that is final.
func (g *Gateway) diagnose(ctx context.Context, m *Merchant, id ID) (Diagnosis, bool) {
	raw, ok := g.raw.find(id)
	switch {
	case !ok:
		return Diagnosis{Unavailable: "the request is no longer in memory: only the last 64 refused requests are kept there, until a restart"}, false
	case raw.large:
		return Diagnosis{Unavailable: "the body was too long to be kept"}, true
	}
	key, err := g.verifyingKey(m, raw.method)
	if err != nil {
		return Diagnosis{Unavailable: "the merchant has no key for the signature method"}, false
	}
	if err := g.heavy(ctx); err != nil {
		return Diagnosis{}, false
	}
	defer g.light()
	found, err := diagnose.Request(ctx, raw.request, key, diagnose.Options{})
	final := ctx.Err() == nil && (err == nil || errors.As(err, new(ledger.Findings)))
	d := Diagnosis{
		Bases: baseStrings(raw.request, &found), Match: found.Right, Known: found.Known, NotTried: found.NotTried, Findings: found.Findings,
	}
	for _, c := range found.Causes {
		d.Causes = append(d.Causes, Cause(c))
	}
	return d, final
}
