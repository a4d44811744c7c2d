package amount

import "strconv"

// StrategyFromJSON returns the strategy of a JSON object with the names of the document's columns,
// in one of these forms (2.2.5):
//
//	{"amount":"9.99"}
//	{"amount-from":"1.00","amount-to":"5.00"}
//	{"amount-from":"1","amount-to":"5","decimals":2}
//	{"amount-sequence":["1.00","9.99"]}
//
// The number decimals is [Range.Scale]. Without it, draws have as many decimals as the end that is
// written with more of them.
//
// It refuses other members and a member given twice ([ErrMember]), values of another type and null
// ([ErrType]), any other combination of members ([ErrMode]), texts that [Parse] refuses, ranges
// that [NewRange] refuses, an empty sequence ([ErrEmpty]), and decimals above [MaxScale] or too few
// for the ends ([ErrRange]).
func StrategyFromJSON(b []byte) (Strategy, error) {
	var m members
	if err := readMembers(b, m.read); err != nil {
		return nil, err
	}
	switch m.given {
	case givenAmount:
		return NewFixed(m.amount), nil
	case givenFrom | givenTo:
		return m.rangeWith(max(m.from.scale, m.to.scale))
	case givenFrom | givenTo | givenDecimals:
		return m.rangeWith(uint8(m.decimals))
	case givenSequence:
		q, err := NewSequence(m.sequence)
		if err != nil {
			return nil, within("amount-sequence", -1, err)
		}
		return q, nil
	}
	return nil, refuse(ErrMode)
}

// members are the members of the three forms, with a bit for each one that was given.
type members struct {
	given            uint8
	amount, from, to Amount
	decimals         uint64
	sequence         []Amount
}

const (
	givenAmount = 1 << iota
	givenFrom
	givenTo
	givenDecimals
	givenSequence
)

func (m *members) read(name string, value []byte) (err error) {
	switch name {
	case "amount":
		m.given |= givenAmount
		return m.amount.UnmarshalJSON(value)
	case "amount-from":
		m.given |= givenFrom
		return m.from.UnmarshalJSON(value)
	case "amount-to":
		m.given |= givenTo
		return m.to.UnmarshalJSON(value)
	case "decimals":
		m.given |= givenDecimals
		m.decimals, err = readCount(value, MaxScale)
		return err
	case "amount-sequence":
		m.given |= givenSequence
		m.sequence, err = readAmounts(value)
		return err
	}
	return ErrMember
}

// rangeWith returns the range whose draws have so many decimals.
func (m *members) rangeWith(decimals uint8) (Strategy, error) {
	r, err := newRange(m.from, m.to, decimals)
	if err != nil {
		return nil, err
	}
	if r.scale != decimals {
		return nil, within("decimals", -1, refuse(ErrRange))
	}
	return r, nil
}

// MarshalJSON returns an object as {"amount":"9.99"}. The error is always nil.
func (f Fixed) MarshalJSON() ([]byte, error) {
	return append(f.amount.Append([]byte(`{"amount":"`)), `"}`...), nil
}

// MarshalJSON returns an object as {"amount-from":"1.00","amount-to":"5.00"}, with the number
// decimals where it differs from the decimals of the ends. The error is always nil.
func (r Range) MarshalJSON() ([]byte, error) {
	b := r.from.Append([]byte(`{"amount-from":"`))
	b = r.to.Append(append(b, `","amount-to":"`...))
	b = append(b, '"')
	if r.scale != max(r.from.scale, r.to.scale) {
		b = strconv.AppendUint(append(b, `,"decimals":`...), uint64(r.scale), 10)
	}
	return append(b, '}'), nil
}

// MarshalJSON returns an object as {"amount-sequence":["1.00","9.99"]}. The error is [ErrEmpty] for
// the zero Sequence, which is not a strategy of the document (2.2.5), and nil otherwise.
func (q Sequence) MarshalJSON() ([]byte, error) {
	if q.packed == "" {
		return nil, refuse(ErrEmpty)
	}
	b := []byte(`{"amount-sequence":[`)
	for i := range q.Len() {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(q.element(i).Append(append(b, '"')), '"')
	}
	return append(b, `]}`...), nil
}

// UnmarshalJSON reads what [Fixed.MarshalJSON] writes, as [StrategyFromJSON] does; another strategy
// is [ErrMode]. After an error f is as it was.
func (f *Fixed) UnmarshalJSON(b []byte) error { return unmarshalJSON(b, f) }

// UnmarshalJSON reads what [Range.MarshalJSON] writes, as [StrategyFromJSON] does; another strategy
// is [ErrMode]. After an error r is as it was.
func (r *Range) UnmarshalJSON(b []byte) error { return unmarshalJSON(b, r) }

// UnmarshalJSON reads what [Sequence.MarshalJSON] writes, as [StrategyFromJSON] does; another
// strategy is [ErrMode]. After an error q is as it was.
func (q *Sequence) UnmarshalJSON(b []byte) error { return unmarshalJSON(b, q) }

func unmarshalJSON[S Strategy](b []byte, to *S) error {
	s, err := StrategyFromJSON(b)
	if err != nil {
		return err
	}
	v, ok := s.(S)
	if !ok {
		return refuse(ErrMode)
	}
	*to = v
	return nil
}
