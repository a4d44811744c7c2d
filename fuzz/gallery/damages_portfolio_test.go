package gallery

import (
	"bytes"
	"slices"
	"strings"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/fuzz/gen"
	"github.com/chargecast/chargecast/fuzz/laws"
)

// bookkept is our own code with changed books.
func bookkept(change func(b *laws.Book)) laws.Impl {
	return ours(func(i *laws.Impl) { i.NewBook = changedBooks(i.NewBook, change) })
}

// totalled is our own code with the totals of each book changed.
func totalled(change func(by engine.By, list []laws.BookTotal) []laws.BookTotal) laws.Impl {
	return bookkept(func(b *laws.Book) {
		right := b.Totals
		b.Totals = func(by engine.By) []laws.BookTotal { return change(by, right(by)) }
	})
}

// each is totalled, one total at a time.
func each(change func(t *laws.BookTotal)) laws.Impl {
	return totalled(func(_ engine.By, list []laws.BookTotal) []laws.BookTotal {
		for i := range list {
			change(&list[i])
		}
		return list
	})
}

func portfolioDamages() []damage {
	return []damage{
		{"O01", "nothing is charged on the 31st", totalled(func(by engine.By, list []laws.BookTotal) []laws.BookTotal {
			return slices.DeleteFunc(list, func(t laws.BookTotal) bool { return by == engine.ByDay && strings.HasSuffix(t.Value, "-31") })
		})},
		{"O04", "a quarter is a month", bookkept(func(b *laws.Book) {
			right := b.Totals
			b.Totals = func(by engine.By) []laws.BookTotal {
				if by == engine.ByQuarter {
					by = engine.ByMonth
				}
				return right(by)
			}
		})},
		{"O05", "every charge is kept", ours(func(i *laws.Impl) {
			right, forecast := i.NewBook, i.Forecast
			i.NewBook = func(s engine.Scope) (laws.Book, error) {
				b, err := right(s)
				add := b.Add
				b.Add = func(j gen.Job) error {
					j.AsOf, j.Policy = s.AsOf, s.Policy
					if f, err := forecast(j); err == nil {
						kept := make([]engine.Charge, 0, 1)
						for c := range f.Charges(s.Window) {
							if kept = append(kept, c); len(kept) == 5000 {
								break // enough to be noticed
							}
						}
					}
					return add(j)
				}
				return b, err
			}
		})},
		{"O06", "a book that looks the same is not added", bookkept(func(b *laws.Book) {
			right := b.Merge
			b.Merge = func(o laws.Book) error {
				if bytes.Equal(b.Save(), o.Save()) {
					return nil
				}
				return right(o)
			}
		})},
		{"O07", "counts have 32 bits", each(func(t *laws.BookTotal) { t.Approved.Charges &= 1<<32 - 1 })},
		{"O08", "one charge too many", each(func(t *laws.BookTotal) { t.Approved.Charges++ })},
		{"O09", "a damaged book is read as an empty one", ours(func(i *laws.Impl) {
			load, empty := i.LoadBook, i.NewBook
			i.LoadBook = func(form []byte) (laws.Book, error) {
				b, err := load(form)
				if err != nil {
					return empty(engine.Scope{AsOf: calendar.First()})
				}
				return b, nil
			}
		})},
		{"O12", "the last day of a window is left out", ours(func(i *laws.Impl) {
			right := i.NewBook
			i.NewBook = func(s engine.Scope) (laws.Book, error) {
				if !s.Window.IsEmpty() {
					s.Window.To = s.Window.Last()
				}
				return right(s)
			}
		})},
	}
}
