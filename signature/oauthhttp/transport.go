package oauthhttp

import (
	"bytes"
	"crypto/rand"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/chargecast/chargecast/internal/httpbody"
	"github.com/chargecast/chargecast/signature"
	"github.com/chargecast/chargecast/signature/internal/base"
)

// defaultMaxSent is the limit of a body that is signed, if none is set.
const defaultMaxSent = 10 << 20

// A Transport is an http.RoundTripper that signs each request and sends it with Base. It reads the
// body into memory to sign it; it changes neither the request nor its header. It can be used by
// several goroutines, and its fields must not be changed while it is in use.
//
// A signature is sent once, since a nonce is unique per request (5.1). Package net/http repeats
// some requests by itself when a connection breaks, with the same nonce, and the gateway may have
// accepted the first one. What a Transport hands to Base cannot be read twice (it has no GetBody),
// so Base returns an error instead, and the caller decides whether to send the request again, which
// signs it again. Only a POST without a body that has an Idempotency-Key is still repeated.
//
// A body without a Content-Type is sent as the form that it is signed as (4.1).
//
// A redirect within a host is signed like any request, with a nonce of its own. One to another
// host, or from https to http, is an error with the code [RedirectHost]: no one else is sent a
// signed payload.
type Transport struct {
	ConsumerKey string               // the merchant login
	Key         signature.SigningKey // the merchant's private key or control key

	Realm  *string // realm of the header; nil leaves it out
	InBody bool    // the OAuth parameters are sent in the body as well (5.5.5)

	Base    http.RoundTripper // sends the signed request; nil means http.DefaultTransport
	Clock   func() time.Time  // nil means time.Now
	Entropy io.Reader         // for nonces, read by several goroutines; nil means the Reader of crypto/rand
	MaxBody int64             // the longest body that is signed, in bytes; 0 means 10 MiB
}

// RoundTrip signs a copy of the request and sends it. The error is that of [signature.Sign], of a
// body that cannot be read whole, of a request that has an Authorization header already, or of
// Base. The body of r is always closed.
func (t *Transport) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Body != nil {
		defer func() { _ = r.Body.Close() }() // it was only read
	}
	signed, err := t.sign(r)
	if err != nil {
		return nil, err
	}
	return t.base().RoundTrip(signed)
}

func (t *Transport) base() http.RoundTripper {
	if t.Base == nil {
		return http.DefaultTransport
	}
	return t.Base
}

// CloseIdleConnections closes the connections of Base that are not in use, if it can: http.Client
// asks for it.
func (t *Transport) CloseIdleConnections() {
	if base, ok := t.base().(interface{ CloseIdleConnections() }); ok {
		base.CloseIdleConnections()
	}
}

// sign returns a signed copy of a request.
func (t *Transport) sign(r *http.Request) (*http.Request, error) {
	if len(slices.Collect(keys(r.Header, "Authorization"))) > 0 {
		return nil, found(HeaderPresent, "", "")
	}
	target, err := sentURL(r)
	if err != nil {
		return nil, err
	}
	if leavesHost(r) {
		return nil, found(RedirectHost, "", "")
	}
	contentType, err := one(r.Header, "Content-Type")
	if err != nil {
		return nil, err
	}
	limit := t.MaxBody
	if limit <= 0 {
		limit = defaultMaxSent
	}
	body, err := httpbody.Read(bodyOf(r), lengthOf(r), limit)
	if err != nil {
		return nil, err
	}
	if contentType == "" && body != "" { // the body is signed as a form, and 4.1 requires the header that says so
		contentType = base.FormType
	}
	o, err := t.oauth()
	if err != nil {
		return nil, err
	}
	method := r.Method
	if method == "" {
		method = http.MethodGet // as net/http sends it
	}
	signed, _, err := signature.Sign(signature.NewRequest(method, target).WithBody(contentType, body), o, t.Key)
	if err != nil {
		return nil, err
	}
	out := r.Clone(r.Context())
	if out.Header == nil {
		out.Header = http.Header{}
	}
	out.Header.Set("Authorization", signed.Authorization())
	if contentType = signed.ContentType(); contentType != "" {
		for key := range keys(out.Header, "Content-Type") {
			delete(out.Header, key)
		}
		out.Header.Set("Content-Type", contentType)
	}
	sent := signed.Body()
	out.ContentLength = int64(len(sent))
	out.TransferEncoding = nil
	out.Body, out.GetBody = http.NoBody, nil
	if len(sent) > 0 { // net/http does not send a body a second time that it cannot read again
		out.Body = io.NopCloser(bytes.NewReader(sent))
	}
	return out, nil
}

// leavesHost reports whether a redirect made this request, and it goes to another host, to another
// port or to http from https.
func leavesHost(r *http.Request) bool {
	if r.Response == nil || r.Response.Request == nil || r.Response.Request.URL == nil {
		return false
	}
	from, to := r.Response.Request.URL, r.URL
	return !strings.EqualFold(from.Host, to.Host) || from.Scheme == "https" && to.Scheme != "https"
}

func (t *Transport) oauth() (signature.OAuth, error) {
	entropy, clock := t.Entropy, t.Clock
	if entropy == nil {
		entropy = rand.Reader
	}
	if clock == nil {
		clock = time.Now
	}
	nonce, err := signature.Nonce(entropy)
	return signature.OAuth{ConsumerKey: t.ConsumerKey, Nonce: nonce, Timestamp: signature.Timestamp(clock()), Realm: t.Realm, InBody: t.InBody}, err
}

// bodyOf returns the body of a client's request; nil if it has none.
func bodyOf(r *http.Request) io.Reader {
	if r.Body == nil || r.Body == http.NoBody {
		return nil
	}
	return r.Body
}

// lengthOf returns the length that a client's request declares; negative if it is not known, which
// is what 0 means beside a body.
func lengthOf(r *http.Request) int64 {
	if r.ContentLength == 0 && bodyOf(r) != nil {
		return -1
	}
	return r.ContentLength
}

// sentURL returns the URL of a client's request as package net/http puts it on the wire.
func sentURL(r *http.Request) (string, error) {
	if r.URL == nil || r.URL.Host == "" {
		return "", found(TargetForm, "the request has no URL with a host", "make it with http.NewRequest and a full URL")
	}
	host := r.Host
	if host == "" {
		host = r.URL.Host
	}
	if !isAuthority(host) || strings.ContainsFunc(host, func(c rune) bool { return c >= 0x80 }) {
		return "", found(TargetForm, "the host is not one that is sent as it is written", "write it in ASCII, without a zone, with an optional port")
	}
	target := r.URL.RequestURI()
	if !strings.HasPrefix(target, "/") || !isTarget(target) {
		return "", found(TargetForm, "the URL has no path that can be signed", "write it in full, as in https://host/path, with other characters percent-encoded")
	}
	return r.URL.Scheme + "://" + host + target, nil
}
