// Package campaign keeps what runs learn in a directory, and runs what is not a law's case: the native fuzz targets, by the
// engine of the Go command, and the exhaustive grid of law C30.
//
// [Open] opens the directory of a [Store], whose Corpus is given to [fuzz.Run]; [Store.Save] writes it; [Merge] joins
// the stores of several machines. [Run] gives the targets and the grid their time.
//
// # Targets
//
// The body of a native target is a function of one []byte; [Targets] is the table of them. A target that only judges laws on what
// a generator makes of the bytes is a line of that table. The others have a dictionary, drawn from the tables of
// columns, policies, verbs and parameters: as files in testdata/dictionaries for libFuzzer and AFL,
// and word for word in the native seeds.
//
// The engine takes tens of microseconds for an input, whatever a target does with it. A target whose
// cases take less makes 256 of each input; one whose cases take longer looks up what it can once, reads
// no more often than its question needs, and asks half of the inputs what takes longest.
package campaign
