// Package rules reads, checks, mends and writes the payload of a create-recurring-payments request:
// a CSV of recurring payment profiles, plain, as base64, or in a form body. It decides which rows are
// usable, and says of every other one what is wrong, where, by which clause of the document or entry
// of the ledger, and what to do.
//
// # Three ways in
//
// [Validate] answers whether a payload is right. A [Reader] yields the rows of one, for a program
// that uses them. A [Fixer] turns an export into a payload where that needs no guess.
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
// A severity can be overridden and switched off in [Options]; what cannot be read stays unusable.
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
// # How rows are read quickly
//
// Nearly every value is in quotes and right, and many are those of the row before. Reading relies on
// both, and on nothing that would change a result:
//
//   - A record is read and judged in one go, value by value: the closing quote is looked for eight bytes
//     at a time, and on the way it shows whether the value is printable ASCII (judge.go). As soon as
//     something is to be said of a value, or a record is not at hand whole, the record is read again and
//     judged step by step.
//   - Now and then two rows are compared. A column in which they agree is steady: as long as its text
//     comes again byte for byte, it is neither searched for quotes nor judged, and what it was typed
//     to stays. The first other text ends that.
//   - Rows that were read together share the memory of their texts.
//   - Whether anything is charged, and which stop comes first, package engine says in closed form.
//
// Nothing with a finding is ever remembered. The law that guards all of it: each row read alone has
// the same findings and the same values as in the stream, whatever rows come before it. Package fuzz
// checks that with random rows (law V04 and FuzzStream_Rows_Alone), and with rows of which one value
// changes at a time.
//
// # Several workers
//
// With [Options.Workers] a long payload is read on several goroutines, in every function that takes
// Options and reads rows; [Batches] does the caller's work there too. Results do not depend on the
// number. The text is cut where a row seems to end, and each piece is judged as if it began with one.
// A piece is used only when the reading before it ended exactly there; another one, and one with what
// depends on earlier rows, such as a repeated client-orderid or the limit on rows, is read again in
// order. A payload of a few hundred KiB, or with a header that spoils its rows, has one worker.
//
// # Memory
//
// Reading a row costs a small object, and its text, however many rows there are. A row may be kept; it
// keeps up to 31 of its neighbours, and 16 KiB of text, from being freed. Several workers read at most a
// few MiB ahead, however many they are.
//
// # Limits
//
// A row has at most 1 MiB, a value 512 KiB, a row 128 values, a sequence 10,000 elements, unless
// [Options] say otherwise (L56d). Rows and bytes have no limit. The check for a repeated
// client-orderid remembers 250,000 rows, and says where it stopped; [Options.MaxOrderIDs] sets another
// number. As long as the ids rise from row to row it needs to remember none, and does not stop.
//
// # Compatibility
//
// The names of codes and columns are stable. A code may be added; one whose meaning changes gets a
// new name. Messages and remedies are for people and may be reworded.
package rules
