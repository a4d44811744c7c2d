package rules

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/internal/exportform"
	"github.com/chargecast/chargecast/ledger"
)

// A repair is what becomes of a value: the text to write and the codes of the changes that led to it, or the text as it
// was and the code of the refusal.
type repair struct {
	text    string
	codes   []ledger.Code
	refused bool
	times   int  // what the row's interval is multiplied by; 0 for nothing
	phrase  bool // the value itself says times: the interval has to be 1, or absent
}

// to sets a new text, if it is one.
func (m *repair) to(text string, c ledger.Code) {
	if text == m.text {
		return
	}
	if m.text = text; !slices.Contains(m.codes, c) {
		m.codes = append(m.codes, c)
	}
}

// refuse makes the repair a refusal, whatever was changed before.
func (m *repair) refuse(c ledger.Code) { m.refused, m.codes = true, []ledger.Code{c} }

// A reading is what decides how a value is read: the user's Forms, and the row's currency and country.
type reading struct {
	forms             Forms
	currency, country string
}

// mend returns what becomes of a value of a column. What it returns without a refusal, it returns again.
func (r reading) mend(col Column, s string) repair {
	m := repair{text: s}
	if s == "" {
		return m
	}
	kind := columns[col].kind
	m.unwrap(kind)
	if m.text == "" {
		return m
	}
	switch kind {
	case valueText, valueEmail, valueIP, valueURL, valueCVV:
	case valueCard:
		m.card()
	case valueAmount:
		m.amount(r)
	case valueAmounts:
		m.amounts(r)
	case valueDate:
		m.date(r.forms)
	case valueYear, valueMonth, valueInteger:
		m.wholeNumber(col, r.forms.Century)
	case valuePeriod:
		m.period()
	default:
		m.code(kind, r.country)
	}
	if m.refused {
		m.text = s
	}
	return m
}

// unwrap removes what a spreadsheet puts around a value, and invisible characters inside a value that is not free text.
func (m *repair) unwrap(kind valueKind) {
	typed := !kinds[kind].loose
	for before := ""; before != m.text; {
		before = m.text
		m.to(strings.TrimFunc(m.text, isUnseen), fixSpaces)
		if inner, ok := formulaText(m.text); ok {
			m.to(inner, fixFormula)
		}
		if inner, ok := strings.CutPrefix(m.text, "'"); ok && inner != "" && (typed || strings.IndexByte("0123456789=+-@", inner[0]) >= 0) {
			m.to(inner, fixApostrophe)
		}
		switch {
		case kind == valueText:
		case kinds[kind].loose: // an address of a page may have a space that belongs to it
			m.to(strings.Map(dropIf(isInvisible), m.text), fixSpaces)
		case kind != valueCard && kind != valueAmount && kind != valueAmounts && kind != valueDate:
			m.to(squeezed(m.text), fixSpaces)
		}
	}
}

// formulaText is the value of a formula that is a text alone: ="…".
func formulaText(s string) (string, bool) {
	inner, ok := strings.CutPrefix(s, `="`)
	if !ok || !strings.HasSuffix(inner, `"`) {
		return "", false
	}
	inner = inner[:len(inner)-1]
	if strings.Contains(strings.ReplaceAll(inner, `""`, ""), `"`) {
		return "", false
	}
	return undouble(inner), true
}

// isUnseen reports whether a character is white space, a control character, or has no width.
func isUnseen(r rune) bool { return isSpace(r) || isInvisible(r) }

// isInvisible reports whether a character is a control character, a line break among them, or has no width.
func isInvisible(r rune) bool { return isControl(r) || r == 0x200C || r == 0x200D || r == 0x180E }

func dropIf(is func(rune) bool) func(rune) rune {
	return func(r rune) rune {
		if is(r) {
			return -1
		}
		return r
	}
}

// isBreak reports whether a character is white space, seen or not.
func isBreak(r rune) bool {
	return isSpace(r) || '\t' <= r && r <= '\r' || r == 0x85 || r == 0x2028 || r == 0x2029
}

// squeezed is a value without what cannot be seen in it. White space between digits goes where it can be that between
// thousands, and stays otherwise.
func squeezed(s string) string {
	if strings.IndexFunc(s, isUnseen) < 0 {
		return s
	}
	s = strings.Map(dropIf(func(r rune) bool { return isInvisible(r) && !isBreak(r) }), s)
	parts := strings.FieldsFunc(s, isBreak)
	for i, inGroups := 1, false; i < len(parts); i++ {
		before := trailingDigits(parts[i-1])
		if before == 0 || leadingDigits(parts[i]) == 0 {
			inGroups = false
			continue
		}
		first := parts[i-1][len(parts[i-1])-before]
		if leadingDigits(parts[i]) != 3 || before > 3 || inGroups && before != len(parts[i-1]) || !inGroups && first == '0' {
			return s
		}
		inGroups = true
	}
	return strings.Join(parts, "")
}

func trailingDigits(s string) int {
	n := 0
	for n < len(s) && isDigit(s[len(s)-1-n]) {
		n++
	}
	return n
}

// wholeNumber mends an interval, a number of repeats, a year or a month.
func (m *repair) wholeNumber(col Column, century exportform.Century) {
	if whole, part, ok := cutMark(m.text); ok && strings.Trim(part, "0") == "" && part != "" && digitsOnly(strings.TrimPrefix(whole, "-")) &&
		(len(part) != 3 || len(whole) > 3 || whole[0] == '0') {
		m.to(whole, fixWhole)
	}
	code := ledger.Code("")
	switch columns[col].kind {
	case valueYear:
		if len(m.text) == 2 && digitsOnly(m.text) {
			first := century.String()
			if first == "" {
				first = "20"
			}
			m.to(first+m.text, fixExpiry)
		}
		if _, ok := numberOf(m.text, 4, 4); !ok {
			code = ExpireYearForm
		}
	case valueMonth:
		if len(m.text) == 1 && digitsOnly(m.text) && m.text != "0" {
			m.to("0"+m.text, fixExpiry)
		}
		if n, ok := numberOf(m.text, 1, 2); !ok || n < 1 || n > 12 {
			code = ExpireMonthForm
		}
	default:
		_, _, code = integerOf(col, m.text)
	}
	if code != "" {
		m.refuse(refuseNumber)
	}
}

// cutMark cuts a number at its only point or comma.
func cutMark(s string) (whole, part string, ok bool) {
	i := strings.IndexAny(s, ".,")
	if i <= 0 {
		return "", "", false
	}
	return s[:i], s[i+1:], true
}

// A unitWord is what a word for a period means: a unit, so many times.
type unitWord struct {
	unit    string
	times   int
	certain bool // the document's unit with a number: every 2 weeks
}

// unitWords are the words for periods, without upper case, white space and hyphens. What is several units needs the
// interval for that.
var unitWords = func() map[string]unitWord {
	words := map[string]unitWord{}
	for _, w := range [...]struct {
		unit  string
		times int
		words string
	}{
		{"day", 1, "day days daily everyday eachday perday tag tage täglich taeglich jedentag protag"},
		{"week", 1, "week weeks weekly everyweek eachweek perweek woche wochen wöchentlich woechentlich jedewoche prowoche"},
		{"month", 1, "month months monthly everymonth eachmonth permonth monat monate monatlich jedenmonat promonat"},
		{"week", 2, "fortnight fortnightly biweekly everytwoweeks zweiwöchentlich zweiwoechentlich 14tägig 14taegig vierzehntägig vierzehntaegig allezweiwochen"},
		{"month", 3, "quarter quarters quarterly everyquarter perquarter quartal quartale quartalsweise vierteljährlich vierteljaehrlich vierteljahr projahresviertel"},
		{"month", 6, "halfyear halfyearly semiannual semiannually semester halbjahr halbjährlich halbjaehrlich"},
		{"month", 12, "year years yearly annual annually everyyear peryear jahr jahre jährlich jaehrlich jedesjahr projahr"},
	} {
		for word := range strings.FieldsSeq(w.words) {
			words[word] = unitWord{unit: w.unit, times: w.times}
		}
	}
	return words
}()

// unitWordOf is the period that a text means; the zero unitWord for an unknown word.
func unitWordOf(s string) unitWord {
	if len(s) > longestHeaderName {
		return unitWord{}
	}
	word := loweredText(s)
	if w, ok := unitWords[strings.Map(dropIf(func(r rune) bool { return r == '-' || r == '_' || isUnseen(r) }), word)]; ok {
		return w
	}
	word = squeezed(word)
	rest, every := strings.CutPrefix(word, "every")
	if !every {
		rest, every = strings.CutPrefix(word, "alle")
	}
	n := leadingDigits(rest)
	if n < 1 || n > 2 || rest[0] == '0' {
		return unitWord{}
	}
	w := unitWords[strings.TrimSuffix(rest[n:], "n")] // Tagen, Monaten
	if other, ok := unitWords[rest[n:]]; ok {
		w = other
	}
	switch rest[n:] {
	case "tag", "tage", "tagen", "woche", "wochen", "monat", "monate", "monaten", "day", "days", "week", "weeks", "month", "months":
	case "quartal", "quartale", "quarter", "quarters", "halbjahr", "jahr", "jahre", "year", "years":
		every = false
	default:
		return unitWord{}
	}
	times, _ := strconv.Atoi(rest[:n])
	return unitWord{w.unit, w.times * times, every}
}

// loweredText is s in lower case, ASCII and umlauts alone: another letter whose lower case is one of these, such as
// the sign of kelvin, is not a fault of case.
func loweredText(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case 'A' <= r && r <= 'Z':
			return r + 'a' - 'A'
		case r == 'Ä', r == 'Ö', r == 'Ü':
			return r + 'ä' - 'Ä'
		}
		return r
	}, s)
}

// period mends the word for a period.
func (m *repair) period() {
	switch w := unitWordOf(m.text); {
	case w.times == 0:
		m.refuse(refuseWord)
	case w.certain:
		m.to(w.unit, fixPeriod)
		m.times, m.phrase = w.times, true
	case w.times > 1:
		m.refuse(refuseLonger)
	case strings.EqualFold(m.text, w.unit):
		m.to(w.unit, fixCase)
	default:
		m.to(w.unit, fixPeriod)
	}
}

// code mends a word of a closed list. A code of the right form that is not in the list stays: the list may be old.
func (m *repair) code(kind valueKind, country string) {
	upper, form := asciiUpper(m.text), false
	known := false
	switch kind {
	case valueCardType:
		_, known = kindOf(upper)
	case valueCurrency:
		if m.text == "€" {
			m.to("EUR", fixSign)
			return
		}
		known, form = amount.ListedCurrency(upper), len(upper) == 3
	case valueCountry:
		known, form = isCountry(upper), len(upper) == 2
	case valueState:
		known, form = isState(country, upper), len(upper) == 2 || len(upper) == 3
	}
	switch {
	case known:
		m.to(upper, fixCase)
	case !form || strings.Trim(upper, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") != "" && kind != valueState:
		m.refuse(refuseWord)
	}
}

// asciiUpper returns s with the letters of ASCII in upper case. Another letter whose upper case is one of ASCII, such as
// a long s, is not a fault of case.
func asciiUpper(s string) string {
	return strings.Map(func(r rune) rune {
		if 'a' <= r && r <= 'z' {
			r -= 'a' - 'A'
		}
		return r
	}, s)
}

// dateCodes are the codes of what was done with a date in each form.
var dateCodes = [...]ledger.Code{
	exportform.DateDotted: "", exportform.DateISO: fixISO, exportform.DateOneDigit: fixOneDigit, exportform.DateOtherMark: fixDateMark, exportform.DateMonthFirst: fixMonthFirst,
	exportform.DateInOrder: fixOrder, exportform.DateShortYear: fixCentury, exportform.DateMalformed: refuseDate, exportform.DateUnordered: fixOrder, exportform.DateCentury: fixCentury,
}

// date mends the form of a date. One in the form DD.MM.YYYY stays as it is, and is refused if there is no such day.
func (m *repair) date(forms Forms) {
	m.to(withoutMidnight(m.text), fixMidnight)
	m.to(squeezed(m.text), fixSpaces)
	switch d, form := forms.Date(m.text); {
	case form == exportform.DateDotted:
		if _, c := dateOf(m.text); c != "" {
			m.refuse(refuseDate)
		}
	case form >= exportform.DateMalformed:
		m.refuse(dateCodes[form])
	default:
		m.to(dotted(d), dateCodes[form])
	}
}

// withoutMidnight is a date without the time 00:00, with seconds and their fraction or not, or 12:00 AM, after it.
func withoutMidnight(s string) string {
	i := strings.IndexFunc(s, func(r rune) bool { return r == 'T' || isBreak(r) })
	if i < len("1.2.26") {
		return s
	}
	date, time := s[:i], strings.TrimLeftFunc(strings.TrimPrefix(s[i:], "T"), isUnseen)
	if clock, ok := strings.CutSuffix(asciiUpper(time), "AM"); ok {
		time = strings.TrimRightFunc(clock, isUnseen)
		if !strings.HasPrefix(time, "12:00") {
			return s
		}
		time = "00" + time[2:]
	}
	hours, rest, _ := strings.Cut(time, ":")
	clock, fraction, dotted := strings.Cut(rest, ".")
	if hours != "00" && hours != "0" || clock != "00" && clock != "00:00" || dotted && (clock != "00:00" || fraction == "" || strings.Trim(fraction, "0") != "") {
		return s
	}
	return date
}

// amount mends a single amount.
func (m *repair) amount(r reading) {
	a := r.forms.Amount(m.text, r.currency)
	if a.Fault != 0 {
		if b := r.forms.Amount(squeezed(m.text), r.currency); b.Fault == 0 {
			m.to(squeezed(m.text), fixSpaces)
			a = b
		}
	}
	digits, known := amount.MinorUnits(r.currency)
	whole, part, pointed := strings.Cut(a.Text, ".")
	switch {
	case a.Fault == exportform.AmountUndecided:
		m.refuse(fixComma)
		return
	case a.Fault == exportform.AmountCurrency:
		m.refuse(fixSign)
		return
	case a.Fault != 0:
		m.refuse(refuseAmount)
		return
	case pointed && known && digits < 3 && len(part) == 3 && r.forms.Decimal == 0 && !a.Comma && len(whole) <= 3 && whole[0] != '0':
		m.refuse(fixComma) // 1.234 in a currency that has no third decimal may be 1234
		return
	}
	for _, c := range [...]struct {
		is   bool
		code ledger.Code
	}{{a.Sign, fixSign}, {a.Thousands, fixThousands}, {a.Comma, fixComma}} {
		if c.is {
			m.codes = append(m.codes, c.code)
		}
	}
	m.text = a.Text
	m.to(withoutZeros(m.text, r.currency), fixZeros)
}

// withoutZeros is an amount without zeros after the decimals that its currency has.
func withoutZeros(s, currency string) string {
	digits, known := amount.MinorUnits(currency)
	whole, part, ok := strings.Cut(s, ".")
	if !ok || !known || len(part) <= digits || strings.Trim(part[digits:], "0") != "" {
		return s
	}
	if digits == 0 {
		return whole
	}
	return whole + "." + part[:digits]
}

// amounts mends an amount-sequence: the commas are those between its amounts. It is refused where one may be a decimal
// comma, whatever is given: 9,99,19,99 would be four amounts.
func (m *repair) amounts(r reading) {
	elements := strings.Split(m.text, ",")
	if len(elements) == 1 {
		m.amount(r)
		return
	}
	digits, known := amount.MinorUnits(r.currency)
	points := 0
	for i, e := range elements {
		e = squeezed(strings.TrimFunc(e, isUnseen))
		elements[i] = e
		if !amountForm(e) {
			m.refuse(refuseAmount)
			return
		}
		points += strings.Count(e, ".")
		if i == 0 || known && digits > 2 || strings.Contains(e, ".") {
			continue
		}
		if before := (Forms{Decimal: exportform.Comma}).Amount(elements[i-1], ""); before.Thousands { // 1.000,50 may be one amount
			m.refuse(refuseSequence)
			return
		}
	}
	if points == 0 {
		m.refuse(refuseSequence)
		return
	}
	m.to(strings.Join(elements, ","), fixSpaces)
	for i, e := range elements {
		elements[i] = withoutZeros(e, r.currency)
	}
	m.to(strings.Join(elements, ","), fixZeros)
}

// cardMarks are what may be between groups of digits in a card number besides white space: points, and hyphens of
// several widths.
const cardMarks = ".-\u2010\u2011\u2012\u2013"

// card joins the groups of a card number with the right check digit. One that has lost digits is refused, and one in
// groups whose check digit is wrong: which digits belong to it is not certain, for a security code may be among them.
// Any other text is not a card number, and stays.
func (m *repair) card() {
	if isQuantity(m.text) {
		m.refuse(refuseCard)
		return
	}
	m.to(strings.Map(dropIf(func(r rune) bool { return isInvisible(r) && !isBreak(r) }), m.text), fixSpaces)
	digits := strings.Map(dropIf(func(r rune) bool { return isBreak(r) || strings.ContainsRune(cardMarks, r) }), m.text)
	switch {
	case digits == m.text || !digitsOnly(digits) || len(digits) < 12:
	case len(digits) <= columns[ColumnCardNumber].Max && checkDigit(digits):
		m.to(digits, fixGroups)
	default:
		m.refuse(fixGroups)
	}
}

// isQuantity reports whether a spreadsheet took a card number for a quantity: 4.11E+15.
func isQuantity(s string) bool {
	i := strings.IndexAny(s, "Ee")
	return i > 0 && isDigit(s[i-1]) && i+1 < len(s) && strings.IndexByte("+-0123456789", s[i+1]) >= 0
}

// isFullCard reports whether a value is a whole card number.
func isFullCard(s string) bool {
	return 12 <= len(s) && len(s) <= columns[ColumnCardNumber].Max && digitsOnly(s)
}

// isPlaceholder reports whether a text stands for no value.
func isPlaceholder(s string) bool {
	switch strings.ToLower(s) {
	case "-", "--", "n/a", "na", "null", `\n`, "none", "keine", "x", "xxx", "***", "#n/a":
		return true
	}
	return false
}

// A choice is one that a user may make about dates and amounts.
var choices = [...]Forms{
	{Dates: DayFirst, Century: 20, Decimal: DecimalComma},
	{Dates: MonthFirst, Century: 20, Decimal: DecimalPoint},
	{Dates: YearFirst, Century: 20},
}

// fitsUnder reports for each of the choices whether a value can be read as one of a column; for the columns that no
// choice is about all are the same.
func fitsUnder(col Column, s string) (under [len(choices)]bool) {
	spec := &columns[col]
	m := repair{text: s}
	m.unwrap(spec.kind)
	fits := false
	switch s := m.text; spec.kind {
	case valueText:
		fits = utf8.RuneCountInString(s) <= spec.Max
	case valueEmail:
		fits = isEmail(s)
	case valueIP:
		fits = isIP(s)
	case valueURL:
		fits = isURL(s)
	case valueCVV:
		fits = len(s) >= 3 && len(s) <= 4 && strings.Trim(s, "0123456789*xX") == ""
	case valueCard:
		fits = isQuantity(s) || strings.Trim(s, "0123456789*xX#•… "+cardMarks) == "" && len(s) >= 12 || isPlaceholder(s)
	default:
		for i, forms := range choices {
			m := reading{forms: forms}.mend(col, m.text)
			// A sign fits, for the currency is known from another column, and a word for a longer period.
			under[i] = !m.refused || m.codes[0] == fixSign || m.codes[0] == refuseLonger
		}
		return under
	}
	return [len(choices)]bool{fits, fits, fits}
}

// unitOfWord is the suggestion for a word that means several units: month*12; empty for others.
func unitOfWord(s string) string {
	w := unitWordOf(s)
	if w.times < 2 {
		return ""
	}
	return w.unit + "*" + strconv.Itoa(w.times)
}

// ordersOf reports whether a date can be read with the day first, and with the month first; neither where the order
// does not matter.
func ordersOf(s string) (dayFirst, monthFirst bool) {
	m := repair{text: s}
	m.unwrap(valueDate)
	s = squeezed(withoutMidnight(m.text))
	if _, form := (Forms{}).Date(s); form == exportform.DateDotted || form == exportform.DateISO || form == exportform.DateOneDigit {
		return false, false
	}
	reads := func(order exportform.Dates) bool {
		d, form := Forms{Dates: order, Century: 20}.Date(s)
		return !d.IsZero() && form < exportform.DateMalformed
	}
	return reads(DayFirst), reads(MonthFirst)
}

// marksOf reports whether an amount can be read with a decimal comma, and with a decimal point; neither where it has no
// mark.
func marksOf(s string) (comma, point bool) {
	m := repair{text: s}
	m.unwrap(valueAmount)
	if !strings.ContainsAny(m.text, ".,'’") {
		return false, false
	}
	read := func(mark exportform.Decimal) ledger.Code {
		m := repair{text: m.text}
		if m.amount(reading{forms: Forms{Decimal: mark}}); m.refused {
			return m.codes[0]
		}
		return ""
	}
	under := read(DecimalComma)
	comma = under == "" || under == fixSign || under == fixComma
	under = read(DecimalPoint)
	point = under == "" || under == fixSign
	if whole, part, one := strings.Cut(m.text, "."); one && !strings.ContainsAny(whole+part, ".,") && leadingDigits(part) != 3 {
		comma = false // 12.50
	}
	return comma, point
}
