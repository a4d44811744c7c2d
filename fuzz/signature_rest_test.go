package fuzz_test

import (
	"encoding/hex"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/chargecast/chargecast/fuzz"
	"github.com/chargecast/chargecast/fuzz/gallery"
	"github.com/chargecast/chargecast/signature"
)

// A signDamage is an implementation that breaks one law.
type signDamage struct {
	law, reason string
	damage      func(*fuzz.Impl)
}

// signDamages are for the laws that no member of the gallery breaks, and for the ways to leak.
func signDamages() []signDamage {
	ours := fuzz.Ours()
	reencode := func(i *fuzz.Impl, change func(string) string) {
		i.Encode = func(text string) string { return change(ours.Encode(text)) }
	}
	return []signDamage{
		{"P03", "what is encoded depends on the length", func(i *fuzz.Impl) {
			i.Encode = func(text string) string {
				if len(text) > 3 {
					return strings.ReplaceAll(ours.Encode(text), "~", "%7E")
				}
				return ours.Encode(text)
			}
		}},
		{"P04", "what is encoded already is left alone", func(i *fuzz.Impl) {
			i.Encode = func(text string) string {
				if back, err := ours.Decode(text); err == nil && back != text {
					return text
				}
				return ours.Encode(text)
			}
		}},
		{"P05", "escapes that do not keep the order of bytes", func(i *fuzz.Impl) {
			reencode(i, func(text string) string { return strings.ReplaceAll(text, "%25", "~25") })
		}},
		{"P06", "url.QueryEscape", func(i *fuzz.Impl) {
			reencode(i, func(text string) string { return strings.ReplaceAll(text, "%20", "+") })
		}},
		{"U01", "a normalised URL is changed again", func(i *fuzz.Impl) {
			i.BaseString = func(r fuzz.SignRequest, oauth []fuzz.Pair) (string, error) {
				base, err := ours.BaseString(r, oauth)
				return strings.Replace(base, "%2F%2F", "%2F%2Fwww.", 1), err
			}
		}},
		{"B07", "a byte that is not encoded", func(i *fuzz.Impl) {
			i.BaseString = func(r fuzz.SignRequest, oauth []fuzz.Pair) (string, error) {
				base, err := ours.BaseString(r, oauth)
				return strings.ReplaceAll(base, "%2526", "%25\xff"), err
			}
		}},
		{"H02", "the order of the header matters", func(i *fuzz.Impl) {
			i.ParseHeader = func(text string) (fuzz.SignHeader, error) {
				h, err := ours.ParseHeader(text)
				if len(h.Params) > 0 && h.Params[0].Name != "oauth_consumer_key" {
					h.Params = h.Params[1:]
				}
				return h, err
			}
		}},
		{"H04", "an open quote is closed", func(i *fuzz.Impl) {
			i.ParseHeader = func(text string) (fuzz.SignHeader, error) {
				h, err := ours.ParseHeader(text)
				if err != nil {
					if mended, again := ours.ParseHeader(text + `"`); again == nil {
						return mended, nil
					}
				}
				return h, err
			}
		}},
		{"H05", "a header of any size", func(i *fuzz.Impl) {
			i.ParseHeader = func(text string) (fuzz.SignHeader, error) {
				if len(text) > 8<<10 {
					return fuzz.SignHeader{}, nil
				}
				return ours.ParseHeader(text)
			}
		}},
		{"S01", "verifies nothing", func(i *fuzz.Impl) {
			i.Verify = func(fuzz.SignRequest, fuzz.SignKey, fuzz.SignOptions) fuzz.SignVerdict {
				return fuzz.SignVerdict{Signature: "mismatch"}
			}
		}},
		{"S05", "everything verifies", func(i *fuzz.Impl) {
			i.Verify = func(r fuzz.SignRequest, k fuzz.SignKey, o fuzz.SignOptions) fuzz.SignVerdict {
				return fuzz.SignVerdict{Signature: "ok", Acceptable: true}
			}
		}},
		{"S05", "another length is not said to be one", func(i *fuzz.Impl) {
			i.Verify = func(r fuzz.SignRequest, k fuzz.SignKey, o fuzz.SignOptions) fuzz.SignVerdict {
				v := ours.Verify(r, k, o)
				v.Codes = slices.DeleteFunc(v.Codes, func(c string) bool { return c == "signature-length" })
				return v
			}
		}},
		{"S08", "the edge of the window is outside", func(i *fuzz.Impl) {
			i.Verify = func(r fuzz.SignRequest, k fuzz.SignKey, o fuzz.SignOptions) fuzz.SignVerdict {
				if o.Window > 1 {
					o.Window--
				}
				return ours.Verify(r, k, o)
			}
		}},
		{"S08", "a use that nobody signed is remembered", func(i *fuzz.Impl) {
			i.Verify = func(r fuzz.SignRequest, k fuzz.SignKey, o fuzz.SignOptions) fuzz.SignVerdict {
				v := ours.Verify(r, k, o)
				h, _ := ours.ParseHeader(r.Authorization)
				for _, p := range h.Params {
					if p.Name == "oauth_consumer_key" {
						v.Consumer = p.Value
					}
				}
				return v
			}
		}},
		{"S09", "PKCS#8 is not read", func(i *fuzz.Impl) {
			i.Sign = func(r fuzz.SignRequest, c fuzz.SignChoices, k fuzz.SignKey) (string, error) {
				if strings.HasPrefix(k.PEM, "-----BEGIN PRIVATE") {
					return "", errors.New("refused")
				}
				return ours.Sign(r, c, k)
			}
		}},
		{"D01", "a right signature is explained", func(i *fuzz.Impl) {
			i.Diagnose = func(r fuzz.SignRequest, k fuzz.SignKey) fuzz.SignDiagnosis {
				return fuzz.SignDiagnosis{Causes: []signature.Cause{{IDs: []string{"unsorted"}}}}
			}
		}},
		{"D02", "single mistakes are not found", func(i *fuzz.Impl) { changeDiagnosis(i, func(d *fuzz.SignDiagnosis) { d.Causes = nil }) }},
		{"D03", "causes that were not tried", func(i *fuzz.Impl) {
			changeDiagnosis(i, func(d *fuzz.SignDiagnosis) {
				if !d.Match {
					d.Causes = append(d.Causes, signature.Cause{IDs: []string{"secrets-swapped"}}, signature.Cause{IDs: []string{"path-only"}})
				}
			})
		}},
		{"D05", "pairs are not found", func(i *fuzz.Impl) {
			changeDiagnosis(i, func(d *fuzz.SignDiagnosis) {
				d.Causes = slices.DeleteFunc(d.Causes, func(c signature.Cause) bool { return len(c.IDs) == 2 })
			})
		}},
		{"D07", "RSA needs the private key", func(i *fuzz.Impl) {
			i.Diagnose = func(r fuzz.SignRequest, k fuzz.SignKey) fuzz.SignDiagnosis {
				if strings.Contains(k.PEM, "PUBLIC") {
					return fuzz.SignDiagnosis{}
				}
				return ours.Diagnose(r, k)
			}
		}},
		{"D08", "the place is not decoded", func(i *fuzz.Impl) {
			i.Compare = func(a, b string) *signature.Difference {
				d := ours.Compare(a, b)
				if d != nil {
					d.Byte = d.Offset
				}
				return d
			}
		}},
		{"D09", "the trace ends early", func(i *fuzz.Impl) {
			i.Trace = func(r fuzz.SignRequest) (fuzz.SignTrace, error) {
				trace, err := ours.Trace(r)
				trace.BaseString = trace.Parameters
				return trace, err
			}
		}},
		{"K06", "an echo of the body", func(i *fuzz.Impl) {
			i.Diagnose = func(r fuzz.SignRequest, k fuzz.SignKey) fuzz.SignDiagnosis {
				d := ours.Diagnose(r, k)
				for _, param := range r.Params {
					d.Known = append(d.Known, param.Value)
				}
				return d
			}
		}},
		{"K06", "a secret in an error", func(i *fuzz.Impl) {
			i.Diagnose = func(r fuzz.SignRequest, k fuzz.SignKey) fuzz.SignDiagnosis {
				return fuzz.SignDiagnosis{Findings: []string{hex.EncodeToString([]byte("S3cretControlKey"))}}
			}
		}},
		{"K06", "a key file in an error", func(i *fuzz.Impl) {
			i.Sign = func(r fuzz.SignRequest, c fuzz.SignChoices, k fuzz.SignKey) (string, error) {
				text, err := ours.Sign(r, c, k)
				if err != nil {
					err = errors.New("not a key: " + k.PEM)
				}
				return text, err
			}
		}},
		{"K07", "a request that prints itself", func(i *fuzz.Impl) {
			i.ShowSigned = func(r fuzz.SignRequest, c fuzz.SignChoices, k fuzz.SignKey) []string {
				shown := ours.ShowSigned(r, c, k)
				for _, p := range r.Params {
					shown = append(shown, p.Value)
				}
				return shown
			}
		}},
	}
}

func changeDiagnosis(i *fuzz.Impl, change func(*fuzz.SignDiagnosis)) {
	right := i.Diagnose
	i.Diagnose = func(r fuzz.SignRequest, k fuzz.SignKey) fuzz.SignDiagnosis {
		d := right(r, k)
		change(&d)
		return d
	}
}

func rejects(t *testing.T, id string, impl fuzz.Impl) bool {
	t.Helper()
	law, ok := fuzz.Find(id)
	if !ok {
		t.Fatalf("no law %s", id)
	}
	if law.Needs != nil && !law.Needs(impl) {
		return false
	}
	for i := range uint64(60) {
		if fuzz.Again(law, fuzz.NewCase(law, 1, i), impl) != "" {
			return true
		}
	}
	return false
}

// Each of the laws rejects an implementation that breaks it.
func TestSignatureLawsReject(t *testing.T) {
	for _, row := range signDamages() {
		damaged := fuzz.Ours()
		row.damage(&damaged)
		if !rejects(t, row.law, damaged) {
			t.Errorf("%s takes %s", row.law, row.reason)
		}
	}
}

// Every law of signatures is known to be able to fail: a member of the gallery names it, or a damage above (T1).
func TestSignatureLawsCanFail(t *testing.T) {
	proven := map[string]bool{}
	for _, row := range signDamages() {
		proven[row.law] = true
	}
	for _, m := range gallery.Members() {
		for _, id := range m.By {
			if !proven[id] && strings.ContainsAny(id[:1], "PUBHSDK") {
				proven[id] = rejects(t, id, m.Impl)
			}
		}
	}
	for _, l := range fuzz.Laws() {
		signatures := strings.ContainsAny(l.ID[:1], "PUBHSD") || l.ID == "K06" || l.ID == "K07"
		if signatures && !proven[l.ID] {
			t.Errorf("nothing shows that %s can fail: %s", l.ID, l.Formula)
		}
	}
}
