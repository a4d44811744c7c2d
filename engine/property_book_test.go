package engine_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/gen"
	"github.com/chargecast/chargecast/internal/kit/plain"
	"github.com/chargecast/chargecast/internal/oracle"
)

// TestSumOfCharges: totals by date and currency are the sums over every profile's charges, those of a forecast and those of a walk
// (2.2.5).
func TestSumOfCharges(t *testing.T) { holds(t, 100, Books, sumOfCharges) }

// TestAnyParts: Merge is associative and commutative, the empty book its identity: any parts in any order make the same bytes
// (2.2.5).
func TestAnyParts(t *testing.T) { holds(t, 100, Books, anyParts) }

// TestPeriodsOfDays: totals by week, month, quarter and weekday are those by day, added up; those of a book are those of its
// profiles (2.2.5).
func TestPeriodsOfDays(t *testing.T) { holds(t, 100, Books, periodsOfDays) }

// TestAddedTwice: a profile that never charges changes nothing; added twice, everything counts twice (2.2.8).
func TestAddedTwice(t *testing.T) { holds(t, 100, Books, addedTwice) }

// TestLargestSums: sums are exact beyond 64 bits of minor units, and refused before a count wraps (2.2.5).
func TestLargestSums(t *testing.T) {
	holds(t, 1, func(gen.Chooser) struct{} { return struct{}{} }, largestSums)
}

// TestBoundedBook: min ≤ mean ≤ max, all three equal without ranges; charges is the number of charge records (L36d).
func TestBoundedBook(t *testing.T) { holds(t, 100, Books, boundedBook) }

// TestSavedWhole: a book that is read back is the book, and takes more; what is cut is refused; books of other scopes do not merge
// (2.2.5).
func TestSavedWhole(t *testing.T) { holds(t, 100, Books, savedWhole) }

// TestDividedWindow: of a window that is divided at any day, the totals of the parts are those of the whole (2.2.1).
func TestDividedWindow(t *testing.T) { holds(t, 100, Books, dividedWindow) }

// sumOfCharges compares with the charges of each forecast, and with those of the day-by-day oracle.
func sumOfCharges(t *prop, b BookCase) {
	got := t.wholeBook(b).Totals(engine.ByDay)
	planned, err := referenceBook(b.Policy, b.Scope)
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
	walked := (&prop{t.Report, referenceBook}).wholeBook(b)
	if t.Equal("against the walk", got, walked.Totals(engine.ByDay)) && !sameEntries(planned, walked) {
		t.Equal("against the forecasts", got, planned.Totals(engine.ByDay))
	}
}

// anyParts merges the parts of the case in any order, among them empty ones.
func anyParts(t *prop, b BookCase) {
	whole := t.wholeBook(b)
	parts := t.merged(b, append(t.inParts(b), t.newBook(b)))
	t.Equal("in parts", parts.Totals(engine.ByDay), whole.Totals(engine.ByDay))
	if !bytes.Equal(parts.Save(), whole.Save()) {
		t.Errorf("%d parts come to other bytes than the whole", b.Parts)
	}
}

func boundedBook(t *prop, b BookCase) {
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
func addedTwice(t *prop, b BookCase) {
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

func isTwice(one, two plain.Total) bool {
	double := func(a, b *big.Rat) bool { return new(big.Rat).Add(a, a).Cmp(b) == 0 }
	return 2*one.Charges == two.Charges && double(ratText(one.Min), ratText(two.Min)) && double(ratText(one.Max), ratText(two.Max)) &&
		double(ratText(one.Mean), ratText(two.Mean))
}

// largest is the largest amount of the type.
var largest = gen.Minor(math.MaxInt64, 2)

// largestSums doubles a book of the largest amounts until a count would pass 64 bits.
func largestSums(t *prop, _ struct{}) {
	from := gen.PlainDay()
	b := BookCase{Scope: engine.Scope{AsOf: from, Window: calendar.Window{From: from, To: from.AddDays(100)}}}
	j := gen.Job{Profile: gen.PlainProfile()}
	j.Profile.Start, j.Profile.Unit, j.Profile.Amounts = from, calendar.UnitDay, amount.Fixed(largest)
	book := t.newBook(b)
	t.addJob(book, j)
	each, n := plain.DecimalOf(largest).Rat(), new(big.Int).SetUint64(1)
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
func (t *prop) newBook(b BookCase) Book {
	make := engineBook
	if t.books != nil {
		make = t.books
	}
	book, err := make(b.Policy, b.Scope)
	if err != nil {
		t.Fatalf("the scope is refused: %v", err)
	}
	return book
}

// wholeBook is the book of the whole case.
func (t *prop) wholeBook(b BookCase) Book {
	book := t.newBook(b)
	for _, j := range b.Jobs {
		t.addJob(book, j)
	}
	for _, c := range b.Charges {
		t.addCharge(book, c)
	}
	return book
}

func (t *prop) addJob(book Book, j gen.Job) {
	if err := book.Add(j); err != nil {
		t.Errorf("%v: a profile is refused: %v", gen.PlanCase{Job: j}, err)
	}
}

func (t *prop) addCharge(book Book, c BookCharge) {
	if err := book.AddCharge(c.Currency, c.Charge); err != nil {
		t.Errorf("a charge is refused: %v", err)
	}
}

// inParts is the case divided into books, each profile and charge in one of them at random.
func (t *prop) inParts(b BookCase) []Book {
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
func (t *prop) merged(b BookCase, list []Book) Book {
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
func savedWhole(t *prop, b BookCase) {
	book := t.wholeBook(b)
	form := book.Save()
	back, err := loadBook(form)
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
	if _, err := loadBook(form[:r.Below(len(form))]); err == nil {
		t.Errorf("a form that is cut is read")
	}
	for i, other := range otherScopes(b) {
		if i%4 != int(b.Seed%4) {
			continue // they are many, and each comes in time
		}
		stranger, err := engineBook(other.policy, other.scope)
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

func otherScopes(b BookCase) []otherScope {
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

func dividedWindow(t *prop, b BookCase) {
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
func periodsOfDays(t *prop, b BookCase) {
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
func totalToOracle(t plain.Total) *oracle.Total {
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
		t.Approved, t.Expired, t.Declined = plain.TotalFromOracle(&cell.sums[0]), plain.TotalFromOracle(&cell.sums[1]), plain.TotalFromOracle(&cell.sums[2])
		sums = append(sums, t)
	}
	slices.SortFunc(sums, inOrderOfPeriod)
	return sums
}

// parts are the totals of a total of a book.
func (b BookTotal) parts() [3]plain.Total { return [...]plain.Total{b.Approved, b.Expired, b.Declined} }

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

var errReference = errors.New("refused by the reference")

// lastDay is the last day of a window, as the oracle counts.
func lastDay(w calendar.Window) oracle.Day {
	if w.To.IsZero() {
		return oracle.Last
	}
	return gen.DayNumber(w.To) - 1
}

// An entry is one charge in the books of the reference.
type entry struct {
	currency string
	date     calendar.Date
	low      amount.Amount
	high     amount.Amount
	declined bool
	expired  bool
}

// entries are a list of charges: a book that keeps every single one.
type entries struct {
	policy engine.Policy
	scope  engine.Scope
	list   []entry
}

// referenceBook is one of books of single charges, which the day-by-day oracle makes.
func referenceBook(p engine.Policy, s engine.Scope) (Book, error) {
	if s.AsOf.IsZero() {
		return Book{}, errReference
	}
	return (&entries{policy: p, scope: s}).book(), nil
}

func (e *entries) book() Book {
	return Book{
		Add: e.add,
		AddCharge: func(currency string, c engine.Charge) error {
			e.note(entry{currency, c.Date, c.Min, c.Max, c.Outcome == engine.OutcomeDeclined, c.CardExpired})
			return nil
		},
		Merge: func(o Book) error {
			if other := o.Self.(*entries); other.scope != e.scope || other.policy != e.policy {
				return errReference
			}
			e.list = append(e.list, o.Self.(*entries).list...)
			return nil
		},
		Totals: e.totals,
		Self:   e,
	}
}

func (e *entries) note(one entry) {
	if e.scope.Window.Contains(one.date) {
		e.list = append(e.list, one)
	}
}

// add lives through the days of the window.
func (e *entries) add(j gen.Job) error {
	j.AsOf, j.Policy = e.scope.AsOf, e.policy
	m := gen.MachineOf(j, oracle.Right())
	if m == nil {
		return errReference
	}
	m.UntilStopped(lastDay(e.scope.Window))
	for _, c := range gen.ChargesFromOracle(m.Records) {
		low, high := plain.BoundsByWalk(j.Profile.Amounts, c.Repeat)
		expires := j.Profile.CardExpires
		e.note(entry{j.Profile.Currency, c.Date, low, high, false, !expires.IsZero() && c.Date.After(expires)})
	}
	return nil
}

// sameEntries reports whether two books of the reference hold the same charges in the same order, so that
// their totals are the same too. It is false for other books.
func sameEntries(a, b Book) bool {
	x, okA := a.Self.(*entries)
	y, okB := b.Self.(*entries)
	return okA && okB && x.scope == y.scope && x.policy == y.policy && slices.Equal(x.list, y.list)
}

func (e *entries) totals(by engine.By) []BookTotal {
	cells := map[[2]string][]entry{}
	for _, one := range e.list {
		at := [2]string{periodOf(one.date, by), one.currency}
		cells[at] = append(cells[at], one)
	}
	var list []BookTotal
	for at, charges := range cells {
		t := BookTotal{Value: at[0], Currency: at[1]}
		t.Approved = totalOfEntries(charges, func(c entry) bool { return !c.declined })
		t.Expired = totalOfEntries(charges, func(c entry) bool { return !c.declined && c.expired })
		t.Declined = totalOfEntries(charges, func(c entry) bool { return c.declined })
		if e.scope.Draws {
			t.Draws = drawsByCount(charges)
		}
		list = append(list, t)
	}
	slices.SortFunc(list, inOrderOfPeriod)
	return list
}

// inOrderOfPeriod compares two totals by period and currency, as records are in order.
func inOrderOfPeriod(a, b BookTotal) int {
	return cmp.Or(strings.Compare(sortKey(a.Value), sortKey(b.Value)), strings.Compare(a.Currency, b.Currency))
}

// inOrderOfDraws compares draws by what is drawn.
func inOrderOfDraws(a, b amount.Draws) int {
	return cmp.Or(cmp.Compare(a.Scale, b.Scale), cmp.Compare(a.Values, b.Values))
}

// periodOf is the text of a day's period.
func periodOf(d calendar.Date, by engine.By) string { return gen.DayNumber(d).Period(by.String()) }

// sortKey is a text by which the values of a period sort.
func sortKey(value string) string {
	for i, name := range [...]string{"monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"} {
		if value == name {
			return fmt.Sprint(i)
		}
	}
	return value
}

// totalOfEntries adds up some of the charges.
func totalOfEntries(list []entry, counts func(entry) bool) plain.Total {
	var t oracle.Total
	for _, c := range list {
		if counts(c) {
			t.Add(plain.DecimalOf(c.low), plain.DecimalOf(c.high))
		}
	}
	return plain.TotalFromOracle(&t)
}

// drawsByCount counts the random amounts by what they are drawn from.
func drawsByCount(list []entry) []amount.Draws {
	var found []amount.Draws
	for _, c := range list {
		if c.declined || c.low.Compare(c.high) == 0 {
			continue
		}
		r := gen.RangeOf(c.low, c.high, c.currency)
		i := slices.IndexFunc(found, func(d amount.Draws) bool { return d.Values == r.Values() && d.Scale == r.Scale() })
		if i < 0 {
			found = append(found, amount.Draws{Values: r.Values(), Scale: r.Scale()})
			i = len(found) - 1
		}
		found[i].Charges++
	}
	slices.SortFunc(found, inOrderOfDraws)
	return found
}

// A Book adds up the charges of many profiles. Its functions are fields, so that one of them can be
// replaced.
type Book struct {
	// Add counts the charges of a job's profile, as of the day and under the policy of the scope.
	Add func(gen.Job) error
	// AddCharge counts one charge, by its outcome.
	AddCharge func(currency string, c engine.Charge) error
	// Merge counts what another book counts.
	Merge func(Book) error
	// Totals are the totals by day, week, month, quarter or weekday.
	Totals func(by engine.By) []BookTotal
	// Save is the book as bytes; nil where an implementation has no such form.
	Save func() []byte
	// Self is the implementation's own book.
	Self any
}

// A BookTotal is what the charges of one currency in one period come to.
type BookTotal struct {
	Value    string // of the period, as records have it: "2026-W05"
	Currency string
	// Expired are those of the approved ones that are dated after the card's expiry.
	Approved, Expired, Declined plain.Total
	Draws                       []amount.Draws // of the approved ones, in order of scale, then values
}

// String is the total in one line.
func (b BookTotal) String() string {
	text := fmt.Sprintf("%s %s %v", b.Value, b.Currency, b.Approved)
	if b.Expired.Charges > 0 || b.Declined.Charges > 0 || len(b.Draws) > 0 {
		text += fmt.Sprintf(", expired %v, declined %v, draws %v", b.Expired, b.Declined, b.Draws)
	}
	return text + "\n"
}

func engineBook(p engine.Policy, s engine.Scope) (Book, error) {
	b, err := engine.New(p).NewBook(s)
	if err != nil {
		return Book{}, err
	}
	return ourBook(b), nil
}

// loadBook reads a book that was saved.
func loadBook(form []byte) (Book, error) {
	b := new(engine.Book)
	if err := json.Unmarshal(form, b); err != nil {
		return Book{}, err
	}
	return ourBook(b), nil
}

func ourBook(b *engine.Book) Book {
	return Book{
		Add:       func(j gen.Job) error { return b.Add(j.Stored()) },
		AddCharge: b.AddCharge,
		Merge:     func(o Book) error { return b.Merge(o.Self.(*engine.Book)) },
		Totals:    func(by engine.By) []BookTotal { return bookTotals(by, b.Totals(by)) },
		Save: func() []byte {
			form, err := json.Marshal(b)
			if err != nil {
				panic(err)
			}
			return form
		},
		Self: b,
	}
}

func bookTotals(by engine.By, totals iter.Seq[engine.Total]) (list []BookTotal) {
	for t := range totals {
		list = append(list, BookTotal{by.Value(t.Period), t.Currency, plain.TotalOf(t.Tally.Total), plain.TotalOf(t.CardExpired), plain.TotalOf(t.Declined), t.Draws()})
	}
	return list
}
