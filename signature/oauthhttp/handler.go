package oauthhttp

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/chargecast/chargecast/signature"
)

// A Handler is an http.Handler that lets only acceptable requests through to Next: the signature is
// right under the key of the consumer that the request names, nothing else is wrong with it, its
// timestamp is inside the window, and its nonce is new. Its fields must not be changed while it is
// in use. The body of a request that names no consumer, or an unknown one, is not read.
//
// Under ProfileRFC5849 a body that is not a form is let through although no signature covers it: the
// Verified of [Caller] says so in BodySigned.
type Handler struct {
	// Next handles the requests that are acceptable. Their body can be read again, and [Caller]
	// names who sent them. Form, PostForm, MultipartForm and Trailer are empty, even if a handler
	// before this one set them: they may not be from what was verified.
	Next http.Handler
	// Key returns the key that a consumer's requests are verified with: nil if the consumer is not
	// known, which refuses the request, or the nil pointer that a map of keys gives for it. An error
	// means that the key cannot be had now.
	Key func(ctx context.Context, consumerKey string) (signature.VerifyingKey, error)

	Profile signature.Profile
	Window  time.Duration     // the largest distance of the timestamp from Clock; 0: not checked (L63)
	Clock   func() time.Time  // nil means time.Now
	Replays signature.Replays // remembers nonces; nil: they may be used again (L63)

	Origin  string // scheme and host that clients sign, such as "https://gate.example.com", if a proxy hides them, and a path that it removes; empty: those of the request
	MaxBody int64  // the longest body in bytes; 0 means 10 MiB

	// Refuse answers a request that is not let through; nil answers 403 with an empty body, or 500 if
	// [Unavailable] reports true for the error. err says why, and shows no secret and no value.
	Refuse func(w http.ResponseWriter, r *http.Request, err error)
}

// ServeHTTP calls Next for an acceptable request, and refuses all others.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	request, verified, err := h.verify(r)
	if err != nil {
		h.refuse(w, r, err)
		return
	}
	next := r.WithContext(context.WithValue(r.Context(), callerKey{}, verified))
	body := request.Body()
	next.Body = io.NopCloser(bytes.NewReader(body))
	next.ContentLength = int64(len(body))
	next.TransferEncoding, next.Trailer = nil, nil
	next.Form, next.PostForm, next.MultipartForm = nil, nil, nil
	h.Next.ServeHTTP(w, next)
}

func (h *Handler) verify(r *http.Request) (signature.Request, signature.Verified, error) {
	var none signature.Verified
	if h.Next == nil || h.Key == nil {
		return signature.Request{}, none, unavailable(found(HandlerIncomplete, "", ""))
	}
	if err := checkOrigin(h.Origin); err != nil {
		return signature.Request{}, none, unavailable(err)
	}
	head, contentType, err := readHead(r, h.Origin)
	if err != nil {
		return head, none, err
	}
	consumer, err := head.ConsumerKey()
	if err != nil {
		return head, none, err
	}
	key, err := h.Key(r.Context(), consumer)
	if err != nil {
		return head, none, unavailable(err)
	}
	if isNone(key) {
		return head, none, found(ConsumerUnknown, "", "")
	}
	body, err := readBody(r.Body, r.ContentLength, h.MaxBody)
	if err != nil {
		return head, none, err
	}
	request := head.WithBody(contentType, body)
	verified, err := signature.Verify(request, key, h.options())
	switch {
	case errors.Is(err, signature.OptionValue): // of the fields of h
		return request, none, unavailable(err)
	case err != nil:
		return request, none, err
	case h.Replays == nil:
		return request, verified, nil
	}
	switch err := h.Replays.Remember(r.Context(), verified.Use); {
	case err == nil:
		return request, verified, nil
	case errors.Is(err, signature.NonceReused):
		return request, none, err
	default:
		return request, none, unavailable(err)
	}
}

// isNone reports whether a lookup found no key: a nil pointer is not nil any more once it is a
// VerifyingKey.
func isNone(key signature.VerifyingKey) bool {
	switch k := key.(type) {
	case *signature.Secret:
		return k == nil
	case *signature.PublicKey:
		return k == nil
	}
	return key == nil
}

func (h *Handler) options() signature.Options {
	clock := h.Clock
	if clock == nil {
		clock = time.Now
	}
	return signature.Options{Profile: h.Profile, Window: h.Window, Now: clock()}
}

func (h *Handler) refuse(w http.ResponseWriter, r *http.Request, err error) {
	switch {
	case h.Refuse != nil:
		h.Refuse(w, r, err)
	case Unavailable(err):
		w.WriteHeader(http.StatusInternalServerError)
	default:
		w.WriteHeader(http.StatusForbidden)
	}
}

// callerKey is the key of the context value of [Caller].
type callerKey struct{}

// Caller returns what is known of the request whose context this is: who sent it, the use of its nonce,
// warnings. The result is false, and zero, for a context that no [Handler] made.
func Caller(ctx context.Context) (signature.Verified, bool) {
	v, ok := ctx.Value(callerKey{}).(signature.Verified)
	return v, ok
}

// An outage is an error of the key lookup, of the replay store or of the fields of a handler.
type outage struct{ cause error }

func (o *outage) Error() string { return "the request could not be judged" }
func (o *outage) Unwrap() error { return o.cause }

func unavailable(err error) error { return &outage{err} }

// Unavailable reports whether a [Handler] refused a request because it could not judge it: the key
// lookup or the replay store failed, or a field of the handler has a value that it cannot have. The
// text of err then shows nothing of that failure; errors.As finds it.
func Unavailable(err error) bool {
	_, ok := errors.AsType[*outage](err)
	return ok
}

// FromHTTP reads a request that a server received: its method, its raw target, its headers
// Content-Type and Authorization, and its body whole, up to maxBody bytes (0 means 10 MiB). The URL is
// origin and target; an empty origin means http or https, as the request came, and the Host header.
// r.Body is read to its end and not closed; [signature.Request.Body] has the bytes.
//
// The error is a [ledger.Finding]: of an origin, a target or a host that cannot be part of a URL, of a
// header that is there twice, or of a body that is too long, cut short or failing. Nothing is verified
// yet.
func FromHTTP(r *http.Request, origin string, maxBody int64) (signature.Request, error) {
	if err := checkOrigin(origin); err != nil {
		return signature.Request{}, err
	}
	head, contentType, err := readHead(r, origin)
	if err != nil {
		return signature.Request{}, err
	}
	body, err := readBody(r.Body, r.ContentLength, maxBody)
	if err != nil {
		return signature.Request{}, err
	}
	return head.WithBody(contentType, body), nil
}

// readHead reads all of a request but its body.
func readHead(r *http.Request, origin string) (head signature.Request, contentType string, err error) {
	target, err := receivedURL(r, origin)
	if err != nil {
		return head, "", err
	}
	if contentType, err = one(r.Header, "Content-Type"); err != nil {
		return head, "", err
	}
	authorization, err := one(r.Header, "Authorization")
	if err != nil {
		return head, "", err
	}
	return signature.NewRequest(r.Method, target).WithAuthorization(authorization), contentType, nil
}

// checkOrigin refuses an origin with which no request could be verified.
func checkOrigin(origin string) error {
	if origin == "" {
		return nil
	}
	if _, err := (signature.Endpoint{Base: origin, ID: "1"}).URL(); err != nil {
		return found(TargetForm, "the origin is not http or https and a host", "write it as in https://gate.example.com")
	}
	return nil
}

// receivedURL joins the raw target to the origin.
func receivedURL(r *http.Request, origin string) (string, error) {
	if len(r.Header["Host"]) > 0 || !isAuthority(r.Host) {
		return "", found(TargetForm, "the Host header is not a host with an optional port", "send the name of the host")
	}
	target := r.RequestURI
	if !isTarget(target) {
		return "", found(TargetForm, "the request target cannot be part of a URL", "send a path, and percent-encode other characters")
	}
	scheme := "http"
	if r.TLS != nil {
		scheme = "https"
	}
	if own := scheme + "://" + r.Host; len(target) >= len(own) && strings.EqualFold(target[:len(own)], own) {
		target = target[len(own):] // a client that takes the server for a proxy sends the whole URL
		if target == "" {
			target = "/"
		}
	}
	if target[0] != '/' {
		return "", found(TargetForm, "the request target is not a path", "send a path")
	}
	if origin == "" {
		return scheme + "://" + r.Host + target, nil
	}
	return strings.TrimSuffix(origin, "/") + target, nil
}

// isTarget reports whether a target has only bytes that it may have; a fragment is never sent.
func isTarget(target string) bool {
	for i := range len(target) {
		if c := target[i]; c <= ' ' || c == 0x7f || c == '#' || c == '\\' {
			return false
		}
	}
	return target != ""
}
