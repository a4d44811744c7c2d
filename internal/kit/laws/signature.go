package laws

import (
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"maps"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/chargecast/chargecast/internal/gen"
	"github.com/chargecast/chargecast/internal/oracle"
	"github.com/chargecast/chargecast/internal/testkeys"
)

// signatureLaws are the laws of signing and verifying.
func signatureLaws() []Law {
	return []Law{
		law("S01", gen.SignCases, signedVerifies),
		law("S02", gen.SignCases, changedFails),
		law("S03", gen.SignCases, likeCryptoRSA).slow(),
		law("S04", gen.SignCases, likeSlowHMAC),
		once("S05", forgeriesRefused),
		law("S06", gen.SignCases, otherSpellings),
		law("S07", gen.SignCases, neverHex),
		own("S08", "L63", "signature ok never depends on clock or nonce store, fresh on nothing else", gen.SignCases, freshApart),
		law("S09", gen.SignCases, keyFormsAlike).slow(),
		law("S10", gen.SignCases, noEmptyHeader),
	}
}

// likeSlowHMAC judges the key and the hash. Where the implementation's own base string is another one, that is the matter
// of B08.
func likeSlowHMAC(t *T, c gen.SignCase) {
	s := stages(c)
	base, want := s.Base(), s.Signature()
	got, err := t.Sign(c.Request(), c.Choices(), key(c))
	if err == nil && strings.Contains(got, `oauth_signature="`+oracle.Encode(want)+`"`) {
		return
	}
	own := base
	t.can(func() {
		if text, err := t.BaseString(c.Request(), c.OAuth("HMAC-SHA1")); err == nil {
			own = text
		}
	})
	if own != base {
		return
	}
	t.Errorf("the header is %s\nwant in it the signature %s\nover %s", answered(got, err), want, base)
}

// underKeys asks with the HMAC key of the case, and with an RSA key in a few cases, which take long, and where the
// implementation has no HMAC.
func (t *T) underKeys(c gen.SignCase, ask func(k caseKey)) {
	if c.Pick>>50%256 != 0 && t.can(func() { ask(hmacKey(c)) }) {
		return
	}
	ask(rsaKeyOf(c))
}

func (t *T) verified(c gen.SignCase, authorization string) SignVerdict {
	return t.verifiedWith(c, key(c), authorization)
}

func (t *T) verifiedWith(c gen.SignCase, k SignKey, authorization string) SignVerdict {
	r := c.Request()
	r.Authorization = authorization
	return t.Verify(r, k, SignOptions{})
}

func signedVerifies(t *T, c gen.SignCase) {
	t.underKeys(c, func(k caseKey) {
		text, err := t.Sign(c.Request(), c.Choices(), k.SignKey)
		if err != nil {
			t.Fatalf("signing is %s", answered(text, err))
		}
		if v := t.verifiedWith(c, k.SignKey, text); v.Signature != "ok" || !v.Acceptable || v.Consumer != c.Consumer {
			t.Errorf("of what it signed itself, %s, it says: %s", text, v)
		}
	})

}

// changedFails makes one change, of those that leave a request that can be signed.
func changedFails(t *T, c gen.SignCase) {
	t.underKeys(c, func(k caseKey) { changedFailsUnder(t, c, k) })
}

func changedFailsUnder(t *T, c gen.SignCase, k caseKey) {
	raw := k.sum(baseUnder(c, k.Method))
	changed, with, what := c, k.SignKey, "another key"
	switch c.Pick % 6 {
	case 1:
		changed.Body, what = append(slices.Clip(c.Body), gen.Pair{Name: "a"}), "one more parameter in the body"
	case 2:
		changed.Path, what = c.Path+"/x", "another path"
	case 3:
		changed.Host, what = "changed.example.com", "another host"
	case 4:
		raw[c.Pick>>8%uint64(len(raw))] ^= 1 << (c.Pick >> 16 % 8)
		what = "one bit of the signature changed"
	default:
		with = k.other(c)
	}
	headers := []string{headerUnder(c, k.Method, signatureText(raw)).String()}
	if own, err := t.Sign(c.Request(), c.Choices(), k.SignKey); err == nil && c.Pick%6 != 4 {
		headers = append(headers, own)
	}
	for _, header := range headers {
		if v := t.verifiedWith(changed, with, header); v.Signature != "mismatch" || v.Acceptable || v.Consumer != "" {
			t.Errorf("with %s: %s, want a mismatch", what, v)
		}
	}
}

func otherSpellings(t *T, c gen.SignCase) {
	text := stages(c).Signature()
	sum := hex.EncodeToString(stages(c).Sum())
	spellings := [...]string{sum, strings.ToUpper(sum), base64.StdEncoding.EncodeToString([]byte(sum)), text + "\n", text[:9] + "\r\n" + text[9:], strings.TrimRight(text, "="), text + "=", " " + text, oracle.Encode(text),
		strings.NewReplacer("+", "-", "/", "_").Replace(text), base64.StdEncoding.EncodeToString([]byte(text))}
	other := spellings[c.Pick%uint64(len(spellings))]
	if other == text {
		return
	}
	if v := t.verified(c, t.FormatHeader(headerWith(c, other))); v.Signature == "ok" || v.Acceptable {
		t.Errorf("%q is accepted for %q", other, text)
	}
}

func noEmptyHeader(t *T, c gen.SignCase) {
	o := c.Choices()
	r := c.Request()
	k := key(c)
	switch c.Pick % 6 {
	case 5: // at most half of a key: a reader of PEM may do without the dashes at the end of a whole one
		k = rsaKey(testkeys.PKCS1[:c.Pick>>8%uint64(len(testkeys.PKCS1)/2)])
	case 0:
		o.Nonce = ""
	case 1:
		o.Timestamp = "-" + o.Timestamp
	case 2:
		o.ConsumerKey = ""
	case 3:
		r.URL = "ftp" + r.URL
	default:
		r.Params = append(slices.Clip(r.Params), gen.Pair{Name: "oauth_signature"})
	}
	if got, err := t.Sign(r, o, k); err == nil || got != "" {
		t.Errorf("signing gives %s, want an error and nothing else", strconv.Quote(got))
	}
}

// likeCryptoRSA signs with the long key in every sixteenth case.
func likeCryptoRSA(t *T, c gen.SignCase) {
	file := testkeys.PKCS1
	if c.Pick>>8%16 == 0 {
		file = testkeys.Long
	}
	base := baseUnder(c, "RSA-SHA256")
	want := signatureText(rsaSum(file, base))
	r := c.Request()
	for range 1 + c.Pick%16/15 { // equal to a deterministic signature, and now and then again
		text, err := t.Sign(c.Request(), c.Choices(), rsaKey(file))
		if err != nil || !strings.Contains(text, `oauth_signature="`+oracle.Encode(want)+`"`) {
			t.Fatalf("the header is %s\nwant in it the signature %s\nover %s", answered(text, err), want, base)
		}
		r.Authorization = text
	}
	if v := t.Verify(r, rsaKey(file), SignOptions{}); !v.Acceptable {
		t.Errorf("of what it signed itself it says: %s", v)
	}
}

func keyFormsAlike(t *T, c gen.SignCase) {
	a, errA := t.Sign(c.Request(), c.Choices(), rsaKey(testkeys.PKCS1))
	b, errB := t.Sign(c.Request(), c.Choices(), rsaKey(testkeys.PKCS8))
	if a != b || a == "" || errA != nil || errB != nil {
		t.Errorf("as PKCS#1 %s\nas PKCS#8 %s", answered(a, errA), answered(b, errB))
	}
}

// freshApart asks at and outside both edges of a window and at one distance more, and for lengths
// of the nonce: every other question of the right signature, the rest of a wrong one.
func freshApart(t *T, c gen.SignCase) {
	sent, err := strconv.ParseInt(c.Timestamp, 10, 64)
	if err != nil {
		t.Fatalf("%v", err)
	}
	right := signedRequest(c, rightHeader(c))
	wrong := signedRequest(c, headerWith(c, "AAAAAAAAAAAAAAAAAAAAAAAAAAA="))
	window, length := 1+int64(c.Pick%100_000), len(c.Nonce)
	type question struct {
		o     SignOptions
		stale bool
	}
	asked := []question{
		{SignOptions{NonceMin: length}, false}, {SignOptions{NonceMin: length + 1}, true}, {SignOptions{NonceMax: length}, false},
		{SignOptions{}, false}, {SignOptions{NonceMin: 1, NonceMax: max(length-1, 1)}, length > 1},
	}
	further := [...]int64{0, window - 1, 2 * window, 1 - window, -3 * window}[c.Pick>>20%5]
	for _, distance := range [...]int64{window, window + 1, -window, -window - 1, further} {
		asked = append(asked, question{SignOptions{Now: sent + distance, Window: window}, distance > window || distance < -window})
	}
	for i, q := range asked {
		if i%2 != int(c.Pick>>24%2) {
			ok := t.Verify(right, key(c), q.o)
			if ok.Signature != "ok" || ok.Stale != q.stale || ok.Acceptable == q.stale || ok.Acceptable != (ok.Consumer == c.Consumer) {
				t.Errorf("of a right signature, asked %s: %s", q.o, ok)
			}
			continue
		}
		bad := t.Verify(wrong, key(c), q.o)
		if bad.Signature != "mismatch" || bad.Stale != q.stale || bad.Acceptable || bad.Consumer != "" {
			t.Errorf("of a wrong signature, asked %s: %s", q.o, bad)
		}
	}
}

// forgeriesRefused asks under each method. An implementation that has only one of them is judged by that.
func forgeriesRefused(t *T) {
	c := gen.SignCase{Scheme: "https", Host: "h", Path: "/p", Consumer: "m", Nonce: "n", Timestamp: "1767225600", Secret: "s",
		Body: []gen.Pair{{Name: "payload", Value: "QUJD"}}}
	t.some(func() { forgedTags(t, c) }, func() { forgedPaddings(t, c) })
}

func forgedTags(t *T, c gen.SignCase) {
	tag := stages(c).Sum()
	longer := append(slices.Clip(tag), tag...)
	for size := 1; size < len(longer); size++ {
		if size == len(tag) {
			continue
		}
		text := base64.StdEncoding.EncodeToString(longer[:size])
		if v := t.verified(c, headerWith(c, text).String()); v.Signature != "mismatch" || v.Acceptable || v.Codes != nil && !slices.Contains(v.Codes, "signature-length") {
			t.Fatalf("of a tag of %d bytes for %d: %s", size, len(tag), v)
		}
	}
}

func forgedPaddings(t *T, c gen.SignCase) {
	forged := forgeries(t, baseUnder(c, "RSA-SHA256"))
	for _, name := range slices.Sorted(maps.Keys(forged)) {
		raw := forged[name]
		v := t.Verify(signedRequest(c, headerUnder(c, "RSA-SHA256", signatureText(raw))), rsaKey(testkeys.PKCS1), SignOptions{})
		if want := name == "right"; v.Acceptable != want || (v.Signature == "ok") != want {
			t.Errorf("of an RSA signature (%s): %s", name, v)
		}
	}
}

// forgeries are encoded messages that a parser of the padding may take, put through the
// private operation of the test key, and the right one.
func forgeries(t *T, base string) map[string][]byte {
	key, err := oracle.PrivateKey(testkeys.PKCS1)
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
	const namedSHA1 = "\x30\x21\x30\x09\x06\x05\x2b\x0e\x03\x02\x1a\x05\x00\x04\x14"
	short1 := sha1.Sum([]byte(base))
	list := map[string][]byte{}
	for name, em := range map[string][]byte{
		"right":                     right,
		"NULL missing":              padded("\x00\x01", 0xff, "\x30\x2f\x30\x0b\x06\x09\x60\x86\x48\x01\x65\x03\x04\x02\x01\x04\x20"+string(digest[:])),
		"long form of a length":     padded("\x00\x01", 0xff, "\x30\x81"+named[1:]+string(digest[:])),
		"no DigestInfo":             padded("\x00\x01", 0xff, string(digest[:])),
		"digest of another length":  padded("\x00\x01", 0xff, named+string(digest[:31])),
		"hash named SHA-384":        padded("\x00\x01", 0xff, strings.Replace(named, "\x02\x01\x05", "\x02\x02\x05", 1)+string(digest[:])),
		"SHA-1":                     padded("\x00\x01", 0xff, namedSHA1+string(short1[:])),
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
	pss, err := rsa.SignPSS(rand.Reader, key, crypto.SHA256, digest[:], nil)
	if err != nil {
		t.Errorf("%v", err)
	}
	list["PSS"] = pss
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

// neverHex judges the form of a signature; whether its bytes are the right ones is the matter of S04.
func neverHex(t *T, c gen.SignCase) {
	text, err := t.Sign(c.Request(), c.Choices(), key(c))
	if err != nil {
		t.Fatalf("signing is %s", answered(text, err))
	}
	h, err := t.ParseHeader(text)
	if err != nil {
		t.Fatalf("its header %q is %s", text, answered("", err))
	}
	got := pairValue(h.Params, "oauth_signature")
	raw, strict := base64.StdEncoding.Strict().DecodeString(got)
	if strict != nil || len(raw) != sha1.Size || base64.StdEncoding.EncodeToString(raw) != got {
		t.Errorf("oauth_signature is %q, want the base64 of %d bytes", got, sha1.Size)
	} else if strings.Contains(strings.ToLower(text), hex.EncodeToString(raw)) {
		t.Errorf("the header holds the tag in hex: %q", text)
	}
}

// key is the case's HMAC key.
func key(c gen.SignCase) SignKey {
	return SignKey{Method: "HMAC-SHA1", Secret: c.Secret}
}

// signedRequest is the case's request with a header.
func signedRequest(c gen.SignCase, h SignHeader) gen.SignRequest {
	r := c.Request()
	r.Authorization = h.String()
	return r
}

// A caseKey is a key that a case is signed with, and what the oracle signs with it.
type caseKey struct {
	SignKey

	sum func(base string) []byte
}

// hmacKey is the case's own key.
func hmacKey(c gen.SignCase) caseKey {
	return caseKey{key(c), func(base string) []byte { return oracle.HMACSHA1(stages(c).Key, base) }}
}

// rsaKeyOf is one of the RSA keys for tests: in every fourth case the long one, which takes four times as long to sign.
func rsaKeyOf(c gen.SignCase) caseKey {
	file := testkeys.PKCS1
	if c.Pick>>32%4 == 0 {
		file = testkeys.Long
	}
	return caseKey{rsaKey(file), func(base string) []byte { return rsaSum(file, base) }}
}

// other is a key that is not this one.
func (k caseKey) other(c gen.SignCase) SignKey {
	o := k.SignKey
	switch {
	case k.PEM == testkeys.Long:
		o.PEM = testkeys.PKCS1
	case k.PEM != "":
		o.PEM = testkeys.Long
	case c.Pick>>40%3 == 0:
		o.Secret += "x"
	default:
		o.Secret = "x" + o.Secret
	}
	return o
}

// baseUnder is the oracle's base string of the case under a signature method.
func baseUnder(c gen.SignCase, method string) string { return c.Oracle(method).Stages().Base() }

// rsaKey is the test key in one of its forms: the private key for signing, which serves to verify
// too.
func rsaKey(pem string) SignKey { return SignKey{Method: "RSA-SHA256", PEM: pem} }

// rsaSum is the signature of a base string with a key for tests.
func rsaSum(file, base string) []byte {
	sum, err := oracle.SignRSA(file, base)
	if err != nil {
		panic(err)
	}
	return sum
}

func pairValue(list []gen.Pair, name string) string {
	for _, p := range list {
		if p.Name == name {
			return p.Value
		}
	}
	return ""
}

func signatureText(sum []byte) string { return base64.StdEncoding.EncodeToString(sum) }
