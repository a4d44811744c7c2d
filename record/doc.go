// Package record reads and writes the files that the programs of this module exchange: the records
// of an output, saved states, and scripts. What one run wrote, another can read.
//
// # Outputs
//
// An output is a [Header] and then records of the types that [Record] lists, as NDJSON or as one
// JSON document. [Writer] writes it, for each profile its charges in order of date and then its
// end, and needs no memory for what was written; [Read] reads NDJSON, record by record. Each record
// is also a value of its own with AppendJSON and MarshalJSON, which [Parse] reads.
//
// Dates are ISO 8601 and amounts are strings with all their decimals. Control characters come out
// as escapes. Texts are written as they are otherwise: masking is up to the program that makes the
// records.
//
// With reasons, a record has because: the clauses that it depends on (package ledger), each with
// its basis and the text of the reading in force. Texts may be reworded, clauses and bases are
// stable. The Writer and [AppendExplained] know the readings in force; what is read has the clauses
// alone.
//
// # States and scripts
//
// A state file has a line for each stored profile, which [engine.AppendStateLine] appends; a script
// has a line for each event or outcome, which [AppendScriptLine] appends. [ReadStates] and
// [ReadScript] read them line by line. [StateJoin] keeps the lines of state files and gives the
// rows of payloads theirs; [ScriptJoin] does so for scripts.
//
// # Findings
//
// What is wrong with a file is a [ledger.Finding] with its line, column and offset; [Rules] lists
// the codes. A finding never shows what the file says. No line is longer than [MaxLine], and no
// reader keeps more than one line.
//
// # Compatibility
//
// Records may gain members, and readers of records ignore those that they do not know. A member
// that changes its meaning changes the number of the [Schema]. States and scripts are read
// strictly: an unknown member is an error, since it could mean that something else is to happen.
package record
