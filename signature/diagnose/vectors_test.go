package diagnose_test

import (
	"slices"
	"testing"

	"github.com/chargecast/chargecast/fuzz/vectortest"
	"github.com/chargecast/chargecast/internal/signtest"
)

// TestVectors runs every vector about diagnosis.
func TestVectors(t *testing.T) {
	vectortest.Run(t, "signature/diagnose", map[string]vectortest.Judge{"diagnose": judgeDiagnose})
}

func judgeDiagnose(t *testing.T, v vectortest.Vector) {
	in := vectortest.Input[signtest.Input](t, v)
	want := vectortest.Expect[struct {
		Match  bool
		Causes [][]string
	}](t, v)
	r := signtest.Request{Method: in.Method, URL: in.URL, Params: in.BodyParams}
	if in.Body != nil {
		r.Body, r.ContentType = []byte(*in.Body), in.ContentType
	}
	h := signtest.Header(append(in.OAuthParams, signtest.Param{"oauth_signature", in.Signature}))
	d := diagnosed(t, r, h.String(), in.Key(t))
	got := idsOf(d)
	slices.SortFunc(got, slices.Compare)
	if matches(d) != want.Match || !slices.EqualFunc(got, want.Causes, slices.Equal) {
		t.Errorf("got match %v %v, want %v %v", matches(d), got, want.Match, want.Causes)
	}
}
