package fuzz_test

import (
	"encoding/base64"
	"encoding/hex"
	"errors"
	"strings"
	"testing"

	"github.com/chargecast/chargecast/fuzz"
	"github.com/chargecast/chargecast/signature"
)

// Each of the laws rejects an implementation that breaks it.
func TestSignatureLawsReject(t *testing.T) {
	ours := fuzz.Ours()
	for _, row := range []struct {
		law, reason string
		damage      func(*fuzz.Impl)
	}{
		{"S05", "everything verifies", func(i *fuzz.Impl) {
			i.Verify = func(signature.Request, string, signature.VerifyingKey, signature.Profile) (signature.Outcome, error) {
				return signature.OK, nil
			}
		}},
		{"S07", "hex in the header", func(i *fuzz.Impl) {
			i.Authorization = func(r signature.Request, o signature.OAuth, key signature.SigningKey, p signature.Profile) (string, error) {
				s, err := signature.Sign(r, o, key, p)
				if err != nil {
					return "", err
				}
				raw, _ := base64.StdEncoding.DecodeString(s.Signature)
				return strings.Replace(s.Authorization, signature.Encode(s.Signature), hex.EncodeToString(raw), 1), nil
			}
		}},
		{"D03", "a cause that was not tried", func(i *fuzz.Impl) {
			i.Diagnose = func(r signature.Request, authorization string, key signature.VerifyingKey, p signature.Profile) (signature.Diagnosis, error) {
				d, err := ours.Diagnose(r, authorization, key, p)
				if !d.Match {
					d.Causes = append(d.Causes, signature.Cause{IDs: []string{"secrets-swapped"}}, signature.Cause{IDs: []string{"path-only"}})
				}
				return d, err
			}
		}},
		{"K06", "an echo of the base string", func(i *fuzz.Impl) {
			i.Diagnose = func(r signature.Request, authorization string, key signature.VerifyingKey, p signature.Profile) (signature.Diagnosis, error) {
				d, err := ours.Diagnose(r, authorization, key, p)
				for _, param := range r.Params {
					d.Known = append(d.Known, param.Value)
				}
				return d, err
			}
		}},
		{"K06", "a secret in an error", func(i *fuzz.Impl) {
			i.Diagnose = func(r signature.Request, authorization string, key signature.VerifyingKey, p signature.Profile) (signature.Diagnosis, error) {
				return signature.Diagnosis{Known: []string{hex.EncodeToString([]byte("S3cretControlKey"))}}, errors.New("refused")
			}
		}},
	} {
		law, ok := fuzz.Find(row.law)
		if !ok {
			t.Fatalf("no law %s", row.law)
		}
		damaged := fuzz.Ours()
		row.damage(&damaged)
		rejected := false
		for i := range uint64(20) {
			rejected = rejected || fuzz.Again(law, fuzz.NewCase(law, 1, i), damaged) != ""
		}
		if !rejected {
			t.Errorf("%s takes %s", row.law, row.reason)
		}
	}
}
