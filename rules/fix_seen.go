package rules

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/chargecast/chargecast/ledger"
)

// A FixedColumn is what a [Fixer] saw of one column of an export, and what a user may have to decide about it. It has no
// values but the words of [FixedColumn.Words].
type FixedColumn struct {
	Number int // in the header, from 1
	// Name is the name in the header; empty for one that may be a value: longer than 40 letters, with three digits in a
	// row, or with an @.
	Name    string
	Column  Column      // zero for none
	Code    ledger.Code // of what became of the name; empty where it is the column's own
	Refused bool
	Near    Column // that the name perhaps means, where it is none; the values were looked at as those of it
	// Values counts those that are not empty, Digits those of digits alone; these have Least to Most digits.
	Values, Digits, Least, Most int
	// DayFirst, MonthFirst and EitherOrder count dates by the order in which they can be read, ShortYears those whose
	// year has two digits.
	DayFirst, MonthFirst, EitherOrder, ShortYears int
	// Comma, Point and EitherMark count amounts by the decimal mark with which they can be read.
	Comma, Point, EitherMark int
	// Undecided counts dates and amounts that are refused for want of their order, century or decimal mark.
	Undecided int
	// Words are values of rp_card_type, currency, country, state and period that are refused, at most 30, in the order of
	// the text: at most 24 letters without digits and @; a period may have one number of two digits. OtherWords counts the rows with other ones.
	Words      []FixedWord
	OtherWords int
}

// A FixedWord is a value that a column does not take.
type FixedWord struct {
	Text string
	Rows int
	// Likely is what it means if it is a word for several periods, such as month*12; empty for others.
	Likely string
}

const (
	mostWords       = 30
	mostWordLetters = 24
)

// evidence is what was seen of the values of one column.
type evidence struct {
	as     Column // the column whose values they are taken for
	values int
	under  [2][len(choices)]int // how many can be read, by alias and choice
	times  bool                 // a value is several times a period
	once   bool                 // a value is a period alone
	source bool                 // a value is SRC
	counts FixedColumn
	order  map[string]int // of a word in counts.Words
}

// fits reports whether nearly all values can be read as those of column k that the name means: all but one in ten.
func (e *evidence) fits(k int) bool {
	if k >= len(e.under) {
		return false
	}
	return 10*(e.values-slices.Max(e.under[k][:])) <= e.values
}

// see looks at a row.
func (x *fixing) see(rec *cutter) {
	switch {
	case x.unreadable || len(rec.raw) == 0:
		return
	case !rec.bad && !rec.over && rec.blank():
		return
	case !x.fits(rec):
		x.misfits.add(rec)
		if x.tail > 0 && !rec.bad && !rec.over && len(rec.cells) == len(x.names)+x.tail {
			x.tailUsed = true
		}
		return
	case x.repeatsHeader(rec):
		if rec.sep != ';' {
			x.misfits.add(rec)
			x.misfits.same[len(rec.cells)] = false
		}
		return
	case len(rec.raw) > x.most/4: // it may become too long
		x.misfits.add(rec)
	}
	x.curly = x.curly || x.quotesCurly(rec)
	for i := range x.names {
		if c := rec.cells[i]; !c.blank() || len(x.values[x.names[i].seen.as]) > 0 {
			x.names[i].look(x, c)
		}
	}
}

// look looks at a value.
func (n *headerName) look(x *fixing, c cellText) {
	s := c.text()
	if inner, ok := uncurl(trimmedUnseen(s)); ok && !c.quoted {
		s = inner
	}
	e := &n.seen
	v, given := x.values[e.as][foldedValue(s)]
	several := given && v.Times > 1
	if given {
		s = v.Text
	}
	m := repair{text: s}
	m.unwrap(valueText)
	if m.text == "" {
		e.times = e.times || several
		return
	}
	e.values++
	if digitsOnly(m.text) {
		t := &e.counts
		if t.Digits++; t.Least == 0 || len(m.text) < t.Least {
			t.Least = len(m.text)
		}
		t.Most = max(t.Most, len(m.text))
	}
	if n.rank == rankAlias {
		for k, col := range n.means {
			if k == len(e.under) {
				break
			}
			if v, ok := x.values[col][foldedValue(s)]; ok {
				s = v.Text
			}
			under := [len(choices)]bool{}
			if n.expiry {
				_, _, under[0] = expiryOf(s)
			} else {
				under = fitsUnder(col, s)
			}
			for c, ok := range under {
				if ok {
					e.under[k][c]++
				}
			}
		}
	}
	switch columns[e.as].kind {
	case valueDate:
		e.date(m.text)
		e.undecided(x.Forms, s)
	case valueAmount:
		e.amount(m.text)
		e.undecided(x.Forms, s)
	case valueCardType, valueCurrency, valueCountry, valueState, valuePeriod:
		m := (reading{}).mend(e.as, s)
		e.source = e.source || m.text == "SRC"
		if m.refused && !given {
			e.word(s)
		} else if v, ok := x.values[e.as][foldedValue(m.text)]; ok {
			several = several || v.Times > 1
		}
		several = several || m.times > 1
		e.times, e.once = e.times || several, e.once || !several && !m.refused
	}
}

func (e *evidence) undecided(forms Forms, s string) {
	if m := (reading{forms: forms}).mend(e.as, s); m.refused && (m.codes[0] == fixOrder || m.codes[0] == fixCentury || m.codes[0] == fixComma) {
		e.counts.Undecided++
	}
}

func (e *evidence) date(s string) {
	dayFirst, monthFirst := ordersOf(s)
	switch {
	case dayFirst && monthFirst:
		e.counts.EitherOrder++
	case dayFirst:
		e.counts.DayFirst++
	case monthFirst:
		e.counts.MonthFirst++
	}
	if m := (reading{forms: Forms{Dates: DayFirst}}).mend(ColumnStartDate, s); m.refused && m.codes[0] == fixCentury {
		e.counts.ShortYears++
	}
}

func (e *evidence) amount(s string) {
	comma, point := marksOf(s)
	switch {
	case comma && point:
		e.counts.EitherMark++
	case comma:
		e.counts.Comma++
	case point:
		e.counts.Point++
	}
}

// word notes a word that the column does not take.
func (e *evidence) word(s string) {
	s = trimmedUnseen(s)
	key := foldedValue(s)
	if i, ok := e.order[key]; ok {
		e.counts.Words[i].Rows++
		return
	}
	digits, letters := 0, 0
	strange := func(r rune) bool {
		switch {
		case unicode.IsLetter(r):
			letters++
		case e.as == ColumnPeriod && '0' <= r && r <= '9':
			digits++
			return digits > 2
		}
		return !unicode.IsLetter(r) && !unicode.IsMark(r) && !strings.ContainsRune(" -.'/€$£", r)
	}
	if len(e.counts.Words) == mostWords || utf8.RuneCountInString(s) > mostWordLetters || strings.ContainsFunc(s, strange) || digits > 0 && letters < 3 {
		e.counts.OtherWords++
		return
	}
	if e.order == nil {
		e.order = map[string]int{}
	}
	e.order[key] = len(e.counts.Words)
	likely := ""
	if e.as == ColumnPeriod {
		likely = unitOfWord(s)
	}
	e.counts.Words = append(e.counts.Words, FixedWord{s, 1, likely})
}

// describe sums up what was seen of the columns.
func (x *fixing) describe() {
	x.done.Columns, x.done.Missing = nil, nil
	for i := range x.names {
		n := &x.names[i]
		c := n.seen.counts
		c.Number, c.Name, c.Column, c.Code, c.Refused, c.Near, c.Values = i+1, x.shown(i), n.column, n.code, n.refused, n.near, n.seen.values
		if n.seen.as != n.column && n.seen.as != n.near {
			c.Words, c.OtherWords = nil, 0
		}
		x.done.Columns = append(x.done.Columns, c)
	}
	source := x.Set[ColumnCardType] != "DST"
	if i := x.indexOf(ColumnCardType); i >= 0 {
		source = x.names[i].seen.source || source && x.Set[ColumnCardType] != ""
	}
	once := false
	if i := x.indexOf(ColumnPeriod); i >= 0 {
		once = x.names[i].seen.once
	}
	for s := range Columns() {
		needed := s.Need == required && (source || !s.SourceOnly) || s.Column == ColumnInterval && x.indexOf(ColumnPeriod) >= 0
		added := slices.Contains(x.added, s.Column) && (s.Column != ColumnInterval || !once || x.Set[ColumnInterval] != "")
		if needed && x.indexOf(s.Column) < 0 && !added {
			x.done.Missing = append(x.done.Missing, s.Column)
		}
	}
}
