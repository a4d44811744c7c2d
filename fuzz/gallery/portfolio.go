package gallery

import (
	"slices"
	"strings"

	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/fuzz/subject"
)

// portfolioMembers are wrong about what many profiles come to.
func portfolioMembers() []Member {
	return []Member{
		{"merge-by-last", "portfolio merge keeps the later cell", laws("O02"), "two parts", books(func(b *subject.Book) {
			own, later := b.Totals, []func(engine.By) []subject.BookTotal(nil)
			b.Merge = func(o subject.Book) error {
				later = append(later, o.Totals)
				return nil
			}
			b.Totals = func(by engine.By) []subject.BookTotal {
				list := own(by)
				for _, totals := range later {
					list = withCells(list, totals(by))
				}
				return list
			}
		})},
		{"currencies-added", "EUR and USD in one total", laws("O03"), "two profiles", books(func(b *subject.Book) {
			right := b.Add
			b.Add = func(j subject.Job) error {
				if j.Profile.Currency == "USD" {
					j.Profile.Currency = "EUR"
				}
				return right(j)
			}
		})},
	}
}

// books is the reference with changed books.
func books(change func(b *subject.Book)) subject.Impl {
	return changed(func(i *subject.Impl) { i.NewBook = changedBooks(i.NewBook, change) })
}

func changedBooks(right func(engine.Scope) (subject.Book, error), change func(b *subject.Book)) func(engine.Scope) (subject.Book, error) {
	return func(s engine.Scope) (subject.Book, error) {
		b, err := right(s)
		if err == nil {
			change(&b)
		}
		return b, err
	}
}

// withCells is a list of totals with some of them replaced.
func withCells(list, cells []subject.BookTotal) []subject.BookTotal {
	for _, cell := range cells {
		i := slices.IndexFunc(list, func(t subject.BookTotal) bool { return t.Value == cell.Value && t.Currency == cell.Currency })
		if i >= 0 {
			list[i] = cell
			continue
		}
		list = append(list, cell)
	}
	slices.SortFunc(list, func(a, b subject.BookTotal) int { return strings.Compare(a.Value+a.Currency, b.Value+b.Currency) })
	return list
}
