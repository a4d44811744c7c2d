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
// order and alone. What makes it is a stream of choices, and a failing case is made simpler by making simpler choices, so that
// dates stay days and logs stay in order. A token names a case by its choices, "cc2:T05:b64:…", or by seed and index,
// "cc2:T05:1:1742", where cc2 is the version of the generators; [Replay] judges it again.
//
// A run has a number of cases, or a time, of which every law gets about as much. Each case belongs to classes of
// input; [Report.Missing] lists the pairs of classes that a run did not meet, and a [Result] says whether more cases may meet more. A
// [Corpus] keeps what runs learn, so that the next one goes on.
//
// A case that does not come to an end fails its law ([Options.Timeout]), and so does an iterator
// that yields more than there can be. A report has a form for people, JSON and JUnit;
// a failure has the payload or the request that shows it, and the command for it.
//
// # Packages
//
// Who tests a scheduler needs no other package of the kit: dates, amounts and charges are those of calendar,
// amount and engine. For series of dates, books, payloads and signatures the functions of an Impl take and
// give values of package laws. The packages below this one, each
// of which imports only those before it:
//
//   - oracle: a second answer, slow and independent; std only
//   - gen: generators over streams of choices, and classes of cases
//   - laws: what an implementation is, ours and the slow reference; what a law is, and all laws; how a case is shown
//   - fuzz: runs of laws, and their reports
//   - gallery: known-wrong implementations, which the laws must reject;
//     conform: programs in any language, which end a case as unspecified with a laws.Abort where
//     the document is silent and the answer fits another reading
//   - campaign: a corpus in a directory, the native fuzz targets, and the exhaustive grid of a law
//
// Package vectortest holds the test vectors as data, and judges the rooms by them; it imports std only.
//
// # Compatibility
//
// Ids of laws are never reused. A change to what a generator makes of a seed changes the
// version in the tokens.
package fuzz
