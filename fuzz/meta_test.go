package fuzz_test

import (
	"io/fs"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// Vectors, payloads and corpora hold test card numbers only (K04): a run of digits as
// long as a card number, with a right check digit, begins as those that are kept for
// tests, or is one digit repeated.
func TestCardNumbersAreForTests(t *testing.T) {
	digits := regexp.MustCompile(`(pick=)?[0-9]{12,}`)
	kept := []string{"41111111111", "555555555555444", "550000555555555", "510510510510510", "34000000000000", "37828224631000", "601111111111111", "400000000000000", "401288888888188", "6304000000000000"}
	others := []string{"amount/testdata/draws.golden", "signature/testdata/wycheproof.jsonl"} // draws and hexadecimal
	files := 0
	err := fs.WalkDir(os.DirFS(".."), ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (entry.Name() == ".git" || entry.Name() == "node_modules"):
			return fs.SkipDir
		case entry.IsDir() || !strings.Contains("/"+name, "/testdata/") || slices.Contains(others, name):
			return nil
		}
		text, err := os.ReadFile("../" + name)
		if err != nil {
			return err
		}
		files++
		for _, number := range digits.FindAllString(string(text), -1) {
			if len(number) <= 19 && number[0] != 'p' && luhn(number) && !begins(number, kept) && strings.Trim(number, number[:1]) != "" {
				t.Errorf("%s holds a number of %d digits that could be a card's", name, len(number))
			}
		}
		return nil
	})
	if !luhn("4111111111111111") || luhn("4111111111111112") {
		t.Error("the check digit is not judged")
	}
	if err != nil || files < 100 {
		t.Errorf("%d files read: %v", files, err)
	}
}

func begins(number string, prefixes []string) bool {
	for _, p := range prefixes {
		if strings.HasPrefix(number, p) {
			return true
		}
	}
	return false
}

// luhn reports whether the check digit of a card number is right.
func luhn(number string) bool {
	sum := 0
	for i := range len(number) {
		d := int(number[len(number)-1-i] - '0')
		if i%2 == 1 {
			if d *= 2; d > 9 {
				d -= 9
			}
		}
		sum += d
	}
	return sum%10 == 0
}
