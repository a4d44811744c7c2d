package gatewaytest

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
)

// isCut reports whether a handler cut the connection.
func isCut(serve func()) (cut bool) {
	defer func() {
		switch r := recover(); r {
		case nil:
		case http.ErrAbortHandler:
			cut = true
		default:
			panic(r)
		}
	}()
	serve()
	return false
}

// inMemory is a transport that calls a handler instead of a server.
type inMemory struct{ handler http.Handler }

// RoundTrip answers a request in the goroutine of its caller.
func (m inMemory) RoundTrip(r *http.Request) (*http.Response, error) {
	if err := r.Context().Err(); err != nil {
		return nil, err
	}
	body := r.Body
	if body == nil {
		body = http.NoBody
	}
	defer func() { _ = body.Close() }()
	received := r.Clone(r.Context())
	received.Body, received.RequestURI = body, r.URL.RequestURI()
	received.RemoteAddr, received.Proto, received.ProtoMajor, received.ProtoMinor = "127.0.0.1:0", "HTTP/1.1", 1, 1
	if received.Host == "" {
		received.Host = r.URL.Host
	}
	if received.Header == nil {
		received.Header = http.Header{}
	}
	if r.ContentLength == 0 && r.Body != nil && r.Body != http.NoBody {
		received.ContentLength = -1 // of a client it means that the length is not known
	}
	w := httptest.NewRecorder()
	if isCut(func() { m.handler.ServeHTTP(w, received) }) {
		return nil, io.ErrUnexpectedEOF
	}
	if err := r.Context().Err(); err != nil {
		return nil, err // a client that gave up gets no answer
	}
	response := w.Result()
	response.Request = r
	response.Body = io.NopCloser(bytes.NewReader(w.Body.Bytes()))
	response.ContentLength = int64(w.Body.Len())
	return response, nil
}
