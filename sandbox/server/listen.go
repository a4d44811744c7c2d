package server

import (
	"errors"
	"net"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"github.com/chargecast/chargecast/internal/program"
)

// open opens the address of the flag --listen. Without a host it is that of this machine alone.
func (s *settings) open() (*net.TCPListener, error) {
	host, _, err := net.SplitHostPort(s.listen)
	if err != nil {
		return nil, usage("--listen: not an address; write HOST:PORT, as in 127.0.0.1:8043")
	}
	address := s.listen
	if host == "" {
		address = "127.0.0.1" + s.listen
	}
	to, err := net.ResolveTCPAddr("tcp", address)
	if err != nil {
		return nil, usage("--listen: the address cannot be resolved")
	}
	if !to.IP.IsLoopback() && !s.allowRemote {
		return nil, program.Usage("--listen: other machines can reach the address, and the admin interface has no access control", "listen at 127.0.0.1, or add --allow-remote")
	}
	l, err := net.ListenTCP("tcp", to)
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return nil, program.Internal("--listen: the port is in use", "end the program that uses it, or choose another port; 0 is any free one")
	case errors.Is(err, syscall.EACCES):
		return nil, program.Internal("--listen: permission denied", "choose a port above 1023")
	case err != nil:
		return nil, program.Internal("--listen: cannot listen at the address", "choose an address of this machine")
	}
	return l, nil
}

// hosts are the values of the Host header that mean this server: its address, the names of this
// machine if it listens there, if it listens at all addresses each of them, and those of the flag
// --host: with a port as they are, without one at the port of the server, too.
func hosts(flag string, more []string, at *net.TCPAddr) []string {
	name, _, _ := net.SplitHostPort(flag)
	names := []string{at.IP.String()}
	var list []string
	for _, host := range more {
		if _, _, err := net.SplitHostPort(host); err == nil {
			list = append(list, host)
		} else {
			names = append(names, strings.Trim(host, "[]"))
			list = append(list, host)
		}
	}
	if name != "" {
		names = append(names, name)
	}
	if at.IP.IsLoopback() || at.IP.IsUnspecified() {
		names = append(names, "localhost", "127.0.0.1", "::1")
	}
	if at.IP.IsUnspecified() {
		addresses, _ := net.InterfaceAddrs() // without them the names above are left
		for _, a := range addresses {
			if n, ok := a.(*net.IPNet); ok {
				names = append(names, n.IP.String())
			}
		}
	}
	for _, name := range names {
		list = append(list, net.JoinHostPort(name, strconv.Itoa(at.Port)))
		switch ip := net.ParseIP(name); {
		case at.Port != 80: // the port of http, which clients leave out
		case ip != nil && ip.To4() == nil:
			list = append(list, "["+name+"]")
		default:
			list = append(list, name)
		}
	}
	slices.Reverse(list) // an address of its own first
	return list
}

// urlOf is where a client on this machine reaches the server.
func urlOf(at *net.TCPAddr) string {
	ip := at.IP
	if ip.IsUnspecified() {
		ip = net.IPv4(127, 0, 0, 1)
	}
	return "http://" + net.JoinHostPort(ip.String(), strconv.Itoa(at.Port))
}
