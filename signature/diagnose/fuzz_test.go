package diagnose_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/chargecast/chargecast/signature"
	"github.com/chargecast/chargecast/signature/diagnose"
)

// FuzzDiagnosis: whatever the request, the verdict is that of Verify, a wrong signature alone has
// causes, each with what to do, and the secret is nowhere.
func FuzzDiagnosis(f *testing.F) {
	const five = `OAuth oauth_consumer_key="m", oauth_nonce="n", oauth_signature_method="HMAC-SHA1", oauth_timestamp="1767225600", oauth_version="1.0", oauth_signature="`
	f.Add("POST", "https://h.example:8443/p/77", five+`AAAAAAAAAAAAAAAAAAAAAAAAAAA="`, "payload=YWI%3D")
	f.Add("post", "http://h/%7e/", five+`616263"`, "payload=a+b&payload=%zz")
	f.Add("GET", "h", "", "")
	key, err := signature.NewHMACKey("the secret of this test")
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, method, url, header, body string) {
		if len(url)+len(body) > 1<<12 {
			return // the search takes its time
		}
		r := signature.NewRequest(method, url).WithBody("application/x-www-form-urlencoded", body).WithAuthorization(header)
		d, err := diagnose.Request(context.Background(), r, key, diagnose.Options{})
		if _, verdict := signature.Verify(r, signature.Options{}, key); (err == nil) != (verdict == nil) || d.Right && len(d.Causes) > 0 {
			t.Errorf("%v, and Verify returns %v; causes %v", err, verdict, d.Causes)
		}
		for _, c := range d.Causes {
			if len(c.IDs) == 0 || c.Text == "" || c.Fix == "" {
				t.Errorf("%+v", c)
			}
		}
		if strings.Contains(fmt.Sprintf("%+v %v %s", d, err, d.Headline()), "the secret of this test") {
			t.Error("the secret is shown")
		}
	})
}
