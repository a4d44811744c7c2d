// Package ledger says what the gateway's document states and what it leaves open, and gives all
// packages one vocabulary for reasons and for findings about an input.
//
// # Clauses
//
// A [Clause] names an entry: a clause of the document, one of its contradictions (X1 to X14), or
// one of its silences (L01 to L71) with the readings of it. [Entries] lists them and [Lookup]
// finds one by its id. Each has a [Basis]: stated by the document, inferred from its wording, or
// assumed because the document is silent. A [Because] is the set of clauses that an output depends
// on; it is as firm as the weakest of them.
//
// # Findings
//
// A [Finding] is one thing that is wrong or remarkable about an input, whether a payload, a
// request or a line of a file: what rule, how severe, where, and what to do. It never holds a
// value of the input. What a code means is its [Rule]: the function Rules of each package yields those
// that it explains, and no code is explained by two.
//
// # Compatibility
//
// Ids, codes and the names of the JSON members are stable. Texts may be reworded: match a finding
// by its code.
package ledger
