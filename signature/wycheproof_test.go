package signature

import (
	"bytes"
	"cmp"
	"crypto/hmac"
	"crypto/sha1"
	"encoding/hex"
	"encoding/json"
	"encoding/pem"
	"errors"
	"flag"
	"hash"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// The published vectors are 109 MB, so neither users nor the ordinary test run pay for them. To run all of them:
//
//	go mod download -json github.com/c2sp/wycheproof@v0.0.0-20260902155932-3fa63dd0344a   # prints Dir
//	go test ./signature -run Wycheproof -wycheproof DIR/testvectors_v1
//
// A frozen sample in testdata always runs; -wycheproof with -update makes it again.
var (
	wycheproofDir = flag.String("wycheproof", "", "directory of the Wycheproof vectors")
	update        = flag.Bool("update", false, "rewrite the files of testdata")
)

// wycheproofCase is one vector without its prose.
type wycheproofCase struct {
	File  string   `json:"file"`
	ID    int      `json:"id"`
	Key   string   `json:"key"` // HMAC key or SPKI, hex
	Msg   string   `json:"msg"`
	Sig   string   `json:"sig"`
	Valid bool     `json:"valid"`
	Flags []string `json:"flags,omitempty"`
}

const wycheproofSample = "testdata/wycheproof.jsonl"

// TestWycheproofSample holds the verdicts of a sample: every kind of flag of every file, valid and not (S05).
func TestWycheproofSample(t *testing.T) {
	data, err := os.ReadFile(wycheproofSample)
	if err != nil {
		t.Fatal(err)
	}
	decoder := json.NewDecoder(bytes.NewReader(data))
	count := 0
	for decoder.More() {
		var c wycheproofCase
		if err := decoder.Decode(&c); err != nil {
			t.Fatal(err)
		}
		c.judge(t)
		count++
	}
	if count < 30 {
		t.Errorf("%d cases in the sample", count)
	}
}

// TestWycheproof holds all verdicts for HMAC-SHA1 and for RSA PKCS#1 v1.5 with SHA-256 (S05).
func TestWycheproof(t *testing.T) {
	if *wycheproofDir == "" {
		t.Skip("no -wycheproof directory; the sample runs")
	}
	var all []wycheproofCase
	for name, want := range map[string]int{"hmac_sha1_test.json": 170, "rsa_signature_2048_sha256_test.json": 0, "rsa_signature_3072_sha256_test.json": 0,
		"rsa_signature_4096_sha256_test.json": 0, "rsa_signature_8192_sha256_test.json": 0} {
		cases := readWycheproof(t, name)
		if want > 0 && len(cases) != want {
			t.Errorf("%s: %d cases, want %d", name, len(cases), want)
		}
		for _, c := range cases {
			c.judge(t)
		}
		all = append(all, cases...)
	}
	t.Logf("%d cases", len(all))
	if *update {
		writeSample(t, all)
	}
}

func readWycheproof(t *testing.T, name string) []wycheproofCase {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(*wycheproofDir, name))
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		TestGroups []struct {
			TagSize      int
			PublicKeyDer string
			Tests        []struct {
				TcID                       int
				Key, Msg, Tag, Sig, Result string
				Flags                      []string
			}
		}
	}
	if err := json.Unmarshal(data, &file); err != nil {
		t.Fatal(err)
	}
	var out []wycheproofCase
	for _, g := range file.TestGroups {
		for _, c := range g.Tests {
			one := wycheproofCase{File: name, ID: c.TcID, Key: c.Key + g.PublicKeyDer, Msg: c.Msg, Sig: c.Tag + c.Sig, Valid: c.Result == "valid", Flags: c.Flags}
			if g.TagSize != 0 && g.TagSize != 160 {
				one.Valid = false // a truncated tag is refused here
			}
			out = append(out, one)
		}
	}
	return out
}

func (c wycheproofCase) judge(t *testing.T) {
	t.Helper()
	key, message, sig := unhexAll(t, c.Key), unhexAll(t, c.Msg), unhexAll(t, c.Sig)
	var got bool
	if c.File == "hmac_sha1_test.json" {
		got = VerifyBase(&rawKey{key: key}, string(message), sig)
	} else {
		public, err := ParsePublicKey(pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: key}))
		if err != nil {
			if !errors.Is(err, KeyMalformed) && !errors.Is(err, KeyTooLarge) && !errors.Is(err, KeyWeak) || c.Valid {
				t.Errorf("%s %d: %v", c.File, c.ID, err)
			}
			return
		}
		got = VerifyBase(public, string(message), sig)
	}
	// "acceptable" counts as invalid: the encoding without NULL, for one, is refused here.
	if got != c.Valid {
		t.Errorf("%s %d: %v, want %v %v", c.File, c.ID, got, c.Valid, c.Flags)
	}
}

// A rawKey is a key of HMAC that is not made of a secret.
type rawKey struct {
	HMACKey

	key []byte
}

func (k *rawKey) newHash() hash.Hash { return hmac.New(sha1.New, k.key) }

func unhexAll(t *testing.T, text string) []byte {
	t.Helper()
	raw, err := hex.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// writeSample keeps the first case of each flag and verdict of the small files.
func writeSample(t *testing.T, all []wycheproofCase) {
	t.Helper()
	slices.SortFunc(all, func(a, b wycheproofCase) int { return cmp.Or(strings.Compare(a.File, b.File), a.ID-b.ID) })
	seen := map[string]int{}
	var out []byte
	for _, c := range all {
		if c.File != "hmac_sha1_test.json" && c.File != "rsa_signature_2048_sha256_test.json" {
			continue
		}
		var class strings.Builder
		class.WriteString(c.File)
		for _, f := range c.Flags {
			class.WriteString(" " + f)
		}
		if c.Valid {
			class.WriteString(" valid")
		}
		if seen[class.String()]++; seen[class.String()] > 5 {
			continue
		}
		line, err := json.Marshal(c)
		if err != nil {
			t.Fatal(err)
		}
		out = append(append(out, line...), '\n')
	}
	if err := os.WriteFile(wycheproofSample, out, 0o600); err != nil {
		t.Fatal(err)
	}
}
