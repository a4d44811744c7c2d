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
	"github.com/chargecast/chargecast/fuzz/subject"
)

// A counterexample is what a user can try: a payload or a request, and the command for it.
func TestCounterexamples(t *testing.T) {
	late, _ := gallery.Find("interval-ignored")
	unsorted := fuzz.Ours()
	unsorted.BaseString = func(subject.SignRequest, []subject.Pair) (string, error) { return "POST&x&y", nil }
	deaf := fuzz.Ours()
	deaf.ReadPayload = nil
	deaf.Simulate = func(s engine.Simulation, _ func(engine.Effect) bool) (engine.Stored, error) { return s.Stored, nil }
	for _, row := range []struct {
		reason, law  string
		impl         fuzz.Impl
		csv, command string
	}{
		{"a series has no payload", "C16", late.Impl, "", "chargecast repro cc1:C16:1:"},
		{"a simulation is a payload with a script", "E23", deaf, `"rp_card_type"`, "chargecast simulate --as-of "},
		{"a request is a body and a URL", "B08", unsorted, "", "chargecast trace --profile rfc5849 --url '"},
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
	r := fuzz.Run(wrong.Impl, fuzz.Options{Laws: []string{"C16", "C03", "P01"}, Cases: 300, Seed: 1}).Show()
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
	if err := xml.Unmarshal(r.AppendJUnit(nil), new(struct{})); err != nil {
		t.Errorf("the JUnit report is not XML: %v", err)
	}
	if text := r.AppendText(nil, nil); !bytes.Contains(text, []byte("C16 FAILS (clause ")) || !bytes.Contains(text, []byte("of 3 laws failed")) {
		t.Errorf("the text is %s", text)
	}
}
