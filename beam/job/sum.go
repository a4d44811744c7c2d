package job

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"slices"
	"strconv"

	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/record"
)

// A Sum is the result of some of the shards, and the accumulator of the pipeline. Its fields are
// unexported; workers exchange it in a binary form, see [EncodeSum].
type Sum struct {
	shards []Tally           // in order of number
	book   *engine.Portfolio // of totals by period; else nil
}

// A Tally is the result of reading one shard.
type Tally struct {
	Number   int               `json:"number"`
	Input    record.PartInput  `json:"input"`
	States   *record.PartInput `json:"states,omitempty"`
	Rows     int               `json:"rows"`
	LeftOut  int               `json:"left_out"` // rows with errors
	Errors   int               `json:"errors"`
	Warnings int               `json:"warnings"`
	// Incomplete says that an error is about the shard as a whole, so that rows may be missing.
	Incomplete bool `json:"incomplete,omitempty"`
	// Unreadable says that the file is not a payload.
	Unreadable bool    `json:"unreadable,omitempty"`
	Codes      []Count `json:"codes,omitempty"` // in order of code
}

// Merge adds the shards of another sum. It fails if a shard is in both, or with the error of the
// portfolio; s must not be used then.
func (s *Sum) Merge(o Sum) error {
	shards := make([]Tally, 0, len(s.shards)+len(o.shards))
	shards = append(append(shards, s.shards...), o.shards...)
	slices.SortFunc(shards, func(a, b Tally) int { return cmp.Compare(a.Number, b.Number) })
	for i := range shards {
		if i > 0 && shards[i].Number == shards[i-1].Number {
			return failed("the shard "+shards[i].Input.Name+" was counted twice", "run the job again")
		}
	}
	if (s.book == nil) != (o.book == nil) {
		return failed("one sum has totals, and another has none", "run the job again")
	}
	if s.book != nil {
		if err := s.book.Merge(o.book); err != nil {
			return err
		}
	}
	s.shards = shards
	return nil
}

// check reports whether every shard of a book was counted once.
func (s *Sum) check(shards int) error {
	if shards == 0 {
		return failed("a job without shards", "name the files of the book")
	}
	for i, t := range s.shards {
		if t.Number != i {
			return missing(i)
		}
	}
	if len(s.shards) != shards {
		return missing(len(s.shards))
	}
	return nil
}

func missing(shard int) error {
	return failed("a shard is missing from the totals: number "+strconv.Itoa(shard), "run the job again")
}

// leftOut is the number of rows with errors.
func (s *Sum) leftOut() uint64 {
	var n uint64
	for _, t := range s.shards {
		n += uint64(t.LeftOut)
	}
	return n
}

// The binary form of a sum is a line with the schema, a line with the shards as JSON, the portfolio
// in its binary form or nothing, and the SHA-256 of all that.
const (
	sumName   = "chargecast.beam/"
	sumSchema = sumName + "1\n"
)

// The errors of [DecodeSum].
var (
	ErrSumForm    = errors.New("job: the sum is damaged or empty")
	ErrSumVersion = errors.New("job: the sum was written by another version: all workers must run the same one")
)

// EncodeSum returns the binary form of a sum. A sum of no shard, such as the zero Sum, is
// [ErrSumForm].
func EncodeSum(s Sum) ([]byte, error) {
	if len(s.shards) == 0 {
		return nil, ErrSumForm
	}
	shards, err := json.Marshal(s.shards)
	if err != nil {
		return nil, err
	}
	b := append(append([]byte(sumSchema), shards...), '\n')
	if s.book != nil {
		b, _ = s.book.AppendBinary(b) // its error is always nil
	}
	return sealed(b), nil
}

func sealed(b []byte) []byte {
	sum := sha256.Sum256(b)
	return append(b, sum[:]...)
}

// DecodeSum reads what [EncodeSum] returns. The error is [ErrSumVersion] for a sum or a portfolio
// of another version, and [ErrSumForm] for anything else that EncodeSum does not write.
func DecodeSum(data []byte) (Sum, error) {
	rest, ours := bytes.CutPrefix(data, []byte(sumSchema))
	if !ours {
		if line, _, whole := bytes.Cut(data, []byte("\n")); whole && bytes.HasPrefix(line, []byte(sumName)) {
			return Sum{}, ErrSumVersion
		}
		return Sum{}, ErrSumForm
	}
	end := len(data) - sha256.Size
	if len(rest) < sha256.Size || sha256.Sum256(data[:end]) != [sha256.Size]byte(data[end:]) {
		return Sum{}, ErrSumForm
	}
	text, form, ok := bytes.Cut(rest[:len(rest)-sha256.Size], []byte("\n"))
	var s Sum
	if !ok || json.Unmarshal(text, &s.shards) != nil || len(s.shards) == 0 {
		return Sum{}, ErrSumForm
	}
	if len(form) > 0 {
		s.book = new(engine.Portfolio)
		switch err := s.book.UnmarshalBinary(form); {
		case errors.Is(err, engine.ErrPortfolioVersion):
			return Sum{}, ErrSumVersion
		case err != nil:
			return Sum{}, ErrSumForm
		}
	}
	return s, nil
}

// A mergeFn adds sums up.
type mergeFn struct{}

// MergeAccumulators adds b to a, which Beam lets it change.
func (*mergeFn) MergeAccumulators(a, b Sum) (Sum, error) {
	if len(a.shards) == 0 || len(b.shards) == 0 {
		return Sum{}, ErrSumForm
	}
	err := a.Merge(b)
	return a, err
}
