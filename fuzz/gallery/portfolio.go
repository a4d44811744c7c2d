package gallery

import (
	"slices"
	"strings"

	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/fuzz"
)

// portfolioMembers are wrong about what many profiles come to.
func portfolioMembers() []Member {
	return []Member{
		{"merge-by-last", "portfolio merge keeps the later cell", laws("O02"), "two parts", books(func(b *fuzz.Book) {
			own, later := b.Totals, []func(engine.By) []fuzz.BookTotal(nil)
			b.Merge = func(o fuzz.Book) error {
				later = append(later, o.Totals)
				return nil
			}
			b.Totals = func(by engine.By) []fuzz.BookTotal {
				list := own(by)
				for _, totals := range later {
					list = withCells(list, totals(by))
				}
				return list
			}
		})},
		{"currencies-added", "EUR and USD in one total", laws("O03"), "two profiles", books(func(b *fuzz.Book) {
			right := b.Add
			b.Add = func(j fuzz.Job) error {
				if j.Profile.Currency == "USD" {
					j.Profile.Currency = "EUR"
				}
				return right(j)
			}
		})},
	}
}

// books is the reference with changed books.
func books(change func(b *fuzz.Book)) fuzz.Impl {
	return changed(func(i *fuzz.Impl) { i.NewBook = changedBooks(i.NewBook, change) })
}

func changedBooks(right func(engine.Scope) (fuzz.Book, error), change func(b *fuzz.Book)) func(engine.Scope) (fuzz.Book, error) {
	return func(s engine.Scope) (fuzz.Book, error) {
		b, err := right(s)
		if err == nil {
			change(&b)
		}
		return b, err
	}
}

// withCells is a list of totals with some of them replaced.
func withCells(list, cells []fuzz.BookTotal) []fuzz.BookTotal {
	for _, cell := range cells {
		i := slices.IndexFunc(list, func(t fuzz.BookTotal) bool { return t.Value == cell.Value && t.Currency == cell.Currency })
		if i >= 0 {
			list[i] = cell
			continue
		}
		list = append(list, cell)
	}
	slices.SortFunc(list, func(a, b fuzz.BookTotal) int { return strings.Compare(a.Value+a.Currency, b.Value+b.Currency) })
	return list
}
