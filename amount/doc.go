// Package amount provides exact amounts of money, the three ways in which a profile chooses the
// amount of a charge, sums and totals of charges, and the minor units of currencies.
//
// # Values
//
// An [Amount] is a whole number of units of 10^-scale. It is never negative and keeps the scale
// that was written: 1.50 stays 1.50 and equals 1.5 by [Amount.Compare]. Nothing is ever rounded
// (L36c). Amounts are added in a [Sum], which is wide enough for 2^64-1 of the largest ones, so
// that an addition cannot fail. [github.com/shopspring/decimal] appears in conversions only:
// [Amount.Decimal], [FromDecimal], [Sum.Decimal] and [Total.Mean]. The variables of that package do
// not affect the output of this package.
//
// # Rules
//
// The text of an amount is that of L36: ASCII digits, optionally a point and more digits. A sign,
// an exponent, a space, a comma, or a point without a digit on both sides is an error. The length
// limit of ten characters (L35) and the ban on zero (L36) belong to the columns of a payload;
// [Parse] applies neither.
//
// A [Choice] is a [Fixed] amount, a [Range] or a [Sequence] (2.2.5). The amount of a charge depends only
// on the choice and the repeat index, which is 0 for the first charge (2.2.7). A sequence repeats
// its last element when it is used up (2.2.6, X7). A range gives the bounds for a forecast and, for
// a simulation, draws that are uniform over the currency's minor units, both ends included (L36d).
//
// # Totals
//
// A [Total] has the number of some charges, and the least and the greatest sum that they can have; a
// [Tally] has those that were approved and declined. [Total.Quantiles] says which sum a total does not
// exceed with a given probability, if all draws are uniform and independent (L36d). Up to a size that
// it states the distribution is computed, above it a normal distribution approximates it.
//
// # Limits
//
// An [Amount] has a coefficient of at most 9,223,372,036,854,775,807 and a scale of at most
// [MaxScale]. The text of an amount or a sum is at most 64 bytes long; a longer one is refused
// unread. Sums and totals are exact for fewer than 2^64 additions or charges. A sum that was read
// from a text is below 2^127, and 32 such sums can be added. The number of charges wraps at 2^64.
//
// # Storage
//
// Amounts and sums have a text form, and what is read back is equal, the scale included. Totals and
// tallies have none: package record writes them, and a Book of package engine keeps them.
//
// # Errors
//
// Constructors, parsers and decoders return an [*Error], which unwraps to a [Fault] for errors.Is
// and never contains what was refused. Nothing panics except [MustParse].
//
// # Compatibility
//
// The amounts that [Choice.Draw] returns for a seed, a profile and a repeat index do not change, nor
// do the text and JSON forms. The table of currencies follows ISO 4217 and changes with
// [CurrenciesPublished]. The wording of errors may change.
package amount
