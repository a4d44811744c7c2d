package signature_test

import (
	"strconv"
	"testing"

	"github.com/chargecast/chargecast/signature"
)

// payloadOf is the payload of n bytes that the performance workload uses: byte k is a mix of k.
func payloadOf(n int) param {
	raw := make([]byte, n)
	for k := range raw {
		x := uint64(k) + 0x9e3779b97f4a7c15
		x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
		x = (x ^ x>>27) * 0x94d049bb133111eb
		raw[k] = byte(x ^ x>>31)
	}
	p := signature.Payload(raw)
	return param{p.Name(), p.Value()}
}

func workload(n int) (req, signature.OAuth) {
	return req{URL: "https://gate.example.com/paynet/api/v4/create-recurring-payments/1234",
			Params: []param{payloadOf(n)}},
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

// TestAllocations: a header takes two allocations, encoding none. For 32 bits a slice that could stay on the stack does not.
func TestAllocations(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector allocates")
	}
	r, o := workload(700)
	made := r.made()
	key := workloadSecret(t)
	dst := make([]byte, 0, 8192)
	src := []byte(r.Params[0].Value)
	tests := []struct {
		reason string
		most   int
		run    func()
	}{
		{"P7: a whole HMAC-SHA1 header", 2 + (64-strconv.IntSize)/32, func() { _, _ = signature.Sign(made, o, key, signature.ProfileGateway) }},
		{"P01: encoding into room enough", 0, func() { dst = signature.AppendEncode(dst[:0], src) }},
		{"P01: encoding twice into room enough", 0, func() { dst = signature.AppendEncodeTwice(dst[:0], src) }},
	}
	for _, test := range tests {
		if got := testing.AllocsPerRun(100, test.run); got > float64(test.most) {
			t.Errorf("%s: %v allocations, at most %v", test.reason, got, test.most)
		} else {
			t.Logf("%s: %v", test.reason, got)
		}
	}
}

func BenchmarkSign(b *testing.B) {
	for _, size := range []struct {
		name  string
		bytes int
	}{{"1KB", 700}, {"1MB", 750_000}} {
		r, o := workload(size.bytes)
		made, key := r.made(), workloadSecret(b)
		b.Run(size.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := signature.Sign(made, o, key, signature.ProfileGateway); err != nil {
					b.Fatal(err)
				}
			}
		})
		base, err := baseString(r, nil, signature.ProfileGateway)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(size.name+"/hmac-alone", func(b *testing.B) {
			for b.Loop() {
				_ = signedBase(b, key, base)
			}
		})
	}
}
