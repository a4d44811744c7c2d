package signature

import (
	"bytes"
	"crypto/rsa"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/asn1"
	"encoding/pem"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/chargecast/chargecast/ledger"
)

// A key file is one PEM block. Package encoding/pem reads it, and package crypto/x509 the key in it. Both say
// little about what they do not read, and encoding/pem skips junk and a second key: so the file is held against
// tables of what users hand over instead, and each row has its remedy.

// A keyKind is what the body of a key file is, or what its label says.
type keyKind struct {
	labels string // of PEM blocks, separated by |
	shapes string // of the body, as [shapeOf] writes them
	oids   string // the algorithms of a PKCS#8 or SPKI body that are of this kind
	name   string
	remedy string // empty for the kinds that are read
}

const (
	plainCopy   = "write an unencrypted copy: openssl rsa -in KEY -traditional -out plain.pem"
	makeRSA     = "make an RSA key: openssl genrsa -out key.pem 4096"
	sshConvert  = "convert it: ssh-keygen -p -m PEM -f KEY rewrites a private key, ssh-keygen -e -m PKCS8 -f KEY prints a public one"
	onlyBlock   = "keep the lines from BEGIN to END of the one key, and nothing else"
	copyAgain   = "copy the whole file again"
	needsRSA    = "; an RSA key in PEM is needed"
	beginLine   = "-----BEGIN "
	endLine     = "-----END "
	dashes      = "-----"
	rsaOID      = "1.2.840.113549.1.1.1"
	labelPublic = "PUBLIC KEY"

	byteOrderMark = "\xef\xbb\xbf" // of UTF-8, which some editors write
)

// The kinds, by their places in the table.
const (
	kindPKCS1 = iota
	kindPKCS8
	kindPKCS1Public
	kindSPKI
	kindEncrypted
	kindCertificate
	kindPKCS12
	kindEC
	kindOther
	kindUnknown = -1
)

// keyKinds is the table of kinds. The first four are read, the others are refused by name.
func keyKinds() []keyKind {
	return []keyKind{
		kindPKCS1:       {labels: "RSA PRIVATE KEY", shapes: "iiiiiiiii iiiiiiiiis", name: "a PKCS#1 private key"},
		kindPKCS8:       {labels: "PRIVATE KEY", shapes: "iso isoc isocc", name: "a PKCS#8 private key"},
		kindPKCS1Public: {labels: "RSA PUBLIC KEY", shapes: "ii", name: "a PKCS#1 public key"},
		kindSPKI:        {labels: labelPublic, shapes: "sb", name: "an SPKI public key"},
		kindEncrypted:   {labels: "ENCRYPTED PRIVATE KEY", shapes: "so", name: "an encrypted private key", remedy: plainCopy},
		kindCertificate: {labels: "CERTIFICATE|X509 CERTIFICATE|TRUSTED CERTIFICATE", shapes: "ssb",
			name:   "a certificate: it holds a public key only",
			remedy: "extract the public key: openssl x509 -in FILE -noout -pubkey -out public.pem"},
		kindPKCS12: {labels: "PKCS12", shapes: "is iss", name: "a PKCS#12 file (.p12, .pfx)",
			remedy: "extract the key: openssl pkcs12 -in FILE -nocerts -noenc | openssl pkey -out key.pem"},
		kindEC: {labels: "EC PRIVATE KEY|EC PARAMETERS", shapes: "io ioc iocc", oids: "1.2.840.10045.2.1",
			name: "an elliptic curve (EC) key", remedy: makeRSA},
		kindOther: {name: "a key of another algorithm", remedy: makeRSA},
		{labels: "CERTIFICATE REQUEST|NEW CERTIFICATE REQUEST", name: "a certificate request: it holds a public key only",
			remedy: "extract the public key: openssl req -in FILE -noout -pubkey -out public.pem"},
		{labels: "OPENSSH PRIVATE KEY", name: "an OpenSSH private key", remedy: "convert it, if it is an RSA key: ssh-keygen -p -m PEM -f KEY"},
		{labels: "DSA PRIVATE KEY|DSA PARAMETERS", shapes: "iiiiii", oids: "1.2.840.10040.4.1", name: "a DSA key", remedy: makeRSA},
		{oids: "1.3.101.110 1.3.101.111 1.3.101.112 1.3.101.113", name: "an Ed25519 or X25519 key", remedy: makeRSA},
		{oids: "1.2.840.113549.1.1.10", name: "a key restricted to RSASSA-PSS", remedy: makeRSA},
	}
}

// foreignTexts are files that are not PEM, by how they begin.
func foreignTexts() []keyKind {
	return []keyKind{
		{labels: "PuTTY-User-Key-File", name: "a PuTTY key", remedy: "export it from PuTTYgen as an OpenSSH key, then: ssh-keygen -p -m PEM -f KEY"},
		{labels: "ssh-rsa ", name: "an OpenSSH public key", remedy: sshConvert},
		{labels: "ssh-", name: "an OpenSSH public key that is not RSA", remedy: makeRSA},
		{labels: "ecdsa-", name: "an OpenSSH public key that is not RSA", remedy: makeRSA},
		{labels: "---- BEGIN SSH2", name: "an SSH2 public key", remedy: sshConvert},
		{labels: "<", name: "an XML text", remedy: "export the key as PEM"},
		{labels: "{", name: "a JSON text", remedy: "export the key as PEM"},
	}
}

func keyFault(code ledger.Code, message, help string) *fault {
	return newFault(code, partKey, message, help)
}

func (k *keyKind) refuse() *fault {
	code := KeyKind
	if k.remedy == plainCopy {
		code = KeyEncrypted
	}
	return keyFault(code, "this is "+k.name+needsRSA, k.remedy)
}

// readKey reads the one key of a file.
func readKey(file []byte, rules KeyRules) (loadedKey, ledger.Findings, *fault) {
	if len(file) > maxKeyBytes {
		return loadedKey{}, nil, keyFault(LimitKey, "the key file has more than "+strconv.Itoa(maxKeyBytes)+" bytes", "use a file with one key")
	}
	var findings ledger.Findings
	rest, marked := bytes.CutPrefix(file, []byte(byteOrderMark))
	if marked {
		findings = append(findings, found(ByteOrderMark, partKey, "", ""))
	}
	text := strings.Trim(string(rest), " \t\r\n")
	if !strings.HasPrefix(text, beginLine) {
		return loadedKey{}, nil, notArmoured(text, rest)
	}
	block, failed := onlyPEM(text)
	if failed != nil {
		return loadedKey{}, nil, failed
	}
	key, failed := blockKey(block, rules)
	return key, findings, failed
}

// notArmoured names what a file is that does not begin with a BEGIN line.
func notArmoured(text string, file []byte) *fault {
	switch {
	case text == "":
		return keyFault(KeyNotPEM, "the key file is empty", "use a file with an RSA key in PEM")
	case bytes.IndexByte(file, 0) >= 0 || len(file) > 1 && file[0] == 0x30 && file[1] >= 0x80:
		return binaryKey(file)
	case strings.HasPrefix(strings.TrimLeft(text, "-"), "BEGIN "):
		return damagedBegin()
	case strings.Contains(text, beginLine):
		return keyFault(KeySurrounding, "there is text before the BEGIN line", onlyBlock)
	}
	for _, known := range foreignTexts() {
		if strings.HasPrefix(text, known.labels) {
			return known.refuse()
		}
	}
	const base64Bytes = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=-_\r\n \t"
	switch {
	case strings.Contains(strings.ToUpper(text), "BEGIN "):
		return damagedBegin()
	case len(text) >= 64 && strings.Trim(text, base64Bytes) == "":
		return keyFault(KeyNotPEM, "this is base64 without its armour", "put the BEGIN and END lines back around it")
	}
	return keyFault(KeyNotPEM, "the key file has no PEM block", "use a file that begins with -----BEGIN")
}

func damagedBegin() *fault {
	return keyFault(KeyNotPEM, "the BEGIN line is damaged", "it has five dashes at either end, and BEGIN in upper case")
}

// binaryKey names a file that is not text.
func binaryKey(file []byte) *fault {
	kind := kindOf(file)
	switch kind {
	case kindUnknown:
		return keyFault(KeyNotPEM, "this is a binary file, or text saved as UTF-16", "save the key as PEM in plain ASCII")
	case kindPKCS12:
		return keyKinds()[kind].refuse()
	case kindCertificate:
		return keyFault(KeyKind, "this is a certificate in binary form: it holds a public key only",
			"extract it: openssl x509 -inform DER -in FILE -noout -pubkey -out public.pem")
	}
	return keyFault(KeyNotPEM, "this is "+keyKinds()[kind].name+" in binary form (DER)",
		"convert it: openssl pkey -inform DER -in FILE -out key.pem (with -pubin for a public key)")
}

// onlyPEM reads a text that is one PEM block and nothing else.
func onlyPEM(text string) (*pem.Block, *fault) {
	switch {
	case strings.Contains(text, `\n`) || strings.Contains(text, `\r`):
		return nil, keyFault(KeyNotPEM, `the line breaks are written as a backslash and a letter`,
			"put line breaks back; variables and JSON texts often hold keys in this form")
	case !strings.Contains(text, "\n") && strings.Contains(text, "\r"):
		return nil, keyFault(KeyNotPEM, "the lines end in CR alone", "save the file with LF or CRLF line ends")
	case !strings.Contains(text, "\n"):
		return nil, keyFault(KeyNotPEM, "the whole key is on one line, or is cut short after its first line", "put the line breaks back")
	}
	first, body, _ := strings.Cut(text, "\n")
	label, closed := strings.CutSuffix(strings.TrimRight(strings.TrimPrefix(first, beginLine), " \t\r"), dashes)
	if !closed || strings.HasSuffix(label, "-") {
		return nil, damagedBegin()
	}
	if failed := refusedLabel(label); failed != nil {
		return nil, failed
	}
	if failed := brokenArmour(body, label); failed != nil {
		return nil, failed
	}
	block, _ := pem.Decode([]byte(text))
	switch inside, _, _ := strings.Cut(body, endLine); {
	case strings.TrimSpace(inside) == "":
		return nil, keyFault(KeyMalformed, "there is nothing between BEGIN and END", copyAgain)
	case block == nil || len(block.Bytes) == 0:
		return nil, keyFault(KeyMalformed, "the lines between BEGIN and END are not base64, or are cut short", copyAgain)
	}
	return block, nil
}

// refusedLabel says what a block with this label is if it is not an RSA key, whatever is in it.
func refusedLabel(label string) *fault {
	kind := kindOfLabel(label)
	switch {
	case kind == kindUnknown:
		return keyFault(KeyKind, "the label of the PEM block is not that of an RSA key", "use a label such as RSA PRIVATE KEY, in upper case")
	case kind > kindSPKI:
		return keyKinds()[kind].refuse()
	}
	return nil
}

func kindOfLabel(label string) int {
	return slices.IndexFunc(keyKinds(), func(k keyKind) bool { return label != "" && slices.Contains(strings.Split(k.labels, "|"), label) })
}

// brokenArmour says what is wrong with the lines behind a BEGIN line.
func brokenArmour(body, label string) *fault {
	ended := false
	for line := range strings.Lines(body) {
		line = strings.TrimRight(line, " \t\r\n")
		switch {
		case ended && strings.HasPrefix(line, beginLine):
			return keyFault(KeySurrounding, "the file holds two PEM blocks, and one is needed", onlyBlock)
		case ended:
		case strings.HasPrefix(line, endLine):
			if line != endLine+label+dashes {
				return keyFault(KeyNotPEM, "the END line is damaged or names another kind of key than the BEGIN line", copyAgain)
			}
			ended = true
		case strings.HasPrefix(line, " ") || strings.HasPrefix(line, "\t"):
			return keyFault(KeyNotPEM, "the lines of the key are indented", "remove the spaces in front of them")
		case strings.HasPrefix(line, beginLine):
			return keyFault(KeyNotPEM, "the key has a second BEGIN line before its END line", onlyBlock)
		}
	}
	switch {
	case !ended:
		return keyFault(KeyNotPEM, "the key has no END line: the file is cut short", copyAgain)
	case !strings.HasSuffix(body, endLine+label+dashes):
		return keyFault(KeySurrounding, "there is text after the END line", onlyBlock)
	}
	return nil
}

// blockKey reads the body of a block as what its label says, which is one of the four kinds that are read.
func blockKey(b *pem.Block, rules KeyRules) (loadedKey, *fault) {
	kind, body := kindOfLabel(b.Type), kindOf(b.Bytes)
	encrypted := b.Headers["DEK-Info"] != "" || strings.Contains(b.Headers["Proc-Type"], "ENCRYPTED")
	kinds := keyKinds()
	switch {
	case encrypted && body != kindUnknown:
		return loadedKey{}, keyFault(KeyEncrypted, "the PEM header says ENCRYPTED, but the body is not encrypted",
			"remove the header lines if the key is meant to be unencrypted; otherwise make a new key, since this one was readable")
	case encrypted:
		return loadedKey{}, keyFault(KeyEncrypted, "the private key is encrypted", plainCopy)
	case len(b.Headers) > 0:
		return loadedKey{}, keyFault(KeyMalformed, "the PEM block has header lines", "remove the lines with a colon, and the empty line after them")
	case body == kindUnknown:
		return loadedKey{}, keyFault(KeyMalformed, "the body is not "+kinds[kind].name+": it is damaged or cut short", copyAgain)
	case body > kindSPKI:
		return loadedKey{}, kinds[body].refuse()
	case body != kind:
		return loadedKey{}, keyFault(KeyMalformed, "the label is that of "+kinds[kind].name+", but the body is "+kinds[body].name,
			"the label that fits is "+kinds[body].labels)
	}
	return rsaKey(kind, b.Bytes, rules)
}

// shapeOf writes the elements of one DER sequence with nothing after it as letters: integers, octet and bit strings,
// sequences, and what has a tag of its context. Whatever else it is, it has no shape.
func shapeOf(der []byte) string {
	const most = 10
	var sequence, element asn1.RawValue
	rest, err := asn1.Unmarshal(der, &sequence)
	if err != nil || len(rest) > 0 || sequence.Class != asn1.ClassUniversal || sequence.Tag != asn1.TagSequence {
		return ""
	}
	var shape []byte
	for content := sequence.Bytes; len(content) > 0; shape = append(shape, letterOf(element)) {
		if content, err = asn1.Unmarshal(content, &element); err != nil || len(shape) == most {
			return ""
		}
	}
	return string(shape)
}

func letterOf(element asn1.RawValue) byte {
	switch {
	case element.Class == asn1.ClassContextSpecific:
		return 'c'
	case element.Class != asn1.ClassUniversal:
		return '?'
	}
	switch element.Tag {
	case asn1.TagInteger:
		return 'i'
	case asn1.TagOctetString:
		return 'o'
	case asn1.TagBitString:
		return 'b'
	case asn1.TagSequence:
		return 's'
	}
	return '?'
}

// The outer forms of keys whose algorithm is named.
type (
	pkcs8Form struct {
		Version   int
		Algorithm pkix.AlgorithmIdentifier
		Key       []byte
	}
	spkiForm struct {
		Algorithm pkix.AlgorithmIdentifier
		Key       asn1.BitString
	}
)

// kindOf returns the kind of DER by its shape and its algorithm.
func kindOf(der []byte) int {
	shape := shapeOf(der)
	kind := slices.IndexFunc(keyKinds(), func(k keyKind) bool { return shape != "" && slices.Contains(strings.Fields(k.shapes), shape) })
	var oid asn1.ObjectIdentifier
	switch kind {
	case kindPKCS8:
		var outer pkcs8Form
		if _, err := asn1.Unmarshal(der, &outer); err != nil {
			return kindUnknown
		}
		oid = outer.Algorithm.Algorithm
	case kindSPKI:
		var outer spkiForm
		if _, err := asn1.Unmarshal(der, &outer); err != nil {
			return kindUnknown
		}
		oid = outer.Algorithm.Algorithm
	default:
		return kind
	}
	if name := oid.String(); name != rsaOID {
		kind = slices.IndexFunc(keyKinds(), func(k keyKind) bool { return slices.Contains(strings.Fields(k.oids), name) })
		if kind == kindUnknown {
			return kindOther
		}
	}
	return kind
}

// rsaKey reads DER of a kind that is read. Its numbers are checked before package crypto/x509 computes with them (L65).
func rsaKey(kind int, der []byte, rules KeyRules) (loadedKey, *fault) {
	malformed := keyFault(KeyMalformed, "the numbers of the key do not fit together", "copy the whole file again, or make a new key")
	switch kind { // the outer form is read already: kindOf did
	case kindPKCS8:
		var outer pkcs8Form
		_, _ = asn1.Unmarshal(der, &outer)
		der = outer.Key
	case kindSPKI:
		var outer spkiForm
		_, _ = asn1.Unmarshal(der, &outer)
		if outer.Key.BitLength%8 != 0 {
			return loadedKey{}, malformed
		}
		der = outer.Key.Bytes
	}
	if kind == kindPKCS1Public || kind == kindSPKI {
		var public struct{ N, E *big.Int }
		if _, err := asn1.Unmarshal(der, &public); err != nil || kindOf(der) != kindPKCS1Public {
			return loadedKey{}, malformed
		}
		if failed := checkNumbers(public.N, public.E, rules); failed != nil {
			return loadedKey{}, failed
		}
		return loadedKey{public: &PublicKey{&rsa.PublicKey{N: public.N, E: int(public.E.Int64())}}}, nil
	}
	var private struct {
		Version               int
		N, E                  *big.Int
		D, P, Q, DP, DQ, QInv *big.Int
		More                  []struct{ Prime, Exponent, Coefficient *big.Int } `asn1:"optional"`
	}
	if _, err := asn1.Unmarshal(der, &private); err != nil || kindOf(der) != kindPKCS1 {
		return loadedKey{}, malformed
	}
	if failed := checkNumbers(private.N, private.E, rules); failed != nil {
		return loadedKey{}, failed
	}
	parts := []*big.Int{private.D, private.P, private.Q, private.DP, private.DQ, private.QInv}
	for _, prime := range private.More {
		parts = append(parts, prime.Prime, prime.Exponent, prime.Coefficient)
	}
	for _, part := range parts {
		if part.BitLen() > private.N.BitLen() {
			return loadedKey{}, keyFault(KeyMalformed, "a number of the private key is longer than the modulus", "copy the whole file again, or make a new key")
		}
	}
	key, err := x509.ParsePKCS1PrivateKey(der)
	if err != nil || key.Validate() != nil || (private.Version == 0) != (len(key.Primes) == 2) {
		return loadedKey{}, malformed
	}
	return loadedKey{private: &PrivateKey{hide(rsaPrivate{key})}}, nil
}

// checkNumbers checks modulus and exponent before anything is computed with them (L65).
func checkNumbers(n, e *big.Int, rules KeyRules) *fault {
	bits := n.BitLen()
	switch {
	case n.Sign() <= 0 || e.Sign() <= 0:
		return keyFault(KeyMalformed, "a number of the key is zero or negative", "make a new key")
	case bits > maxKeyBits:
		return keyFault(KeyTooLarge, "the key has "+strconv.Itoa(bits)+" bits; the most is "+strconv.Itoa(maxKeyBits),
			"use a key of 4096 bits")
	case bits < rules.minBits():
		return keyFault(KeyWeak, "the key has "+strconv.Itoa(bits)+" bits; the fewest is "+strconv.Itoa(rules.minBits()), "make one: openssl genrsa -out key.pem 4096")
	case n.Bit(0) == 0:
		return keyFault(KeyMalformed, "the modulus is even", "make a new key")
	case e.BitLen() > 31 || e.Bit(0) == 0 || e.Int64() < 3:
		return keyFault(KeyMalformed, "the public exponent is even, tiny or huge", "make a new key; 65537 is usual")
	}
	return nil
}
