package reconcile_test

import (
	"runtime"
	"strconv"
	"testing"

	"github.com/chargecast/chargecast/reconcile"
	"github.com/chargecast/chargecast/record"
)

// TestLinesAreSmall: a line takes 48 bytes while it is kept, 16 more and its text if it has an id,
// and 16 more and the name if nobody knows its profile.
func TestLinesAreSmall(t *testing.T) {
	const lines = 200_000
	heap := func() int64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	for _, test := range []struct {
		name, profile string
		id            bool
		most          int64 // bytes a line
	}{
		{"a profile of the payload", "a", false, 50},
		{"with an id", "a", true, 50 + 16*5/4 + 16},
		{"a strange profile", "x", false, 50 + 16*5/4},
	} {
		var took int64
		actuals := func(yield func(*reconcile.Actual, error) bool) {
			before := heap()
			for n := range lines {
				a := reconcile.Actual{Profile: test.profile, Actual: record.Actual{Line: n + 1, Date: day("2026-01-31").AddDays(n % 700), Amount: money("10.00"), Currency: "EUR"}}
				if test.id {
					a.ID = "id-" + strconv.Itoa(1_000_000+n)
				}
				yield(&a, nil)
			}
			took = (heap() - before) / lines
		}
		var s sheet
		if _, err := reconcile.Match(rowsOf(row("a", "2026-01-31")), actuals, reconcile.Options{AsOf: day("2026-01-10"), Through: day("2026-01-30")}, &s); err != nil {
			t.Fatal(err)
		}
		if took > test.most {
			t.Errorf("%s: %d bytes a line, at most %d", test.name, took, test.most)
		}
		t.Logf("%s: %d bytes a line", test.name, took)
	}
}
