package report

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/stencil"
	"github.com/chargecast/chargecast/internal/termtext"
	"github.com/chargecast/chargecast/internal/words"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/record"
)

// csv writes the charges, or the totals, as comma-separated values.
type csv struct {
	*sheet
	fields
	headed bool
	files  bool           // there are several inputs, which the rows name
	of     record.Profile // the profile at hand
	begin  []byte         // the first fields of its charges
	row    stencil.Line   // of a charge
	tail   []byte         // of the row, after the date
}

func newCSV(s *sheet) *csv {
	f := fields{separator: ',', mark: '.'}
	if s.options.Excel {
		f = fields{separator: ';', mark: ',', excel: true}
	}
	return &csv{sheet: s, fields: f, row: stencil.Line{Explained: s.options.Explain, Dates: new(stencil.Dates)}}
}

// heading names the columns. It is written late, since the first profile shows whether files are
// named.
func (s *csv) heading(file string) {
	if s.headed {
		return
	}
	s.headed, s.files = true, file != ""
	columns := []string{"row", "repeat", "date", "slot", "amount", "min", "max", "currency"}
	if s.isSimulation() {
		columns = append(columns, "kind", "outcome")
	}
	columns = append(columns, "card_expired")
	member := "profile"
	if by := s.head.By; by != engine.ByCharge {
		member = by.Member()
		columns = []string{"currency", "charges", "min", "max", "mean"}
		if by == engine.ByProfile {
			columns = append(columns, "card_expires", "card_expired_charges", "card_expired_min", "card_expired_max", "card_expired_mean")
		}
		for _, q := range s.options.Quantiles {
			columns = append(columns, "q"+q.String())
		}
		if s.isSimulation() {
			columns = append(columns, "declined_charges", "declined_min", "declined_max", "declined_mean")
		}
	}
	if s.files {
		columns = slices.Insert(columns, 0, "file")
	}
	if s.options.Explain {
		columns = append(columns, "because")
	}
	if s.excel {
		s.add("\ufeff")
	}
	s.add(member)
	for _, column := range columns {
		s.b = append(append(s.b, s.separator), column...)
	}
	s.add("\n")
}

func (s *csv) start(p *record.Profile) {
	s.heading(p.File)
	s.of = *p
	s.begin = s.name(s.begin[:0], p.Subject.Profile, p.File)
	s.begin = append(strconv.AppendInt(s.begin, int64(p.Row), 10), s.separator)
	s.row.Clear()
}

// name appends the first fields of a line.
func (s *csv) name(b []byte, name, file string) []byte {
	b = append(s.text(b, name), s.separator)
	if s.files {
		b = append(s.text(b, file), s.separator)
	}
	return b
}

func (s *csv) charge(c *engine.Charge) {
	s.heading("")
	if s.excel {
		s.b = strconv.AppendUint(append(s.b, s.begin...), c.Repeat, 10)
		s.b = s.rest(s.day(append(s.b, s.separator), c.Date), c)
		return
	}
	if !s.row.Fits(c) {
		s.tail = s.rest(s.tail[:0], c)
		s.row.Set(c, s.begin, ",", s.tail)
	}
	s.b = s.row.Append(s.b, c)
}

// rest appends what comes after the date of a charge.
func (s *csv) rest(b []byte, c *engine.Charge) []byte {
	b = append(b, s.separator)
	if c.Slot != c.Date {
		b = s.day(b, c.Slot)
	}
	b = append(b, s.separator)
	if fixed := c.Min.Compare(c.Max) == 0; fixed {
		b = append(s.decimal(len(b), c.Min.Append(b)), s.separator, s.separator)
	} else {
		b = s.decimal(len(b), c.Min.Append(append(b, s.separator)))
		b = s.decimal(len(b), c.Max.Append(append(b, s.separator)))
	}
	b = s.text(append(b, s.separator), s.of.Currency)
	if s.isSimulation() {
		b = append(append(b, s.separator), words.Kind(c)...)
		b = append(append(b, s.separator), c.Outcome.String()...)
	}
	if b = append(b, s.separator); c.CardExpired {
		b = append(b, "true"...)
	}
	return s.endLine(b, c.Because)
}

func (s *csv) total(t *record.Total) {
	s.heading(t.File)
	b := s.b
	if day, err := calendar.Parse(t.Value); err == nil && t.By == engine.ByDay {
		b = append(s.day(b, day), s.separator)
	} else {
		b = s.name(b, t.Value, t.File)
	}
	b = s.sums(s.text(b, t.Currency), t.Total)
	if t.By == engine.ByProfile {
		b = s.expiry(b, t)
	}
	for _, percent := range s.options.Quantiles {
		b = append(b, s.separator)
		for _, q := range t.Quantiles {
			if q.Percent == percent {
				b = s.decimal(len(b), q.Sum.Append(b))
			}
		}
	}
	switch {
	case !s.isSimulation():
	case t.Declined.Charges == 0:
		b = append(b, s.separator, s.separator, s.separator, s.separator)
	default:
		b = s.sums(b, t.Declined)
	}
	s.b = s.endLine(b, t.Because)
}

// expiry appends the month of a profile's card and what is charged after it, which is nothing in
// most.
func (s *csv) expiry(b []byte, t *record.Total) []byte {
	if b = append(b, s.separator); !t.CardExpires.IsZero() {
		b = s.text(b, t.CardExpires.String()[:len("2026-03")])
	}
	if t.CardExpired.Charges == 0 {
		return append(b, s.separator, s.separator, s.separator, s.separator)
	}
	return s.sums(b, t.CardExpired)
}

// sums appends the fields of a total, each behind a separator.
func (s *csv) sums(b []byte, t amount.Total) []byte {
	b = strconv.AppendUint(append(b, s.separator), t.Charges, 10)
	b = s.decimal(len(b), t.Min.Append(append(b, s.separator)))
	b = s.decimal(len(b), t.Max.Append(append(b, s.separator)))
	return s.decimal(len(b), t.AppendMean(append(b, s.separator)))
}

// endLine ends a line, with the ids of its clauses if they were asked for.
func (s *csv) endLine(b []byte, why ledger.Because) []byte {
	if s.options.Explain {
		b = s.text(append(b, s.separator), why.String())
	}
	return append(b, '\n')
}

func (s *csv) event(*engine.Effect) {}
func (s *csv) end(*engine.End)      {}
func (s *csv) finish()              { s.heading("") }

// fields are how the values of a line are written.
type fields struct {
	separator, mark byte // between values, and in front of decimals
	excel           bool // for German Excel, which reads 31.01.2026 and changes the text 0012
}

// decimal replaces the point in the number that begins at an offset.
func (f fields) decimal(from int, b []byte) []byte {
	if i := bytes.IndexByte(b[from:], '.'); i >= 0 {
		b[from+i] = f.mark
	}
	return b
}

func (f fields) day(b []byte, d calendar.Date) []byte {
	if !f.excel || !d.IsDay() {
		return d.Append(b)
	}
	s := d.String()
	return append(b, s[8:]+"."+s[5:7]+"."+s[:4]...)
}

// text appends one text, quoted where it must be, in which a spreadsheet finds no formula: control
// characters, a tab among them, are made visible, and what would begin a formula has an apostrophe
// before it. A text that Excel would read as a number or a day is a formula of that text alone.
func (f fields) text(b []byte, s string) []byte {
	s = termtext.Visible(s)
	switch {
	case s != "" && strings.IndexByte("=+-@", s[0]) >= 0:
		s = "'" + s
	case f.excel && isChangedByExcel(s):
		s = `="` + strings.ReplaceAll(s, `"`, `""`) + `"`
	}
	if strings.IndexByte(s, '"') < 0 && strings.IndexByte(s, f.separator) < 0 && s == strings.TrimSpace(s) {
		return append(b, s...)
	}
	b = append(b, '"')
	b = append(b, strings.ReplaceAll(s, `"`, `""`)...)
	return append(b, '"')
}

// isChangedByExcel reports whether German Excel may read a text as a number, a day or a truth value:
// 0012, 1-2, 2026-03, 3E5, Mai 5. Its formulas hold texts of at most 255 characters.
func isChangedByExcel(s string) bool {
	if len(s) > 255 {
		return false
	}
	word := strings.ToLower(s)
	if word == "wahr" || word == "falsch" {
		return true
	}
	digit := strings.IndexFunc(s, unicode.IsDigit)
	letter := strings.IndexFunc(word, unicode.IsLetter)
	if digit < 0 || letter < 0 || digit < letter {
		return digit >= 0
	}
	return slices.ContainsFunc(germanMonths, func(month string) bool { return strings.HasPrefix(word[letter:], month) })
}

var germanMonths = []string{"jan", "feb", "mär", "mar", "mrz", "apr", "mai", "may", "jun", "jul", "aug", "sep", "okt", "oct", "nov", "dez", "dec"}
