package diagnose_test

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/chargecast/chargecast/fuzz/vector"
	"github.com/chargecast/chargecast/signature"
	"github.com/chargecast/chargecast/signature/diagnose"
)

// A signingVector is a vector whose op is one of this package.
type signingVector struct {
	vector.Vector
	Inputs vectorInputs
}

type vectorInputs struct {
	Text           *string     `json:"text"`
	Hex            *string     `json:"hex"`
	Form           string      `json:"form"`
	URL            string      `json:"url"`
	Method         string      `json:"method"`
	Params         [][2]string `json:"params"`
	BodyParams     [][2]string `json:"body_params"`
	OAuthParams    [][2]string `json:"oauth_params"`
	Body           *string     `json:"body"`
	ContentType    string      `json:"content_type"`
	BaseString     string      `json:"base_string"`
	ConsumerSecret string      `json:"consumer_secret"`
	TokenSecret    string      `json:"token_secret"`
	PublicKey      string      `json:"public_key_pem"`
	Signature      string      `json:"signature"`
	Header         string      `json:"header"`
	Authorization  string      `json:"authorization"`
	Profile        string      `json:"profile"`
	File           string      `json:"file"`
	Realm          *string     `json:"realm"`
	Order          string      `json:"order"`
}

// TestVectors runs every vector about diagnosis.
func TestVectors(t *testing.T) {
	all, err := vector.All()
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, v := range all {
		if v.Op != "diagnose" {
			continue
		}
		n++
		in, err := vector.Decode[vectorInputs](v.Input)
		if err != nil {
			t.Fatal(v.ID, err)
		}
		t.Run(v.ID, func(t *testing.T) { judgeDiagnose(t, signingVector{v, in}) })
	}
	if n < 42 {
		t.Errorf("%d vectors", n)
	}
}

func params(pairs [][2]string) []param {
	var out []param
	for _, p := range pairs {
		out = append(out, param{Name: p[0], Value: p[1]})
	}
	return out
}

func secretOf(t *testing.T, in vectorInputs) *signature.Secret {
	t.Helper()
	s, err := signature.NewSecret(in.ConsumerSecret, in.TokenSecret)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func keyOf(t *testing.T, in vectorInputs) signature.VerifyingKey {
	t.Helper()
	if in.PublicKey == "" {
		return secretOf(t, in)
	}
	public, _, err := signature.LoadPublicKey([]byte(in.PublicKey), signature.KeyRules{})
	if err != nil {
		t.Fatal(err)
	}
	return public
}

func matches(d diagnose.Diagnosis) bool { return d.Signature == signature.VerdictOK }

func check[T comparable](t *testing.T, what string, got, want T) {
	t.Helper()
	if got != want {
		t.Errorf("%s\n got %v\nwant %v", what, got, want)
	}
}

// diagnosisOf puts a diagnose vector as a caller would.
func diagnosisOf(t *testing.T, in vectorInputs) diagnose.Diagnosis {
	t.Helper()
	r := req{Method: in.Method, URL: in.URL, Params: params(in.BodyParams)}
	if in.Body != nil {
		r.Body, r.ContentType = []byte(*in.Body), in.ContentType
	}
	h := headerOf(append(params(in.OAuthParams), param{Name: "oauth_signature", Value: in.Signature}))
	return diagnosed(t, r, h.String(), keyOf(t, in), signature.ProfileRFC5849)
}

func idsOf(d diagnose.Diagnosis) [][]string {
	ids := [][]string{}
	for _, c := range d.Causes {
		ids = append(ids, c.IDs)
	}
	return ids
}

func judgeDiagnose(t *testing.T, v signingVector) {
	var want struct {
		Match  bool
		Causes [][]string
	}
	if err := json.Unmarshal(v.Expect, &want); err != nil {
		t.Fatal(err)
	}
	d := diagnosisOf(t, v.Inputs)
	got := idsOf(d)
	slices.SortFunc(got, slices.Compare)
	if matches(d) != want.Match || !slices.EqualFunc(got, want.Causes, slices.Equal) {
		t.Errorf("got match %v %v, want %v %v", matches(d), got, want.Match, want.Causes)
	}
}
