package reconcile

import (
	"iter"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/record"
)

// A keptLine is an actual as it is kept: 48 bytes without a pointer, since there may be millions.
type keptLine struct {
	units              int64 // of the amount, of 10^-scale
	line               int
	next               int    // the next line of the same subject; 0 for none
	file, currency, id uint32 // places in the texts
	date, created      calendar.Date
	scale              uint8
	outcome            record.ActualOutcome
	negative           bool
}

// keptLines are the lines of all subjects, counted from 1.
type keptLines struct {
	blocks [][]keptLine // all but the last have linesOfBlock
	texts  []string     // the first is empty
	places map[string]uint32
}

const linesOfBlock = 1 << 12

// A lineList is the lines of a subject, in the order in which they were read.
type lineList struct{ first, last int }

// add keeps an actual as the last of a list.
func (k *keptLines) add(to *lineList, a *Actual) {
	if n := len(k.blocks); n == 0 || len(k.blocks[n-1]) == linesOfBlock {
		k.blocks = append(k.blocks, make([]keptLine, 0, linesOfBlock))
	}
	b := &k.blocks[len(k.blocks)-1]
	*b = append(*b, keptLine{
		units: a.Amount.Coefficient(), scale: uint8(a.Amount.Scale()), negative: a.Negative, outcome: a.Outcome,
		file: k.shared(a.File), line: a.Line, date: a.Date, created: a.Created, currency: k.shared(a.Currency), id: k.text(a.ID),
	})
	number := (len(k.blocks)-1)*linesOfBlock + len(*b)
	if to.first == 0 {
		to.first = number
	} else {
		k.at(to.last).next = number
	}
	to.last = number
}

func (k *keptLines) at(number int) *keptLine {
	return &k.blocks[(number-1)/linesOfBlock][(number-1)%linesOfBlock]
}

// text keeps a text and returns its place.
func (k *keptLines) text(s string) uint32 {
	if s == "" {
		return 0
	}
	if len(k.texts) == 0 {
		k.texts = append(k.texts, "")
	}
	k.texts = append(k.texts, s)
	return uint32(len(k.texts) - 1)
}

// shared keeps a text that many lines have, once.
func (k *keptLines) shared(s string) uint32 {
	place, ok := k.places[s]
	if !ok {
		if k.places == nil {
			k.places = map[string]uint32{}
		}
		place = k.text(s)
		k.places[s] = place
	}
	return place
}

func (k *keptLines) textAt(place uint32) string {
	if place == 0 {
		return ""
	}
	return k.texts[place]
}

// all yields the lines of a list.
func (k *keptLines) all(list lineList) iter.Seq[*keptLine] {
	return func(yield func(*keptLine) bool) {
		for number := list.first; number > 0; {
			of := k.at(number)
			if !yield(of) {
				return
			}
			number = of.next
		}
	}
}

// actual returns a line as it was read.
func (k *keptLines) actual(of *keptLine) record.Actual {
	sum, _ := amount.FromMinor(of.units, int(of.scale)) // it was one
	return record.Actual{
		File: k.textAt(of.file), Line: of.line, Date: of.date, Amount: sum, Negative: of.negative,
		Currency: k.textAt(of.currency), Outcome: of.outcome, ID: k.textAt(of.id),
	}
}
