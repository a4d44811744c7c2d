package response_test

import (
	"net/url"
	"reflect"
	"strings"
	"testing"

	"github.com/chargecast/chargecast/gateway/response"
	"github.com/chargecast/chargecast/internal/gen"
)

// TestRoundTrip: a response that is written reads back as it was, unknown names kept, joined by & or LF; one LF is left out of
// each value (L70).
func TestRoundTrip(t *testing.T) { gen.Hold(t, 1000, gen.Responses, roundTrip) }

// slowRecord writes a response: joined by & or LF, each value with LF after it or not.
func slowRecord(c gen.ResponseCase) string {
	pairs := [][2]string{{"type", c.Type.String()}}
	add := func(name, value string, always bool) {
		if value != "" || always {
			pairs = append(pairs, [2]string{name, value})
		}
	}
	failed := c.Type != response.TypeCreate
	add("recurring-payment-id", c.RecurringPaymentID, false)
	add("status", c.Status, false)
	add("serial-number", c.SerialNumber, false)
	add("error-message", c.ErrorMessage, failed)
	add("error-code", c.ErrorCode, failed)
	for _, p := range c.Extra {
		add(p.Name, p.Value, true)
	}
	join := [...]string{"&", "\n", "\n&"}[c.Pick%3]
	var list []string
	for _, p := range pairs {
		list = append(list, url.QueryEscape(p[0])+"="+url.QueryEscape(p[1]))
	}
	return strings.Join(list, join) + [...]string{"", "\n"}[c.Pick/3%2]
}

func roundTrip(t *gen.Report, r gen.ResponseCase) {
	readAs := func(status int, text string) response.Record {
		back, err := response.Parse(status, []byte(text))
		if err != nil {
			t.Errorf("%q is refused: %v", text, err)
		}
		return back
	}
	form, err := r.Record.AppendText(nil)
	if err != nil {
		t.Fatalf("not written: %v", err)
	}
	written, text := string(form), slowRecord(r)
	for status, said := range map[int]string{500: written, 200: text} {
		if back := readAs(status, said); !reflect.DeepEqual(back, r.Record) {
			t.Errorf("%q is read as %+v, want %+v", said, back, r.Record)
		}
	}
	// A line end in a value that is not escaped: one is left out.
	raw := "type=" + r.Type.String() + "&status=a\n\n"
	if r.Type != response.TypeCreate {
		raw += "&error-message=m\n&error-code=1"
	}
	if back := readAs(200, raw); back.Status != "a\n" || back.Type != r.Type {
		t.Errorf("%q is read as %v with status %q, want %q", raw, back.Type, back.Status, "a\n")
	}
	if back, err := response.Parse(200, []byte(strings.Replace(text, "type=", "type=x", 1))); err == nil || back.Outcome == response.OutcomeAccepted {
		t.Errorf("a type that does not exist is %v", back.Outcome)
	}
}
