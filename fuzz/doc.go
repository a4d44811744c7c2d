// Package fuzz is the conformance kit of chargecast: the laws of the domain, generators of
// inputs, slow oracles, native fuzz targets, and a gallery of known-wrong
// implementations that the laws must reject.
//
// A [Law] is a statement about every input, with a stable id. [Check] runs laws against
// an [Impl] inside a Go test, [Run] without one; the Impl is ours ([Ours]), the slow
// reference ([Reference]), or that of another team:
//
//	func TestConformance(t *testing.T) {
//		impl := fuzz.Impl{Name: "mine"}
//		impl.Forecast = func(job fuzz.Job) (fuzz.Forecast, error) { … }
//		fuzz.Check(t, impl, fuzz.Options{Cases: 20_000})
//	}
//
// A law whose function the Impl lacks is reported as not covered, never as passed. So is a case for
// which a function returns [ErrNotSupported], such as one under a reading that the implementation does
// not offer; where the document is silent and an answer fits another reading, a function ends the case
// as unspecified with an [Abort]. Package conform below this one asks a program in any language.
//
// # Cases
//
// A [Case] is made from law, seed and index alone, so that case 1742 of a law is the
// same in any order and alone. Its [Case.Token] names it: "cc1:T05:1:1742", where cc1 is
// the version of the generators. A failure is shrunk by the generator's own shrinker,
// which keeps the domain valid: dates stay days, logs stay in order.
//
// Each case says which classes of input it belongs to; [Report.Missing] lists the pairs
// of classes that a run did not meet.
//
// # Oracles
//
// Package oracle below this one walks day by day and knows none of our code. Other
// oracles are math/big, regexp and package time; for payloads package csv, base64 and
// url, a writer that notes where it puts each value, and a second copy of the document's
// table. A reader of payloads has no slow reference: each row of its tables of faults is
// an expectation of its own ([RuleVectors]).
//
// # Targets
//
// The body of each native fuzz target is an exported function of one []byte, listed by
// [Targets]. A target that needs structured input reads the bytes as a source of chance
// for the generators and goes on with a mixer when they end. The others have a
// dictionary, drawn from the tables of columns, policies, verbs and parameters: as files in
// testdata/dictionaries for libFuzzer and AFL, and word for word in the native seeds.
//
// # Compatibility
//
// Ids of laws are never reused. A change to what a generator makes of a seed changes the
// version in the tokens.
package fuzz
