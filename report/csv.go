package report

import (
	"bytes"
	stdcsv "encoding/csv"
	"fmt"
	"slices"
	"strconv"
	"strings"

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
	headed   bool
	files    bool   // there are several inputs, which the rows name
	begin    []byte // the first fields of the profile's charges
	currency []byte
	row      stencil.Line          // of a charge
	tail     []byte                // of the row, after the date
	excel    []func(string) string // of each column, for Options.Excel; nil: as it is
}

func newCSV(s *sheet) *csv {
	return &csv{sheet: s, row: stencil.Line{Explained: s.options.Explain, Dates: new(stencil.Dates)}}
}

// heading names the columns. It is written late, since the first profile shows whether files are
// named.
func (s *csv) heading(file string) {
	if s.headed {
		return
	}
	s.headed, s.files = true, file != ""
	member, columns := "profile", "row,repeat,date,slot,amount,min,max,currency"
	if s.isSimulation() {
		columns += ",kind,outcome"
	}
	if by := s.head.By; by != engine.ByCharge {
		member, columns = by.Member(), "currency,charges,min,max,mean"
		for _, q := range s.options.Quantiles {
			columns += ",q" + q.String()
		}
		if s.isSimulation() {
			columns += ",declined_charges,declined_min,declined_max,declined_mean"
		}
	}
	if s.files {
		member += ",file"
	}
	if s.options.Explain {
		columns += ",because"
	}
	if s.options.Excel {
		s.b = append(s.b, "\ufeff"...)
		s.excel = germanCells(member + "," + columns)
	}
	begin := len(s.b)
	s.b = append(s.b, member+","+columns+"\n"...)
	s.inGerman(begin, nil)
}

// germanCell returns how German Excel reads the values of a column: a day or a number; nil for any other text.
func germanCell(column string) func(string) string {
	switch kind := column[strings.LastIndexByte(column, '_')+1:]; {
	case kind == "date" || kind == "slot":
		return func(s string) string {
			if d, err := calendar.Parse(s); err == nil {
				year, month, day := d.Date()
				return fmt.Sprintf("%02d.%02d.%04d", day, int(month), year)
			}
			return s
		}
	case kind == "amount" || kind == "min" || kind == "max" || kind == "mean" || kind[0] == 'q' && kind != "quarter":
		return func(s string) string { return strings.Replace(s, ".", ",", 1) }
	}
	return nil
}

// inGerman writes the last line, which begins at an offset, anew for German Excel, if it is wanted.
func (s *csv) inGerman(begin int, cells []func(string) string) {
	if s.options.Excel {
		s.b = appendGerman(s.b[:begin], slices.Clone(s.b[begin:]), cells)
	}
}

// appendGerman appends a line of comma-separated values with semicolons between them, each as German Excel reads it.
func appendGerman(dst, line []byte, cells []func(string) string) []byte {
	values, _ := stdcsv.NewReader(bytes.NewReader(line)).Read() // which was made well formed
	for i, value := range values {
		if i > 0 {
			dst = append(dst, ';')
		}
		if i < len(cells) && cells[i] != nil {
			value = cells[i](value)
		}
		if strings.ContainsAny(value, `";`) || value != strings.TrimSpace(value) {
			value = `"` + strings.ReplaceAll(value, `"`, `""`) + `"`
		}
		dst = append(dst, value...)
	}
	return append(dst, '\n')
}

// germanCells returns how the values of columns are written.
func germanCells(columns string) (cells []func(string) string) {
	for name := range strings.SplitSeq(columns, ",") {
		cells = append(cells, germanCell(name))
	}
	return cells
}

func (s *csv) start(p *Profile) {
	s.heading(p.File)
	s.begin = s.appendName(s.begin[:0], p.Subject.Profile, p.File)
	s.begin = append(strconv.AppendInt(s.begin, int64(p.Row), 10), ',')
	s.currency = appendField(s.currency[:0], p.Currency)
	s.row.Clear()
}

// appendName appends the first fields of a line.
func (s *csv) appendName(b []byte, name, file string) []byte {
	b = append(appendField(b, name), ',')
	if s.files {
		b = append(appendField(b, file), ',')
	}
	return b
}

func (s *csv) charge(c *engine.Charge) {
	if !s.row.Fits(c) {
		s.heading("")
		s.tail = s.appendTail(s.tail[:0], c)
		s.row.Set(c, s.begin, ",", s.tail)
	}
	begin := len(s.b)
	s.b = s.row.Append(s.b, c)
	s.inGerman(begin, s.excel)
}

// appendTail appends what comes after the date of a charge.
func (s *csv) appendTail(b []byte, c *engine.Charge) []byte {
	b = append(b, ',')
	if c.Slot != c.Date {
		b = c.Slot.Append(b)
	}
	b = append(b, ',')
	if c.Min.Compare(c.Max) == 0 {
		b = append(c.Min.Append(b), ",,,"...)
	} else {
		b = c.Min.Append(append(b, ','))
		b = append(c.Max.Append(append(b, ',')), ',')
	}
	b = append(b, s.currency...)
	if s.isSimulation() {
		b = append(append(b, ','), words.Kind(c)...)
		b = append(append(b, ','), c.Outcome.String()...)
	}
	return s.endLine(b, c.Because)
}

func (s *csv) total(t *record.Total) {
	s.heading(t.File)
	begin := len(s.b)
	b := s.appendName(s.b, t.Value, t.File)
	b = appendSums(append(appendField(b, t.Currency), ','), t.Total)
	for _, q := range s.options.Quantiles {
		b = append(b, ',')
		if i := slices.IndexFunc(t.Quantiles, func(of record.Quantile) bool { return of.Percent == q }); i >= 0 {
			b = t.Quantiles[i].Sum.Append(b)
		}
	}
	if s.isSimulation() {
		b = appendSums(append(b, ','), t.Declined)
	}
	s.b = s.endLine(b, t.Because)
	s.inGerman(begin, s.excel)
}

func appendSums(b []byte, s amount.Total) []byte {
	b = append(strconv.AppendUint(b, s.Charges, 10), ',')
	b = append(s.Min.Append(b), ',')
	b = append(s.Max.Append(b), ',')
	return s.AppendMean(b)
}

// endLine ends a line, with the ids of its clauses if they were asked for.
func (s *csv) endLine(b []byte, why ledger.Because) []byte {
	if s.options.Explain {
		b = why.Append(append(b, ','))
	}
	return append(b, '\n')
}

func (s *csv) event(*engine.Effect) {}
func (s *csv) end(*engine.End)      {}
func (s *csv) finish()              { s.heading("") }

// appendField appends one text, quoted where it must be, in which a spreadsheet finds nothing to
// obey: control characters, a tab among them, are made visible, and what would begin a formula has
// an apostrophe before it.
func appendField(dst []byte, s string) []byte {
	s = termtext.Visible(s)
	if s != "" && strings.IndexByte("=+-@", s[0]) >= 0 {
		s = "'" + s
	}
	if !strings.ContainsAny(s, `",`) && s == strings.TrimSpace(s) {
		return append(dst, s...)
	}
	dst = append(dst, '"')
	dst = append(dst, strings.ReplaceAll(s, `"`, `""`)...)
	return append(dst, '"')
}
