package laws

import (
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/hex"
	"encoding/pem"
	"maps"
	"math/big"
	"slices"
	"strings"

	"github.com/chargecast/chargecast/fuzz/gen"
	"github.com/chargecast/chargecast/internal/testkeys"
)

// signatureRestLaws are the laws of forged signatures, of proven causes and of what a
// signature's outputs show.
func signatureRestLaws() []Law {
	return []Law{
		once("S05", "L65", "forged paddings and tags of another length are refused, and said to have it", forgeriesRefused),
		law("S07", "L66", "the signature in a header is the base64 of the tag, never its hex", gen.SignCases, neverHex),
		law("D03", "5.2 5.3", "every cause reported reproduces the signature when it is made by hand; undoing it leads to the right one", gen.SignCases, causesProven).slow(),
		law("K06", "5.4", "secret, key and card number are absent from errors, verdicts, traces, diagnoses and headers, in every form", gen.SignCases, secretsUnseen).slow(),
		law("K07", "5.4", "no secret, key or card number leaves through fmt, JSON or a log, from unexported fields too", gen.SignCases, secretsUnprinted).slow(),
	}
}

// forgeriesRefused asks under each profile and method. An implementation that has only some of them is judged by those.
func forgeriesRefused(t *T) {
	none := true
	for _, profile := range [...]string{"gateway", "rfc5849"} {
		c := gen.SignCase{Profile: profile, Method: "POST", Scheme: "https", Host: "h", Path: "/p", Consumer: "m", Nonce: "n", Timestamp: "1767225600", Secret: "s",
			Body: []gen.Pair{{Name: "payload", Value: "QUJD"}}}
		for _, ask := range [...]func(*T, gen.SignCase){forgedTags, forgedPaddings} {
			if isSupported(func() { ask(t, c) }) {
				none = false
			}
		}
	}
	if none {
		panic(ErrNotSupported)
	}
}

func forgedTags(t *T, c gen.SignCase) {
	tag := slowly(c).sum()
	longer := append(slices.Clip(tag), tag...)
	for size := 1; size < len(longer); size++ {
		if size == len(tag) {
			continue
		}
		text := base64.StdEncoding.EncodeToString(longer[:size])
		if v := verified(c, t.Impl, slowHeaderText(headerWith(c, text))); v.Signature != "mismatch" || v.Acceptable || v.Codes != nil && !slices.Contains(v.Codes, "signature-length") {
			t.Errorf("of a tag of %d bytes for %d: %s", size, len(tag), verdictInWords(v))
			return
		}
	}
}

func forgedPaddings(t *T, c gen.SignCase) {
	forged := forgeries(t, rsaBase(c))
	for _, name := range slices.Sorted(maps.Keys(forged)) {
		raw := forged[name]
		params := append(c.OAuth("RSA-SHA256"), gen.Pair{Name: "oauth_signature", Value: base64.StdEncoding.EncodeToString(raw)})
		v := t.Verify(signedRequest(c, SignHeader{Params: params}), rsaKey(testkeys.PKCS1), SignOptions{})
		if want := name == "right"; v.Acceptable != want || (v.Signature == "ok") != want {
			t.Errorf("of an RSA signature (%s): %s", name, verdictInWords(v))
		}
	}
}

// forgeries are encoded messages that a parser of the padding may take, put through the
// private operation of the test key, and the right one.
func forgeries(t *T, base string) map[string][]byte {
	block, _ := pem.Decode([]byte(testkeys.PKCS1))
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
		t.Errorf("signing is %s", answered(text, err))
		return
	}
	h, err := t.ParseHeader(text)
	if err != nil {
		t.Errorf("its header %q is %s", text, answered("", err))
		return
	}
	got := pairValue(h.Params, "oauth_signature")
	raw, strict := base64.StdEncoding.Strict().DecodeString(got)
	if strict != nil || len(raw) != sha1.Size || base64.StdEncoding.EncodeToString(raw) != got {
		t.Errorf("oauth_signature is %q, want the base64 of %d bytes", got, sha1.Size)
	} else if strings.Contains(strings.ToLower(text), hex.EncodeToString(raw)) {
		t.Errorf("the header holds the tag in hex: %q", text)
	}
}

// partial are the mistakes of which the oracle makes some variants only, so that it
// cannot refute a cause that names them.
func partial(id string) bool {
	switch id {
	case "not-decoded", "unsorted", "sort-raw-names", "key-ampersand-missing", "secret-newline", "token-secret-null", "base-newline", "host-other", "path-other", "consumer-key-space", "consumer-key-case", "body-final-newline", "payload-wrapped", "signature-wrapped", "signature-urlsafe":
		return true
	}
	return !slices.ContainsFunc(slowMistakes(), func(m slowMistake) bool { return m.id == id })
}

func causesProven(t *T, c gen.SignCase) {
	all := slowMistakes()
	s := slowly(c)
	m := all[c.Pick%uint64(len(all))]
	m.make(c, &s)
	text := s.signature()
	if _, _, both, ok := twoMistakes(c); ok && c.Pick>>40%4 == 0 {
		text = both
	}
	if c.Pick>>44%8 == 0 {
		foreign := slowly(c)
		foreign.key += "of somebody else"
		text = foreign.signature()
	}
	for _, cause := range diagnosed(c, t.Impl, text).Causes {
		if !slices.ContainsFunc(cause.IDs, partial) && !reproduced(c, cause.IDs, text) {
			t.Errorf("%s is reported, and does not reproduce the signature", inList(cause.IDs))
		}
	}
	// What is left once everything is undone is right, and reported so.
	right := slowly(c).signature()
	if d := diagnosed(c, t.Impl, right); !d.Match || !verified(c, t.Impl, slowHeaderText(headerWith(c, right))).Acceptable {
		t.Errorf("undone, it is not right: %s", diagnosisInWords(d))
	}
}

// reproduced reports whether the mistakes, made by hand in some variant and order, give
// the signature.
func reproduced(c gen.SignCase, ids []string, text string) bool {
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

func pairValue(list []gen.Pair, name string) string {
	for _, p := range list {
		if p.Name == name {
			return p.Value
		}
	}
	return ""
}

// The values that no output may hold.
const secretCanary, tokenCanary, cardCanary = "S3cretControlKey", "T0kenCanaryText", "4111111111111111"

// withCanaries is the case with secrets and a payload to be looked for.
func withCanaries(c gen.SignCase) gen.SignCase {
	c.Secret, c.Token = secretCanary+c.Secret, tokenCanary+c.Token
	c.Body = append(slices.Clip(c.Body), gen.Pair{Name: "payload", Value: cardCanary})
	return c
}

func noneShown(t *T, shown []string, hidden []string) {
	all := strings.Join(shown, "\x00") // which no form has
	if !slices.ContainsFunc(hidden, func(form string) bool { return strings.Contains(all, form) }) {
		return
	}
	for _, text := range shown {
		for _, form := range hidden {
			if strings.Contains(text, form) {
				t.Errorf("%q shows %q", text, form)
			}
		}
	}
}

func secretsUnseen(t *T, c gen.SignCase) {
	c = withCanaries(c)
	text, err := t.Sign(c.Request(), c.Choices(), key(c))
	if err != nil {
		t.Errorf("signing is %s", answered(text, err))
		return
	}
	trace, err := t.Trace(signedRequest(c, slowHeader(c)))
	if err != nil {
		t.Errorf("%v", err)
		return
	}
	all := slowMistakes()
	s := slowly(c)
	all[c.Pick%uint64(len(all))].make(c, &s)
	wrong := signedRequest(c, headerWith(c, s.signature()))
	v := t.Verify(wrong, key(c), SignOptions{NonceMax: 1})
	d := t.Diagnose(wrong, key(c))
	told := slices.Concat(v.Codes, d.Known, d.Findings)
	for _, cause := range d.Causes {
		told = append(told, cause.Text, cause.Fix)
	}
	noneShown(t, told, slices.Concat(gen.FormsOf(secretCanary), gen.FormsOf(tokenCanary), gen.FormsOf(cardCanary)))
	noneShown(t, []string{text, trace.BaseString, trace.Parameters}, slices.Concat(gen.FormsOf(secretCanary), gen.FormsOf(tokenCanary)))
	at := int(c.Pick % uint64(len(testkeys.PKCS1)))
	var refused []string
	for _, file := range []string{testkeys.PKCS1[:at], testkeys.PKCS1[:at] + "*" + testkeys.PKCS1[at:], testkeys.PKCS1 + testkeys.PKCS8, "x" + testkeys.PKCS1,
		strings.ReplaceAll(testkeys.PKCS1, "\n", `\n`), strings.ReplaceAll(testkeys.PKCS1, "RSA ", "")} {
		if _, err := t.Sign(c.Request(), c.Choices(), rsaKey(file)); err != nil {
			refused = append(refused, err.Error())
		}
		refused = append(refused, t.Verify(wrong, rsaKey(file), SignOptions{}).Codes...)
	}
	noneShown(t, refused, keyParts())
}

func secretsUnprinted(t *T, c gen.SignCase) {
	c = withCanaries(c)
	hidden := slices.Concat(gen.FormsOf(secretCanary), gen.FormsOf(tokenCanary), gen.FormsOf(cardCanary), keyParts())
	key := key(c)
	if c.Pick%2 == 0 {
		key = rsaKey(testkeys.PKCS1)
	}
	noneShown(t, t.ShowSigned(c.Request(), c.Choices(), key), hidden)
}

// keyParts are pieces of the test key: of its file, and of its private exponent in hex.
func keyParts() []string {
	var parts []string
	for line := range strings.Lines(testkeys.PKCS1) {
		if line = strings.TrimSpace(line); !strings.HasPrefix(line, "-----") && len(line) >= 24 {
			parts = append(parts, line[:24])
		}
	}
	block, _ := pem.Decode([]byte(testkeys.PKCS1))
	if key, err := x509.ParsePKCS1PrivateKey(block.Bytes); err == nil {
		parts = append(parts, hex.EncodeToString(key.D.Bytes()[:12]), key.D.String()[:24], key.Primes[0].String()[:24])
	}
	return parts
}
