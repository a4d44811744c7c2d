package rules

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/ledger"
)

// rowAmounts are the typed amounts of a row.
type rowAmounts struct {
	fixed, from, to amount.Amount
	sequence        sequenceFacts
}

// amountModes is the set of amount choices that a row makes (2.2.5).
type amountModes uint8

const (
	modeFixed amountModes = 1 << iota
	modeRange
	modeSequence
)

// modesOf is what the amount columns with a value choose, by the bits of amount, amount-from, amount-to
// and amount-sequence. Which of them a row fills is hard to foresee, so it is not asked one by one.
var modesOf = func() (all [16]amountModes) {
	for given := range all {
		if given&0b0001 != 0 {
			all[given] |= modeFixed
		}
		if given&0b0110 != 0 {
			all[given] |= modeRange
		}
		if given&0b1000 != 0 {
			all[given] |= modeSequence
		}
	}
	return all
}()

// longestAmount is more characters than any amount that is worth converting has: the
// document allows 10.
const longestAmount = 40

// amount judges and types one of the three columns of single amounts (L35, L36).
func (r *Reader) amount(col Column, s string) {
	a, ok := amountOf(s)
	if !ok {
		if help, form := amountForm(s); !form {
			r.refuse(AmountSyntax, col).adviseIf(help)
			return
		}
		r.unread.add(col) // its length is reported already
		return
	}
	if isPadded(s) {
		r.on(LeadingZero, col)
	}
	if a.IsZero() {
		r.on(AmountZero, col)
	}
	switch col {
	case ColumnAmountFrom:
		r.amounts.from = a
	case ColumnAmountTo:
		r.amounts.to = a
	default:
		r.amounts.fixed = a
	}
}

// isPadded reports whether an amount of right form has needless zeros before it.
func isPadded(s string) bool { return s[0] == '0' && len(s) > 1 && s[1] != '.' }

// amountOf converts an amount; false where its form is wrong or it is too long.
func amountOf(s string) (amount.Amount, bool) {
	if len(s) > longestAmount {
		return amount.Amount{}, false
	}
	a, err := amount.Parse(s)
	return a, err == nil
}

// amountForm reports whether s is digits, or digits, a point and digits; if not, help may
// say what to do in this case (L36).
func amountForm(s string) (help string, ok bool) {
	whole := leadingDigits(s)
	if whole == len(s) && whole > 0 {
		return "", true
	}
	if whole > 0 && s[whole] == '.' {
		if rest := s[whole+1:]; rest != "" && leadingDigits(rest) == len(rest) {
			return "", true
		}
	}
	return amountHelp(s[whole:]), false
}

// amountHelp is the remedy for an amount whose digits are followed by rest.
func amountHelp(rest string) string {
	switch {
	case strings.Contains(rest, ","):
		return "use a decimal point, and no mark between thousands"
	case strings.HasPrefix(rest, "e"), strings.HasPrefix(rest, "E"):
		return "write the amount out in digits, without an exponent"
	case strings.HasPrefix(rest, "-"), strings.HasPrefix(rest, "+"), strings.HasPrefix(rest, "−"):
		return "write the amount without a sign"
	}
	return ""
}

func leadingDigits(s string) int {
	i := 0
	for i < len(s) && isDigit(s[i]) {
		i++
	}
	return i
}

// judgeAmounts judges the amount columns together (2.2.5, L33, L34, L36c).
func (r *Reader) judgeAmounts() {
	given := r.filled
	from, to := given.has(ColumnAmountFrom), given.has(ColumnAmountTo)
	modes := modesOf[given>>ColumnAmount%columnSet(len(modesOf))]
	r.rec.modes = modes
	if from != to {
		col := ColumnAmountFrom
		if to {
			col = ColumnAmountTo
		}
		r.lacks(AmountHalfRange, col, 1<<ColumnAmountFrom|1<<ColumnAmountTo)
	}
	switch {
	case modes == 0:
		r.lacks(AmountMissing, ColumnAmount, amountColumns)
	case modes&(modes-1) != 0:
		r.unread.add(ColumnAmount)
		r.on(AmountModes, r.firstOf(ColumnAmount, ColumnAmountFrom, ColumnAmountTo, ColumnAmountSequence))
	}
	if from && to && r.amounts.from.Compare(r.amounts.to) > 0 && !r.unread.has(ColumnAmountFrom) && !r.unread.has(ColumnAmountTo) &&
		!(r.amounts.to.IsZero() && r.settle(AmountZero, ledger.SeverityError) == ledger.SeverityError) { // a zero that must be replaced has no order yet
		r.refuse(AmountOrder, ColumnAmountFrom)
	}
	r.scales()
	r.recordAmounts()
}

// firstOf is the first of the columns that has a value.
func (r *Reader) firstOf(cols ...Column) Column {
	for _, c := range cols {
		if r.filled.has(c) {
			return c
		}
	}
	return cols[0]
}

// scales compares the decimals of amounts with those of the currency (L36c).
func (r *Reader) scales() {
	digits, ok := r.minor.of(r.rec.Currency)
	if !ok {
		return
	}
	r.scale(ColumnAmount, r.amounts.fixed, digits)
	r.scale(ColumnAmountFrom, r.amounts.from, digits)
	r.scale(ColumnAmountTo, r.amounts.to, digits)
	if r.amounts.sequence.scale > digits && r.filled.has(ColumnAmountSequence) {
		r.on(AmountScale, ColumnAmountSequence).decimals(r.amounts.sequence.scale, digits).element(r.amounts.sequence.element)
	}
}

func (r *Reader) scale(col Column, a amount.Amount, digits int) {
	if a.Scale() > digits {
		r.reportScale(col, a.Scale(), digits)
	}
}

func (r *Reader) reportScale(col Column, scale, digits int) {
	r.on(AmountScale, col).decimals(scale, digits)
}

// decimals says how many decimals there are and how many the currency has.
func (f *finding) decimals(actual, digits int) *finding {
	if f != nil {
		decimals := " decimals"
		if actual == 1 {
			decimals = " decimal"
		}
		f.Message = "the amount has " + strconv.Itoa(actual) + decimals + ", the currency " + strconv.Itoa(digits)
	}
	return f
}

// adviseIf replaces the remedy unless help is empty.
func (f *finding) adviseIf(help string) *finding {
	if help == "" {
		return f
	}
	return f.advise(help)
}

// more says how many others have the same fault.
func (f *finding) more(n int, what string) *finding {
	if f != nil {
		f.Message += " (and " + strconv.Itoa(n) + " more " + plural(int64(n), what) + ")"
	}
	return f
}

// sequenceFacts is what the currency is needed for in a sequence: the element with the
// most decimals, first of them, from 1.
type sequenceFacts struct{ scale, element int }

// elements judges amount-sequence, element by element (L36b, X4). Of each fault the first
// element is reported, and how many more there are.
func (r *Reader) elements(col Column, s string) {
	if s == r.repeated.elements && r.repeated.right {
		r.amounts.sequence = r.repeated.facts
		return
	}
	before := len(r.found)
	f := int(r.layout[col]) - 1
	c := r.sc.cells[f]
	faults, facts, ok := elementsOf(s, r.opts.MaxElements)
	r.amounts.sequence = facts
	if !ok {
		r.on(LimitElements, col).number(int64(r.opts.MaxElements), "element")
		r.unread.add(col)
	}
	lead := strings.Index(r.content(f), s) // spaces before the first element
	for code, fault := range faults {
		if fault.count == 0 {
			continue
		}
		kind := elementCodes[code]
		if kind == SequenceElement || kind == TooLong {
			r.unread.add(col)
		}
		fault.report(r.add(kind, r.inside(c, lead+fault.at)).in(col), kind)
	}
	r.repeated.judged(s, facts, len(r.found) == before && !r.unread.has(col))
}

// elementsOf judges the elements of a sequence; not ok when there are more than most.
func elementsOf(s string, most int) (faults elementFaults, facts sequenceFacts, ok bool) {
	number, at := 0, 0
	for element := range strings.SplitSeq(s, ",") {
		if number++; number > most {
			return faults, facts, false
		}
		faults.judge(&facts, element, number, at)
		at += len(element) + 1
	}
	return faults, facts, true
}

// elementFaults are the first of each kind of fault of elements, in the order of
// elementCodes.
type elementFaults [len(elementCodes)]elementFault

type elementFault struct {
	count, element, at, length int
	help                       string
}

// report completes a finding about the fault.
func (f elementFault) report(p *finding, c ledger.Code) {
	if c == TooLong {
		p.lengths(f.length, columns[ColumnAmountSequence].Max).rests(columns[ColumnAmountSequence].Clause)
	}
	p.adviseIf(f.help).element(f.element)
	if f.count > 1 {
		p.more(f.count-1, "element")
	}
}

var elementCodes = [...]ledger.Code{SequenceElement, TooLong, AmountZero, LeadingZero}

const (
	faultForm = iota
	faultLength
	faultZero
	faultLead
)

func (fs *elementFaults) note(kind, element, at, length int, help string) {
	f := &fs[kind]
	if f.count == 0 {
		f.element, f.at, f.length, f.help = element, at, length, help
	}
	f.count++
}

// judge judges one element of a sequence, which begins at byte at of the value.
func (fs *elementFaults) judge(facts *sequenceFacts, s string, number, at int) {
	help, wellFormed := elementForm(s)
	if !wellFormed {
		fs.note(faultForm, number, at, 0, help)
	}
	length := utf8.RuneCountInString(s)
	tooLong := length > columns[ColumnAmountSequence].Max
	if tooLong {
		fs.note(faultLength, number, at, length, "")
	}
	if tooLong || !wellFormed {
		return
	}
	if isPadded(s) {
		fs.note(faultLead, number, at, 0, "")
	}
	a, _ := amountOf(s)
	if a.IsZero() {
		help := ""
		if isPadded(s) {
			help = "give a positive amount; where the commas are decimal marks, write points"
		}
		fs.note(faultZero, number, at, 0, help)
	}
	if a.Scale() > facts.scale {
		*facts = sequenceFacts{a.Scale(), number}
	}
}

// elementForm is amountForm with the remedies for a list.
func elementForm(s string) (help string, ok bool) {
	if help, ok = amountForm(s); ok {
		return "", true
	}
	switch {
	case s == "":
		return "remove the comma or fill in the amount: a dropped element would shift every later charge", false
	case strings.Contains(s, ";"):
		return "separate the amounts by commas", false
	case strings.Contains(s, " "):
		return spacesHelp(s), false
	}
	return help, false
}

// spacesHelp is the remedy for spaces in an element: those between amounts are where commas belong.
func spacesHelp(s string) string {
	amounts := strings.Fields(s)
	for _, a := range amounts {
		if _, ok := amountForm(a); !ok {
			return "remove the spaces"
		}
	}
	if len(amounts) < 2 {
		return "remove the spaces"
	}
	return "put a comma between the elements, and a point before the decimals; an amount has no spaces"
}

// sequenceOf is the choice of a sequence that was judged; none for another text.
func sequenceOf(s string) amount.Choice {
	elements := make([]amount.Amount, 0, 1+strings.Count(s, ","))
	for element := range strings.SplitSeq(s, ",") {
		a, err := amount.Parse(element)
		if err != nil {
			return amount.Choice{}
		}
		elements = append(elements, a)
	}
	sequence, _ := amount.Sequence(elements)
	return sequence
}

// Who uses a row mostly asks for its amounts, once. A fixed amount is in the record. A range is made
// when it is asked for, and so is a sequence, unless rows before had the same: then it is made once for
// all of them.

// repeatedAmounts are the last sequence: rows beside each other often have the same.
type repeatedAmounts struct {
	elements string
	facts    sequenceFacts
	right    bool           // nothing was found about it
	sequence *amount.Choice // of the elements; nil: only one row had them
}

// longestRepeated is how long the text of a sequence may be to be remembered.
const longestRepeated = 256

// judged notes what came of the elements.
func (l *repeatedAmounts) judged(elements string, facts sequenceFacts, right bool) {
	*l = repeatedAmounts{}
	if right && len(elements) <= longestRepeated {
		*l = repeatedAmounts{elements: strings.Clone(elements), facts: facts, right: true}
	}
}

// sequenceOf returns what rows with the last sequence share; nil for the first of them.
func (l *repeatedAmounts) sequenceOf(elements string) *amount.Choice {
	switch {
	case !l.right || elements != l.elements:
		return nil
	case l.sequence == nil:
		l.sequence = new(sequenceOf(elements))
	}
	return l.sequence
}

// recordAmounts puts the amount choice into the record of the current row. It matters only for a row
// that can be used, whose amounts are right.
func (r *Reader) recordAmounts() {
	rec, last := &r.rec, &r.repeated
	switch rec.modes {
	case modeFixed:
		rec.fixed, rec.scale = r.amounts.fixed.Coefficient(), uint8(r.amounts.fixed.Scale())
	case modeSequence:
		rec.shared = last.sequenceOf(r.now(ColumnAmountSequence))
	}
}
