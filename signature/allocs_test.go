package signature_test

import (
	"testing"

	"github.com/chargecast/chargecast/signature"
)

// payloadOf is the payload of n bytes that the performance workload uses: byte k is a mix of k.
func payloadOf(n int) signature.Param {
	raw := make([]byte, n)
	for k := range raw {
		x := uint64(k) + 0x9e3779b97f4a7c15
		x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
		x = (x ^ x>>27) * 0x94d049bb133111eb
		raw[k] = byte(x ^ x>>31)
	}
	return signature.Payload(raw)
}

func workload(n int) (signature.Request, signature.OAuth) {
	return signature.Request{URL: "https://gate.example.com/paynet/api/v4/create-recurring-payments/1234",
			Params: []signature.Param{payloadOf(n)}},
		signature.OAuth{ConsumerKey: "merchant-login", Nonce: "0123456789abcdef0123456789abcdef", Timestamp: "1790000000"}
}

func workloadSecret(tb testing.TB) *signature.Secret {
	tb.Helper()
	s, err := signature.NewSecret("00000000-1111-2222-3333-444444444444", "")
	if err != nil {
		tb.Fatal(err)
	}
	return s
}

// TestAllocations holds the claims of the comments: a header takes at most three allocations, encoding none.
func TestAllocations(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector allocates")
	}
	r, o := workload(700)
	key := workloadSecret(t)
	dst := make([]byte, 0, 8192)
	src := []byte(r.Params[0].Value)
	tests := []struct {
		reason string
		most   float64
		run    func()
	}{
		{"P7: a whole HMAC-SHA1 header", 1, func() { _, _ = signature.Authorization(r, o, key, signature.Gateway()) }},
		{"P01: AppendEncode into room enough", 0, func() { dst = signature.AppendEncode(dst[:0], src) }},
		{"P01: AppendEncodeTwice into room enough", 0, func() { dst = signature.AppendEncodeTwice(dst[:0], src) }},
		{"L58: BaseURI, its text", 2, func() { _, _ = signature.BaseURI(r.URL, signature.Gateway()) }},
	}
	for _, test := range tests {
		if got := testing.AllocsPerRun(100, test.run); got > test.most {
			t.Errorf("%s: %v allocations, at most %v", test.reason, got, test.most)
		} else {
			t.Logf("%s: %v", test.reason, got)
		}
	}
}

func BenchmarkAuthorization(b *testing.B) {
	for _, size := range []struct {
		name  string
		bytes int
	}{{"1KB", 700}, {"1MB", 750_000}} {
		r, o := workload(size.bytes)
		key := workloadSecret(b)
		b.Run(size.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := signature.Authorization(r, o, key, signature.Gateway()); err != nil {
					b.Fatal(err)
				}
			}
		})
		base, err := signature.BaseString(r, nil, signature.Gateway())
		if err != nil {
			b.Fatal(err)
		}
		b.Run(size.name+"/hmac-alone", func(b *testing.B) {
			for b.Loop() {
				key.SignBase(base)
			}
		})
	}
}

func BenchmarkDiagnose(b *testing.B) {
	r, o := workload(700)
	key := workloadSecret(b)
	other, err := signature.NewSecret("another", "")
	if err != nil {
		b.Fatal(err)
	}
	authorization, err := signature.Authorization(r, o, other, signature.Gateway())
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		d, err := signature.Diagnose(r, signature.Evidence{Authorization: authorization}, key, signature.Gateway())
		if err != nil || d.Match || len(d.Causes) > 0 {
			b.Fatal(d, err)
		}
	}
}
