package gallery

import (
	"bytes"
	"slices"
	"strings"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/gen"
	"github.com/chargecast/chargecast/internal/kit/laws"
)

// portfolioRows are wrong about what many profiles come to.
func portfolioRows() []Member {
	return []Member{
		{"merge-by-last", "portfolio merge keeps the later cell", by("O02"), "two parts", books(func(b *laws.Book) {
			own, later := b.Totals, []func(engine.By) []laws.BookTotal(nil)
			b.Merge = func(o laws.Book) error {
				later = append(later, o.Totals)
				return nil
			}
			b.Totals = func(by engine.By) []laws.BookTotal {
				list := own(by)
				for _, totals := range later {
					list = withCells(list, totals(by))
				}
				return list
			}
		})},
		{"currencies-added", "EUR and USD in one total", by("O01"), "two profiles", books(func(b *laws.Book) {
			right := b.Add
			b.Add = func(j gen.Job) error {
				if j.Profile.Currency == "USD" {
					j.Profile.Currency = "EUR"
				}
				return right(j)
			}
		})},
		wrong("O04", "a quarter is a month", books(func(b *laws.Book) {
			right := b.Totals
			b.Totals = func(by engine.By) []laws.BookTotal {
				if by == engine.ByQuarter {
					by = engine.ByMonth
				}
				return right(by)
			}
		})),

		wrong("O06", "a book that looks the same is not added", books(func(b *laws.Book) {
			right := b.Merge
			b.Merge = func(o laws.Book) error {
				if bytes.Equal(b.Save(), o.Save()) {
					return nil
				}
				return right(o)
			}
		})),
		wrong("O07", "counts have 32 bits", each(func(t *laws.BookTotal) { t.Approved.Charges &= 1<<32 - 1 })),
		wrong("O08", "one charge too many", each(func(t *laws.BookTotal) { t.Approved.Charges++ })),
		wrong("O09", "a book that is cut is read as an empty one", func(i *laws.Impl) {
			load, empty := i.LoadBook, i.NewBook
			i.LoadBook = func(form []byte) (laws.Book, error) {
				b, err := load(form)
				if err != nil {
					return empty(engine.Policy{}, engine.Scope{AsOf: calendar.MinDate()})
				}
				return b, nil
			}
		}),
		wrong("O12", "the last day of a window is left out", func(i *laws.Impl) {
			right := i.NewBook
			i.NewBook = func(p engine.Policy, s engine.Scope) (laws.Book, error) {
				if !s.Window.IsEmpty() {
					s.Window.To = s.Window.Last()
				}
				return right(p, s)
			}
		}),
	}
}

// books is our own code with changed books.
func books(change func(b *laws.Book)) damage {
	return func(i *laws.Impl) {
		right := i.NewBook
		i.NewBook = func(p engine.Policy, s engine.Scope) (laws.Book, error) {
			b, err := right(p, s)
			if err == nil {
				change(&b)
			}
			return b, err
		}
	}
}

// withCells is a list of totals with some of them replaced.
func withCells(list, cells []laws.BookTotal) []laws.BookTotal {
	for _, cell := range cells {
		i := slices.IndexFunc(list, func(t laws.BookTotal) bool { return t.Value == cell.Value && t.Currency == cell.Currency })
		if i >= 0 {
			list[i] = cell
			continue
		}
		list = append(list, cell)
	}
	slices.SortFunc(list, func(a, b laws.BookTotal) int { return strings.Compare(a.Value+a.Currency, b.Value+b.Currency) })
	return list
}

// each is our own code with the totals of each book changed, one at a time.
func each(change func(t *laws.BookTotal)) damage {
	return books(func(b *laws.Book) {
		right := b.Totals
		b.Totals = func(by engine.By) []laws.BookTotal {
			list := right(by)
			for i := range list {
				change(&list[i])
			}
			return list
		}
	})
}
