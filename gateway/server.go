package gateway

import (
	"bytes"
	"net"
	"net/http"
	"time"
)

// NewServer returns a server for a gateway, with limits for slow and idle clients: 10 seconds for
// the headers, 10 minutes for a body, 60 seconds between requests (8). It answers nothing by itself
// that could be a request of the document, if it serves on a [Listener].
func NewServer(h http.Handler) *http.Server {
	return &http.Server{
		Handler: h, DisableGeneralOptionsHandler: true,
		ReadHeaderTimeout: 10 * time.Second, ReadTimeout: 10 * time.Minute, IdleTimeout: 60 * time.Second,
		MaxHeaderBytes: 64 << 10,
	}
}

// Listener returns a listener for an http.Server. Package net/http answers what it cannot read (a
// bad request line, two lengths of a body, headers that are too long) with a status and a text of
// its own, before any handler is called. The connections of this listener send 403 with an empty
// body instead (4.1, 7). Below TLS it changes nothing.
func Listener(l net.Listener) net.Listener { return listener{l} }

type listener struct{ net.Listener }

func (l listener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return &conn{c}, nil
}

// A conn replaces what package net/http answers by itself.
type conn struct{ net.Conn }

// The first line of what package net/http answers by itself ends with ownHeaders; that of an Expect
// header that it does not know is 417.
var (
	ownHeaders      = []byte("\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n")
	ownExpectation  = []byte("HTTP/1.1 417 ")
	instead         = []byte("HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
	statusLineStart = []byte("HTTP/1.")
)

func (c *conn) Write(b []byte) (int, error) {
	if !isOwnAnswer(b) {
		return c.Conn.Write(b)
	}
	if _, err := c.Conn.Write(instead); err != nil {
		return 0, err
	}
	return len(b), nil
}

// isOwnAnswer reports whether package net/http wrote an answer without a handler: the headers of
// ours begin otherwise.
func isOwnAnswer(b []byte) bool {
	if !bytes.HasPrefix(b, statusLineStart) {
		return false
	}
	line := bytes.IndexByte(b, '\r')
	return line > 0 && bytes.HasPrefix(b[line:], ownHeaders) || bytes.HasPrefix(b, ownExpectation)
}

// CloseWrite ends what is sent, so that a client can read the answer before the connection is
// closed.
func (c *conn) CloseWrite() error {
	if half, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return nil
}
