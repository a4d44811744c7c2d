package rules

import "strings"

// groupMarks separate thousands and nothing else: apostrophes, and spaces of several widths.
const groupMarks = "'’ \u00a0\u2009\u202f"

// amount mends a decimal comma where it cannot be a mark between thousands, and removes such marks
// where they can be nothing else: 1'234.50, and 1.234,50 and 1,234.50, whose other mark is behind them.
func (m *mending) amount() {
	s := m.text
	if _, ok := amountForm(s); ok || s == "" {
		return
	}
	if i := strings.IndexAny(s, groupMarks); i >= 0 {
		m.groups(s)
		return
	}
	if whole, part, ok := strings.Cut(s, "."); ok && digitsOnly(part) && s[0] != '0' {
		if plain, grouped := ungrouped(whole, ","); grouped {
			m.change(plain+"."+part, fixThousands)
			return
		}
	}
	whole, part, _ := strings.Cut(s, ",")
	plain, grouped := ungrouped(whole, ".")
	switch {
	case !isMarkedNumber(s) || !strings.Contains(s, ","):
		m.refused = refuseAmount
	case plain == "" || !digitsOnly(part) || grouped && whole[0] == '0' || !grouped && mayGroup(whole, part):
		m.refused = fixComma
	default:
		m.change(plain+","+part, fixThousands)
		m.change(plain+"."+part, fixComma)
	}
}

// groups removes marks that separate nothing but thousands. A comma after them is a decimal mark.
func (m *mending) groups(s string) {
	whole, part := s, ""
	end := strings.IndexAny(s, ".,")
	if end >= 0 {
		whole, part = s[:end], s[end+1:]
	}
	plain := plainDigits(whole)
	if plain == "" || whole[0] == '0' || end >= 0 && !digitsOnly(part) {
		m.refused = refuseAmount
		return
	}
	m.change(plain+s[len(whole):], fixThousands)
	if end >= 0 {
		m.change(plain+"."+part, fixComma)
	}
}

// mayGroup reports whether a comma between these digits may separate thousands.
func mayGroup(whole, part string) bool { return len(part) == 3 && len(whole) <= 3 && whole[0] != '0' }

// isMarkedNumber reports whether a text is digits with single points and commas between them.
func isMarkedNumber(s string) bool {
	for part := range strings.FieldsFuncSeq(strings.ReplaceAll(s, ".", ","), func(r rune) bool { return r == ',' }) {
		if !digitsOnly(part) {
			return false
		}
	}
	return isDigit(s[0]) && isDigit(s[len(s)-1]) && !strings.Contains(strings.ReplaceAll(s, ".", ","), ",,")
}

// plainDigits returns digits without the points, apostrophes or spaces between their thousands; empty
// for another text.
func plainDigits(s string) string {
	mark := "."
	if i := strings.IndexAny(s, groupMarks); i >= 0 {
		for _, r := range s[i:] {
			mark = string(r)
			break
		}
	}
	digits, _ := ungrouped(s, mark)
	return digits
}

// ungrouped returns digits, without the marks between their thousands if there are any; empty for
// another text.
func ungrouped(s, mark string) (digits string, grouped bool) {
	groups := strings.Split(s, mark)
	for i, g := range groups {
		if !digitsOnly(g) || len(groups) > 1 && (i > 0 && len(g) != 3 || i == 0 && len(g) > 3) {
			return "", false
		}
	}
	return strings.Join(groups, ""), len(groups) > 1
}

// amounts mends spaces around the elements of a sequence. Without a point in any of them its commas
// may be decimal marks.
func (m *mending) amounts() {
	s := m.text
	elements := strings.Split(s, ",")
	if strings.Contains(s, ";") || len(elements) > 1 && !strings.Contains(s, ".") {
		m.refused = fixComma
		return
	}
	for i, e := range elements {
		elements[i] = strings.TrimFunc(e, isSpace)
		if _, ok := amountForm(elements[i]); !ok && s != "" {
			m.refused = refuseAmount
			return
		}
		if i == 0 || strings.Contains(elements[i], ".") {
			continue
		}
		if _, grouped := ungrouped(elements[i-1], "."); grouped {
			m.refused = fixComma // 1.000,50 may be one amount
			return
		}
	}
	if text := strings.Join(elements, ","); m.n == 0 {
		m.change(text, fixSpaces)
	} else {
		m.text = text
	}
}
