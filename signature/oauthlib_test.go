package signature

import (
	"bytes"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/chargecast/chargecast/ledger"
)

// peerCase is one request and what python3-oauthlib makes of it.
type peerCase struct {
	Method     string      `json:"method"`
	URL        string      `json:"url"`
	Params     [][2]string `json:"params"`
	Secret     string      `json:"secret"`
	Token      string      `json:"token"`
	BaseString string      `json:"base_string"`
	Signature  string      `json:"signature"`
}

const peerSample = "testdata/oauthlib.jsonl"

// peerProgram answers a line of JSON with the base string and the HMAC-SHA1 signature.
const peerProgram = `
import sys, json
from oauthlib.oauth1.rfc5849 import signature as s
for line in sys.stdin:
    c = json.loads(line)
    base = s.signature_base_string(c["method"], s.base_string_uri(c["url"]), s.normalize_parameters([tuple(p) for p in c["params"]]))
    c["base_string"] = base
    c["signature"] = s._sign_hmac("SHA-1", base, c["secret"], c["token"])
    print(json.dumps(c))
`

// TestOAuthlibSample: a frozen sample of the peer's answers (B08, S04).
func TestOAuthlibSample(t *testing.T) {
	data, err := os.ReadFile(peerSample)
	if err != nil {
		t.Fatal(err)
	}
	if n := judgePeer(t, data); n != 100 {
		t.Errorf("%d cases, want 100", n)
	}
}

// TestOAuthlib compares with the peer itself where it is installed (B08, S04, P06). CHARGECAST_PEER_CASES says
// how many requests; 10000 and more are a campaign's.
func TestOAuthlib(t *testing.T) {
	count, seed := 2000, uint64(2)
	if n, err := strconv.Atoi(os.Getenv("CHARGECAST_PEER_CASES")); err == nil {
		count = n
	}
	if *update {
		count, seed = 100, 1
	}
	answers := askPeer(t, peerProgram, peerQuestions(t, count, seed))
	if n := judgePeer(t, answers); n != count {
		t.Errorf("%d answers, want %d", n, count)
	}
	t.Logf("%d requests compared with python3-oauthlib", count)
	if *update {
		if err := os.WriteFile(peerSample, answers, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// askPeer returns what a program of the peer answers to the questions; it skips the test where the peer is missing.
func askPeer(t *testing.T, program string, questions []byte) []byte {
	t.Helper()
	for _, python := range []string{"python3", "/usr/bin/python3"} {
		if exec.CommandContext(t.Context(), python, "-c", "import oauthlib").Run() != nil {
			continue
		}
		cmd := exec.CommandContext(t.Context(), python, "-c", program)
		cmd.Stdin = bytes.NewReader(questions)
		answers, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		return answers
	}
	t.Skip("python3-oauthlib is not installed: the peer is NOT asked; the frozen sample runs")
	return nil
}

// peerQuestions draws requests inside the peer's domain: text is UTF-8, paths have no semicolon.
func peerQuestions(t *testing.T, count int, seed uint64) []byte {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, seed))
	pick := func(list ...string) string { return list[r.IntN(len(list))] }
	text := func() string {
		var out strings.Builder
		for range r.IntN(5) {
			out.WriteString(pick("a", "Z", "0", "-._~", " ", "+", "%", "/", "=", "&", "!*'()", "é", "\U0001f4a9", "\n", ",", ";"))
		}
		return out.String()
	}
	var out []byte
	for range count {
		c := peerCase{Method: pick("POST", "GET", "put"), Secret: "s" + text(), Token: text()}
		c.URL = pick("http", "https") + "://" + pick("h.example", "Gate.Example.COM", "10.0.0.1") + pick("", ":80", ":443", ":8443") + pick("/", "/a%2Fb", "/p/77/", "/~u/..//b")
		for range r.IntN(6) {
			c.Params = append(c.Params, [2]string{pick("a", "a-b", "A", "a1", "c@", "é", text()), text()})
		}
		for _, name := range []string{nameConsumerKey, nameNonce} {
			c.Params = append(c.Params, [2]string{name, "v" + text()})
		}
		c.Params = append(c.Params, [2]string{nameTimestamp, strconv.Itoa(1 + r.IntN(2e9))})
		line, err := json.Marshal(c)
		if err != nil {
			t.Fatal(err)
		}
		out = append(append(out, line...), '\n')
	}
	return out
}

// judgePeer compares answers with ours and counts them.
func judgePeer(t *testing.T, answers []byte) int {
	t.Helper()
	decoder := json.NewDecoder(bytes.NewReader(answers))
	n := 0
	for ; decoder.More(); n++ {
		var c peerCase
		if err := decoder.Decode(&c); err != nil {
			t.Fatal(err)
		}
		var params []Param
		for _, p := range c.Params {
			params = append(params, NewParam(p[0], p[1]))
		}
		base, err := BaseString(NewRequest(c.Method, c.URL).WithParams(params...), nil, ProfileRFC5849)
		if err != nil || base != c.BaseString {
			t.Errorf("case %d: %q, %v, want %q", n, base, err, c.BaseString)
		}
		key, err := NewSecret(c.Secret, c.Token)
		if err != nil {
			t.Fatal(err)
		}
		if got, _ := SignBase(key, base); got != c.Signature {
			t.Errorf("case %d: signature %s, want %s", n, got, c.Signature)
		}
	}
	return n
}

// queryCase is a request whose query, body or both have a parameter oauth_signature, and what python3-oauthlib makes of it.
type queryCase struct {
	URL           string `json:"url"`
	Body          string `json:"body"`
	Header        string `json:"header"` // the OAuth parameters, without the signature
	BaseString    string `json:"base_string"`
	Authorization string `json:"authorization"`
}

const querySample = "testdata/oauthlib_query.jsonl"

// queryProgram collects the parameters of query, body and header as the peer does, which leaves oauth_signature out, and
// answers with the base string and the whole header.
const queryProgram = `
import sys, json
from urllib.parse import urlsplit, quote
from oauthlib.oauth1.rfc5849 import signature as s
for line in sys.stdin:
    c = json.loads(line)
    stray = c["header"] + ', oauth_signature="stray"'
    params = s.collect_parameters(uri_query=urlsplit(c["url"]).query, body=c["body"], headers={"Authorization": stray})
    base = s.signature_base_string("POST", s.base_string_uri(c["url"]), s.normalize_parameters(params))
    c["base_string"] = base
    c["authorization"] = c["header"] + ', oauth_signature="' + quote(s._sign_hmac("SHA-1", base, "secret", ""), safe="") + '"'
    print(json.dumps(c))
`

// queryQuestions draws queries and bodies with oauth_signature at every place, once or several times, also escaped, and with
// names that are nearly it.
func queryQuestions(t *testing.T, count int) []byte {
	t.Helper()
	r := rand.New(rand.NewPCG(3, 3))
	pick := func(list ...string) string { return list[r.IntN(len(list))] }
	pairs := func() string {
		var list []string
		for range r.IntN(4) {
			list = append(list, pick("a", "z", "oauth-signature", "xoauth_signature", "Oauth_signature", "p%2Bq")+"="+pick("", "1", "x%20y", "%C3%A9"))
		}
		for range r.IntN(3) {
			i := r.IntN(len(list) + 1)
			list = append(list[:i:i], append([]string{pick("oauth_signature", "oauth%5Fsignature", "%6fauth_signature") + "=" + pick("", "x", "a%2Bb%3D")}, list[i:]...)...)
		}
		return strings.Join(list, "&")
	}
	var out []byte
	for range count {
		c := queryCase{URL: "https://h.example/p?" + pairs(), Body: pairs(),
			Header: `OAuth oauth_consumer_key="m", oauth_nonce="n", oauth_signature_method="HMAC-SHA1", oauth_timestamp="1767225600", oauth_version="1.0"`}
		line, err := json.Marshal(c)
		if err != nil {
			t.Fatal(err)
		}
		out = append(append(out, line...), '\n')
	}
	return out
}

// TestSignatureInTheQueryOrTheBody: oauth_signature is left out of what is signed wherever it is (RFC 5849, 3.4.1.3.1). It was
// signed where it stood in a query. A frozen sample of the peer's answers.
func TestSignatureInTheQueryOrTheBody(t *testing.T) {
	data, err := os.ReadFile(querySample)
	if err != nil {
		t.Fatal(err)
	}
	if n := judgeQueries(t, data); n != 60 {
		t.Errorf("%d cases, want 60", n)
	}
}

// TestOAuthlibQueries asks the peer itself where it is installed.
func TestOAuthlibQueries(t *testing.T) {
	count := 500
	if *update {
		count = 60
	}
	answers := askPeer(t, queryProgram, queryQuestions(t, count))
	if n := judgeQueries(t, answers); n != count {
		t.Errorf("%d answers, want %d", n, count)
	}
	if *update {
		if err := os.WriteFile(querySample, answers, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// judgeQueries compares answers with what is verified, traced and signed here, and counts them.
func judgeQueries(t *testing.T, answers []byte) int {
	t.Helper()
	key, err := NewSecret("secret", "")
	if err != nil {
		t.Fatal(err)
	}
	decoder := json.NewDecoder(bytes.NewReader(answers))
	n := 0
	for ; decoder.More(); n++ {
		var c queryCase
		if err := decoder.Decode(&c); err != nil {
			t.Fatal(err)
		}
		r := NewRequest("POST", c.URL).WithBody(formType, c.Body).WithAuthorization(c.Authorization)
		inQuery := hasSignature(t, c.URL[strings.IndexByte(c.URL, '?')+1:])
		v, err := Verify(r, key, Options{Profile: ProfileRFC5849, AllowUnsigned: true})
		if err != nil || v.Signature != VerdictOK || warnsOfQuery(v.Findings) != inQuery {
			t.Errorf("verify %d: %v, %v, %v", n, v.Signature, v.Findings, err)
		}
		trace, err := NewTrace(r, ProfileRFC5849)
		if err != nil || trace.BaseString() != c.BaseString || warnsOfQuery(trace.Findings()) != inQuery {
			t.Errorf("trace %d: %q, %v, want %q", n, trace.BaseString(), err, c.BaseString)
		}
		s, err := Sign(r, OAuth{ConsumerKey: "m", Nonce: "n", Timestamp: "1767225600"}, key, ProfileRFC5849)
		if hasSignature(t, c.Body) {
			if !errors.Is(err, SignatureInBody) {
				t.Errorf("sign %d: %v", n, err)
			}
			continue
		}
		if err != nil || s.BaseString() != c.BaseString || !strings.Contains(c.Authorization, Encode(s.Signature())) || warnsOfQuery(s.Findings()) != inQuery {
			t.Errorf("sign %d: %q, %v, want %q", n, s.BaseString(), err, c.BaseString)
		}
	}
	return n
}

// hasSignature reports whether a form or a query has the parameter oauth_signature.
func hasSignature(t *testing.T, form string) bool {
	t.Helper()
	params, err := ParseForm(form)
	if err != nil {
		t.Fatal(err)
	}
	return slices.ContainsFunc(params, func(p Param) bool { return p.Name() == nameSignature })
}

func warnsOfQuery(list ledger.Findings) bool {
	return slices.ContainsFunc(list, func(f ledger.Finding) bool {
		return f.Code == OAuthUnknown && f.Place.File == partURL && f.Severity == ledger.SeverityWarning
	})
}
