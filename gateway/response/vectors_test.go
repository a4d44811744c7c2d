package response_test

import (
	"cmp"
	"slices"
	"testing"

	"github.com/chargecast/chargecast/fuzz/vectortest"
	"github.com/chargecast/chargecast/gateway/response"
)

// TestVectors runs every vector about an answer of the gateway.
func TestVectors(t *testing.T) {
	vectortest.Run(t, "gateway/response", map[string]vectortest.Judge{"response": judgeResponse})
}

func judgeResponse(t *testing.T, v vectortest.Vector) {
	in := vectortest.Input[struct {
		Status int
		Body   vectortest.Text
	}](t, v)
	want := vectortest.Expect[struct {
		Outcome string
		Params  [][2]string
		Error   bool
	}](t, v)
	r, err := response.Parse(in.Status, []byte(in.Body))
	if (err != nil) != want.Error {
		t.Fatalf("%v, want an error: %v", err, want.Error)
	}
	if err != nil {
		return
	}
	var got [][2]string
	for _, p := range [][2]string{{"type", r.Type.String()}, {"recurring-payment-id", r.RecurringPaymentID}, {"status", r.Status}, {"serial-number", r.SerialNumber},
		{"error-message", r.ErrorMessage}, {"error-code", r.ErrorCode}} {
		if p[1] != "" {
			got = append(got, p)
		}
	}
	for _, p := range r.Extra {
		got = append(got, [2]string{p.Name, p.Value})
	}
	for _, list := range [][][2]string{got, want.Params} { // the order of the known ones is not compared
		slices.SortFunc(list, func(a, b [2]string) int { return cmp.Compare(a[0], b[0]) })
	}
	if !slices.Equal(got, want.Params) || r.Outcome.String() != want.Outcome {
		t.Errorf("got %v %v, want %v %v", r.Outcome, got, want.Outcome, want.Params)
	}
}
