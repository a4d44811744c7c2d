package laws

import (
	"bytes"
	"math/rand/v2"
	"slices"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/fuzz/gen"
)

// newBook is an empty book of the case's scope.
func newBook(b gen.BookCase, t *T) Book {
	book, err := t.NewBook(b.Scope)
	if err != nil {
		t.Errorf("the scope is refused: %v", err)
		panic("no book")
	}
	return book
}

// wholeBook is the book of the whole case.
func wholeBook(b gen.BookCase, t *T) Book {
	book := newBook(b, t)
	for _, j := range b.Jobs {
		addJob(b, t, book, j)
	}
	for _, c := range b.Charges {
		addCharge(b, t, book, c)
	}
	return book
}

func addJob(b gen.BookCase, t *T, book Book, j gen.Job) {
	if err := book.Add(j); err != nil {
		t.Errorf("%v: a profile is refused: %v", gen.PlanCase{Job: j}, err)
	}
}

func addCharge(b gen.BookCase, t *T, book Book, c gen.BookCharge) {
	if err := book.AddCharge(c.Currency, c.Charge); err != nil {
		t.Errorf("a charge is refused: %v", err)
	}
}

// inParts is the case divided into books, each profile and charge in one of them at random.
func inParts(b gen.BookCase, t *T) []Book {
	r := rand.New(gen.NewSource("parts", b.Seed, 0))
	list := make([]Book, b.Parts)
	for i := range list {
		list[i] = newBook(b, t)
	}
	for _, i := range r.Perm(len(b.Jobs)) {
		addJob(b, t, list[r.IntN(len(list))], b.Jobs[i])
	}
	for _, i := range r.Perm(len(b.Charges)) {
		addCharge(b, t, list[r.IntN(len(list))], b.Charges[i])
	}
	return list
}

// merged merges books in pairs at random, until one is left.
func merged(b gen.BookCase, t *T, list []Book) Book {
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

// currencies are those of the case.
func currencies(b gen.BookCase) []string {
	var list []string
	for _, j := range b.Jobs {
		list = append(list, j.Profile.Currency)
	}
	for _, c := range b.Charges {
		list = append(list, c.Currency)
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// savedWhole saves a book, reads it back, and then damages it.
func savedWhole(t *T, b gen.BookCase) {
	book := wholeBook(b, t)
	form := book.Save()
	back, err := t.LoadBook(form)
	if err != nil {
		t.Errorf("a saved book is not read back: %v", err)
		return
	}
	if !bytes.Equal(back.Save(), form) {
		t.Errorf("a book that was read back is saved in other bytes")
	}
	sameBookTotals(t, "read back", back.Totals(engine.ByDay), book.Totals(engine.ByDay))
	if err := back.Merge(book); err != nil {
		t.Errorf("a book that was read back does not merge: %v", err)
	}
	r := gen.ChooserOf(b.Seed)
	if _, err := t.LoadBook(form[:r.Below(len(form))]); err == nil {
		t.Errorf("a form that is cut is read")
	}
	damaged := bytes.Clone(form)
	damaged[r.Below(len(form))] ^= byte(r.In(1, 255))
	if _, err := t.LoadBook(damaged); err == nil {
		t.Errorf("a damaged form is read")
	}
	for what, other := range otherScopes(b) {
		stranger, err := t.NewBook(other)
		if err != nil {
			continue // such as past the end of the calendar
		}
		if stranger.Merge(book) == nil || book.Merge(stranger) == nil {
			t.Errorf("books with another %s merge", what)
		}
	}
}

// otherScopes are those that differ in one thing.
func otherScopes(b gen.BookCase) map[string]engine.Scope {
	day, window, draws, explain := b.Scope, b.Scope, b.Scope, b.Scope
	day.AsOf = gen.Moved(day.AsOf, 1)
	if day.AsOf == b.Scope.AsOf {
		day.AsOf = gen.Moved(day.AsOf, -1)
	}
	window.Window.To = calendar.Date{}
	draws.Draws = !draws.Draws
	explain.Explain = !explain.Explain
	list := map[string]engine.Scope{"as-of": day, "window": window, "draws": draws, "explain": explain}
	for c := range engine.Keys() {
		other := b.Scope
		if other.Policy = b.Scope.Policy.WithReading(c, 0); other == b.Scope {
			other.Policy = b.Scope.Policy.WithReading(c, 1)
		}
		list[c.Key()] = other
	}
	return list
}

func dividedWindow(t *T, b gen.BookCase) {
	whole := wholeBook(b, t).Totals(engine.ByDay)
	w := b.Scope.Window
	r := gen.ChooserOf(b.Seed)
	cut := w.First().AddDays(r.In(0, max(0, w.Last().Sub(w.First()))))
	front, back := b, b
	front.Scope.Window.To, back.Scope.Window.From = cut, cut
	var parts []BookTotal
	if !cut.IsZero() && !w.IsEmpty() {
		parts = append(wholeBook(front, t).Totals(engine.ByDay), wholeBook(back, t).Totals(engine.ByDay)...)
	}
	sameBookTotals(t, "divided on "+cut.String(), parts, whole)
}
