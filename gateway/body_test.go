package gateway_test

import (
	"runtime"
	"strings"
	"testing"

	"github.com/chargecast/chargecast/gateway/gatewaytest"
)

// TestBodyCostsLittle: a body of 1 MiB to the admin interface that is refused cost 108 MiB, and
// thirty at once 2 GiB.
func TestBodyCostsLittle(t *testing.T) {
	gw := gatewaytest.Options{AsOf: "2026-01-15"}.New(t)
	list := strings.Repeat("{},", 340_000) + "{}"
	for _, body := range []string{`{"a":[` + list + `]}`, `{"login":[` + list + `]}`, `[` + list + `]`, `{"login":"m","a":"` + list + `"}`} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		ask(t, gw, 400, "POST", "merchants", body)
		runtime.ReadMemStats(&after)
		if got := after.TotalAlloc - before.TotalAlloc; got > 16<<20 {
			t.Errorf("%.12s…: %d MiB allocated", body, got>>20)
		}
	}
}
