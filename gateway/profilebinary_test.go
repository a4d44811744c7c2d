package gateway

import (
	"bytes"
	"math"
	"reflect"
	"testing"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
)

func binaryProfiles() map[string]Profile {
	day := calendar.MustParse
	stored := engine.Stored{
		Profile: engine.Profile{ID: "order-1", Start: day("2026-01-31"), Unit: calendar.UnitMonth, Interval: 1, Currency: "EUR"},
		State:   engine.State{Status: engine.StatusActive, Repeat: 7, RanThrough: day("2026-02-01")},
	}
	first := stored.Profile
	first.Interval = 2
	return map[string]Profile{
		"zero": {},
		"full": {
			ID: math.MaxUint64, Request: 1 << 40, Login: "m1", Row: math.MaxInt32, OrderID: "order-1",
			Card: Card{Masked: "411111******1111", Last4: "1111", Hash: "00ff"}, Columns: "city=K%C3%B6ln currency=EUR",
			Callback: "http://127.0.0.1:1/cb?token=\xff", Created: day("0001-01-01"), Stored: stored, First: &first,
			Next: day("9999-12-31"), Due: day("2026-02-28"),
		},
		"not updated": {ID: 1, Row: -1, Stored: stored, Created: day("2026-01-01")},
	}
}

// TestBinaryProfile: what is written is read again, and nothing of the bytes is kept.
func TestBinaryProfile(t *testing.T) {
	t.Parallel()
	for name, p := range binaryProfiles() {
		data, err := p.MarshalBinary()
		if err != nil {
			t.Fatal(name, err)
		}
		var got Profile
		if err := got.UnmarshalBinary(data); err != nil {
			t.Fatal(name, err)
		}
		clear(data)
		if !reflect.DeepEqual(got, p) {
			t.Errorf("%s: %+v, not %+v", name, got, p)
		}
	}
}

// TestBinaryProfileThatCannotBeWritten: a state that the form cannot carry is an error.
func TestBinaryProfileThatCannotBeWritten(t *testing.T) {
	t.Parallel()
	broken := engine.Profile{ID: "\xff"}
	for _, p := range []Profile{{Stored: engine.Stored{Profile: broken}}, {First: &broken}} {
		if data, err := p.MarshalBinary(); err == nil {
			t.Errorf("%q", data)
		}
	}
}

// TestDamagedBinaryProfile: every form that is cut short, or longer, of another version or with a length that
// leads out of it is an error that changes nothing; any other byte that is changed is no panic.
func TestDamagedBinaryProfile(t *testing.T) {
	t.Parallel()
	refused := func(data []byte) {
		t.Helper()
		got := Profile{OrderID: "as it was"}
		if err := got.UnmarshalBinary(data); err == nil || !reflect.DeepEqual(got, Profile{OrderID: "as it was"}) {
			t.Errorf("%q: %+v, %v", data, got, err)
		}
	}
	for _, p := range binaryProfiles() {
		data, err := p.MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		for n := range data {
			refused(data[:n])
		}
		refused(append(bytes.Clone(data), 0))
		for i := range data {
			for _, b := range []byte{0, 1, 0x7f, 0x80, 0xff} {
				changed := bytes.Clone(data)
				changed[i] = b
				_ = new(Profile).UnmarshalBinary(changed)
			}
		}
		for _, b := range []byte{0, profileForm + 1, '{'} {
			changed := bytes.Clone(data)
			changed[0] = b
			refused(changed)
		}
		huge := bytes.Repeat([]byte{0xff}, 9) // of a length: 2^64-1, and one with no end
		refused(append(append([]byte{profileForm}, huge...), append([]byte{1}, data...)...))
		refused(append(append([]byte{profileForm}, huge...), huge...))
	}
}
