package gallery

import (
	"encoding/hex"
	"errors"
	"slices"
	"strings"

	"github.com/chargecast/chargecast/fuzz/gen"
	"github.com/chargecast/chargecast/fuzz/laws"
	"github.com/chargecast/chargecast/signature/diagnose"
)

// signatureDamages are for the laws of signatures that no member breaks, and for the ways to leak.
func signatureDamages() []damage {
	right := laws.Ours()
	reencode := func(i *laws.Impl, change func(string) string) {
		i.Encode = func(text string) string { return change(right.Encode(text)) }
	}
	return []damage{
		{"P03", "what is encoded depends on the length", ours(func(i *laws.Impl) {
			i.Encode = func(text string) string {
				if len(text) > 3 {
					return strings.ReplaceAll(right.Encode(text), "~", "%7E")
				}
				return right.Encode(text)
			}
		})},
		{"P04", "what is encoded already is left alone", ours(func(i *laws.Impl) {
			i.Encode = func(text string) string {
				if back, err := right.Decode(text); err == nil && back != text {
					return text
				}
				return right.Encode(text)
			}
		})},
		{"P05", "escapes that do not keep the order of bytes", ours(func(i *laws.Impl) {
			reencode(i, func(text string) string { return strings.ReplaceAll(text, "%25", "~25") })
		})},
		{"P06", "url.QueryEscape", ours(func(i *laws.Impl) {
			reencode(i, func(text string) string { return strings.ReplaceAll(text, "%20", "+") })
		})},
		{"U01", "a normalised URL is changed again", ours(func(i *laws.Impl) {
			i.BaseString = func(r gen.SignRequest, oauth []gen.Pair) (string, error) {
				base, err := right.BaseString(r, oauth)
				return strings.Replace(base, "%2F%2F", "%2F%2Fwww.", 1), err
			}
		})},
		{"B07", "a byte that is not encoded", ours(func(i *laws.Impl) {
			i.BaseString = func(r gen.SignRequest, oauth []gen.Pair) (string, error) {
				base, err := right.BaseString(r, oauth)
				return strings.ReplaceAll(base, "%2526", "%25\xff"), err
			}
		})},
		{"H02", "the order of the header matters", ours(func(i *laws.Impl) {
			i.ParseHeader = func(text string) (laws.SignHeader, error) {
				h, err := right.ParseHeader(text)
				if len(h.Params) > 0 && h.Params[0].Name != "oauth_consumer_key" {
					h.Params = h.Params[1:]
				}
				return h, err
			}
		})},
		{"H04", "an open quote is closed", ours(func(i *laws.Impl) {
			i.ParseHeader = func(text string) (laws.SignHeader, error) {
				h, err := right.ParseHeader(text)
				if err != nil {
					if mended, again := right.ParseHeader(text + `"`); again == nil {
						return mended, nil
					}
				}
				return h, err
			}
		})},
		{"H05", "a header of any size", ours(func(i *laws.Impl) {
			i.ParseHeader = func(text string) (laws.SignHeader, error) {
				if len(text) > 8<<10 {
					return laws.SignHeader{}, nil
				}
				return right.ParseHeader(text)
			}
		})},
		{"S01", "verifies nothing", ours(func(i *laws.Impl) {
			i.Verify = func(gen.SignRequest, laws.SignKey, laws.SignOptions) laws.SignVerdict {
				return laws.SignVerdict{Signature: "mismatch"}
			}
		})},
		{"S05", "everything verifies", ours(func(i *laws.Impl) {
			i.Verify = func(r gen.SignRequest, k laws.SignKey, o laws.SignOptions) laws.SignVerdict {
				return laws.SignVerdict{Signature: "ok", Acceptable: true}
			}
		})},
		{"S05", "another length is not said to be one", ours(func(i *laws.Impl) {
			i.Verify = func(r gen.SignRequest, k laws.SignKey, o laws.SignOptions) laws.SignVerdict {
				v := right.Verify(r, k, o)
				v.Codes = slices.DeleteFunc(v.Codes, func(c string) bool { return c == "signature-length" })
				return v
			}
		})},
		{"S08", "the edge of the window is outside", ours(func(i *laws.Impl) {
			i.Verify = func(r gen.SignRequest, k laws.SignKey, o laws.SignOptions) laws.SignVerdict {
				if o.Window > 1 {
					o.Window--
				}
				return right.Verify(r, k, o)
			}
		})},
		{"S08", "a use that nobody signed is remembered", ours(func(i *laws.Impl) {
			i.Verify = func(r gen.SignRequest, k laws.SignKey, o laws.SignOptions) laws.SignVerdict {
				v := right.Verify(r, k, o)
				h, _ := right.ParseHeader(r.Authorization)
				for _, p := range h.Params {
					if p.Name == "oauth_consumer_key" {
						v.Consumer = p.Value
					}
				}
				return v
			}
		})},
		{"S09", "PKCS#8 is not read", ours(func(i *laws.Impl) {
			i.Sign = func(r gen.SignRequest, c gen.SignChoices, k laws.SignKey) (string, error) {
				if strings.HasPrefix(k.PEM, "-----BEGIN PRIVATE") {
					return "", errors.New("refused")
				}
				return right.Sign(r, c, k)
			}
		})},
		{"S01", "what a key of 4096 bits signed does not verify", ours(func(i *laws.Impl) {
			i.Verify = func(r gen.SignRequest, k laws.SignKey, o laws.SignOptions) laws.SignVerdict {
				if len(k.PEM) > 2500 {
					return laws.SignVerdict{Signature: "mismatch"}
				}
				return right.Verify(r, k, o)
			}
		})},
		{"S02", "an RSA signature of a known consumer is not looked at", ours(func(i *laws.Impl) {
			i.Verify = func(r gen.SignRequest, k laws.SignKey, o laws.SignOptions) laws.SignVerdict {
				v := right.Verify(r, k, o)
				if k.PEM != "" && v.Signature == "mismatch" {
					v.Signature, v.Acceptable = "ok", true
				}
				return v
			}
		})},
		{"S03", "signatures of 256 bytes alone are written", ours(func(i *laws.Impl) {
			i.Sign = func(r gen.SignRequest, c gen.SignChoices, k laws.SignKey) (string, error) {
				text, err := right.Sign(r, c, k)
				if len(k.PEM) > 2500 {
					text = strings.Replace(text, "%3D", "", 1)
				}
				return text, err
			}
		})},
		{"S10", "a key that cannot be read signs nothing, without an error", ours(func(i *laws.Impl) {
			i.Sign = func(r gen.SignRequest, c gen.SignChoices, k laws.SignKey) (string, error) {
				text, err := right.Sign(r, c, k)
				if k.PEM != "" {
					err = nil
				}
				return text, err
			}
		})},
		{"D01", "a right signature is explained", ours(func(i *laws.Impl) {
			i.Diagnose = func(r gen.SignRequest, k laws.SignKey) laws.SignDiagnosis {
				return laws.SignDiagnosis{Causes: []diagnose.Cause{{IDs: []string{"unsorted"}}}}
			}
		})},
		{"D02", "single mistakes are not found", ours(func(i *laws.Impl) { changeDiagnosis(i, func(d *laws.SignDiagnosis) { d.Causes = nil }) })},
		{"D03", "causes that were not tried", ours(func(i *laws.Impl) {
			changeDiagnosis(i, func(d *laws.SignDiagnosis) {
				if !d.Match {
					d.Causes = append(d.Causes, diagnose.Cause{IDs: []string{"secrets-swapped"}}, diagnose.Cause{IDs: []string{"path-only"}})
				}
			})
		})},
		{"D05", "pairs are not found", ours(func(i *laws.Impl) {
			changeDiagnosis(i, func(d *laws.SignDiagnosis) {
				d.Causes = slices.DeleteFunc(d.Causes, func(c diagnose.Cause) bool { return len(c.IDs) == 2 })
			})
		})},
		{"D07", "RSA needs the private key", ours(func(i *laws.Impl) {
			i.Diagnose = func(r gen.SignRequest, k laws.SignKey) laws.SignDiagnosis {
				if strings.Contains(k.PEM, "PUBLIC") {
					return laws.SignDiagnosis{}
				}
				return right.Diagnose(r, k)
			}
		})},
		{"D08", "the place is not decoded", ours(func(i *laws.Impl) {
			i.Compare = func(a, b string) *diagnose.Difference {
				d := right.Compare(a, b)
				if d != nil {
					d.Byte = d.Offset
				}
				return d
			}
		})},
		{"D07", "with the public key only the URL is diagnosed", ours(func(i *laws.Impl) {
			i.Diagnose = func(r gen.SignRequest, k laws.SignKey) laws.SignDiagnosis {
				d := right.Diagnose(r, k)
				if strings.Contains(k.PEM, "PUBLIC") {
					d.Causes = slices.DeleteFunc(d.Causes, func(c diagnose.Cause) bool { return !strings.Contains(c.IDs[0], "slash") })
				}
				return d
			}
		})},
		{"D08", "only values are compared", ours(func(i *laws.Impl) {
			i.Compare = func(a, b string) *diagnose.Difference {
				if d := right.Compare(a, b); d != nil && d.Layer == "parameter-value" {
					return d
				}
				return nil
			}
		})},
		{"D09", "the trace ends early", ours(func(i *laws.Impl) {
			i.Trace = func(r gen.SignRequest) (laws.SignTrace, error) {
				trace, err := right.Trace(r)
				trace.BaseString = trace.Parameters
				return trace, err
			}
		})},
		{"K06", "an echo of the body", ours(func(i *laws.Impl) {
			i.Diagnose = func(r gen.SignRequest, k laws.SignKey) laws.SignDiagnosis {
				d := right.Diagnose(r, k)
				for _, param := range r.Params {
					d.Known = append(d.Known, param.Value)
				}
				return d
			}
		})},
		{"K06", "a secret in an error", ours(func(i *laws.Impl) {
			i.Diagnose = func(r gen.SignRequest, k laws.SignKey) laws.SignDiagnosis {
				return laws.SignDiagnosis{Findings: []string{hex.EncodeToString([]byte("S3cretControlKey"))}}
			}
		})},
		{"K06", "a key file in an error", ours(func(i *laws.Impl) {
			i.Sign = func(r gen.SignRequest, c gen.SignChoices, k laws.SignKey) (string, error) {
				text, err := right.Sign(r, c, k)
				if err != nil {
					err = errors.New("not a key: " + k.PEM)
				}
				return text, err
			}
		})},
		{"K07", "a request that prints itself", ours(func(i *laws.Impl) {
			i.ShowSigned = func(r gen.SignRequest, c gen.SignChoices, k laws.SignKey) []string {
				shown := right.ShowSigned(r, c, k)
				for _, p := range r.Params {
					shown = append(shown, p.Value)
				}
				return shown
			}
		})},
	}
}

func changeDiagnosis(i *laws.Impl, change func(*laws.SignDiagnosis)) {
	right := i.Diagnose
	i.Diagnose = func(r gen.SignRequest, k laws.SignKey) laws.SignDiagnosis {
		d := right(r, k)
		change(&d)
		return d
	}
}
