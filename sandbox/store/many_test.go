package store_test

import (
	"os"
	"strconv"
	"testing"

	"github.com/chargecast/chargecast/internal/storetest"
)

// TestManyProfilesDueOnOneDay: a day charges each of them once, in order, and so does the next day
// after the store was opened again. CHARGECAST_PROFILES sets another number.
func TestManyProfilesDueOnOneDay(t *testing.T) {
	t.Parallel()
	profiles := 2_500 // several pages of the day's run
	if text := os.Getenv("CHARGECAST_PROFILES"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil {
			t.Fatal(err)
		}
		profiles = n
	}
	storetest.RunDay(t, maker("many.db"), profiles)
}
