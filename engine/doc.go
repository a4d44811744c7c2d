// Package engine computes what one recurring payment profile will be charged, and when. It decides
// every rule of clause 2.2 of the gateway's document, the state machine of clause 3, and every
// silence that the ledger lists for them.
//
// Nothing here reads a clock, chance or the environment: the as-of day, the seed and the policy are
// arguments, and equal arguments give equal results.
//
// # Values
//
// A [Profile] is the columns that a schedule depends on, a [State] is what a profile remembers
// besides them, and a [Stored] is both: what a database keeps. Its JSON form carries a schema
// version and reads back exactly. [Engine.Check] is the gate that every function below passes its
// argument through; its error names the field. A [Policy] chooses a reading for each silence of the
// document; the zero Policy is the default of every one.
//
// # Forecast
//
// [New] binds a policy once. [Engine.Compile] prepares a [Plan], which answers in closed form, from
// the start date and never from the date before: [Plan.Charges] streams the charges of a window,
// [Plan.Count], [Plan.Total] and [Plan.Stop] need no enumeration, [Engine.Explain] says why a day
// has a charge or none, and [Plan.State] returns what to store so that a later forecast continues
// this one. A window seven thousand years ahead costs no more than the next one, except by months
// from a day 29 to 31 under month-end=skip, which package calendar counts one by one.
//
// # Many profiles
//
// A [Book] adds up the charges of many profiles by day, week, month, quarter or weekday, and by
// currency, without making them. [Book.Totals] yields the total of each period: number, least and
// greatest sum, mean and quantiles, declined attempts and charges after the card's expiry, each by
// themselves, and the clauses that they depend on. [Book.AddCharge] counts single charges, such as
// those of a simulation. Workers send their books as JSON, and [Book.Merge] adds them up.
//
// # Profiles that are kept
//
// [Engine.Create] creates a profile on a day. [Engine.Advance] lets the daily runs up to and
// including a day take place, [Engine.Handle] those up to the day before an [Event] and then the
// event, and [Engine.Simulate] does all of it in order of date for a whole script. All of them take
// their charges from the plan of the forecast, so that there is one set of rules. Each [Effect]
// says what happened and why.
//
// # Rules
//
// One charging run takes place each day (L32b). In this order it stops the profile if the repeat
// number is at the cap or finish-date is over; charges each due day that is not charged yet, oldest
// first, and counts it (2.2.7); and stops the profile if the repeat number reached the cap (2.2.8)
// or the day is finish-date (2.2.9), with every reason that holds (L11). A slot is the due day that
// a charge is for, and its date is the day of the run; they differ only where a policy catches up.
// No slot is charged twice automatically (2.2.10). Due days are counted from the start date in
// whole intervals, so that the end of a month never drifts (2.2.1, L01). How attempts end changes
// nothing but their outcome (2.2.7).
//
// # Reasons
//
// Every charge, stop, end, explanation and effect carries the clauses that it depends on, a
// [ledger.Because], each stated by the document, inferred from its wording, or assumed where it is
// silent.
//
// # Limits
//
// The series of a profile ends on 9999-12-31 and is flagged there (L32). Repeat numbers end at
// 2^63-1: nothing is charged automatically beyond it. Repeat number, paid slots and anchor are this
// package's model of what the gateway keeps: it has no read operation, so nothing is claimed about
// its side.
//
// # Compatibility
//
// Dates, amounts, stops and repeat numbers are promises: a change of any of them is listed first in
// the changelog, with its ledger entry. So are the codes, the ids and the JSON forms.
package engine
