package signature

import (
	"crypto/rsa"
	"crypto/x509"
	"encoding/asn1"
	"math/big"
)

// keyKind is what the body of a key file is, or what its label says. The zero kind is unknown.
type keyKind uint8

const (
	kindUnknown keyKind = iota
	kindPKCS1Private
	kindPKCS8Private
	kindPKCS1Public
	kindSPKI
	kindEncrypted
	kindCertificate
	kindRequest
	kindPKCS12
	kindOpenSSH
	kindEC
	kindEd25519
	kindDSA
	kindPSS
	kindOther
)

type kindRow struct{ label, name, remedy string }

const (
	plainCopy    = "write an unencrypted copy: openssl rsa -in KEY -traditional -out plain.pem"
	makeRSA      = "make an RSA key: openssl genrsa -out key.pem 4096"
	fromPKCS12   = "extract the key: openssl pkcs12 -in FILE -nocerts -noenc | openssl pkey -out key.pem"
	fromCert     = "extract the public key: openssl x509 -in FILE -noout -pubkey -out public.pem"
	fromOpenSSH  = "convert it, if it is an RSA key: ssh-keygen -p -m PEM -f KEY"
	needsRSA     = "; an RSA key in PEM is needed"
	labelRSA     = "RSA PRIVATE KEY"
	labelPrivate = "PRIVATE KEY"
)

// row returns the PEM label, the name and the remedy of a kind. The first four kinds are read, all
// others are refused.
func (k keyKind) row() kindRow {
	switch k {
	case kindPKCS1Private:
		return kindRow{labelRSA, "a PKCS#1 private key", ""}
	case kindPKCS8Private:
		return kindRow{labelPrivate, "a PKCS#8 private key", ""}
	case kindPKCS1Public:
		return kindRow{"RSA PUBLIC KEY", "a PKCS#1 public key", ""}
	case kindSPKI:
		return kindRow{"PUBLIC KEY", "an SPKI public key", ""}
	case kindEncrypted:
		return kindRow{"ENCRYPTED PRIVATE KEY", "an encrypted private key", plainCopy}
	case kindCertificate:
		return kindRow{"CERTIFICATE", "a certificate: it holds a public key only", fromCert}
	case kindRequest:
		return kindRow{"CERTIFICATE REQUEST", "a certificate request: it holds a public key only",
			"extract the public key: openssl req -in FILE -noout -pubkey -out public.pem"}
	case kindPKCS12:
		return kindRow{"PKCS12", "a PKCS#12 file (.p12, .pfx)", fromPKCS12}
	case kindOpenSSH:
		return kindRow{"OPENSSH PRIVATE KEY", "an OpenSSH private key", fromOpenSSH}
	case kindEC:
		return kindRow{"EC PRIVATE KEY", "an elliptic curve (EC) key", makeRSA}
	case kindEd25519:
		return kindRow{"", "an Ed25519 or X25519 key", makeRSA}
	case kindDSA:
		return kindRow{"DSA PRIVATE KEY", "a DSA key", makeRSA}
	case kindPSS:
		return kindRow{"", "a key restricted to RSASSA-PSS", makeRSA}
	case kindUnknown, kindOther:
	}
	return kindRow{"", "not a key", makeRSA}
}

func (k keyKind) refuse() *fault {
	row := k.row()
	code := KeyKind
	if k == kindEncrypted {
		code = KeyEncrypted
	}
	return keyFault(code, "this is "+row.name+needsRSA, row.remedy)
}

// kindOfLabel returns the kind that a PEM label names.
func kindOfLabel(label string) keyKind {
	for k := kindPKCS1Private; k < kindOther; k++ {
		if k.row().label == label && label != "" {
			return k
		}
	}
	switch label {
	case "EC PARAMETERS":
		return kindEC
	case "X509 CERTIFICATE", "TRUSTED CERTIFICATE":
		return kindCertificate
	case "NEW CERTIFICATE REQUEST":
		return kindRequest
	case "DSA PARAMETERS":
		return kindDSA
	}
	return kindOther
}

// refusedLabel says what a block with this label is if it is not an RSA key, whatever is in it; nil
// for the labels of the four kinds that are read.
func refusedLabel(label string) *fault {
	switch kind := kindOfLabel(label); {
	case kind == kindOther:
		return keyFault(KeyKind, "the label of the PEM block is not that of an RSA key", "use a label such as RSA PRIVATE KEY, in upper case")
	case kind > kindSPKI:
		return kind.refuse()
	}
	return nil
}

// key reads the block's body as what its label says, which is one of the four kinds that are read.
func (b *pemBlock) key(rules KeyRules) (loadedKey, *fault) {
	kind, body := kindOfLabel(b.label), sniff(b.der)
	switch {
	case b.encrypted && body != kindUnknown:
		return loadedKey{}, keyFault(KeyEncrypted, "the PEM header says ENCRYPTED, but the body is not encrypted",
			"remove the header lines if the key is meant to be unencrypted; otherwise make a new key, since this one was readable")
	case b.encrypted:
		return loadedKey{}, keyFault(KeyEncrypted, "the private key is encrypted", plainCopy)
	case body != kind && body > kindSPKI:
		return loadedKey{}, body.refuse()
	case body != kind && body != kindUnknown:
		return loadedKey{}, keyFault(KeyMalformed, "the label is that of "+kind.row().name+", but the body is "+body.row().name,
			"the label that fits is "+body.row().label)
	case body == kindUnknown:
		return loadedKey{}, keyFault(KeyMalformed, "the body is not "+kind.row().name+": it is damaged or cut short", "copy the whole file again")
	}
	if kind == kindSPKI || kind == kindPKCS1Public {
		return publicKey(kind, b.der, rules)
	}
	return privateKey(kind, b.der, rules)
}

// The ASN.1 forms, with the numbers as big integers so that their size can be checked first.
type (
	pkcs1Private struct {
		Version          int
		N, E, D, P, Q    *big.Int
		DP, DQ, QInverse *big.Int
		Additional       []asn1.RawValue `asn1:"optional"`
	}
	pkcs1Public struct{ N, E *big.Int }
	algorithm   struct {
		OID        asn1.ObjectIdentifier
		Parameters asn1.RawValue `asn1:"optional"`
	}
	pkcs8Private struct {
		Version    int
		Algorithm  algorithm
		Key        []byte
		Attributes asn1.RawValue `asn1:"optional,tag:0"`
		Public     asn1.RawValue `asn1:"optional,tag:1"`
	}
	spkiPublic struct {
		Algorithm algorithm
		Key       asn1.BitString
	}
	encryptedPrivate struct {
		Algorithm algorithm
		Data      []byte
	}
	sec1Private struct {
		Version    int
		Key        []byte
		Parameters asn1.RawValue `asn1:"optional,explicit,tag:0"`
		Public     asn1.RawValue `asn1:"optional,explicit,tag:1"`
	}
	dsaPrivate struct {
		Version       int
		P, Q, G, Y, X *big.Int
	}
	pfx struct {
		Version int
		Safe    algorithm
		MAC     asn1.RawValue `asn1:"optional"`
	}
	signedThree struct {
		Content   asn1.RawValue
		Algorithm algorithm
		Signature asn1.BitString
	}
)

// exactly parses one DER sequence of at most so many elements, with nothing after it. encoding/asn1
// alone would skip further elements.
func exactly(der []byte, elements int, into any) bool {
	var sequence asn1.RawValue
	rest, err := asn1.Unmarshal(der, &sequence)
	if err != nil || len(rest) > 0 {
		return false
	}
	content := sequence.Bytes
	for range elements {
		if len(content) == 0 {
			break
		}
		if content, err = asn1.Unmarshal(content, new(asn1.RawValue)); err != nil {
			return false
		}
	}
	if len(content) > 0 {
		return false
	}
	_, err = asn1.Unmarshal(der, into)
	return err == nil
}

// sniff returns the kind of DER by its structure.
func sniff(der []byte) keyKind {
	var p8 pkcs8Private
	if exactly(der, 5, &p8) {
		return kindOfAlgorithm(p8.Algorithm.OID, kindPKCS8Private)
	}
	var spki spkiPublic
	if exactly(der, 2, &spki) {
		return kindOfAlgorithm(spki.Algorithm.OID, kindSPKI)
	}
	switch {
	case exactly(der, 10, &pkcs1Private{}):
		return kindPKCS1Private
	case exactly(der, 2, &pkcs1Public{}):
		return kindPKCS1Public
	case exactly(der, 2, &encryptedPrivate{}):
		return kindEncrypted
	case exactly(der, 4, &sec1Private{}):
		return kindEC
	case exactly(der, 6, &dsaPrivate{}):
		return kindDSA
	case exactly(der, 3, &signedThree{}):
		return kindCertificate
	case exactly(der, 3, &pfx{}):
		return kindPKCS12
	}
	return kindUnknown
}

// kindOfAlgorithm returns the kind of a PKCS#8 or SPKI body by its algorithm; an RSA body is rsaKind.
func kindOfAlgorithm(oid asn1.ObjectIdentifier, rsaKind keyKind) keyKind {
	switch oid.String() {
	case "1.2.840.113549.1.1.1":
		return rsaKind
	case "1.2.840.113549.1.1.10":
		return kindPSS
	case "1.2.840.10045.2.1":
		return kindEC
	case "1.3.101.110", "1.3.101.111", "1.3.101.112", "1.3.101.113":
		return kindEd25519
	case "1.2.840.10040.4.1":
		return kindDSA
	}
	return kindOther
}

func malformed() *fault {
	return keyFault(KeyMalformed, "the numbers of the key do not fit together", "copy the whole file again, or make a new key")
}

func privateKey(kind keyKind, der []byte, rules KeyRules) (loadedKey, *fault) {
	if kind == kindPKCS8Private {
		var outer pkcs8Private
		exactly(der, 5, &outer)
		der = outer.Key
	}
	var numbers pkcs1Private
	if !exactly(der, 10, &numbers) || numbers.Version == 0 != (len(numbers.Additional) == 0) || numbers.Version > 1 || numbers.Version < 0 {
		return loadedKey{}, malformed()
	}
	if err := checkNumbers(numbers.N, numbers.E, rules); err != nil {
		return loadedKey{}, err
	}
	key, err := x509.ParsePKCS1PrivateKey(der)
	if err != nil || key.Validate() != nil {
		return loadedKey{}, malformed()
	}
	return loadedKey{private: &PrivateKey{hide(rsaPrivate{key})}}, nil
}

func publicKey(kind keyKind, der []byte, rules KeyRules) (loadedKey, *fault) {
	if kind == kindSPKI {
		var outer spkiPublic
		exactly(der, 2, &outer)
		if outer.Key.BitLength%8 != 0 {
			return loadedKey{}, malformed()
		}
		der = outer.Key.Bytes
	}
	var numbers pkcs1Public
	if !exactly(der, 2, &numbers) {
		return loadedKey{}, malformed()
	}
	if err := checkNumbers(numbers.N, numbers.E, rules); err != nil {
		return loadedKey{}, err
	}
	return loadedKey{public: &PublicKey{&rsa.PublicKey{N: numbers.N, E: int(numbers.E.Int64())}}}, nil
}
