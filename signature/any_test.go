package signature

import (
	"crypto/hmac"
	"crypto/sha1"
	"encoding/base64"
	"errors"
	"hash"
	"math/big"
	"strings"
	"sync"
	"testing"
	"time"
)

// TestADecoyLetsNobodyIn: to make known and unknown consumers alike, a key is tried that nobody has. Whoever reads the source has
// it: what it says must count for nothing.
func TestADecoyLetsNobodyIn(t *testing.T) {
	owner, err := NewSecret("owner", "")
	if err != nil {
		t.Fatal(err)
	}
	r := NewRequest("POST", "https://h.example/p").WithParams(NewParam("payload", "x"))
	o := OAuth{ConsumerKey: "m", Nonce: "n", Timestamp: "1767225600"}
	signed, err := Sign(r, o, decoy(MethodHMACSHA1, 20).(*Secret), ProfileGateway)
	if err != nil {
		t.Fatal(err)
	}
	for reason, keys := range map[string][]VerifyingKey{"no key": nil, "another key": {owner}, "two keys": {owner, owner}} {
		if v, err := VerifyAny(signed.Request(), keys, Options{}); !errors.Is(err, SignatureWrong) || v.Signature != VerdictMismatch || v.ConsumerKey != "" {
			t.Errorf("HMAC, %s: %v, %v", reason, v.Signature, err)
		}
	}
	// The modulus of an RSA decoy has small factors: anyone can sign with it.
	public := decoy(MethodRSASHA256, 256).(*PublicKey)
	if public.rsa.N.Cmp(new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 2048), big.NewInt(1))) != 0 || public.rsa.Size() != 256 {
		t.Fatal("the decoy is another one")
	}
	in := resolved{method: "POST"}
	for _, key := range []VerifyingKey{nil, &PublicKey{}} {
		j := judgement{in: &in, method: MethodRSASHA256, raw: make([]byte, 256)}
		j.raw[255] = 1
		if key != nil {
			key = decoy(MethodRSASHA256, 512) // another length: a decoy of the signature's is tried in its place
		}
		if j.fits(key, nil, true) {
			t.Error("RSA: a decoy's word counts")
		}
		if j.raw = j.raw[:1]; j.fits(key, nil, true) {
			t.Error("RSA: a signature that no key can have made is one")
		}
	}
	if decoy(MethodRSASHA256, 0) != nil || decoy(MethodRSASHA256, 1<<20) != nil || decoy(0, 20) != nil {
		t.Error("a decoy for a length that no key has")
	}
}

// A countedHash counts what it hashes and how often its sum is asked for.
type countedHash struct {
	hash.Hash
	work *hashWork
}

type hashWork struct{ bytes, sums int }

func (h countedHash) Write(p []byte) (int, error) {
	h.work.bytes += len(p)
	return h.Hash.Write(p)
}

func (h countedHash) Sum(dst []byte) []byte {
	h.work.sums++
	return h.Hash.Sum(dst)
}

// TestKnownAndUnknownAreTheSameWork: a signature that is refused was hashed as often as there were keys, so that the time told how
// many keys a consumer has, and whether there is one at all. Two keys are always tried.
func TestKnownAndUnknownAreTheSameWork(t *testing.T) {
	var work hashWork
	counted := func(key string) *sync.Pool {
		pool := new(sync.Pool)
		pool.New = func() any { return newHasher(countedHash{hmac.New(sha1.New, []byte(key)), &work}, pool) }
		return pool
	}
	decoys := decoyHashers
	t.Cleanup(func() { decoyHashers = decoys })
	decoyHashers = counted("decoy")
	known := &Secret{hide(hmacSecret{hashers: counted("known&")})}
	wrong, err := NewSecret("wrong", "")
	if err != nil {
		t.Fatal(err)
	}
	for _, size := range []int{1, 30_000} {
		r := NewRequest("POST", "https://h.example/p").WithBody(formType, "payload="+strings.Repeat("%ff", size))
		signed, err := Sign(r, OAuth{ConsumerKey: "m", Nonce: "n", Timestamp: "1767225600"}, wrong, ProfileGateway)
		if err != nil {
			t.Fatal(err)
		}
		want := hashWork{2 * len(signed.BaseString()), 2}
		for reason, keys := range map[string][]VerifyingKey{
			"no key": nil, "one": {known}, "two": {known, known}, "one of the other method": {decoy(MethodRSASHA256, 256)},
			"both methods": {decoy(MethodRSASHA256, 256), known},
		} {
			work = hashWork{}
			if _, err := VerifyAny(signed.Request(), keys, Options{}); err == nil || work != want {
				t.Errorf("%s: %+v, want %+v; %v", reason, work, want, err)
			}
		}
	}
}

// TestAnyOfTheKeys: a request is accepted under each key that may serve, and a key of the other method is passed over.
func TestAnyOfTheKeys(t *testing.T) {
	older, _ := NewSecret("older", "")
	newer, _ := NewSecret("newer", "")
	r := NewRequest("", "https://h.example/p").WithParams(NewParam("payload", "x"))
	if r.Method() != "POST" {
		t.Errorf("the method of a request that names none is %q", r.Method())
	}
	o := OAuth{ConsumerKey: "m", Nonce: "n", Timestamp: "1767225600"}
	for _, key := range []*Secret{older, newer} {
		signed, err := Sign(r, o, key, ProfileGateway)
		if err != nil {
			t.Fatal(err)
		}
		if signed.Request().Method() != "POST" {
			t.Errorf("the method of a signed request is %q", signed.Request().Method())
		}
		for reason, c := range map[string]struct {
			keys []VerifyingKey
			ok   bool
		}{"both": {[]VerifyingKey{older, newer}, true}, "the other way": {[]VerifyingKey{newer, older}, true}, "behind one of the other method": {[]VerifyingKey{decoy(MethodRSASHA256, 256), key}, true},
			"one of the other method alone": {[]VerifyingKey{decoy(MethodRSASHA256, 256)}, false}, "a zero key": {[]VerifyingKey{key, &Secret{}}, false}} {
			if v, err := VerifyAny(signed.Request(), c.keys, Options{}); (err == nil) != c.ok || (v.ConsumerKey == "m") != c.ok {
				t.Errorf("%s: %v", reason, err)
			}
		}
	}
}

// TestUntil: a use has to be remembered as long as its timestamp is inside the window, and for ever without one.
func TestUntil(t *testing.T) {
	key, _ := NewSecret("s", "")
	signed, err := Sign(NewRequest("POST", "https://h/p"), OAuth{ConsumerKey: "m", Nonce: "n", Timestamp: "1767225600"}, key, ProfileGateway)
	if err != nil {
		t.Fatal(err)
	}
	now := time.Unix(1_767_225_590, 0)
	for window, want := range map[time.Duration]time.Time{0: {}, time.Minute: time.Unix(1_767_225_660, 0).UTC()} {
		v, err := Verify(signed.Request(), key, Options{Now: now, Window: window})
		if err != nil || v.Use.Until != want || v.Use.Until.Location() != time.UTC {
			t.Errorf("%v: %v, %v", window, v.Use.Until, err)
		}
	}
}

// TestInspectIsVerifyWithoutKeyAndBody: what is refused early is refused by Verify, and what is not could be accepted.
func TestInspectIsVerifyWithoutKeyAndBody(t *testing.T) {
	key, _ := NewSecret("s", "")
	o := Options{Now: time.Unix(1_767_225_600, 0), Window: time.Minute, NonceMin: 1}
	good := func() Request {
		signed, err := Sign(NewRequest("POST", "https://h/p").WithBody(formType, "payload=x"), OAuth{ConsumerKey: "m", Nonce: "n", Timestamp: "1767225600"}, key, ProfileGateway)
		if err != nil {
			t.Fatal(err)
		}
		return signed.Request()
	}()
	header := good.Authorization()
	for reason, c := range map[string]struct {
		r      Request
		refuse bool
	}{
		"as it is": {good, false}, "another body": {good.WithBody(formType, "payload=y"), false}, "another type": {good.WithBody("text/plain", ""), true},
		"another URL": {good.WithURL("https://h/q"), false}, "a query": {good.WithURL("https://h/p?a=1"), true},
		"stale":                 {good.WithAuthorization(strings.Replace(header, "1767225600", "1767225700", 1)), true},
		"no nonce":              {good.WithAuthorization(strings.Replace(header, `oauth_nonce="n"`, `oauth_nonce=""`, 1)), true},
		"a long nonce":          {good.WithAuthorization(strings.Replace(header, `oauth_nonce="n"`, `oauth_nonce="nn"`, 1)), false},
		"hex":                   {good.WithAuthorization(strings.Replace(header, `oauth_signature="`, `oauth_signature="00`, 1)), true},
		"another method's size": {good.WithAuthorization(strings.Replace(header, "HMAC-SHA1", "RSA-SHA256", 1)), true},
	} {
		claim, early := Inspect(c.r, o)
		_, late := Verify(c.r, key, o)
		if (early != nil) != c.refuse || early != nil && late == nil || (claim == Claim{"m", MethodHMACSHA1}) == c.refuse {
			t.Errorf("%s: %+v, early %v, late %v", reason, claim, early, late)
		}
	}
}

// TestInspectLengths: the signature has the length of the hash under HMAC, and that of a key that is read under RSA.
func TestInspectLengths(t *testing.T) {
	for _, r := range []struct {
		method string
		size   int
		ok     bool
	}{
		{"HMAC-SHA1", 19, false}, {"HMAC-SHA1", 20, true}, {"HMAC-SHA1", 21, false}, {"HMAC-SHA1", 256, false},
		{"RSA-SHA256", floorBits/8 - 1, false}, {"RSA-SHA256", floorBits / 8, true}, {"RSA-SHA256", 256, true}, {"RSA-SHA256", maxKeyBits / 8, true}, {"RSA-SHA256", maxKeyBits/8 + 1, false},
	} {
		header := `OAuth oauth_consumer_key="m",oauth_nonce="n",oauth_timestamp="1767225600",oauth_version="1.0",oauth_signature_method="` + r.method +
			`",oauth_signature="` + Encode(base64.StdEncoding.EncodeToString(make([]byte, r.size))) + `"`
		_, err := Inspect(NewRequest("POST", "https://h/p").WithAuthorization(header), Options{})
		if (err == nil) != r.ok || !r.ok && !errors.Is(err, SignatureLength) {
			t.Errorf("%s, %d bytes: %v", r.method, r.size, err)
		}
	}
}

// TestInspectNamesTheFormByItsLength: a signature that is base64 by accident, as hex is, is named by the length that its method has.
func TestInspectNamesTheFormByItsLength(t *testing.T) {
	for _, r := range []struct {
		method string
		digits int
		named  bool
	}{{"HMAC-SHA1", 40, true}, {"HMAC-SHA1", 44, false}, {"RSA-SHA256", 40, false}} {
		header := `OAuth oauth_consumer_key="m",oauth_nonce="n",oauth_timestamp="1767225600",oauth_version="1.0",oauth_signature_method="` + r.method +
			`",oauth_signature="` + strings.Repeat("0a", r.digits/2) + `"`
		_, err := Inspect(NewRequest("POST", "https://h/p").WithAuthorization(header), Options{})
		if !errors.Is(err, SignatureLength) || strings.Contains(err.Error(), "hex") != r.named {
			t.Errorf("%s, %d digits: %v", r.method, r.digits, err)
		}
	}
}
