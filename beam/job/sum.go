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

	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/record"
)

// A Sum is the result of some of the shards, and the accumulator of the pipeline. Its fields are
// unexported; workers exchange it as text, see [EncodeSum].
type Sum struct {
	shards []Tally      // in order of number
	book   *engine.Book // of totals by period; else nil
}

// A Tally is the result of reading one shard.
type Tally struct {
	Number  int  `json:"number"`
	Input   File `json:"input"`
	Rows    int  `json:"rows"`
	LeftOut int  `json:"left_out"` // rows with errors
	// Answer is what the charges, or the totals by profile, of the shard end with. Charges that are
	// added up are counted in the totals.
	Answer   record.ForecastSummary `json:"answer"`
	Errors   int                    `json:"errors"`
	Warnings int                    `json:"warnings"`
	// Incomplete says that an error is about the shard as a whole, so that rows may be missing.
	Incomplete bool `json:"incomplete,omitempty"`
	// Unreadable says that the file is not a payload.
	Unreadable bool    `json:"unreadable,omitempty"`
	Codes      []Count `json:"codes,omitempty"` // in order of code
}

// A File is one that was read.
type File struct {
	Name   string `json:"name"`
	Size   uint64 `json:"size"`
	SHA256 string `json:"sha256"`         // in lower-case hexadecimal digits
	Form   string `json:"form,omitempty"` // of a payload: "csv", "base64" or "form"
}

// Merge adds the shards of another sum. It fails if a shard is in both, if the totals are not of
// one query, and for too many charges; s must not be used then.
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

// answer is what the totals of all shards end with.
func (s *Sum) answer() (sum record.ForecastSummary) {
	for _, t := range s.shards {
		sum.Merge(t.Answer)
	}
	for t := range s.book.Totals(engine.ByDay) {
		sum.Charges += t.Charges
		sum.CardExpired += t.CardExpired.Charges
	}
	return sum
}

// The form of a sum is lines: the schema, the shards as JSON, the book as JSON where there is one,
// and the SHA-256 of these.
const (
	sumName   = "chargecast.beam/"
	sumSchema = sumName + "4\n"
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
	b := append(append([]byte(sumSchema), shards...), '\n')
	if s.book != nil {
		book, err := json.Marshal(s.book)
		if err != nil {
			return nil, err
		}
		b = append(append(b, book...), '\n')
	}
	return sealed(b), nil
}

func sealed(b []byte) []byte {
	sum := sha256.Sum256(b)
	return append(hex.AppendEncode(b, sum[:]), '\n')
}

// DecodeSum reads what [EncodeSum] returns. The error is [ErrSumVersion] for a sum of another
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
	text, book, ok := bytes.Cut(data[len(sumSchema):end], []byte("\n"))
	var s Sum
	if !ok || json.Unmarshal(text, &s.shards) != nil || len(s.shards) == 0 {
		return Sum{}, ErrSumForm
	}
	if len(book) > 0 {
		s.book = new(engine.Book)
		if json.Unmarshal(book, s.book) != nil {
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
