// Package fuzz is the conformance kit of chargecast: it tests an implementation of recurring charges, payloads and signatures
// against the laws of the domain.
//
// A [Law] is a statement about every input, with a stable id and a sentence. An [Impl] is a set of functions, of which an
// implementation gives those that it has; [Ours] is chargecast itself.
//
//	impl := fuzz.Impl{Name: "mine", Forecast: func(j fuzz.Job) (fuzz.Forecast, error) { … }}
//
//	func TestLaws(t *testing.T) { fuzz.Check(t, impl, fuzz.Options{}) }
//	func FuzzLaws(f *testing.F) { fuzz.Native(f, impl) }
//	func TestAgain(t *testing.T) { fuzz.Again(t, impl, "cc3:T07::17:4") }
//
// A law whose function the Impl or its [Forecast] lacks is not covered, never passed; so is a case for which a function returns
// [ErrNotSupported]. A run in which no law was judged is not [Report.OK].
//
// # Cases
//
// A case is made from law, seed and index alone, so that case 17 of a law is the same in any order and alone. The first hundred
// are ordinary ones, such as merchants send; then they widen to the far ends of calendar and types. A case that fails is made
// simpler: its dates move towards 2026, its amounts towards 1.00 EUR, its events become fewer. A token names it: cc3, the
// version of the generators, the law, the policy that the run asked for, and the case. [Again] judges it once more, which makes
// a regression test.
//
// A case that takes longer than [Options.Timeout] or more memory than [Options.MemoryLimit], or that panics, fails its law and is
// named like any other.
//
// The program chargecast-conform asks a program in any language the same. Package vectortest holds test vectors as data.
//
// # Compatibility
//
// Ids of laws are never reused. A change to what a generator makes of a seed changes the version in the tokens.
package fuzz
