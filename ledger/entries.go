package ledger

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

	clauseCount = int(L71) + 1
)

// entries is the one table; nothing writes to it. Index 0 is the zero Clause.
var entries = [clauseCount]entry{
	Doc1:    {id: "1", where: "1", basis: Stated, question: "Kinds and schedules", readings: []Reading{{Text: "Profiles are SRC or DST; an automatic schedule needs both period and interval, is available only for SRC, and is stopped by the update operation."}}},
	Doc21:   {id: "2.1", where: "2.1", basis: Stated, question: "The columns", readings: []Reading{{Text: "The table of columns says which are required, their type, their limit and the kinds that support them; start-date is the date of the first scheduled charge, finish-date the date of the last charge."}}},
	Doc221:  {id: "2.2.1", where: "2.2.1", basis: Stated, question: "period", readings: []Reading{{Text: "day charges every day, week every 7 days, month on the same day of the month counted from the start date."}}},
	Doc222:  {id: "2.2.2", where: "2.2.2", basis: Stated, question: "interval", readings: []Reading{{Text: "interval multiplies period: interval 2 with day means one charge every 2 days."}}},
	Doc223:  {id: "2.2.3", where: "2.2.3", basis: Stated, question: "The schedule pair", readings: []Reading{{Text: "period and interval are both present or both absent."}}},
	Doc224:  {id: "2.2.4", where: "2.2.4", basis: Stated, question: "Start on the current date", readings: []Reading{{Text: "When start-date is the current date and the schedule is automatic, the first charge is made the same day."}}},
	Doc225:  {id: "2.2.5", where: "2.2.5", basis: Stated, question: "The amount choice", readings: []Reading{{Text: "The amount is one of: a fixed amount, a random amount between amount-from and amount-to for each charge, or the amounts of amount-sequence."}}},
	Doc226:  {id: "2.2.6", where: "2.2.6", basis: Stated, question: "amount-sequence", readings: []Reading{{Text: "Charges use the elements in order by the current repeat number; when it exceeds the number of elements, every further charge uses the last one."}}},
	Doc227:  {id: "2.2.7", where: "2.2.7", basis: Stated, question: "The repeat number", readings: []Reading{{Text: "The first charge has repeat index 0; the current repeat number increases even when a charge fails."}}},
	Doc228:  {id: "2.2.8", where: "2.2.8", basis: Stated, question: "max-repeats-number", readings: []Reading{{Text: "When the current repeat number reaches max-repeats-number, the profile is stopped and no longer charged."}}},
	Doc229:  {id: "2.2.9", where: "2.2.9", basis: Stated, question: "finish-date", readings: []Reading{{Text: "When finish-date is reached, the profile is stopped."}}},
	Doc2210: {id: "2.2.10", where: "2.2.10", basis: Stated, question: "No automatic repetition", readings: []Reading{{Text: "A charge made automatically is not repeated, unless done manually, even if the profile is stopped and rescheduled."}}},
	Doc23:   {id: "2.3", where: "2.3", basis: Stated, question: "The response record", readings: []Reading{{Text: "A response has a type, and with an error type a message and a code."}}},
	Doc3:    {id: "3", where: "3", basis: Stated, question: "States and transitions", readings: []Reading{{Text: "A stopped profile stays stopped when its dates are updated; only the resume action in the web UI makes it active again, never the API."}}},
	Doc41:   {id: "4.1", where: "4.1", basis: Stated, question: "The request", readings: []Reading{{Text: "A POST with one form field named payload: base64 of a CSV with ; as separator, values in double quotes, a header row and one row per profile."}}},
	Doc51:   {id: "5.1", where: "5.1", basis: Stated, question: "OAuth parameters", readings: []Reading{{Text: "Five OAuth parameters are signed; oauth_signature goes only in the header."}}},
	Doc52:   {id: "5.2", where: "5.2", basis: Stated, question: "Signature base string", readings: []Reading{{Text: "Body and OAuth parameters are percent-encoded, sorted, joined, and joined again with the method and the full request URL."}}},
	Doc53:   {id: "5.3", where: "5.3", basis: Stated, question: "Signing", readings: []Reading{{Text: "RSA-SHA256 signs the base string with the private key; HMAC-SHA1 uses the consumer secret followed by &; the result is Base64."}}},
	Doc54:   {id: "5.4", where: "5.4", basis: Stated, question: "RSA key pair", readings: []Reading{{Text: "The private key stays secret, the public key is registered; different keys for production and testing."}}},
	Doc55:   {id: "5.5", where: "5.5", basis: Stated, question: "Header and request", readings: []Reading{{Text: "The header carries the signed values and the signature, each percent-encoded."}}},
	Doc6:    {id: "6", where: "6", basis: Stated, question: "Callbacks", readings: []Reading{{Text: "A callback goes to server_callback_url, or its alias notify_url, once the transaction reaches a final status."}}},
	Doc7:    {id: "7", where: "7", basis: Stated, question: "Errors", readings: []Reading{{Text: "Accepted is HTTP 200 and rejected HTTP 403, both with an empty body."}}},
	Doc8:    {id: "8", where: "8", basis: Stated, question: "Limits", readings: []Reading{{Text: "Field lengths are those of the column table; a repeat index starts at 0 and max-repeats-number caps the charges of a profile."}}},
	Doc9:    {id: "9", where: "9", basis: Stated, question: "Versioning", readings: []Reading{{Text: "The API version is part of the path, and the path may change."}}},
	X1:      {id: "X1", where: "4.1, 7, 2.3", basis: Inferred, question: "Bodies are empty, yet a response record carries the new id", readings: []Reading{{Text: "Both are parsed: with an empty body the HTTP status alone decides and the id is unknown."}}},
	X2:      {id: "X2", where: "7", basis: Inferred, question: "200 is among the error codes", readings: []Reading{{Text: "The outcome comes from type, never from error-code alone."}}},
	X3:      {id: "X3", where: "2.1", basis: Inferred, question: "Dates have length 8 but the form DD.MM.YYYY has 10 characters", readings: []Reading{{Text: "The dotted form holds; 8 counts the digits."}}},
	X4:      {id: "X4", where: "2.1", basis: Inferred, question: "amount-sequence has length 10, three decimal amounts need 11", readings: []Reading{{Text: "The length limit of amount-sequence holds for each element."}}},
	X5:      {id: "X5", where: "2.1", basis: Inferred, question: `R together with "SRC only"`, readings: []Reading{{Text: "A column that is required and SRC only is required when the profile is SRC."}}},
	X6:      {id: "X6", where: "1, 2.1", basis: Inferred, question: "start, finish and max-repeats are for both kinds, schedules for SRC only", readings: []Reading{{Text: "On DST finish-date and max-repeats-number stop the profile; start-date does nothing."}}},
	X7:      {id: "X7", where: "2.2.6", basis: Inferred, question: `"exceeds the number of elements" with an index from 0`, readings: []Reading{{Text: "A repeat index equal to or above the number of elements uses the last element."}}},
	X8:      {id: "X8", where: "2.1, 2.2.9", basis: Inferred, question: `"date of the last charge" against "when reached, stopped"`, readings: []Reading{{Text: "The profile is charged on that day first, then stopped, the same day."}}},
	X9:      {id: "X9", where: "1, 3", basis: Inferred, question: "The update operation stops a schedule, the transition table has no such row", readings: []Reading{{Text: "The update operation stops a schedule: the event stop represents it."}}},
	X10:     {id: "X10", where: "2.2.10, 3", basis: Assumed, question: `"unless done manually" against "no longer charged" when stopped`, readings: []Reading{{Text: "Whether a stopped profile takes a manual charge is decided by the policy manual-when-stopped."}}},
	X11:     {id: "X11", where: "3", basis: Inferred, question: "A resumed profile whose counter is at the cap is active and due to stop", readings: []Reading{{Text: "Stop conditions are levels, not edges: a resumed profile that meets one stops again in the same run."}}},
	X12:     {id: "X12", where: "4.1, 5.5", basis: Inferred, question: `"one parameter" in the body, and OAuth parameters in the body for HMAC`, readings: []Reading{{Text: "The parameters of body and header are signed together, each name and value once."}}},
	X13:     {id: "X13", where: "2.1", basis: Stated, question: "notify_url may have 1024 characters, its alias 128", readings: []Reading{{Text: "notify_url and server_callback_url each have a limit of their own."}}},
	X14:     {id: "X14", where: "3", basis: Inferred, question: `Only stopped is a named status; the table says "any active profile"`, readings: []Reading{{Text: "Only stopped is a named status; active is our word for the rest."}}},
	L01: {id: "L01", where: "2.2.1", basis: Inferred, key: "month-end", question: "A monthly charge on a day that the month lacks", readings: []Reading{
		{"clamp", "In a month without the start day the charge falls on the last day; the day is always counted from the start date."},
		{"skip", "A month without the start day has no charge and uses up no repeat."},
		{"next-first", "In a month without the start day the charge falls on the first of the next month."},
		{"overflow", "In a month without the start day the charge falls as many days into the next month as are missing."},
	}},
	L02: {id: "L02", where: "2.1", basis: Assumed, key: "start-absent", question: "start-date is absent although there is a schedule", readings: []Reading{
		{"as-of", "Without start-date the schedule starts on the as-of date."},
		{"reject", "A schedule without start-date is refused; an existing profile whose state has the first due day (anchor) needs none."},
	}},
	L03: {id: "L03", where: "2.2.4", basis: Assumed, key: "start-past", question: "start-date lies before the creation day", readings: []Reading{
		{"skip", "With a start-date in the past the due days are still counted from it; those before as-of are not charged, and the first charge has repeat 0."},
		{"catch-up", "With a start-date in the past every due day before as-of is charged in the first run."},
		{"count-missed", "With a start-date in the past the due days before as-of are not charged but counted as repeats."},
		{"reanchor", "With a start-date in the past the due days are counted from as-of."},
		{"reject", "A start-date before as-of is refused."},
	}},
	L05: {id: "L05", where: "2.1, 2.2.9", basis: Stated, key: "finish-bound", question: "Is a due day that equals finish-date charged", readings: []Reading{
		{"inclusive", "finish-date is the date of the last charge: a due day on it is charged."},
		{"exclusive", "No charge is made on finish-date: neither for a due day on it nor for an earlier one that is caught up then."},
	}},
	L08: {id: "L08", where: "2.2.8, 8", basis: Inferred, key: "max-counts", question: "How many charges max-repeats-number N allows", readings: []Reading{
		{"charges", "max-repeats-number N allows N charges, with repeats 0 to N-1."},
		{"repeats-after-first", "max-repeats-number N allows N repeats after the first charge: N+1 charges."},
	}},
	L09: {id: "L09", where: "2.2.8", basis: Assumed, key: "max-zero", question: "max-repeats-number is 0", readings: []Reading{
		{"stop", "max-repeats-number 0 allows no charge at all; stopped in the first run."},
		{"unlimited", "max-repeats-number 0 is as if there were none."},
		{"reject", "max-repeats-number 0 is refused."},
	}},
	L14: {id: "L14", where: "3, 2.2.6", basis: Assumed, key: "resume-counter", question: "Does a resume reset the current repeat number", readings: []Reading{
		{"keep", "A resume keeps the current repeat number."},
		{"reset", "A resume starts the current repeat number at 0 again."},
	}},
	L15: {id: "L15", where: "3, 2.2.1", basis: Inferred, key: "resume-anchor", question: "Does a resume move the start of the grid", readings: []Reading{
		{"keep", "After a resume due days are still counted from the same start."},
		{"resume-date", "After a resume due days are counted from its day."},
	}},
	L16: {id: "L16", where: "3", basis: Inferred, key: "resume-missed", question: "Due days missed while stopped", readings: []Reading{
		{"skip", "Due days missed while stopped are not charged."},
		{"catch-up", "Due days missed while stopped are charged in the first run after the resume."},
	}},
	L16b: {id: "L16b", where: "2.2.1", basis: Assumed, key: "run-missed", question: "Due days on which no run took place", readings: []Reading{
		{"skip", "Due days without a run are never charged and use up no repeat."},
		{"catch-up", "Due days without a run are charged in the next run."},
	}},
	L20: {id: "L20", where: "2.2.7, 2.2.10", basis: Assumed, key: "manual-counts", question: "Does a manual charge count as a repeat", readings: []Reading{
		{"yes", "A manual charge carries the current repeat number and increases it."},
		{"no", "A manual charge carries the current repeat number and leaves it as it is."},
	}},
	L21: {id: "L21", where: "2.2.10, 3", basis: Assumed, key: "manual-when-stopped", question: "A manual charge on a stopped profile", readings: []Reading{
		{"refuse", "A manual charge on a stopped profile is refused."},
		{"allow", "A manual charge on a stopped profile is made, and it stays stopped."},
	}},
	L22: {id: "L22", where: "2.2.10", basis: Inferred, key: "manual-takes-slot", question: "Does a manual charge take the due day it is made on", readings: []Reading{
		{"no", "On the day of a manual charge the automatic one is made as well."},
		{"yes", "A manual charge takes its due day: the automatic charge of that day is not made."},
	}},
	L07:  {id: "L07", where: "2.2.9", basis: Inferred, question: "finish-date between two due days", readings: []Reading{{Text: "A finish-date between two due days has no charge, and the profile is stopped on it."}}},
	L10:  {id: "L10", where: "2.2.8", basis: Inferred, question: "What max-repeats-number compares", readings: []Reading{{Text: "max-repeats-number is a level: a counter at or above it stops the profile at the next run, or at once if a manual charge brought it there; empty means no limit, and a negative number is an error."}}},
	L11:  {id: "L11", where: "2.2.8, 2.2.9", basis: Assumed, question: "The cap and finish-date are met on one day", readings: []Reading{{Text: "The cap and finish-date met on one day are one stop with every reason that holds when it is judged, max-repeats first. Before the day's charge finish-date holds only once it is over: a counter that comes in at the cap stops on finish-date itself by max-repeats alone; on a later day, and with finish-bound=exclusive on finish-date too, by both. A manual charge that reaches the cap stops the profile by max-repeats alone."}}},
	L13:  {id: "L13", where: "2.2.10", basis: Inferred, question: "What a repeated charge is", readings: []Reading{{Text: "The due day is what is not charged twice; a failed attempt counts as made and is not retried."}}},
	L17:  {id: "L17", where: "3", basis: Inferred, question: "A resume while a stop condition holds", readings: []Reading{{Text: "A profile resumed while a stop condition holds is active and stopped again in that day's run."}}},
	L18:  {id: "L18", where: "3", basis: Assumed, question: "start-date updated on an active profile", readings: []Reading{{Text: "After an update of start-date, period or interval the due days change; the repeat number goes on and charged due days stay charged."}}},
	L19:  {id: "L19", where: "3", basis: Assumed, question: "finish-date or max-repeats-number updated on an active profile", readings: []Reading{{Text: "An updated finish-date or max-repeats-number is judged at the next run."}}},
	L23:  {id: "L23", where: "1, 3", basis: Inferred, question: "A stop through the update operation", readings: []Reading{{Text: "A stop through the update operation has the reason stopped-by-api."}}},
	L24:  {id: "L24", where: "3", basis: Assumed, question: "An event and the charging run on one day", readings: []Reading{{Text: "An event comes before its day's run unless it is said to come after."}}},
	L25:  {id: "L25", where: "1, 2.2.3", basis: Inferred, question: "DST, or SRC without a schedule", readings: []Reading{{Text: "DST, or SRC without a schedule, is never charged automatically; finish-date and max-repeats-number still stop it; manual charges are possible."}}},
	L26:  {id: "L26", where: "2.2.6", basis: Inferred, question: "Amounts replaced during the life of a profile", readings: []Reading{{Text: "The new amounts apply at the same repeat number."}}},
	L27:  {id: "L27", where: "2.2.4", basis: Assumed, question: "The current date", readings: []Reading{{Text: "The current date is the as-of date in the zone that the caller names, UTC by default."}}},
	L29:  {id: "L29", where: "2.2.1", basis: Assumed, question: "Weekends and holidays", readings: []Reading{{Text: "Weekends and holidays shift no charge."}}},
	L31:  {id: "L31", where: "2.1", basis: Assumed, question: "The card expires before a charge", readings: []Reading{{Text: "The forecast stays whole; validation warns of the first charge after the card has expired."}}},
	L32:  {id: "L32", where: "2.2.1", basis: Assumed, question: "Due days past 9999-12-31", readings: []Reading{{Text: "The series of due days ends on 9999-12-31 and is flagged; that is no stop."}}},
	L32a: {id: "L32a", where: "2.2.8, 2.2.9", basis: Assumed, question: "finish-date before start-date or as-of, or a cap of 0", readings: []Reading{{Text: "A profile that can never charge is valid: a warning, no charge, stopped in the first run that finds it."}}},
	L32b: {id: "L32b", where: "2.2.8, 2.2.9, 3", basis: Inferred, question: "The order of one day's run", readings: []Reading{{Text: "A run judges the stop conditions, charges each due day not yet charged until the cap is reached, and judges the stop conditions again."}}},
	L33:  {id: "L33", where: "2.2.5", basis: Assumed, question: "amount-from above amount-to, or equal to it", readings: []Reading{{Text: "amount-from above amount-to is an error; equal ends are a fixed amount."}}},
	L34:  {id: "L34", where: "2.2.5", basis: Stated, question: "More than one amount choice, or half a range", readings: []Reading{{Text: "More than one amount choice, or half a range, is an error."}}},
	L35:  {id: "L35", where: "2.1", basis: Inferred, question: "What length 10 counts in an amount", readings: []Reading{{Text: "The length of an amount counts characters, the point included; in a sequence for each element."}}},
	L36:  {id: "L36", where: "2.1", basis: Assumed, question: "The text form of an amount", readings: []Reading{{Text: "An amount is digits, optionally a point and digits; no sign, exponent, space or comma; zero is an error; leading zeros warn."}}},
	L36b: {id: "L36b", where: "2.2.6", basis: Assumed, question: "Empty elements and spaces in a sequence", readings: []Reading{{Text: "Empty elements and spaces in a sequence are errors: dropping one would shift every later charge."}}},
	L36c: {id: "L36c", where: "2.1", basis: Assumed, question: "More decimals than the currency has", readings: []Reading{{Text: "More decimals than the currency has are a warning, and nothing is ever rounded; with an unknown currency code there is no check."}}},
	L36d: {id: "L36d", where: "2.2.5", basis: Assumed, question: "How random amounts are distributed", readings: []Reading{{Text: "Random amounts are taken as uniform on the minor units of the currency, or on the finer grid of a bound that has more decimals, both bounds included; totals are min, max and the mean if uniform."}}},
	L37:  {id: "L37", where: "2.1", basis: Assumed, question: "A value in an SRC-only column of a DST row", readings: []Reading{{Text: "On a DST row a period or interval is an error, a value in any other SRC-only column a warning."}}},
	L38:  {id: "L38", where: "2.1", basis: Assumed, question: "The form of dates in columns", readings: []Reading{{Text: "Dates are DD.MM.YYYY and real days; other forms are errors; a birthday in the future warns."}}},
	L39:  {id: "L39", where: "2.1", basis: Assumed, question: "The expiry of a card", readings: []Reading{{Text: "A card expires in a month 1 to 12 (one digit warns) of a year of four digits, and is good to the last day of that month. A card that has expired already warns, and then its charges do not warn again."}}},
	L39c: {id: "L39c", where: "2.1", basis: Assumed, question: "The card number", readings: []Reading{{Text: "A card number is 1 to 19 digits; fewer than 12 or a failed check digit warns."}}},
	L40:  {id: "L40", where: "2.1", basis: Assumed, question: `How long "65K" is`, readings: []Reading{{Text: "order_desc may have 65,000 characters; up to 66,560 warns, above is an error."}}},
	L41:  {id: "L41", where: "2.1", basis: Assumed, question: "What a length counts", readings: []Reading{{Text: "A length counts characters (runes); a warning where only the bytes exceed it."}}},
	L41b: {id: "L41b", where: "2.1", basis: Assumed, question: "Control characters", readings: []Reading{{Text: "A NUL is an error; other control characters warn outside order_desc."}}},
	L42:  {id: "L42", where: "4.1", basis: Assumed, question: "Column names", readings: []Reading{{Text: "Columns have exact names in any order; an unknown, duplicate or missing required one is an error, a missing optional one is empty."}}},
	L43:  {id: "L43", where: "4.1", basis: Assumed, question: "CSV syntax", readings: []Reading{{Text: `; as separator, values in double quotes, "" inside; unquoted values warn; LF and CRLF; a row of another width is an error and the next row goes on.`}}},
	L44:  {id: "L44", where: "4.1", basis: Assumed, question: "Text encoding", readings: []Reading{{Text: "The text is UTF-8; a byte-order mark is stripped with a warning; invalid UTF-8 is an error."}}},
	L45:  {id: "L45", where: "4.1", basis: Assumed, question: "Empty input, or a header without rows", readings: []Reading{{Text: "Empty input and a header without rows are errors."}}},
	L46:  {id: "L46", where: "4.1", basis: Assumed, question: "Spaces around a value", readings: []Reading{{Text: "Spaces around a value are an error for enums, numbers and dates, a warning for text; never trimmed silently."}}},
	L47:  {id: "L47", where: "2.1", basis: Assumed, question: "client-orderid twice in a batch", readings: []Reading{{Text: "A client-orderid used twice in a batch is a warning. It is the merchant's key and is printed in full unless it is the row's own card number; one that looks like a card number warns."}}},
	L48:  {id: "L48", where: "4.1", basis: Inferred, question: "Some rows are invalid", readings: []Reading{{Text: "The request creates all profiles or none; the problems of every row are reported."}}},
	L49:  {id: "L49", where: "4.1", basis: Assumed, question: "The form of base64", readings: []Reading{{Text: "Base64 is in the standard alphabet, padded, without line breaks and stray bits; other forms are errors and named."}}},
	L50:  {id: "L50", where: "2.1", basis: Assumed, question: "Country, currency and state codes", readings: []Reading{{Text: "Country, currency and state are upper-case codes; an unknown one warns; state is required for US, CA and AU; the list of states can be supplied."}}},
	L54:  {id: "L54", where: "2.1", basis: Assumed, question: "E-mail, IP address and URL", readings: []Reading{{Text: "An e-mail is a plain address, an IP is IPv4 or IPv6 without zone, a callback is an absolute http or https URL; anything else warns."}}},
	L55:  {id: "L55", where: "2.1", basis: Stated, question: "Both callback columns filled", readings: []Reading{{Text: "Both callback columns filled are an error, even if they are equal."}}},
	L56:  {id: "L56", where: "2.1", basis: Stated, question: "The currency of the project", readings: []Reading{{Text: "A currency other than that of the project is an error; while the project is unknown this is not checked, and the output says so."}}},
	L56b: {id: "L56b", where: "2.1", basis: Inferred, question: "interval 0 or negative", readings: []Reading{{Text: "An interval of 0 or below is an error."}}},
	L56c: {id: "L56c", where: "2.1", basis: Assumed, question: "A start-date in the past", readings: []Reading{{Text: "A start-date in the past is a warning when there is a schedule."}}},
	L56d: {id: "L56d", where: "8", basis: Assumed, question: "Size limits", readings: []Reading{{Text: "The size limits are ours, each an option, and an error names the limit; rows and bytes have none by default. The check for a repeated client-orderid reports how many rows it covered if it could not remember all of them."}}},
	L57:  {id: "L57", where: "5.2", basis: Inferred, question: "Encoding of names, sort order and ties", readings: []Reading{{Text: "Names and values are encoded; parameters are sorted by encoded name, then encoded value."}}},
	L58:  {id: "L58", where: "5.2", basis: Inferred, question: `The "full request URL"`, readings: []Reading{{Text: "Scheme and host are in lower case, the default port is dropped, the path is as sent, and an empty path is /."}}},
	L59:  {id: "L59", where: "5.2", basis: Assumed, question: "A URL with a query, a fragment or userinfo; a method other than POST", readings: []Reading{{Text: "They are an error for the gateway; RFC 5849 collects the query."}}},
	L60:  {id: "L60", where: "5.2", basis: Assumed, question: "Two payload parameters", readings: []Reading{{Text: "Both are signed, with a warning."}}},
	L61:  {id: "L61", where: "5.5", basis: Inferred, question: "OAuth parameters in body and header", readings: []Reading{{Text: "Each parameter is signed once; different values are an error."}}},
	L62:  {id: "L62", where: "5.5", basis: Inferred, question: "realm", readings: []Reading{{Text: "The realm is never signed and is accepted anywhere in the header."}}},
	L63:  {id: "L63", where: "5.5", basis: Assumed, question: "Timestamp window, nonce length and reuse", readings: []Reading{{Text: "They are not checked unless the caller says so; whether the signature is right and whether the request is fresh are separate answers."}}},
	L64:  {id: "L64", where: "5.3", basis: Assumed, question: "The secret in the HMAC key", readings: []Reading{{Text: "The secret is percent-encoded; a warning says so when that differs from the raw secret."}}},
	L65:  {id: "L65", where: "5.3, 5.4", basis: Assumed, question: "RSA-SHA256 and key sizes", readings: []Reading{{Text: "The scheme is RSASSA-PKCS1-v1_5 with SHA-256. Keys under 2048 bits are refused unless allowed, over 4096 warn, over 8192 are refused."}}},
	L66:  {id: "L66", where: "5.3", basis: Assumed, question: "The text of a signature", readings: []Reading{{Text: "The text is strict, padded base64; other forms are named."}}},
	L67:  {id: "L67", where: "5.5", basis: Assumed, question: "The grammar of the header", readings: []Reading{{Text: "The scheme may be in any case, parameters in any order, with an optional space after the comma and quoted values; a duplicate is an error."}}},
	L68:  {id: "L68", where: "5.5", basis: Inferred, question: "A space in the body", readings: []Reading{{Text: "A space is written %20; a + is read as a space with a warning."}}},
	L70:  {id: "L70", where: "2.3, 4.1", basis: Assumed, question: "The response record as text", readings: []Reading{{Text: "The record is name=value lines joined by & or LF, one LF stripped per value, unknown names kept."}}},
	L71:  {id: "L71", where: "7", basis: Stated, question: "Error codes", readings: []Reading{{Text: "They are never invented: our findings have codes of our own."}}},
}
