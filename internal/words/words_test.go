package words_test

import (
	"testing"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/words"
)

func sums(n uint64, low, high string) amount.Total {
	s := amount.Total{Charges: n}
	s.Min.Add(amount.MustParse(low))
	s.Max.Add(amount.MustParse(high))
	return s
}

func TestSums(t *testing.T) {
	for _, c := range []struct {
		reason string
		sums   amount.Total
		want   string
	}{
		{"none", amount.Total{}, "no charge"},
		{"one, without a plural", sums(1, "9.90", "9.90"), "1 charge 9.90"},
		{"equal bounds written differently are one", sums(2, "1.5", "1.50"), "2 charges 1.5"},
		{"random amounts have a mean", sums(3, "1.00", "2.01"), "3 charges 1.00 to 2.01, mean 1.505"},
	} {
		if got := words.Sums(c.sums); got != c.want {
			t.Errorf("%s: %q", c.reason, got)
		}
	}
}

func TestDeclinedAndExpired(t *testing.T) {
	tally := amount.Tally{Total: sums(2, "3.00", "3.00")}
	if got := words.DeclinedAndExpired(&tally); got != "" {
		t.Errorf("nothing besides: %q", got)
	}
	tally.CardExpired, tally.Declined = sums(1, "1.00", "1.00"), sums(1, "2.00", "2.00")
	if got := words.DeclinedAndExpired(&tally); got != "; of which 1 charge 1.00 after the card's expiry; declined 1 charge 2.00" {
		t.Errorf("%q", got)
	}
}

func TestOtherReadings(t *testing.T) {
	var p engine.Policy
	if got := words.OtherReadings(p); got != "" {
		t.Errorf("the default policy: %q", got)
	}
	p.MonthEnd, p.MaxCounts = calendar.MonthEndSkip, engine.MaxCountsRepeatsAfterFirst
	if got := words.OtherReadings(p); got != "month-end=skip, max-counts=repeats-after-first" {
		t.Errorf("%q", got)
	}
}

func TestAppendDay(t *testing.T) {
	for _, d := range []calendar.Date{calendar.MinDate(), calendar.MustParse("2026-01-31"), calendar.MaxDate()} {
		if got := words.AppendDay(nil, d); len(got) != 14 {
			t.Errorf("%q has %d characters", got, len(got))
		}
	}
}

func TestUnreadExpiry(t *testing.T) {
	var u words.UnreadExpiry
	if got := u.String(); got != "" {
		t.Errorf("none: %q", got)
	}
	for range 7 {
		u.Add("a")
	}
	if got := u.String(); got != "7 profiles' expiry cannot be read: not in the list of cards (a, a, a, a, a, …)" {
		t.Errorf("%q", got)
	}
}
