package fuzz

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"iter"
	"net/url"
	"slices"
	"strings"

	"github.com/leanovate/gopter"

	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/record"
)

// secretLaws are the laws of what no output may show. The laws of masking and of the
// payload's columns are with the payload.
func secretLaws() []Law {
	needs := func(i Impl) bool { return i.ParseAmount != nil && i.ParseDate != nil && i.ParseDotted != nil }
	return []Law{
		{ID: "K01", Formula: "a canary in any text that is read is absent from every error, in every form", Clause: "5.4", Gen: Canaries(), Needs: needs, Check: onCanary(canaryUnseen)},
		{ID: "K03", Formula: "no dependency's error text is passed on", Clause: "5.4", Gen: Canaries(), Needs: needs, Check: onCanary(ownErrors)},
	}
}

// A Canary is a text that must not show, in front of and behind other text.
type Canary struct{ Before, Secret, After string }

// Canaries generates card numbers of the ranges kept for tests and other secrets, inside
// texts that a reader might accept otherwise.
func Canaries() gopter.Gen {
	draw := func(r chooser) Canary {
		c := Canary{Secret: pick(r, "4111111111111111", "5500005555555559", "340000000000009", "987-65-4320", "S3cretControlKey", "-----BEGIN RSA PRIVATE KEY-----")}
		c.Before = pick(r, "", "", "1.00,", "31.01.", "2026-01-", "{\"profile\":\"", "{\"repeat\":", "{\"date\":\"", "{\"do\":\"", "month-end=", "1.", "{\"")
		c.After = pick(r, "", "", "\"}", "}", ".50", ",", "\":1}", "=clamp", "\x00")
		return c
	}
	simpler := func(c Canary) iter.Seq[Canary] {
		return slices.Values([]Canary{{"", c.Secret, c.After}, {c.Before, c.Secret, ""}})
	}
	return generator(draw, simpler, func(c Canary) bool { return c.Secret != "" })
}

func onCanary(check func(t T, c Canary, impl Impl)) func(T, *Case, Impl) {
	return func(t T, c *Case, impl Impl) { check(t, c.Value.(Canary), impl) }
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
	_, err = engine.ParsePolicy(text)
	note(err)
	if impl.LoadState != nil {
		_, _, err = impl.LoadState([]byte(text))
		note(err)
	}
	_, err = record.ParseScriptLine([]byte(text))
	note(err)
	return list
}

func canaryUnseen(t T, c Canary, impl Impl) {
	forms := formsOf(c.Secret)
	for _, err := range readings(c.Before+c.Secret+c.After, impl) {
		for _, verb := range [...]string{"%v", "%+v", "%#v", "%s", "%q"} {
			shown := fmt.Sprintf(verb, err)
			for _, form := range forms {
				if strings.Contains(shown, form) {
					t.Errorf("%s of an error shows the secret: %s", verb, shown)
				}
			}
		}
	}
}

// formsOf are the ways in which a secret could show: raw, reversed, in hex, percent-encoded
// and in base64 at three alignments.
func formsOf(secret string) []string {
	reversed := []byte(secret)
	slices.Reverse(reversed)
	forms := []string{secret, string(reversed), hex.EncodeToString([]byte(secret)), url.QueryEscape(secret)}
	for shift := range 3 {
		text := base64.StdEncoding.EncodeToString(append(make([]byte, shift), secret...))
		forms = append(forms, text[4*((shift+2)/3):len(text)-4])
	}
	return forms
}

// ownErrors looks through each error's chain for types of others, which show their input.
func ownErrors(t T, c Canary, impl Impl) {
	for _, err := range readings(c.Before+c.Secret+c.After, impl) {
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
