package laws

import (
	"bytes"
	"math/big"
	"slices"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/fuzz/gen"
)

// portfolioLaws are the laws of many profiles.
func portfolioLaws() []Law {
	return []Law{
		law("O01", "2.2.5", "totals per date and currency = the sums over every profile's charges, those of a forecast and those of a walk", gen.Books, sumOfCharges),
		law("O02", "2.2.5", "Merge is associative and commutative, the empty book its identity: any parts, any order, the same bytes", gen.Books, anyParts).heavy(),
		law("O03", "2.1", "currencies are never added together", gen.Books, currenciesApart).heavy(),
		law("O04", "2.2.5", "totals by week, month, quarter, weekday = totals by day, added up; of a book = of its profiles, added up", gen.Books, periodsOfDays).heavy(),
		once("O05", "L32", "the work of a profile does not grow with the window, for fixed amounts, ranges and tails of sequences; with skip and a day 29–31 it is linear in the months walked", constantAdd).alone().prompt(),
		law("O06", "2.2.8", "a profile that never charges changes nothing; added twice, everything counts twice", gen.Books, addedTwice).heavy(),
		once("O07", "2.2.5", "exact beyond 64 bits of minor units, and refused before a count wraps", largestSums).prompt(),
		law("O08", "L36d", "min ≤ mean ≤ max; all three equal without ranges; charges = number of charge records", gen.Books, boundedBook).heavy(),
		law("O09", "2.2.5", "Load(Save(b)) = b; what is cut, damaged or of another version is refused; books of other scopes do not merge", gen.Books, savedWhole).heavy(),
		law("O12", "2.2.1", "a window divided at any day: totals of the parts = totals of the whole", gen.Books, dividedWindow).heavy(),
	}
}

// sameBookTotals compares two lists of totals, texts and all.
func sameBookTotals(t *T, what string, got, want []BookTotal) bool {
	if slices.EqualFunc(got, want, equalBookTotals) {
		return true
	}
	at := 0
	for at < len(got) && at < len(want) && equalBookTotals(got[at], want[at]) {
		at++
	}
	t.Errorf("%s: total %d of %d is %s\nwant %s, of %d", what, at+1, len(got), nthTotal(got, at), nthTotal(want, at), len(want))
	return false
}

// nthTotal is a total of a list in words.
func nthTotal(list []BookTotal, at int) string {
	if at >= len(list) {
		return "none"
	}
	b := list[at]
	text := b.Value + " in " + b.Currency + ": " + b.Approved.String()
	if b.Expired.Charges > 0 {
		text += "; after the card's expiry " + b.Expired.String()
	}
	if b.Declined.Charges > 0 {
		text += "; declined " + b.Declined.String()
	}
	if len(b.Draws) > 0 {
		text += "; with random amounts"
	}
	return text
}

func equalBookTotals(a, b BookTotal) bool {
	return a.Value == b.Value && a.Currency == b.Currency && slices.Equal(a.Draws, b.Draws) &&
		identical(a.Approved, b.Approved) && identical(a.Expired, b.Expired) && identical(a.Declined, b.Declined)
}

// identical totals have the same texts.
func identical(a, b Total) bool {
	return a.Charges == b.Charges && a.Min == b.Min && a.Max == b.Max && a.Mean == b.Mean
}

// sumOfCharges compares with the charges of each forecast, and with those of the day-by-day oracle.
func sumOfCharges(t *T, b gen.BookCase) {
	got := wholeBook(b, t).Totals(engine.ByDay)
	planned, err := ReferencePortfolios().NewBook(b.Scope)
	if err != nil {
		t.Errorf("the scope is refused by the reference: %v", err)
		return
	}
	for _, j := range b.Jobs {
		j.AsOf, j.Policy = b.Scope.AsOf, b.Scope.Policy
		expires := j.Profile.CardExpires
		for c := range forecast(j, t).Charges(b.Scope.Window) {
			c.CardExpired = !expires.IsZero() && c.Date.After(expires)
			_ = planned.AddCharge(j.Profile.Currency, c)
		}
	}
	for _, c := range b.Charges {
		_ = planned.AddCharge(c.Currency, c.Charge)
	}
	walked := wholeBook(b, &T{Impl: Impl{PortfolioImpl: ReferencePortfolios()}})
	if sameBookTotals(t, "against the walk", got, walked.Totals(engine.ByDay)) && !SameEntries(planned, walked) {
		sameBookTotals(t, "against the forecasts", got, planned.Totals(engine.ByDay))
	}
}

// anyParts merges the parts of the case in any order, among them empty ones.
func anyParts(t *T, b gen.BookCase) {
	whole := wholeBook(b, t)
	parts := merged(b, t, append(inParts(b, t), newBook(b, t)))
	sameBookTotals(t, "in parts", parts.Totals(engine.ByDay), whole.Totals(engine.ByDay))
	if isSupported(func() { whole.Save() }) && !bytes.Equal(parts.Save(), whole.Save()) {
		t.Errorf("%d parts come to other bytes than the whole", b.Parts)
	}
}

func currenciesApart(t *T, b gen.BookCase) {
	all := wholeBook(b, t).Totals(engine.ByMonth)
	for _, currency := range currencies(b) {
		alone := b
		alone.Jobs = slices.DeleteFunc(slices.Clone(b.Jobs), func(j gen.Job) bool { return j.Profile.Currency != currency })
		alone.Charges = slices.DeleteFunc(slices.Clone(b.Charges), func(c gen.BookCharge) bool { return c.Currency != currency })
		want := wholeBook(alone, t).Totals(engine.ByMonth)
		var got []BookTotal
		for _, total := range all {
			if total.Currency == currency {
				got = append(got, total)
			}
		}
		if !sameBookTotals(t, currency+" among others", got, want) {
			return
		}
		all = slices.DeleteFunc(all, func(total BookTotal) bool { return total.Currency == currency })
	}
	if len(all) > 0 {
		t.Errorf("totals of no currency of the case: %v", all)
	}
}

func boundedBook(t *T, b gen.BookCase) {
	var records uint64
	for _, j := range b.Jobs {
		j.AsOf, j.Policy = b.Scope.AsOf, b.Scope.Policy
		records += uint64(forecast(j, t).Count(b.Scope.Window))
	}
	for _, c := range b.Charges {
		if b.Scope.Window.Contains(c.Date) {
			records++
		}
	}
	for _, total := range wholeBook(b, t).Totals(engine.ByWeekday) {
		records -= total.Approved.Charges + total.Declined.Charges
		for _, part := range [...]Total{total.Approved, total.Expired, total.Declined} {
			low, high, mean := ratText(part.Min), ratText(part.Max), ratText(part.Mean)
			if low.Cmp(mean) > 0 || mean.Cmp(high) > 0 {
				t.Errorf("%v: %v", total.Value, part)
			}
		}
		if total.Expired.Charges > total.Approved.Charges {
			t.Errorf("%v: more charges after the expiry than charges", total)
		}
	}
	if records != 0 {
		t.Errorf("%d charge records are missing in the totals", int64(records))
	}
}

func ratText(text string) *big.Rat {
	x, _ := new(big.Rat).SetString(text)
	return x
}

// addedTwice adds a job that never charges, and everything a second time.
func addedTwice(t *T, b gen.BookCase) {
	once := wholeBook(b, t)
	never := gen.Job{Profile: gen.PlainProfile()}
	never.Profile.Start, never.Profile.Finish = b.Scope.AsOf.AddDays(1), b.Scope.AsOf
	if !never.Profile.Start.IsDay() {
		never.Profile.Start = calendar.Date{}
		never.Profile.Unit, never.Profile.Interval = calendar.UnitNone, 0
	}
	twice := wholeBook(b, t)
	addJob(b, t, twice, never)
	if !sameBookTotals(t, "with a profile that never charges", twice.Totals(engine.ByDay), once.Totals(engine.ByDay)) {
		return
	}
	if err := twice.Merge(once); err != nil {
		t.Errorf("a book of the same scope does not merge: %v", err)
		return
	}
	one, two := once.Totals(engine.ByDay), twice.Totals(engine.ByDay)
	if len(one) != len(two) {
		t.Errorf("%d totals, twice as many charges have %d", len(one), len(two))
		return
	}
	for i := range one {
		for _, pair := range [...][2]Total{{one[i].Approved, two[i].Approved}, {one[i].Expired, two[i].Expired}, {one[i].Declined, two[i].Declined}} {
			if !isTwice(pair[0], pair[1]) {
				t.Errorf("%v, added twice %v", one[i], two[i])
				return
			}
		}
	}
}

func isTwice(one, two Total) bool {
	double := func(a, b *big.Rat) bool { return new(big.Rat).Add(a, a).Cmp(b) == 0 }
	return 2*one.Charges == two.Charges && double(ratText(one.Min), ratText(two.Min)) && double(ratText(one.Max), ratText(two.Max)) &&
		double(ratText(one.Mean), ratText(two.Mean))
}

// largestSums doubles a book of the largest amounts until a count would pass 64 bits.
func largestSums(t *T) {
	from := gen.PlainDay()
	b := gen.BookCase{Scope: engine.Scope{AsOf: from, Window: calendar.Window{From: from, To: from.AddDays(100)}}}
	j := gen.Job{Profile: gen.PlainProfile()}
	j.Profile.Start, j.Profile.Unit, j.Profile.Amounts = from, calendar.UnitDay, amount.Fixed(gen.Largest())
	book := newBook(b, t)
	addJob(b, t, book, j)
	each, n := RatOf(gen.Largest()), new(big.Int).SetUint64(1)
	full := new(big.Int).Lsh(n, 64)
	for {
		list := book.Totals(engine.ByQuarter)
		charges := new(big.Int)
		for _, total := range list {
			count := new(big.Int).SetUint64(total.Approved.Charges)
			charges.Add(charges, count)
			want := new(big.Rat).Mul(each, new(big.Rat).SetInt(count))
			if total.Approved.Min != want.FloatString(2) || total.Approved.Max != total.Approved.Min {
				t.Errorf("%v: want a sum of %s", total, want.FloatString(2))
				return
			}
		}
		if want := new(big.Int).Mul(n, big.NewInt(100)); charges.Cmp(want) != 0 {
			t.Errorf("%v charges of %v", charges, want)
			return
		}
		if n.Lsh(n, 1).Cmp(full) > 0 {
			t.Errorf("a count of %v is accepted", charges)
			return
		}
		if err := book.Merge(book); err != nil {
			if new(big.Int).Mul(n, big.NewInt(100)).Cmp(full) < 0 {
				t.Errorf("%v charges twice are refused: %v", charges, err)
			}
			return
		}
	}
}

// constantAdd adds a profile to a book of ten weeks, and to one that reaches to the end of the
// calendar. The work is that of the second of two profiles, so that what a book needs once does not
// count.
func constantAdd(t *T) {
	from := gen.PlainDay()
	short := gen.Minor(1, 2)
	ranged, err := amount.Range(short, gen.Largest(), "EUR")
	if err != nil {
		panic(err)
	}
	for _, choice := range [...]amount.Choice{amount.Fixed(short), ranged, gen.SequenceOf([]amount.Amount{short, gen.Largest(), short})} {
		for _, unit := range [...]calendar.Unit{calendar.UnitDay, calendar.UnitWeek, calendar.UnitMonth} {
			work := func(to calendar.Date) Work {
				b := gen.BookCase{Scope: engine.Scope{AsOf: from, Window: calendar.Window{From: from, To: to}}}
				j := gen.Job{Profile: gen.PlainProfile()}
				j.Profile.Start, j.Profile.Unit, j.Profile.Amounts = from, unit, choice
				book := newBook(b, t)
				addJob(b, t, book, j)
				return WorkOf(t.Impl, func() { addJob(b, t, book, j) })
			}
			near, far := work(from.AddDays(70)), work(calendar.Date{})
			if far.Exceeds(10, near) {
				t.Errorf("by %v, %v: a profile takes %d steps and %d bytes in 8,000 years, %d and %d in ten weeks",
					unit, choice, far.Steps, far.Bytes, near.Steps, near.Bytes)
				return
			}
		}
	}
}
