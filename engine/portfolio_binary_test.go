package engine_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
)

func scopeOf(r *rand.Rand) engine.Scope {
	return engine.Scope{
		AsOf: day("2026-01-15"), Window: calendar.Through(day("2026-01-01"), day("2027-06-01")), Policy: randomPolicy(r), Draws: r.IntN(2) == 0,
	}
}

func binaryOf(t *testing.T, p *engine.Portfolio) []byte {
	t.Helper()
	b, err := p.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// Goal: the form reads back to the same portfolio, and equal contents have one form. Method: random
// portfolios, their profiles added in two orders, whole and in parts.
func TestPortfolioFormIsCanonical(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 300 {
		s := scopeOf(r)
		a, b := randomBook(t, r, s, 0), randomBook(t, r, s, 0)
		list := make([]engine.Stored, r.IntN(9))
		for i := range list {
			list[i] = randomStored(r, s.AsOf)
			_ = a.Add(list[i]) // some are refused by the policy
		}
		for len(list) > 0 {
			part, n := randomBook(t, r, s, 0), 1+r.IntN(len(list))
			for _, one := range slices.Backward(list[len(list)-n:]) {
				_ = part.Add(one)
			}
			list = list[:len(list)-n]
			if err := b.Merge(part); err != nil {
				t.Fatal(err)
			}
		}
		form := binaryOf(t, a)
		if !bytes.Equal(form, binaryOf(t, b)) {
			t.Fatal("the order and the parts change the form")
		}
		var back engine.Portfolio
		if err := back.UnmarshalBinary(form); err != nil || !bytes.Equal(binaryOf(t, &back), form) || back.Scope() != a.Scope() {
			t.Fatalf("read back as %+v: %v", back.Scope(), err)
		}
		if want, got := slices.Collect(a.Totals(engine.ByDay)), slices.Collect(back.Totals(engine.ByDay)); !reflect.DeepEqual(got, want) {
			t.Fatalf("read back: %v, want %v", got, want)
		}
		text, err := json.Marshal(*a)
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(text, &back); err != nil || !bytes.Equal(binaryOf(t, &back), form) {
			t.Fatalf("JSON is read back with %v", err)
		}
	}
}

func TestZeroPortfolioIsStored(t *testing.T) {
	var zero, back engine.Portfolio
	if err := back.UnmarshalBinary(binaryOf(t, &zero)); err != nil || !reflect.DeepEqual(back, zero) {
		t.Errorf("read back with %v", err)
	}
}

// TestDamagedPortfolioIsRefused cuts a form at every byte and changes every byte of it.
func TestDamagedPortfolioIsRefused(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	p := randomBook(t, r, scopeOf(r), 5)
	form := binaryOf(t, p)
	refuse := func(what string, data []byte, want error) {
		t.Helper()
		back := randomBook(t, r, p.Scope(), 0)
		empty := binaryOf(t, back)
		if err := back.UnmarshalBinary(data); !errors.Is(err, want) || !bytes.Equal(binaryOf(t, back), empty) {
			t.Fatalf("%s: %v, want %v", what, err, want)
		}
	}
	for i := range form {
		refuse("cut", form[:i], engine.ErrPortfolioForm)
		changed := bytes.Clone(form)
		changed[i] ^= 1 << r.IntN(8)
		if i < len("chargecast.portfolio/1\n") {
			var back engine.Portfolio
			if back.UnmarshalBinary(changed) == nil {
				t.Fatalf("a change of byte %d is accepted", i)
			}
			continue
		}
		refuse("changed", changed, engine.ErrPortfolioForm)
	}
	refuse("with one byte more", append(bytes.Clone(form), 0), engine.ErrPortfolioForm)
	refuse("of another version", bytes.Replace(form, []byte("/1\n"), []byte("/2\n"), 1), engine.ErrPortfolioVersion)
	for _, text := range []string{"", `"`, "null", "{}", "5", `"!"`, `"YQ=="`} {
		var back engine.Portfolio
		if err := back.UnmarshalJSON([]byte(text)); !errors.Is(err, engine.ErrPortfolioForm) {
			t.Errorf("JSON %s: %v", text, err)
		}
	}
}

// sealed returns a form with a right check sum.
func sealed(form []byte) []byte {
	body := form[:len(form)-sha256.Size]
	sum := sha256.Sum256(body)
	return append(bytes.Clone(body), sum[:]...)
}

// TestForgedPortfolioIsRefusedOrWhole changes forms and gives them a right check sum: nothing panics,
// and what is accepted has that form and totals that can be made.
func TestForgedPortfolioIsRefusedOrWhole(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	accepted := 0
	for range 4000 {
		form := binaryOf(t, randomBook(t, r, scopeOf(r), 1+r.IntN(4)))
		for range 1 + r.IntN(3) {
			form[len("chargecast.portfolio/1\n")+r.IntN(len(form)-55)] = byte(r.IntN(256) >> r.IntN(8))
		}
		form = sealed(form)
		var back engine.Portfolio
		if back.UnmarshalBinary(form) != nil {
			continue
		}
		accepted++
		if !bytes.Equal(binaryOf(t, &back), form) {
			t.Fatal("an accepted form is not that of its portfolio")
		}
		for total := range back.Totals(engine.ByMonth) {
			if total.Approved.Charges()+total.Declined.Charges() == 0 || strings.HasPrefix(total.Approved.String(), "-") {
				t.Fatalf("a total of %v", total.Approved)
			}
		}
	}
	if accepted == 0 {
		t.Error("no forged form is accepted: the test shows nothing about those")
	}
}
