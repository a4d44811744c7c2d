package server

import (
	"bufio"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"strings"
	"testing"
)

// TestNothingButTheDocumentsAnswers: over raw sockets, with the pages in front, whatever is asked
// for under /paynet/ is answered with 200 or 403 and an empty body, and no request is left without
// an answer.
func TestNothingButTheDocumentsAnswers(t *testing.T) {
	t.Parallel()
	p := start(t, t.TempDir(), "--store", ":memory:")
	host := strings.TrimPrefix(p.url, "http://")
	r := rand.New(rand.NewPCG(14, 41))
	pick := func(words ...string) string { return words[r.IntN(len(words))] }
	pieces := []string{
		"api", "v4", "v5", "create-recurring-payments", "update-recurring-payments", "1234", "..", ".", "", "%2F", "%2e%2e", "%zz", "?x=1", ";a", "_sandbox", "v1", "clock", "healthz", "é", "\\", "#",
	}
	for range 400 {
		steps := []string{"/paynet"}
		for range 1 + r.IntN(6) {
			steps = append(steps, pick(pieces...))
		}
		request := pick("POST", "POST", "POST", "GET", "PUT", "DELETE", "OPTIONS", "CONNECT", "post", "X-Y") + " " +
			pick("", "", "", "http://"+host) + strings.Join(steps, "/") + " " + pick("HTTP/1.1", "HTTP/1.1", "HTTP/1.0", "HTTP/2.0") + "\r\n" +
			"Host: " + pick(host, host, "localhost", "evil.example", "") + "\r\n" +
			pick("", "Authorization: OAuth x\r\n", "Authorization: Basic eDp5\r\n", "Upgrade: websocket\r\nConnection: Upgrade\r\n", "X-HTTP-Method-Override: GET\r\n") +
			pick("", "Content-Type: application/x-www-form-urlencoded\r\n", "Content-Type: text/plain\r\n") +
			pick("Content-Length: 0\r\n", "Content-Length: 5\r\n", "Transfer-Encoding: chunked\r\n", "Content-Length: -1\r\n", "Content-Length: 0\r\nContent-Length: 1\r\n", "") +
			"Connection: close\r\n\r\n" + pick("", "a=b&c", "5\r\na=b&c\r\n0\r\n\r\n")
		conn, err := net.Dial("tcp", host)
		check(t, err)
		_, err = io.WriteString(conn, request)
		check(t, err)
		check(t, conn.(*net.TCPConn).CloseWrite())
		response, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil {
			t.Errorf("%q: %v", request, err)
			continue
		}
		body, err := io.ReadAll(response.Body)
		if response.StatusCode != 200 && response.StatusCode != 403 || err != nil || len(body) > 0 || response.ContentLength != 0 {
			t.Errorf("%q: %d, length %d, %q, %v", request, response.StatusCode, response.ContentLength, body, err)
		}
		check(t, conn.Close())
	}
}
