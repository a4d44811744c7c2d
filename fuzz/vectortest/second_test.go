package vectortest

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/chargecast/chargecast/internal/oracle"
	"github.com/chargecast/chargecast/internal/signtest"
	"github.com/chargecast/chargecast/internal/testkeys"
)

// TestSecondAnswers: what a vector expects is what internal/oracle says, which shares no code with the rooms that the vectors
// judge. So an expectation that somebody copied from those rooms, or mistyped, is red here. In a difference, got is what the
// oracle says.
func TestSecondAnswers(t *testing.T) {
	each(t, map[string]Judge{
		"forecast": walkSimulations, "simulate": walkSimulations, "encode": encodeSlowly, "parameters": joinSlowly, "base-string": signSlowly, "sign": signSlowly,
		"hmac-key": keySlowly, "header-build": headerSlowly, "verify": verifySlowly, "diagnose": diagnoseSlowly,
	})
}

func walkSimulations(t *testing.T, v Vector) {
	for _, l := range v.Simulations(t) {
		l.Same(t, walked(t, l))
	}
}

// walked lets the oracle live a life, day by day.
func walked(t *testing.T, l Simulation) (got Outcome) {
	t.Helper()
	p, unread := oracle.ProfileOf(l.Columns) // what cannot be read is refused with its row
	from := stateOf(t, l.State)
	asOf := oracle.ISO(l.AsOf)
	m := oracle.New(p, from, asOf, oracle.PolicyOf(maps.All(l.Policy)), oracle.Right())
	ahead := from != nil && (from.RanThrough > asOf || len(from.Paid) > 0 && slices.Max(from.Paid) > asOf) // a state of the future
	if m == nil || unread != nil || ahead {
		return Outcome{Rejected: true}
	}
	if l.Script == nil {
		m.UntilStopped(oracle.ISO(l.Until))
	} else {
		runScript(t, m, l)
	}
	for _, r := range m.Records {
		switch {
		case r.Charge != nil:
			got.Charges = append(got.Charges, chargeOf(*r.Charge))
		case r.Do != 0:
			got.Events = append(got.Events, Event{Date: r.Day.String(), Do: r.Do.Word(), Result: r.Result})
		}
	}
	got.End = End{Status: "active", Repeat: m.Repeat}
	if m.Stopped {
		got.End.Status, got.End.Stop = "stopped", &Stop{Date: m.Stop.Day.String(), Reasons: m.Stop.Reasons}
	}
	return got
}

func chargeOf(c oracle.Charge) Charge {
	out := Charge{Repeat: c.Repeat, Date: c.Day.String(), Slot: c.Slot.String(), Min: c.Min, Max: c.Max, Kind: "automatic", Outcome: "approved"}
	if c.Manual {
		out.Kind = "manual"
	}
	if c.Declined {
		out.Outcome = "declined"
	}
	return out
}

func runScript(t *testing.T, m *oracle.Machine, l Simulation) {
	t.Helper()
	m.Declined = map[uint64]bool{}
	var events []oracle.Event
	for _, text := range l.Script {
		s := decoded[struct {
			Date, Do, Via, When, Outcome string
			Set                          map[string]string
			Repeat                       *uint64
		}](t, text)
		if s.Repeat != nil {
			m.Declined[*s.Repeat] = s.Outcome == "declined"
			continue
		}
		e := oracle.Event{Day: oracle.ISO(s.Date), Do: oracle.VerbOf(s.Do), Via: s.Via, After: s.When == "after"}
		var unread error
		e.Set, unread = oracle.UpdateOf(s.Set)
		e.Set.Unreadable = unread != nil
		events = append(events, e)
	}
	m.Live(events, oracle.ISO(l.Until))
}

// stateOf reads a state line without its profile; nil for none.
func stateOf(t *testing.T, text json.RawMessage) *oracle.State {
	t.Helper()
	if text == nil {
		return nil
	}
	s := decoded[struct {
		Status, Anchor string
		Repeat         uint64
		RanThrough     string `json:"ran_through"`
		Paid           []string
	}](t, text)
	out := oracle.State{Stopped: s.Status == "stopped", Repeat: s.Repeat, RanThrough: oracle.ISO(s.RanThrough), Anchor: oracle.ISO(s.Anchor)}
	for _, day := range s.Paid {
		out.Paid = append(out.Paid, oracle.ISO(day))
	}
	return &out
}

func pairs(list [][2]string) []oracle.Pair {
	var out []oracle.Pair
	for _, p := range list {
		out = append(out, oracle.Pair{Name: p[0], Value: p[1]})
	}
	return out
}

// requestOf is what is signed; the URL is cut by package net/url.
func requestOf(t *testing.T, in signtest.Input, body, oauth []oracle.Pair) oracle.SignRequest {
	t.Helper()
	u, err := url.Parse(in.URL)
	if err != nil {
		t.Fatal(err)
	}
	r := oracle.SignRequest{Method: in.Method, Scheme: strings.ToLower(u.Scheme), Host: strings.ToLower(u.Hostname()), Path: u.EscapedPath(),
		Body: body, OAuth: oauth, Secret: in.ConsumerSecret}
	if strings.Contains(r.Host, ":") {
		r.Host = "[" + r.Host + "]"
	}
	if u.Port() != "" {
		if r.Port, err = strconv.Atoi(u.Port()); err != nil {
			t.Fatal(err)
		}
	}
	return r
}

// formPairs reads a form: in it a plus is a space.
func formPairs(t *testing.T, form string) []oracle.Pair {
	t.Helper()
	var out []oracle.Pair
	for part := range strings.SplitSeq(form, "&") {
		if part == "" {
			continue
		}
		name, value, _ := strings.Cut(part, "=")
		n, err1 := url.QueryUnescape(name)
		v, err2 := url.QueryUnescape(value)
		if err := errors.Join(err1, err2); err != nil {
			t.Fatal(err)
		}
		out = append(out, oracle.Pair{Name: n, Value: v})
	}
	return out
}

func encodeSlowly(t *testing.T, v Vector) {
	in := Input[signtest.Input](t, v)
	text := in.Text
	if text == nil {
		raw, err := hex.DecodeString(*in.Hex)
		if err != nil {
			t.Fatal(err)
		}
		text = new(string(raw))
	}
	Same(t, "encoded", oracle.Encode(*text), Expect[string](t, v))
}

func joinSlowly(t *testing.T, v Vector) {
	r := oracle.SignRequest{Body: pairs(Input[signtest.Input](t, v).Params)}
	Same(t, "parameters", r.Stages().Third(), Expect[string](t, v))
}

func signSlowly(t *testing.T, v Vector) {
	in := Input[signtest.Input](t, v)
	s := requestOf(t, in, pairs(in.Params), nil).Stages()
	if v.Op == "base-string" {
		Same(t, "base string", s.Base(), Expect[string](t, v))
		return
	}
	want := Expect[struct {
		BaseString string `json:"base_string"`
		Signature  string
	}](t, v)
	Same(t, "base string", s.Base(), want.BaseString)
	Same(t, "signature", s.Signature(), want.Signature)
}

func keySlowly(t *testing.T, v Vector) {
	in := Input[signtest.Input](t, v)
	Same(t, "key", oracle.SignRequest{Secret: in.ConsumerSecret}.Stages().Key, Expect[string](t, v))
}

func headerSlowly(t *testing.T, v Vector) {
	in := Input[signtest.Input](t, v)
	got := oracle.HeaderText(in.Realm, pairs(in.Params)...)
	Same(t, "header", got, Expect[string](t, v))
}

// signed are the five parameters of the header that are signed (5.1).
var signed = []string{"oauth_consumer_key", "oauth_nonce", "oauth_signature_method", "oauth_timestamp", "oauth_version"}

// verifySlowly holds the verdict on a signature that can be read against the base string of what was sent.
func verifySlowly(t *testing.T, v Vector) {
	in := Input[signtest.Input](t, v)
	want := Expect[struct{ Signature string }](t, v).Signature
	if want == "unreadable" {
		return // a table by hand
	}
	var sent []oracle.Pair
	signature := ""
	for _, m := range regexp.MustCompile(`([^ ,="]+)="([^"]*)"`).FindAllStringSubmatch(in.Authorization, -1) {
		name, err1 := url.PathUnescape(m[1])
		value, err2 := url.PathUnescape(m[2])
		if err := errors.Join(err1, err2); err != nil {
			t.Fatal(err)
		}
		switch name {
		case "oauth_signature":
			signature = value
		default:
			if slices.Contains(signed, name) {
				sent = append(sent, oracle.Pair{Name: name, Value: value})
			}
		}
	}
	body := slices.DeleteFunc(formPairs(t, *in.Body), func(p oracle.Pair) bool { // what comes in both places is signed once
		return p.Name == "oauth_signature" || strings.HasPrefix(p.Name, "oauth_") && slices.Contains(sent, p)
	})
	s := requestOf(t, in, body, sent).Stages()
	right := s.Signature() == signature
	if in.PublicKey != "" {
		raw, err := base64.StdEncoding.DecodeString(signature)
		if err != nil {
			t.Fatal(err)
		}
		if right, err = oracle.VerifyRSA([]byte(in.PublicKey), s.Base(), raw); err != nil {
			t.Fatal(err)
		}
	}
	Same(t, "the signature is right", right, want == "ok")
}

// diagnoseSlowly makes the mistakes that a vector names: they give its signature, in some order and spelling, and no
// mistake alone does that it does not name.
func diagnoseSlowly(t *testing.T, v Vector) {
	in := Input[signtest.Input](t, v)
	want := Expect[struct {
		Match  bool
		Causes [][]string
	}](t, v)
	if in.Body != nil || in.PublicKey != "" {
		return // worked out by hand: a body that is no list, and keys of RSA whose private half is not here
	}
	five := slices.DeleteFunc(pairs(in.OAuthParams), func(p oracle.Pair) bool { return !slices.Contains(signed, p.Name) })
	r := requestOf(t, in, pairs(in.BodyParams), five)
	Same(t, "the signature is right", r.Stages().Signature() == in.Signature, want.Match)
	if want.Match {
		return
	}
	known := map[string]bool{}
	for _, m := range oracle.Mistakes() {
		known[m.ID] = true
		s := r.Stages()
		m.Make(r, &s)
		if s.Signature() == in.Signature && !slices.ContainsFunc(want.Causes, func(ids []string) bool { return slices.Equal(ids, []string{m.ID}) }) {
			t.Errorf("%s gives the signature as well", m.ID)
		}
	}
	for _, ids := range want.Causes {
		if !slices.ContainsFunc(ids, func(id string) bool { return !known[id] }) && !gives(r, r.Stages(), ids, in.Signature) {
			t.Errorf("%v do not give the signature", ids)
		}
	}
}

// gives reports whether some mistakes, made in some order and spelling, give a signature.
func gives(r oracle.SignRequest, s oracle.Stages, ids []string, signature string) bool {
	if len(ids) == 0 {
		return s.Signature() == signature
	}
	for i, id := range ids {
		rest := slices.Delete(slices.Clone(ids), i, i+1)
		for _, m := range oracle.Mistakes() {
			next := s
			if m.ID != id {
				continue
			}
			if m.Make(r, &next); gives(r, next, rest, signature) {
				return true
			}
		}
	}
	return false
}

// TestOracleSigns: the test key's two halves belong together, so that the vectors of RSA have a second answer that can fail.
func TestOracleSigns(t *testing.T) {
	sum, err := oracle.SignRSA(testkeys.PKCS1, "a")
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]bool{"a": true, "b": false} {
		if got, err := oracle.VerifyRSA([]byte(testkeys.Public), text, sum); err != nil || got != want {
			t.Errorf("%s: %v, %v", text, got, err)
		}
	}
}
