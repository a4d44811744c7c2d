package gateway_test

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/chargecast/chargecast/gateway"
)

// A slowBody is a body whose last byte does not arrive before it is let go.
type slowBody struct {
	text   io.Reader // without the last byte
	last   io.Reader
	waits  chan struct{} // closed once all but the last byte was read, and counted
	letGo  chan struct{}
	waited bool
}

func newSlowBody(text []byte) *slowBody {
	n := len(text) - 1
	return &slowBody{text: bytes.NewReader(text[:n]), last: bytes.NewReader(text[n:]), waits: make(chan struct{}), letGo: make(chan struct{})}
}

func (s *slowBody) Read(p []byte) (int, error) {
	if n, err := s.text.Read(p); err == nil {
		return n, nil
	}
	if !s.waited {
		s.waited = true
		close(s.waits)
		<-s.letGo
	}
	return s.last.Read(p)
}

// create answers a create request with a body of its own.
func create(t *testing.T, g *gateway.Gateway, nonce, body string, source io.Reader, length int64) *httptest.ResponseRecorder {
	t.Helper()
	r := request(t, plainURL, body, now(nonce))
	r.Body, r.ContentLength = io.NopCloser(source), length
	w := httptest.NewRecorder()
	g.ServeHTTP(w, r)
	return w
}

// reasons counts the requests that are recorded by their reasons.
func reasons(t *testing.T, g *gateway.Gateway) map[gateway.Reason]int {
	t.Helper()
	count := map[gateway.Reason]int{}
	err := g.View(t.Context(), func(tx gateway.Tx) error {
		list, err := tx.Requests().List(gateway.Query{Limit: 1000})
		for _, r := range list {
			count[r.Reason]++
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return count
}

// TestSlowBodiesTogether: slow clients of a known login can fill the room for bodies and no more.
// What does not fit is refused, and what fits is served; once the slow ones have ended there is
// room again, and nothing of them is lost.
func TestSlowBodiesTogether(t *testing.T) {
	t.Parallel()
	body := bodyOf(payloadOf(nil))
	size := int64(len(body))
	const room = 5 // bodies
	g := plain(t, gateway.Config{MaxBody: size, MaxBodies: room * size}, gateway.Registration{})
	var wg sync.WaitGroup
	var clients []*slowBody
	begin := func() {
		s, i := newSlowBody([]byte(body)), len(clients)
		clients = append(clients, s)
		wg.Go(func() {
			if w := create(t, g, fmt.Sprint("slow-", i), body, s, size); w.Code != http.StatusOK {
				t.Errorf("slow client %d: %d", i, w.Code)
			}
		})
		<-s.waits
	}
	for range room - 1 {
		begin()
	}
	if w := create(t, g, "fits", body, strings.NewReader(body), size); w.Code != http.StatusOK {
		t.Errorf("a body for which there is room: %d", w.Code)
	}
	begin() // now there is room for their last bytes alone
	for _, c := range []struct {
		reason string
		length int64
		expect string
		unread int // of the body
	}{
		{"its length says that there is no room", size, "", 0},
		{"its length says so, and the client has not sent it yet", size, "100-continue", len(body)},
		{"its length is not known", -1, "", 0},
		{"its length is not known, and the client was told to go on", -1, "100-continue", 0},
	} {
		r := request(t, plainURL, body, now("refused"))
		source := strings.NewReader(body)
		r.Body, r.ContentLength = io.NopCloser(source), c.length
		if c.expect != "" {
			r.Header.Set("Expect", c.expect)
		}
		w := httptest.NewRecorder()
		g.ServeHTTP(w, r)
		if w.Code != http.StatusForbidden || w.Body.Len() > 0 || source.Len() != c.unread {
			t.Errorf("%s: %d %q, %d bytes unread", c.reason, w.Code, w.Body, source.Len())
		}
	}
	if n := reasons(t, g)[gateway.ReasonTooLarge]; n != 4 {
		t.Errorf("%d are too large, not 4", n)
	}
	r := request(t, plainURL, body, now("shown"))
	if _, reason, _ := serve(t, g, r); reason != gateway.ReasonTooLarge {
		t.Errorf("the reason is %q", reason)
	}
	err := g.View(t.Context(), func(tx gateway.Tx) error {
		list, err := tx.Requests().List(gateway.Query{Limit: 1})
		if want := fmt.Sprint("more than ", room*size, " bytes together"); len(list) != 1 || len(list[0].Findings) != 1 || !strings.Contains(list[0].Findings[0].Message, want) {
			t.Errorf("the limit is not named: %+v", list)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range clients {
		close(s.letGo)
	}
	wg.Wait()
	// Whatever became of the others, nothing of them is counted any more: as many fit as in the
	// beginning.
	for i := range 3 * room {
		if w := create(t, g, fmt.Sprint("after-", i), body, strings.NewReader(body), -1); w.Code != http.StatusOK {
			t.Errorf("request %d afterwards: %d", i, w.Code)
		}
	}
}

// TestClientSeesThatThereIsNoRoom: over a socket, a client that sends all of a long body before it
// reads gets the answer, and the connection stays open.
func TestClientSeesThatThereIsNoRoom(t *testing.T) {
	t.Parallel()
	const size = 8 << 20 // more than a server reads behind a handler, and than a socket buffers
	g := plain(t, gateway.Config{MaxBody: size, MaxBodies: size}, gateway.Registration{})
	slow := newSlowBody(bytes.Repeat([]byte("a"), size/2))
	var wg sync.WaitGroup
	wg.Go(func() { create(t, g, "slow", "payload=", slow, -1) })
	<-slow.waits
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := gateway.NewServer(g)
	go func() { _ = server.Serve(l) }()
	t.Cleanup(func() { _ = server.Close() })
	c, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = c.Close() }()
	answers := bufio.NewReader(c)
	for i := range 2 {
		signed := request(t, plainURL, "payload=", now("long"))
		head := fmt.Sprintf("POST %s HTTP/1.1\r\nHost: gate.test\r\nContent-Type: %s\r\nAuthorization: %s\r\nContent-Length: %d\r\n\r\n",
			signed.URL.Path, formType, signed.Header.Get("Authorization"), size)
		_, errHead := io.WriteString(c, head)
		_, errBody := io.CopyN(c, zeros{}, size)
		response, errAnswer := http.ReadResponse(answers, nil)
		if err := errors.Join(errHead, errBody, errAnswer); err != nil || response.StatusCode != http.StatusForbidden || response.Close {
			t.Fatalf("request %d: %v %v", i, response, err)
		}
	}
	close(slow.letGo)
	wg.Wait()
	if n := reasons(t, g)[gateway.ReasonTooLarge]; n != 2 {
		t.Errorf("%d are too large, not 2", n)
	}
}

// zeros is a body of zeros without an end.
type zeros struct{}

func (zeros) Read(p []byte) (int, error) { clear(p); return len(p), nil }

// TestRefusedBodiesAreReleased: a request takes no room once it is answered, whatever ended it.
func TestRefusedBodiesAreReleased(t *testing.T) {
	t.Parallel()
	body := bodyOf(payloadOf(nil))
	size := int64(len(body))
	g := plain(t, gateway.Config{MaxBody: size, MaxBodies: size}, gateway.Registration{})
	for i := range 3 {
		for _, c := range []struct {
			reason string
			source io.Reader
			length int64
		}{
			{"another body than was signed", strings.NewReader(body[:size-1]), -1},
			{"too long", strings.NewReader(body + "&a=b"), -1},
			{"cut off", strings.NewReader(body[:size/2]), size},
			{"broken off", io.MultiReader(strings.NewReader(body[:size/2]), broken{}), size},
		} {
			if w := create(t, g, fmt.Sprint(c.reason, i), body, c.source, c.length); w.Code != http.StatusForbidden {
				t.Errorf("%s: %d", c.reason, w.Code)
			}
		}
	}
	if w := create(t, g, "right", body, strings.NewReader(body), size); w.Code != http.StatusOK {
		t.Errorf("a body that needs all of the room: %d", w.Code)
	}
}

// broken is a connection that breaks.
type broken struct{}

func (broken) Read([]byte) (int, error) { return 0, io.ErrClosedPipe }

// TestRoomForBodies: the limit of all bodies is not less than that of one.
func TestRoomForBodies(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		one, all int64
		refused  bool
		reason   string
	}{
		{0, 0, false, "the defaults"},
		{math.MaxInt64, 0, false, "a limit that no body reaches"},
		{1000, 1000, false, "one at a time"},
		{1000, 999, true, "not even one"},
		{0, 64<<20 - 1, true, "less than the default of one"},
		{0, -1, true, "negative"},
	} {
		g, err := gateway.New(t.Context(), gateway.Config{MaxBody: c.one, MaxBodies: c.all})
		if errors.Is(err, gateway.InputForm) != c.refused || (err == nil) == c.refused {
			t.Errorf("%s: %v", c.reason, err)
		}
		if g != nil {
			_ = g.Close()
		}
	}
}
