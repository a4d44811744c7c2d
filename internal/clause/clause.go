// Package clause names the entries of the ledger for the code that cites them. A name is the id of
// the entry, with Doc and without points for a clause of the document: Doc226 is 2.2.6.
package clause

import "github.com/chargecast/chargecast/ledger"

// The clauses of the document.
const (
	Doc1 ledger.Clause = iota + 1
	Doc21
	Doc221
	Doc222
	Doc223
	Doc224
	Doc225
	Doc226
	Doc227
	Doc228
	Doc229
	Doc2210
	Doc23
	Doc3
	Doc41
	Doc51
	Doc52
	Doc53
	Doc54
	Doc55
	Doc6
	Doc7
	Doc8
	Doc9
)

// The contradictions in the document.
const (
	X1 = Doc9 + iota + 1
	X2
	X3
	X4
	X5
	X6
	X7
	X8
	X9
	X10
	X11
	X12
	X13
	X14
)

// The silences that a policy key decides.
const (
	L01 = X14 + iota + 1
	L02
	L03
	L05
	L08
	L09
	L14
	L15
	L16
	L16b
	L20
	L21
	L22
)

// The fixed readings of the engine.
const (
	L07 = L22 + iota + 1
	L10
	L11
	L13
	L17
	L18
	L19
	L23
	L24
	L25
	L26
	L27
	L29
	L31
	L32
	L32a
	L32b
)

// The amounts.
const (
	L33 = L32b + iota + 1
	L34
	L35
	L36
	L36b
	L36c
	L36d
)

// The columns and CSV.
const (
	L37 = L36d + iota + 1
	L38
	L39
	L39c
	L40
	L41
	L41b
	L42
	L43
	L44
	L45
	L46
	L47
	L48
	L49
	L50
	L54
	L55
	L56
	L56b
	L56c
	L56d
)

// The signatures.
const (
	L57 = L56d + iota + 1
	L58
	L59
	L60
	L61
	L62
	L63
	L64
	L65
	L66
	L67
	L68
	L70
	L71
)
