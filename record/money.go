package record

import (
	"slices"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/strictjson"
)

// A Money says what the approved charges of a currency come to on both sides of a comparison, and why: Old and the money of
// the five changes are New.
type Money struct {
	Currency string
	Old, New Bounds
	// Added are profiles with charges in NEW alone, Gone those in OLD alone, Repriced those with the same days and other
	// amounts, Rescheduled those that differ otherwise.
	Added, Gone, Repriced, Rescheduled MoneyChange
	// LeftOut are profiles with charges on one side, whose row has errors on the other.
	LeftOut MoneyChange
}

// IsFixed reports whether no charge of either side has a random amount.
func (m *Money) IsFixed() bool {
	return m.Old.Min.Sum.Compare(m.Old.Max.Sum) == 0 && m.New.Min.Sum.Compare(m.New.Max.Sum) == 0
}

// A MoneyChange is what a kind of change comes to.
type MoneyChange struct {
	Profiles uint64
	Bounds
}

// Bounds are the least and the greatest sum that charges can have, or the difference of two of each.
type Bounds struct{ Min, Max SignedSum }

// A SignedSum is a sum, or a difference of sums that may be below zero.
type SignedSum struct {
	Sum      amount.Sum
	Negative bool // never of zero
}

// String returns the sum with a minus sign where it is below zero.
func (s SignedSum) String() string {
	if s.Negative {
		return "-" + s.Sum.String()
	}
	return s.Sum.String()
}

// MarshalText returns what String returns.
func (s SignedSum) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads what String returns. The error is that of [amount.ParseSum].
func (s *SignedSum) UnmarshalText(text []byte) error {
	in := SignedSum{Negative: len(text) > 0 && text[0] == '-'}
	if in.Negative {
		text = text[1:]
	}
	if err := in.Sum.UnmarshalText(text); err != nil {
		return err
	}
	in.Negative = in.Negative && !in.Sum.IsZero()
	*s = in
	return nil
}

// less returns a - b.
func less(a, b amount.Sum) SignedSum {
	negative := a.Compare(b) < 0
	if negative {
		a, b = b, a
	}
	_ = a.Sub(b) // which is not above a
	return SignedSum{Sum: a, Negative: negative}
}

// twoSums are what charges come to on both sides.
type twoSums struct {
	profiles uint64
	old, new struct{ min, max amount.Sum }
}

func (t *twoSums) add(old, new []engine.Charge) {
	t.profiles++
	for i := range old {
		t.old.min.Add(old[i].Min)
		t.old.max.Add(old[i].Max)
	}
	for i := range new {
		t.new.min.Add(new[i].Min)
		t.new.max.Add(new[i].Max)
	}
}

// change returns the differences, with the decimals of a sum.
func (t *twoSums) change(like amount.Sum) MoneyChange {
	for _, s := range [...]*amount.Sum{&t.old.min, &t.old.max, &t.new.min, &t.new.max} {
		s.AddSum(like)
	}
	return MoneyChange{t.profiles, Bounds{less(t.new.min, t.old.min), less(t.new.max, t.old.max)}}
}

// moneySums are what makes a Money.
type moneySums struct{ all, added, gone, repriced, rescheduled, leftOut twoSums }

// add counts the charges of a profile in one currency.
func (m *moneySums) add(old, new []engine.Charge) {
	old, new = approved(old), approved(new)
	m.all.add(old, new)
	switch {
	case len(old) == 0 && len(new) == 0:
	case len(old) == 0:
		m.added.add(old, new)
	case len(new) == 0:
		m.gone.add(old, new)
	case !slices.EqualFunc(old, new, sameDays):
		m.rescheduled.add(old, new)
	case !slices.EqualFunc(old, new, sameAmount):
		m.repriced.add(old, new)
	}
}

// leaveOut counts the charges of a profile that one side left out.
func (m *moneySums) leaveOut(old, new []engine.Charge) {
	old, new = approved(old), approved(new)
	m.all.add(old, new)
	if len(old)+len(new) > 0 {
		m.leftOut.add(old, new)
	}
}

// approved returns the charges that are not declined.
func approved(charges []engine.Charge) []engine.Charge {
	isDeclined := func(c engine.Charge) bool { return c.Outcome == engine.OutcomeDeclined }
	if !slices.ContainsFunc(charges, isDeclined) {
		return charges
	}
	return slices.DeleteFunc(slices.Clone(charges), isDeclined)
}

func sameDays(a, b engine.Charge) bool { return a.Date == b.Date && a.Slot == b.Slot }

func sameAmount(a, b engine.Charge) bool {
	return a.Min.Compare(b.Min) == 0 && a.Max.Compare(b.Max) == 0
}

// money returns the record.
func (m *moneySums) money(currency string) Money {
	like := m.all.old.min
	like.AddSum(m.all.new.min)
	like.AddSum(m.all.old.max)
	like.AddSum(m.all.new.max)
	none := twoSums{}
	zero := none.change(like).Min.Sum // with the decimals of all
	of := func(s amount.Sum) SignedSum {
		s.AddSum(zero)
		return SignedSum{Sum: s}
	}
	return Money{
		Currency: currency,
		Old:      Bounds{of(m.all.old.min), of(m.all.old.max)}, New: Bounds{of(m.all.new.min), of(m.all.new.max)},
		Added: m.added.change(like), Gone: m.gone.change(like), Repriced: m.repriced.change(like), Rescheduled: m.rescheduled.change(like),
		LeftOut: m.leftOut.change(like),
	}
}

type moneyJSON struct {
	Currency string     `json:"currency" strict:"required"`
	Old      boundsJSON `json:"old" strict:"required"`
	New      boundsJSON `json:"new" strict:"required"`
	By       byJSON     `json:"by" strict:"required"`
}

type byJSON struct {
	New         moneyChangeJSON `json:"new" strict:"required"`
	Gone        moneyChangeJSON `json:"gone" strict:"required"`
	Repriced    moneyChangeJSON `json:"repriced" strict:"required"`
	Rescheduled moneyChangeJSON `json:"rescheduled" strict:"required"`
	LeftOut     moneyChangeJSON `json:"left_out" strict:"required"`
}

type moneyChangeJSON struct {
	Profiles uint64     `json:"profiles" strict:"required,count"`
	Money    boundsJSON `json:"money" strict:"required"`
}

// A boundsJSON is one sum where all amounts are fixed, else an object of two.
type boundsJSON struct {
	Bounds
	fixed bool
}

// AppendJSON implements [strictjson.Special].
func (b boundsJSON) AppendJSON(dst []byte) []byte {
	if b.fixed {
		return append(append(append(dst, '"'), b.Min.String()...), '"')
	}
	return append(append(append(append(append(dst, `{"min":"`...), b.Min.String()...), `","max":"`...), b.Max.String()...), `"}`...)
}

// ReadJSON implements [strictjson.Special].
func (b *boundsJSON) ReadJSON(v *strictjson.Value) error {
	sum := func(to *SignedSum, v *strictjson.Value) error {
		if v.Kind != strictjson.KindString {
			return v.Wrong("write a sum in double quotes")
		}
		if to.UnmarshalText([]byte(v.Text())) != nil {
			err := v.Refused("the sum cannot be read", "write digits, with decimals after a point")
			err.Code = "amount-syntax"
			return err
		}
		return nil
	}
	if v.Kind != strictjson.KindObject {
		err := sum(&b.Min, v)
		b.Max = b.Min
		return err
	}
	for name, value := range v.Members() {
		to := &b.Min
		if name.Text() == "max" {
			to = &b.Max
		}
		if err := sum(to, &value); err != nil {
			return err
		}
	}
	return nil
}

var moneyForm = formOf[moneyJSON]()

// AppendJSON appends the record, as [Record] says.
func (m Money) AppendJSON(dst []byte) []byte {
	fixed := m.IsFixed()
	of := func(c MoneyChange) moneyChangeJSON { return moneyChangeJSON{c.Profiles, boundsJSON{c.Bounds, fixed}} }
	return appendRecord(dst, "money", moneyForm, &moneyJSON{
		m.Currency, boundsJSON{m.Old, fixed}, boundsJSON{m.New, fixed}, byJSON{of(m.Added), of(m.Gone), of(m.Repriced), of(m.Rescheduled), of(m.LeftOut)},
	})
}

func readMoney(text []byte) (Record, error) {
	in, err := read(moneyForm, text)
	if err != nil {
		return nil, err
	}
	of := func(c moneyChangeJSON) MoneyChange { return MoneyChange{c.Profiles, c.Money.Bounds} }
	return Money{
		Currency: in.Currency, Old: in.Old.Bounds, New: in.New.Bounds,
		Added: of(in.By.New), Gone: of(in.By.Gone), Repriced: of(in.By.Repriced), Rescheduled: of(in.By.Rescheduled),
		LeftOut: of(in.By.LeftOut),
	}, nil
}

// MarshalJSON returns what AppendJSON appends.
func (m Money) MarshalJSON() ([]byte, error) { return marshal(m) }
