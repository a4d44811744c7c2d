package rules

import (
	"slices"
	"strings"
	"testing"
)

// TestFixCardGroups: spaces and hyphens between groups are removed from what is a card number without a doubt.
// The numbers are test numbers of card networks, and digits made for their check digit.
func TestFixCardGroups(t *testing.T) {
	for _, c := range []struct{ reason, in, want string }{ // an empty want: refused
		{"spaces", "4111 1111 1111 1111", "4111111111111111"},
		{"hyphens", "4111-1111-1111-1111", "4111111111111111"},
		{"no-break spaces", "4111\u00a01111\u00a01111\u00a01111", "4111111111111111"},
		{"non-breaking hyphens", "4111\u20111111\u20111111\u20111111", "4111111111111111"},
		{"groups of 4, 6 and 5", "3782 822463 10005", "378282246310005"},
		{"groups of 4, 6 and 4", "3056-930902-5904", "30569309025904"},
		{"a last group of one digit", "4222 2222 2222 2", "4222222222222"},
		{"19 digits, of which the first 16 end in no check digit", "6304 0000 0000 0001 008", "6304000000000001008"},
		{"the fewest digits", "5018 0000 0009", "501800000009"},
		{"groups of three", "371 449 635 398 431", "371449635398431"},
		{"groups of six", "378282 246310 005", "378282246310005"},
		{"a digit fewer, the last one right", "4111 1111 112", ""},
		{"a group of two", "37 8282 2463 10005", ""},
		{"a group of seven", "3782822 463100 05", ""},
		{"a wrong check digit", "4111 1111 1111 1112", ""},
		{"a digit lost", "4111 1111 1111 111", ""},
		{"few digits", "4111 11", ""},
		{"more digits than a card number has", "4111 1111 1111 1111 1111", ""},
		{"a mark before them", "-4111 1111 1111 1111", ""},
		{"a mark after them", "4111-1111-1111-1111-", ""},
		{"two marks together", "4111  1111 1111 1111", ""},
		{"two kinds of marks", "4111 1111-1111 1111", ""},
		{"a whole number and a code", "4111111111111111 125", ""},
		{"groups and a code that ends in their check digit", "4111 1111 1111 1111 000", ""},
		{"12 digits that are a card number and a code that ends in their check digit", "5018 0000 0009 008", ""},
		{"a code in front of a card number, with which it ends in a check digit", "109 4111 1111 1111 1111", ""},
		{"a last group as long as a code, behind digits that are no card number", "3782 8224 6310 005", "378282246310005"},
		{"digits of which each is apart", "4 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1", ""},
	} {
		in := document(source(values{ColumnCardNumber: c.in}))
		out, changes, done := fix(t, in, Options{})
		switch {
		case c.want == "" && (out != in || !slices.Equal(changes, []string{"-card-groups 1 credit-card-number"})):
			t.Errorf("%s: %v\n%s", c.reason, changes, out)
		case c.want != "" && (out != document(source(values{ColumnCardNumber: c.want})) || !slices.Equal(changes, []string{"card-groups 1 credit-card-number"}) || done.Refused != 0):
			t.Errorf("%s: %v\n%s", c.reason, changes, out)
		}
	}
	for _, in := range []string{"4111111111111111", "4111 1111 xxxx 1111", "---", "4111/1111", "４１１１ １１１１", "none"} {
		text := document(source(values{ColumnCardNumber: in}))
		if out, changes, _ := fix(t, text, Options{}); out != text || len(changes) > 0 {
			t.Errorf("%q: %v", in, changes)
		}
	}
	both := document(source(values{ColumnCardNumber: " 4111 1111 1111 1111"}))
	if out, changes, _ := fix(t, both, Options{}); !strings.Contains(out, `"4111111111111111"`) || len(changes) != 2 {
		t.Errorf("%v\n%s", changes, out)
	}
}
