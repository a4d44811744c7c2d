package fuzz

import (
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	_ "embed" // published verdicts
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/chargecast/chargecast/signature"
)

// wycheproofRSA is a frozen sample of Wycheproof's verdicts on RSASSA-PKCS1-v1_5 with
// SHA-256, one JSON object a line: of each kind of fault a few.
//
//go:embed testdata/wycheproof-rsa.jsonl
var wycheproofRSA string

// signatureRestLaws are the laws of forged signatures, of proven causes and of what a
// signature's outputs show.
func signatureRestLaws() []Law {
	verifies := func(i Impl) bool { return i.Verify != nil }
	return []Law{
		{ID: "S05", Formula: "the published verdicts hold; forged paddings and truncated tags are refused", Clause: "L65", Needs: verifies, Check: forgeriesRefused},
		{ID: "S07", Formula: "the signature in a header is the base64 of the tag, never its hex", Clause: "L66", Gen: SignCases(), Needs: func(i Impl) bool { return i.Authorization != nil && i.ParseHeader != nil }, Check: onSign(neverHex)},
		{ID: "D03", Formula: "every cause reported reproduces the signature when it is made by hand; undoing it leads to the right one", Clause: "5", Gen: SignCases(), Slow: true, Needs: func(i Impl) bool { return verifies(i) && i.Diagnose != nil }, Check: onSign(causesProven)},
		{ID: "K06", Formula: "secret, key and card number are absent from errors, traces, diagnoses and from every printed type of signatures, in every form", Clause: "5.4", Gen: SignCases(), Slow: true, Needs: func(i Impl) bool {
			return i.Authorization != nil && i.Trace != nil && i.Diagnose != nil && i.VerifyFresh != nil
		}, Check: onSign(secretsUnseen)},
	}
}

func forgeriesRefused(t T, _ *Case, impl Impl) {
	publishedVerdicts(t)
	c := SignCase{Method: "POST", Scheme: "https", Host: "h", Path: "/p", Consumer: "m", Nonce: "n", Timestamp: "1767225600", Secret: "s",
		Body: []signature.Param{{Name: "payload", Value: "QUJD"}}}
	tag := slowly(c).sum()
	for cut := 1; cut < len(tag); cut++ {
		text := base64.StdEncoding.EncodeToString(tag[:cut])
		if got := c.verified(t, impl, c.headerWith(text).String()); got == signature.OK {
			t.Errorf("a tag of %d bytes verifies", cut)
		}
	}
	private, _ := testKeys(t)
	for name, raw := range forgeries(t, c.rsaBase()) {
		params := append(c.OAuth("RSA-SHA256"), signature.Param{Name: "oauth_signature", Value: base64.StdEncoding.EncodeToString(raw)})
		got, err := impl.Verify(c.Request(), signature.Header{Params: params}.String(), private.Public(), signature.RFC5849())
		if want := name == "right"; err != nil || (got == signature.OK) != want {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
}

// publishedVerdicts holds the key type that every implementation is handed.
func publishedVerdicts(t T) {
	for line := range strings.Lines(wycheproofRSA) {
		var v struct {
			ID            int
			Key, Msg, Sig string
			Valid         bool
		}
		if err := json.Unmarshal([]byte(line), &v); err != nil {
			t.Errorf("the sample: %v", err)
			return
		}
		der, err1 := hex.DecodeString(v.Key)
		msg, err2 := hex.DecodeString(v.Msg)
		sig, err3 := hex.DecodeString(v.Sig)
		if err1 != nil || err2 != nil || err3 != nil {
			t.Errorf("case %d is damaged", v.ID)
			continue
		}
		key, _, err := signature.LoadPublicKey(pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der}), signature.KeyRules{})
		if got := err == nil && key.VerifyBase(string(msg), sig); got != v.Valid {
			t.Errorf("case %d: %v, want %v", v.ID, got, v.Valid)
		}
	}
}

// forgeries are encoded messages that a parser of the padding may take, put through the
// private operation of the test key, and the right one.
func forgeries(t T, base string) map[string][]byte {
	block, _ := pem.Decode([]byte(testKeyPKCS1))
	key, err := x509.ParsePKCS1PrivateKey(block.Bytes)
	if err != nil {
		t.Errorf("%v", err)
		return nil
	}
	digest := sha256.Sum256([]byte(base))
	const named = "\x30\x31\x30\x0d\x06\x09\x60\x86\x48\x01\x65\x03\x04\x02\x01\x05\x00\x04\x20"
	padded := func(lead string, filler byte, content string) []byte {
		em := []byte(lead)
		for len(em) < key.Size()-len(content)-1 {
			em = append(em, filler)
		}
		return append(append(em, 0), content...)
	}
	right := padded("\x00\x01", 0xff, named+string(digest[:]))
	hole := slices.Clone(right)
	hole[9] = 0
	short := append([]byte("\x00\x01\xff\xff\xff\xff\xff\xff\xff\xff\x00"+named), digest[:]...)
	short = append(short, make([]byte, key.Size()-len(short))...)
	list := map[string][]byte{}
	for name, em := range map[string][]byte{
		"right":                     right,
		"NULL missing":              padded("\x00\x01", 0xff, "\x30\x2f\x30\x0b\x06\x09\x60\x86\x48\x01\x65\x03\x04\x02\x01\x04\x20"+string(digest[:])),
		"long form of a length":     padded("\x00\x01", 0xff, "\x30\x81"+named[1:]+string(digest[:])),
		"no DigestInfo":             padded("\x00\x01", 0xff, string(digest[:])),
		"digest of another length":  padded("\x00\x01", 0xff, named+string(digest[:31])),
		"hash named SHA-384":        padded("\x00\x01", 0xff, strings.Replace(named, "\x02\x01\x05", "\x02\x02\x05", 1)+string(digest[:])),
		"block type 2":              padded("\x00\x02", 0xff, named+string(digest[:])),
		"padding of other bytes":    padded("\x00\x01", 0xfe, named+string(digest[:])),
		"a zero inside the padding": hole,
		"garbage behind the digest": short,
		"digest of another message": padded("\x00\x01", 0xff, named+strings.Repeat("x", 32)),
		"all zero":                  make([]byte, key.Size()),
	} {
		value := new(big.Int).Exp(new(big.Int).SetBytes(em), key.D, key.N)
		list[name] = value.FillBytes(make([]byte, key.Size()))
	}
	addForms(list, key)
	return list
}

// addForms adds other spellings of the right number.
func addForms(list map[string][]byte, key *rsa.PrivateKey) {
	right := list["right"]
	list["a zero in front"] = append([]byte{0}, right...)
	list["a zero behind"] = append(slices.Clip(right), 0)
	list["the last byte cut"] = right[:len(right)-1]
	reversed := slices.Clone(right)
	slices.Reverse(reversed)
	list["reversed"] = reversed
	more := new(big.Int).Add(new(big.Int).SetBytes(right), key.N)
	list["the modulus added"] = more.Bytes()
}

func neverHex(t T, c SignCase, impl Impl) {
	text, err := impl.Authorization(c.Request(), c.Choices(), c.secret(t), signature.RFC5849())
	if err != nil {
		t.Errorf("%v", err)
		return
	}
	h, err := impl.ParseHeader(text)
	if err != nil {
		t.Errorf("%v", err)
		return
	}
	sum := slowly(c).sum()
	got, _ := h.Value("oauth_signature")
	if raw, err := base64.StdEncoding.Strict().DecodeString(got); err != nil || string(raw) != string(sum) {
		t.Errorf("oauth_signature is %q", got)
	}
	if strings.Contains(strings.ToLower(text), hex.EncodeToString(sum)) {
		t.Errorf("the header holds the tag in hex")
	}
}

// partial are the mistakes of which the oracle makes some variants only, so that it
// cannot refute a cause that names them.
func partial(id string) bool {
	switch id {
	case "not-decoded", "unsorted", "sort-raw-names", "key-ampersand-missing", "secret-newline", "token-secret-null", "base-newline", "signature-wrapped", "signature-urlsafe":
		return true
	}
	return !slices.ContainsFunc(slowMistakes(), func(m slowMistake) bool { return m.id == id })
}

func causesProven(t T, c SignCase, impl Impl) {
	all := slowMistakes()
	s := slowly(c)
	m := all[c.Pick%uint64(len(all))]
	m.make(c, &s)
	text := s.signature()
	if _, _, both, ok := c.twoMistakes(); ok && c.Pick>>40%4 == 0 {
		text = both
	}
	for _, cause := range c.diagnosed(t, impl, text).Causes {
		if !slices.ContainsFunc(cause.IDs, partial) && !c.reproduced(cause.IDs, text) {
			t.Errorf("%v does not reproduce the signature", cause.IDs)
		}
	}
	// What is left once everything is undone is right, and told to be.
	right := slowly(c).signature()
	if d := c.diagnosed(t, impl, right); !d.Match || c.verified(t, impl, c.headerWith(right).String()) != signature.OK {
		t.Errorf("undone, it is not right: match %v, causes %v", d.Match, causesOf(d))
	}
}

// reproduced tells whether the mistakes, made by hand in some variant and order, give
// the signature.
func (c SignCase) reproduced(ids []string, text string) bool {
	var try func(s slowStages, left []string) bool
	try = func(s slowStages, left []string) bool {
		if len(left) == 0 {
			return s.signature() == text
		}
		for i, id := range left {
			for _, m := range slowMistakes() {
				next := s
				if m.id != id {
					continue
				}
				m.make(c, &next)
				if try(next, slices.Delete(slices.Clone(left), i, i+1)) {
					return true
				}
			}
		}
		return false
	}
	return try(slowly(c), ids)
}

func secretsUnseen(t T, c SignCase, impl Impl) {
	const secret, token, card = "S3cretControlKey", "T0kenCanaryText", "4111111111111111"
	c.Secret, c.Token = secret+c.Secret, token+c.Token
	c.Body = append(slices.Clip(c.Body), signature.Param{Name: "payload", Value: card})
	hmacKey, p := c.secret(t), signature.RFC5849()
	private, _ := testKeys(t)
	text, err := impl.Authorization(c.Request(), c.Choices(), hmacKey, p)
	if err != nil {
		t.Errorf("%v", err)
		return
	}
	trace, err := impl.Trace(c.Request(), c.OAuth("HMAC-SHA1"), p)
	if err != nil {
		t.Errorf("%v", err)
		return
	}
	all := slowMistakes()
	s := slowly(c)
	all[c.Pick%uint64(len(all))].make(c, &s)
	wrong := c.headerWith(s.signature())
	d := c.diagnosed(t, impl, s.signature())
	verdict, _ := impl.VerifyFresh(c.Request(), wrong.String(), hmacKey, p, signature.Freshness{NonceMax: 1})
	signed, _ := signature.Sign(c.Request(), c.Choices(), hmacKey, p)
	shown := []any{hmacKey, *hmacKey, private, *private, private.Public(), c.Request(), c.Body[len(c.Body)-1], wrong, trace, *trace, d, verdict, signed, *signed,
		signature.Evidence{Authorization: text, BaseString: trace.BaseString}, signature.Captured{Request: c.Request(), Authorization: text},
		signature.Post{URL: c.URL(), Body: signed.Body, Signed: signed}, trace.Sorted, signature.Compare(trace.BaseString, s.base())}
	for _, e := range keyErrors(c.Pick) {
		shown = append(shown, e)
	}
	hidden := slices.Concat(formsOf(secret), formsOf(token), formsOf(card), keyParts())
	for _, value := range shown {
		for _, verb := range [...]string{"%v", "%+v", "%#v", "%s", "%q", "%x"} {
			out := fmt.Sprintf(verb, value)
			for _, form := range hidden {
				if strings.Contains(out, form) {
					t.Errorf("%T as %s shows %q", value, verb, form)
				}
			}
		}
	}
	for _, form := range slices.Concat(formsOf(secret), formsOf(token)) {
		if strings.Contains(text+trace.BaseString, form) {
			t.Errorf("header or base string holds a secret as %q", form)
		}
	}
}

// keyErrors are the errors for the test key damaged at a place that pick chooses.
func keyErrors(pick uint64) []error {
	var list []error
	at := int(pick % uint64(len(testKeyPKCS1)))
	for _, file := range []string{testKeyPKCS1[:at], testKeyPKCS1[:at] + "*" + testKeyPKCS1[at:], testKeyPKCS1 + testKeyPKCS8, "x" + testKeyPKCS1,
		strings.ReplaceAll(testKeyPKCS1, "\n", `\n`), strings.ReplaceAll(testKeyPKCS1, "RSA ", "")} {
		if _, _, err := signature.LoadPrivateKey([]byte(file), signature.KeyRules{}); err != nil {
			list = append(list, err)
		}
		if _, _, err := signature.LoadPublicKey([]byte(file), signature.KeyRules{}); err != nil {
			list = append(list, err)
		}
	}
	return list
}

// keyParts are pieces of the test key: of its file, and of its private exponent in hex.
func keyParts() []string {
	var parts []string
	for line := range strings.Lines(testKeyPKCS1) {
		if line = strings.TrimSpace(line); !strings.HasPrefix(line, "-----") && len(line) >= 24 {
			parts = append(parts, line[:24])
		}
	}
	block, _ := pem.Decode([]byte(testKeyPKCS1))
	if key, err := x509.ParsePKCS1PrivateKey(block.Bytes); err == nil {
		parts = append(parts, hex.EncodeToString(key.D.Bytes()[:12]), key.D.String()[:24], key.Primes[0].String()[:24])
	}
	return parts
}
