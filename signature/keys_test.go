package signature_test

import (
	"bytes"
	"encoding/asn1"
	"encoding/base64"
	"encoding/pem"
	"errors"
	"fmt"
	"math/big"
	"regexp"
	"strings"
	"testing"

	"github.com/chargecast/chargecast/fuzz/vectortest"
	"github.com/chargecast/chargecast/internal/signtest"
	"github.com/chargecast/chargecast/internal/testkeys"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/signature"
)

// keyRow is one key file and the answers to it: a code for an error, empty where it is read.
type keyRow struct {
	name, reason  string
	file          []byte
	sign, verify  ledger.Code
	says          string        // must be in the message for signing
	warns         []ledger.Code // when read for verifying
	warnsToSigner []ledger.Code
}

func keyRows(t *testing.T) []keyRow {
	t.Helper()
	load := func(name string) []byte { return signtest.KeyFile(t, name) }
	p1, p8, spki := load("pkcs1.pem"), load("pkcs8.pem"), load("spki.pem")
	notNeeded := []ledger.Code{signature.KeyPrivateNotNeeded}
	bad := func(name, reason string, file []byte, code ledger.Code, says string) keyRow {
		return keyRow{name: name, reason: reason, file: file, sign: code, verify: code, says: says}
	}
	replace := func(file []byte, old, with string) []byte {
		return bytes.ReplaceAll(file, []byte(old), []byte(with))
	}
	const nl = "\n"
	return []keyRow{
		{name: "PKCS#1", reason: "5.4, h177", file: p1, warns: notNeeded},
		{name: "PKCS#8", reason: "5.4, h177", file: p8, warns: notNeeded},
		{name: "CRLF and blank lines", reason: "h169", file: append(replace(p1, nl, "\r\n"), "\r\n\r\n"...), warns: notNeeded},
		{name: "spaces around", reason: "signing 6", file: append([]byte("  \n\n"), append(p1, "  \n"...)...), warns: notNeeded},
		{name: "byte-order mark", reason: "signing 6", file: append([]byte("\ufeff"), p8...),
			warns: []ledger.Code{signature.ByteOrderMark, signature.KeyPrivateNotNeeded}, warnsToSigner: []ledger.Code{signature.ByteOrderMark}},
		{name: "SPKI", reason: "h176", file: spki, sign: signature.KeyKind, says: "a public key cannot sign"},
		{name: "PKCS#1 public", reason: "h176", file: load("pkcs1-public.pem"), sign: signature.KeyKind, says: "a public key cannot sign"},
		{name: "4096 bits", reason: "h182", file: load("rsa4096.pem"), warns: notNeeded},
		{name: "5120 bits", reason: "h182, L65", file: load("rsa5120.pem"),
			warns: []ledger.Code{signature.KeyLarge, signature.KeyPrivateNotNeeded}, warnsToSigner: []ledger.Code{signature.KeyLarge}},
		{name: "three primes", reason: "h180, the opposite of it", file: load("multiprime.pem"), warns: notNeeded},
		bad("encrypted PKCS#8", "h173", load("encrypted-pkcs8.pem"), signature.KeyEncrypted, "openssl"),
		bad("encrypted PKCS#1", "h172", load("encrypted-pkcs1.pem"), signature.KeyEncrypted, "openssl"),
		bad("encrypted in name only", "h172", replace(p1, "KEY-----\nMII", "KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,00\n\nMII"), signature.KeyEncrypted, "not encrypted"),
		bad("other header lines", "signing 6", replace(p1, "KEY-----\nMII", "KEY-----\nComment: x\n\nMII"), signature.KeyMalformed, "header lines"),
		bad("PKCS#12", "h173", load("key.p12"), signature.KeyKind, "openssl pkcs12"),
		bad("certificate", "h176", load("certificate.pem"), signature.KeyKind, "openssl x509"),
		bad("certificate in DER", "h176", load("certificate.der"), signature.KeyKind, "-inform DER"),
		bad("certificate request", "signing 6", load("request.pem"), signature.KeyKind, "openssl req"),
		bad("PKCS#1 in DER", "signing 6", load("pkcs1.der"), signature.KeyNotPEM, "-inform DER"),
		bad("OpenSSH", "h176", load("openssh.pem"), signature.KeyKind, "OpenSSH"),
		bad("OpenSSH public", "h176", load("openssh.pub"), signature.KeyKind, "OpenSSH"),
		bad("PuTTY", "h176", []byte("PuTTY-User-Key-File-3: ssh-rsa\nEncryption: none\n"), signature.KeyKind, "PuTTY"),
		bad("XML", "signing 6", []byte("<RSAKeyValue><Modulus>AQAB</Modulus></RSAKeyValue>"), signature.KeyKind, "XML"),
		bad("JSON", "signing 6", []byte(`{"kty":"RSA"}`), signature.KeyKind, "JSON"),
		bad("EC, SEC 1", "h176", load("ec-sec1.pem"), signature.KeyKind, "(EC)"),
		bad("EC, PKCS#8", "h176", load("ec-pkcs8.pem"), signature.KeyKind, "(EC)"),
		bad("EC, public", "h176", load("ec-public.pem"), signature.KeyKind, "(EC)"),
		bad("EC, parameters first", "h176", load("ec-parameters.pem"), signature.KeyKind, "elliptic curve"),
		bad("Ed25519", "h176", load("ed25519.pem"), signature.KeyKind, "Ed25519"),
		bad("DSA", "h176", load("dsa.pem"), signature.KeyKind, "DSA"),
		bad("RSASSA-PSS", "signing 6", load("rsa-pss.pem"), signature.KeyKind, "PSS"),
		bad("PKCS#8 under the PKCS#1 label", "h175", replace(p8, "PRIVATE KEY", "RSA PRIVATE KEY"), signature.KeyMalformed, "the label that fits is PRIVATE KEY"),
		bad("PKCS#1 under the PKCS#8 label", "h175", replace(p1, "RSA PRIVATE KEY", "PRIVATE KEY"), signature.KeyMalformed, "the label that fits is RSA PRIVATE KEY"),
		bad("public body under a private label", "h175", replace(spki, "PUBLIC KEY", "PRIVATE KEY"), signature.KeyMalformed, "the label that fits is PUBLIC KEY"),
		bad("private body under a public label", "h175", replace(p8, "PRIVATE KEY", "PUBLIC KEY"), signature.KeyMalformed, "the label that fits is PRIVATE KEY"),
		bad("encrypted body under a plain label", "h173", replace(load("encrypted-pkcs8.pem"), "ENCRYPTED PRIVATE KEY", "PRIVATE KEY"), signature.KeyEncrypted, "encrypted"),
		bad("label in lower case", "h174", replace(p1, "RSA PRIVATE KEY", "rsa private key"), signature.KeyKind, "upper case"),
		bad("unknown label", "signing 6", replace(p1, "RSA PRIVATE KEY", "SECRET"), signature.KeyKind, "label"),
		bad("text before", "h167", append([]byte("Bag Attributes\n"), p1...), signature.KeySurrounding, "before"),
		bad("text after", "h168", append(bytes.Clone(p1), "hello\n"...), signature.KeySurrounding, "after"),
		bad("two keys", "h168", append(bytes.Clone(p1), spki...), signature.KeySurrounding, "two PEM blocks"),
		bad("a second BEGIN inside", "h168", append([]byte("-----BEGIN RSA PRIVATE KEY-----\n"), p1...), signature.KeyNotPEM, "second BEGIN"),
		bad("CR only", "h170", replace(p1, nl, "\r"), signature.KeyNotPEM, "CR alone"),
		bad("indented", "h170", replace(p1, nl, "\n  "), signature.KeyNotPEM, "indented"),
		bad("one line", "h170", replace(p1, nl, " "), signature.KeyNotPEM, "one line"),
		bad(`literal \n`, "h170, signing 6", replace(p1, nl, `\n`), signature.KeyNotPEM, "backslash"),
		bad("no END", "h171", p1[:len(p1)-40], signature.KeyNotPEM, "END line"),
		bad("END of another kind", "h171", replace(p1, "END RSA", "END"), signature.KeyNotPEM, "END line"),
		bad("six dashes at the end", "h171", replace(p1, "KEY-----\nMII", "KEY------\nMII"), signature.KeyNotPEM, "BEGIN line"),
		bad("six dashes in front", "h171", append([]byte("-"), p1...), signature.KeyNotPEM, "BEGIN line"),
		bad("four dashes", "h171", p1[1:], signature.KeyNotPEM, "BEGIN line"),
		bad("no armour", "signing 6", body(p1), signature.KeyNotPEM, "armour"),
		bad("base64 of a PEM file", "signing 6", []byte(base64.StdEncoding.EncodeToString(p1)), signature.KeyNotPEM, "base64 once more"),
		bad("base64 of a PEM file in lines", "signing 6", []byte(strings.Join(regexp.MustCompile(".{1,76}").FindAllString(base64.StdEncoding.EncodeToString(p8), -1), "\n")), signature.KeyNotPEM, "base64 once more"),
		bad("UTF-16", "signing 6", utf16(p1), signature.KeyNotPEM, "UTF-16"),
		bad("empty", "signing 6, h178", nil, signature.KeyNotPEM, "empty"),
		bad("blank", "signing 6", []byte(" \n \r\n"), signature.KeyNotPEM, "empty"),
		bad("prose", "signing 6", []byte("this is not a key, sorry: it is a letter"), signature.KeyNotPEM, "no PEM block"),
		bad("nothing inside", "h178", []byte("-----BEGIN RSA PRIVATE KEY-----\n-----END RSA PRIVATE KEY-----\n"), signature.KeyMalformed, "nothing between"),
		bad("cut body", "h178", rewrap(p1, func(der []byte) []byte { return der[:len(der)/2] }), signature.KeyMalformed, "cut short"),
		bad("a byte behind", "h178", rewrap(p1, func(der []byte) []byte { return append(der, 0) }), signature.KeyMalformed, "damaged"),
		bad("bad Base64", "h178", replace(p1, "MII", "M!I"), signature.KeyMalformed, "base64"),
		bad("40,000 BEGIN lines", "h184", []byte(strings.Repeat("-----BEGIN RSA PRIVATE KEY-----\n", 40_000)), signature.LimitKey, "65536 bytes"),
		bad("2,000 BEGIN lines", "h184", []byte(strings.Repeat("-----BEGIN RSA PRIVATE KEY-----\n", 2_000)), signature.KeyNotPEM, "BEGIN"),
		bad("one character", "found by fuzzing: nothing follows the first byte", []byte("0"), signature.KeyNotPEM, "no PEM block"),
		bad("zeros", "h184", make([]byte, 4096), signature.KeyNotPEM, "binary"),
		bad("1024 bits", "h181", load("rsa1024.pem"), signature.KeyWeak, "1024 bits; the fewest is 2048"),
		bad("512 bits", "h181", load("rsa512.pem"), signature.KeyWeak, "512 bits"),
		bad("version 1 with two primes", "h180", edited(p1, func(n []*big.Int) { n[0].SetInt64(1) }), signature.KeyMalformed, "fit together"),
		bad("exponent 1", "h179", edited(p1, func(n []*big.Int) { n[2].SetInt64(1) }), signature.KeyMalformed, "exponent"),
		bad("exponent 2", "h179", edited(p1, func(n []*big.Int) { n[2].SetInt64(2) }), signature.KeyMalformed, "exponent"),
		bad("even modulus", "h179", edited(p1, func(n []*big.Int) { n[1].Sub(n[1], big.NewInt(1)) }), signature.KeyMalformed, "even"),
		bad("zero modulus", "h179", edited(p1, func(n []*big.Int) { n[1].SetInt64(0) }), signature.KeyMalformed, "zero"),
		bad("negative modulus", "h179", edited(p1, func(n []*big.Int) { n[1].Neg(n[1]) }), signature.KeyMalformed, "negative"),
		bad("wrong private exponent", "h179", edited(p1, func(n []*big.Int) { n[3].Add(n[3], big.NewInt(2)) }), signature.KeyMalformed, "fit together"),
		bad("wrong CRT value", "h179", edited(p1, func(n []*big.Int) { n[6].Add(n[6], big.NewInt(2)) }), signature.KeyMalformed, "fit together"),
		bad("wrong prime", "h179", edited(p1, func(n []*big.Int) { n[4].Add(n[4], big.NewInt(2)) }), signature.KeyMalformed, "fit together"),
		bad("long D", "L65: numbers are checked before x509 computes", lengthened(p1, 3), signature.KeyMalformed, "longer than the modulus"),
		bad("long P", "L65", lengthened(p1, 4), signature.KeyMalformed, "longer than the modulus"),
		bad("long Q", "L65", lengthened(p1, 5), signature.KeyMalformed, "longer than the modulus"),
		bad("long dP", "L65", lengthened(p1, 6), signature.KeyMalformed, "longer than the modulus"),
		bad("long dQ", "L65", lengthened(p1, 7), signature.KeyMalformed, "longer than the modulus"),
		bad("long qInv", "L65", lengthened(p1, 8), signature.KeyMalformed, "longer than the modulus"),
		bad("public, 16384 bits", "h182", publicOf(16384, 65537), signature.KeyTooLarge, "16384 bits; the most is 8192"),
		bad("public, 262144 bits, large exponent", "h183", publicOf(262144, 1<<31-1), signature.KeyTooLarge, "262144 bits"),
	}
}

// body is what is between BEGIN and END.
func body(file []byte) []byte {
	lines := bytes.Split(bytes.TrimSpace(file), []byte("\n"))
	return bytes.Join(lines[1:len(lines)-1], []byte("\n"))
}

func utf16(file []byte) []byte {
	out := []byte{0xff, 0xfe}
	for _, c := range file {
		out = append(out, c, 0)
	}
	return out
}

// rewrap changes the DER of a PEM file.
func rewrap(file []byte, change func([]byte) []byte) []byte {
	block, _ := pem.Decode(file)
	block.Bytes = change(block.Bytes)
	return pem.EncodeToMemory(block)
}

// edited changes the nine numbers of a PKCS#1 private key.
func edited(file []byte, change func([]*big.Int)) []byte {
	return rewrap(file, func(der []byte) []byte {
		var numbers []*big.Int
		if _, err := asn1.Unmarshal(der, &numbers); err != nil {
			panic(err)
		}
		change(numbers)
		out, err := asn1.Marshal(numbers)
		if err != nil {
			panic(err)
		}
		return out
	})
}

// lengthened makes one of the nine numbers of a private key 335,000 bits long: the product of two primes of that length took
// over a second, in a file that a merchant may paste.
func lengthened(file []byte, which int) []byte {
	return edited(file, func(n []*big.Int) {
		n[which].Sub(new(big.Int).Lsh(big.NewInt(1), 335_000), big.NewInt(1))
	})
}

// publicOf makes a public key of any odd modulus.
func publicOf(bits, exponent int) []byte {
	n := new(big.Int).Lsh(big.NewInt(1), uint(bits-1))
	n.Add(n, big.NewInt(1))
	der, err := asn1.Marshal(struct {
		N *big.Int
		E int
	}{n, exponent})
	if err != nil {
		panic(err)
	}
	return pem.EncodeToMemory(&pem.Block{Type: "RSA PUBLIC KEY", Bytes: der})
}

// TestKeys: every wrong thing a user may hand over is recognised and reported with its remedy, and no message holds key
// material. Method: one file a row, loaded for signing and for verifying.
func TestKeys(t *testing.T) {
	seen := map[string]bool{}
	for _, row := range keyRows(t) {
		signtest.UniqueReason(t, seen, row.name, row.reason)
		t.Run(row.name, func(t *testing.T) {
			private, err := signature.ParsePrivateKey(row.file)
			row.judge(t, "sign", row.sign, err, private.Findings(), row.warnsToSigner)
			public, err := signature.ParsePublicKey(row.file)
			row.judge(t, "verify", row.verify, err, public.Findings(), row.warns)
		})
	}
}

func (row keyRow) judge(t *testing.T, use string, want ledger.Code, err error, found ledger.Findings, warns []ledger.Code) {
	t.Helper()
	if want == "" {
		if err != nil {
			t.Fatalf("%s: %v", use, err)
		}
		var got []ledger.Code
		for _, f := range found {
			got = append(got, f.Code)
		}
		vectortest.Same(t, use+": warnings", fmt.Sprint(got), fmt.Sprint(warns))
		return
	}
	e, ok := errors.AsType[ledger.Finding](err)
	if !ok || !errors.Is(err, want) || e.Help == "" {
		t.Fatalf("%s: got %v, want %s with a remedy", use, err, want)
	}
	if !strings.Contains(err.Error(), row.says) {
		t.Errorf("%s: %q does not say %q", use, err, row.says)
	}
	if leaks(err.Error(), row.file) {
		t.Errorf("%s: the message holds part of the file: %v", use, err)
	}
}

// leaks reports whether a text holds any eight characters of a line of a key file's body.
func leaks(text string, file []byte) bool {
	for line := range strings.Lines(string(file)) {
		if strings.Contains(line, "-----") || strings.ContainsAny(line, " {<") {
			continue
		}
		for i := 0; i+8 <= len(line); i++ {
			if strings.Contains(text, line[i:i+8]) && strings.Trim(line[i:i+8], "\x00") != "" {
				return true
			}
		}
	}
	return false
}

// TestKeyOfAHugeVersion: a key whose first number is no int has the shape of one, and is refused before its numbers are used.
func TestKeyOfAHugeVersion(t *testing.T) {
	one := big.NewInt(1)
	der, err := asn1.Marshal(struct{ Version, N, E, D, P, Q, DP, DQ, QInv *big.Int }{new(big.Int).Lsh(one, 100), one, one, one, one, one, one, one, one})
	if err != nil {
		t.Fatal(err)
	}
	file := pem.EncodeToMemory(&pem.Block{Type: "RSA PRIVATE KEY", Bytes: der})
	if _, err := signature.ParsePrivateKey(file); !errors.Is(err, signature.KeyMalformed) {
		t.Error(err)
	}
}

// TestKeyForms: PKCS#1 and PKCS#8 of one key sign alike, and both halves have one fingerprint (S09, R136).
func TestKeyForms(t *testing.T) {
	one, eight, other := signtest.PrivateKey(t, "pkcs1.pem"), signtest.PrivateKey(t, "pkcs8.pem"), signtest.PrivateKey(t, "other.pem")
	a, errA := signature.SignBase(one, "POST&x&y")
	b, errB := signature.SignBase(eight, "POST&x&y")
	if a != b || a == "" || errA != nil || errB != nil {
		t.Errorf("PKCS#1 and PKCS#8 sign differently: %v, %v", errA, errB)
	}
	spki, err := signature.ParsePublicKey(signtest.KeyFile(t, "spki.pem"))
	if err != nil {
		t.Fatal(err)
	}
	if spki.Fingerprint() != one.Public().Fingerprint() || spki.Fingerprint() == other.Public().Fingerprint() || eight.Public().Fingerprint() != spki.Fingerprint() {
		t.Error("the halves of a pair, or two pairs, are not distinguished")
	}
}

// TestLabelIsJudgedBeforeTheBody: an OpenSSH key with a damaged or an empty body was called malformed, as if a whole copy
// of it would do (h176).
func TestLabelIsJudgedBeforeTheBody(t *testing.T) {
	bodies := map[string]string{
		"nothing": "", "an empty line": "\n", "not base64": "!\n", "cut short": "b3BlbnNzaC1\n", "raw text": "openssh-key-v1\n",
		"encrypted": "Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,00\n\nAAAA\n", "header lines": "Comment: x\n\nAAAA\n",
	}
	for label, want := range map[string]struct {
		code ledger.Code
		says string
	}{
		"OPENSSH PRIVATE KEY":     {signature.KeyKind, "an OpenSSH private key"},
		"EC PRIVATE KEY":          {signature.KeyKind, "(EC)"},
		"EC PARAMETERS":           {signature.KeyKind, "(EC)"},
		"DSA PRIVATE KEY":         {signature.KeyKind, "a DSA key"},
		"CERTIFICATE":             {signature.KeyKind, "a certificate"},
		"NEW CERTIFICATE REQUEST": {signature.KeyKind, "a certificate request"},
		"PKCS12":                  {signature.KeyKind, "PKCS#12"},
		"SSH2 PUBLIC KEY":         {signature.KeyKind, "the label"},
		"rsa private key":         {signature.KeyKind, "the label"},
		"ENCRYPTED PRIVATE KEY":   {signature.KeyEncrypted, "encrypted"},
	} {
		for what, body := range bodies {
			file := []byte("-----BEGIN " + label + "-----\n" + body + "-----END " + label + "-----\n")
			_, errSign := signature.ParsePrivateKey(file)
			_, errVerify := signature.ParsePublicKey(file)
			for _, err := range []error{errSign, errVerify} {
				if !errors.Is(err, want.code) || !strings.Contains(err.Error(), want.says) {
					t.Errorf("%s, %s: %v", label, what, err)
				}
			}
		}
	}
	for _, body := range bodies {
		file := []byte("PuTTY-User-Key-File-3: ssh-ed25519\n" + body)
		if _, err := signature.ParsePrivateKey(file); !errors.Is(err, signature.KeyKind) || !strings.Contains(err.Error(), "PuTTY") {
			t.Errorf("PuTTY, %q: %v", body, err)
		}
	}
}

// TestKeyFileAsSecret: a key file that is given as the control key signs, and nobody accepts it, so
// its warning says that it is a key file.
func TestKeyFileAsSecret(t *testing.T) {
	for secret, says := range map[string]string{testkeys.PKCS1: "key file", testkeys.Public: "key file", "a b": "percent-encoded"} {
		k, err := signature.NewHMACKey(secret)
		if err != nil {
			t.Fatal(err)
		}
		f := k.Findings()
		if len(f) != 1 || f[0].Code != signature.SecretEncoded || f[0].Severity != ledger.SeverityWarning || !strings.Contains(f[0].Message, says) {
			t.Errorf("%s: %v", says, f)
		}
	}
}
