package rules

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/internal/cardtext"
	"github.com/chargecast/chargecast/ledger"
)

// Mask returns a value of column c as it may be shown: a card number with at most its first
// 6 and last 4 digits (at most half of them, the last ones, when it has fewer than 13);
// cvv2, ssn, e-mail, phone, birthday and names not at all, not even their length; a callback address
// without userinfo, the values of its query and its fragment, and not at all if a card number is
// percent-encoded in it; in any other column a run of 12 and more digits, with single spaces or dashes
// between them or not, like a card number. Masking twice is the same as once. The zero Column is
// for text of no known column, masked like free text.
func Mask(c Column, s string) string {
	switch c.Spec().privacy {
	case masked:
		if s == "" {
			return ""
		}
		return hidden
	case edges:
		return maskCard(s)
	case address:
		return maskAddress(s)
	}
	return cardtext.Mask(s)
}

const hidden = "***"

// maskCard masks a whole value: anything but digits (and what an earlier masking left)
// hides it altogether.
func maskCard(s string) string {
	b := []byte(s)
	for i, d := range b {
		if !isDigit(d) && d != cardtext.Cover {
			return hidden
		}
		if !cardtext.Shows(i, len(b)) {
			b[i] = cardtext.Cover
		}
	}
	return string(b)
}

func isDigit(c byte) bool { return c-'0' < 10 }

// ShownCallback returns the address that the gateway calls for each final status of a charge (6), as it
// may be printed ([Mask]); empty for none. Two of them are an error of the row.
func (r Row) ShownCallback() string {
	column := ColumnServerCallbackURL
	if r.Cell(column).IsEmpty() {
		column = ColumnNotifyURL
	}
	return r.Cell(column).String()
}

// maskAddress masks a callback address.
func maskAddress(url string) string { return cardtext.MaskEscaped(shownURL(url)) }

// shownURL is an address without what may be a password or a token: the part before @, the values of the
// query and the fragment. It takes any text apart, since an address that is not one is only warned of.
func shownURL(url string) string {
	if url == "" {
		return ""
	}
	address, query, _ := strings.Cut(url, "?")
	address, fragment, _ := strings.Cut(address, "#")
	scheme, rest, ok := strings.Cut(address, "://")
	if !ok {
		return hidden // not an address: all of it may be a token
	}
	scheme += "://"
	end := strings.IndexAny(rest, `/\`)
	if end < 0 {
		end = len(rest)
	}
	host, path := rest[:end], rest[end:]
	if at := strings.LastIndexByte(host, '@'); at >= 0 {
		host = host[at+1:]
	}
	// A password may have the characters that end a host: / ? #.
	if strings.Contains(path, "@") || strings.Contains(scheme, "@") || !hasPort(host) || path == "" && strings.Contains(query+fragment, "@") {
		host, path = hidden, ""
	}
	if strings.Contains(scheme, "@") {
		scheme = ""
	}
	shown := scheme + host + path
	if fragment != "" {
		return shown + "#" + hidden // a query behind it is part of it
	}
	if query = shownQuery(query); query == "" {
		return shown
	}
	return shown + "?" + query
}

// hasPort reports whether what follows the name or address of a host is a port, or nothing. Else it may
// be a password with a character that ends a host.
func hasPort(host string) bool {
	if strings.HasPrefix(host, "[") {
		_, host, _ = strings.Cut(host, "]")
	}
	_, port, _ := strings.Cut(host, ":")
	return strings.Trim(port, "0123456789") == ""
}

// shownQuery keeps the names of a query.
func shownQuery(query string) string {
	query, fragment, _ := strings.Cut(query, "#")
	var b strings.Builder
	for i, item := range strings.FieldsFunc(query, func(r rune) bool { return r == '&' || r == ';' }) {
		if i > 0 {
			b.WriteByte('&')
		}
		if name, _, ok := strings.Cut(item, "="); ok {
			b.WriteString(name + "=")
		}
		b.WriteString(hidden)
	}
	if fragment != "" {
		b.WriteString("#" + hidden)
	}
	return b.String()
}

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
	r, at, ok := r.current(p)
	if !ok {
		return "", 0, false
	}
	const around = 2
	here := r.cellAt(at)
	from, to := max(0, here-around), min(len(r.sc.cells), here+around+1)
	var b strings.Builder
	if from > 0 {
		b.WriteString("…" + string(rune(r.sc.sep)))
	}
	for f := from; f < to; f++ {
		if f > from {
			b.WriteByte(r.sc.sep)
		}
		shown := r.showCell(f)
		if f == here {
			caret = utf8.RuneCountInString(b.String()) + r.within(f, at, shown)
		}
		b.WriteString(shown)
	}
	if to < len(r.sc.cells) {
		b.WriteString(string(rune(r.sc.sep)) + "…")
	}
	return b.String(), caret, true
}

// current returns the reader of the record that a finding is about, if that was read last, and the
// place of the finding in it.
func (r *Reader) current(p ledger.Finding) (of *Reader, at int, ok bool) {
	if r.parallel != nil {
		if r = r.parallel.reread(p); r == nil {
			return nil, 0, false
		}
	}
	if r.sc == nil || p.Place.Wire || r.sc.fault.code != "" {
		return nil, 0, false
	}
	offset := p.Place.Offset - r.sc.at
	if offset < 0 || offset > int64(len(r.sc.raw)) || len(r.sc.cells) == 0 {
		return nil, 0, false
	}
	return r, int(offset), true
}

// cellAt is the cell of the current record that byte at is in.
func (r *Reader) cellAt(at int) int {
	for f, c := range r.sc.cells {
		if at <= int(c.to) {
			return f
		}
	}
	return len(r.sc.cells) - 1
}

// shownMost is how many characters of a value an excerpt shows.
const shownMost = 40

// showCell is a value of the current record as it may be shown, its quotes included.
func (r *Reader) showCell(f int) string {
	c := r.sc.cells[f]
	content := string(r.sc.raw[c.from:c.to])
	switch {
	case r.conceals(f):
		content = hide(content)
	case r.row > 0:
		content = r.showValue(f, content)
	case r.sc.width != len(r.fields) || !isColumn(content): // in a header
		content = hide(content)
	}
	if utf8.RuneCountInString(content) > shownMost {
		content = string([]rune(content)[:shownMost]) + "…"
	}
	if c.quoted() {
		return `"` + content + `"`
	}
	return content
}

// conceals reports whether nothing of cell f of the current record may be shown, not even its
// length: it is in a column with personal data or the security code, or it is not known in which
// column it is.
func (r *Reader) conceals(f int) bool {
	return r.row > 0 && (r.sc.width != len(r.fields) || r.fields[f].Spec().privacy == masked)
}

// showValue is the content of cell f of a data row as it may be shown.
func (r *Reader) showValue(f int, content string) string {
	if isOpenWord(r.fields[f], content) {
		return content
	}
	return strings.Map(shape, content)
}

// isOpenWord reports whether s is one of the words of a column of which all are known,
// so that none can be a secret.
func isOpenWord(c Column, s string) bool {
	switch c {
	case ColumnCardType:
		return s == "SRC" || s == "DST"
	case ColumnCurrency:
		return amount.ListedCurrency(s)
	case ColumnCountry:
		return isCountry(s)
	case ColumnPeriod:
		return s == "day" || s == "week" || s == "month"
	}
	return false
}

// shape is what an excerpt shows in place of a character: one that shows its kind.
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

// firstWide is where the scripts begin whose signs take two columns of a terminal.
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

// visible replaces characters that a terminal would obey.
func visible(r rune) rune {
	switch {
	case r == '\n' || r == '\r':
		return '⏎'
	case isControl(r):
		return '·'
	}
	return r
}

// within is how far behind the beginning of what is shown of a cell the byte at is;
// 0 where the value was hidden, so that the caret points to its beginning, and the place
// of the cut for a byte behind it.
func (r *Reader) within(f, at int, shown string) int {
	c := r.sc.cells[f]
	raw := r.sc.raw[c.start():c.to]
	n := at - c.start()
	if n <= 0 || n > len(raw) || strings.Contains(shown, hidden) && r.row == 0 || r.conceals(f) {
		return 0
	}
	quotes := int(c.from) - c.start()
	return min(utf8.RuneCount(raw[:n]), quotes+shownMost)
}
