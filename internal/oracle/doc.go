// Package oracle is a second answer to what chargecast computes: slow, meant to be read,
// and independent of the code it judges. It knows no date by its number in a series; it
// lets one day pass after the other and asks what happens on it.
//
// The readings are those of the document and the ledger alone. Nothing here imports
// another room: days are plain numbers, amounts the texts of the payload, and package
// time is the authority on the calendar.
//
// # Rules
//
// What a [Machine] decides on a day is in a [Rules] value, one function a decision.
// [Right] gives the correct ones. A known-wrong implementation replaces one of them.
//
// # Signatures
//
// [Stages] make a signature step by step, with loops over bytes; a [Mistake] changes one of the steps, as
// callers do.
//
// # Numbers and texts
//
// A [Decimal] is exact, a [Total] adds up charges, and [Count] counts the outcomes of random amounts one draw after another.
// [Records], [LooseRecords] and [StandardRecords] read a CSV, strictly, leniently and as package csv does; [FormPairs] reads
// a form body, and [Nearest] finds the name that was meant.
//
// # Open points
//
// Where the document, the ledger and the requirements leave a point open, the choice is
// named at the code that makes it: a manual charge while a stop condition already holds,
// a stop in that situation, a grid moved while a catch-up still has days to make up for, a start-date
// removed by an update, slots that a catch-up left over at the cap.
package oracle
