package engine

import (
	"errors"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/internal/jsonline"
	"github.com/chargecast/chargecast/internal/strictjson"
	"github.com/chargecast/chargecast/internal/tallyjson"
	"github.com/chargecast/chargecast/ledger"
)

const bookSchema = "chargecast.book/1"

// A bookJSON is a Book as it is written: its scope and its totals by day.
type bookJSON struct {
	Schema string       `json:"schema" strict:"required"`
	Scope  scopeJSON    `json:"scope" strict:"required"`
	Days   []dayOfTotal `json:"days" strict:"required"`
}

type scopeJSON struct {
	AsOf    calendar.Date `json:"as_of" strict:"required"`
	From    calendar.Date `json:"from,omitzero"`  // the first day of the window
	Until   calendar.Date `json:"until,omitzero"` // the last one; without both the window is empty
	Policy  Policy        `json:"policy" strict:"required"`
	Draws   bool          `json:"draws,omitzero"`
	Explain bool          `json:"explain,omitzero"`
}

type dayOfTotal struct {
	Date     calendar.Date   `json:"date" strict:"required"`
	Currency string          `json:"currency" strict:"required"`
	Total    tallyjson.Tally `json:"total" strict:"required"`
	Because  ledger.Because  `json:"because,omitzero"`
}

var (
	bookForm = strictjson.FormOf[bookJSON]()
	errZero  = errors.New("engine: the zero Book has no JSON form: make one with Engine.NewBook")
)

// MarshalJSON returns {"schema":"chargecast.book/1","scope":{…},"days":[…]}: the scope with the
// whole policy, and the totals by day with their draws and clauses, where they are kept. It grows
// with the days that have charges, not with the profiles. The zero Book is an error, and so is a
// currency that is not UTF-8 or has a NUL character.
func (b Book) MarshalJSON() ([]byte, error) {
	if b.scope.AsOf.IsZero() {
		return nil, errZero
	}
	s, w := &b.scope, b.scope.Window
	out := bookJSON{Schema: bookSchema, Scope: scopeJSON{
		AsOf: s.AsOf, From: w.First(), Until: w.Last(), Policy: b.policy, Draws: s.Draws, Explain: s.Explain,
	}}
	for t := range b.Totals(ByDay) {
		if err := checkText(t.Currency, "currency"); err != nil {
			return nil, err
		}
		out.Days = append(out.Days, dayOfTotal{t.Period, t.Currency, tallyjson.Of(&t.Tally), t.Because})
	}
	return bookForm.Append(nil, &out), nil
}

// UnmarshalJSON reads what MarshalJSON writes: b is then the same Book, whatever it was before, and
// takes more. Anything else is a [ledger.Finding], for a missing schema with the code
// "schema-missing" and for that of a later version with "schema-later"; b is then unchanged.
func (b *Book) UnmarshalJSON(data []byte) error {
	var in bookJSON
	err := jsonline.Read(bookForm, data, &in)
	if err != nil || in.Schema != bookSchema {
		if wrong := checkSchema(data, bookSchema); wrong != nil {
			return wrong
		}
		return err
	}
	s := &in.Scope
	scope := Scope{AsOf: s.AsOf, Draws: s.Draws, Explain: s.Explain, Window: calendar.Window{From: s.AsOf, To: s.AsOf}}
	if !s.From.IsZero() {
		scope.Window = calendar.Through(s.From, s.Until)
	}
	read, err := New(s.Policy).NewBook(scope)
	if err != nil || s.From != read.scope.Window.First() || s.Until != read.scope.Window.Last() {
		return bookFault("scope", "the scope is that of no book")
	}
	for i := range in.Days {
		d := &in.Days[i]
		inOrder := i == 0 || in.Days[i-1].Date.Before(d.Date) || in.Days[i-1].Date == d.Date && in.Days[i-1].Currency < d.Currency
		tally, wrong := d.Total.Read()
		if wrong != "" || !inOrder || !read.addDay(d, &tally) {
			return bookFault("days", "a day has a total that no charges have, or is not in order")
		}
	}
	*b = *read
	return nil
}

func bookFault(member, message string) error {
	return jsonline.In(jsonline.Fault(jsonline.CodeType, 1, message, "write the book as it was given"), member)
}

// addDay counts the charges of a total that was read, as single ones, and reports whether charges
// of the scope can have it.
func (b *Book) addDay(d *dayOfTotal, t *amount.Tally) bool {
	if t.IsZero() || !b.scope.Window.Contains(d.Date) || !d.Because.IsZero() && !b.scope.Explain {
		return false
	}
	rest, ok := without(t.Total, t.CardExpired)
	if !ok || b.grow(t.Charges) != nil || b.grow(t.Declined.Charges) != nil {
		return false
	}
	at := b.indexes[0].position(d.Date)
	for i, of := range [...]amount.Total{partApproved: rest, partExpired: t.CardExpired, partDeclined: t.Declined} {
		if of.IsZero() {
			continue
		}
		draws := of.Draws()
		if _, err := of.Quantiles(); b.scope.Draws && err != nil || !b.scope.Draws && len(draws) > 0 {
			return false
		}
		key := seriesKey{currency: d.Currency, part: part(i)}
		for _, draw := range draws {
			key.values, key.minScale = draw.Values, uint8(draw.Scale)
			b.of(&key).at(at).add(&cell{n: draw.Charges})
		}
		b.addSums(seriesKey{currency: d.Currency, part: part(i), because: d.Because}, at, &of)
	}
	return true
}

// addSums adds the sums of a total, the whole part and the decimals in cells of their own: together
// they may have more than 128 bits.
func (b *Book) addSums(key seriesKey, at int32, t *amount.Total) {
	minHi, minLo, minRest, _ := t.Min.Split()
	maxHi, maxLo, maxRest, _ := t.Max.Split()
	b.of(&key).at(at).add(&cell{min: wide{minHi, minLo}, max: wide{maxHi, maxLo}})
	key.minScale, key.maxScale = uint8(minRest.Scale()), uint8(maxRest.Scale())
	rest := cell{n: t.Charges}
	rest.min.add(timesOf(minRest, 1))
	rest.max.add(timesOf(maxRest, 1))
	b.of(&key).at(at).add(&rest)
}

// without returns a total without some of its charges, and whether it has them.
func without(t, some amount.Total) (rest amount.Total, ok bool) {
	rest = amount.Total{Charges: t.Charges - some.Charges, Min: t.Min, Max: t.Max}
	if some.Charges > t.Charges || rest.Min.Sub(some.Min) != nil || rest.Max.Sub(some.Max) != nil || rest.Min.Compare(rest.Max) > 0 {
		return rest, false
	}
	if rest.Charges == 0 {
		return rest, t.Equal(some)
	}
	left := t.Draws()
	for _, d := range some.Draws() {
		i := 0
		for i < len(left) && (left[i].Scale != d.Scale || left[i].Values != d.Values) {
			i++
		}
		if i == len(left) || left[i].Charges < d.Charges {
			return rest, false
		}
		left[i].Charges -= d.Charges
	}
	rest.AddDraws(left...)
	return rest, true
}
