package fuzz

import (
	"bytes"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
)

// savedWhole saves a book, reads it back, and then damages it.
func savedWhole(t T, b BookCase, impl Impl) {
	book := b.whole(t, impl)
	form := book.Save()
	back, err := impl.LoadBook(form)
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
	r := chooser{RandOf(NewSource("damage", b.Seed, 0))}
	if _, err := impl.LoadBook(form[:r.below(len(form))]); err == nil {
		t.Errorf("a form that is cut is read")
	}
	damaged := bytes.Clone(form)
	damaged[r.below(len(form))] ^= byte(r.in(1, 255))
	if _, err := impl.LoadBook(damaged); err == nil {
		t.Errorf("a damaged form is read")
	}
	for what, other := range b.otherScopes() {
		stranger, err := impl.NewBook(other)
		if err != nil {
			continue // such as past the end of the calendar
		}
		if stranger.Merge(book) == nil || book.Merge(stranger) == nil {
			t.Errorf("books with another %s merge", what)
		}
	}
}

// otherScopes are those that differ in one thing.
func (b BookCase) otherScopes() map[string]engine.Scope {
	day, window, draws := b.Scope, b.Scope, b.Scope
	day.AsOf = moved(day.AsOf, 1)
	if day.AsOf == b.Scope.AsOf {
		day.AsOf = moved(day.AsOf, -1)
	}
	window.Window.To = calendar.Date{}
	draws.Draws = !draws.Draws
	list := map[string]engine.Scope{"as-of": day, "window": window, "draws": draws}
	for c := range engine.Keys() {
		other := b.Scope
		if other.Policy = b.Scope.Policy.WithReading(c, 0); other == b.Scope {
			other.Policy = b.Scope.Policy.WithReading(c, 1)
		}
		list[c.Key()] = other
	}
	return list
}

func dividedWindow(t T, b BookCase, impl Impl) {
	whole := b.whole(t, impl).Totals(engine.ByDay)
	w := b.Scope.Window
	r := chooser{RandOf(NewSource("divide", b.Seed, 0))}
	cut := w.First().AddDays(r.in(0, max(0, w.Last().Sub(w.First()))))
	front, back := b, b
	front.Scope.Window.To, back.Scope.Window.From = cut, cut
	var parts []BookTotal
	if !cut.IsZero() && !w.IsEmpty() {
		parts = append(front.whole(t, impl).Totals(engine.ByDay), back.whole(t, impl).Totals(engine.ByDay)...)
	}
	sameBookTotals(t, "divided on "+cut.String(), parts, whole)
}
