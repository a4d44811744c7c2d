package ledger_test

import (
	"fmt"

	"github.com/chargecast/chargecast/ledger"
)

// What does the gateway's document say about a point, and what is assumed?
func ExampleLookup() {
	e, ok := ledger.Lookup("L01")
	if !ok {
		return
	}
	fmt.Printf("%v (%v): %s\n", e.Clause, e.Basis, e.Question)
	for _, r := range e.Readings {
		fmt.Printf("  %s=%s\n", e.Key, r.Value)
	}
	// Output:
	// L01 (inferred): A monthly charge on a day that the month lacks
	//   month-end=clamp
	//   month-end=skip
	//   month-end=next-first
	//   month-end=overflow
}

// How firm is something that rests on several clauses?
func ExampleBecause() {
	period, _ := ledger.Lookup("2.2.1")
	choice, _ := ledger.Lookup("2.2.5")
	past, _ := ledger.Lookup("L03")
	why := ledger.On(period.Clause, choice.Clause)
	fmt.Println(why, why.Basis())
	why = why.With(past.Clause)
	fmt.Println(why, why.Basis())
	// Output:
	// 2.2.1 2.2.5 stated
	// 2.2.1 2.2.5 L03 assumed
}
