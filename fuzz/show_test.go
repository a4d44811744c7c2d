package fuzz_test

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"strings"
	"testing"

	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/fuzz"
	"github.com/chargecast/chargecast/fuzz/gallery"
	"github.com/chargecast/chargecast/fuzz/laws"
	"github.com/chargecast/chargecast/internal/gen"
)

// A counterexample is what a user can try: a payload or a request, and the command for it.
func TestCounterexamples(t *testing.T) {
	late, _ := gallery.Find("interval-ignored")
	unsorted := fuzz.Ours()
	unsorted.BaseString = func(gen.SignRequest, []gen.Pair) (string, error) { return "POST&x&y", nil }
	deaf := fuzz.Ours()
	deaf.ReadPayload = nil
	deaf.Simulate = func(_ engine.Policy, s engine.Simulation, _ func(engine.Effect) bool) (engine.Stored, error) {
		return s.Stored, nil
	}
	for _, row := range []struct {
		reason, law  string
		impl         fuzz.Impl
		csv, command string
	}{
		{"a series has no payload", "C16", late.Impl(), "", "chargecast-conform repro cc2:C16:b64:"},
		{"a simulation is a payload with a script", "E23", deaf, `"rp_card_type"`, "chargecast simulate --as-of "},
		{"a request is a body and a URL", "B08", unsorted, "", "chargecast sign -o json --url "},
	} {
		r := fuzz.Run(row.impl, fuzz.Options{Laws: []string{row.law}, Cases: 300, Seed: 1})
		if r.OK() {
			t.Errorf("%s: %s holds", row.reason, row.law)
			continue
		}
		c := r.Results[0].Failures[0].Counterexample
		if (row.csv == "") != (c.CSV == "") || !strings.HasPrefix(c.CSV, row.csv) || !strings.Contains(c.Command, row.command) {
			t.Errorf("%s: %q with the command %q", row.reason, c.CSV, c.Command)
		}
	}
}

// A report in process has the forms that a report on a program has.
func TestReportForms(t *testing.T) {
	wrong, _ := gallery.Find("interval-ignored")
	r := fuzz.Run(wrong.Impl(), fuzz.Options{Laws: []string{"C16", "C03", "P01"}, Cases: 300, Seed: 1})
	var read struct {
		Name string
		OK   bool
		Laws []struct {
			ID       string
			Covered  bool
			Failures []struct{ Token, Message string }
		}
	}
	if err := json.Unmarshal(r.AppendJSON(nil), &read); err != nil || read.OK || len(read.Laws) != 3 || len(read.Laws[1].Failures) != 1 {
		t.Errorf("the JSON is %+v, %v", read, err)
	}
	junit := r.AppendJUnit(nil, func(token string) string { return "replay " + token })
	if err := xml.Unmarshal(junit, new(struct{})); err != nil || !bytes.Contains(junit, []byte("replay "+r.Results[1].Failures[0].Token)) {
		t.Errorf("the JUnit report is no XML with tokens: %v: %s", err, junit)
	}
	if text := r.AppendText(nil, nil); !bytes.Contains(text, []byte("C16 FAILS (clause ")) || !bytes.Contains(text, []byte("of 3 laws failed")) {
		t.Errorf("the text is %s", text)
	}
}

// What a command shows of a signing case is the request as the law made it, with the parameter that makes the
// case, and no secret.
func TestSigningCounterexamples(t *testing.T) {
	signsAll, signsHex, signsEverything := fuzz.Ours(), fuzz.Ours(), fuzz.Ours()
	signsAll.Sign = func(gen.SignRequest, gen.SignChoices, laws.SignKey) (string, error) { return "OAuth x", nil }
	signsHex.Sign = func(r gen.SignRequest, c gen.SignChoices, key laws.SignKey) (string, error) {
		text, err := fuzz.Ours().Sign(r, c, key)
		if c.Realm != nil {
			return text, err
		}
		return strings.Replace(text, `oauth_signature="`, `oauth_signature="00`, 1), err
	}
	signsEverything.BaseString = func(r gen.SignRequest, oauth []gen.Pair) (string, error) {
		base, err := fuzz.Ours().BaseString(r, oauth)
		for _, p := range r.Params {
			if p.Name == "oauth_signature" {
				return base + "%26oauth_signature%3Dx", err
			}
		}
		return base, err
	}
	for _, row := range []struct {
		reason, law string
		impl        fuzz.Impl
		want        []string // one of the cases shows all
	}{
		{"the parameter that cannot be signed is in the body", "S10", signsAll, []string{"oauth_signature=' > body.txt\n", "chargecast sign -o json --url '"}},
		{"an empty nonce is given as such", "S10", signsAll, []string{"chargecast sign ", " --nonce='' "}},
		{"the request is signed with another secret", "S07", signsHex, []string{"chargecast sign -o json ", " --secret-file secret.txt "}},
	} {
		r := fuzz.Run(row.impl, fuzz.Options{Laws: []string{row.law}, Cases: 600, Seed: 1, Failures: 200, Shrinks: -1})
		shown := false
		for _, f := range r.Results[0].Failures {
			command, all := f.Counterexample.Command, true
			for _, part := range row.want {
				all = all && strings.Contains(command, part)
			}
			shown = shown || all
			if c := f.Case().Value.(gen.SignCase); len(c.Secret) > 4 && strings.Contains(command, c.Secret) {
				t.Errorf("%s: the secret is shown: %s", row.reason, command)
			}
		}
		if !shown {
			t.Errorf("%s: none of %d failures shows %q", row.reason, len(r.Results[0].Failures), row.want)
		}
	}
}
