package vectortest

import (
	"cmp"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"testing"

	"github.com/chargecast/chargecast/fuzz/vector"
)

// A Lived is what came of a life.
type Lived struct {
	Rejected bool // the profile is refused; then the rest is not looked at
	Drawn    bool // a random amount was drawn, as a simulation does: a range then stands for one amount in it
	Charges  []vector.Charge
	Events   []vector.Event
	End      vector.End
}

// Life compares what came of a life with what must come of it: of the charges and of the end the members that the
// expectation has, of a script every event.
func Life(t *testing.T, l vector.Life, got Lived) {
	t.Helper()
	if d := lifeDifference(l, got); d != "" {
		t.Errorf("%s: %s", l.ID, d)
	}
}

// lifeDifference is the first difference in words; none for none.
func lifeDifference(l vector.Life, got Lived) string {
	if got.Rejected != l.Expect.Rejected {
		return fmt.Sprintf("rejected is %v, want %v", got.Rejected, l.Expect.Rejected)
	}
	if got.Rejected {
		return ""
	}
	charges, err1 := vector.DecodeAll[vector.Charge](l.Expect.Charges)
	events, err2 := vector.DecodeAll[vector.Event](l.Expect.Events)
	end, err3 := vector.Decode[vector.End](l.Expect.End)
	if err := errors.Join(err1, err2, err3); err != nil {
		return err.Error()
	}
	if l.Script != nil && !slices.Equal(got.Events, events) {
		return fmt.Sprintf("events\n got %v\nwant %v", got.Events, events)
	}
	if len(got.Charges) != len(charges) {
		return fmt.Sprintf("%d charges, want %d\n got %+v\nwant %+v", len(got.Charges), len(charges), got.Charges, charges)
	}
	for i, c := range charges {
		if !sameCharge(got.Charges[i], c, got.Drawn) {
			return fmt.Sprintf("charge %d\n got %+v\nwant %+v", i, got.Charges[i], c)
		}
	}
	if same, err := sameEnd(got.End, end); !same || err != nil {
		return fmt.Sprintf("the end is %s with repeat %d, stop %s; want %s with %d, %s (%v)",
			got.End.Status, got.End.Repeat, got.End.Stop, end.Status, end.Repeat, end.Stop, err)
	}
	return ""
}

func sameCharge(got, want vector.Charge, drawn bool) bool {
	return got.Repeat == want.Repeat && got.Date == want.Date && cmp.Or(got.Slot, got.Date) == cmp.Or(want.Slot, want.Date) &&
		(want.Kind == "" || got.Kind == want.Kind) && (want.Outcome == "" || got.Outcome == want.Outcome) && sameAmount(got, want, drawn)
}

// sameAmount compares by value; what is not an amount equals none.
func sameAmount(got, want vector.Charge, drawn bool) bool {
	low, high := got.Bounds()
	from, to := want.Bounds()
	least, least2 := rat(low), rat(from)
	most, most2 := rat(high), rat(to)
	if least == nil || least2 == nil || most == nil || most2 == nil {
		return false
	}
	if drawn {
		return least.Cmp(most) == 0 && least2.Cmp(least) <= 0 && most.Cmp(most2) <= 0
	}
	return least.Cmp(least2) == 0 && most.Cmp(most2) == 0
}

func rat(text string) *big.Rat {
	r, _ := new(big.Rat).SetString(text)
	return r
}

func sameEnd(got, want vector.End) (bool, error) {
	if got.Status != want.Status || got.Repeat != want.Repeat {
		return false, nil
	}
	if want.Stop == nil {
		return true, nil
	}
	a, err1 := vector.Decode[*vector.Stop](got.Stop)
	b, err2 := vector.Decode[*vector.Stop](want.Stop)
	if a == nil || b == nil {
		return a == b, errors.Join(err1, err2)
	}
	return a.Date == b.Date && slices.Equal(a.Reasons, b.Reasons), nil
}

// Payload compares every problem with its severity, and with its column where one is expected, in any order, and how
// many rows there are and can be used.
func Payload(t *testing.T, p vector.Payload, got vector.PayloadExpectation) {
	t.Helper()
	if !samePayload(got, p.Expect) {
		t.Errorf("\n got %+v\nwant %+v", got, p.Expect)
	}
}

func samePayload(got, want vector.PayloadExpectation) bool {
	byCode := func(a, b vector.Problem) int {
		return cmp.Or(cmp.Compare(a.Code, b.Code), cmp.Compare(a.Column, b.Column))
	}
	found, all := slices.SortedFunc(slices.Values(got.Problems), byCode), slices.SortedFunc(slices.Values(want.Problems), byCode)
	return got.Valid == want.Valid && got.Rows == want.Rows && slices.EqualFunc(found, all, func(a, b vector.Problem) bool {
		return a.Severity == b.Severity && a.Code == b.Code && (b.Column == "" || a.Column == b.Column)
	})
}

// Refused compares a refusal with an expected one: its code, and the offset of the fault, where they are given. An empty
// code is none, which is a failure.
func Refused(t *testing.T, v vector.Vector, code string, offset int64) {
	t.Helper()
	want := Expect[struct {
		Code   string
		Offset *int64
	}](t, v)
	if code == "" || want.Code != "" && code != want.Code || want.Offset != nil && offset != *want.Offset {
		t.Errorf("refused with %q at %d, want %s", code, offset, v.Expect)
	}
}

// Code compares the code of an error with an expected one; the empty code is no error.
func Code(t *testing.T, v vector.Vector, code string) {
	t.Helper()
	Same(t, "code", code, Expect[struct{ Code string }](t, v).Code)
}
