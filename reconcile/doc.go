// Package reconcile is about what really happened: it sets charges that took place against the forecast, and finds
// which readings of the document they show.
//
// A [Reader] reads actual charges as a bank or a gateway exports them. [Match] tries, for each profile, the policies that
// differ in the keys that can affect the profile ([PolicyKeys]), and knows then which values are observed,
// refuted, open or contradicted. In a second pass it says of each expected charge and each line what became of it under
// one policy. It reads both inputs several times and keeps little of them.
//
// # Matching
//
// Within a profile each charge has at most one line, in this order: lines on the charge's own day with its amount; up to
// the lag later, the oldest charge first, each with its nearest line; lines with another amount on the charge's day.
// What is left is missing, or extra. Approved charges come before declined ones, which need no line. Nothing
// depends on the order of lines, but which of equal ones is matched: the first.
//
// # Deciding
//
// A policy explains a profile whole when no charge is missing and no line is extra or of another amount. What holds of
// all policies that explain a profile whole, that profile shows. A profile that none explains shows nothing.
//
// # Limits
//
// Memory grows with the ids of the rows, and with the charges and lines of the profile at hand: some 350 bytes a charge. Lines
// in another order than the rows are all kept. With a lag the order of matching is kept to even where another one would
// match more: of a profile that is charged more often than the lag is long, a late line can take the place of another.
//
// # Readings
//
// Readings that were observed are kept in a file ([record.AppendReadings], [record.ParseReadings]). [Probe] makes the smallest experiment
// that shows the others.
package reconcile
