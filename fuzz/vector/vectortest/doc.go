// Package vectortest judges the rooms by the vectors: which room answers to which op, one comparer for
// what came of a vector, and a test that runs each of them once.
//
// A room hands [Run] one function for each of its ops. That function calls the room's code and gives what
// came of it, in the words of package vector, to [Life], [Payload], [Refused] or [Code].
package vectortest
