package engine

// The clauses of the document.
const (
	Doc1 Clause = iota + 1
	Doc21
	Doc221
	Doc222
	Doc223
	Doc224
	Doc225
	Doc226
	Doc227
	Doc228
	Doc229
	Doc2210
	Doc23
	Doc3
	Doc41
	Doc51
	Doc52
	Doc53
	Doc54
	Doc55
	Doc6
	Doc7
	Doc8
	Doc9
)

// The contradictions in the document.
const (
	X1 = Doc9 + iota + 1
	X2
	X3
	X4
	X5
	X6
	X7
	X8
	X9
	X10
	X11
	X12
	X13
	X14
)

// The silences that a policy key decides.
const (
	L01 = X14 + iota + 1
	L02
	L03
	L05
	L08
	L09
	L14
	L15
	L16
	L16b
	L20
	L21
	L22
)

// The fixed readings of the engine.
const (
	L07 = L22 + iota + 1
	L10
	L11
	L13
	L17
	L18
	L19
	L23
	L24
	L25
	L26
	L27
	L29
	L31
	L32
	L32a
	L32b
)

// The amounts.
const (
	L33 = L32b + iota + 1
	L34
	L35
	L36
	L36b
	L36c
	L36d
)

// The columns and CSV.
const (
	L37 = L36d + iota + 1
	L38
	L39
	L39c
	L40
	L41
	L41b
	L42
	L43
	L44
	L45
	L46
	L47
	L48
	L49
	L50
	L54
	L55
	L56
	L56b
	L56c
	L56d
)

// The signatures.
const (
	L57 = L56d + iota + 1
	L58
	L59
	L60
	L61
	L62
	L63
	L64
	L65
	L66
	L67
	L68
	L70
	L71
)

// ledger is the one table. Index 0 is the zero Clause.
var ledger = [...]Entry{
	Doc1:    {ID: "1", Where: "1", Basis: Stated, Question: "Kinds and schedules", Readings: []Reading{{Text: "Profiles are SRC or DST; an automatic schedule needs both period and interval, is available only for SRC, and is stopped by the update operation."}}},
	Doc21:   {ID: "2.1", Where: "2.1", Basis: Stated, Question: "The columns", Readings: []Reading{{Text: "The table of columns says which are required, their type, their limit and the kinds that support them; start-date is the date of the first scheduled charge, finish-date the date of the last charge."}}},
	Doc221:  {ID: "2.2.1", Where: "2.2.1", Basis: Stated, Question: "period", Readings: []Reading{{Text: "day charges every day, week every 7 days, month on the same day of the month counted from the start date."}}},
	Doc222:  {ID: "2.2.2", Where: "2.2.2", Basis: Stated, Question: "interval", Readings: []Reading{{Text: "interval multiplies period: interval 2 with day means one charge every 2 days."}}},
	Doc223:  {ID: "2.2.3", Where: "2.2.3", Basis: Stated, Question: "The schedule pair", Readings: []Reading{{Text: "period and interval are both present or both absent."}}},
	Doc224:  {ID: "2.2.4", Where: "2.2.4", Basis: Stated, Question: "Start on the current date", Readings: []Reading{{Text: "When start-date is the current date and the schedule is automatic, the first charge is made the same day."}}},
	Doc225:  {ID: "2.2.5", Where: "2.2.5", Basis: Stated, Question: "The amount choice", Readings: []Reading{{Text: "The amount is one of: a fixed amount, a random amount between amount-from and amount-to for each charge, or the amounts of amount-sequence."}}},
	Doc226:  {ID: "2.2.6", Where: "2.2.6", Basis: Stated, Question: "amount-sequence", Readings: []Reading{{Text: "Charges use the elements in order by the current repeat number; when it exceeds the number of elements, every further charge uses the last one."}}},
	Doc227:  {ID: "2.2.7", Where: "2.2.7", Basis: Stated, Question: "The repeat number", Readings: []Reading{{Text: "The first charge has repeat index 0; the current repeat number increases even when a charge fails."}}},
	Doc228:  {ID: "2.2.8", Where: "2.2.8", Basis: Stated, Question: "max-repeats-number", Readings: []Reading{{Text: "When the current repeat number reaches max-repeats-number, the profile is stopped and no longer charged."}}},
	Doc229:  {ID: "2.2.9", Where: "2.2.9", Basis: Stated, Question: "finish-date", Readings: []Reading{{Text: "When finish-date is reached, the profile is stopped."}}},
	Doc2210: {ID: "2.2.10", Where: "2.2.10", Basis: Stated, Question: "No automatic repetition", Readings: []Reading{{Text: "A charge made automatically is not repeated, unless done manually, even if the profile is stopped and rescheduled."}}},
	Doc23:   {ID: "2.3", Where: "2.3", Basis: Stated, Question: "The response record", Readings: []Reading{{Text: "A response has a type, and with an error type a message and a code."}}},
	Doc3:    {ID: "3", Where: "3", Basis: Stated, Question: "States and transitions", Readings: []Reading{{Text: "A stopped profile stays stopped when its dates are updated; only the resume action in the web UI makes it active again, never the API."}}},
	Doc41:   {ID: "4.1", Where: "4.1", Basis: Stated, Question: "The request", Readings: []Reading{{Text: "A POST with one form field named payload: base64 of a CSV with ; as separator, values in double quotes, a header row and one row per profile."}}},
	Doc51:   {ID: "5.1", Where: "5.1", Basis: Stated, Question: "OAuth parameters", Readings: []Reading{{Text: "Five OAuth parameters are signed; oauth_signature goes only in the header."}}},
	Doc52:   {ID: "5.2", Where: "5.2", Basis: Stated, Question: "Signature base string", Readings: []Reading{{Text: "Body and OAuth parameters are percent-encoded, sorted, joined, and joined again with the method and the full request URL."}}},
	Doc53:   {ID: "5.3", Where: "5.3", Basis: Stated, Question: "Signing", Readings: []Reading{{Text: "RSA-SHA256 signs the base string with the private key; HMAC-SHA1 uses the consumer secret followed by &; the result is Base64."}}},
	Doc54:   {ID: "5.4", Where: "5.4", Basis: Stated, Question: "RSA key pair", Readings: []Reading{{Text: "The private key stays secret, the public key is registered; different keys for production and testing."}}},
	Doc55:   {ID: "5.5", Where: "5.5", Basis: Stated, Question: "Header and request", Readings: []Reading{{Text: "The header carries the signed values and the signature, each percent-encoded."}}},
	Doc6:    {ID: "6", Where: "6", Basis: Stated, Question: "Callbacks", Readings: []Reading{{Text: "A callback goes to server_callback_url, or its alias notify_url, once the transaction reaches a final status."}}},
	Doc7:    {ID: "7", Where: "7", Basis: Stated, Question: "Errors", Readings: []Reading{{Text: "Accepted is HTTP 200 and rejected HTTP 403, both with an empty body."}}},
	Doc8:    {ID: "8", Where: "8", Basis: Stated, Question: "Limits", Readings: []Reading{{Text: "Field lengths are those of the column table; a repeat index starts at 0 and max-repeats-number caps the charges of a profile."}}},
	Doc9:    {ID: "9", Where: "9", Basis: Stated, Question: "Versioning", Readings: []Reading{{Text: "The API version is part of the path, and the path may change."}}},
	X1:      {ID: "X1", Where: "4.1, 7, 2.3", Basis: Inferred, Question: "Bodies are empty, yet a response record carries the new id", Readings: []Reading{{Text: "Both are parsed: with an empty body the HTTP status alone decides and the id is unknown."}}},
	X2:      {ID: "X2", Where: "7", Basis: Inferred, Question: "200 stands among the error codes", Readings: []Reading{{Text: "The outcome comes from type, never from error-code alone."}}},
	X3:      {ID: "X3", Where: "2.1", Basis: Inferred, Question: "Dates have length 8 but the form DD.MM.YYYY has 10 characters", Readings: []Reading{{Text: "The dotted form holds; 8 counts the digits."}}},
	X4:      {ID: "X4", Where: "2.1", Basis: Inferred, Question: "amount-sequence has length 10, three decimal amounts need 11", Readings: []Reading{{Text: "The length limit of amount-sequence holds for each element."}}},
	X5:      {ID: "X5", Where: "2.1", Basis: Inferred, Question: `R together with "SRC only"`, Readings: []Reading{{Text: "A column that is required and SRC only is required when the profile is SRC."}}},
	X6:      {ID: "X6", Where: "1, 2.1", Basis: Inferred, Question: "start, finish and max-repeats are for both kinds, schedules for SRC only", Readings: []Reading{{Text: "On DST finish-date and max-repeats-number stop the profile; start-date does nothing."}}},
	X7:      {ID: "X7", Where: "2.2.6", Basis: Inferred, Question: `"exceeds the number of elements" with an index from 0`, Readings: []Reading{{Text: "A repeat index equal to or above the number of elements uses the last element."}}},
	X8:      {ID: "X8", Where: "2.1, 2.2.9", Basis: Inferred, Question: `"date of the last charge" against "when reached, stopped"`, Readings: []Reading{{Text: "The profile is charged on that day first, then stopped, the same day."}}},
	X9:      {ID: "X9", Where: "1, 3", Basis: Inferred, Question: "The update operation stops a schedule, the transition table has no such row", Readings: []Reading{{Text: "The update operation stops a schedule: the event stop stands for it."}}},
	X10:     {ID: "X10", Where: "2.2.10, 3", Basis: Assumed, Question: `"unless done manually" against "no longer charged" when stopped`, Readings: []Reading{{Text: "Whether a stopped profile takes a manual charge is for the policy manual-when-stopped."}}},
	X11:     {ID: "X11", Where: "3", Basis: Inferred, Question: "A resumed profile whose counter is at the cap is active and due to stop", Readings: []Reading{{Text: "Stop conditions are levels, not edges: a resumed profile that meets one stops again in the same run."}}},
	X12:     {ID: "X12", Where: "4.1, 5.5", Basis: Inferred, Question: `"one parameter" in the body, and OAuth parameters in the body for HMAC`, Readings: []Reading{{Text: "The parameters of body and header are signed together, each name and value once."}}},
	X13:     {ID: "X13", Where: "2.1", Basis: Stated, Question: "notify_url may have 1024 characters, its alias 128", Readings: []Reading{{Text: "notify_url and server_callback_url each have a limit of their own."}}},
	X14:     {ID: "X14", Where: "3", Basis: Inferred, Question: `Only stopped is a named status; the table says "any active profile"`, Readings: []Reading{{Text: "Only stopped is a named status; active is our word for the rest."}}},
	L01: {ID: "L01", Where: "2.2.1", Basis: Inferred, Key: "month-end", Question: "A monthly charge on a day that the month lacks", Readings: []Reading{
		{"clamp", "In a month without the start day the charge falls on the last day; the day is always counted from the start date."},
		{"skip", "A month without the start day has no charge and uses up no repeat."},
		{"next-first", "In a month without the start day the charge falls on the first of the next month."},
		{"overflow", "In a month without the start day the charge falls as many days into the next month as are missing."},
	}},
	L02: {ID: "L02", Where: "2.1", Basis: Assumed, Key: "start-absent", Question: "start-date is absent although there is a schedule", Readings: []Reading{
		{"as-of", "Without start-date the schedule starts on the as-of date."},
		{"reject", "A schedule without start-date is refused."},
	}},
	L03: {ID: "L03", Where: "2.2.4", Basis: Assumed, Key: "start-past", Question: "start-date lies before the creation day", Readings: []Reading{
		{"skip", "With a start-date in the past the due days are still counted from it; those before as-of are not charged, and the first charge has repeat 0."},
		{"catch-up", "With a start-date in the past every due day before as-of is charged in the first run."},
		{"count-missed", "With a start-date in the past the due days before as-of are not charged but counted as repeats."},
		{"reanchor", "With a start-date in the past the due days are counted from as-of."},
		{"reject", "A start-date before as-of is refused."},
	}},
	L05: {ID: "L05", Where: "2.1, 2.2.9", Basis: Stated, Key: "finish-bound", Question: "Is a due day that equals finish-date charged", Readings: []Reading{
		{"inclusive", "finish-date is the date of the last charge: a due day on it is charged."},
		{"exclusive", "A due day on finish-date is not charged."},
	}},
	L08: {ID: "L08", Where: "2.2.8, 8", Basis: Inferred, Key: "max-counts", Question: "How many charges max-repeats-number N allows", Readings: []Reading{
		{"charges", "max-repeats-number N allows N charges, with repeats 0 to N-1."},
		{"repeats-after-first", "max-repeats-number N allows N repeats after the first charge: N+1 charges."},
	}},
	L09: {ID: "L09", Where: "2.2.8", Basis: Assumed, Key: "max-zero", Question: "max-repeats-number is 0", Readings: []Reading{
		{"stop", "max-repeats-number 0 allows no charge at all; stopped in the first run."},
		{"unlimited", "max-repeats-number 0 is as if there were none."},
		{"reject", "max-repeats-number 0 is refused."},
	}},
	L14: {ID: "L14", Where: "3, 2.2.6", Basis: Assumed, Key: "resume-counter", Question: "Does a resume reset the current repeat number", Readings: []Reading{
		{"keep", "A resume keeps the current repeat number."},
		{"reset", "A resume starts the current repeat number at 0 again."},
	}},
	L15: {ID: "L15", Where: "3, 2.2.1", Basis: Inferred, Key: "resume-anchor", Question: "Does a resume move the start of the grid", Readings: []Reading{
		{"keep", "After a resume due days are still counted from the same start."},
		{"resume-date", "After a resume due days are counted from its day."},
	}},
	L16: {ID: "L16", Where: "3", Basis: Inferred, Key: "resume-missed", Question: "Due days missed while stopped", Readings: []Reading{
		{"skip", "Due days missed while stopped are not charged."},
		{"catch-up", "Due days missed while stopped are charged in the first run after the resume."},
	}},
	L16b: {ID: "L16b", Where: "2.2.1", Basis: Assumed, Key: "run-missed", Question: "Due days on which no run took place", Readings: []Reading{
		{"skip", "Due days without a run are never charged and use up no repeat."},
		{"catch-up", "Due days without a run are charged in the next run."},
	}},
	L20: {ID: "L20", Where: "2.2.7, 2.2.10", Basis: Assumed, Key: "manual-counts", Question: "Does a manual charge count as a repeat", Readings: []Reading{
		{"yes", "A manual charge carries the current repeat number and increases it."},
		{"no", "A manual charge carries the current repeat number and leaves it as it is."},
	}},
	L21: {ID: "L21", Where: "2.2.10, 3", Basis: Assumed, Key: "manual-when-stopped", Question: "A manual charge on a stopped profile", Readings: []Reading{
		{"refuse", "A manual charge on a stopped profile is refused."},
		{"allow", "A manual charge on a stopped profile is made, and it stays stopped."},
	}},
	L22: {ID: "L22", Where: "2.2.10", Basis: Inferred, Key: "manual-takes-slot", Question: "Does a manual charge take the due day it is made on", Readings: []Reading{
		{"no", "On the day of a manual charge the automatic one is made as well."},
		{"yes", "A manual charge takes its due day: the automatic charge of that day is not made."},
	}},
	L07:  {ID: "L07", Where: "2.2.9", Basis: Inferred, Question: "finish-date between two due days", Readings: []Reading{{Text: "A finish-date between two due days has no charge, and the profile is stopped on it."}}},
	L10:  {ID: "L10", Where: "2.2.8", Basis: Inferred, Question: "What max-repeats-number compares", Readings: []Reading{{Text: "max-repeats-number is a level: a counter at or above it stops the profile at the next run; empty means no limit, and a negative number is an error."}}},
	L11:  {ID: "L11", Where: "2.2.8, 2.2.9", Basis: Assumed, Question: "The cap and finish-date are met on one day", Readings: []Reading{{Text: "The cap and finish-date met on one day are one stop with both reasons, max-repeats first."}}},
	L13:  {ID: "L13", Where: "2.2.10", Basis: Inferred, Question: "What a repeated charge is", Readings: []Reading{{Text: "The due day is what is not charged twice; a failed attempt counts as made and is not retried."}}},
	L17:  {ID: "L17", Where: "3", Basis: Inferred, Question: "A resume while a stop condition holds", Readings: []Reading{{Text: "A profile resumed while a stop condition holds is active and stopped again in that day's run."}}},
	L18:  {ID: "L18", Where: "3", Basis: Assumed, Question: "start-date updated on an active profile", Readings: []Reading{{Text: "After an update of start-date, period or interval the due days change; the repeat number goes on and charged due days stay charged."}}},
	L19:  {ID: "L19", Where: "3", Basis: Assumed, Question: "finish-date or max-repeats-number updated on an active profile", Readings: []Reading{{Text: "An updated finish-date or max-repeats-number is judged at the next run."}}},
	L23:  {ID: "L23", Where: "1, 3", Basis: Inferred, Question: "A stop through the update operation", Readings: []Reading{{Text: "A stop through the update operation has the reason stopped-by-api."}}},
	L24:  {ID: "L24", Where: "3", Basis: Assumed, Question: "An event and the charging run on one day", Readings: []Reading{{Text: "An event comes before its day's run unless it is said to come after."}}},
	L25:  {ID: "L25", Where: "1, 2.2.3", Basis: Inferred, Question: "DST, or SRC without a schedule", Readings: []Reading{{Text: "DST, or SRC without a schedule, is never charged automatically; finish-date and max-repeats-number still stop it; manual charges are possible."}}},
	L26:  {ID: "L26", Where: "2.2.6", Basis: Inferred, Question: "Amounts replaced in mid-life", Readings: []Reading{{Text: "The new amounts apply at the same repeat number."}}},
	L27:  {ID: "L27", Where: "2.2.4", Basis: Assumed, Question: "The current date", Readings: []Reading{{Text: "The current date is the as-of date in the zone that the caller names, UTC unless said."}}},
	L29:  {ID: "L29", Where: "2.2.1", Basis: Assumed, Question: "Weekends and holidays", Readings: []Reading{{Text: "Weekends and holidays shift no charge."}}},
	L31:  {ID: "L31", Where: "2.1", Basis: Assumed, Question: "The card expires before a charge", Readings: []Reading{{Text: "The forecast stays whole; validation warns of the first such charge."}}},
	L32:  {ID: "L32", Where: "2.2.1", Basis: Assumed, Question: "Due days past 9999-12-31", Readings: []Reading{{Text: "The series of due days ends on 9999-12-31 and is flagged; that is no stop."}}},
	L32a: {ID: "L32a", Where: "2.2.8, 2.2.9", Basis: Assumed, Question: "finish-date before start-date or as-of, or a cap of 0", Readings: []Reading{{Text: "A profile that can never charge is valid: a warning, no charge, stopped in the first run that finds it."}}},
	L32b: {ID: "L32b", Where: "2.2.8, 2.2.9, 3", Basis: Inferred, Question: "The order of one day's run", Readings: []Reading{{Text: "A run judges the stop conditions, charges each due day not yet charged until the cap is reached, and judges the stop conditions again."}}},
	L33:  {ID: "L33", Where: "2.2.5", Basis: Assumed, Question: "amount-from above amount-to, or equal to it", Readings: []Reading{{Text: "amount-from above amount-to is an error; equal ends are a fixed amount."}}},
	L34:  {ID: "L34", Where: "2.2.5", Basis: Stated, Question: "More than one amount choice, or half a range", Readings: []Reading{{Text: "More than one amount choice, or half a range, is an error."}}},
	L35:  {ID: "L35", Where: "2.1", Basis: Inferred, Question: "What length 10 counts in an amount", Readings: []Reading{{Text: "The length of an amount counts characters, the point included; in a sequence for each element."}}},
	L36:  {ID: "L36", Where: "2.1", Basis: Assumed, Question: "The text form of an amount", Readings: []Reading{{Text: "An amount is digits, optionally a point and digits; no sign, exponent, space or comma; zero is an error; leading zeros warn."}}},
	L36b: {ID: "L36b", Where: "2.2.6", Basis: Assumed, Question: "Empty elements and spaces in a sequence", Readings: []Reading{{Text: "Empty elements and spaces in a sequence are errors: dropping one would shift every later charge."}}},
	L36c: {ID: "L36c", Where: "2.1", Basis: Assumed, Question: "More decimals than the currency has", Readings: []Reading{{Text: "More decimals than the currency has are a warning, and nothing is ever rounded; with an unknown currency code there is no check."}}},
	L36d: {ID: "L36d", Where: "2.2.5", Basis: Assumed, Question: "How random amounts are distributed", Readings: []Reading{{Text: "Random amounts are taken as uniform on the minor units of the currency, both bounds included; totals are min, max and the mean if uniform."}}},
	L37:  {ID: "L37", Where: "2.1", Basis: Assumed, Question: "A value in an SRC-only column of a DST row", Readings: []Reading{{Text: "On a DST row a period or interval is an error, a value in any other SRC-only column a warning."}}},
	L38:  {ID: "L38", Where: "2.1", Basis: Assumed, Question: "The form of dates in columns", Readings: []Reading{{Text: "Dates are DD.MM.YYYY and real days; other forms are errors; a birthday in the future warns."}}},
	L39:  {ID: "L39", Where: "2.1", Basis: Assumed, Question: "The expiry of a card", Readings: []Reading{{Text: "A card expires in a month 1 to 12 (one digit warns) of a year of four digits; already expired warns."}}},
	L39c: {ID: "L39c", Where: "2.1", Basis: Assumed, Question: "The card number", Readings: []Reading{{Text: "A card number is 1 to 19 digits; fewer than 12 or a failed check digit warns."}}},
	L40:  {ID: "L40", Where: "2.1", Basis: Assumed, Question: `How long "65K" is`, Readings: []Reading{{Text: "order_desc may have 65,000 characters; up to 66,560 warns, above is an error."}}},
	L41:  {ID: "L41", Where: "2.1", Basis: Assumed, Question: "What a length counts", Readings: []Reading{{Text: "A length counts characters (runes); a warning where only the bytes exceed it."}}},
	L41b: {ID: "L41b", Where: "2.1", Basis: Assumed, Question: "Control characters", Readings: []Reading{{Text: "A NUL is an error; other control characters warn outside order_desc."}}},
	L42:  {ID: "L42", Where: "4.1", Basis: Assumed, Question: "Column names", Readings: []Reading{{Text: "Columns have exact names in any order; an unknown, duplicate or missing required one is an error, a missing optional one is empty."}}},
	L43:  {ID: "L43", Where: "4.1", Basis: Assumed, Question: "CSV syntax", Readings: []Reading{{Text: `; as separator, values in double quotes, "" inside; unquoted values warn; LF and CRLF; a row of another width is an error and the next row goes on.`}}},
	L44:  {ID: "L44", Where: "4.1", Basis: Assumed, Question: "Text encoding", Readings: []Reading{{Text: "The text is UTF-8; a byte-order mark is stripped with a warning; invalid UTF-8 is an error."}}},
	L45:  {ID: "L45", Where: "4.1", Basis: Assumed, Question: "Empty input, or a header without rows", Readings: []Reading{{Text: "Empty input and a header without rows are errors."}}},
	L46:  {ID: "L46", Where: "4.1", Basis: Assumed, Question: "Spaces around a value", Readings: []Reading{{Text: "Spaces around a value are an error for enums, numbers and dates, a warning for text; never trimmed silently."}}},
	L47:  {ID: "L47", Where: "2.1", Basis: Assumed, Question: "client-orderid twice in a batch", Readings: []Reading{{Text: "A client-orderid that stands twice in a batch is a warning."}}},
	L48:  {ID: "L48", Where: "4.1", Basis: Inferred, Question: "Some rows are invalid", Readings: []Reading{{Text: "The request creates all profiles or none; the problems of every row are reported."}}},
	L49:  {ID: "L49", Where: "4.1", Basis: Assumed, Question: "The form of base64", Readings: []Reading{{Text: "Base64 is in the standard alphabet, padded, without line breaks and stray bits; other forms are errors and named."}}},
	L50:  {ID: "L50", Where: "2.1", Basis: Assumed, Question: "Country, currency and state codes", Readings: []Reading{{Text: "Country, currency and state are upper-case codes; an unknown one warns; state is required for US, CA and AU; the list of states can be supplied."}}},
	L54:  {ID: "L54", Where: "2.1", Basis: Assumed, Question: "E-mail, IP address and URL", Readings: []Reading{{Text: "An e-mail is a plain address, an IP is IPv4 or IPv6 without zone, a callback is an absolute http or https URL; anything else warns."}}},
	L55:  {ID: "L55", Where: "2.1", Basis: Stated, Question: "Both callback columns filled", Readings: []Reading{{Text: "Both callback columns filled are an error, even if they are equal."}}},
	L56:  {ID: "L56", Where: "2.1", Basis: Stated, Question: "The currency of the project", Readings: []Reading{{Text: "A currency other than that of the project is an error; while the project is unknown this is not checked, and said so."}}},
	L56b: {ID: "L56b", Where: "2.1", Basis: Inferred, Question: "interval 0 or negative", Readings: []Reading{{Text: "An interval of 0 or below is an error."}}},
	L56c: {ID: "L56c", Where: "2.1", Basis: Assumed, Question: "A start-date in the past", Readings: []Reading{{Text: "A start-date in the past is a warning when there is a schedule."}}},
	L56d: {ID: "L56d", Where: "8", Basis: Assumed, Question: "Size limits", Readings: []Reading{{Text: "They are ours, each an option, and an error names the limit; rows and bytes have none unless asked for."}}},
	L57:  {ID: "L57", Where: "5.2", Basis: Inferred, Question: "Encoding of names, sort order and ties", Readings: []Reading{{Text: "Names and values are encoded; sorted by encoded name, then encoded value."}}},
	L58:  {ID: "L58", Where: "5.2", Basis: Inferred, Question: `The "full request URL"`, Readings: []Reading{{Text: "Scheme and host in lower case, default port dropped, path as sent, empty path /."}}},
	L59:  {ID: "L59", Where: "5.2", Basis: Assumed, Question: "A URL with a query, a fragment or userinfo; a method other than POST", Readings: []Reading{{Text: "An error for the gateway; RFC 5849 collects the query."}}},
	L60:  {ID: "L60", Where: "5.2", Basis: Assumed, Question: "Two payload parameters", Readings: []Reading{{Text: "Both are signed, with a warning."}}},
	L61:  {ID: "L61", Where: "5.5", Basis: Inferred, Question: "OAuth parameters in body and header", Readings: []Reading{{Text: "Each is signed once; different values are an error."}}},
	L62:  {ID: "L62", Where: "5.5", Basis: Inferred, Question: "realm", Readings: []Reading{{Text: "Never signed; accepted anywhere in the header."}}},
	L63:  {ID: "L63", Where: "5.5", Basis: Assumed, Question: "Timestamp window, nonce length and reuse", Readings: []Reading{{Text: "Off unless asked for; whether the signature is right and whether it is fresh are separate answers."}}},
	L64:  {ID: "L64", Where: "5.3", Basis: Assumed, Question: "The secret in the HMAC key", Readings: []Reading{{Text: "Percent-encoded; a warning when that differs from the raw secret."}}},
	L65:  {ID: "L65", Where: "5.3, 5.4", Basis: Assumed, Question: "RSA-SHA256 and key sizes", Readings: []Reading{{Text: "RSASSA-PKCS1-v1_5 with SHA-256; keys under 2048 bits refused unless allowed, over 4096 warn, over 8192 refused."}}},
	L66:  {ID: "L66", Where: "5.3", Basis: Assumed, Question: "The text of a signature", Readings: []Reading{{Text: "Strict padded base64; other forms are named."}}},
	L67:  {ID: "L67", Where: "5.5", Basis: Assumed, Question: "The grammar of the header", Readings: []Reading{{Text: "Scheme in any case, parameters in any order, optional space after the comma, quoted values; a duplicate is an error."}}},
	L68:  {ID: "L68", Where: "5.5", Basis: Inferred, Question: "A space in the body", Readings: []Reading{{Text: "Written %20; + is read as a space with a warning."}}},
	L70:  {ID: "L70", Where: "2.3, 4.1", Basis: Assumed, Question: "The response record as text", Readings: []Reading{{Text: "name=value lines joined by & or LF, one LF stripped per value, unknown names kept."}}},
	L71:  {ID: "L71", Where: "7", Basis: Stated, Question: "Error codes", Readings: []Reading{{Text: "Never invented: our findings have codes of our own."}}},
}
