// Package vector holds the test vectors: cases as data, each with one fault or one idea, embedded, and
// the one decoder of them. README.md beside it tells how to run them in any language.
//
// A vector says what it rests on (clauses and their basis), what must come of it, and where the
// expectation comes from; none is the output of the code that it judges. The files in testdata are the
// source: a new vector is a new line. Package vectortest judges the rooms of this repository by them.
package vector
