package oauthhttp

import (
	"iter"
	"net/http"
	"strings"

	"github.com/chargecast/chargecast/internal/httpbody"
	"github.com/chargecast/chargecast/internal/httprules"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/signature"
	"github.com/chargecast/chargecast/signature/internal/base"
)

// The codes of this package.
const (
	BodyRead      = httprules.BodyRead
	BodyLength    = httprules.BodyLength
	BodyLimit     = httprules.BodyLimit
	BodiesLimit   = httprules.BodiesLimit
	TargetForm    = httprules.TargetForm
	HeaderSeveral = httprules.HeaderSeveral
	HeaderPresent = httprules.HeaderPresent
	RedirectHost  = httprules.RedirectHost
)

// defaultMaxBody is the limit of a body that is read, if none is given.
const defaultMaxBody = 1 << 20

// Rules yields every code that this package gives beside those of package signature.
func Rules() iter.Seq[ledger.Rule] { return httprules.Rules() }

// found returns the finding of a code; message and help replace those of the table unless empty.
func found(code ledger.Code, message, help string) ledger.Finding {
	return httprules.Found(code, message, help)
}

// FromHTTP reads a request that a server received: its method, its raw target, its headers
// Content-Type and Authorization, and its body whole, up to maxBody bytes (0 means 1 MiB). The URL
// is origin and target; an empty origin means http or https, as the request came, and the Host
// header. r.Body is read to its end and not closed; [signature.Request.Body] has the bytes.
//
// The error is a [ledger.Finding]: of an origin, a target or a host that cannot be part of a URL,
// of a header that is there twice, or of a body that is too long, cut short or failing. Nothing is
// verified yet.
func FromHTTP(r *http.Request, origin string, maxBody int64) (signature.Request, error) {
	if err := checkOrigin(origin); err != nil {
		return signature.Request{}, err
	}
	target, err := receivedURL(r, origin)
	if err != nil {
		return signature.Request{}, err
	}
	contentType, err := one(r.Header, "Content-Type")
	if err != nil {
		return signature.Request{}, err
	}
	authorization, err := one(r.Header, "Authorization")
	if err != nil {
		return signature.Request{}, err
	}
	if maxBody <= 0 {
		maxBody = defaultMaxBody
	}
	body, err := httpbody.Read(r.Body, r.ContentLength, maxBody)
	if err != nil {
		return signature.Request{}, err
	}
	return signature.NewRequest(r.Method, target).WithBody(contentType, body).WithAuthorization(authorization), nil
}

// checkOrigin refuses an origin with which no request could be verified.
func checkOrigin(origin string) error {
	if origin == "" {
		return nil
	}
	u, problem := base.ParseURL(origin)
	if problem == nil {
		problem = u.Check()
	}
	if problem != nil {
		return found(TargetForm, "the origin is not http or https and a host", "write it as in https://gate.example.com")
	}
	return nil
}

// receivedURL joins the raw target to the origin.
func receivedURL(r *http.Request, origin string) (string, error) {
	// HTTP/2 may have the header in the place of :authority, and net/http leaves it where it was.
	if hosts := r.Header["Host"]; len(hosts) > 1 || len(hosts) == 1 && hosts[0] != r.Host || !isAuthority(r.Host) {
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

// isAuthority reports whether a text is a host with an optional port and nothing else, so that it
// can be put into a URL without changing the meaning of what follows. An escape or a zone in it
// would not be sent as it is.
func isAuthority(host string) bool {
	u, problem := base.ParseURL("http://" + host + "/")
	return problem == nil && u.Path == "/" && !u.HasUserinfo && !u.HasQuery && !u.HasFragment && !strings.Contains(host, "%")
}

// keys yields the keys of a header with this name in any case: net/http sends them as they are.
func keys(h http.Header, name string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for key := range h {
			if strings.EqualFold(key, name) && !yield(key) {
				return
			}
		}
	}
}

// one returns the value of a header that may be there once, or the empty text.
func one(h http.Header, name string) (string, error) {
	value, n := "", 0
	for key := range keys(h, name) {
		if n += len(h[key]); len(h[key]) > 0 {
			value = h[key][0]
		}
	}
	if n < 2 {
		return value, nil
	}
	return "", found(HeaderSeveral, "the request has several headers "+name, "send one")
}
