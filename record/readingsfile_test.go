package record_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/internal/clause"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/record"
)

// TestReadingsFile: a file of readings is read as it was written, and one that is not is refused with line and column.
func TestReadingsFile(t *testing.T) {
	r, err := record.NewReadings(
		record.ObservedReading{Key: clause.L01, Value: 1, Profile: "rent \u202e31", Date: calendar.MustParse("2026-02-28")},
		record.ObservedReading{Key: clause.L22, Value: 1, Profile: "gym", Date: calendar.MustParse("9999-12-31")},
	)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range []record.Readings{{}, r} {
		text, err := record.AppendReadings([]byte("before"), r)
		if err != nil {
			t.Fatal(err)
		}
		text = text[len("before"):]
		back, err := record.ParseReadings(text)
		if err != nil || !back.Equal(r) {
			t.Errorf("%s\nis read as %v, %v", text, back, err)
		}
		for n := range len(text) - 1 { // cut anywhere but before its last line end
			if back, err := record.ParseReadings(text[:n]); err == nil || !back.IsZero() {
				t.Fatalf("the first %d bytes are read: %s", n, text[:n])
			}
		}
	}
	text, _ := record.AppendReadings(nil, r)
	_, err = record.ParseReadings([]byte(strings.Replace(string(text), `"2026-02-28"`, `"28.02.2026"`, 1)))
	if f, ok := errors.AsType[ledger.Finding](err); !ok || f.Place.Line != 9 || f.Place.Col != 17 || f.Subject != "date" {
		t.Errorf("a date in another form is %#v", err)
	}
	if _, err := record.NewReadings(record.ObservedReading{Key: clause.L01, Value: 9}); err == nil {
		t.Error("a value that its key lacks is a reading")
	}
	bad, _ := record.NewReadings(record.ObservedReading{Key: clause.L01, Profile: "a\xff"})
	if text, err := record.AppendReadings(nil, bad); err == nil || text != nil {
		t.Errorf("a name that is not UTF-8 is written: %s", text)
	}
}
