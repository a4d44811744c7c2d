package gateway

import (
	"context"
	"encoding/binary"
	"errors"
	"io"
	"net"
	"net/netip"
	"sync"
	"testing"
)

// A nameServer answers every question with the next of some addresses, the last one again and
// again.
type nameServer struct {
	mu        sync.Mutex
	addresses []netip.Addr
	asked     int
}

func (s *nameServer) next() netip.Addr {
	s.mu.Lock()
	defer s.mu.Unlock()
	a := s.addresses[min(s.asked, len(s.addresses)-1)]
	s.asked++
	return a
}

// dial is a connection to the name server, over which messages have their length in front.
func (s *nameServer) dial(context.Context, string, string) (net.Conn, error) {
	ours, theirs := net.Pipe()
	go s.serve(ours)
	return theirs, nil
}

func (s *nameServer) serve(c net.Conn) {
	defer func() { _ = c.Close() }()
	for {
		var length [2]byte
		if _, err := io.ReadFull(c, length[:]); err != nil {
			return
		}
		question := make([]byte, binary.BigEndian.Uint16(length[:]))
		if _, err := io.ReadFull(c, question); err != nil {
			return
		}
		answer := s.answer(question)
		if _, err := c.Write(append(binary.BigEndian.AppendUint16(nil, uint16(len(answer))), answer...)); err != nil {
			return
		}
	}
}

// answer is a message of RFC 1035 with the question and, if it is about the kind of the next
// address, with this address.
func (s *nameServer) answer(question []byte) []byte {
	end := 12
	for question[end] != 0 {
		end += int(question[end]) + 1
	}
	end += 5 // type and class
	const typeA, typeAAAA = 1, 28
	kind := binary.BigEndian.Uint16(question[end-4:])
	message := append([]byte{}, question[:end]...)
	copy(message[2:], []byte{0x81, 0x80, 0, 1, 0, 0, 0, 0, 0, 0}) // an answer without error, to one question
	a := s.next()
	if a.Is4() != (kind == typeA) {
		return message
	}
	message[7] = 1 // one answer
	if kind != typeA {
		kind = typeAAAA
	}
	message = append(message, 0xc0, 12) // the name of the question
	message = binary.BigEndian.AppendUint16(message, kind)
	message = append(message, 0, 1, 0, 0, 0, 0) // of the internet, for no time
	message = binary.BigEndian.AppendUint16(message, uint16(a.BitLen()/8))
	return append(message, a.AsSlice()...)
}

// TestNamesThatLeadElsewhere: a callback goes by the address that a name has when it is connected
// to, whatever the name looks like and whatever address it had before.
func TestNamesThatLeadElsewhere(t *testing.T) {
	t.Parallel()
	server, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = server.Close() }()
	_, port, _ := net.SplitHostPort(server.Addr().String())
	for _, c := range []struct {
		reason, name string
		addresses    []string
		refused      bool
	}{
		{"a name of this machine", "shop.test", []string{"127.0.0.1"}, false},
		{"another address of this machine", "shop.test", []string{"127.8.8.8"}, false},
		{"a name of another machine", "shop.test", []string{"192.0.2.1"}, true},
		{"a name that says it is local", "localhost.evil.example", []string{"192.0.2.1"}, true},
		{"a private network", "shop.test", []string{"10.0.0.1"}, true},
		{"the metadata of a cloud", "shop.test", []string{"169.254.169.254"}, true},
		{"all addresses", "shop.test", []string{"0.0.0.0"}, true},
		{"all addresses of IPv6", "shop.test", []string{"::"}, true},
		{"an IPv4 address in IPv6", "shop.test", []string{"::ffff:192.0.2.1"}, true},
		{"an IPv4-compatible address", "shop.test", []string{"::127.0.0.1"}, true},
		{"through a translator", "shop.test", []string{"64:ff9b::7f00:1"}, true},
		{"through 6to4", "shop.test", []string{"2002:7f00:1::"}, true},
		{"a link", "shop.test", []string{"fe80::1"}, true},
		{"an address in hex", "0xc0.0.2.1", []string{"192.0.2.1"}, true},
	} {
		names := &nameServer{}
		for _, a := range c.addresses {
			names.addresses = append(names.addresses, netip.MustParseAddr(a))
		}
		d := newDialer(CallbacksLoopback)
		d.Resolver = &net.Resolver{PreferGo: true, Dial: names.dial}
		conn, err := d.DialContext(t.Context(), "tcp", net.JoinHostPort(c.name, port))
		if conn != nil {
			_ = conn.Close()
		}
		if refused := errors.Is(err, errNotLoopback); refused != c.refused {
			t.Errorf("%s: %v", c.reason, err)
		}
	}
	// The same name, later: each connection is judged by itself.
	for _, c := range []struct {
		address string
		refused bool
	}{{"127.0.0.1", false}, {"192.0.2.1", true}, {"127.0.0.1", false}} {
		d := newDialer(CallbacksLoopback)
		d.Resolver = &net.Resolver{PreferGo: true, Dial: (&nameServer{addresses: []netip.Addr{netip.MustParseAddr(c.address)}}).dial}
		conn, err := d.DialContext(t.Context(), "tcp", net.JoinHostPort("rebinding.test", port))
		if conn != nil {
			_ = conn.Close()
		}
		if refused := errors.Is(err, errNotLoopback); refused != c.refused {
			t.Errorf("rebinding to %s: %v", c.address, err)
		}
	}
}
