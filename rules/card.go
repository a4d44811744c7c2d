package rules

import "strings"

func digitsOnly(s string) bool {
	if len(s) < 8 {
		for i := range len(s) {
			if !isDigit(s[i]) {
				return false
			}
		}
		return s != ""
	}
	others := notDigits(word(s[len(s)-8:])) // may overlap those before
	for ; len(s) > 8; s = s[8:] {
		others |= notDigits(word(s))
	}
	return others&byteTops == 0
}

// notDigits has the top bit of a byte set where that byte is no digit, and perhaps in bytes beside
// one, as in oddBytes.
func notDigits(x uint64) uint64 {
	const zeros, above = '0' * byteOnes, (0x7F - '9') * byteOnes
	return x | (x - zeros) | (x + above)
}

// numberOf reads from least to most digits, at least one and at most nine.
func numberOf(s string, least, most int) (n int, ok bool) {
	if len(s) < least || len(s) > most {
		return 0, false
	}
	for i := range len(s) {
		digit := s[i] - '0'
		if digit > 9 {
			return 0, false
		}
		n = 10*n + int(digit)
	}
	return n, true
}

// card judges the card number (L39c).
func (r *Reader) card(col Column, s string) {
	switch {
	case !digitsOnly(s):
		r.on(CardNumberForm, col).adviseIf(cardHelp(s))
		return
	case len(s) > columns[col].Max:
		return // too long: its length is reported
	case len(s) < 12:
		r.on(CardNumberShort, col)
	}
	if !checkDigit(s) {
		r.on(CardNumberCheck, col)
	}
}

// cardHelp is the remedy for a card number that a spreadsheet took for a quantity; empty
// for others.
func cardHelp(s string) string {
	if i := strings.IndexAny(s, "Ee"); i > 0 && isDigit(s[i-1]) && i+1 < len(s) && strings.IndexByte("+-0123456789", s[i+1]) >= 0 {
		return "export the column as text: a spreadsheet took the number for a quantity, and its last digits are lost"
	}
	return ""
}

// checkDigit reports whether the last digit is the check digit of the others: with every
// second digit from the right doubled, the digits of all add up to a multiple of ten.
func checkDigit(s string) bool {
	sum := 0
	for ; len(s) >= 8; s = s[:len(s)-8] {
		sum += checkSum8(word(s[len(s)-8:]))
	}
	for i := range len(s) {
		digit := int(s[i] - '0')
		if (len(s)-i)%2 == 0 {
			digit *= 2
			digit -= 9 * (digit / 10)
		}
		sum += digit
	}
	return sum%10 == 0
}

// checkSum8 adds up eight digits, of which the first and every second is doubled, the
// digits of the products being added.
func checkSum8(digits uint64) int {
	const (
		firsts = 0x00FF00FF00FF00FF
		below5 = (0x80 - 5) * byteOnes
	)
	x := digits - '0'*byteOnes
	twice := x & firsts
	carry := (twice + below5) & byteTops >> 7 // 1 in each byte from 5 on, where doubling gives two digits
	x += twice - 9*carry
	return int(x * byteOnes >> 56)
}

// month judges expire-month (L39).
func (r *Reader) month(col Column, s string) {
	n, ok := numberOf(s, 1, 2)
	if !ok || n < 1 || n > 12 {
		r.refuse(ExpireMonthForm, col)
		return
	}
	r.rec.ExpireMonth = n
	if len(s) == 1 {
		r.refuse(ExpireMonthOneDigit, col)
	}
}

// likeCard reports whether s is what a card number is: 13 to 19 digits, the first of them 3 to 6,
// with the right check digit.
func likeCard(s string) bool {
	return 13 <= len(s) && len(s) <= 19 && '3' <= s[0] && s[0] <= '6' && digitsOnly(s) && checkDigit(s)
}
