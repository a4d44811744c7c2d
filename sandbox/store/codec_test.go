package store

import (
	"bytes"
	"math"
	"reflect"
	"testing"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/gateway"
	"github.com/chargecast/chargecast/internal/clause"
	"github.com/chargecast/chargecast/ledger"
)

// binaryRecords are pointers to records with a binary form.
func binaryRecords() map[string]any {
	day := calendar.MustParse
	stored := engine.Stored{
		Profile: engine.Profile{ID: "order-1", Start: day("2026-01-31"), Unit: calendar.UnitMonth, Interval: 1, Currency: "EUR"},
		State:   engine.State{Status: engine.StatusActive, Repeat: 7, RanThrough: day("2026-02-01")},
	}
	first := stored.Profile
	first.Interval = 2
	return map[string]any{
		"no profile": &gateway.Profile{},
		"a profile with all": &gateway.Profile{
			ID: math.MaxUint64, Request: 1 << 40, Login: "m1", Row: math.MaxInt32, ClientOrderID: "order-1",
			Card: gateway.Card{Masked: "411111******1111", Last4: "1111", Hash: "00ff"}, Columns: "city=K\xf6ln%20 currency=EUR",
			Callback: "http://127.0.0.1:1/cb?token=\xff", CallbackTo: []byte{0, 255}, Private: "3:00ff", Created: day("0001-01-01"), Stored: stored, First: &first,
			Next: day("9999-12-31"), Due: day("2026-02-28"),
		},
		"a profile without an update": &gateway.Profile{ID: 1, Row: -1, Stored: stored, Created: day("2026-01-01")},
		"no charge":                   &gateway.Charge{},
		"a charge with all": &gateway.Charge{
			ID: math.MaxUint64, Profile: 1 << 40, Login: "m1", ClientOrderID: "Köln \x00", Currency: "EUR", Callback: "http://127.0.0.1:1/cb?token=***",
			Charge: engine.Charge{
				Repeat: math.MaxUint64, Slot: day("2026-01-30"), Date: day("2026-01-31"), Min: amount.MustParse("1.50"), Max: amount.MustParse("9999999999.99"),
				Manual: true, Nth: 3, Outcome: engine.OutcomeDeclined, CardExpired: true, Because: ledger.On(clause.Doc221, clause.L36d, clause.X8),
			},
		},
		"a manual charge": &gateway.Charge{ID: 1, Charge: engine.Charge{Manual: true, Min: amount.MustParse("0.001"), Max: amount.MustParse("2")}},
	}
}

// binaryOf returns the binary form of a record.
func binaryOf(t *testing.T, record any) []byte {
	t.Helper()
	data, err := encode(record)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// emptyOf returns a pointer to a zero record of a kind.
func emptyOf(record any) any {
	return reflect.New(reflect.TypeOf(record).Elem()).Interface()
}

// TestBinaryRecordsAreFull: those with all have a value in each field, so that no test misses one.
func TestBinaryRecordsAreFull(t *testing.T) {
	t.Parallel()
	full := func(record any) {
		v := reflect.Indirect(reflect.ValueOf(record))
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() && v.Field(i).IsZero() {
				t.Errorf("%T.%s has no value", record, v.Type().Field(i).Name)
			}
		}
	}
	records := binaryRecords()
	profile, charge := records["a profile with all"].(*gateway.Profile), records["a charge with all"].(*gateway.Charge)
	full(profile)
	full(profile.Card)
	full(charge)
	full(charge.Charge)
}

// TestBinaryForms: what is written is read again, and nothing of the bytes is kept.
func TestBinaryForms(t *testing.T) {
	t.Parallel()
	for name, record := range binaryRecords() {
		data, got := binaryOf(t, record), emptyOf(record)
		if err := decode(data, got); err != nil {
			t.Fatal(name, err)
		}
		clear(data)
		if !reflect.DeepEqual(got, record) {
			t.Errorf("%s: %+v, not %+v", name, got, record)
		}
	}
}

// TestBinaryFormsRefuse: what the form cannot carry is an error.
func TestBinaryFormsRefuse(t *testing.T) {
	t.Parallel()
	broken := engine.Profile{ID: "\xff"}
	for _, record := range []any{
		&gateway.Profile{Stored: engine.Stored{Profile: broken}}, &gateway.Profile{First: &broken}, &gateway.Charge{Charge: engine.Charge{Outcome: 9}},
	} {
		if data, err := encode(record); err == nil {
			t.Errorf("%q", data)
		}
	}
}

// TestDamagedBinaryForms: every form that is cut short, or longer, of another version or with a
// length that leads out of it is an error that changes nothing; another changed byte never causes a
// panic.
func TestDamagedBinaryForms(t *testing.T) {
	t.Parallel()
	huge := bytes.Repeat([]byte{0xff}, 9) // of a length: 2^64-1 with a 1 behind, and one with no end
	for name, record := range binaryRecords() {
		refused := func(data []byte) {
			t.Helper()
			got := emptyOf(record)
			if err := decode(data, got); err == nil || !reflect.DeepEqual(got, emptyOf(record)) {
				t.Errorf("%s, %q: %+v, %v", name, data, got, err)
			}
		}
		data := binaryOf(t, record)
		for n := range data {
			refused(data[:n])
		}
		refused(append(bytes.Clone(data), 0))
		for i := range data {
			for _, b := range []byte{0, 1, 0x7f, 0x80, 0xff} {
				changed := bytes.Clone(data)
				changed[i] = b
				_ = decode(changed, emptyOf(record))
			}
		}
		for _, b := range []byte{0, 3, '{'} {
			changed := bytes.Clone(data)
			changed[0] = b
			refused(changed)
		}
		for _, behind := range [][]byte{append([]byte{1}, data...), huge} {
			refused(bytes.Join([][]byte{data[:1], huge, behind}, nil))
			refused(bytes.Join([][]byte{data[:2], huge, behind}, nil))
		}
	}
	charge := binaryOf(t, &gateway.Charge{})
	charge[1] = 4 // an unknown flag
	if decode(charge, new(gateway.Charge)) == nil {
		t.Error("an unknown flag is taken")
	}
	charge = append(binaryOf(t, &gateway.Charge{})[:len(charge)-1], 3, 'L', '9', '9') // no such entry
	if decode(charge, new(gateway.Charge)) == nil {
		t.Error("an unknown entry of the ledger is taken")
	}
}
