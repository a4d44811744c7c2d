// Package vector holds the test vectors: cases as data, each with one fault or one idea, embedded, and
// the one decoder of them. README.md beside it tells how to run them in any language.
//
// A vector says what it rests on (clauses and their basis), what must come of it, and where the
// expectation comes from; none is the output of the code that it judges. Most files are written by the
// program in generate; those whose name ends in "-public" were worked out by hand or published by others
// and are never written again.
package vector
