// Package target is the native fuzz targets. The body of each is a function of one []byte; [Targets] is
// the table of them.
//
// A target that needs structured input reads the bytes as a source of chance for the generators and
// goes on with a mixer when they end. The others have a dictionary, drawn from the tables of
// columns, policies, verbs and parameters: as files in testdata/dictionaries for libFuzzer and AFL,
// and word for word in the native seeds.
//
// The engine takes tens of microseconds for an input, whatever a target does with it. A target whose
// cases take less makes 256 of each input; one whose cases take longer looks up what it can once, reads
// no more often than its question needs, and asks half of the inputs what takes longest.
package target
