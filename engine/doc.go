// Package engine answers what will be charged when for one recurring payment profile:
// the forecast from a state, the state machine of clause 3 and simulations of a
// profile's life. It decides every rule of clause 2.2 of the document and every
// silence that the [Ledger] lists for the engine.
//
// Nothing here reads a clock, chance or the environment: the as-of day, the seed and
// the policy are arguments, and equal arguments give equal results.
//
// # Forecast
//
// [Compile] checks a [Profile], its [State] and a [Policy], and gives a [Plan]. The plan
// answers in closed form, from the start date and never from the date before:
// [Plan.Charges] streams the charges of a window, [Plan.Count], [Plan.Total] and
// [Plan.Stop] need no enumeration, [Plan.Explain] tells about one day, and [Plan.State]
// is what to save so that a later forecast continues this one. A window seven thousand
// years ahead costs what the next one does.
//
// # Rules
//
// One charging run takes place each day (L32b). In this order it stops the profile if
// the counter is at the cap or finish-date is over; charges each due day that is not
// charged yet, oldest first, and counts it (2.2.7); and stops the profile if the
// counter reached the cap (2.2.8) or the day is finish-date (2.2.9), with every reason
// that holds (L11). A slot is the due day that a charge is for, its date the day of the
// run; they differ only where a policy asks to catch up. No slot is charged twice
// automatically (2.2.10). Due days are counted from the start date in whole intervals,
// so that a month's end never drifts (2.2.1, L01).
//
// # Events
//
// [Apply] lets one event happen to a [Stored] profile, [Simulate] a whole script over
// many days. Both walk the plan of the forecast: there is no second rule book. Outcomes
// of charges change nothing but themselves (2.2.7).
//
// # Because
//
// Every charge, stop, end, total, explanation and effect carries the clauses that it
// rests on, a [Because], each with its [Basis]: stated by the document, inferred from
// its wording, or assumed where it is silent.
//
// # Limits
//
// The series of a profile ends on 9999-12-31 and is flagged there (L32). Repeat numbers
// are below 2^64. Counter, paid slots and anchor are this package's model of what the
// gateway keeps: it shows no read operation, so nothing is claimed about its side.
//
// # Compatibility
//
// Dates, amounts, stops and repeat numbers are promises: a change of any of them is
// listed first in the changelog, with its ledger entry.
package engine
