package signature

import (
	"bytes"
	"crypto/rsa"
	"crypto/x509/pkix"
	"encoding/asn1"
	"encoding/base64"
	"encoding/pem"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/chargecast/chargecast/ledger"
)

// A key file is one PEM block. Package encoding/pem says little about what it does not read, and
// skips junk and a second key. So a file is compared with what users have instead of a key, each
// with its remedy.

const (
	plainCopy  = "write an unencrypted copy: openssl rsa -in KEY -traditional -out plain.pem"
	makeRSA    = "make an RSA key: openssl genrsa -out key.pem 4096"
	sshConvert = "convert it: ssh-keygen -p -m PEM -f KEY rewrites a private key, ssh-keygen -e -m PKCS8 -f KEY prints a public one"
	onlyBlock  = "keep the lines from BEGIN to END of the one key, and nothing else"
	copyAgain  = "copy the whole file again"
	beginLine  = "-----BEGIN "
	endLine    = "-----END "
	dashes     = "-----"

	byteOrderMark = "\xef\xbb\xbf" // of UTF-8, which some editors write
)

// The labels of the PEM blocks that are read.
const (
	labelPKCS1       = "RSA PRIVATE KEY"
	labelPKCS8       = "PRIVATE KEY"
	labelPKCS1Public = "RSA PUBLIC KEY"
	labelSPKI        = "PUBLIC KEY"
)

// labels are those that are read, with what they say is in the block.
var labels = map[string]string{
	labelPKCS1: "a PKCS#1 private key", labelPKCS8: "a PKCS#8 private key",
	labelPKCS1Public: "a PKCS#1 public key", labelSPKI: "an SPKI public key",
}

// A foreignKey is what users have instead of an RSA key in PEM.
type foreignKey struct{ start, name, remedy string }

const (
	nameEncrypted   = "an encrypted private key"
	nameCertificate = "a certificate: it holds a public key only"
	nameEC          = "an elliptic curve (EC) key"
	nameDSA         = "a DSA key"
	namePKCS12      = "a PKCS#12 file (.p12, .pfx)"
	remedyPKCS12    = "extract the key: openssl pkcs12 -in FILE -nocerts -noenc | openssl pkey -out key.pem"
	remedyCert      = "extract the public key: openssl x509 -in FILE -noout -pubkey -out public.pem"
	remedyRequest   = "extract the public key: openssl req -in FILE -noout -pubkey -out public.pem"
)

// foreignLabels are PEM blocks by their labels.
var foreignLabels = []foreignKey{
	{"ENCRYPTED PRIVATE KEY", nameEncrypted, plainCopy},
	{"CERTIFICATE", nameCertificate, remedyCert},
	{"X509 CERTIFICATE", nameCertificate, remedyCert},
	{"TRUSTED CERTIFICATE", nameCertificate, remedyCert},
	{"CERTIFICATE REQUEST", "a certificate request: it holds a public key only", remedyRequest},
	{"NEW CERTIFICATE REQUEST", "a certificate request: it holds a public key only", remedyRequest},
	{"EC PRIVATE KEY", nameEC, makeRSA},
	{"EC PARAMETERS", nameEC, makeRSA},
	{"DSA PRIVATE KEY", nameDSA, makeRSA},
	{"DSA PARAMETERS", nameDSA, makeRSA},
	{"PKCS12", namePKCS12, remedyPKCS12},
	{"OPENSSH PRIVATE KEY", "an OpenSSH private key", "convert it, if it is an RSA key: ssh-keygen -p -m PEM -f KEY"},
}

// foreignTexts are files that are not PEM, by how they begin.
var foreignTexts = []foreignKey{
	{"PuTTY-User-Key-File", "a PuTTY key", "export it from PuTTYgen as an OpenSSH key, then: ssh-keygen -p -m PEM -f KEY"},
	{"ssh-rsa ", "an OpenSSH public key", sshConvert},
	{"ssh-", "an OpenSSH public key that is not RSA", makeRSA},
	{"ecdsa-", "an OpenSSH public key that is not RSA", makeRSA},
	{"---- BEGIN SSH2", "an SSH2 public key", sshConvert},
	{"<", "an XML text", "export the key as PEM"},
	{"{", "a JSON text", "export the key as PEM"},
}

func keyProblem(code ledger.Code, message, help string) error {
	return found(code, partKey, message, help)
}

// notRSA says what a file holds instead of an RSA key in PEM.
func notRSA(name, remedy string) error {
	code := KeyKind
	if name == nameEncrypted {
		code = KeyEncrypted
	}
	return keyProblem(code, "this is "+name+"; an RSA key in PEM is needed", remedy)
}

// A keyFile is the key of a file: private is nil for a public one.
type keyFile struct {
	private  *rsa.PrivateKey
	public   *rsa.PublicKey
	findings ledger.Findings
}

// readKey reads the one key of a file.
func readKey(file []byte) (keyFile, error) {
	if len(file) > maxKeyBytes {
		return keyFile{}, keyProblem(LimitKey, "the key file has more than "+strconv.Itoa(maxKeyBytes)+" bytes", "use a file with one key")
	}
	rest, marked := bytes.CutPrefix(file, []byte(byteOrderMark))
	text := strings.Trim(string(rest), " \t\r\n")
	if !strings.HasPrefix(text, beginLine) {
		return keyFile{}, notArmoured(text, rest)
	}
	block, err := onlyPEM(text)
	if err != nil {
		return keyFile{}, err
	}
	key, err := keyOf(block)
	if err != nil {
		return keyFile{}, err
	}
	if marked {
		key.findings = append(key.findings, found(ByteOrderMark, partKey, "", ""))
	}
	if bits := key.public.N.BitLen(); bits > builderBits {
		key.findings = append(key.findings, found(KeyLarge, partKey, "the key has "+strconv.Itoa(bits)+
			" bits; the request builders of the service take at most 4096", "use a key of 4096 bits"))
	}
	return key, nil
}

// notArmoured names what a file is that does not begin with a BEGIN line.
func notArmoured(text string, file []byte) error {
	switch {
	case text == "":
		return keyProblem(KeyNotPEM, "the key file is empty", "use a file with an RSA key in PEM")
	case bytes.IndexByte(file, 0) >= 0 || len(file) > 1 && file[0] == 0x30 && file[1] >= 0x80:
		return binaryKey(file)
	case strings.HasPrefix(strings.TrimLeft(text, "-"), "BEGIN "):
		return damagedBegin()
	case strings.Contains(text, beginLine):
		return keyProblem(KeySurrounding, "there is text before the BEGIN line", onlyBlock)
	}
	for _, known := range foreignTexts {
		if strings.HasPrefix(text, known.start) {
			return notRSA(known.name, known.remedy)
		}
	}
	if strings.Contains(strings.ToUpper(text), "BEGIN ") {
		return damagedBegin()
	}
	const base64Bytes = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=-_\r\n \t"
	if len(text) >= 64 && strings.Trim(text, base64Bytes) == "" {
		if inside, _ := base64.StdEncoding.DecodeString(strings.Join(strings.Fields(text), "")); bytes.Contains(inside, []byte(beginLine)) {
			return keyProblem(KeyNotPEM, "this is a PEM file that was put into base64 once more", "decode it first: base64 -d FILE > key.pem")
		}
		return keyProblem(KeyNotPEM, "this is base64 without its armour", "put the BEGIN and END lines back around it")
	}
	return keyProblem(KeyNotPEM, "the key file has no PEM block", "use a file that begins with -----BEGIN")
}

func damagedBegin() error {
	return keyProblem(KeyNotPEM, "the BEGIN line is damaged", "it has five dashes at either end, and BEGIN in upper case")
}

// binaryKey names a file that is not text.
func binaryKey(file []byte) error {
	var pfx struct {
		Version int
		Content asn1.RawValue
		MAC     asn1.RawValue `asn1:"optional"`
	}
	if exactly(file, new(certificateForm)) {
		return keyProblem(KeyKind, "this is a certificate in binary form: it holds a public key only",
			"extract it: openssl x509 -inform DER -in FILE -noout -pubkey -out public.pem")
	}
	if name := labels[labelOf(file)]; name != "" {
		return keyProblem(KeyNotPEM, "this is "+name+" in binary form (DER)",
			"convert it: openssl pkey -inform DER -in FILE -out key.pem (with -pubin for a public key)")
	}
	if exactly(file, &pfx) && pfx.Version == 3 {
		return notRSA(namePKCS12, remedyPKCS12)
	}
	return keyProblem(KeyNotPEM, "this is a binary file, or text saved as UTF-16", "save the key as PEM in plain ASCII")
}

// onlyPEM reads a text that is one PEM block with a label that is read, and nothing else.
func onlyPEM(text string) (*pem.Block, error) {
	switch {
	case strings.Contains(text, `\n`) || strings.Contains(text, `\r`):
		return nil, keyProblem(KeyNotPEM, `the line breaks are written as a backslash and a letter`,
			"put line breaks back; variables and JSON texts often hold keys in this form")
	case !strings.Contains(text, "\n") && strings.Contains(text, "\r"):
		return nil, keyProblem(KeyNotPEM, "the lines end in CR alone", "save the file with LF or CRLF line ends")
	case !strings.Contains(text, "\n"):
		return nil, keyProblem(KeyNotPEM, "the whole key is on one line, or is cut short after its first line", "put the line breaks back")
	}
	first, body, _ := strings.Cut(text, "\n")
	label, closed := strings.CutSuffix(strings.TrimRight(strings.TrimPrefix(first, beginLine), " \t\r"), dashes)
	if !closed || strings.HasSuffix(label, "-") {
		return nil, damagedBegin()
	}
	if i := slices.IndexFunc(foreignLabels, func(k foreignKey) bool { return k.start == label }); i >= 0 {
		return nil, notRSA(foreignLabels[i].name, foreignLabels[i].remedy)
	}
	if labels[label] == "" {
		return nil, keyProblem(KeyKind, "the label of the PEM block is not that of an RSA key", "use a label such as RSA PRIVATE KEY, in upper case")
	}
	if err := checkArmour(body, label); err != nil {
		return nil, err
	}
	block, _ := pem.Decode([]byte(text))
	switch inside, _, _ := strings.Cut(body, endLine); {
	case strings.TrimSpace(inside) == "":
		return nil, keyProblem(KeyMalformed, "there is nothing between BEGIN and END", copyAgain)
	case block == nil || len(block.Bytes) == 0:
		return nil, keyProblem(KeyMalformed, "the lines between BEGIN and END are not base64, or are cut short", copyAgain)
	}
	return block, nil
}

// checkArmour says what is wrong with the lines behind a BEGIN line.
func checkArmour(body, label string) error {
	end := -1
	lines := strings.Split(body, "\n")
	for i, line := range lines {
		line = strings.TrimRight(line, " \t\r")
		switch {
		case end >= 0 && strings.HasPrefix(line, beginLine):
			return keyProblem(KeySurrounding, "the file holds two PEM blocks, and one is needed", onlyBlock)
		case end >= 0:
		case line == endLine+label+dashes:
			end = i
		case strings.HasPrefix(line, endLine):
			return keyProblem(KeyNotPEM, "the END line is damaged or names another kind of key than the BEGIN line", copyAgain)
		case strings.HasPrefix(line, " ") || strings.HasPrefix(line, "\t"):
			return keyProblem(KeyNotPEM, "the lines of the key are indented", "remove the spaces in front of them")
		case strings.HasPrefix(line, beginLine):
			return keyProblem(KeyNotPEM, "the key has a second BEGIN line before its END line", onlyBlock)
		}
	}
	switch {
	case end < 0:
		return keyProblem(KeyNotPEM, "the key has no END line: the file is cut short", copyAgain)
	case end < len(lines)-1:
		return keyProblem(KeySurrounding, "there is text after the END line", onlyBlock)
	}
	return nil
}

// keyOf reads the body of a block as what its label says.
func keyOf(b *pem.Block) (keyFile, error) {
	body := labelOf(b.Bytes)
	encrypted := b.Headers["DEK-Info"] != "" || strings.Contains(b.Headers["Proc-Type"], "ENCRYPTED")
	switch {
	case encrypted && body != "":
		return keyFile{}, keyProblem(KeyEncrypted, "the PEM header says ENCRYPTED, but the body is not encrypted",
			"remove the header lines if the key is meant to be unencrypted; otherwise make a new key, since this one was readable")
	case encrypted:
		return keyFile{}, keyProblem(KeyEncrypted, "the private key is encrypted", plainCopy)
	case len(b.Headers) > 0:
		return keyFile{}, keyProblem(KeyMalformed, "the PEM block has header lines", "remove the lines with a colon, and the empty line after them")
	case body == "":
		return keyFile{}, notParsed(b)
	case body != b.Type:
		return keyFile{}, keyProblem(KeyMalformed, "the label is that of "+labels[b.Type]+", but the body is "+labels[body], "the label that fits is "+body)
	}
	return rsaKey(body, b.Bytes)
}

// The forms of DER that are read.
type (
	pkcs1Form struct {
		Version                     int
		N, E, D, P, Q, DP, DQ, QInv *big.Int
		More                        []struct{ Prime, Exponent, Coefficient *big.Int } `asn1:"optional"`
	}
	pkcs8Form struct {
		Version    int
		Algorithm  pkix.AlgorithmIdentifier
		Key        []byte
		Attributes asn1.RawValue `asn1:"optional,tag:0"`
		Public     asn1.RawValue `asn1:"optional,tag:1"`
	}
	pkcs1PublicForm struct{ N, E *big.Int }
	spkiForm        struct {
		Algorithm pkix.AlgorithmIdentifier
		Key       asn1.BitString
	}

	// The forms below are only named, so that nothing here needs crypto/x509 with its curves and
	// its network.
	ecForm struct {
		Version int
		Key     []byte
		Curve   asn1.ObjectIdentifier `asn1:"optional,explicit,tag:0"`
		Public  asn1.BitString        `asn1:"optional,explicit,tag:1"`
	}
	certificateForm struct {
		Body struct {
			Version   int `asn1:"optional,explicit,default:0,tag:0"`
			Serial    *big.Int
			Algorithm pkix.AlgorithmIdentifier
			Issuer    asn1.RawValue
			Validity  struct{ From, Until time.Time }
			Subject   asn1.RawValue
			Key       spkiForm
			IssuerID  asn1.BitString   `asn1:"optional,tag:1"`
			SubjectID asn1.BitString   `asn1:"optional,tag:2"`
			More      []pkix.Extension `asn1:"omitempty,optional,explicit,tag:3"`
		}
		Algorithm pkix.AlgorithmIdentifier
		Signature asn1.BitString
	}
)

// exactly reports whether DER is one value of a form.
func exactly(der []byte, form any) bool {
	rest, err := asn1.Unmarshal(der, form)
	return err == nil && len(rest) == 0
}

// labelOf returns the label that fits DER; empty for what is not read.
func labelOf(der []byte) string {
	switch {
	case exactly(der, new(pkcs1Form)):
		return labelPKCS1
	case exactly(der, new(pkcs8Form)):
		return labelPKCS8
	case exactly(der, new(pkcs1PublicForm)):
		return labelPKCS1Public
	case exactly(der, new(spkiForm)):
		return labelSPKI
	}
	return ""
}

// notParsed names the body of a block that is not what its label says.
func notParsed(b *pem.Block) error {
	var encrypted struct {
		Algorithm pkix.AlgorithmIdentifier
		Data      []byte
	}
	if exactly(b.Bytes, &encrypted) {
		return notRSA(nameEncrypted, plainCopy)
	}
	if exactly(b.Bytes, new(ecForm)) {
		return notRSA(nameEC, makeRSA)
	}
	if exactly(b.Bytes, new(certificateForm)) {
		return notRSA(nameCertificate, remedyCert)
	}
	return keyProblem(KeyMalformed, "the body is not "+labels[b.Type]+": it is damaged or cut short", copyAgain)
}

// rsaKey reads DER of a form that is read. Its numbers are checked before package rsa computes with
// them (L65).
func rsaKey(label string, der []byte) (keyFile, error) {
	malformed := keyProblem(KeyMalformed, "the numbers of the key do not fit together", "copy the whole file again, or make a new key")
	switch label {
	case labelPKCS8:
		var outer pkcs8Form
		exactly(der, &outer)
		if !isRSA(outer.Algorithm) {
			return keyFile{}, otherAlgorithm(outer.Algorithm)
		}
		label, der = labelPKCS1, outer.Key
	case labelSPKI:
		var outer spkiForm
		exactly(der, &outer)
		if !isRSA(outer.Algorithm) {
			return keyFile{}, otherAlgorithm(outer.Algorithm)
		}
		if outer.Key.BitLength%8 != 0 || string(outer.Algorithm.Parameters.FullBytes) != string(asn1.NullBytes) {
			return keyFile{}, malformed
		}
		label, der = labelPKCS1Public, outer.Key.Bytes
	}
	if label == labelPKCS1Public {
		var public pkcs1PublicForm
		if !exactly(der, &public) {
			return keyFile{}, malformed
		}
		if err := checkNumbers(public.N, public.E); err != nil {
			return keyFile{}, err
		}
		return keyFile{public: &rsa.PublicKey{N: public.N, E: int(public.E.Int64())}}, nil
	}
	var private pkcs1Form
	if !exactly(der, &private) {
		return keyFile{}, malformed
	}
	if err := private.check(); err != nil {
		return keyFile{}, err
	}
	key := private.key()
	if key == nil || key.Validate() != nil || private.Version > 1 || (private.Version == 0) != (len(key.Primes) == 2) {
		return keyFile{}, malformed
	}
	return keyFile{private: key, public: &key.PublicKey}, nil
}

// key is the private key with these numbers; nil where one is not positive. Whether they fit
// together is not checked.
func (f *pkcs1Form) key() *rsa.PrivateKey {
	key := &rsa.PrivateKey{PublicKey: rsa.PublicKey{N: f.N, E: int(f.E.Int64())}, D: f.D, Primes: []*big.Int{f.P, f.Q}}
	for _, more := range f.More {
		key.Primes = append(key.Primes, more.Prime)
	}
	for _, n := range slices.Concat(key.Primes, []*big.Int{f.D, f.DP, f.DQ, f.QInv}) {
		if n.Sign() <= 0 {
			return nil
		}
	}
	key.Precomputed.Dp, key.Precomputed.Dq, key.Precomputed.Qinv = f.DP, f.DQ, f.QInv
	key.Precompute()
	return key
}

var algorithmRSA = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 1, 1}

func isRSA(a pkix.AlgorithmIdentifier) bool { return a.Algorithm.Equal(algorithmRSA) }

// publicDER is a public key in its SPKI form.
func publicDER(key *rsa.PublicKey) ([]byte, error) {
	numbers, err := asn1.Marshal(pkcs1PublicForm{key.N, big.NewInt(int64(key.E))})
	if err != nil {
		return nil, err
	}
	return asn1.Marshal(spkiForm{
		Algorithm: pkix.AlgorithmIdentifier{Algorithm: algorithmRSA, Parameters: asn1.NullRawValue},
		Key:       asn1.BitString{Bytes: numbers, BitLength: 8 * len(numbers)},
	})
}

// otherAlgorithm names a key that is not RSA.
func otherAlgorithm(a pkix.AlgorithmIdentifier) error {
	name := "a key of another algorithm"
	switch a.Algorithm.String() {
	case "1.2.840.10045.2.1":
		name = nameEC
	case "1.3.101.110", "1.3.101.112":
		name = "an Ed25519 or X25519 key"
	case "1.2.840.10040.4.1":
		name = nameDSA
	case "1.2.840.113549.1.1.10":
		name = "a key restricted to RSASSA-PSS"
	}
	return notRSA(name, makeRSA)
}

// check checks the numbers of a private key: none is longer than the modulus.
func (f *pkcs1Form) check() error {
	if err := checkNumbers(f.N, f.E); err != nil {
		return err
	}
	numbers := []*big.Int{f.D, f.P, f.Q, f.DP, f.DQ, f.QInv}
	for _, prime := range f.More {
		numbers = append(numbers, prime.Prime, prime.Exponent, prime.Coefficient)
	}
	for _, n := range numbers {
		if n.BitLen() > f.N.BitLen() {
			return keyProblem(KeyMalformed, "a number of the private key is longer than the modulus", "copy the whole file again, or make a new key")
		}
	}
	return nil
}

// checkNumbers checks modulus and exponent before anything is computed with them (L65).
func checkNumbers(n, e *big.Int) error {
	bits := n.BitLen()
	switch {
	case n.Sign() <= 0 || e.Sign() <= 0:
		return keyProblem(KeyMalformed, "a number of the key is zero or negative", "make a new key")
	case bits > maxKeyBits:
		return keyProblem(KeyTooLarge, "the key has "+strconv.Itoa(bits)+" bits; the most is "+strconv.Itoa(maxKeyBits), "use a key of 4096 bits")
	case bits < minKeyBits:
		return keyProblem(KeyWeak, "the key has "+strconv.Itoa(bits)+" bits; the fewest is "+strconv.Itoa(minKeyBits), "make one: openssl genrsa -out key.pem 4096")
	case n.Bit(0) == 0:
		return keyProblem(KeyMalformed, "the modulus is even", "make a new key")
	case e.BitLen() > 31 || e.Bit(0) == 0 || e.Int64() < 3:
		return keyProblem(KeyMalformed, "the public exponent is even, tiny or huge", "make a new key; 65537 is usual")
	}
	return nil
}
