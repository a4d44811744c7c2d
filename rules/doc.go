// Package rules reads, checks, mends and writes the payload of a create-recurring-payments request:
// a CSV of recurring payment profiles, plain, as base64, or in a form body. It decides which rows are
// usable, and says of every other one what is wrong, where, by which clause of the document or entry
// of the ledger, and what to do.
//
// # Four ways in
//
// [Validate] answers whether a payload is right. A [Reader] yields the rows of one, for a program
// that uses them. A [Writer] writes one from values or profiles. A [Fixer] turns an export into a payload where that
// needs no guess.
//
// A Reader streams: it holds one row, and each step gives a [Row] and the findings about it. A row
// that comes out is usable: none of its findings is an error, and package engine compiles it under
// the same policy. Every problem of a row is reported, and the next row is read whatever happened to
// this one. One bad row spoils the request ("accepted without errors", L48): [Summary] has the
// counts for that.
//
// # Rules
//
// [Columns] is the table of clause 2.1, and [Rules] that of all that can be found, one code each.
// A severity can be overridden and switched off in [Options]; what cannot be read stays unusable, and that a payload
// was not read to its end is always an error.
// Findings are a [ledger.Finding] each: errors.Is(err, rules.AmountOrder) finds one in the error of
// a list.
//
// # Secrets
//
// No finding holds a value of the input but the client-orderid in its place, which is the merchant's
// own key and is masked where it is the row's card number (L47). A [Cell] masks itself in every
// format; only [Cell.Reveal] gives the value.
//
// # Places
//
// Line and column count from 1, columns and offsets in bytes. They point into the CSV text, also
// where that came as base64 or in a form body; Place.Wire marks those that point into the text as it
// was sent. A finding about a value points to its beginning, the opening quote included; one about
// a byte (a NUL, a stray quote, a bad character, an element of a sequence) points to that byte. In a
// row that cannot be split into values, bad characters are reported as far as the row was read.
//
// # How a row is read
//
// One goroutine and one path: a record is split into its values (scan.go), each value is checked by the function of its kind
// (kind.go, value.go, amount.go), then all together (together.go, times.go). What is reported has the severity of its
// rule until the row is done; then the options are applied once (check.go).
//
// # Memory
//
// A Reader holds one row. A row may be kept; it keeps up to 23 of its neighbours from being freed.
//
// # Limits
//
// A row has at most 1 MiB, unless [Options.MaxRow] says otherwise, and 128 values, a sequence 10,000 elements (L56d).
// Rows and bytes have no limit. The check for a repeated client-orderid remembers 250,000 rows, and says where it
// stopped; [Options.MaxOrderIDs] sets another number. As long as the ids rise from row to row none need be remembered.
//
// # Compatibility
//
// The names of codes and columns are stable. A code may be added; one whose meaning changes gets a
// new name. Messages and remedies are for people and may be reworded.
package rules
