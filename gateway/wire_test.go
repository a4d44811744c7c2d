package gateway_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/gateway"
	"github.com/chargecast/chargecast/gateway/gatewaytest"
)

// dial connects to the socket of a gateway.
func dial(t *testing.T, gw *gatewaytest.Gateway) net.Conn {
	t.Helper()
	c, err := net.Dial("tcp", host(gw))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	if err := c.SetDeadline(time.Now().Add(5 * time.Minute)); err != nil { // for a machine that is busy
		t.Fatal(err)
	}
	return c
}

func host(gw *gatewaytest.Gateway) string { return strings.TrimPrefix(gw.URL, "http://") }

// exchange sends bytes, and returns the one answer to them with its body.
func exchange(t *testing.T, gw *gatewaytest.Gateway, request string) (*http.Response, string) {
	t.Helper()
	c := dial(t, gw)
	if _, err := io.WriteString(c, request); err != nil {
		t.Fatal(err)
	}
	response, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response, string(body)
}

// message is a create request as it is sent; changes replace lines of the header by name, an empty
// one removes it, and "" is the request line.
func (s *sender) message(body string, changes map[string]string) string {
	s.t.Helper()
	target := "/paynet/api/v4/create-recurring-payments/" + s.m.Endpoint
	lines := []struct{ name, text string }{
		{"", "POST " + target + " HTTP/1.1"},
		{"Host", "Host: " + host(s.gw)},
		{"Content-Type", "Content-Type: " + formType},
		{"Authorization", "Authorization: " + s.authorization(s.m.URL, body)},
		{"Content-Length", fmt.Sprintf("Content-Length: %d", len(body))},
	}
	var b strings.Builder
	for _, l := range lines {
		text, changed := changes[l.name]
		if !changed {
			text = l.text
		}
		if text != "" {
			b.WriteString(text + "\r\n")
		}
	}
	b.WriteString(changes["more"])
	return b.String() + "\r\n" + body
}

// TestTheWireOfTheDocument: 200 and 403, an empty body, Content-Length: 0, and the keep-alive of
// clause 8.
func TestTheWireOfTheDocument(t *testing.T) {
	t.Parallel()
	gw := gatewaytest.New(t)
	s := newSender(t, gw)
	body := bodyOf(payloadOf(nil))
	for _, c := range []struct {
		request string
		status  int
	}{
		{s.message(body, nil), 200},
		{s.message(body+"x", nil), 403},
	} {
		conn := dial(t, gw)
		if _, err := io.WriteString(conn, c.request); err != nil {
			t.Fatal(err)
		}
		r := bufio.NewReader(conn)
		line, err := r.ReadString('\n')
		if err != nil || !strings.HasPrefix(line, fmt.Sprintf("HTTP/1.1 %d ", c.status)) {
			t.Fatalf("%q %v", line, err)
		}
		header := map[string]string{}
		for {
			line, err := r.ReadString('\n')
			if err != nil {
				t.Fatal(err)
			}
			if line == "\r\n" {
				break
			}
			name, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
			header[name] = value
		}
		if header["Content-Length"] != "0" || header["Keep-Alive"] != "timeout=60" || header["Content-Type"] != "" || header["Transfer-Encoding"] != "" {
			t.Errorf("%d: %v", c.status, header)
		}
		if n := r.Buffered(); n > 0 {
			t.Errorf("%d: %d bytes of a body", c.status, n)
		}
		// The connection goes on.
		if _, err := io.WriteString(conn, s.message(body, nil)); err != nil {
			t.Fatal(err)
		}
		if line, err := r.ReadString('\n'); err != nil || !strings.HasPrefix(line, "HTTP/1.1 200 ") {
			t.Errorf("%q %v", line, err)
		}
	}
}

// TestReasons sends what is wrong in one way each, and some things that are right. Nothing but 200
// and 403 is answered, and never with a body.
func TestReasons(t *testing.T) {
	t.Parallel()
	gw := gatewaytest.New(t)
	s, other := newSender(t, gw), newSender(t, gw)
	body := bodyOf(payloadOf(nil))
	target := "/paynet/api/v4/create-recurring-payments/" + s.m.Endpoint
	line := func(method, target string) map[string]string {
		return map[string]string{"": method + " " + target + " HTTP/1.1"}
	}
	big := fmt.Sprintf("Content-Length: %d", 64<<20+1)
	for _, c := range []struct {
		name    string
		request string
		reason  gateway.Reason
		clause  string
	}{
		{"as the document says", s.message(body, nil), "", "4.1"},
		{"the whole URL as the target", s.message(body, line("POST", s.m.URL)), "", "RFC 9112 3.2.2"},
		{"a charset", s.message(body, map[string]string{"Content-Type": "Content-Type: application/x-www-form-urlencoded; charset=utf-8"}), "", "R104"},
		{"a content type in capitals", s.message(body, map[string]string{"Content-Type": "CONTENT-TYPE: Application/X-WWW-Form-URLencoded"}), "", "R104"},
		{"chunked", s.message("", map[string]string{
			"Content-Length": "Transfer-Encoding: chunked", "Authorization": "Authorization: " + s.authorization(s.m.URL, body),
		}) + fmt.Sprintf("%x\r\n%s\r\n0\r\n\r\n", len(body), body), "", "4.1"},
		{"HTTP/1.0", s.message(body, map[string]string{"": "POST " + target + " HTTP/1.0"}), "", "4.1"},

		{"another host", s.message(body, map[string]string{"Host": "Host: evil.example"}), "host", "rebinding"},
		{"another port", s.message(body, map[string]string{"Host": "Host: 127.0.0.1:1"}), "host", "rebinding"},
		{"no host, as HTTP/1.0 has it", s.message(body, map[string]string{"": "POST " + target + " HTTP/1.0", "Host": ""}), "host", "rebinding"},
		{"the whole URL of another host", s.message(body, line("POST", "http://evil.example"+target)), "host", "rebinding"},

		{"a query", s.message(body, line("POST", target+"?a=b")), "path", "L59"},
		{"an empty query", s.message(body, line("POST", target+"?")), "path", "L59"},
		{"a final slash", s.message(body, line("POST", target+"/")), "path", "4.1"},
		{"two slashes in front", s.message(body, line("POST", "/"+target)), "path", "4.1"},
		{"two slashes inside", s.message(body, line("POST", strings.Replace(target, "/v4/", "/v4//", 1))), "path", "4.1"},
		{"a step back", s.message(body, line("POST", "/paynet/../paynet/api/v4/create-recurring-payments/"+s.m.Endpoint)), "path", "4.1"},
		{"an escaped slash", s.message(body, line("POST", strings.Replace(target, "/api/", "%2Fapi/", 1))), "path", "4.1"},
		{"an escaped letter", s.message(body, line("POST", strings.Replace(target, "api", "%61pi", 1))), "path", "4.1"},
		{"an escaped endpoint", s.message(body, line("POST", "/paynet/api/v4/create-recurring-payments/%31001")), "path", "4.1"},
		{"another version", s.message(body, line("POST", strings.Replace(target, "v4", "v3", 1))), "path", "9"},
		{"capitals", s.message(body, line("POST", strings.Replace(target, "api", "API", 1))), "path", "4.1"},
		{"no endpoint", s.message(body, line("POST", "/paynet/api/v4/create-recurring-payments/")), "path", "4.1"},
		{"no endpoint and no slash", s.message(body, line("POST", "/paynet/api/v4/create-recurring-payments")), "path", "4.1"},
		{"the endpoint of a group", s.message(body, line("POST", "/paynet/api/v4/create-recurring-payments/group/1001")), "path", "4.1"},
		{"a dot as the endpoint", s.message(body, line("POST", "/paynet/api/v4/create-recurring-payments/..")), "path", "4.1"},
		{"a semicolon", s.message(body, line("POST", target+";a=b")), "path", "4.1"},
		{"the root", s.message(body, line("POST", "/")), "path", "4.1"},
		{"an asterisk", s.message(body, line("OPTIONS", "*")), "path", "RFC 9112 3.2.4"},
		{"an authority", s.message(body, line("CONNECT", host(gw))), "path", "RFC 9112 3.2.3"},
		{"an admin path that is not one", s.message(body, line("POST", "/_sandbox/v2/clock")), "path", "4.1"},

		{"update", s.message(body, line("POST", "/paynet/api/v4/update-recurring-payments/"+s.m.Endpoint)), "not-shown", "4.1"},
		{"another operation, by GET", s.message("", line("GET", "/paynet/api/v4/sale/"+s.m.Endpoint)), "not-shown", "4.1"},

		{"GET", s.message("", line("GET", target)), "method", "4.1"},
		{"PUT", s.message(body, line("PUT", target)), "method", "4.1"},
		{"a method in small letters", s.message(body, line("post", target)), "method", "4.1"},

		{"no content type", s.message(body, map[string]string{"Content-Type": ""}), "content-type", "4.1"},
		{"JSON", s.message(body, map[string]string{"Content-Type": "Content-Type: application/json"}), "content-type", "4.1"},
		{"two content types", s.message(body, map[string]string{"more": "Content-Type: " + formType + "\r\n"}), "content-type", "4.1"},

		{"no Authorization", s.message(body, map[string]string{"Authorization": ""}), "signature-unreadable", "5"},
		{"another scheme", s.message(body, map[string]string{"Authorization": "Authorization: Basic bTE6eA=="}), "signature-unreadable", "L67"},
		{"two of them", s.message(body, map[string]string{"more": "Authorization: " + s.authorization(s.m.URL, body) + "\r\n"}), "signature-unreadable", "5.5"},
		{"no consumer key", s.message(body, map[string]string{"Authorization": `Authorization: OAuth oauth_nonce="a"`}), "signature-unreadable", "5.1"},
		{"no signature", s.message(body, map[string]string{"Authorization": `Authorization: OAuth oauth_consumer_key="m1"`}), "signature-unreadable", "5.1"},
		{"a signature in hex", s.message(body, map[string]string{"Authorization": hexed(s.authorization(s.m.URL, body))}), "signature-unreadable", "5.3"},

		{"an unknown login", s.message(body, map[string]string{"Authorization": `Authorization: OAuth oauth_consumer_key="m9"`}), "unknown-merchant", "5.1"},
		{"an unknown endpoint", s.message(body, line("POST", "/paynet/api/v4/create-recurring-payments/9999")), "unknown-endpoint", "4.1"},
		{"another merchant's endpoint", s.message(body, line("POST", "/paynet/api/v4/create-recurring-payments/"+other.m.Endpoint)), "unknown-endpoint", "4.1"},

		{"a body that is too long by its own word", s.message("", map[string]string{"Content-Length": big}), "too-large", "L56d"},

		{"another body", s.message(body+"&a=b", map[string]string{"Authorization": "Authorization: " + s.authorization(s.m.URL, body)}), "signature-mismatch", "5.2"},
		{"signed for another URL", s.message(body, map[string]string{"Authorization": "Authorization: " + s.authorization("https://"+host(gw)+target, body)}), "signature-mismatch", "5.2"},
		{"signed by another merchant", s.message(body, map[string]string{"Authorization": strings.Replace("Authorization: "+other.authorization(s.m.URL, body), `"m2"`, `"m1"`, 1)}), "signature-mismatch", "5.3"},

		{"no payload", s.message("a=b", nil), "payload-invalid", "4.1"},
		{"an empty body", s.message("", nil), "payload-invalid", "4.1"},
		{"two payloads", s.message(body+"&"+body, nil), "payload-invalid", "4.1"},
		{"no base64", s.message("payload=%25%25", nil), "payload-invalid", "L49"},
		{"no rows", s.message(bodyOf(payloadOf()), nil), "payload-invalid", "L45"},
		{"a bad row among good ones", s.message(bodyOf(payloadOf(nil, values{"amount": "x"}, nil)), nil), "payload-invalid", "L48"},
		{"a bad row and another currency", s.message(bodyOf(payloadOf(values{"amount": "x", "currency": "USD"})), nil), "payload-invalid", "L48"},
		{"another currency", s.message(bodyOf(payloadOf(nil, values{"currency": "USD"})), nil), "currency", "L56"},
	} {
		response, text := exchange(t, gw, c.request)
		status := http.StatusForbidden
		if c.reason == "" {
			status = http.StatusOK
		}
		switch got := lastReason(gw); {
		case response.StatusCode != status || text != "" || response.ContentLength != 0:
			t.Errorf("%s (%s): %d %q, reason %q", c.name, c.clause, response.StatusCode, text, got)
		case got != c.reason:
			t.Errorf("%s (%s): reason %q, not %q", c.name, c.clause, got, c.reason)
		case response.Header.Get("X-Chargecast-Reason") != string(c.reason):
			t.Errorf("%s: the header says %q", c.name, response.Header.Get("X-Chargecast-Reason"))
		}
	}
	if n := len(gw.Profiles()); n != 6 {
		t.Errorf("%d profiles of 6 requests", n)
	}
}

// hexed spoils the text of a signature.
func hexed(authorization string) string {
	before, _, _ := strings.Cut(authorization, `oauth_signature="`)
	return "Authorization: " + before + `oauth_signature="zz"`
}

// TestWhatTheServerAnswersItself: package net/http refuses these before the handler is called, with
// a text of its own. The server answers 403 with nothing instead.
func TestWhatTheServerAnswersItself(t *testing.T) {
	t.Parallel()
	gw := gatewaytest.New(t)
	s := newSender(t, gw)
	body := bodyOf(payloadOf(nil))
	for name, request := range map[string]string{
		"two lengths":             s.message(body, map[string]string{"more": "Content-Length: 1\r\n"}),
		"a length that is none":   s.message(body, map[string]string{"Content-Length": "Content-Length: +5"}),
		"another encoding":        s.message(body, map[string]string{"Content-Length": "Transfer-Encoding: gzip"}),
		"two hosts":               s.message(body, map[string]string{"more": "Host: a\r\n"}),
		"no host":                 s.message(body, map[string]string{"Host": ""}),
		"a host that is none":     s.message(body, map[string]string{"Host": "Host: a b"}),
		"a bad request line":      s.message(body, map[string]string{"": "POST /paynet/ /x HTTP/1.1"}),
		"a bad escape":            s.message(body, map[string]string{"": "POST /paynet/%zz HTTP/1.1"}),
		"another protocol":        s.message(body, map[string]string{"": "POST /paynet/ HTTP/3.0"}),
		"HTTP/2 without asking":   "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
		"a bad header":            s.message(body, map[string]string{"more": "a b: c\r\n"}),
		"a header without a name": s.message(body, map[string]string{"more": ": c\r\n"}),
		"headers without end":     s.message(body, map[string]string{"more": "A: " + strings.Repeat("a", 80<<10) + "\r\n"}),
		"an expectation":          s.message(body, map[string]string{"more": "Expect: miracles\r\n"}),
	} {
		response, text := exchange(t, gw, request)
		if response.StatusCode != http.StatusForbidden || text != "" || response.ContentLength != 0 || response.Header.Get("Content-Type") != "" {
			t.Errorf("%s: %d %v %q", name, response.StatusCode, response.Header, text)
		}
	}
	if response, _ := exchange(t, gw, s.message(body, map[string]string{"more": "Expect: 100-continue\r\n"})); response.StatusCode != http.StatusContinue {
		t.Errorf("a client that asks first is not answered: %d", response.StatusCode)
	}
}

// TestABodyThatLooksLikeAnAnswer: what a handler sends is sent as it is, however it looks; what
// net/http answers by itself on the same connection later is not.
func TestABodyThatLooksLikeAnAnswer(t *testing.T) {
	t.Parallel()
	const own = "HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n"
	parts := []string{strings.Repeat("x", 4096), own, strings.Repeat("y", 4096), own}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := gateway.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", strconv.Itoa(len(strings.Join(parts, ""))))
		for _, part := range parts {
			_, _ = io.WriteString(w, part)
			_ = http.NewResponseController(w).Flush()
		}
	}))
	go func() { _ = server.Serve(l) }()
	defer func() { _ = server.Close() }()
	c, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = c.Close() }()
	r := bufio.NewReader(c)
	for n, want := range []string{strings.Join(parts, ""), strings.Join(parts, ""), ""} {
		request := "GET / HTTP/1.1\r\nHost: a\r\n\r\n"
		if want == "" {
			request = "GET / /x HTTP/1.1\r\n\r\n"
		}
		if _, err := io.WriteString(c, request); err != nil {
			t.Fatal(err)
		}
		response, err := http.ReadResponse(r, nil)
		if err != nil {
			t.Fatal(n, err)
		}
		body, err := io.ReadAll(response.Body)
		if err != nil || string(body) != want || (response.StatusCode == 403) != (want == "") {
			t.Errorf("answer %d: %d, %d bytes, %v", n, response.StatusCode, len(body), err)
		}
	}
}

// TestBodiesThatEndEarly: what was not received whole creates nothing.
func TestBodiesThatEndEarly(t *testing.T) {
	t.Parallel()
	gw := gatewaytest.New(t)
	s := newSender(t, gw)
	body := bodyOf(payloadOf(nil))
	whole := s.message(body, nil)
	chunked := s.message("", map[string]string{
		"Content-Length": "Transfer-Encoding: chunked", "Authorization": "Authorization: " + s.authorization(s.m.URL, body),
	}) + fmt.Sprintf("%x\r\n%s\r\n", len(body), body)
	for name, request := range map[string]string{"the last byte is missing": whole[:len(whole)-1], "the last chunk is missing": chunked, "a bad chunk": chunked + "zz\r\n"} {
		conn := dial(t, gw)
		if _, err := io.WriteString(conn, request); err != nil {
			t.Fatal(err)
		}
		if err := conn.(*net.TCPConn).CloseWrite(); err != nil {
			t.Fatal(err)
		}
		answer, err := io.ReadAll(conn)
		if err != nil || len(answer) > 0 && !strings.HasPrefix(string(answer), "HTTP/1.1 403 ") {
			t.Errorf("%s: %q %v", name, answer, err)
		}
		if reason := lastReason(gw); reason != gateway.ReasonPayload { // it is recorded before the connection is closed
			t.Errorf("%s: %s", name, reason)
		}
	}
	if n := len(gw.Profiles()); n > 0 {
		t.Errorf("%d profiles", n)
	}
}

// TestASlowBodyHoldsUpNobody: while one client sends a byte at a time, others are served.
func TestASlowBodyHoldsUpNobody(t *testing.T) {
	t.Parallel()
	gw := gatewaytest.New(t)
	s := newSender(t, gw)
	body := bodyOf(payloadOf(nil))
	slow := s.message(body, nil)
	conn := dial(t, gw)
	half := len(slow) - 10
	if _, err := io.WriteString(conn, slow[:half]); err != nil {
		t.Fatal(err)
	}
	for i := half; i < len(slow); i++ {
		if _, err := io.WriteString(conn, slow[i:i+1]); err != nil {
			t.Fatal(err)
		}
		s.create(nil)
		gw.Advance(calendar.MustParse(fmt.Sprintf("2026-01-%02d", 2+i-half)))
	}
	response, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil || response.StatusCode != http.StatusOK {
		t.Fatal(response, err)
	}
	if n := len(gw.Profiles()); n != 11 {
		t.Errorf("%d profiles", n)
	}
}
