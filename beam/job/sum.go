package job

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"slices"
	"strconv"

	"github.com/chargecast/chargecast/record"
)

// A Sum is the result of some of the shards, and the accumulator of the pipeline. Its fields are
// unexported; workers exchange it as text, see [EncodeSum].
type Sum struct {
	shards []Tally      // in order of number
	part   *record.Part // of totals by period, without its inputs; else nil
}

// A Tally is the result of reading one shard.
type Tally struct {
	Number  int               `json:"number"`
	Input   record.PartInput  `json:"input"`
	States  *record.PartInput `json:"states,omitempty"`
	Rows    int               `json:"rows"`
	LeftOut int               `json:"left_out"` // rows with errors
	// Answer is what the charges, or the totals by profile, of the shard end with. Charges that are added up are counted
	// in the totals.
	Answer   record.ForecastSummary `json:"answer"`
	Errors   int                    `json:"errors"`
	Warnings int                    `json:"warnings"`
	// Incomplete says that an error is about the shard as a whole, so that rows may be missing.
	Incomplete bool `json:"incomplete,omitempty"`
	// Unreadable says that the file is not a payload.
	Unreadable bool    `json:"unreadable,omitempty"`
	Codes      []Count `json:"codes,omitempty"` // in order of code
}

// Merge adds the shards of another sum. It fails if a shard is in both, if the totals are not of one
// query, and for too many charges; s must not be used then.
func (s *Sum) Merge(o Sum) error {
	shards := make([]Tally, 0, len(s.shards)+len(o.shards))
	shards = append(append(shards, s.shards...), o.shards...)
	slices.SortFunc(shards, func(a, b Tally) int { return cmp.Compare(a.Number, b.Number) })
	for i := range shards {
		if i > 0 && shards[i].Number == shards[i-1].Number {
			return failed("the shard "+shards[i].Input.Name+" was counted twice", "run the job again")
		}
	}
	if (s.part == nil) != (o.part == nil) {
		return failed("one sum has totals, and another has none", "run the job again")
	}
	if s.part != nil {
		if what := s.part.Differs(o.part); what != "" {
			return failed("the totals of two shards are of another "+what, "run the job again")
		}
		if err := s.part.Merge(o.part); err != nil {
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

// answer is what the totals of all shards end with.
func (s *Sum) answer() (sum record.ForecastSummary) {
	for _, t := range s.shards {
		sum.Merge(t.Answer)
	}
	for _, t := range s.part.Days {
		sum.Charges += t.Charges
		sum.CardExpired += t.CardExpired.Charges
	}
	return sum
}

// The form of a sum is a line with the schema, a line with the shards as JSON, the part with the totals or
// nothing, and a line with the SHA-256 of all that.
const (
	sumName   = "chargecast.beam/"
	sumSchema = sumName + "3\n"
)

// The errors of [DecodeSum].
var (
	ErrSumForm    = errors.New("job: the sum is damaged or empty")
	ErrSumVersion = errors.New("job: the sum was written by another version: all workers must run the same one")
)

// EncodeSum returns a sum as text. A sum of no shard, such as the zero Sum, is [ErrSumForm].
func EncodeSum(s Sum) ([]byte, error) {
	if len(s.shards) == 0 {
		return nil, ErrSumForm
	}
	shards, err := json.Marshal(s.shards)
	if err != nil {
		return nil, err
	}
	b := bytes.NewBuffer(append(append([]byte(sumSchema), shards...), '\n'))
	if s.part != nil {
		w := record.NewPartWriter(b, s.part.Header, s.part.PartAsked)
		_ = w.Days(slices.Values(s.part.Days)) // a Buffer takes everything
		_ = w.Close(s.part.PartEnd)
	}
	return sealed(b.Bytes()), nil
}

func sealed(b []byte) []byte {
	sum := sha256.Sum256(b)
	return append(hex.AppendEncode(b, sum[:]), '\n')
}

// DecodeSum reads what [EncodeSum] returns. The error is [ErrSumVersion] for a sum or totals of another
// version, and [ErrSumForm] for anything else that EncodeSum does not write.
func DecodeSum(data []byte) (Sum, error) {
	if !bytes.HasPrefix(data, []byte(sumSchema)) {
		if line, _, whole := bytes.Cut(data, []byte("\n")); whole && bytes.HasPrefix(line, []byte(sumName)) {
			return Sum{}, ErrSumVersion
		}
		return Sum{}, ErrSumForm
	}
	end := len(data) - 2*sha256.Size - 1
	if end < len(sumSchema) || !bytes.Equal(sealed(bytes.Clone(data[:end])), data) {
		return Sum{}, ErrSumForm
	}
	text, totals, ok := bytes.Cut(data[len(sumSchema):end], []byte("\n"))
	var s Sum
	if !ok || json.Unmarshal(text, &s.shards) != nil || len(s.shards) == 0 {
		return Sum{}, ErrSumForm
	}
	if len(totals) > 0 {
		var err error
		switch s.part, err = record.ReadPart(bytes.NewReader(totals), nil); {
		case errors.Is(err, record.ErrPartVersion):
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
