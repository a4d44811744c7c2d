package rules

import (
	"errors"
	"strings"
)

// The faults of what a [Fixer] is given.
var (
	errGivenColumn = errors.New("values of this column cannot be given: write them in the file")
	errGivenForm   = errors.New("the value is not one that the column takes as it is")
	errGivenTwice  = errors.New("a value is both what is replaced and what takes the place of another: a second run would change it again")
	errGivenCase   = errors.New("two values that differ in case alone are given different values")
	errGivenTimes  = errors.New("only a period is several times another one, at most 9999 times")
)

// mostTimes is the most by which an interval is multiplied.
const mostTimes = 9999

// Check reports the first fault in Values and Set, without the values themselves: a column whose values cannot be given
// (the card number and cvv2; in Set client-orderid, amounts and dates too), a value that the column does not take as it is,
// and one that would be replaced in a second run.
func (f Fixer) Check() error {
	_, err := f.given()
	return err
}

// given returns Values by what is compared.
func (f Fixer) given() (map[Column]map[string]Value, error) {
	all := map[Column]map[string]Value{}
	for col, list := range f.Values {
		if kind := col.Spec().kind; kind == 0 || kind == valueCard || kind == valueCVV {
			return nil, errGivenColumn
		}
		all[col] = map[string]Value{}
		for source, v := range list {
			key := foldedValue(source)
			if other, twice := all[col][key]; twice && other != v {
				return nil, errGivenCase
			}
			all[col][key] = v
		}
		for key, v := range all[col] {
			if v.Times < 0 || v.Times > mostTimes || v.Times > 1 && col != ColumnPeriod {
				return nil, errGivenTimes
			}
			if !takes(col, v.Text) {
				return nil, errGivenForm
			}
			target := foldedValue(v.Text)
			if _, isSource := all[col][target]; isSource && (target != key || v.Times > 1) {
				return nil, errGivenTwice
			}
		}
	}
	for col, text := range f.Set {
		switch spec := col.Spec(); {
		case spec.kind == 0, spec.kind == valueCard, spec.kind == valueCVV, spec.kind == valueAmount, spec.kind == valueAmounts, spec.kind == valueDate, col == ColumnOrderID:
			return nil, errGivenColumn
		case text == "" || !takes(col, text):
			return nil, errGivenForm
		}
		if _, isSource := all[col][foldedValue(text)]; isSource {
			return nil, errGivenTwice
		}
	}
	return all, nil
}

// takes reports whether a Fixer leaves a value of a column as it is.
func takes(col Column, text string) bool {
	m := reading{}.mend(col, text)
	return !m.refused && m.text == text
}

// foldedValue is a value as values are compared.
func foldedValue(s string) string { return strings.ToLower(trimmedUnseen(s)) }

func trimmedUnseen(s string) string { return strings.TrimFunc(s, isUnseen) }
