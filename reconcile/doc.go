// Package reconcile compares charges that took place with the forecast, and finds which readings of
// the document they show.
//
// A [Reader] reads actual charges as a bank or a gateway exports them. [Match] tries, for each
// profile, the policies that differ in the keys that can affect the profile ([PolicyKeys]), and
// knows then which values are observed, refuted, open or contradicted. Then it says of each
// expected charge and each line what became of it under one policy.
//
// # Matching
//
// Within a profile each charge has at most one line, in this order: lines on the charge's own day
// with its amount; up to the lag later, the oldest charge first, each with its nearest line; lines
// with another amount on the charge's day. What is left is missing, or extra. Approved charges come
// before declined ones, which need no line. Nothing depends on the order of lines, but which of
// equal ones is matched: the first.
//
// # Deciding
//
// A policy explains a profile whole when no charge is missing and no line is extra or of another
// amount. A profile shows what all policies that explain it whole have in common. A profile that
// none explains shows nothing.
//
// A line that cannot be read is not "nothing was charged": the profile that it names shows nothing,
// and no profile does if it does not say which one it is about.
//
// # Limits
//
// All lines are kept, 48 bytes each and their ids; of the rows, the ids, and the charges of the
// profile at hand. With a lag the order of matching is kept to even if another one would match
// more: of a profile that is charged more often than the lag is long, a late line can take the
// place of another.
//
// # Readings
//
// Readings that were observed are kept in a file ([record.AppendReadings], [record.ParseReadings]).
// [Probe] plans an experiment that shows the others.
package reconcile
