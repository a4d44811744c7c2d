package record

import (
	"strconv"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/engine"
)

// Sums are the number of charges of one currency and the least and the greatest sum that they can
// have. The zero value is that of no charges.
type Sums struct {
	Charges  uint64
	Min, Max amount.Sum
}

// SumsOf returns the number and the bounds of a total.
func SumsOf(t amount.Total) Sums { return Sums{t.Charges(), t.Min(), t.Max()} }

// Merge adds the charges of o.
func (s *Sums) Merge(o Sums) {
	s.Charges += o.Charges
	s.Min.AddSum(o.Min)
	s.Max.AddSum(o.Max)
}

func (s *Sums) add(c *engine.Charge) {
	s.Charges++
	s.Min.Add(c.Min)
	s.Max.Add(c.Max)
}

// AppendMean appends the mean of both bounds, which is that of the sum if random amounts are uniform
// (L36d). It has as many decimals as the bounds, and one more where it needs that.
func (s Sums) AppendMean(dst []byte) []byte {
	twice := s.Min
	twice.AddSum(s.Max)
	return appendHalf(dst, twice.Append(nil))
}

// appendHalf appends half of a decimal number, exactly.
func appendHalf(dst, number []byte) []byte {
	from, rest, point := len(dst), byte(0), false
	for i, c := range number {
		if c == '.' {
			dst, point = append(dst, c), true
			continue
		}
		c += 10*rest - '0'
		// A leading zero stays only in front of the point.
		if c > 1 || len(dst) > from || i == len(number)-1 || number[i+1] == '.' {
			dst = append(dst, '0'+c/2)
		}
		rest = c % 2
	}
	if rest == 0 {
		return dst
	}
	if !point {
		dst = append(dst, '.')
	}
	return append(dst, '5')
}

// A Tally is what charges of one currency come to. Declined attempts bring no money and stand apart:
// what was attempted is the sum of both.
type Tally struct {
	Sums             // approved, as every charge of a forecast counts
	Declined    Sums // declined attempts
	CardExpired Sums // those of Sums dated after the card's expiry (L31)
}

// Add counts a charge.
func (t *Tally) Add(c *engine.Charge) {
	if c.Outcome == engine.OutcomeDeclined {
		t.Declined.add(c)
		return
	}
	t.Sums.add(c)
	if c.CardExpired {
		t.CardExpired.add(c)
	}
}

// Merge adds the charges of o.
func (t *Tally) Merge(o Tally) {
	t.Sums.Merge(o.Sums)
	t.Declined.Merge(o.Declined)
	t.CardExpired.Merge(o.CardExpired)
}

// IsZero reports whether nothing was attempted.
func (t Tally) IsZero() bool { return t.Charges == 0 && t.Declined.Charges == 0 }

// AppendJSON appends an object with charges, min, max and mean.
func (s Sums) AppendJSON(dst []byte) []byte { return append(s.appendMembers(append(dst, '{')), '}') }

// MarshalJSON returns what [Sums.AppendJSON] appends.
func (s Sums) MarshalJSON() ([]byte, error) { return s.AppendJSON(nil), nil }

// UnmarshalJSON reads what [Sums.MarshalJSON] writes; unknown members are ignored. Errors are a
// [ledger.Finding], and s is then unchanged.
func (s *Sums) UnmarshalJSON(data []byte) error {
	in, err := read(sumsForm, data)
	if err == nil {
		*s = Sums{in.Charges, in.Min, in.Max}
	}
	return err
}

// AppendJSON appends an object with the members of the sums, and declined and card_expired where
// there are such charges.
func (t Tally) AppendJSON(dst []byte) []byte { return append(t.appendMembers(append(dst, '{')), '}') }

// MarshalJSON returns what [Tally.AppendJSON] appends.
func (t Tally) MarshalJSON() ([]byte, error) { return t.AppendJSON(nil), nil }

// UnmarshalJSON reads what [Tally.MarshalJSON] writes; unknown members are ignored. Errors are a
// [ledger.Finding], and t is then unchanged.
func (t *Tally) UnmarshalJSON(data []byte) error {
	in, err := read(tallyForm, data)
	if err != nil {
		return err
	}
	read, err := in.tally()
	if err == nil {
		*t = read
	}
	return err
}

var (
	sumsForm  = formOf[sumsJSON]()
	tallyForm = formOf[tallyJSON]()
)

func (s Sums) appendMembers(dst []byte) []byte {
	dst = strconv.AppendUint(append(dst, `"charges":`...), s.Charges, 10)
	dst = s.Min.Append(append(dst, `,"min":"`...))
	dst = s.Max.Append(append(dst, `","max":"`...))
	return append(s.AppendMean(append(dst, `","mean":"`...)), '"')
}

func (t Tally) appendMembers(dst []byte) []byte {
	dst = t.Sums.appendMembers(dst)
	if t.Declined.Charges > 0 {
		dst = t.Declined.AppendJSON(append(dst, `,"declined":`...))
	}
	if t.CardExpired.Charges > 0 {
		dst = t.CardExpired.AppendJSON(append(dst, `,"card_expired":`...))
	}
	return dst
}
