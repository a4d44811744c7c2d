// Package admin calls the admin interface of a gateway in memory, so that pages and configuration
// read and write what a client does.
package admin

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"

	"github.com/chargecast/chargecast/ledger"
)

// Prefix is where the admin interface is.
const Prefix = "/_sandbox/v1/"

// A Problem is an error of the admin interface.
type Problem struct {
	Status   int             `json:"status"`
	Title    string          `json:"title"`
	Detail   string          `json:"detail"`
	Field    string          `json:"field"`
	Because  []Because       `json:"because"`
	Findings ledger.Findings `json:"findings"`
}

// A Because is a clause on which an answer is based.
type Because struct{ Clause, Basis, Text string }

func (p *Problem) Error() string { return p.Title }

// A Request is one call; Path lies behind Prefix.
type Request struct {
	Method, Path string
	Body         []byte
	Host         string
	RemoteAddr   string
	Header       http.Header // may be nil
}

// Do sends a request to the gateway, and returns the body of its answer. The error is a *Problem
// where the answer is one.
func (r Request) Do(ctx context.Context, gateway http.Handler) ([]byte, error) {
	path := Prefix + r.Path
	request, err := http.NewRequestWithContext(ctx, r.Method, "http://gateway"+path, bytes.NewReader(r.Body))
	if err != nil {
		return nil, err
	}
	request.Host, request.RequestURI, request.RemoteAddr = r.Host, path, r.RemoteAddr
	if r.Header != nil {
		request.Header = r.Header
	}
	a := &answer{header: http.Header{}}
	gateway.ServeHTTP(a, request)
	if a.status < http.StatusBadRequest {
		return a.body.Bytes(), nil
	}
	p := new(Problem)
	if json.Unmarshal(a.body.Bytes(), p) != nil || p.Title == "" {
		return nil, errors.New("admin: the answer is an error without a problem document")
	}
	return nil, p
}

// An answer is that of a handler, in memory.
type answer struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (a *answer) Header() http.Header         { return a.header }
func (a *answer) WriteHeader(status int)      { a.status = status }
func (a *answer) Write(b []byte) (int, error) { return a.body.Write(b) }
