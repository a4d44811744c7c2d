package diagnose_test

import (
	"cmp"
	"context"
	"encoding/base64"
	"encoding/hex"
	"strings"
	"testing"

	"github.com/chargecast/chargecast/internal/oracle"
	"github.com/chargecast/chargecast/internal/signtest"
	"github.com/chargecast/chargecast/signature"
	"github.com/chargecast/chargecast/signature/diagnose"
)

func baseString(r signtest.Request, oauth []signtest.Param) (string, error) {
	header := cmp.Or(strings.TrimPrefix(signtest.Header(oauth).String(), "OAuth "), `realm=""`)
	trace, err := signature.NewTrace(r.Made().WithAuthorization("OAuth " + header))
	return trace.BaseString(), err
}

// signedBase is the signature of a base string under the key of the workload.
func signedBase(base string) string {
	return base64.StdEncoding.EncodeToString(oracle.HMACSHA1(signtest.WorkloadKey+"&", base))
}

func hexOf(raw []byte) string { return hex.EncodeToString(raw) }

func mustBase64(t *testing.T, text string) []byte {
	t.Helper()
	raw, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

func verify(c signtest.Case) signature.Verified {
	v, _ := signature.Verify(c.Request.Made().WithAuthorization(c.Authorization), signature.Options{}, c.Key)
	return v
}

// diagnosed is a diagnosis without a limit; its error is left out where it is the verdict.
func diagnosed(t testing.TB, r signtest.Request, header string, key signature.VerifyingKey) diagnose.Diagnosis {
	t.Helper()
	made := r.Made().WithAuthorization(header)
	d, err := diagnose.Request(context.Background(), made, key, diagnose.Options{})
	if _, verdict := signature.Verify(made, signature.Options{}, key); (err == nil) != (verdict == nil) || len(d.NotTried) > 0 {
		t.Errorf("the diagnosis returns %v, Verify %v; not tried: %v", err, verdict, d.NotTried)
	}
	return d
}

func matches(d diagnose.Diagnosis) bool { return d.Signature == signature.VerdictOK }

func idsOf(d diagnose.Diagnosis) [][]string {
	ids := [][]string{}
	for _, c := range d.Causes {
		ids = append(ids, c.IDs)
	}
	return ids
}
