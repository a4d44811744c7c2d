// Package plain holds the values in which tests compare what implementations answer, and the texts
// in which they show them. The laws of the kit use it, and the property tests of the rooms engine
// and rules.
//
// A plain value has what two implementations must agree on and nothing else: a charge without its
// clauses, a total as texts, a row of a payload as cells. The file engine is about charges and
// effects, total about sums of charges, payload about what a reader of payloads says, cells about
// the values of a row.
package plain
