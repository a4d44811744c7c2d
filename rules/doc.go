// Package rules reads and judges the payload of a create-recurring-payments request: a
// CSV of recurring payment profiles, plain, as base64, or in a form body. It decides
// which rows are usable, and says of every other one what is wrong, where, by which
// clause of the document or entry of the ledger, and what to do.
//
// # Reading
//
// A [Reader] streams: one row in memory, [Row] and [Problems] per step. A row that
// comes out is usable and compiles in package engine under the same policy; a row with
// a finding of severity [Error] does not come out. All findings of a row are told, and
// the next row is read whatever happened to this one. One bad row spoils the request
// ("accepted without errors", L48): [Summary] has the counts for that.
//
// # Rules
//
// [Columns] is the table of clause 2.1, [Rules] the table of everything that can be
// found, one [Code] each. A code's severity can be overridden and switched off in
// [Options]; what cannot be read stays unreadable all the same.
//
// # Secrets
//
// No finding holds a value of the input. A [Cell] masks itself in every format; only
// [Cell.Reveal] gives the value.
//
// # Places
//
// Line and column count from 1, columns and offsets in bytes. They point into the CSV
// text, also where that came as base64 or in a form body; [Problem.Wire] marks those
// that point into the text as it was sent. A finding about a value points to its
// beginning, the opening quote included; one about a byte (a NUL, a stray quote, a bad
// character, an element of a sequence) points to that byte.
//
// # Memory
//
// Reading a row costs two small objects, the row and its text, however many rows there
// are. A row may be kept; it keeps up to fourteen of its neighbours from being freed.
//
// # Limits
//
// A row has at most 1 MiB, a value 512 KiB, a row 128 values, a sequence 10,000
// elements, unless [Options] say otherwise (L56d). Rows and bytes have no limit. The
// check for a repeated client-orderid keeps 8 bytes a row, up to 8 million rows, and
// says where it stopped; [Options.MaxOrderIDs] sets another number. As long as the ids
// rise from row to row it needs to remember none, and does not stop.
//
// # Compatibility
//
// The names of codes and columns are stable. A code may be added; one whose meaning
// changes gets a new name. Messages and remedies are for people and may be reworded.
package rules
