package laws

import (
	"fmt"
	"slices"
	"strings"

	"github.com/chargecast/chargecast/internal/gen"
	"github.com/chargecast/chargecast/rules"
)

// secretLaws are the laws of what no output may show. Those of the columns of a payload are with the payload.
func secretLaws() []Law {
	return []Law{
		own("K01", "5.4", "a canary in any text that is read is absent from every error, in every form", gen.Canaries, canaryUnseen),
		own("K02", "2.1", "a card number shows at most its first 6 and last 4 digits, at most half when shorter than 13; masking twice = once", digitTexts, masks),
		own("K03", "5.4", "no dependency's error text is passed on", gen.Canaries, ownErrors),
	}
}

// readings reads a text as everything that can be read, and gives the errors.
func (t *T) readings(text string) []error {
	var list []error
	t.some(
		func() { _, err := t.ParseAmount(text); list = append(list, err) },
		func() { _, err := t.ParseDate(text); list = append(list, err) },
		func() { _, err := t.ParseDotted(text); list = append(list, err) },
		func() { _, _, err := t.LoadState([]byte(text)); list = append(list, err) },
	)
	return slices.DeleteFunc(list, func(err error) bool { return err == nil })
}

func canaryUnseen(t *T, c gen.Canary) {
	t.unseen(c, t.readings(c.Before+c.Secret+c.After))
}

// unseen looks for the secret in errors.
func (t *T) unseen(c gen.Canary, errs []error) {
	var shown []string
	for _, err := range errs {
		for _, verb := range [...]string{"%v", "%+v", "%#v", "%s", "%q"} {
			shown = append(shown, fmt.Sprintf(verb, err))
		}
	}
	noneShown(t, shown, gen.FormsOf(c.Secret))
}

// ownErrors looks through each error's chain for types of others, which show their input.
func ownErrors(t *T, c gen.Canary) {
	t.own(t.readings(c.Before + c.Secret + c.After))
}

// own looks for errors of others.
func (t *T) own(errs []error) {
	for _, err := range errs {
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

func masks(t *T, digits string) {
	got := t.Mask(rules.ColumnCardNumber, digits)
	mayShow(t, "a card number", digits, got)
	if again := t.Mask(rules.ColumnCardNumber, got); again != got {
		t.Errorf("masked twice it changes")
	}
	free := "order " + digits + " of today"
	masked := t.Mask(0, free)
	if len(digits) >= 12 {
		mayShow(t, "a run in free text", digits, strings.TrimSuffix(strings.TrimPrefix(masked, "order "), " of today"))
	}
	if again := t.Mask(0, masked); again != masked {
		t.Errorf("free text masked twice changes")
	}
	if got := t.Mask(rules.ColumnCVV2, digits); digits != "" && strings.ContainsAny(got, "0123456789") {
		t.Errorf("a cvv2 shows")
	}
}

// mayShow fails where more of the digits shows than may.
func mayShow(t *T, what, digits, got string) {
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
func noneShown(t *T, shown []string, hidden []string) {
	const around = 100
	all := strings.Join(shown, "\x00") // which no form has
	for _, form := range hidden {
		if at := strings.Index(all, form); at >= 0 {
			t.Errorf("%q shows in %q", form, all[max(at-around, 0):min(at+len(form)+around, len(all))])
		}
	}
}
