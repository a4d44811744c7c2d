package gallery

import (
	"slices"
	"strings"

	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/fuzz/gen"
	"github.com/chargecast/chargecast/fuzz/laws"
)

// portfolioMembers are wrong about what many profiles come to.
func portfolioMembers() []Member {
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
		{"currencies-added", "EUR and USD in one total", by("O03"), "two profiles", books(func(b *laws.Book) {
			right := b.Add
			b.Add = func(j gen.Job) error {
				if j.Profile.Currency == "USD" {
					j.Profile.Currency = "EUR"
				}
				return right(j)
			}
		})},
	}
}

// books is the reference with changed books.
func books(change func(b *laws.Book)) laws.Impl {
	return changed(func(i *laws.Impl) { i.NewBook = changedBooks(i.NewBook, change) })
}

func changedBooks(right func(engine.Scope) (laws.Book, error), change func(b *laws.Book)) func(engine.Scope) (laws.Book, error) {
	return func(s engine.Scope) (laws.Book, error) {
		b, err := right(s)
		if err == nil {
			change(&b)
		}
		return b, err
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
