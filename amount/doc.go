// Package amount holds exact amounts of money, the three ways in which a profile
// chooses the amount of a charge, and the minor units of the currencies.
//
// # Values
//
// An [Amount] is a whole number of units of 10^-scale, never negative, with the
// scale as it was written: 1.50 stays 1.50 and equals 1.5 by [Amount.Compare].
// Nothing is ever rounded (L36c). Amounts are added in a [Sum], which is wide
// enough for 2^64 of the largest ones, so an addition has no error to report.
// [github.com/shopspring/decimal] appears at the edges only: [Amount.Decimal],
// [FromDecimal], [Sum.Decimal] and [Total.Mean]. No text made here depends on that
// package's variables.
//
// # Rules
//
// The text form is L36: ASCII digits, optionally a point and more digits. A sign, an
// exponent, a space, a comma or a point without a digit on both sides is an error.
// The length limit of ten characters (L35) and the ban on zero (L36) belong to the
// column of a payload, not to the value; [Parse] knows neither.
//
// A [Strategy] is one of [Fixed], [Range] and [Sequence] (2.2.5). An amount depends on
// the strategy and the repeat index alone, the index of the first charge being 0
// (2.2.7). A sequence that is used up stays at its last element (2.2.6, X7). A range
// gives bounds to a forecast and, for a simulation, a draw that is uniform on the
// currency's minor units with both ends included (L36d).
//
// # Limits
//
// A coefficient is at most 9,223,372,036,854,775,807 and a scale at most [MaxScale]; a
// text is at most [MaxLength] bytes long. Sums and totals are exact for fewer than
// 2^64 additions or charges.
//
// # Compatibility
//
// What [Range.Draw] answers for a seed, a profile and a repeat index is part of the
// interface and does not change. The table of currencies follows ISO 4217 and changes
// with [CurrenciesPublished].
package amount
