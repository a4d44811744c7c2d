package rules

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/chargecast/chargecast/ledger"
)

// Excerpt shows the place of a finding of the current step: its value with two
// neighbours on each side, on one line, and the caret's distance from its beginning in
// characters. Of a value only its shape is shown, such as 9.9.9999 or Aaaa-99, for a
// value in the wrong column would be a secret that no mask of the column hides; of cvv2 and
// personal data not even that, for a length is half a secret, and of a row whose values cannot be
// matched with columns nothing. Only the words of rp_card_type, currency, country and period are
// shown as they are. Values are cut, control characters and what a terminal may show in two columns
// replaced. In the header only names of columns are shown. The result is false for a finding that
// is not about the row, or the header, that was read last.
func (r *Reader) Excerpt(p ledger.Finding) (text string, caret int, ok bool) {
	return r.hidden().excerpt(p)
}

func (r *reader) excerpt(p ledger.Finding) (text string, caret int, ok bool) {
	at, ok := r.current(p)
	if !ok {
		return "", 0, false
	}
	const around = 2
	here := r.cellAt(at)
	from, to := max(0, here-around), min(len(r.sc.cells), here+around+1)
	sep := string(visible(rune(r.sc.sep)))
	var b strings.Builder
	if from > 0 {
		b.WriteString("…" + sep)
	}
	for i := from; i < to; i++ {
		if i > from {
			b.WriteString(sep)
		}
		shown := r.showCell(i)
		if i == here {
			caret = utf8.RuneCountInString(b.String()) + r.caretOffset(i, at, shown)
		}
		b.WriteString(shown)
	}
	if to < len(r.sc.cells) {
		b.WriteString(sep + "…")
	}
	return b.String(), caret, true
}

// current returns the byte of the record that a finding is about, if that record was read last.
func (r *reader) current(p ledger.Finding) (at int, ok bool) {
	if r.sc == nil || p.Place.Wire || r.sc.fault.code != "" || len(r.sc.cells) == 0 {
		return 0, false
	}
	offset := p.Place.Offset - r.sc.begin.offset
	return int(offset), offset >= 0 && offset <= int64(len(r.sc.raw))
}

// cellAt returns the cell of the current record that has byte at.
func (r *reader) cellAt(at int) int {
	for i, c := range r.sc.cells {
		if at <= int(c.to) {
			return i
		}
	}
	return len(r.sc.cells) - 1
}

// shownMost is how many characters of a value an excerpt shows.
const shownMost = 40

// showCell returns a value of the current record as it may be shown, its quotes included.
func (r *reader) showCell(i int) string {
	c := r.sc.cells[i]
	content := string(r.sc.raw[c.from:c.to])
	switch {
	case r.conceals(i):
		content = hide(content)
	case r.number > 0:
		content = r.showValue(i, content)
	case !isColumn(content): // in a header
		content = hide(content)
	}
	if utf8.RuneCountInString(content) > shownMost {
		content = string([]rune(content)[:shownMost]) + "…"
	}
	if c.form != formBare {
		return `"` + content + `"`
	}
	return content
}

// conceals reports whether nothing of a value of a data row may be shown, not even its length: its column has
// personal data or the security code, or is not known.
func (r *reader) conceals(i int) bool {
	return r.number > 0 && (len(r.sc.cells) != len(r.fields) || r.fields[i].col == 0 || r.fields[i].spec.privacy == masked)
}

// showValue returns the content of a value of a data row as it may be shown.
func (r *reader) showValue(i int, content string) string {
	if is := kinds[r.fields[i].spec.kind].isWord; is != nil && is(content) {
		return content
	}
	return strings.Map(shape, content)
}

// shape returns the character that an excerpt shows for a character, by its kind.
func shape(r rune) rune {
	switch {
	case isDigit(byte(r)) && r <= unicode.MaxASCII: // others look like digits and are none
		return '9'
	case unicode.IsUpper(r):
		return 'A'
	case unicode.IsLetter(r) || unicode.IsMark(r):
		return 'a'
	}
	switch {
	case r <= unicode.MaxASCII:
		return visible(r)
	case isSpace(r):
		return '␣' // one that is not the plain one
	case r >= firstWide, !unicode.IsPunct(r), isControl(r):
		return '·' // a terminal may show it in two columns or none
	}
	return r
}

// firstWide is the first character of the scripts that take two columns of a terminal.
const firstWide = 0x2E80

func isColumn(name string) bool {
	_, known := ColumnOf(name)
	return known
}

func hide(s string) string {
	if s == "" {
		return ""
	}
	return hidden
}

// visible replaces control characters.
func visible(r rune) rune {
	switch {
	case r == '\n' || r == '\r':
		return '⏎'
	case isControl(r):
		return '·'
	}
	return r
}

// caretOffset returns the position of byte at within the shown value: 0 if the value is hidden, and the cut for a byte
// after it.
func (r *reader) caretOffset(i, at int, shown string) int {
	c := r.sc.cells[i]
	raw := r.sc.raw[c.start():c.to]
	n := at - c.start()
	if n <= 0 || n > len(raw) || strings.Contains(shown, hidden) && r.number == 0 || r.conceals(i) {
		return 0
	}
	return min(utf8.RuneCount(raw[:n]), int(c.from)-c.start()+shownMost)
}
