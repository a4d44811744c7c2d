package rules

import (
	"strings"
	"unicode/utf8"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
)

// judgeValues judges each value of the current row, but for those that agree with the
// pattern: they were judged when it was learned.
func (r *Reader) judgeValues() {
	before := len(r.found)
	if r.sc.agrees() {
		r.recall()
		r.judgeOthers()
	} else {
		for f := range r.sc.placed() {
			r.judgeValue(f)
		}
		if len(r.found) == before && r.unread|r.blanks == 0 {
			r.learn()
		}
	}
	if len(r.found) > before {
		r.adviseMarks(r.found[before:])
	}
}

// adviseMarks replaces the remedy for a value that stands in marks of another kind than
// straight double quotes, as word processors write them, or in these twice: the marks
// are what is wrong.
func (r *Reader) adviseMarks(found Problems) {
	for _, p := range found {
		switch p.Code {
		case InvalidUTF8, NULCharacter, ControlCharacter, SurroundingSpace:
			continue
		}
		if p.Column == 0 || columns[p.Column].Value == ValueText {
			continue
		}
		value := r.now(p.Column)
		if last, n := utf8.DecodeLastRuneInString(value); n < len(value) && alien(string(last)) != "" && alien(value) != "" {
			p.Help = alien(value)
		} else if help := doubled(value); help != "" {
			p.Help = help
		}
	}
}

// judgeOthers judges the values of the current row that the pattern has not, most of them
// here and now, as in judgeValue.
func (r *Reader) judgeOthers() {
	raw, text, cells, plain := r.sc.raw, r.rec.text, r.sc.cells, r.sc.plain
	for i := range r.usual.others {
		o := &r.usual.others[i]
		c := &cells[o.cell]
		switch {
		case c.from == c.to:
		case !plain || c.to-c.from > o.most || c.escaped || !c.quoted || raw[c.from] == ' ' || raw[c.to-1] == ' ':
			r.judgeValue(o.cell)
		default:
			r.filled.add(o.column)
			if !o.free {
				r.typed(&columns[o.column], o.cell, text[c.from-o.before:c.to-o.before])
			}
		}
	}
}

// judgeValue judges cell f of the current row. Most values are printable ASCII in quotes,
// within their limit and without spaces around them: for these the length needs no
// second look, free text none at all, and a text that a column had before none either.
func (r *Reader) judgeValue(f int) {
	c, col := r.sc.cells[f], r.fields[f]
	if c.from == c.to || col == 0 || int(col) >= len(easy) {
		return
	}
	raw, ease := r.sc.raw, &easy[col]
	usual := r.sc.plain && c.quoted && raw[c.from] != ' ' && raw[c.to-1] != ' '
	fits := c.to-c.from <= ease.most // doubled quotes make it seem longer
	switch {
	case usual && fits && ease.free:
		r.filled.add(col)
	case c.escaped:
		r.value(col, f)
	case usual && ease.shared && r.kept.texts[col] == r.between(f):
		r.filled.add(col)
		r.reuse(col)
	case usual && fits:
		r.filled.add(col)
		r.settled(&columns[col], f, r.between(f))
	default:
		r.value(col, f)
	}
}

// settled types a value of which everything else is known to be right, and remembers it
// where it has no fault.
func (r *Reader) settled(spec *Spec, f int, s string) {
	before := len(r.found)
	r.typed(spec, f, s)
	if easy[spec.Column].shared && len(r.found) == before && !r.unread.has(spec.Column) {
		r.keep(spec.Column, s)
	}
}

// ease is what makes a column's usual values quick to judge.
type ease struct {
	most   int32 // the length up to which a text of ASCII needs no further look
	free   bool  // it is free text: nothing else to judge
	shared bool  // neighbouring rows often have the same value
}

var easy = func() (all [columnCount + 1]ease) {
	for s := range Columns() {
		e := &all[s.Column]
		e.most = int32(s.Max)
		switch {
		case s.Warn > 0:
			e.most = int32(s.Warn)
		case s.Min > 0: // few values have one; they take the long way
			e.most = 0
		case s.Max == 0, s.Value == ValueAmounts: // the kind of value sets the bounds
			e.most = DefaultMaxCell
		}
		e.free = s.Value == ValueText
		switch s.Column {
		case CardNumber, CVV2, Email: // hardly ever
		case ExpireYear, ExpireMonth, Amount, Period, Interval: // often another, and typed as quickly as compared
		default:
			e.shared = !e.free
		}
	}
	return all
}()

// content is the value of cell f of the current row, quotes undone.
func (r *Reader) content(f int) string {
	if r.sc.cells[f].escaped {
		return undouble(r.between(f))
	}
	return r.between(f)
}

// now is the value of a column of the current row.
func (r *Reader) now(col Column) string {
	n := r.layout.place[col]
	if n == 0 {
		return ""
	}
	if r.sc.unplaced > 0 && r.usual.steady[n-1] {
		r.sc.placed()
	}
	return r.content(int(n - 1))
}

// value judges the value of one column of the current row and types it. What cannot be
// typed is noted in unread.
func (r *Reader) value(col Column, f int) {
	c, plain := r.sc.cells[f], r.sc.plain
	s := r.content(f)
	r.countBare(c)
	spec := &columns[col]
	if !plain {
		r.textual(spec, c, s)
	}
	core := s
	if !plain || s[0] == ' ' || s[len(s)-1] == ' ' {
		if core = trimmed(s, plain); core == "" {
			r.blanks.add(col)
			r.unread.add(col)
			return
		}
		if core != s {
			r.spaces(spec, c)
		}
	}
	r.filled.add(col)
	r.length(spec, c, s)
	if spec.Value != ValueText {
		r.typed(spec, f, core)
	}
}

// textual judges a value as a text: UTF-8, NUL, control characters (L41b, L44).
func (r *Reader) textual(spec *Spec, c cell, s string) {
	f := faultsOf(s)
	if f.invalid >= 0 {
		r.add(InvalidUTF8, r.inside(c, f.invalid)).in(spec.Column)
		r.unread.add(spec.Column)
	}
	if f.nul >= 0 {
		r.add(NULCharacter, r.inside(c, f.nul)).in(spec.Column)
		r.unread.add(spec.Column)
	}
	if f.control >= 0 && spec.Column != OrderDesc {
		r.add(ControlCharacter, r.inside(c, f.control)).in(spec.Column)
	}
}

// spaces reports spaces around a value (L46).
func (r *Reader) spaces(spec *Spec, c cell) {
	base := Error
	if spec.Value.free() {
		base = Warning
	} else {
		r.unread.add(spec.Column)
	}
	r.addAs(SurroundingSpace, base, c.start()).in(spec.Column)
}

// length judges the number of characters (L35, L40, L41).
func (r *Reader) length(spec *Spec, c cell, s string) {
	if spec.Max == 0 || spec.Value == ValueAmounts || len(s) <= spec.Max && spec.Min == 0 && spec.Warn == 0 {
		return
	}
	runes := len(s)
	if !r.sc.plain {
		runes = utf8.RuneCountInString(s)
	}
	fits := spec.Max
	if spec.Warn > 0 {
		fits = spec.Warn
	}
	switch {
	case runes > spec.Max:
		r.add(TooLong, c.start()).in(spec.Column).lengths(runes, spec.Max).rests(spec.Clause).adviseIf(codeHelp(spec.Value))
	case runes < spec.Min:
		r.add(TooShort, c.start()).in(spec.Column).rests(spec.Clause)
	case runes > fits:
		r.add(OrderDescLong, c.start()).in(spec.Column)
	case len(s) > fits && (spec.Value.free() || spec.Value == ValueState): // other codes are told to be unknown
		r.add(BytesExceedLimit, c.start()).in(spec.Column)
	}
}

// codeHelp is the remedy for a name in full where its code belongs: the name cut short
// would be the code of something else.
func codeHelp(v Value) string {
	switch v {
	case ValueCurrency:
		return "write the three letters of the code of ISO 4217, such as EUR"
	case ValueCountry:
		return "write the two letters of the code of ISO 3166-1, such as DE: the beginning of a name may be another country"
	case ValueState:
		return "write the code of ISO 3166-2 without the country, such as CA"
	}
	return ""
}

// typed judges and types a value that is no free text.
func (r *Reader) typed(spec *Spec, f int, s string) {
	col, rec := spec.Column, r.rec
	ok := true
	switch spec.Value {
	case ValueCardType:
		if rec.Kind, ok = kindOf(s); !ok {
			r.refuse(CardTypeValue, col).adviseIf(meantHelp(nearestOf(s, "SRC", "DST")))
		}
	case ValueCard:
		r.card(col, s)
	case ValueCVV:
		_, ok = numberOf(s, 3, 4)
		r.unless(ok, CVV2Form, col)
	case ValueYear:
		rec.ExpireYear, ok = numberOf(s, 4, 4)
		r.unless(ok, ExpireYearForm, col)
	case ValueMonth:
		r.month(col, s)
	case ValueAmount:
		r.amount(col, s)
	case ValueAmounts:
		r.elements(f, s)
	case ValueCurrency:
		r.currency(col, s)
	case ValueCountry:
		if !isCountry(s) && utf8.RuneCountInString(s) <= spec.Max {
			r.refuse(CountryUnknown, col).adviseIf(meantHelp(inCapitals(s, isCountry)))
		}
	case ValueEmail:
		r.unless(r.kept.domain.address(s), EmailForm, col)
	case ValueIP:
		r.unless(isIP(s), IPForm, col)
	case ValueURL:
		r.unless(isURL(s), URLForm, col)
	case ValuePeriod:
		unit, err := calendar.ParseUnit(s)
		rec.Unit = unit
		if err != nil {
			r.refuse(PeriodValue, col).adviseIf(meantHelp(nearestOf(s, "day", "week", "month")))
		}
	case ValueInteger:
		r.integer(col, s)
	case ValueDate:
		r.date(col, s)
	}
}

// unless reports c at the column when ok is false; an error leaves the column unread.
func (r *Reader) unless(ok bool, c Code, col Column) *finding {
	if ok {
		return nil
	}
	return r.refuse(c, col)
}

// refuse is unless where it is not.
func (r *Reader) refuse(c Code, col Column) *finding {
	if ruleTable[c].Severity == Error {
		r.unread.add(col)
	}
	return r.on(c, col)
}

func kindOf(s string) (engine.Kind, bool) {
	switch s {
	case "SRC":
		return engine.KindSource, true
	case "DST":
		return engine.KindDestination, true
	}
	return 0, false
}

func digitsOnly(s string) bool {
	const zeros, above = '0' * byteOnes, (0x7F - '9') * byteOnes
	for ; len(s) > 8; s = s[8:] {
		if x := word(s); (x|(x-zeros)|(x+above))&byteTops != 0 { // as in oddBytes
			return false
		}
	}
	for i := range len(s) {
		if !isDigit(s[i]) {
			return false
		}
	}
	return s != ""
}

// numberOf reads from least to most digits, at least one and at most nine.
func numberOf(s string, least, most int) (n int, ok bool) {
	if len(s) < least || len(s) > most {
		return 0, false
	}
	for i := range len(s) {
		digit := s[i] - '0'
		if digit > 9 {
			return 0, false
		}
		n = 10*n + int(digit)
	}
	return n, true
}

// card judges the card number (L39c).
func (r *Reader) card(col Column, s string) {
	switch {
	case !digitsOnly(s):
		r.on(CardNumberForm, col).adviseIf(cardHelp(s))
		return
	case len(s) > columns[col].Max:
		return // too long: told by its length
	case len(s) < 12:
		r.on(CardNumberShort, col)
	}
	if !checkDigit(s) {
		r.on(CardNumberCheck, col)
	}
}

// cardHelp is the remedy for a card number that a spreadsheet took for a quantity; empty
// for others.
func cardHelp(s string) string {
	if i := strings.IndexAny(s, "Ee"); i > 0 && isDigit(s[i-1]) && i+1 < len(s) && strings.IndexByte("+-0123456789", s[i+1]) >= 0 {
		return "export the column as text: a spreadsheet took the number for a quantity, and its last digits are lost"
	}
	return ""
}

// checkDigit tells whether the last digit is the check digit of the others: with every
// second digit from the right doubled, the digits of all add up to a multiple of ten.
func checkDigit(s string) bool {
	sum := 0
	for ; len(s) >= 8; s = s[:len(s)-8] {
		sum += checkSum8(word(s[len(s)-8:]))
	}
	for i := range len(s) {
		digit := int(s[i] - '0')
		if (len(s)-i)%2 == 0 {
			digit *= 2
			digit -= 9 * (digit / 10)
		}
		sum += digit
	}
	return sum%10 == 0
}

// checkSum8 adds up eight digits, of which the first and every second is doubled, the
// digits of the products being added.
func checkSum8(digits uint64) int {
	const (
		firsts = 0x00FF00FF00FF00FF
		below5 = (0x80 - 5) * byteOnes
	)
	x := digits - '0'*byteOnes
	twice := x & firsts
	carry := (twice + below5) & byteTops >> 7 // 1 in each byte from 5 on, where doubling gives two digits
	x += twice - 9*carry
	return int(x * byteOnes >> 56)
}

// month judges expire-month (L39).
func (r *Reader) month(col Column, s string) {
	n, ok := numberOf(s, 1, 2)
	ok = ok && 1 <= n && n <= 12
	r.unless(ok, ExpireMonthForm, col)
	if ok {
		r.rec.ExpireMonth = n
		r.unless(len(s) == 2, ExpireMonthOneDigit, col)
	}
}

// currency judges the currency's code (L50, L56).
func (r *Reader) currency(col Column, s string) {
	if len(s) <= columns[col].Max || utf8.RuneCountInString(s) <= columns[col].Max {
		if !amount.ListedCurrency(s) {
			r.refuse(CurrencyUnknown, col).adviseIf(meantHelp(inCapitals(s, amount.ListedCurrency)))
		}
	}
	if r.opts.Currency != "" && s != r.opts.Currency {
		if p := r.on(ProjectCurrency, col); amount.ListedCurrency(r.opts.Currency) {
			p.say("currency differs from that of the project, " + r.opts.Currency)
		}
	}
	r.rec.Currency = r.currencies.own(s)
}

// integer judges and types interval and max-repeats-number (L56b).
func (r *Reader) integer(col Column, s string) {
	n, padded, c := integerOf(col, s)
	if padded {
		r.on(LeadingZero, col)
	}
	switch {
	case c != 0:
		r.unless(false, c, col).adviseIf(integerHelp(c, s))
	case col == MaxRepeatsNumber:
		r.rec.MaxRepeats = engine.AtMost(n)
	default:
		r.rec.Interval = intervalOf(n)
	}
}

// integerHelp is the remedy for a number with a mark in it; empty for others.
func integerHelp(c Code, s string) string {
	if c == IntegerSyntax && isDigit(s[0]) && strings.ContainsAny(s, ".,") {
		return "write a whole number: no decimals and no mark between thousands"
	}
	return ""
}

// integerOf reads a whole number for a column; the code is why it cannot be used, zero
// where it can. padded tells of needless zeros before it.
func integerOf(col Column, s string) (n uint64, padded bool, c Code) {
	if n, ok := numberOf(s, 1, 9); ok && s[0] != '0' {
		return uint64(n), false, 0 // nearly every one
	}
	digits, negative := strings.CutPrefix(s, "-")
	switch {
	case !digitsOnly(digits):
		return 0, false, IntegerSyntax
	case negative && col == Interval:
		return 0, false, IntervalValue
	case negative:
		return 0, false, MaxNegative
	}
	significant := strings.TrimLeft(digits, "0")
	padded = len(significant) < len(digits) && len(digits) > 1
	n, ok := naturalOf(significant)
	switch {
	case !ok:
		return 0, padded, IntegerRange
	case n == 0 && col == Interval:
		return 0, padded, IntervalValue
	}
	return n, padded, 0
}

// intervalOf is n as an interval. Any beyond the calendar means the same: one charge,
// then its end.
func intervalOf(n uint64) int { return int(min(n, uint64(^uint(0)>>1))) }

// naturalOf reads digits up to the largest signed 64-bit number; no digit is 0.
func naturalOf(digits string) (uint64, bool) {
	const largest = "9223372036854775807"
	if len(digits) > len(largest) || len(digits) == len(largest) && digits > largest {
		return 0, false
	}
	var n uint64
	for i := range len(digits) {
		n = 10*n + uint64(digits[i]-'0')
	}
	return n, true
}
