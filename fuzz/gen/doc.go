// Package gen makes the cases of laws: generators for gopter, shrinkers that keep the domain valid,
// and the classes of input that a case belongs to.
//
// A [Chooser] draws from a source of chance: a [Source], which is made from law, seed and index, or
// a [ByteSource], which reads a fuzzer's bytes. Values are valid by construction, so that nothing
// is drawn and thrown away, and more often than chance would they lie on edges: the ends of months,
// leap days, both ends of the calendar, limits of types.
package gen
