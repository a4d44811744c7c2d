// Package job makes the forecast of a book that lies in many files, its shards, as an Apache Beam
// pipeline. Its outputs have the bytes that chargecast forecast, or simulate, would write.
//
// # How
//
// A shard is one file, since a payload may have line breaks in quotes and cannot be cut at a line end.
// [Read] makes a [Sum] of it; Beam adds the sums up, in any order and grouping; and the last step writes
// the totals. What grows with the number of profiles, charges, totals by profile and findings, is
// written by the worker that reads the shard, to a file of that shard.
//
// # What is refused
//
// A job writes totals once every shard was read as a whole and counted once. A shard that is missing, is
// counted twice or was not read to its end, a sum of another version, and a value that arrives without
// its contents fail the job or leave it without totals, and its exit status says so. Package beam
// encodes unexported fields as nothing and reports no error; [CheckCoders] looks for such a type before
// a job starts.
//
// # Repeated work
//
// A runner may stop a bundle and run it again, or run it twice at once. A function writes whole files
// under names that depend on the question and the shard alone, so that this changes nothing.
package job
