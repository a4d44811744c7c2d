package httpbody_test

import (
	"errors"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/chargecast/chargecast/internal/httpbody"
	"github.com/chargecast/chargecast/internal/httprules"
)

// TestRead: a body is the same text however it arrives, whether its length is declared, and around
// each size at which the buffer grows; and one that is longer or shorter than declared is an error,
// whichever buffer it was in.
func TestRead(t *testing.T) {
	for _, size := range []int{0, 1, 4095, 4096, 4097, 8191, 8192, 16_385, 131_072, 131_073, 300_001} {
		body := strings.Repeat("0123456789abcdef!", size/17+1)[:size]
		for _, declared := range []int64{-1, int64(size)} {
			for _, limit := range []int64{int64(size), 1 << 20} {
				got, err := httpbody.Read(strings.NewReader(body), declared, limit)
				halves, errHalves := httpbody.Read(iotest.HalfReader(strings.NewReader(body)), declared, limit)
				late, errLate := httpbody.Read(iotest.DataErrReader(strings.NewReader(body)), declared, limit)
				if got != body || halves != body || late != body || errors.Join(err, errHalves, errLate) != nil {
					t.Errorf("%d bytes, declared %d: %d, %d, %d bytes, %v, %v, %v", size, declared, len(got), len(halves), len(late), err, errHalves, errLate)
				}
			}
		}
		for _, declared := range []int64{int64(size) + 1, int64(size) - 1, int64(size) / 4} {
			if got, err := httpbody.Read(strings.NewReader(body), declared, 1<<20); declared >= 0 && declared != int64(size) && (got != "" || !errors.Is(err, httprules.BodyLength)) {
				t.Errorf("%d bytes, declared %d: %d bytes, %v", size, declared, len(got), err)
			}
		}
		if size > 0 {
			if got, err := httpbody.Read(strings.NewReader(body), -1, int64(size)-1); got != "" || !errors.Is(err, httprules.BodyLimit) {
				t.Errorf("%d bytes, limit one less: %d bytes, %v", size, len(got), err)
			}
		}
	}
}
