// Package fuzz is the conformance kit of chargecast: it tests an implementation of recurring
// charges, payloads and signatures against the laws of the domain.
//
// A [Law] is a statement about every input, with a stable id. [Check] runs laws against
// an [Impl] inside a Go test, [Run] without one; the Impl is ours ([Ours]) or that of another team:
//
//	func TestLaws(t *testing.T) {
//		impl := fuzz.Impl{Name: "mine"}
//		impl.Forecast = func(j fuzz.Job) (fuzz.Forecast, error) {
//			if !j.Plain() {
//				return fuzz.Forecast{}, fuzz.ErrNotSupported
//			}
//			return fuzz.Forecast{Charges: …}, nil
//		}
//		fuzz.Check(t, impl, fuzz.Options{Policy: new(engine.Policy)})
//	}
//
// The example has the whole of it. A law whose function the Impl or its [Forecast] lacks is reported as not
// covered, never as passed. So is a case for which a function returns [ErrNotSupported], or panics with it
// where it has no error result, such as one under a reading that the implementation does not offer. A run in
// which no law was judged is not [Report.OK]. Package conform below this one asks a program in any language.
//
// # Cases
//
// A [Case] is made from law, seed and index alone, so that case 1742 of a law is the same in any
// order and alone. Its token names it: "cc2:T05:1:1742", where cc2 is the version of the
// generators; [Replay] makes it again. A failure is shrunk by the generator's own shrinker, which
// keeps the domain valid: dates stay days, logs stay in order.
//
// Each case says which classes of input it belongs to; [Report.Missing] lists the pairs
// of classes that a run did not meet.
//
// A case that does not come to an end fails its law ([Options.Timeout]), and so does an iterator
// that yields more than there can be. [Report.Show] has the text, the JSON and the JUnit form of a
// report; a failure has the payload or the request that shows it, and the command for it.
//
// # Packages
//
// Who tests a scheduler needs no other package of the kit: dates, amounts and charges are those of calendar,
// amount and engine. For series of dates, books, payloads and signatures the functions of an Impl take and
// give values of package subject. The packages below this one, each
// of which imports only those before it:
//
//   - oracle: a second answer, slow and independent; std only
//   - subject: what an implementation is, ours, and the slow reference
//   - gen: generators, shrinkers and classes of cases
//   - laws: what a law is; below it the laws of values, profiles, payloads and signing
//   - show: counterexamples and reports for people and machines
//   - fuzz: the list of all laws, and runs of them
//   - target: native fuzz targets; gallery: known-wrong implementations, which the laws must reject;
//     conform: programs in any language, which end a case as unspecified with a subject.Abort where
//     the document is silent and the answer fits another reading
//   - campaign: long runs of laws and targets, on cases that no run before had
//
// Package vector holds the test vectors as data, and the one decoder of them; it imports std only.
//
// # Compatibility
//
// Ids of laws are never reused. A change to what a generator makes of a seed changes the
// version in the tokens.
package fuzz
