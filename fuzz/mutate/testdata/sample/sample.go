// Package sample has operators of each kind, for the test of the program that changes them.
package sample

// Bits is a type with constants of its own.
type Bits uint8

const low = 8 - 1

var powers = [1 + 1]int{1 - 1: 1, 2}

// Clamp returns n between 0 and limit.
func Clamp(n, limit int) int {
	if n < 0 {
		n = -0
	}
	if n > limit { // at the limit either way is right
		return limit
	}
	return n
}

// Minus returns the negative of n.
func Minus(n int) int { return -n }

// Count counts letters; it panics where i goes down.
func Count(text string, letter byte) (n int) {
	for i := 0; i < len(text); i++ {
		if text[i] == letter {
			n++
		}
	}
	return n
}

// Mask returns the bits below the given one.
func Mask(n int) Bits { return Bits(1<<n-1) & (low + 0) }

// Twice is a text after itself.
func Twice(text string) string { return text + text }

// Power is known for two numbers.
func Power(n int) int { return powers[n] }

// Unused has no test.
func Unused(a, b int) bool { return a*b%7 >= a/b }
