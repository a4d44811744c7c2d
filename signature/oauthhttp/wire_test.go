package oauthhttp_test

import (
	"bufio"
	"encoding/binary"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/signature"
	"github.com/chargecast/chargecast/signature/oauthhttp"
)

// header signs a request as a client does that is not net/http, and returns the value of its Authorization.
func header(t *testing.T, url, body, nonce string) string {
	t.Helper()
	o := signature.OAuth{ConsumerKey: "m", Nonce: nonce, Timestamp: signature.Timestamp(time.Now())}
	signed, _, err := signature.Sign(signature.NewRequest("POST", url).WithBody(form, body), o, secret(t))
	if err != nil {
		t.Fatalf("%s: %v", url, err)
	}
	return signed.Authorization()
}

// TestRequestsOnTheWire: what arrives is judged by the bytes of its request line and its Host header, and no header, trailer
// or coding around them lets in what was not signed. HOST is the address of the server, SIGNED a header whose
// signature is that of the URL and the body beside it.
func TestRequestsOnTheWire(t *testing.T) {
	const plain = "Content-Type: " + form + "\r\nAuthorization: SIGNED\r\nContent-Length: 9\r\n\r\npayload=x"
	for _, c := range []struct {
		reason, raw, url, body string
		status                 int
		want                   ledger.Code
	}{
		{"as it is", "POST /p HTTP/1.1\r\nHost: HOST\r\n" + plain, "http://HOST/p", "payload=x", 200, ""},
		{"an absolute target", "POST http://HOST/p HTTP/1.1\r\nHost: HOST\r\n" + plain, "http://HOST/p", "payload=x", 200, ""},
		{"its scheme in upper case", "POST HTTP://HOST/p HTTP/1.1\r\nHost: HOST\r\n" + plain, "http://HOST/p", "payload=x", 200, ""},
		{"an absolute target without a path", "POST http://HOST HTTP/1.1\r\nHost: HOST\r\n" + plain, "http://HOST", "payload=x", 200, ""},
		{"an absolute target of another host", "POST http://other/p HTTP/1.1\r\nHost: HOST\r\n" + plain, "http://HOST/p", "payload=x", 403, signature.SignatureWrong},
		{"an absolute target of another scheme", "POST https://HOST/p HTTP/1.1\r\nHost: HOST\r\n" + plain, "http://HOST/p", "payload=x", 403, oauthhttp.TargetForm},
		{"an absolute target with a user", "POST http://u:p@HOST/p HTTP/1.1\r\nHost: HOST\r\n" + plain, "http://HOST/p", "payload=x", 403, oauthhttp.TargetForm},
		{"a path of two slashes", "POST //p//q HTTP/1.1\r\nHost: HOST\r\n" + plain, "http://HOST//p//q", "payload=x", 200, ""},
		{"two slashes are not a host", "POST //evil.example/p HTTP/1.1\r\nHost: HOST\r\n" + plain, "http://evil.example/p", "payload=x", 403, signature.SignatureWrong},
		{"dots stay", "POST /a/../p HTTP/1.1\r\nHost: HOST\r\n" + plain, "http://HOST/a/../p", "payload=x", 200, ""},
		{"an encoded slash is not a slash", "POST /a%2Fp HTTP/1.1\r\nHost: HOST\r\n" + plain, "http://HOST/a/p", "payload=x", 403, signature.SignatureWrong},
		{"an encoded slash", "POST /a%2fp HTTP/1.1\r\nHost: HOST\r\n" + plain, "http://HOST/a%2fp", "payload=x", 200, ""},
		{"its hex in another case", "POST /a%2fp HTTP/1.1\r\nHost: HOST\r\n" + plain, "http://HOST/a%2Fp", "payload=x", 403, signature.SignatureWrong},
		{"Host in upper case, with the default port", "POST /p HTTP/1.1\r\nHost: GATE.Example:80\r\n" + plain, "http://gate.example/p", "payload=x", 200, ""},
		{"an address in brackets", "POST /p HTTP/1.1\r\nHost: [2001:DB8::1]:8080\r\n" + plain, "http://[2001:db8::1]:8080/p", "payload=x", 200, ""},
		{"Host with a zone", "POST /p HTTP/1.1\r\nHost: [fe80::1%25eth0]\r\n" + plain, "http://HOST/p", "payload=x", 403, oauthhttp.TargetForm},
		{"Host with a bad port", "POST /p HTTP/1.1\r\nHost: h:99999\r\n" + plain, "http://HOST/p", "payload=x", 403, oauthhttp.TargetForm},
		{"Host without a name", "POST /p HTTP/1.1\r\nHost: :80\r\n" + plain, "http://HOST/p", "payload=x", 403, oauthhttp.TargetForm},
		{"no Host", "POST /p HTTP/1.0\r\n" + plain, "http://HOST/p", "payload=x", 403, oauthhttp.TargetForm},
		{"two Hosts", "POST /p HTTP/1.1\r\nHost: HOST\r\nHost: HOST\r\n" + plain, "http://HOST/p", "payload=x", 400, ""},
		{"a method in lower case", "post /p HTTP/1.1\r\nHost: HOST\r\n" + plain, "http://HOST/p", "payload=x", 403, signature.MethodNotPost},
		{"an asterisk", "POST * HTTP/1.1\r\nHost: HOST\r\n" + plain, "http://HOST/p", "payload=x", 403, oauthhttp.TargetForm},
		{"CONNECT", "CONNECT h:443 HTTP/1.1\r\nHost: h:443\r\n" + plain, "http://HOST/p", "payload=x", 403, oauthhttp.TargetForm},
		{"a query that was not signed", "POST /p? HTTP/1.1\r\nHost: HOST\r\n" + plain, "http://HOST/p", "payload=x", 403, signature.URLQuery},
		{"a parameter with a semicolon in the path", "POST /p;a=1 HTTP/1.1\r\nHost: HOST\r\n" + plain, "http://HOST/p", "payload=x", 403, signature.SignatureWrong},

		{"two Authorization headers, the first signed", "POST /p HTTP/1.1\r\nHost: HOST\r\nauthorization: SIGNED\r\nAUTHORIZATION: Basic eDp5\r\nContent-Type: " + form + "\r\nContent-Length: 9\r\n\r\npayload=x", "http://HOST/p", "payload=x", 403, oauthhttp.HeaderSeveral},
		{"two schemes in one header", "POST /p HTTP/1.1\r\nHost: HOST\r\nAuthorization: Basic eDp5, SIGNED\r\nContent-Type: " + form + "\r\nContent-Length: 9\r\n\r\npayload=x", "http://HOST/p", "payload=x", 403, signature.HeaderScheme},
		{"another scheme behind it", "POST /p HTTP/1.1\r\nHost: HOST\r\nAuthorization: SIGNED, Basic eDp5\r\nContent-Type: " + form + "\r\nContent-Length: 9\r\n\r\npayload=x", "http://HOST/p", "payload=x", 403, signature.HeaderSyntax},
		{"two content types", "POST /p HTTP/1.1\r\nHost: HOST\r\nContent-Type: text/plain\r\n" + plain, "http://HOST/p", "payload=x", 403, oauthhttp.HeaderSeveral},
		{"two content types in one header", "POST /p HTTP/1.1\r\nHost: HOST\r\nAuthorization: SIGNED\r\nContent-Type: " + form + ", text/plain\r\nContent-Length: 9\r\n\r\npayload=x", "http://HOST/p", "payload=x", 403, signature.ContentType},
		{"JSON", "POST /p HTTP/1.1\r\nHost: HOST\r\nAuthorization: SIGNED\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\npayload=x", "http://HOST/p", "payload=x", 403, signature.ContentType},
		{"a form of several parts", "POST /p HTTP/1.1\r\nHost: HOST\r\nAuthorization: SIGNED\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: 9\r\n\r\npayload=x", "http://HOST/p", "payload=x", 403, signature.ContentType},
		{"a type in upper case with a charset", "POST /p HTTP/1.1\r\nHost: HOST\r\nAuthorization: SIGNED\r\nContent-Type: " + strings.ToUpper(form) + ";charset=utf-8\r\nContent-Length: 9\r\n\r\npayload=x", "http://HOST/p", "payload=x", 200, ""},

		{"chunks", "POST /p HTTP/1.1\r\nHost: HOST\r\nAuthorization: SIGNED\r\nContent-Type: " + form + "\r\nTransfer-Encoding: chunked\r\n\r\n4\r\npayl\r\n5\r\noad=x\r\n0\r\n\r\n", "http://HOST/p", "payload=x", 200, ""},
		{"chunks with a trailer", "POST /p HTTP/1.1\r\nHost: HOST\r\nTrailer: Authorization\r\nContent-Type: " + form + "\r\nTransfer-Encoding: chunked\r\n\r\n9\r\npayload=x\r\n0\r\nAuthorization: SIGNED\r\n\r\n", "http://HOST/p", "payload=x", 403, signature.HeaderScheme},
		{"chunks with a trailer that changes nothing", "POST /p HTTP/1.1\r\nHost: HOST\r\nAuthorization: SIGNED\r\nTrailer: X-Payload\r\nContent-Type: " + form + "\r\nTransfer-Encoding: chunked\r\n\r\n9\r\npayload=x\r\n0\r\nX-Payload: evil\r\n\r\n", "http://HOST/p", "payload=x", 200, ""},
		{"chunks that break off", "POST /p HTTP/1.1\r\nHost: HOST\r\nAuthorization: SIGNED\r\nContent-Type: " + form + "\r\nTransfer-Encoding: chunked\r\n\r\n9\r\npayload=x\r\nbroken\r\n", "http://HOST/p", "payload=x", 403, oauthhttp.BodyRead},
		{"a body that is not sent", "POST /p HTTP/1.1\r\nHost: HOST\r\nAuthorization: SIGNED\r\nContent-Type: " + form + "\r\nContent-Length: 0\r\n\r\n", "http://HOST/p", "payload=x", 403, signature.SignatureWrong},
		{"a body of no declared length is none", "POST /p HTTP/1.1\r\nHost: HOST\r\nAuthorization: SIGNED\r\nContent-Type: " + form + "\r\n\r\npayload=x", "http://HOST/p", "payload=x", 403, signature.SignatureWrong},
		{"more than was declared stays out", "POST /p HTTP/1.1\r\nHost: HOST\r\n" + plain + "&payload=evil", "http://HOST/p", "payload=x", 200, ""},
		{"a length too long to be sent", "POST /p HTTP/1.1\r\nHost: HOST\r\nAuthorization: SIGNED\r\nContent-Type: " + form + "\r\nContent-Length: 9223372036854775807\r\n\r\npayload=x", "http://HOST/p", "payload=x", 403, oauthhttp.BodyLimit},
		{"two lengths", "POST /p HTTP/1.1\r\nHost: HOST\r\nContent-Length: 3\r\n" + plain, "http://HOST/p", "payload=x", 400, ""},

		{"a plus sign is a space", "POST /p HTTP/1.1\r\nHost: HOST\r\nAuthorization: SIGNED\r\nContent-Type: " + form + "\r\nContent-Length: 11\r\n\r\npayload=a+b", "http://HOST/p", "payload=a%20b", 200, ""},
		{"a plus sign is not a plus sign", "POST /p HTTP/1.1\r\nHost: HOST\r\nAuthorization: SIGNED\r\nContent-Type: " + form + "\r\nContent-Length: 11\r\n\r\npayload=a+b", "http://HOST/p", "payload=a%2Bb", 403, signature.SignatureWrong},
		{"a bad escape", "POST /p HTTP/1.1\r\nHost: HOST\r\nAuthorization: SIGNED\r\nContent-Type: " + form + "\r\nContent-Length: 11\r\n\r\npayload=%zz", "http://HOST/p", "payload=x", 403, signature.FormEscape},
	} {
		t.Run(c.reason, func(t *testing.T) {
			g := newGate(t, httptest.NewServer)
			host := strings.TrimPrefix(g.URL, "http://")
			raw := strings.ReplaceAll(c.raw, "SIGNED", header(t, strings.ReplaceAll(c.url, "HOST", host), c.body, "n"))
			if got := wire(t, host, strings.ReplaceAll(raw, "HOST", host)); got != c.status {
				t.Errorf("answered %d, want %d: %v", got, c.status, g.errs)
			}
			if passed := len(g.callers) > 0; passed != (c.status == 200) {
				t.Errorf("passed %v", passed)
			}
			if c.status == 403 && (len(g.errs) != 1 || !errors.Is(g.errs[0], c.want)) {
				t.Errorf("%v, want %s", g.errs, c.want)
			}
			for _, body := range g.bodies {
				if strings.Contains(body, "evil") {
					t.Errorf("passed on: %q", body)
				}
			}
		})
	}
}

// wire sends bytes to a server and returns the status of its answer.
func wire(t *testing.T, address, raw string) int {
	t.Helper()
	conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	if _, err := io.WriteString(conn, raw); err != nil {
		t.Fatal(err)
	}
	response, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		t.Fatal(err)
	}
	_ = response.Body.Close()
	return response.StatusCode
}

// TestBareRequests: a request that no server made, without header, body or context of its own, is an error and no panic.
func TestBareRequests(t *testing.T) {
	if _, err := oauthhttp.FromHTTP(&http.Request{}, "", 0); !errors.Is(err, oauthhttp.TargetForm) {
		t.Error(err)
	}
	r, err := oauthhttp.FromHTTP(&http.Request{Method: "POST", Host: "h", RequestURI: "/p"}, "", -1)
	if err != nil || r.URL() != "http://h/p" || len(r.Body()) > 0 || r.Authorization() != "" {
		t.Errorf("%q, %v", r.URL(), err)
	}
	response, err := new(oauthhttp.Transport).RoundTrip(&http.Request{})
	if err == nil {
		_ = response.Body.Close()
		t.Error("an empty request is sent")
	}
}

// TestTargetThatIsSentOtherwise: net/http writes a query as it is. One that another reading would cut is not signed.
func TestTargetThatIsSentOtherwise(t *testing.T) {
	transport := &oauthhttp.Transport{ConsumerKey: "m", Key: secret(t),
		Base: roundTrip(func(*http.Request) (*http.Response, error) { return nil, errors.New("sent") })}
	for _, query := range []string{"a#b", "a b", "a\\b", "a\r\nX: y", "a\x00"} {
		r := request(t, "POST", "http://h/p", strings.NewReader("payload=x"))
		r.URL.RawQuery = query
		response, err := transport.RoundTrip(r)
		if err == nil {
			_ = response.Body.Close()
		}
		if !errors.Is(err, oauthhttp.TargetForm) {
			t.Errorf("%q: %v", query, err)
		}
	}
}

// TestFormWithoutContentType: a body that was signed as a form was sent without the header that says so, which 4.1 requires.
// A header that is there stays, and what is no form is still refused.
func TestFormWithoutContentType(t *testing.T) {
	for _, c := range []struct {
		reason string
		key    string
		given  string
		want   string
		fails  bool
	}{
		{"4.1 requires it", "", "", form, false},
		{"an empty one, in another case", "content-type", "", form, false},
		{"one that is there", "Content-Type", form + ";charset=utf-8", form + ";charset=utf-8", false},
		{"no form", "Content-Type", "application/json", "", true},
	} {
		sent, values := "", 0
		transport := &oauthhttp.Transport{ConsumerKey: "m", Key: secret(t), Base: roundTrip(func(r *http.Request) (*http.Response, error) {
			for key, list := range r.Header {
				if strings.EqualFold(key, "Content-Type") {
					sent, values = strings.Join(list, ","), values+len(list)
				}
			}
			return &http.Response{StatusCode: http.StatusOK, Body: http.NoBody}, nil
		})}
		r, err := http.NewRequest("POST", "https://h.example/p", strings.NewReader("payload=x"))
		if err != nil {
			t.Fatal(err)
		}
		if c.key != "" {
			r.Header[c.key] = []string{c.given}
		}
		_, err = transport.RoundTrip(r)
		if (err != nil) != c.fails || sent != c.want || values > 1 || c.key == "" && len(r.Header) > 0 {
			t.Errorf("%s: %q, %d values, %v, %v", c.reason, sent, values, r.Header, err)
		}
	}
}

// TestOrigins: what a proxy hides is put in front of the target, and an origin that can be in no URL is refused, which was told
// as a fault of each request.
func TestOrigins(t *testing.T) {
	for origin, want := range map[string]string{
		"": "http://inside:8080/p", "https://gate.example.com": "https://gate.example.com/p", "https://gate.example.com/": "https://gate.example.com/p",
		"HTTP://[2001:db8::1]:81": "HTTP://[2001:db8::1]:81/p", "https://gate.example.com/removed": "https://gate.example.com/removed/p",
		"gate.example.com": "", "//gate.example.com": "", "ftp://gate.example.com": "", "https://": "", "https:///p": "", "https://h?": "", "https://h/#": "", "https://h:0": "", "https://h h": "",
	} {
		r := httptest.NewRequest("POST", "http://inside:8080/p", nil)
		r.RequestURI = "/p"
		got, err := oauthhttp.FromHTTP(r, origin, 0)
		if got.URL() != want || (err == nil) != (want != "") || err != nil && !errors.Is(err, oauthhttp.TargetForm) {
			t.Errorf("%q: %q, %v", origin, got.URL(), err)
		}
	}
}

// TestAuthorityInTheHostHeader: a request of HTTP/2 without :authority has the header Host in its place, and was refused. Method: the
// frames are written by hand, since the client of net/http always sends :authority.
func TestAuthorityInTheHostHeader(t *testing.T) {
	g := &gate{t: t}
	server := httptest.NewUnstartedServer(g)
	server.Config.Protocols = new(http.Protocols)
	server.Config.Protocols.SetUnencryptedHTTP2(true)
	server.Start()
	t.Cleanup(server.Close)
	conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", server.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	authorization := header(t, "http://gate.example/p", "payload=x", "n")
	var block []byte
	for _, field := range [][2]string{{":method", "POST"}, {":scheme", "http"}, {":path", "/p"}, {"host", "gate.example"}, {"content-type", form},
		{"content-length", "9"}, {"authorization", authorization}} {
		block = append(block, 0) // a literal without an index
		for _, text := range field {
			block = append(hpackLength(block, len(text)), text...)
		}
	}
	out := []byte("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")
	out = append(out, frame(4, 0, 0, nil)...)                 // SETTINGS
	out = append(out, frame(1, 4, 1, block)...)               // HEADERS, whole
	out = append(out, frame(0, 1, 1, []byte("payload=x"))...) // DATA, the last
	if _, err := conn.Write(out); err != nil {
		t.Fatal(err)
	}
	answer := make([]byte, 64)
	if _, err := io.ReadAtLeast(conn, answer, 9); err != nil {
		t.Fatal(err)
	}
	for range 1000 {
		if g.count() > 0 {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	if len(g.protos) != 1 || g.protos[0] != "HTTP/2.0" {
		t.Errorf("%v, refused %v", g.protos, g.errs)
	}
	// Another one beside the host of the request stays refused.
	for _, hosts := range [][]string{{"gate.example", "gate.example"}, {"other.example"}} {
		r := httptest.NewRequest("POST", "/p", nil)
		r.Host, r.Header["Host"] = "gate.example", hosts
		if _, err := oauthhttp.FromHTTP(r, "", 0); !errors.Is(err, oauthhttp.TargetForm) {
			t.Errorf("%v: %v", hosts, err)
		}
	}
}

func frame(kind, flags byte, stream uint32, payload []byte) []byte {
	head := binary.BigEndian.AppendUint32(nil, uint32(len(payload))<<8|uint32(kind))
	return append(binary.BigEndian.AppendUint32(append(head, flags), stream), payload...)
}

// hpackLength appends a length of HPACK, of a text without Huffman coding.
func hpackLength(dst []byte, n int) []byte {
	if n < 127 {
		return append(dst, byte(n))
	}
	dst = append(dst, 127)
	return binary.AppendUvarint(dst, uint64(n-127))
}
