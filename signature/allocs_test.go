package signature_test

import (
	"strconv"
	"testing"

	"github.com/chargecast/chargecast/internal/signtest"
	"github.com/chargecast/chargecast/signature"
)

// TestAllocations: a header takes two allocations, encoding none. For 32 bits a slice that could stay on the stack does not.
func TestAllocations(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector allocates")
	}
	r, o := signtest.Workload(700)
	made := r.Made()
	key := signtest.Secret(t, signtest.WorkloadKey)
	dst := make([]byte, 0, 8192)
	src := []byte(r.Params[0][1])
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
		r, o := signtest.Workload(size.bytes)
		made, key := r.Made(), signtest.Secret(b, signtest.WorkloadKey)
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
