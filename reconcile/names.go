package reconcile

import (
	"cmp"
	"strings"
	"unicode"

	"github.com/chargecast/chargecast/internal/termtext"
)

// A subject is a client-orderid of the payload with its lines.
type subject struct {
	id      string
	rows    int // that have it: several cannot be told apart
	lines   lineList
	blocked bool // a line with a problem may be one of these, so that they decide nothing
}

// subjects are those of a payload.
type subjects struct {
	byID    map[string]*subject
	escaped map[string]*subject   // by the id as CSV has it, if it has control characters
	alike   map[string][]*subject // by fold(id); nil before it is needed
}

// add adds a row with an id.
func (s *subjects) add(id string) *subject {
	of := s.byID[id]
	if of == nil {
		of = &subject{id: strings.Clone(id)}
		s.byID[of.id] = of
		if visible := termtext.Visible(of.id); visible != of.id {
			s.escaped[visible] = of
		}
	}
	of.rows++
	return of
}

// of returns the subject that a line names: its id exactly, or as CSV of the command and the
// gateway has it, with control characters as escapes and an apostrophe that keeps a spreadsheet
// from taking it for a formula; nil for none.
func (s *subjects) of(name string) *subject {
	for _, text := range [...]string{name, withoutApostrophe(name)} {
		if of := cmp.Or(s.byID[text], s.escaped[text]); of != nil {
			return of
		}
	}
	return nil
}

// near returns the subjects whose ids differ from a name only in case, spaces and invisible
// characters, and in an apostrophe before it.
func (s *subjects) near(name string) []*subject {
	if s.alike == nil {
		s.alike = map[string][]*subject{}
		for id, of := range s.byID {
			s.alike[fold(id)] = append(s.alike[fold(id)], of)
		}
	}
	if of := s.alike[fold(name)]; of != nil {
		return of
	}
	return s.alike[strings.TrimPrefix(fold(name), "'")]
}

// named returns the subjects that a line with a problem may name.
func (s *subjects) named(name string) []*subject {
	if of := s.of(name); of != nil {
		return []*subject{of}
	}
	return s.near(name)
}

func withoutApostrophe(name string) string {
	if len(name) > 1 && name[0] == '\'' && strings.IndexByte("=+-@", name[1]) >= 0 {
		return name[1:]
	}
	return name
}

// fold returns a text in lower case, without spaces and invisible characters.
func fold(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || !unicode.IsGraphic(r) || unicode.In(r, unicode.Zs, unicode.Cf, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point) {
			return -1
		}
		return unicode.ToLower(unicode.ToUpper(r))
	}, s)
}
