package rules

import (
	"strings"
	"time"
	"unicode/utf8"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/nearest"
	"github.com/chargecast/chargecast/ledger"
)

// A valueJudge judges and types the value of a column of the current row, quotes undone and without spaces
// around it.
type valueJudge func(r *Reader, col Column, s string)

// judges has the judge of each kind of value; nil for free text, and for states, which are judged
// with their country.
var judges = [...]valueJudge{
	valueCardType: (*Reader).cardType,
	valueCard:     (*Reader).card,
	valueCVV:      (*Reader).securityCode,
	valueYear:     (*Reader).year,
	valueMonth:    (*Reader).month,
	valueAmount:   (*Reader).amount,
	valueAmounts:  (*Reader).elements,
	valueCurrency: (*Reader).currency,
	valueCountry:  (*Reader).countryCode,
	valueEmail:    (*Reader).email,
	valuePeriod:   (*Reader).period,
	valueInteger:  (*Reader).integer,
	valueDate:     (*Reader).date,
	valueIP:       (*Reader).ip,
	valueURL:      (*Reader).url,
}

func (r *Reader) cardType(col Column, s string) {
	kind, ok := kindOf(s)
	if !ok {
		r.refuse(CardTypeValue, col).adviseIf(meantHelp(nearestOf(s, "SRC", "DST")))
	}
	r.rec.Kind = kind
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

func (r *Reader) securityCode(col Column, s string) {
	if _, ok := numberOf(s, 3, 4); !ok {
		r.refuse(CVV2Form, col)
	}
}

// year judges expire-year (L39).
func (r *Reader) year(col Column, s string) {
	n, ok := numberOf(s, 4, 4)
	if !ok {
		r.refuse(ExpireYearForm, col)
	}
	r.rec.ExpireYear = n
}

// currency judges the currency's code (L50, L56).
func (r *Reader) currency(col Column, s string) {
	if s == r.currencies.right {
		r.rec.Currency = r.currencies.right
		return
	}
	before := len(r.found)
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
	if r.rec.Currency = r.currencies.kept(s); len(r.found) == before && !r.unread.has(col) {
		r.currencies.right = r.rec.Currency
	}
}

// countryCode judges the country's code (L50).
func (r *Reader) countryCode(col Column, s string) {
	if !isCountry(s) && utf8.RuneCountInString(s) <= columns[col].Max {
		r.refuse(CountryUnknown, col).adviseIf(meantHelp(inCapitals(s, isCountry)))
	}
}

func (r *Reader) email(col Column, s string) {
	if !r.domain.address(s) {
		r.refuse(EmailForm, col)
	}
}

func (r *Reader) period(col Column, s string) {
	unit := unitOf(s)
	if unit == calendar.UnitNone {
		r.refuse(PeriodValue, col).adviseIf(meantHelp(nearestOf(s, "day", "week", "month")))
	}
	r.rec.Unit = unit
}

// unitOf is the unit of a period; none where it is not one of the document's words.
func unitOf(s string) calendar.Unit {
	switch s {
	case "day":
		return calendar.UnitDay
	case "week":
		return calendar.UnitWeek
	case "month":
		return calendar.UnitMonth
	}
	return calendar.UnitNone
}

func (r *Reader) ip(col Column, s string) {
	if !isIP(s) {
		r.refuse(IPForm, col)
	}
}

func (r *Reader) url(col Column, s string) {
	switch {
	case s == r.rightURL:
	case isURL(s):
		r.rightURL = s
	default:
		r.refuse(URLForm, col)
	}
}

// adviseMarks replaces the remedy for a value that is in marks of another kind than
// straight double quotes, as word processors write them, or in these twice: the marks
// are what is wrong.
func (r *Reader) adviseMarks(found ledger.Findings) {
	for i := range found {
		p := &found[i]
		switch p.Code {
		case InvalidUTF8, NULCharacter, ControlCharacter, SurroundingSpace:
			continue
		}
		column, _ := ColumnOf(p.Subject)
		if column == 0 || columns[column].kind == valueText {
			continue
		}
		value := r.now(column)
		if last, n := utf8.DecodeLastRuneInString(value); n < len(value) && alien(string(last)) != "" && alien(value) != "" {
			p.Help = alien(value)
		} else if help := doubled(value); help != "" {
			p.Help = help
		}
	}
}

// judgeValues judges each value of the current row.
func (r *Reader) judgeValues() {
	before := len(r.found)
	for f, j := range r.judgings {
		if c := r.sc.cells[f]; c.from != c.to && j.column != 0 {
			r.value(j.column, f)
		}
	}
	if len(r.found) > before {
		r.adviseMarks(r.found[before:])
	}
}

// content is the value of cell f of the current row, quotes undone.
func (r *Reader) content(f int) string {
	c := r.sc.cells[f]
	s := r.rec.text[c.from:c.to]
	if c.escaped() {
		return undouble(s)
	}
	return s
}

// now is the value of a column of the current row.
func (r *Reader) now(col Column) string {
	if n := r.layout[col]; n > 0 {
		return r.content(int(n - 1))
	}
	return ""
}

// value judges the value of one column of the current row and types it, whatever it is. What cannot be
// typed is noted in unread.
func (r *Reader) value(col Column, f int) {
	c := r.sc.cells[f]
	plain := r.sc.plain || isPlain(r.sc.raw[c.from:c.to])
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
	switch judge := judges[spec.kind]; {
	case col == ColumnOrderID:
		r.noteOrderID(col, s)
	case judge != nil:
		judge(r, col, core)
	}
}

// textual judges a value as a text: UTF-8, NUL, control characters (L41b, L44).
func (r *Reader) textual(spec *Spec, c cell, s string) {
	f := faultsOf(s)
	if f.invalid >= 0 {
		r.add(InvalidUTF8, r.inside(c, f.invalid)).in(spec.Column).adviseIf(r.encodingHelp())
		r.unread.add(spec.Column)
	}
	if f.nul >= 0 {
		r.add(NULCharacter, r.inside(c, f.nul)).in(spec.Column)
		r.unread.add(spec.Column)
	}
	if f.control >= 0 && spec.Column != ColumnOrderDesc {
		r.add(ControlCharacter, r.inside(c, f.control)).in(spec.Column)
	}
}

// encodingHelp is the remedy for a record that is in two encodings; empty for others.
func (r *Reader) encodingHelp() string {
	for raw := r.sc.raw; len(raw) > 0; {
		_, size := utf8.DecodeRune(raw)
		if size > 1 {
			return "save the file again, as UTF-8: other characters of the row are in UTF-8, or one was cut"
		}
		raw = raw[size:]
	}
	return ""
}

// spaces reports spaces around a value (L46).
func (r *Reader) spaces(spec *Spec, c cell) {
	if !spec.kind.free() {
		r.unread.add(spec.Column)
	}
	r.addAs(SurroundingSpace, spaceSeverity(spec), c.start()).in(spec.Column)
}

// reportBlanks reports values of nothing but spaces.
func (r *Reader) reportBlanks(of columnSet) {
	of.each(func(c Column) { r.onAs(SurroundingSpace, spaceSeverity(&columns[c]), c) })
}

// spaceSeverity is how bad spaces around a value are.
func spaceSeverity(spec *Spec) ledger.Severity {
	if spec.kind.free() {
		return ledger.SeverityWarning
	}
	return ledger.SeverityError
}

// length judges the number of characters (L35, L40, L41).
func (r *Reader) length(spec *Spec, c cell, s string) {
	if spec.Max == 0 || spec.kind == valueAmounts || len(s) <= spec.Max && spec.Min == 0 && spec.Warn == 0 {
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
		r.add(TooLong, c.start()).in(spec.Column).lengths(runes, spec.Max).rests(spec.Clause).adviseIf(codeHelp(spec.kind))
	case runes < spec.Min:
		r.add(TooShort, c.start()).in(spec.Column).rests(spec.Clause)
	case runes > fits:
		r.add(OrderDescLong, c.start()).in(spec.Column)
	case len(s) > fits && (spec.kind.free() || spec.kind == valueState): // other codes are reported to be unknown
		r.add(BytesExceedLimit, c.start()).in(spec.Column)
	}
}

// codeHelp is the remedy for a name in full where its code belongs: the name cut short
// would be the code of something else.
func codeHelp(v valueKind) string {
	switch v {
	case valueCurrency:
		return "write the three letters of the code of ISO 4217, such as EUR"
	case valueCountry:
		return "write the two letters of the code of ISO 3166-1, such as DE: the beginning of a name may be another country"
	case valueState:
		return "write the code of ISO 3166-2 without the country, such as CA"
	}
	return ""
}

// refuse reports c at the column; an error leaves the column unread.
func (r *Reader) refuse(c ledger.Code, col Column) *finding {
	if ruleOf(c).Severity == ledger.SeverityError {
		r.unread.add(col)
	}
	return r.on(c, col)
}

// undouble is content with each "" made one quote.
func undouble(content string) string {
	if strings.IndexByte(content, '"') < 0 {
		return content
	}
	return strings.ReplaceAll(content, `""`, `"`)
}

// trimmed is s without the spaces around it. Line breaks and tabs are control
// characters, not spaces.
func trimmed(s string, plain bool) string {
	if plain {
		return strings.Trim(s, " ")
	}
	return strings.TrimFunc(s, isSpace)
}

// isSpace reports whether r looks like a space.
func isSpace(r rune) bool {
	switch {
	case r == ' ', r == 0xA0, r == 0x1680, r == 0x202F, r == 0x205F, r == 0x3000:
		return true
	}
	return 0x2000 <= r && r <= 0x200A
}

// isControl reports whether r is invisible and moves what is seen: control characters,
// line and paragraph separators, directional marks, zero-width and similar format
// characters. The two joiners of scripts and emoji do not count.
func isControl(r rune) bool {
	switch {
	case r < 0x20, 0x7F <= r && r < 0xA0, r == 0xAD, r == 0x061C, r == 0xFEFF:
		return true
	}
	switch {
	case r == 0x200B, r == 0x200E, r == 0x200F, 0x2028 <= r && r <= 0x202E, 0x2060 <= r && r <= 0x206F:
		return true
	}
	return false
}

// textFaults are the byte offsets in s of the first of each fault of text; -1 for none.
type textFaults struct{ invalid, nul, control int }

// faultsOf looks for faults of text. A space outside ASCII counts as a control
// character inside a text; around it, it is a surrounding space.
func faultsOf(s string) textFaults {
	f := textFaults{-1, -1, -1}
	core := strings.TrimRightFunc(s, isSpace)
	lead := len(core) - len(strings.TrimLeftFunc(core, isSpace))
	for i, r := range s {
		switch {
		case r == utf8.RuneError && f.invalid < 0 && brokenAt(s, i):
			f.invalid = i
		case r == 0 && f.nul < 0:
			f.nul = i
		case r == 0 || f.control >= 0:
		case isControl(r), r != ' ' && isSpace(r) && lead <= i && i < len(core):
			f.control = i
		}
	}
	return f
}

// brokenAt reports whether the replacement character that was read at i was made from a
// byte that is not UTF-8, and is not in the text itself.
func brokenAt(s string, i int) bool {
	_, size := utf8.DecodeRuneInString(s[i:])
	return size == 1
}

func digitsOnly(s string) bool {
	if len(s) < 8 {
		for i := range len(s) {
			if !isDigit(s[i]) {
				return false
			}
		}
		return s != ""
	}
	others := notDigits(word(s[len(s)-8:])) // may overlap those before
	for ; len(s) > 8; s = s[8:] {
		others |= notDigits(word(s))
	}
	return others&byteTops == 0
}

// notDigits has the top bit of a byte set where that byte is no digit, and perhaps in bytes beside
// one, as in oddBytes.
func notDigits(x uint64) uint64 {
	const zeros, above = '0' * byteOnes, (0x7F - '9') * byteOnes
	return x | (x - zeros) | (x + above)
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
		return // too long: its length is reported
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

// checkDigit reports whether the last digit is the check digit of the others: with every
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
	if !ok || n < 1 || n > 12 {
		r.refuse(ExpireMonthForm, col)
		return
	}
	r.rec.ExpireMonth = n
	if len(s) == 1 {
		r.refuse(ExpireMonthOneDigit, col)
	}
}

// likeCard reports whether s is what a card number is: 13 to 19 digits, the first of them 3 to 6,
// with the right check digit.
func likeCard(s string) bool {
	return 13 <= len(s) && len(s) <= 19 && '3' <= s[0] && s[0] <= '6' && digitsOnly(s) && checkDigit(s)
}

// date judges and types a date (L38, X3).
func (r *Reader) date(col Column, s string) {
	if col == ColumnFinishDate && s == r.until.text {
		r.rec.Finish = r.until.day
		return
	}
	d, c := dateOf(s)
	if c != "" {
		r.refuse(c, col).adviseIf(dateHelp(c, s))
		return
	}
	switch col {
	case ColumnStartDate:
		r.rec.Start = d
	case ColumnFinishDate:
		r.rec.Finish = d
		r.until = keptDate{s, d}
	case ColumnBirthday:
		if !r.opts.AsOf.IsZero() && d.After(r.opts.AsOf) {
			r.on(BirthdayFuture, col)
		}
	}
}

// A keptDate is the last finish-date, which rows beside each other often share.
type keptDate struct {
	text string
	day  calendar.Date
}

// dateOf reads DD.MM.YYYY; the code is why it cannot be read, empty where it can.
func dateOf(s string) (calendar.Date, ledger.Code) {
	if len(s) == len("DD.MM.YYYY") && s[2] == '.' && s[5] == '.' {
		const pointToZero = '.' ^ '0'
		begin := word(s) ^ pointToZero<<16 ^ pointToZero<<40 // DD0MM0YY
		end := word(s[2:]) ^ pointToZero ^ pointToZero<<24   // 0MM0YYYY
		if (notDigits(begin)|notDigits(end))&byteTops == 0 {
			begin, end = twoDigits(begin), twoDigits(end)
			d, err := calendar.New(int(end>>32&0xFF)*100+int(end>>48&0xFF), time.Month(end>>8&0xFF), int(begin&0xFF))
			if err != nil {
				return d, DateNotADay
			}
			return d, ""
		}
	}
	return calendar.Date{}, DateSyntax
}

// twoDigits has in each byte the number of the two digits there and in the byte above, where these are any.
func twoDigits(x uint64) uint64 {
	x -= '0' * byteOnes
	return 10*x + x>>8
}

// dateHelp is the remedy for a date in a form that people use; empty for others.
func dateHelp(c ledger.Code, s string) string {
	if c == DateNotADay {
		if _, c := dateOf(s[3:6] + s[:3] + s[6:]); c == "" {
			return "the day comes before the month: DD.MM.YYYY"
		}
		return ""
	}
	switch {
	case len(s) == 10 && s[4] == '-' && s[7] == '-':
		return "payload columns take DD.MM.YYYY, not the ISO form"
	case len(s) == 8 && digitsOnly(s):
		return "write the points: DD.MM.YYYY; the document's length 8 counts the digits"
	case strings.Contains(s, "/") || strings.Contains(s, "-"):
		return "separate day, month and year by points: DD.MM.YYYY"
	case strings.Count(s, ".") == 2 && len(s) < 10:
		return "write two digits for day and month and four for the year: DD.MM.YYYY"
	}
	return ""
}

// integer judges and types interval and max-repeats-number (L56b).
func (r *Reader) integer(col Column, s string) {
	n, padded, c := integerOf(col, s)
	if padded {
		r.on(LeadingZero, col)
	}
	switch {
	case c != "":
		r.refuse(c, col).adviseIf(integerHelp(c, s))
	case col == ColumnMaxRepeatsNumber:
		r.rec.MaxRepeats = engine.AtMost(n)
	default:
		r.rec.Interval = intervalOf(n)
	}
}

// integerHelp is the remedy for a number with a mark in it; empty for others.
func integerHelp(c ledger.Code, s string) string {
	if c == IntegerSyntax && isDigit(s[0]) && strings.ContainsAny(s, ".,") {
		return "write a whole number: no decimals and no mark between thousands"
	}
	return ""
}

// integerOf reads a whole number for a column; the code is why it cannot be used, zero
// where it can. padded reports needless zeros before it.
func integerOf(col Column, s string) (n uint64, padded bool, c ledger.Code) {
	if n, ok := numberOf(s, 1, 9); ok && s[0] != '0' {
		return uint64(n), false, "" // nearly every one
	}
	digits, negative := strings.CutPrefix(s, "-")
	switch {
	case !digitsOnly(digits):
		return 0, false, IntegerSyntax
	case negative && col == ColumnInterval:
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
	case n == 0 && col == ColumnInterval:
		return 0, padded, IntervalValue
	}
	return n, padded, ""
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

// nearestOf is the word that a mistyped one means; empty where that is not clear.
func nearestOf(s string, words ...string) string {
	if i, ok := nearest.Of(s, words); ok {
		return words[i]
	}
	return ""
}

// inCapitals is the code of a list that s is but for its case; empty for none. Codes are so
// short that one with another letter may mean any of them.
func inCapitals(s string, listed func(string) bool) string {
	if code := strings.ToUpper(s); listed(code) {
		return code
	}
	return ""
}

// meantHelp is the remedy for a value that probably means a word of a closed list; empty
// where that is not known.
func meantHelp(word string) string {
	if word == "" {
		return ""
	}
	return "perhaps " + word + " is meant: write it exactly so"
}

// minorUnits are the decimals of the last currency that was looked up.
type minorUnits struct {
	currency string
	digits   int
	ok       bool
}

func (m *minorUnits) of(currency string) (digits int, ok bool) {
	if m.currency != currency {
		digits, ok = amount.MinorUnits(currency)
		*m = minorUnits{currency, digits, ok}
	}
	return m.digits, m.ok
}

// A currencyTexts holds the last few codes in memory of their own, so that a code that is
// kept does not keep the text of its row.
type currencyTexts struct {
	codes [8]string
	next  int
	right string // the last one about which there was nothing to report
}

// kept returns a code in memory that no row's text shares.
func (t *currencyTexts) kept(code string) string {
	for _, known := range t.codes {
		if known == code {
			return known
		}
	}
	code = strings.Clone(code)
	t.codes[t.next%len(t.codes)] = code
	t.next++
	return code
}
