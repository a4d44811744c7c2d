package gateway

import (
	"context"
	"log/slog"
	"net"
	"net/http"
	"sync/atomic"
	"time"
)

// A Server serves a gateway on sockets, with limits for slow and idle clients: 10 seconds for the
// headers, 10 minutes for a body, 60 seconds between requests (8). Package net/http answers what it
// cannot read (a bad request line, two lengths of a body, headers that are too long) with a status
// and a text of its own, before any handler is called: a Server sends 403 with an empty body
// instead (4.1, 7). [NewServer] makes one.
type Server struct{ http http.Server }

// NewServer returns a server for a gateway, or for a handler around one.
func NewServer(h http.Handler) *Server {
	s := &Server{http.Server{
		DisableGeneralOptionsHandler: true,
		ReadHeaderTimeout:            10 * time.Second, ReadTimeout: 10 * time.Minute, IdleTimeout: 60 * time.Second,
		MaxHeaderBytes: 64 << 10,
		ErrorLog:       slog.NewLogLogger(slog.DiscardHandler, slog.LevelError), // of clients that go away
	}}
	s.http.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if c, ok := r.Context().Value(connKey{}).(*conn); ok {
			c.isHandled.Store(true)
		}
		h.ServeHTTP(w, r)
	})
	s.http.ConnContext = func(ctx context.Context, c net.Conn) context.Context { return context.WithValue(ctx, connKey{}, c) }
	s.http.ConnState = func(c net.Conn, state http.ConnState) {
		if c, ok := c.(*conn); ok && state == http.StateIdle { // the answer was sent
			c.isHandled.Store(false)
		}
	}
	return s
}

// Serve answers what comes to a listener until [Server.Shutdown] or [Server.Close] is called, and
// returns http.ErrServerClosed then.
func (s *Server) Serve(l net.Listener) error { return s.http.Serve(listener{l}) }

// Shutdown takes no further requests, and waits until those under way are answered, or ctx ends.
func (s *Server) Shutdown(ctx context.Context) error { return s.http.Shutdown(ctx) }

// Close closes all connections at once.
func (s *Server) Close() error { return s.http.Close() }

type connKey struct{}

type listener struct{ net.Listener }

func (l listener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return &conn{Conn: c}, nil
}

// A conn replaces what package net/http answers by itself: whatever is sent before a handler was
// called for the request.
type conn struct {
	net.Conn
	isHandled  atomic.Bool
	isReplaced bool
}

const instead = "HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"

func (c *conn) Write(b []byte) (int, error) {
	if c.isHandled.Load() {
		return c.Conn.Write(b)
	}
	if !c.isReplaced { // it is closed after that
		c.isReplaced = true
		if _, err := c.Conn.Write([]byte(instead)); err != nil {
			return 0, err
		}
	}
	return len(b), nil
}

// CloseWrite ends what is sent, so that a client can read the answer before the connection is
// closed.
func (c *conn) CloseWrite() error {
	if half, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return nil
}
