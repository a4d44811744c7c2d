package signature

import (
	"crypto/rsa"
	"crypto/x509"
	"encoding/pem"
	"math/rand/v2"
	"os"
	"testing"
)

// TestKeysAgainstX509: what is read as a key crypto/x509 reads too, with the same numbers: good keys, and keys with a byte
// changed, removed or added. Some that crypto/x509 reads are refused here, as those with bytes behind the key.
func TestKeysAgainstX509(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, name := range []string{"pkcs1.pem", "pkcs8.pem", "pkcs1-public.pem", "spki.pem", "pkcs1-4096.pem", "multiprime.pem"} {
		text, err := os.ReadFile("../internal/testkeys/" + name)
		if err != nil {
			t.Fatal(err)
		}
		block, _ := pem.Decode(text)
		read := 0
		for i := range 400 {
			der := append([]byte(nil), block.Bytes...)
			at := r.IntN(len(der))
			if r.IntN(2) == 0 {
				at = r.IntN(40) // the structure is in front
			}
			switch i % 4 {
			case 1:
				der[at] ^= byte(1 + r.IntN(255))
			case 2:
				der = append(der[:at], der[at+1:]...)
			case 3:
				der = append(der[:at], append([]byte{byte(r.IntN(256))}, der[at:]...)...)
			}
			ours, err := readKey(pem.EncodeToMemory(&pem.Block{Type: block.Type, Bytes: der}))
			theirs := byX509(block.Type, der)
			switch {
			case err == nil && theirs == nil:
				t.Errorf("%s, case %d: crypto/x509 refuses what was read", name, i)
			case err == nil && !theirs.Equal(ours.public):
				t.Errorf("%s, case %d: other numbers", name, i)
			case i%4 == 0 && err != nil:
				t.Errorf("%s: %v", name, err)
			case err == nil:
				read++
			}
		}
		if read < 50 {
			t.Errorf("%s: %d keys were read", name, read)
		}
	}
}

func byX509(label string, der []byte) *rsa.PublicKey {
	var key any
	var err error
	switch label {
	case labelPKCS1:
		key, err = x509.ParsePKCS1PrivateKey(der)
	case labelPKCS8:
		key, err = x509.ParsePKCS8PrivateKey(der)
	case labelPKCS1Public:
		key, err = x509.ParsePKCS1PublicKey(der)
	default:
		key, err = x509.ParsePKIXPublicKey(der)
	}
	if err != nil {
		return nil
	}
	switch key := key.(type) {
	case *rsa.PrivateKey:
		return &key.PublicKey
	case *rsa.PublicKey:
		return key
	}
	return nil
}
