package laws

import (
	"fmt"
	"strings"

	"github.com/chargecast/chargecast/fuzz/gen"
)

// secretLaws are the laws of what no output may show. The laws of masking and of the
// payload's columns are with the payload.
func secretLaws() []Law {
	return []Law{
		law("K01", "5.4", "a canary in any text that is read is absent from every error, in every form", gen.Canaries, canaryUnseen),
		law("K03", "5.4", "no dependency's error text is passed on", gen.Canaries, ownErrors),
	}
}

// readings reads a text as everything that can be read, and gives the errors.
func readings(text string, impl Impl) []error {
	var list []error
	note := func(err error) {
		if err != nil {
			list = append(list, err)
		}
	}
	_, err := impl.ParseAmount(text)
	note(err)
	_, err = impl.ParseDate(text)
	note(err)
	_, err = impl.ParseDotted(text)
	note(err)
	_, _, err = impl.LoadState([]byte(text))
	note(err)
	return list
}

func canaryUnseen(t *T, c gen.Canary) {
	unseen(t, c, readings(c.Before+c.Secret+c.After, t.Impl))
}

// unseen looks for the secret in errors.
func unseen(t *T, c gen.Canary, errs []error) {
	forms := gen.FormsOf(c.Secret)
	for _, err := range errs {
		for _, verb := range [...]string{"%v", "%+v", "%#v", "%s", "%q"} {
			shown := fmt.Sprintf(verb, err)
			for _, form := range forms {
				if strings.Contains(shown, form) {
					t.Errorf("%s of an error shows the secret: %q", verb, shown)
				}
			}
		}
	}
}

// ownErrors looks through each error's chain for types of others, which show their input.
func ownErrors(t *T, c gen.Canary) {
	own(t, readings(c.Before+c.Secret+c.After, t.Impl))
}

// own looks for errors of others.
func own(t *T, errs []error) {
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
