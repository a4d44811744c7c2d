// Package client is the merchant's side of the gateway: it sends create requests, and receives callbacks.
//
//	m := client.New(client.Merchant{URL: url, Login: "merchant-login", Key: key})
//	answer, err := m.Create(ctx, payload)
//
// The error of Create says which of two things is known: with [ErrRejected] nothing was created, with [ErrUnknown] the profiles may
// have been created although no answer came, and sending the payload again could create them twice.
package client

import (
	"context"
	"encoding/base64"
	"errors"
	"io"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/chargecast/chargecast/gateway/response"
	"github.com/chargecast/chargecast/internal/fault"
	"github.com/chargecast/chargecast/signature"
	"github.com/chargecast/chargecast/signature/oauthhttp"
)

// A Merchant is who sends requests, and where to. URL, Login and Key are required.
type Merchant struct {
	URL   string               // of the create request with the endpoint, in full (4.1): no path is added to it
	Login string               // the merchant login, sent as oauth_consumer_key (5.1)
	Key   signature.SigningKey // the private key (RSA-SHA256) or the control key (HMAC-SHA1)

	Transport http.RoundTripper // sends the signed requests, so it must not sign itself; nil: http.DefaultTransport
}

// A Client sends create requests for a merchant. It can be used by several goroutines. [New] makes one.
type Client struct {
	url  string
	http http.Client
	err  error // why it cannot send anything
}

// New returns a client for a merchant. What is missing or cannot be used is the error of each [Client.Create].
func New(m Merchant) *Client {
	c := &Client{url: m.URL, err: m.check()}
	c.http.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	c.http.Transport = &oauthhttp.Transport{ConsumerKey: m.Login, Key: m.Key, MaxBody: maxBody, Base: watched{m.Transport}}
	return c
}

func (m *Merchant) check() error {
	switch {
	case m.URL == "":
		return errors.New("the URL is missing: set Merchant.URL")
	case m.Login == "":
		return errors.New("the login is missing: set Merchant.Login")
	case m.Key == nil:
		return errors.New("the key is missing: set Merchant.Key")
	}
	return nil
}

// A Fault is one of the two things that are known after a create request failed: a constant error for errors.Is.
type Fault = fault.Fault

// What is known after a create request failed.
const (
	// ErrRejected: certainly nothing was created. The gateway answered 403, or nothing was sent.
	ErrRejected Fault = "client: nothing was created; correct the cause and send the payload again"
	// ErrUnknown: the profiles may have been created. No answer came, or one that is neither 200 nor 403.
	ErrUnknown Fault = "client: the profiles may have been created; look them up before you send the payload again"
)

// An Error is why a create request failed. It is the [Fault] and the cause for errors.Is and errors.As.
type Error struct {
	Fault  Fault // ErrRejected or ErrUnknown
	Status int   // the status of the answer; 0: there was none
	Cause  error // what went wrong if the status does not say it; may be nil
}

// Error returns one line: what is known, why, and what to do. It shows neither the URL nor the payload.
func (e *Error) Error() string {
	known, remedy, _ := strings.Cut(string(e.Fault), "; ")
	var why []string
	if e.Status != 0 {
		why = append(why, "the answer has the status "+strconv.Itoa(e.Status))
	}
	if e.Cause != nil {
		why = append(why, e.Cause.Error())
	}
	return known + ": " + strings.Join(why, ": ") + "; " + remedy
}

// Unwrap returns the fault and the cause.
func (e *Error) Unwrap() []error {
	if e.Cause == nil {
		return []error{e.Fault}
	}
	return []error{e.Fault, e.Cause}
}

// An Answer is what the gateway answered.
type Answer struct {
	Status  int               // of HTTP; 0: no answer came
	Records []response.Record // what its body says of each row; none for an empty body, which the document shows (4.1)
}

// Limits in bytes: of a payload, of the body that it becomes, and of the body of an answer.
const (
	maxPayload = 32 << 20
	maxBody    = 64 << 20
	maxAnswer  = 16 << 20
)

const formType = "application/x-www-form-urlencoded"

// Create sends a payload, a CSV document as [rules.Writer] writes it, in one signed create request: all of its profiles are created, or
// none (4.1). It sends the request once and never again, and follows no redirect. A nil error means that the profiles were created.
// Every other error is an [*Error] with [ErrRejected] or [ErrUnknown]. It is up to ctx how long an answer is waited for.
//
// [rules.Writer]: https://pkg.go.dev/github.com/chargecast/chargecast/rules#Writer
func (c *Client) Create(ctx context.Context, payload io.Reader) (Answer, error) {
	if c.err != nil {
		return Answer{}, &Error{Fault: ErrRejected, Cause: c.err}
	}
	text, err := io.ReadAll(io.LimitReader(payload, maxPayload+1))
	switch {
	case err != nil:
		return Answer{}, &Error{Fault: ErrRejected, Cause: err}
	case len(text) > maxPayload:
		return Answer{}, &Error{Fault: ErrRejected, Cause: errors.New("the payload is longer than 32 MiB: split it")}
	}
	body := "payload=" + url.QueryEscape(base64.StdEncoding.EncodeToString(text))
	sent := new(atomic.Bool)
	r, err := http.NewRequestWithContext(context.WithValue(ctx, sentKey{}, sent), http.MethodPost, c.url, strings.NewReader(body))
	if err != nil {
		return Answer{}, &Error{Fault: ErrRejected, Cause: errors.New("the URL cannot be used: write it in full, as in https://host/path")}
	}
	r.Header.Set("Content-Type", formType)
	answer, err := c.http.Do(r)
	if err != nil {
		return Answer{}, &Error{Fault: known(sent.Load()), Cause: causeOf(err)}
	}
	defer func() { _ = answer.Body.Close() }()
	text, err = io.ReadAll(io.LimitReader(answer.Body, maxAnswer))
	return read(answer.StatusCode, text, err)
}

func known(sent bool) Fault {
	if sent {
		return ErrUnknown
	}
	return ErrRejected
}

// causeOf returns an error without the URL.
func causeOf(err error) error {
	if e, ok := errors.AsType[*url.Error](err); ok {
		return e.Err
	}
	return err
}

// read reads an answer. The type of a record decides what happened, not the status (X2); 403 without a record that says otherwise
// is a refusal.
func read(status int, body []byte, failed error) (Answer, error) {
	a := Answer{Status: status}
	var accepted, rejected int
	for _, part := range split(body) {
		r, err := response.Parse(status, part)
		if err != nil {
			failed = errors.Join(failed, err)
			break
		}
		a.Records = append(a.Records, r)
		switch r.Outcome {
		case response.OutcomeAccepted:
			accepted++
		case response.OutcomeRejected:
			rejected++
		}
	}
	switch {
	case status == http.StatusForbidden && accepted == 0:
		return a, &Error{Fault: ErrRejected, Status: status}
	case status != http.StatusOK || failed != nil || accepted > 0 && rejected > 0:
		return a, &Error{Fault: ErrUnknown, Status: status, Cause: failed}
	case rejected > 0:
		return a, &Error{Fault: ErrRejected, Status: status, Cause: errors.New("its record says that the request was refused")}
	}
	return a, nil
}

// split returns the records of a body: one begins with the type where the one before has its own.
func split(body []byte) (list [][]byte) {
	const begin = "type="
	text := string(body)
	for text != "" {
		end := strings.Index(text[1:], "\n"+begin)
		if end < 0 || !strings.HasPrefix(text, begin) {
			return append(list, []byte(text))
		}
		list, text = append(list, []byte(text[:end+2])), text[end+2:]
	}
	return list
}

type sentKey struct{}

// A watched transport notes in the context of a request whether anything of it may have been sent: with package net/http, once there is
// a connection for it, with one that signs, by what that sends with, with any other transport, once that is called.
type watched struct{ http.RoundTripper }

func (w watched) RoundTrip(r *http.Request) (*http.Response, error) {
	base := w.RoundTripper
	if base == nil {
		base = http.DefaultTransport
	}
	sent, _ := r.Context().Value(sentKey{}).(*atomic.Bool)
	if sent == nil {
		return base.RoundTrip(r)
	}
	switch base := base.(type) {
	case *oauthhttp.Transport: // it sends nothing itself
		signing := *base
		signing.Base = watched{base.Base}
		return signing.RoundTrip(r)
	case *http.Transport:
	default:
		sent.Store(true)
		return base.RoundTrip(r)
	}
	trace := &httptrace.ClientTrace{GotConn: func(httptrace.GotConnInfo) { sent.Store(true) }}
	return base.RoundTrip(r.WithContext(httptrace.WithClientTrace(r.Context(), trace)))
}
