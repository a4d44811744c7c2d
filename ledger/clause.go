package ledger

import (
	"errors"
	"iter"
	"strconv"

	"github.com/chargecast/chargecast/internal/enum"
)

// A Basis says how firm a reading of the document is. The zero value is no basis.
type Basis uint8

// The bases, from the firmest to the weakest.
const (
	Stated   Basis = iota + 1 // the document says so
	Observed                  // charges that took place show it
	Inferred                  // it follows from the document's wording
	Assumed                   // the document is silent and the ledger decides
)

var basisWords = enum.Words{Type: "Basis", Words: []string{"", "stated", "observed", "inferred", "assumed"}}

// String returns "stated", "observed", "inferred" or "assumed", the empty string for the zero Basis, and a
// text such as "Basis(9)" for a value that is none of these.
func (b Basis) String() string { return basisWords.String(uint8(b)) }

// MarshalText returns the word of [Basis.String]; a value without a word is an error.
func (b Basis) MarshalText() ([]byte, error) { return basisWords.Marshal(uint8(b)) }

// UnmarshalText reads what [Basis.MarshalText] writes. On an error b is unchanged.
func (b *Basis) UnmarshalText(text []byte) error {
	return basisWords.Unmarshal(text, (*uint8)(b))
}

// A Clause names one entry of the ledger: a clause of the document (2.2.6), a contradiction in it
// (X7), or one of its silences (L01). The zero value names none.
type Clause uint8

// Entries yields every entry: the clauses of the document first, then its contradictions, then
// its silences.
func Entries() iter.Seq[Entry] {
	return func(yield func(Entry) bool) {
		for c := Clause(1); int(c) < clauseCount; c++ {
			if !yield(c.Entry()) {
				return
			}
		}
	}
}

// Lookup returns the entry with an id such as "2.2.6", "L36b" or "X8". An id that the ledger joins
// to others ("L51", one of L50–53) finds the entry of the first.
func Lookup(id string) (Entry, bool) {
	c := find(id)
	return c.Entry(), c != 0
}

// find returns the clause with an id; zero for none.
func find[text string | []byte](id text) Clause {
	want := string(id)
	if want == "L51" || want == "L52" || want == "L53" {
		want = "L50"
	}
	for c := 1; c < clauseCount; c++ {
		if entries[c].id == want {
			return Clause(c)
		}
	}
	return 0
}

// known reports whether c names an entry.
func (c Clause) known() bool { return c != 0 && int(c) < clauseCount }

// String returns the entry's id, such as "2.2.6", "L01" or "X7", the empty string for the zero
// Clause, and a text such as "Clause(200)" for a value that names no entry.
func (c Clause) String() string {
	if int(c) < clauseCount {
		return entries[c].id
	}
	return "Clause(" + strconv.Itoa(int(c)) + ")"
}

// Basis returns how firm the default reading of c is; the zero Basis if c names no entry.
func (c Clause) Basis() Basis {
	if !c.known() {
		return 0
	}
	return entries[c].basis
}

// Key returns the policy key that chooses the reading of c, such as "month-end"; the empty string
// if the reading is fixed or c names no entry.
func (c Clause) Key() string {
	if !c.known() {
		return ""
	}
	return entries[c].key
}

// Reading returns reading i of c, 0 being the default, without the copy that [Clause.Entry] makes.
// The result is false if there is no such reading.
func (c Clause) Reading(i int) (Reading, bool) {
	if !c.known() || i < 0 || i >= len(entries[c].readings) {
		return Reading{}, false
	}
	return entries[c].readings[i], true
}

// Entry returns the entry that c names, or the zero Entry.
func (c Clause) Entry() Entry {
	if !c.known() {
		return Entry{}
	}
	e := entries[c]
	return Entry{
		Clause: c, Where: e.where, Basis: e.basis, Key: e.key, Question: e.question,
		Readings: append([]Reading(nil), e.readings...),
	}
}

// MarshalText returns the id; a Clause that names no entry is an error, and the zero Clause is
// empty.
func (c Clause) MarshalText() ([]byte, error) {
	if int(c) >= clauseCount {
		return nil, enum.ErrUnnamed
	}
	return []byte(entries[c].id), nil
}

// UnmarshalText reads what [Clause.MarshalText] writes. On an error c is unchanged.
func (c *Clause) UnmarshalText(text []byte) error {
	if len(text) == 0 {
		*c = 0
		return nil
	}
	found := find(text)
	if found == 0 {
		return errors.New("ledger: no entry has this id: give one such as 2.2.6, L01 or X7")
	}
	*c = found
	return nil
}

// An entry is a line of the table.
type entry struct {
	id, where string
	basis     Basis
	key       string
	question  string
	readings  []Reading
}

// An Entry is one line of the ledger: a clause of the document, or one of its silences with the
// readings of it. It is a copy that the caller may change.
type Entry struct {
	Clause   Clause    `json:"id"`
	Where    string    `json:"where"`         // the clauses of the document that it concerns
	Basis    Basis     `json:"basis"`         // how firm the first reading is
	Key      string    `json:"key,omitempty"` // the policy key that chooses the reading; empty if it is fixed
	Question string    `json:"question"`      // the point in a few words
	Readings []Reading `json:"readings"`      // the default first; at least one
}

// A Reading is one way to read a point that the document leaves open.
type Reading struct {
	Value string `json:"value,omitempty"` // the policy value that selects it; empty if there is no choice
	Text  string `json:"text"`            // what it does
}

// Values returns the policy values of the entry's key, the default first; nil without a key.
func (e Entry) Values() []string {
	if e.Key == "" {
		return nil
	}
	values := make([]string, len(e.Readings))
	for i, r := range e.Readings {
		values[i] = r.Value
	}
	return values
}
