// Package laws says what a law is, makes its cases and judges them, and states the laws of the domain.
//
// A group of laws is a file, with its table on top. A row has the law's id, what it rests on, its formula, the generator of its
// cases, and the function that reports to its [T] what breaks it. T is the implementation too: a law asks t.Forecast as
// [Impl] has it, or t.forecast where a refusal breaks the law, and compares what it gets with [T.Equal]. A function that the
// implementation lacks, or that answers [ErrNotSupported], ends the case, which is not covered then.
//
// The files law, case, judge, equal, work and guard are the machinery; impl, ours and reference are what an implementation is,
// chargecast as one, and the slow oracle as one.
package laws
