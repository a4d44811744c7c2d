package fuzz

import (
	"strings"

	"github.com/chargecast/chargecast/signature"
)

// The bodies of the native fuzz targets of signatures. Each panics on a broken law: reading what was written gives the
// same, an error has a place inside the input and never shows it, work stays in the limits.

func must(held bool, law string) {
	if !held {
		panic(law)
	}
}

// placed holds an error's offset to its input.
func placed(err error, size int) {
	e, ok := err.(*signature.Error) //nolint:errorlint // the package's errors are never wrapped
	must(ok && e.Code != "" && e.Rule != "" && e.Offset >= -1 && e.Offset <= size, "an error names code, rule and a place inside the input")
}

// TargetPercent encodes and decodes bytes.
func TargetPercent(data []byte) {
	text := string(data)
	encoded := signature.Encode(text)
	must(encoded == slowEncode(text), "P01")
	must(string(signature.AppendEncodeTwice(nil, data)) == signature.Encode(encoded), "encoding twice in one pass")
	back, err := signature.Decode(encoded)
	must(err == nil && back == text, "P01")
	if _, err := signature.Decode(text); err != nil {
		placed(err, len(text))
	}
}

// TargetForm splits a form body.
func TargetForm(data []byte) {
	params, err := signature.ParseForm(string(data))
	if err != nil {
		placed(err, len(data))
		return
	}
	again, err := signature.ParseForm(string(signature.AppendForm(nil, params)))
	must(err == nil && len(again) == len(params), "a form written and read again")
	for i := range params {
		must(params[i] == again[i], "a form written and read again")
	}
	must(len(params) == 0 || strings.Count(signature.NormalizedParameters(params), "&") == len(params)-1, "one & between two parameters")
}

// TargetURL reads a URL under both profiles.
func TargetURL(data []byte) {
	for _, p := range [...]signature.Profile{signature.Gateway(), signature.RFC5849()} {
		once, err := signature.BaseURI(string(data), p)
		if err != nil {
			placed(err, len(data))
			continue
		}
		again, err := signature.BaseURI(once, p)
		must(err == nil && again == once, "U01")
	}
}

// TargetHeader reads an Authorization header.
func TargetHeader(data []byte) {
	h, err := signature.ParseHeader(string(data))
	if err != nil {
		placed(err, len(data))
		return
	}
	written := h.String()
	if len(written) > signature.MaxHeaderBytes {
		return // reading was from a shorter, less escaped form
	}
	again, err := signature.ParseHeader(written)
	h.Unescaped = nil
	must(err == nil && sameHeaders(again, h), "H01")
	_, _ = h.Check(signature.Gateway())
}

// TargetBaseString compares the base string of drawn requests with the stage oracle.
func TargetBaseString(data []byte) { lawTarget("B08", data) }

// TargetDiagnose makes drawn mistakes and asks for them.
func TargetDiagnose(data []byte) { lawTarget("D02", data) }

// lawTarget checks a law on a case drawn from the fuzzer's bytes.
func lawTarget(id string, data []byte) {
	l, ok := Find(id)
	must(ok, "no such law")
	if report := Again(l, CaseOf(l, NewByteSource(data)), Ours()); report != "" {
		panic(id + ": " + report)
	}
}

// TargetPEM loads a key file for both uses.
func TargetPEM(data []byte) {
	_, _, err := signature.LoadPrivateKey(data, signature.KeyRules{})
	if err != nil {
		placed(err, len(data))
		for line := range strings.Lines(string(data)) {
			line = strings.TrimSpace(line)
			must(len(line) < 24 || strings.Contains(line, " ") || !strings.Contains(err.Error(), line), "K01")
		}
	}
	if _, _, err := signature.LoadPublicKey(data, signature.KeyRules{}); err != nil {
		placed(err, len(data))
	}
}

// TargetCaptured reads a captured request and what it carries.
func TargetCaptured(data []byte) {
	c, err := signature.ParseRequest(data)
	if err != nil {
		placed(err, len(data))
		return
	}
	key, err := signature.NewSecret("secret", "")
	must(err == nil, "a secret")
	for _, p := range [...]signature.Profile{signature.Gateway(), signature.RFC5849()} {
		if v, err := signature.Verify(c.Request, c.Authorization, key, p, signature.Freshness{}); err != nil {
			placed(err, len(data)+len("https://"))
		} else {
			must(v.Signature != signature.NoOutcome, "a verdict")
		}
	}
}
