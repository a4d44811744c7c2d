package gateway

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/netip"
	"syscall"
	"time"

	"github.com/chargecast/chargecast/internal/enum"
)

// A CallbackMode says where callbacks may go. The zero value is CallbacksLoopback.
type CallbackMode uint8

// The modes.
const (
	CallbacksLoopback CallbackMode = iota // to addresses of this machine alone
	CallbacksAny                          // to any address
	CallbacksOff                          // none are made
)

var callbackModes = enum.Words{Type: "CallbackMode", Words: []string{"loopback", "any", "off"}}

// String returns "loopback", "any" or "off", and a text such as "CallbackMode(9)" for a value that
// is none of these.
func (m CallbackMode) String() string { return callbackModes.String(uint8(m)) }

// MarshalText returns the word; a value that is not a CallbackMode is an error.
func (m CallbackMode) MarshalText() ([]byte, error) { return callbackModes.Marshal(uint8(m)) }

// UnmarshalText reads what MarshalText writes. On an error m is unchanged.
func (m *CallbackMode) UnmarshalText(text []byte) error {
	return callbackModes.Unmarshal(text, (*uint8)(m))
}

// callbackTimeout is how long one attempt may take, the answer included.
const callbackTimeout = 10 * time.Second

var errNotLoopback = errors.New("gateway: the address of a callback is not one of this machine")

// newTransport returns a transport that connects to no address that the mode forbids. The address
// is judged when it is connected to, after its name was resolved: no name leads past it.
func newTransport(mode CallbackMode) *http.Transport {
	return &http.Transport{ // no proxy: it would connect in our place
		DialContext: newDialer(mode).DialContext, TLSHandshakeTimeout: callbackTimeout, MaxIdleConns: 16, MaxIdleConnsPerHost: 4,
		IdleConnTimeout: 30 * time.Second, MaxResponseHeaderBytes: 64 << 10,
	}
}

func newDialer(mode CallbackMode) *net.Dialer {
	dialer := &net.Dialer{Timeout: callbackTimeout}
	if mode != CallbacksAny {
		dialer.ControlContext = func(_ context.Context, _, address string, _ syscall.RawConn) error {
			a, err := netip.ParseAddrPort(address)
			if err != nil || !a.Addr().Unmap().IsLoopback() {
				return errNotLoopback
			}
			return nil
		}
	}
	return dialer
}
