package oauthhttp

import (
	"context"
	"errors"
	"io"
	"math"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/chargecast/chargecast/internal/httpbody"
	"github.com/chargecast/chargecast/signature"
)

// Limits of the bodies that a Handler reads, if none are set. A body is read before anybody is authenticated.
const (
	defaultMaxBody   = 1 << 20
	defaultMaxBodies = 8 << 20
)

// A Handler is an http.Handler that lets only acceptable requests through to Next: the signature is
// right under a key of the consumer that the request names, it covers all that was sent, nothing else
// is wrong with the request, its timestamp is inside the window, and its nonce is new. Its fields must
// not be changed while it is in use.
//
// What needs no body is judged first: method, target, the Authorization header, timestamp, and the
// length of the signature. Then a consumer who is known and one who is not are alike, in what is read
// of the request, in the keys that are tried, in the time that takes, and in the answer.
type Handler struct {
	// Next handles the requests that are acceptable. Their body can be read again, and [Caller]
	// names who sent them. Form and PostForm of a form are what was verified, to the last semicolon; those of other
	// bodies, MultipartForm and Trailer are empty, even if a handler before this one set them.
	Next http.Handler
	// Keys returns all keys that may serve a consumer for a signature method, such as an old key and
	// its successor. None refuses the request: the consumer is not known. A nil pointer among them, as
	// a map of keys gives it, is none. An error means that the keys cannot be had now.
	Keys func(ctx context.Context, consumerKey string, method signature.Method) ([]signature.VerifyingKey, error)
	// Window is the largest distance of the timestamp from Clock, either way, at least a second (L63).
	Window time.Duration
	// Replays remembers nonces, which are used once (L63); see [signature.NewMemoryReplays].
	Replays signature.Replays

	// The fields below open what is closed. A Handler that lacks what they are about, and does not say so, refuses everything.

	AllowAnyTime  bool // there is no Window: a request is accepted however old it is
	AllowReplays  bool // there are no Replays: a request is accepted as often as it is sent
	AllowUnsigned bool // bytes that nothing signed reach Next; the Verified of [Caller] tells them by BodySigned

	Profile signature.Profile
	Clock   func() time.Time // nil means time.Now
	Origin  string           // scheme and host that clients sign, such as "https://gate.example.com", if a proxy hides them, and a path that it removes; empty: those of the request

	MaxBody   int64 // the longest body in bytes; 0 means 1 MiB
	MaxBodies int64 // of all bodies that are held at once, in bytes; 0 means 8 MiB, or MaxBody if that is more

	// Refuse answers a request that is not let through; nil answers 403 with an empty body, or if [Unavailable]
	// reports true for the error 503, and 500 for a fault of the fields above. err says why, and shows no secret
	// and no value.
	Refuse func(w http.ResponseWriter, r *http.Request, err error)

	room httpbody.Room
}

// ServeHTTP calls Next for an acceptable request, and refuses all others.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	held := httpbody.Held{Source: r.Body, Room: &h.room, Most: h.maxBodies()}
	defer held.Release()
	body, verified, err := h.verify(r, &held)
	if err != nil {
		h.refuse(w, r, err)
		return
	}
	next := r.WithContext(context.WithValue(r.Context(), callerKey{}, verified))
	next.Body = io.NopCloser(strings.NewReader(body))
	next.ContentLength = int64(len(body))
	next.TransferEncoding, next.Trailer = nil, nil
	next.Form, next.PostForm, next.MultipartForm = nil, nil, nil
	setForms(next, body)
	h.Next.ServeHTTP(w, next)
}

// setForms sets the forms of a verified request. Package net/http would read others: none where parameters of the Content-Type
// are malformed, which nothing signs, and a form without those that have a semicolon, which whoever passes the request on can
// put in the place of %3B.
func setForms(r *http.Request, body string) {
	contentType, _ := one(r.Header, "Content-Type")
	media, _, _ := strings.Cut(contentType, ";")
	if body == "" || !strings.EqualFold(strings.Trim(media, " \t"), formType) ||
		r.Method != http.MethodPost && r.Method != http.MethodPut && r.Method != http.MethodPatch {
		return
	}
	r.Form, r.PostForm = url.Values{}, url.Values{}
	for i, text := range [...]string{body, r.URL.RawQuery} {
		params, _ := signature.ParseForm(text) // it has been read
		for _, p := range params {
			r.Form.Add(p.Name(), p.Value())
			if i == 0 {
				r.PostForm.Add(p.Name(), p.Value())
			}
		}
	}
}

// Check returns what makes the handler refuse every request, for a program that is being started: a field that is missing or has a
// value that it cannot have. The error has the code [HandlerIncomplete], [TargetForm] or [signature.OptionValue].
func (h *Handler) Check() error {
	if err := h.checkFields(); err != nil {
		return err
	}
	_, err := signature.Inspect(signature.Request{}, h.options())
	if errors.Is(err, signature.OptionValue) {
		return err
	}
	return nil
}

func (h *Handler) checkFields() error {
	incomplete := func(message, help string) error { return found(HandlerIncomplete, message, help) }
	switch {
	case h.Next == nil || h.Keys == nil:
		return incomplete("the handler has no Next or no Keys", "set both")
	case h.Window == 0 && !h.AllowAnyTime:
		return incomplete("the handler has no Window", "set it, such as 5 * time.Minute, or AllowAnyTime")
	case h.Window != 0 && h.AllowAnyTime:
		return incomplete("the handler has a Window, and AllowAnyTime", "set one of them")
	case h.Replays == nil && !h.AllowReplays:
		return incomplete("the handler has no Replays", "set signature.NewMemoryReplays(100_000) or a store of your own, or AllowReplays")
	case h.Replays != nil && h.AllowReplays:
		return incomplete("the handler has Replays, and AllowReplays", "set one of them")
	case h.MaxBody < 0 || h.MaxBodies < 0 || h.MaxBodies > 0 && h.MaxBodies < h.maxBody():
		return incomplete("MaxBody or MaxBodies is negative, or no body fits into MaxBodies", "set bytes, MaxBodies at least as many as MaxBody")
	}
	return checkOrigin(h.Origin)
}

func (h *Handler) maxBody() int64 {
	if h.MaxBody == 0 {
		return defaultMaxBody
	}
	return h.MaxBody
}

func (h *Handler) maxBodies() int64 {
	if h.MaxBodies == 0 {
		return max(defaultMaxBodies, h.maxBody())
	}
	return h.MaxBodies
}

func (h *Handler) now() time.Time {
	if h.Clock == nil {
		return time.Now()
	}
	return h.Clock()
}

func (h *Handler) options() signature.Options {
	return signature.Options{Profile: h.Profile, Window: h.Window, Now: h.now(), AllowUnsigned: h.AllowUnsigned}
}

// verify returns the body of an acceptable request.
func (h *Handler) verify(r *http.Request, held *httpbody.Held) (string, signature.Verified, error) {
	var none signature.Verified
	if err := h.checkFields(); err != nil {
		return "", none, &outage{err, http.StatusInternalServerError}
	}
	head, err := readHead(r, h.Origin)
	if err != nil {
		return "", none, err
	}
	o := h.options()
	claim, err := signature.Inspect(head, o)
	switch {
	case errors.Is(err, signature.OptionValue): // of the fields of h
		return "", none, &outage{err, http.StatusInternalServerError}
	case err != nil:
		return "", none, err
	}
	keys, err := h.Keys(r.Context(), claim.ConsumerKey, claim.Method)
	if err != nil {
		return "", none, unavailable(err)
	}
	body, err := h.readBody(r, held)
	if err != nil {
		return "", none, err
	}
	keys = slices.DeleteFunc(slices.Clone(keys), isNone)
	o.Now = h.now() // a body can take longer than the store remembers a use
	verified, err := signature.VerifyAny(head.WithBody(head.ContentType(), body), keys, o)
	switch {
	case err != nil && len(keys) == 0:
		return "", none, found(ConsumerUnknown, "", "")
	case err != nil:
		return "", none, err
	case h.Replays == nil:
		return body, verified, nil
	}
	switch err := h.Replays.Remember(r.Context(), verified.Use, o.Now); {
	case err == nil:
		return body, verified, nil
	case errors.Is(err, signature.NonceReused), errors.Is(err, signature.TimestampStale):
		return "", none, err
	default:
		return "", none, unavailable(err)
	}
}

// readBody reads the body, if there is room for it.
func (h *Handler) readBody(r *http.Request, held *httpbody.Held) (string, error) {
	most := h.maxBodies()
	if r.ContentLength <= h.maxBody() && !h.room.Fits(r.ContentLength, most) {
		return "", unavailable(httpbody.Full(most))
	}
	if r.Body == nil {
		return httpbody.Read(nil, r.ContentLength, math.MaxInt64)
	}
	body, err := httpbody.Read(held, r.ContentLength, h.maxBody())
	if errors.Is(err, BodiesLimit) {
		return "", unavailable(httpbody.Full(most))
	}
	return body, err
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

func (h *Handler) refuse(w http.ResponseWriter, r *http.Request, err error) {
	status := http.StatusForbidden
	if o, ok := errors.AsType[*outage](err); ok {
		status = o.status
	}
	if h.Refuse != nil {
		h.Refuse(w, r, err)
		return
	}
	w.WriteHeader(status)
}

// callerKey is the key of the context value of [Caller].
type callerKey struct{}

// Caller returns what is known of the request whose context this is: who sent it, the use of its nonce,
// warnings. The result is false, and zero, for a context that no [Handler] made.
func Caller(ctx context.Context) (signature.Verified, bool) {
	v, ok := ctx.Value(callerKey{}).(signature.Verified)
	return v, ok
}

// An outage is an error of the key lookup, of the replay store, of the room for bodies or of the fields of a handler.
type outage struct {
	cause  error
	status int
}

func (o *outage) Error() string { return "the request could not be judged" }
func (o *outage) Unwrap() error { return o.cause }

func unavailable(err error) error { return &outage{err, http.StatusServiceUnavailable} }

// Unavailable reports whether a [Handler] refused a request because it could not judge it: the key
// lookup or the replay store failed, there was no room for the body, or a field of the handler has a
// value that it cannot have. The text of err then shows nothing of that failure; errors.As finds it.
func Unavailable(err error) bool {
	_, ok := errors.AsType[*outage](err)
	return ok
}
