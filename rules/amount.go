package rules

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/ledger"
)

// longestAmount bounds what is converted; the document allows 10 characters.
const longestAmount = 40

// amount reads one of the three columns of single amounts (L35, L36).
func (c *checker) amount(spec *Spec, s string) {
	a, ok := amountOf(s)
	if !ok {
		if !amountForm(s) {
			c.refuse(AmountSyntax, spec.Column)
			return
		}
		c.parsed.unread.add(spec.Column) // its length is reported already
		return
	}
	if isPadded(s) {
		c.report(LeadingZero, spec.Column, wholeValue)
	}
	if a.IsZero() {
		c.report(AmountZero, spec.Column, wholeValue)
	}
	switch spec.Column {
	case ColumnAmountFrom:
		c.parsed.from = a
	case ColumnAmountTo:
		c.parsed.to = a
	default:
		c.parsed.fixed = a
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

// amountForm reports whether s is digits, or digits, a point and digits (L36).
func amountForm(s string) bool {
	whole, part, pointed := strings.Cut(s, ".")
	return digitsOnly(whole) && (!pointed || digitsOnly(part))
}

func leadingDigits(s string) int {
	i := 0
	for i < len(s) && isDigit(s[i]) {
		i++
	}
	return i
}

// checkAmounts checks the amount columns together (2.2.5, L33, L34, L36c).
func (c *checker) checkAmounts() {
	r := &c.parsed
	from, to := r.filled.has(ColumnAmountFrom), r.filled.has(ColumnAmountTo)
	if from != to {
		col := ColumnAmountFrom
		if to {
			col = ColumnAmountTo
		}
		c.refuse(AmountHalfRange, col)
	}
	fixed, sequence := r.filled.has(ColumnAmount), r.filled.has(ColumnAmountSequence)
	switch one := from || to; {
	case !fixed && !sequence && !one:
		c.refuse(AmountMissing, ColumnAmount)
	case fixed && sequence || one && (fixed || sequence):
		r.unread.add(ColumnAmount)
		c.report(AmountModes, c.firstOf(ColumnAmount, ColumnAmountFrom, ColumnAmountTo, ColumnAmountSequence), wholeValue)
	}
	if from && to && r.from.Compare(r.to) > 0 && !r.unread.has(ColumnAmountFrom) && !r.unread.has(ColumnAmountTo) &&
		!(r.to.IsZero() && c.opts.severityOf(&ledger.Finding{Code: AmountZero, Severity: ledger.SeverityError}) == ledger.SeverityError) { // a zero is an error of its own
		c.refuse(AmountOrder, ColumnAmountFrom)
	}
	c.checkScales()
}

// firstOf is the first of the columns that has a value.
func (c *checker) firstOf(cols ...Column) Column {
	for _, col := range cols {
		if c.parsed.filled.has(col) {
			return col
		}
	}
	return cols[0]
}

// checkScales compares the decimals of amounts with those of the currency (L36c).
func (c *checker) checkScales() {
	digits, ok := amount.MinorUnits(c.parsed.currency)
	if !ok {
		return
	}
	c.checkScale(ColumnAmount, c.parsed.fixed.Scale(), digits)
	c.checkScale(ColumnAmountFrom, c.parsed.from.Scale(), digits)
	c.checkScale(ColumnAmountTo, c.parsed.to.Scale(), digits)
	c.checkScale(ColumnAmountSequence, c.parsed.sequence.scale, digits)
	if c.parsed.sequence.hasDecimalCommas(digits) {
		c.report(SequenceCommas, ColumnAmountSequence, wholeValue)
	}
}

func (c *checker) checkScale(col Column, scale, digits int) {
	if scale <= digits {
		return
	}
	f := c.report(AmountScale, col, wholeValue)
	f.Message = "the amount has " + count(int64(scale), plural(int64(scale), "decimal")) + ", the currency " + strconv.Itoa(digits)
	if col == ColumnAmountSequence {
		element(f, c.parsed.sequence.finest)
	}
}

// choice returns the amount choice of the row (2.2.5), or none if it cannot be used.
func (c *checker) choice() (choice amount.Choice) {
	r := &c.parsed
	switch {
	case r.filled.has(ColumnAmount):
		return amount.Fixed(r.fixed)
	case r.filled.has(ColumnAmountFrom):
		choice, _ = amount.Range(r.from, r.to, r.currency)
	case r.filled.has(ColumnAmountSequence):
		if c.last.sequence.text != r.sequence.text {
			c.last.sequence, c.last.choice = r.sequence, sequenceOf(r.sequence.text)
		}
		choice = c.last.choice
	}
	return choice
}

// element adds the number of an element of amount-sequence, from 1, to a message.
func element(f *ledger.Finding, n int) { f.Message = "element " + strconv.Itoa(n) + ": " + f.Message }

// An elementList describes an amount-sequence.
type elementList struct {
	text          string
	faulty        bool
	scale, finest int // the most decimals, and the first element that has them, from 1
}

// hasDecimalCommas reports whether every second comma of a sequence may be a decimal mark: 9,99,19,99 in a currency with
// two decimals.
func (s elementList) hasDecimalCommas(digits int) bool {
	if digits == 0 || s.text == "" || strings.IndexByte(s.text, '.') >= 0 {
		return false
	}
	elements := strings.Split(s.text, ",")
	for i := 1; i < len(elements); i += 2 {
		if len(elements[i]) != digits {
			return false
		}
	}
	return len(elements)%2 == 0
}

// maxElements is how many elements a sequence may have (L56d).
const maxElements = 10_000

// amounts reads amount-sequence (L36b, X4). Of each fault the first element is reported, and how many more there are.
func (c *checker) amounts(spec *Spec, s string) {
	if s == c.last.sequence.text && !c.last.sequence.faulty {
		c.parsed.sequence = c.last.sequence
		return
	}
	var faults [len(elementCodes)]elementFault
	c.parsed.sequence = elementList{text: s}
	number, at := 0, 0
	for e := range strings.SplitSeq(s, ",") {
		if number++; number > maxElements {
			addLimit(c.refuse(LimitElements, spec.Column), maxElements, "element")
			break
		}
		checkElement(&faults, &c.parsed.sequence, e, number, at)
		at += len(e) + 1
	}
	lead := 0 // spaces before the first element
	if n := c.layout[spec.Column]; c.sc != nil && n > 0 {
		lead = strings.Index(c.sc.cells[n-1].of(c.text), s)
	}
	for i, fault := range faults {
		if fault.count == 0 {
			continue
		}
		c.parsed.sequence.faulty = true
		code := elementCodes[i]
		if code == SequenceElement || code == TooLong {
			c.parsed.unread.add(spec.Column)
		}
		f := c.report(code, spec.Column, lead+fault.at)
		if code == TooLong {
			f.Message = lengthMessage(fault.length, spec.Max)
			cite(f, spec.Clause)
		}
		setHelp(f, fault.help)
		element(f, fault.element)
		if n := int64(fault.count - 1); n > 0 {
			f.Message += " (and " + count(n, "more "+plural(n, "element")) + ")"
		}
	}
}

// An elementFault is the first of one kind of fault of elements, and how many there are.
type elementFault struct {
	count, element, at, length int
	help                       string
}

var elementCodes = [...]ledger.Code{SequenceElement, TooLong, AmountZero, LeadingZero}

// checkElement checks element number of a sequence, which begins at byte at of the value.
func checkElement(faults *[len(elementCodes)]elementFault, all *elementList, s string, number, at int) {
	add := func(code ledger.Code, length int, help string) {
		f := &faults[slices.Index(elementCodes[:], code)]
		if f.count++; f.count == 1 {
			f.element, f.at, f.length, f.help = number, at, length, help
		}
	}
	wellFormed := amountForm(s)
	switch {
	case s == "":
		add(SequenceElement, 0, "remove the comma or fill in the amount: a dropped element would shift every later charge")
	case !wellFormed:
		add(SequenceElement, 0, "")
	}
	length := utf8.RuneCountInString(s)
	tooLong := length > columns[ColumnAmountSequence].Max
	if tooLong {
		add(TooLong, length, "")
	}
	if tooLong || !wellFormed {
		return
	}
	help := ""
	if isPadded(s) {
		add(LeadingZero, 0, "")
		help = repairOf(refuseSequence).Help
	}
	a, _ := amountOf(s)
	if a.IsZero() {
		add(AmountZero, 0, help)
	}
	if a.Scale() > all.scale {
		all.scale, all.finest = a.Scale(), number
	}
}

// sequenceOf returns the choice of a valid sequence; none for another text.
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
