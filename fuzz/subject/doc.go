// Package subject is what the laws are put to: an [Impl], a set of optional functions, with the
// values that they take and give. [Ours] is chargecast itself, [Reference] the slow second answer.
//
// # Oracles
//
// Package oracle walks day by day and knows none of our code; [ReferenceEngine] and
// [ReferencePortfolios] make an implementation of it. Other oracles are math/big, regexp and
// package time. A reader of payloads has no slow reference: each row of the tables of faults is an
// expectation of its own.
package subject
