// Package job forecasts a book that is divided into many files, its shards, with an Apache Beam
// pipeline. Its outputs are, byte for byte, those of chargecast forecast or simulate.
//
// # Method
//
// A shard is one file, since a payload may have line breaks in quotes and cannot be cut at a line
// end. [Read] computes the [Sum] of a shard; Beam adds the sums up, in any order and grouping; the
// last step writes the totals. Charges, totals by profile and findings, whose number grows with
// that of the profiles, are written by the worker that reads the shard, to files of that shard.
//
// # What is refused
//
// A job writes totals only if every shard was read whole and counted once. A shard that is missing,
// is counted twice or was not read to its end, a sum of another version, and a value that arrives
// without its contents fail the job or leave it without totals, which its exit status reports.
// Package beam drops unexported fields without an error; [CheckCoders] looks for such a type before
// a job starts.
//
// # Repeated work
//
// A runner may stop a bundle and run it again, or run it twice at once. A function writes whole
// files under names that depend on the query and the shard alone, so repeated work changes nothing.
package job
