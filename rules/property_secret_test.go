package rules_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/gen"
	"github.com/chargecast/chargecast/record"
	"github.com/chargecast/chargecast/rules"
)

// TestErrorsShowNoSecret: a secret in any text that is read is in no error, in no form (clause 5.4).
func TestErrorsShowNoSecret(t *testing.T) { holds(t, 1000, gen.Canaries, secretUnseen) }

// TestErrorsAreOwn: no error passes on one of another package, which shows its input (clause 5.4).
func TestErrorsAreOwn(t *testing.T) { holds(t, 1000, gen.Canaries, ownErrors) }

// readings are the errors of all that can read a text.
func readings(text string) []error {
	_, amounts := amount.Parse(text)
	_, dates := calendar.Parse(text)
	_, findings := rules.ParseUpdate(func(yield func(string, string) bool) { yield(rules.ColumnStartDate.String(), text) }, rules.UpdateOptions{})
	_, _, states := engine.ParseStateLine([]byte(text))
	_, policies := engine.ParsePolicy(text)
	_, scripts := record.ParseScriptLine([]byte(text))
	return slices.DeleteFunc([]error{amounts, dates, findings.Err(), states, policies, scripts}, func(err error) bool { return err == nil })
}

func secretUnseen(t *prop, c gen.Canary) {
	var shown []string
	for _, err := range readings(c.Before + c.Secret + c.After) {
		for _, verb := range [...]string{"%v", "%+v", "%#v", "%s", "%q"} {
			shown = append(shown, fmt.Sprintf(verb, err))
		}
	}
	noneShown(t, shown, gen.FormsOf(c.Secret))
}

// ownErrors looks through each error's chain for types of others.
func ownErrors(t *prop, c gen.Canary) {
	for _, err := range readings(c.Before + c.Secret + c.After) {
		for _, e := range chain(err) {
			name := fmt.Sprintf("%T", e)
			for _, foreign := range [...]string{"strconv.", "json.", "url.", "time.", "decimal.", "fmt.", "csv."} {
				if strings.Contains(name, foreign) {
					t.Errorf("an error passes on a %s", name)
				}
			}
		}
	}
}

func chain(err error) []error {
	list := []error{err}
	switch e := err.(type) {
	case interface{ Unwrap() error }:
		if inner := e.Unwrap(); inner != nil {
			list = append(list, chain(inner)...)
		}
	case interface{ Unwrap() []error }:
		for _, inner := range e.Unwrap() {
			list = append(list, chain(inner)...)
		}
	}
	return list
}

// TestCellsUnseen: nothing that is shown of a payload has a cell's value (clause 5.4).
func TestCellsUnseen(t *testing.T) { holds(t, 300, gen.Payloads, cellsUnseen) }

// TestMasks: a card number shows at most its first 6 and last 4 digits, at most half when it is shorter than 13; masking twice
// changes nothing (clause 2.1).
func TestMasks(t *testing.T) { holds(t, 1000, digitTexts, masks) }

// cellsUnseen puts a secret where it does not belong: into a cell, into the header, or
// into a row that cannot be read.
func cellsUnseen(t *prop, c gen.PayloadCase) {
	r := c.Choices()
	canary := gen.Canaries(r)
	text := canary.Before + canary.Secret + canary.After
	row := &c.Rows[r.Below(len(c.Rows))]
	column := gen.Pick(r, c.Columns...)
	row.Clean[column] = text
	w := c.Write()
	payload := string(w.Text)
	how := r.Below(8)
	if (how == 0 || how == 3) && strings.Trim(canary.Secret, "0123456789-") != "" {
		how = 7 // a name of the header without three digits in a row is shown
	}
	switch how {
	case 0:
		payload = strings.Replace(payload, gen.DocumentNames()[column], text, 1)
	case 1:
		payload += text
	case 2:
		payload += "\"" + text
	case 3:
		payload = text + payload
	case 4:
		payload = strings.Replace(payload, text, text+`"`, 1)
	}
	o := c.Options()
	o.Input = gen.Pick(r, rules.InputCSV, rules.InputCSV, rules.InputCSV, rules.InputAuto, rules.InputBase64, rules.InputForm)
	noneShown(t, showPayload(strings.NewReader(payload), o), gen.FormsOf(canary.Secret))
}

// digitTexts generates runs of 0 to 24 digits without repetition of one digit, so that a
// digit that shows can be known by its place.
func digitTexts(r gen.Chooser) string {
	n := r.Below(25)
	from := r.Below(10)
	var b strings.Builder
	for i := range n {
		b.WriteByte(byte('0' + (from+i*7)%10))
	}
	return b.String()
}

func masks(t *prop, digits string) {
	got := rules.Mask(rules.ColumnCardNumber, digits)
	mayShow(t, "a card number", digits, got)
	if again := rules.Mask(rules.ColumnCardNumber, got); again != got {
		t.Errorf("masked twice it changes")
	}
	free := "order " + digits + " of today"
	masked := rules.Mask(0, free)
	if len(digits) >= 12 {
		mayShow(t, "a run in free text", digits, strings.TrimSuffix(strings.TrimPrefix(masked, "order "), " of today"))
	}
	if again := rules.Mask(0, masked); again != masked {
		t.Errorf("free text masked twice changes")
	}
	if got := rules.Mask(rules.ColumnCVV2, digits); digits != "" && strings.ContainsAny(got, "0123456789") {
		t.Errorf("a cvv2 shows")
	}
}

// mayShow fails where more of the digits shows than may.
func mayShow(t *prop, what, digits, got string) {
	if len(got) != len(digits) {
		return // hidden whole
	}
	seen := 0
	for i := range len(digits) {
		if got[i] != digits[i] {
			continue
		}
		seen++
		if len(digits) >= 13 && i >= 6 && i < len(digits)-4 {
			t.Errorf("%s of %d digits shows digit %d", what, len(digits), i+1)
		}
	}
	if len(digits) < 13 && seen > len(digits)/2 {
		t.Errorf("%s of %d digits shows %d of them", what, len(digits), seen)
	}
}

// noneShown looks for hidden texts in what is shown, and reports each where it shows first.
func noneShown(t *prop, shown []string, hidden []string) {
	const around = 100
	all := strings.Join(shown, "\x00") // which no form has
	for _, form := range hidden {
		if at := strings.Index(all, form); at >= 0 {
			t.Errorf("%q shows in %q", form, all[max(at-around, 0):min(at+len(form)+around, len(all))])
		}
	}
}
