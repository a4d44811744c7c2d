// Package conform runs the laws of the kit against a program in any language.
//
// The program reads one JSON request a line from its standard input and writes one JSON reply a
// line to its standard output, in order: the protocol chargecast.conform/1. The first request is
// hello; the reply names the operations that the program answers:
//
//	{"id":1,"op":"hello","protocol":"chargecast.conform/1"}
//	{"id":1,"name":"my-scheduler","ops":["forecast"]}
//
// [Program.Start] starts a program, [Program.Run] runs laws against it, [Program.Impl] is the program
// as an implementation for package fuzz, and [Program.Close] ends it.
//
// # What is judged
//
// A law is judged if the protocol carries all that it compares; the list is a table in this
// package. Every other law, and every law about an operation that hello does not name, is not
// covered, never passed. So is a case that the program refuses with the code not-supported, a case
// whose row no payload can hold, and one that looks further than 2,000 days ahead.
//
// Where the ledger calls a point assumed and an answer differs from ours, but fits another value of
// a single key that the request left at its default, the case is unspecified, which is not a failure. Of
// signatures that is the secret of HMAC-SHA1 as it is, not percent-encoded; it has no key and is named by its entry, L64.
//
// Some events are open: a manual charge or a stop while a stop condition holds that no run has judged yet, an
// update that moves the grid under a catch-up policy or removes start-date. A life that differs from ours
// behind such an event only is unspecified too, by the entry of what we assume: L11, L23 or L18.
//
// Of validation the errors are judged, not the warnings, and by row and column, unless
// [Program].Codes asks for equal codes. Random amounts of a simulation are judged by their bounds
// and by giving the same twice.
//
// # Bad programs
//
// A program may exit, hang, write garbage, or flood its standard error at any point: the law being
// run fails with the request shown, and the program is started again for the next law, three times
// at most. It runs in a process group of its own, which is killed when it is done.
package conform
