package laws

import (
	"bytes"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/gen"
	"github.com/chargecast/chargecast/internal/oracle"
)

// portfolioLaws are the laws of many profiles.
func portfolioLaws() []Law {
	return []Law{
		own("O01", "2.2.5", "totals per date and currency = the sums over every profile's charges, those of a forecast and those of a walk", gen.Books, sumOfCharges),
		own("O02", "2.2.5", "Merge is associative and commutative, the empty book its identity: any parts, any order, the same bytes", gen.Books, anyParts).heavy(),
		own("O04", "2.2.5", "totals by week, month, quarter, weekday = totals by day, added up; of a book = of its profiles, added up", gen.Books, periodsOfDays).heavy(),
		own("O06", "2.2.8", "a profile that never charges changes nothing; added twice, everything counts twice", gen.Books, addedTwice).heavy(),
		ownOnce("O07", "2.2.5", "exact beyond 64 bits of minor units, and refused before a count wraps", largestSums).prompt(),
		own("O08", "L36d", "min ≤ mean ≤ max; all three equal without ranges; charges = number of charge records", gen.Books, boundedBook).heavy(),
		own("O09", "2.2.5", "Load(Save(b)) = b, which takes more; what is cut is refused; books of other scopes do not merge", gen.Books, savedWhole).heavy(),
		own("O12", "2.2.1", "a window divided at any day: totals of the parts = totals of the whole", gen.Books, dividedWindow).heavy(),
	}
}

// sumOfCharges compares with the charges of each forecast, and with those of the day-by-day oracle.
func sumOfCharges(t *T, b gen.BookCase) {
	got := t.wholeBook(b).Totals(engine.ByDay)
	planned, err := referenceBooks().NewBook(b.Policy, b.Scope)
	if err != nil {
		t.Fatalf("the scope is refused by the reference: %v", err)
	}
	for _, j := range b.Jobs {
		expires := j.Profile.CardExpires
		for c := range t.forecast(j).Charges(b.Scope.Window) {
			c.CardExpired = !expires.IsZero() && c.Date.After(expires)
			_ = planned.AddCharge(j.Profile.Currency, c)
		}
	}
	for _, c := range b.Charges {
		_ = planned.AddCharge(c.Currency, c.Charge)
	}
	walked := (&T{Impl: Impl{BookImpl: referenceBooks()}}).wholeBook(b)
	if t.Equal("against the walk", got, walked.Totals(engine.ByDay)) && !sameEntries(planned, walked) {
		t.Equal("against the forecasts", got, planned.Totals(engine.ByDay))
	}
}

// anyParts merges the parts of the case in any order, among them empty ones.
func anyParts(t *T, b gen.BookCase) {
	whole := t.wholeBook(b)
	parts := t.merged(b, append(t.inParts(b), t.newBook(b)))
	t.Equal("in parts", parts.Totals(engine.ByDay), whole.Totals(engine.ByDay))
	if t.can(func() { whole.Save() }) && !bytes.Equal(parts.Save(), whole.Save()) {
		t.Errorf("%d parts come to other bytes than the whole", b.Parts)
	}
}

func boundedBook(t *T, b gen.BookCase) {
	var records uint64
	for _, j := range b.Jobs {
		records += uint64(t.forecast(j).Count(b.Scope.Window))
	}
	for _, c := range b.Charges {
		if b.Scope.Window.Contains(c.Date) {
			records++
		}
	}
	for _, total := range t.wholeBook(b).Totals(engine.ByWeekday) {
		records -= total.Approved.Charges + total.Declined.Charges
		for _, part := range total.parts() {
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
	once := t.wholeBook(b)
	never := gen.Job{Profile: gen.PlainProfile()}
	never.Profile.Start, never.Profile.Finish = b.Scope.AsOf.AddDays(1), b.Scope.AsOf
	if !never.Profile.Start.IsDay() {
		never.Profile.Start = calendar.Date{}
		never.Profile.Unit, never.Profile.Interval = calendar.UnitNone, 0
	}
	twice := t.wholeBook(b)
	t.addJob(twice, never)
	if !t.Equal("with a profile that never charges", twice.Totals(engine.ByDay), once.Totals(engine.ByDay)) {
		return
	}
	if err := twice.Merge(once); err != nil {
		t.Fatalf("a book of the same scope does not merge: %v", err)
	}
	one, two := once.Totals(engine.ByDay), twice.Totals(engine.ByDay)
	if len(one) != len(two) {
		t.Fatalf("%d totals, twice as many charges have %d", len(one), len(two))
	}
	for i := range one {
		for k, part := range one[i].parts() {
			if !isTwice(part, two[i].parts()[k]) {
				t.Fatalf("%v, added twice %v", one[i], two[i])
			}
		}
	}
}

func isTwice(one, two Total) bool {
	double := func(a, b *big.Rat) bool { return new(big.Rat).Add(a, a).Cmp(b) == 0 }
	return 2*one.Charges == two.Charges && double(ratText(one.Min), ratText(two.Min)) && double(ratText(one.Max), ratText(two.Max)) &&
		double(ratText(one.Mean), ratText(two.Mean))
}

// largest is the largest amount of the type.
var largest = gen.Minor(math.MaxInt64, 2)

// largestSums doubles a book of the largest amounts until a count would pass 64 bits.
func largestSums(t *T) {
	from := gen.PlainDay()
	b := gen.BookCase{Scope: engine.Scope{AsOf: from, Window: calendar.Window{From: from, To: from.AddDays(100)}}}
	j := gen.Job{Profile: gen.PlainProfile()}
	j.Profile.Start, j.Profile.Unit, j.Profile.Amounts = from, calendar.UnitDay, amount.Fixed(largest)
	book := t.newBook(b)
	t.addJob(book, j)
	each, n := decimalOf(largest).Rat(), new(big.Int).SetUint64(1)
	full := new(big.Int).Lsh(n, 64)
	for {
		list := book.Totals(engine.ByQuarter)
		charges := new(big.Int)
		for _, total := range list {
			count := new(big.Int).SetUint64(total.Approved.Charges)
			charges.Add(charges, count)
			want := new(big.Rat).Mul(each, new(big.Rat).SetInt(count))
			if total.Approved.Min != want.FloatString(2) || total.Approved.Max != total.Approved.Min {
				t.Fatalf("%v: want a sum of %s", total, want.FloatString(2))
			}
		}
		if want := new(big.Int).Mul(n, big.NewInt(100)); charges.Cmp(want) != 0 {
			t.Fatalf("%v charges of %v", charges, want)
		}
		if n.Lsh(n, 1).Cmp(full) > 0 {
			t.Fatalf("a count of %v is accepted", charges)
		}
		if err := book.Merge(book); err != nil {
			if new(big.Int).Mul(n, big.NewInt(100)).Cmp(full) < 0 {
				t.Errorf("%v charges twice are refused: %v", charges, err)
			}
			return
		}
	}
}

// newBook is an empty book of the case's scope.
func (t *T) newBook(b gen.BookCase) Book {
	book, err := t.NewBook(b.Policy, b.Scope)
	if err != nil {
		t.Fatalf("the scope is refused: %v", err)
	}
	return book
}

// wholeBook is the book of the whole case.
func (t *T) wholeBook(b gen.BookCase) Book {
	book := t.newBook(b)
	for _, j := range b.Jobs {
		t.addJob(book, j)
	}
	for _, c := range b.Charges {
		t.addCharge(book, c)
	}
	return book
}

func (t *T) addJob(book Book, j gen.Job) {
	if err := book.Add(j); err != nil {
		t.Errorf("%v: a profile is refused: %v", gen.PlanCase{Job: j}, err)
	}
}

func (t *T) addCharge(book Book, c gen.BookCharge) {
	if err := book.AddCharge(c.Currency, c.Charge); err != nil {
		t.Errorf("a charge is refused: %v", err)
	}
}

// inParts is the case divided into books, each profile and charge in one of them at random.
func (t *T) inParts(b gen.BookCase) []Book {
	r := rand.New(gen.NewSource("parts", b.Seed, 0))
	list := make([]Book, b.Parts)
	for i := range list {
		list[i] = t.newBook(b)
	}
	for _, i := range r.Perm(len(b.Jobs)) {
		t.addJob(list[r.IntN(len(list))], b.Jobs[i])
	}
	for _, i := range r.Perm(len(b.Charges)) {
		t.addCharge(list[r.IntN(len(list))], b.Charges[i])
	}
	return list
}

// merged merges books in pairs at random, until one is left.
func (t *T) merged(b gen.BookCase, list []Book) Book {
	r := rand.New(gen.NewSource("merges", b.Seed, 1))
	for len(list) > 1 {
		r.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
		if err := list[0].Merge(list[1]); err != nil {
			t.Errorf("parts of one scope do not merge: %v", err)
			break
		}
		list = slices.Delete(list, 1, 2)
	}
	return list[0]
}

// savedWhole saves a book, reads it back, and cuts it.
func savedWhole(t *T, b gen.BookCase) {
	book := t.wholeBook(b)
	form := book.Save()
	back, err := t.LoadBook(form)
	if err != nil {
		t.Fatalf("a saved book is not read back: %v", err)
	}
	if !bytes.Equal(back.Save(), form) {
		t.Errorf("a book that was read back is saved in other bytes")
	}
	t.Equal("read back", back.Totals(engine.ByDay), book.Totals(engine.ByDay))
	if err := back.Merge(book); err != nil {
		t.Errorf("a book that was read back does not merge: %v", err)
	}
	twice := t.merged(b, []Book{t.wholeBook(b), book})
	t.Equal("read back and merged", back.Totals(engine.ByWeekday), twice.Totals(engine.ByWeekday))
	r := gen.ChooserOf(b.Seed)
	if _, err := t.LoadBook(form[:r.Below(len(form))]); err == nil {
		t.Errorf("a form that is cut is read")
	}
	for i, other := range otherScopes(b) {
		if i%4 != int(b.Seed%4) {
			continue // they are many, and each comes in time
		}
		stranger, err := t.NewBook(other.policy, other.scope)
		if err != nil {
			continue // such as past the end of the calendar
		}
		if stranger.Merge(book) == nil || book.Merge(stranger) == nil {
			t.Errorf("books with another %s merge", other.what)
		}
	}
}

// An otherScope differs from that of a case in one thing.
type otherScope struct {
	what   string
	policy engine.Policy
	scope  engine.Scope
}

func otherScopes(b gen.BookCase) []otherScope {
	day, window, draws, explain := b.Scope, b.Scope, b.Scope, b.Scope
	day.AsOf = gen.Moved(day.AsOf, 1)
	if day.AsOf == b.Scope.AsOf {
		day.AsOf = gen.Moved(day.AsOf, -1)
	}
	window.Window.To = calendar.Date{}
	draws.Draws = !draws.Draws
	explain.Explain = !explain.Explain
	list := []otherScope{{"as-of", b.Policy, day}, {"window", b.Policy, window}, {"draws", b.Policy, draws}, {"explain", b.Policy, explain}}
	for c := range engine.Keys() {
		other := b.Policy.WithReading(c, 0)
		if other == b.Policy {
			other = b.Policy.WithReading(c, 1)
		}
		list = append(list, otherScope{c.Key(), other, b.Scope})
	}
	return list
}

func dividedWindow(t *T, b gen.BookCase) {
	whole := t.wholeBook(b).Totals(engine.ByDay)
	w := b.Scope.Window
	r := gen.ChooserOf(b.Seed)
	cut := w.First().AddDays(r.In(0, max(0, w.Last().Sub(w.First()))))
	front, back := b, b
	front.Scope.Window.To, back.Scope.Window.From = cut, cut
	var parts []BookTotal
	if !cut.IsZero() && !w.IsEmpty() {
		parts = append(t.wholeBook(front).Totals(engine.ByDay), t.wholeBook(back).Totals(engine.ByDay)...)
	}
	t.Equal("divided on "+cut.String(), parts, whole)
}

// periodsOfDays adds up the days of each period of one kind, and the profiles of each month.
func periodsOfDays(t *T, b gen.BookCase) {
	whole := t.wholeBook(b)
	days := whole.Totals(engine.ByDay)
	by := [...]engine.By{engine.ByWeek, engine.ByMonth, engine.ByQuarter, engine.ByWeekday}[b.Seed%4]
	inPeriods := addedUp(days, func(day string) string { return periodOf(calendar.MustParse(day), by) })
	if !t.Equal("by "+by.String(), whole.Totals(by), inPeriods) {
		return
	}
	var each []BookTotal
	for i := range b.Jobs {
		one := b
		one.Jobs, one.Charges = b.Jobs[i:i+1], nil
		each = append(each, t.wholeBook(one).Totals(engine.ByMonth)...)
	}
	rest := b
	rest.Jobs = nil
	each = append(each, t.wholeBook(rest).Totals(engine.ByMonth)...)
	t.Equal("profile by profile", whole.Totals(engine.ByMonth), addedUp(each, func(month string) string { return month }))
}

// totalToOracle reads the texts of a total.
func totalToOracle(t Total) *oracle.Total {
	low, ok := oracle.ParseDecimal(t.Min)
	high, fits := oracle.ParseDecimal(t.Max)
	if !ok || !fits {
		panic("a total that is no number of digits")
	}
	return &oracle.Total{Charges: t.Charges, Min: low, Max: high}
}

// A bookSum is a total of a book as numbers.
type bookSum struct {
	of   BookTotal       // its value, currency and draws
	sums [3]oracle.Total // of its parts
}

// addedUp are totals added up by period and currency.
func addedUp(list []BookTotal, period func(value string) string) []BookTotal {
	cells := map[[2]string]*bookSum{}
	for _, total := range list {
		at := [2]string{period(total.Value), total.Currency}
		if cells[at] == nil {
			cells[at] = &bookSum{of: BookTotal{Value: at[0], Currency: at[1]}}
		}
		cell := cells[at]
		for i, part := range total.parts() {
			cell.sums[i].AddTotal(totalToOracle(part))
		}
		cell.of.Draws = bothDraws(cell.of.Draws, total.Draws)
	}
	var sums []BookTotal
	for _, cell := range cells {
		t := cell.of
		t.Approved, t.Expired, t.Declined = totalFromOracle(&cell.sums[0]), totalFromOracle(&cell.sums[1]), totalFromOracle(&cell.sums[2])
		sums = append(sums, t)
	}
	slices.SortFunc(sums, inOrderOfPeriod)
	return sums
}

// parts are the totals of a total of a book.
func (b BookTotal) parts() [3]Total { return [...]Total{b.Approved, b.Expired, b.Declined} }

func bothDraws(a, b []amount.Draws) []amount.Draws {
	list := slices.Clone(a)
	for _, d := range b {
		i := slices.IndexFunc(list, func(o amount.Draws) bool { return inOrderOfDraws(o, d) == 0 })
		if i < 0 {
			list = append(list, d)
			continue
		}
		list[i].Charges += d.Charges
	}
	slices.SortFunc(list, inOrderOfDraws)
	return list
}
