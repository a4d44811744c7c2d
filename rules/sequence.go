package rules

import (
	"strings"
	"unicode/utf8"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/ledger"
)

// sequenceFacts is what the currency is needed for in a sequence: the element with the
// most decimals, first of them, from 1.
type sequenceFacts struct{ scale, element int }

// elements judges amount-sequence, element by element (L36b, X4). Of each fault the first
// element is reported, and how many more there are.
func (r *Reader) elements(col Column, s string) {
	f := int(r.layout.place[col]) - 1
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
