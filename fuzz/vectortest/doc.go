// Package vectortest holds the test vectors: cases as data, each with one fault or one idea, embedded, with their
// decoder and what judges the rooms of this repository by them. README.md beside it tells how to run them in any language.
//
// A vector says what it rests on (clauses and their basis), what must come of it, and where the expectation comes from;
// none is the output of the code that it judges. The files in testdata are the source: a new vector is a new line.
//
// A room hands [Run] one [Judge] for each of its ops. That function calls the room's code and compares what came of it
// with what must, by [Simulation.Same], [Payload.Same], [Vector.SameRefusal], [Vector.SameCode] or [Same].
package vectortest
