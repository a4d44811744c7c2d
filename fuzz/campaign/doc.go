// Package campaign runs the laws and the native fuzz targets of package fuzz for a given time on
// all cores, and keeps what it learns in a directory, the corpus.
//
// # Laws
//
// Every law gets the same time, so that cheap laws get many cases and slow ones few. With ten
// random laws or more, none gets more than a tenth of all cases. The cases of a law are those of
// one seed with the indices 0, 1, 2, …: the corpus keeps the next index, and a later campaign with
// the same seed goes on from there. With a number of cases instead of a time the report depends on
// the seed, the number and the corpus alone, whatever the number of workers is.
//
// Law C30 has a grid of its own, which is judged as a whole: every start of a 400-year cycle, every
// unit, the intervals 1 to 36 and every reading of the month end.
//
// # Targets
//
// A native target is first run on its seeds and on the inputs of the corpus, in this process. Then
// the fuzzing engine of the Go command looks for new inputs, if Go and a clone of this module are
// available; if not, the report says why. Its inputs are kept twice: as files of the Go engine in
// native, and unchanged in raw, which libFuzzer, AFL and OSS-Fuzz read and add to.
//
// # Findings
//
// A failing case is shrunk and stored in findings as JSON: law, clause, token, message, the payload
// and the command that reproduces it. The same counterexample is one finding, however often it is
// found. A later campaign judges each stored finding again and reports whether it still fails.
// Findings contain generated values, card numbers and keys among them; reports contain none of
// these.
package campaign
