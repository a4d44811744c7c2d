// Command chargecast shows what will be charged, and when, for the recurring payment profiles of a payload, and checks
// payloads and signatures.
//
// # Output and exit codes
//
// Data goes to stdout, messages to stderr; --save-state, --save-readings, payload fix --draft and probe --dir write the files
// that they name. The exit code is 0 when all is well (warnings included), 1 for findings (an error in any row), 2 for a
// usage error, 3 for input that cannot be read, 4 for an internal error such as a full disk, and 130 after an interrupt. A
// closed output pipe ends the program quietly.
//
// # How a command is added
//
// One command, one file: newNAME(a *app) *cobra.Command, and one line in the list of [newRoot]. Its RunE does the work:
//
//   - it has clock, environment and streams from the [app] only: a.now, a.lookupEnv, a.stdin, a.open for files, a.out, a.log
//   - data is appended to a.out.b, and each line ended by a.out.endLine; a line is never cut. A loop over input or charges
//     ends when a.out.err is set
//   - messages go through a.log, which escapes what a terminal would obey. Whatever stems from the input and may be
//     shown at all (ids, file names) goes through [visible] or strictjson.AppendString; values of cells are never shown
//   - it returns nil, or a [failure]: usage(…), unreadable(…), internal(…), or errFindings, which has no text of its
//     own because its findings are on stderr or stdout already
//
// Flags with a closed set of words are [program.OneOf], counts [program.Count], days dayFlag: they refuse a wrong value with
// the right ones named, and never repeat what was typed. No flag takes a secret's value. Long, Example and
// flag texts are the reference: docs/cli.md is made from them by go test -update. A help fits a screen of 80 × 40, with
// two examples and one line a flag; a flag of sharedFlags has the same text in every command, unless it means something
// else there.
//
// A command is tested by a script in testdata/script, one scenario each.
package main
