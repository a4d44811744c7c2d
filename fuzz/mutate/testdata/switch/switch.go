// Package mutants is compiled into the package under test, where each operator is a call of one of
// these functions with the number of its first change.
package mutants

import (
	"cmp"
	"os"
	"strconv"
)

// mutantChosen is the change that is in effect; none without MUTANT.
var mutantChosen = func() int {
	n, err := strconv.Atoi(os.Getenv("MUTANT"))
	if err != nil {
		return -2
	}
	return n
}()

// mutantTrace records the mutants that a test reaches; nil if they are not recorded.
var mutantTrace = func() *os.File {
	name := os.Getenv("MUTANT_TRACE")
	if name == "" {
		return nil
	}
	file, err := os.Create(name)
	if err != nil {
		panic(err)
	}
	return file
}()

var mutantSeen [1 << 16]bool

//go:noinline
func mutantReached(n int) {
	if !mutantSeen[n] {
		mutantSeen[n] = true
		mutantTrace.WriteString(strconv.Itoa(n) + "\n")
	}
}

type mutantInteger interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uintptr
}

type mutantNumber interface {
	mutantInteger | ~float32 | ~float64
}

// mutantIs reports 1 or 2 where the first or second change from n is in effect, else another number.
func mutantIs(n int) int {
	if mutantTrace != nil {
		mutantReached(n)
	}
	return mutantChosen - n + 1
}

func mutantConstant[T any](n int, x, changed T) T {
	if mutantIs(n) == 1 {
		return changed
	}
	return x
}

func mutantStep[T mutantNumber](n int) T {
	if mutantIs(n) == 1 {
		var zero T
		return zero - 1
	}
	return 1
}

func mutantNot(n int, x bool) bool { return x != (mutantIs(n) == 1) }

func mutantMinus[T mutantNumber](n int, x T) T {
	if mutantIs(n) == 1 {
		return x
	}
	return -x
}

func mutantAdd[T mutantNumber](n int, x, y T) T {
	if mutantIs(n) == 1 {
		return x - y
	}
	return x + y
}

func mutantSub[T mutantNumber](n int, x, y T) T {
	if mutantIs(n) == 1 {
		return x + y
	}
	return x - y
}

func mutantMul[T mutantNumber](n int, x, y T) T {
	if mutantIs(n) == 1 {
		return x / y
	}
	return x * y
}

func mutantQuo[T mutantNumber](n int, x, y T) T {
	if mutantIs(n) == 1 {
		return x * y
	}
	return x / y
}

func mutantRem[T mutantInteger](n int, x, y T) T {
	if mutantIs(n) == 1 {
		return x * y
	}
	return x % y
}

func mutantLess[T cmp.Ordered](n int, x, y T) bool {
	switch mutantIs(n) {
	case 1:
		return x <= y
	case 2:
		return x >= y
	}
	return x < y
}

func mutantLessEqual[T cmp.Ordered](n int, x, y T) bool {
	switch mutantIs(n) {
	case 1:
		return x < y
	case 2:
		return x > y
	}
	return x <= y
}

func mutantGreater[T cmp.Ordered](n int, x, y T) bool {
	switch mutantIs(n) {
	case 1:
		return x >= y
	case 2:
		return x <= y
	}
	return x > y
}

func mutantGreaterEqual[T cmp.Ordered](n int, x, y T) bool {
	switch mutantIs(n) {
	case 1:
		return x > y
	case 2:
		return x < y
	}
	return x >= y
}
