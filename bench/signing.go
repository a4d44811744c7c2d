package main

import (
	"context"
	"crypto"
	"crypto/hmac"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"errors"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/chargecast/chargecast/signature"
	"github.com/chargecast/chargecast/signature/diagnose"
)

// signingRows are P7 and P8, making an Authorization header, and P17, explaining a wrong one.
func signingRows() []row {
	var rows []row
	for _, size := range []struct {
		name                                  string
		bytes                                 int
		possible, possibleStd, possibleLimits string
	}{
		{"1 KB", 700, "24×", "5.5×", "1.6×"},
		{"1 MB", 750_000, "27×", "6.3×", "2.4×"},
	} {
		what := "HMAC-SHA1 header, " + size.name
		rows = append(rows,
			row{id: "P7", ours: what, against: "dghubble/oauth1", goal: faster(8), possible: size.possible,
				note:  "builds a request for each header and reads the parameters back from its body",
				ready: readyOAuth1(size.bytes)},
			row{id: "P7", ours: what, against: "stdlib: map, sort, QueryEscape twice", goal: faster(2), possible: size.possibleStd,
				ready: readyStandard(size.bytes)},
			row{id: "P7", ours: what, against: "limit: HMAC of the base string", goal: within(6), possible: size.possibleLimits,
				ready: readyMAC(size.bytes)},
		)
	}
	return append(rows,
		row{id: "P8", ours: "RSA-SHA256 header, 1 KB, all but the RSA", against: "rsa.SignPKCS1v15, 2048 bits",
			goal: percent(1), possible: "0.15 %", ready: readyRSA(700)},
		row{id: "P17", ours: "Diagnose, all singles and pairs, HMAC-SHA1, 1 KB", against: "limit: a base string and an HMAC for each candidate",
			goal: within(1.5), ready: readyDiagnosis(700)})
}

// The sides of P7 and P8 make an Authorization header for the request of W4.

// A headerMaker makes one header; it is nil text on an error.
type headerMaker func() string

// headerSide is a side that makes one header a run.
func headerSide(make headerMaker) side {
	return side{1, func() uint64 { return uint64(len(make())) }}
}

func signingPayload(n int) string { return base64.StdEncoding.EncodeToString(signingBytes(n)) }

// signingRequest is W4 for the library.
func signingRequest(payload string) (signature.Request, signature.OAuth) {
	return signature.NewRequest("POST", signingURL).WithParams(signature.NewParam("payload", payload)),
		signature.OAuth{ConsumerKey: signingKey, Nonce: signingNonce, Timestamp: strconv.Itoa(signingTimestamp)}
}

// sign signs a request.
func sign(r signature.Request, o signature.OAuth, key signature.SigningKey) signature.Request {
	signed, _, err := signature.Sign(r, o, key)
	return must(signed, err)
}

// newRSAKey is a key of 2048 bits for crypto/rsa and for the library.
func newRSAKey() (*rsa.PrivateKey, *signature.PrivateKey) {
	key := must(rsa.GenerateKey(rand.Reader, 2048))
	block := pem.EncodeToMemory(&pem.Block{Type: "RSA PRIVATE KEY", Bytes: x509.MarshalPKCS1PrivateKey(key)})
	return key, must(signature.ParsePrivateKey(block))
}

func oursHeader(payload string) headerMaker {
	key := must(signature.NewHMACKey(signingSecret))
	r, o := signingRequest(payload)
	return func() string { return sign(r, o, key).Authorization() }
}

// escape is percent-encoding with the standard library.
func escape(s string) string { return strings.ReplaceAll(url.QueryEscape(s), "+", "%20") }

// signingFive are the OAuth parameters that are signed.
func signingFive(method string) map[string]string {
	return map[string]string{
		"oauth_consumer_key":     signingKey,
		"oauth_nonce":            signingNonce,
		"oauth_signature_method": method,
		"oauth_timestamp":        strconv.Itoa(signingTimestamp),
		"oauth_version":          "1.0",
	}
}

// standardBase is the base string as one writes it with the standard library: a map, a
// sort, and every value encoded twice.
func standardBase(oauth map[string]string, payload string) string {
	pairs := make([]string, 0, len(oauth)+1)
	for name, value := range oauth {
		pairs = append(pairs, escape(name)+"="+escape(value))
	}
	pairs = append(pairs, "payload="+escape(payload))
	slices.Sort(pairs)
	return "POST&" + escape(signingURL) + "&" + escape(strings.Join(pairs, "&"))
}

// standardSignature is the HMAC-SHA1 signature of a base string in Base64.
func standardSignature(base string) string {
	mac := hmac.New(sha1.New, []byte(escape(signingSecret)+"&"))
	mac.Write([]byte(base))
	return base64.StdEncoding.EncodeToString(mac.Sum(nil))
}

func standardHeader(payload string) headerMaker {
	return func() string {
		oauth := signingFive("HMAC-SHA1")
		oauth["oauth_signature"] = standardSignature(standardBase(signingFive("HMAC-SHA1"), payload))
		names := make([]string, 0, len(oauth))
		for name := range oauth {
			names = append(names, name)
		}
		slices.Sort(names)
		for i, name := range names {
			names[i] = name + `="` + escape(oauth[name]) + `"`
		}
		return "OAuth " + strings.Join(names, ", ")
	}
}

// sameHeader compares two headers byte for byte.
func sameHeader(ours, theirs headerMaker) func() error {
	return func() error {
		if a, b := ours(), theirs(); a == "" || a != b {
			return errors.New("the headers differ")
		}
		return nil
	}
}

func readyStandard(n int) func() contest {
	return func() contest {
		payload := signingPayload(n)
		ours := oursHeader(payload)
		theirs := standardHeader(payload)
		return contest{ours: headerSide(ours), theirs: headerSide(theirs), differ: sameHeader(ours, theirs)}
	}
}

// readyMAC sets the header against the limit: the HMAC of a base string that is there
// already, with the key set up already.
func readyMAC(n int) func() contest {
	return func() contest {
		payload := signingPayload(n)
		ours := oursHeader(payload)
		base := []byte(standardBase(signingFive("HMAC-SHA1"), payload))
		mac := hmac.New(sha1.New, []byte(signingSecret+"&"))
		var room [sha1.Size]byte
		sum := func() []byte {
			mac.Reset()
			mac.Write(base)
			return mac.Sum(room[:0])
		}
		differ := func() error {
			if !strings.Contains(ours(), `oauth_signature="`+escape(base64.StdEncoding.EncodeToString(sum()))+`"`) {
				return errors.New("the header has another signature")
			}
			return nil
		}
		return contest{ours: headerSide(ours), theirs: side{1, func() uint64 { return uint64(sum()[0]) }}, differ: differ}
	}
}

// readyRSA sets everything of an RSA-SHA256 header but the signing against the signing. The
// library has no way to leave the signing out, so base string, digest and header go
// through its public functions one by one, which is no less work.
func readyRSA(n int) func() contest {
	return func() contest {
		key, private := newRSAKey()
		payload := signingPayload(n)
		r, o := signingRequest(payload)
		signed := sign(r, o, private)
		var five []signature.Param
		oauth := signingFive("RSA-SHA256")
		for name, value := range oauth {
			five = append(five, signature.NewParam(name, value))
		}
		slices.SortFunc(five, func(a, b signature.Param) int { return strings.Compare(a.Name(), b.Name()) })
		digest := sha256.Sum256([]byte(standardBase(oauth, payload)))
		sign := func() []byte {
			raw, _ := rsa.SignPKCS1v15(nil, key, crypto.SHA256, digest[:])
			return raw
		}
		raw := sign()
		around := func() (string, [sha256.Size]byte) {
			trace, _ := signature.NewTrace(signed)
			sum := sha256.Sum256([]byte(trace.BaseString()))
			params := slices.Insert(slices.Clone(five), 2,
				signature.NewParam("oauth_signature", base64.StdEncoding.EncodeToString(raw)))
			return signature.Header{Params: params}.String(), sum
		}
		ours := side{1, func() uint64 {
			text, sum := around()
			return uint64(len(text)) + uint64(sum[0])
		}}
		theirs := side{1, func() uint64 { return uint64(sign()[0]) }}
		differ := func() error {
			if text, sum := around(); text != signed.Authorization() || sum != digest {
				return errors.New("the parts make another header than the whole")
			}
			return nil
		}
		return contest{ours: ours, theirs: theirs, differ: differ}
	}
}

// readyDiagnosis sets a diagnosis that finds nothing against a base string and an HMAC for each
// candidate that it compared.
func readyDiagnosis(n int) func() contest {
	return func() contest {
		key := must(signature.NewHMACKey(signingSecret))
		other := must(signature.NewHMACKey("another secret"))
		r, o := signingRequest(signingPayload(n))
		wrong := sign(r, o, other)
		diagnose := func() diagnose.Diagnosis {
			d, _ := diagnose.Request(context.Background(), wrong, key, diagnose.Options{})
			return d
		}
		found := diagnose()
		differ := func() error {
			if found.Signature != signature.VerdictMismatch || len(found.Causes) > 0 || len(found.NotTried) > 0 || found.Tried < 2000 {
				return errors.New("the diagnosis is not one of all singles and pairs")
			}
			return nil
		}
		mac := hmac.New(sha1.New, []byte(signingSecret+"&"))
		trace := must(signature.NewTrace(wrong))
		var room [sha1.Size]byte
		ours := side{1, func() uint64 { return uint64(diagnose().Tried) }}
		theirs := side{1, func() uint64 {
			for range found.Tried {
				mac.Reset()
				mac.Write([]byte(trace.BaseString()))
				mac.Sum(room[:0])
			}
			return uint64(found.Tried)
		}}
		return contest{ours: ours, theirs: theirs, differ: differ}
	}
}
