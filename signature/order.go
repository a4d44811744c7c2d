package signature

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf16"
)

// arrange sorts the items as the recipe does.
func (r *paramRecipe) arrange(items []*item) {
	if r.order == orderNone {
		rank := groupOrders()[r.groups]
		slices.SortStableFunc(items, func(a, b *item) int { return int(rank[a.group]) - int(rank[b.group]) })
		return
	}
	slices.SortStableFunc(items, r.order.compare())
}

// compare returns the comparison of an order that sorts.
func (f orderForm) compare() func(a, b *item) int {
	switch f {
	case orderJoined:
		return func(a, b *item) int { return strings.Compare(a.name+"="+a.value, b.name+"="+b.value) }
	case orderRawBytes:
		return func(a, b *item) int {
			if order := strings.Compare(a.raw.Name, b.raw.Name); order != 0 {
				return order
			}
			return strings.Compare(a.raw.Value, b.raw.Value)
		}
	case orderRawUTF16:
		return func(a, b *item) int {
			if order := compareUTF16(a.raw.Name, b.raw.Name); order != 0 {
				return order
			}
			return compareUTF16(a.raw.Value, b.raw.Value)
		}
	case orderNameOnly:
		return func(a, b *item) int { return strings.Compare(a.name, b.name) }
	case orderNumeric:
		return func(a, b *item) int {
			if order := strings.Compare(a.name, b.name); order != 0 {
				return order
			}
			return compareNumbers(a.value, b.value)
		}
	case orderIgnoringCase:
		return func(a, b *item) int {
			if order := compareLower(a.name, b.name); order != 0 {
				return order
			}
			return compareLower(a.value, b.value)
		}
	case orderEncoded, orderNone:
	}
	return func(a, b *item) int {
		if order := strings.Compare(a.name, b.name); order != 0 {
			return order
		}
		return strings.Compare(a.value, b.value)
	}
}

const groupOrderCount = 6

// groupOrders returns the places of body, OAuth parameters and query in each order of the three.
func groupOrders() [groupOrderCount][3]uint8 {
	return [groupOrderCount][3]uint8{{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}}
}

// compareLower compares two texts in lower case.
func compareLower(a, b string) int { return strings.Compare(strings.ToLower(a), strings.ToLower(b)) }

// compareUTF16 compares two texts by their UTF-16 units.
func compareUTF16(a, b string) int {
	if plainASCII(a) && plainASCII(b) {
		return strings.Compare(a, b)
	}
	return slices.Compare(utf16.Encode([]rune(a)), utf16.Encode([]rune(b)))
}

// compareNumbers sorts texts of digits first, by their number, and all others by bytes.
func compareNumbers(a, b string) int {
	left, leftOK := significant(a)
	right, rightOK := significant(b)
	switch {
	case leftOK && rightOK:
		return cmp.Or(len(left)-len(right), strings.Compare(left, right))
	case leftOK:
		return -1
	case rightOK:
		return 1
	}
	return strings.Compare(a, b)
}

// significant removes the leading zeros of a text of digits.
func significant(text string) (string, bool) {
	for i := range len(text) {
		if text[i] < '0' || text[i] > '9' {
			return "", false
		}
	}
	return strings.TrimLeft(text, "0"), text != ""
}
