package rules

import (
	"iter"
	"strings"

	"github.com/chargecast/chargecast/internal/clause"
	"github.com/chargecast/chargecast/ledger"
)

// Rules yields every rule: those about payloads, then those about updates of a stored profile.
func Rules() iter.Seq[ledger.Rule] { return table.All() }

// ruleOf returns the rule of one of the package's codes.
func ruleOf(c ledger.Code) *ledger.Rule { return byCode[c] }

// byCode is the table by code, for findings of every row.
var byCode = func() map[ledger.Code]*ledger.Rule {
	rules := map[ledger.Code]*ledger.Rule{}
	for rule := range table.All() {
		rules[rule.Code] = &rule
	}
	return rules
}()

// table has every rule.
var table = ledger.NewRules([]ledger.Rule{
	{Code: NotAPayload, Severity: ledger.SeverityError, Clause: clause.L43,
		Text: "not CSV, base64 of CSV, or a form body",
		Help: "give the CSV text itself, its base64, or the form body with payload=",
		Good: `"rp_card_type";"client-orderid"…`, Bad: "a zip archive, a PDF, a PEM key"},
	{Code: PayloadMissing, Severity: ledger.SeverityError, Clause: clause.Doc41,
		Text: "the form body has no parameter named payload",
		Help: "the name is payload, in lower case and without brackets",
		Good: "payload=InJw…", Bad: "PAYLOAD=InJw…"},
	{Code: PayloadEmpty, Severity: ledger.SeverityError, Clause: clause.L45,
		Text: "the payload is empty",
		Help: "put the base64 of the CSV after payload=",
		Good: "payload=InJw…", Bad: "payload="},
	{Code: PayloadDuplicate, Severity: ledger.SeverityError, Clause: clause.Doc41,
		Text: "the form body has more than one parameter named payload",
		Help: "the request has exactly one; put all rows into it",
		Good: "payload=InJw…", Bad: "payload=InJw…&payload=InJw…"},
	{Code: ParameterExtra, Severity: ledger.SeverityWarning, Clause: clause.X12,
		Text: "the form body has a parameter beside payload",
		Help: "the document names payload alone; OAuth parameters may be beside it",
		Good: "payload=InJw…", Bad: "payload=InJw…&debug=1",
		Note: "in a request to sign or to check it rests on 4.1"},
	{Code: SignatureInBody, Severity: ledger.SeverityError, Clause: clause.Doc51,
		Text: "oauth_signature is in the body",
		Help: "it goes only in the Authorization header",
		Good: "Authorization: OAuth …, oauth_signature=\"…\"", Bad: "payload=InJw…&oauth_signature=…"},
	{Code: FormEscape, Severity: ledger.SeverityError, Clause: clause.L68, Basis: ledger.Assumed,
		Text: "a percent sign is not followed by two hexadecimal digits",
		Help: "write the percent sign itself as %25",
		Good: "payload=a%2Bb", Bad: "payload=a%2",
		Note: "in a request to sign or to check it rests on 5.2"},
	{Code: FormSemicolon, Severity: ledger.SeverityError, Clause: clause.L68, Basis: ledger.Assumed,
		Text: "a bare semicolon is in the form body",
		Help: "separate parameters by &, write a semicolon in a value as %3B",
		Good: "a=1&payload=InJw…", Bad: "a=1;payload=InJw…"},
	{Code: FormName, Severity: ledger.SeverityError, Clause: clause.L68, Basis: ledger.Assumed,
		Text: "a parameter of the form body has no name",
		Help: "write name=value",
		Good: "payload=InJw…", Bad: "=InJw…"},
	{Code: FormPlus, Severity: ledger.SeverityWarning, Clause: clause.L68,
		Text: "a bare + in the form body means a space",
		Help: "write + as %2B and a space as %20",
		Good: "payload=a%2Bb", Bad: "payload=a+b"},
	{Code: LimitParameters, Severity: ledger.SeverityError, Clause: clause.L56d,
		Text: "the form body has more parameters than the limit",
		Help: "send payload alone",
		Good: "payload=InJw…", Bad: "10,001 parameters"},
	{Code: Base64Wrapped, Severity: ledger.SeverityError, Clause: clause.L49,
		Text: "the base64 text is broken into lines",
		Help: "encode without line breaks",
		Good: "InJwX2NhcmRfdHlwZSI7…", Bad: "InJwX2Nh⏎cmRfdHlwZSI7…"},
	{Code: Base64Space, Severity: ledger.SeverityError, Clause: clause.L49,
		Text: "the base64 text has a space where it probably had a +",
		Help: "write + as %2B in a form body",
		Good: "payload=ab%2Bc", Bad: "payload=ab+c"},
	{Code: Base64URLSafe, Severity: ledger.SeverityError, Clause: clause.L49,
		Text: "the base64 text is of the URL-safe kind, with - or _",
		Help: "use the standard alphabet with + and /",
		Good: "ab+/", Bad: "ab-_"},
	{Code: Base64Unpadded, Severity: ledger.SeverityError, Clause: clause.L49,
		Text: "the base64 text lacks its padding",
		Help: "fill it up with = to a multiple of four characters; where its end was cut off, encode again",
		Good: "YQ==", Bad: "YQ"},
	{Code: Base64StrayBits, Severity: ledger.SeverityError, Clause: clause.L49,
		Text: "the last base64 character has bits that belong to no byte",
		Help: "encode again: every text of bytes has exactly one base64 form",
		Good: "YQ==", Bad: "YR=="},
	{Code: Base64Double, Severity: ledger.SeverityError, Clause: clause.L49,
		Text: "the payload was encoded in base64 twice",
		Help: "encode the CSV once",
		Good: "base64(CSV)", Bad: "base64(base64(CSV))"},
	{Code: Base64Syntax, Severity: ledger.SeverityError, Clause: clause.L49,
		Text: "the text is not base64",
		Help: "use the characters A–Z a–z 0–9 + / and = at the end only",
		Good: "YWI=", Bad: "YW*="},

	{Code: ByteOrderMark, Severity: ledger.SeverityWarning, Clause: clause.L44,
		Text: "the text begins with a byte-order mark",
		Help: "save as UTF-8 without one; it is left out here",
		Good: `"rp_card_type"…`, Bad: `EF BB BF "rp_card_type"…`,
		Note: "in front of a key file it rests on 5.4; state and script files are meant, too"},
	{Code: InvalidUTF8, Severity: ledger.SeverityError, Clause: clause.L44,
		Text: "the text is not UTF-8",
		Help: "save the file as UTF-8",
		Good: "C3 A9 (é in UTF-8)", Bad: "E9 (é in Latin-1)"},
	{Code: NULCharacter, Severity: ledger.SeverityError, Clause: clause.L41b,
		Text: "a NUL character is in the text",
		Help: "remove it",
		Good: `"order-1"`, Bad: `"order-1␀"`},
	{Code: ControlCharacter, Severity: ledger.SeverityWarning, Clause: clause.L41b,
		Text: "a control character, or a space that is not the plain one, is in the value",
		Help: "remove or replace it; a reader would not see it",
		Good: `"Springfield"`, Bad: `"Spring␉field"`},
	{Code: NoHeader, Severity: ledger.SeverityError, Clause: clause.L45,
		Text: "there is no header row",
		Help: "begin with a row of column names",
		Good: `"rp_card_type";"client-orderid"…`, Bad: `"SRC";"order-1"…`},
	{Code: NoRows, Severity: ledger.SeverityError, Clause: clause.L45,
		Text: "there is a header but no row after it",
		Help: "add a row for each profile",
		Good: "a header and one row", Bad: "a header alone"},
	{Code: ColumnUnknown, Severity: ledger.SeverityError, Clause: clause.L42,
		Text: "the header names a column that does not exist",
		Help: "use the names of the document exactly, or remove the column",
		Good: `"finish-date"`, Bad: `"finish_date"`},
	{Code: ColumnDuplicate, Severity: ledger.SeverityError, Clause: clause.L42,
		Text: "the header names a column twice",
		Help: "keep one of the two",
		Good: `"amount";"currency"`, Bad: `"amount";"amount"`},
	{Code: ColumnMissing, Severity: ledger.SeverityError, Clause: clause.L42,
		Text: "the header lacks a required column",
		Help: "add the column",
		Good: `"rp_card_type";"client-orderid";"credit-card-number"…`, Bad: `"rp_card_type";"credit-card-number"…`},
	{Code: CSVSeparator, Severity: ledger.SeverityError, Clause: clause.L43,
		Text: "the values are not separated by semicolons",
		Help: "separate them by ; in the settings of the export: replacing the commas would also replace those inside values",
		Good: `"SRC";"order-1"`, Bad: `"SRC","order-1"`},
	{Code: CSVQuote, Severity: ledger.SeverityError, Clause: clause.L43,
		Text: "a double quote is where none can be",
		Help: "put the whole value in double quotes and write a quote inside it twice",
		Good: `"12"" disc"`, Bad: `"12" disc"`},
	{Code: CSVUnterminatedQuote, Severity: ledger.SeverityError, Clause: clause.L43,
		Text: "a value opens with a double quote that is never closed",
		Help: "close it; everything after it was read as part of the value",
		Good: `"order-1"`, Bad: `"order-1`},
	{Code: CSVLineEnd, Severity: ledger.SeverityError, Clause: clause.L43,
		Text: "a row ends with a carriage return alone",
		Help: "end rows with LF or CRLF",
		Good: "…⏎ (LF or CRLF)", Bad: "…␍ (CR)"},
	{Code: CSVWidth, Severity: ledger.SeverityError, Clause: clause.L43,
		Text: "the row has another number of values than the header",
		Help: "give every column a value or leave it empty",
		Good: `"SRC";"";"4111…"`, Bad: `"SRC";"4111…"`},
	{Code: CSVUnquoted, Severity: ledger.SeverityWarning, Clause: clause.L43,
		Text: "values are not quoted",
		Help: "write straight double quotes (\") around every value, as the document asks",
		Good: `"SRC"`, Bad: `SRC`, Note: "reported once for a file, with the number of values"},
	{Code: BlankLine, Severity: ledger.SeverityWarning, Clause: clause.L43,
		Text: "there is a blank line between rows",
		Help: "remove it; it does not count as a row here",
		Good: "row⏎row⏎", Bad: "row⏎⏎row⏎"},
	{Code: LimitBytes, Severity: ledger.SeverityError, Clause: clause.L56d,
		Text: "the input is longer than the limit in bytes",
		Help: "raise the limit of bytes",
		Good: "up to the limit, which is ours", Bad: "one byte more"},
	{Code: LimitRows, Severity: ledger.SeverityError, Clause: clause.L56d,
		Text: "the input has more rows than the limit",
		Help: "raise the limit of rows",
		Good: "up to the limit, which is ours", Bad: "one row more"},
	{Code: LimitRow, Severity: ledger.SeverityError, Clause: clause.L56d,
		Text: "the row is longer than the limit",
		Help: "raise the limit of a row",
		Good: "up to 1 MiB, a limit of ours", Bad: "a longer row"},
	{Code: LimitColumns, Severity: ledger.SeverityError, Clause: clause.L56d,
		Text: "the row has more values than the limit",
		Help: "the document has 33 columns",
		Good: "up to 128, a limit of ours", Bad: "129 values"},
	{Code: LimitOrderIDs, Severity: ledger.SeverityWarning, Clause: clause.L56d,
		Text: "from here on client-orderid is compared with some of the rows before only",
		Help: "sort the rows by client-orderid, which needs no memory, or look for repeated ones elsewhere",
		Good: "any number of rows whose ids rise", Bad: "more rows in another order than are remembered"},
	{Code: LimitElements, Severity: ledger.SeverityError, Clause: clause.L56d,
		Text: "the amount sequence has more elements than the limit",
		Help: "use fewer: the last one is used for all later charges",
		Good: "up to 10,000, a limit of ours", Bad: "10,001 elements"},

	{Code: AsOfMissing, Severity: ledger.SeverityError, Clause: clause.L27,
		Text: "the current date is not given",
		Help: "set Options.AsOf: what is past and what is due depends on it",
		Good: `Options{AsOf: today}`, Bad: `Options{}`},
	{Code: OptionValue, Severity: ledger.SeverityError, Clause: clause.L56d,
		Text: "an option has a value that there is not",
		Help: "use the named constants",
		Good: `Options{Input: InputCSV}`, Bad: `Options{Input: 77}`},

	{Code: SpreadsheetValue, Severity: ledger.SeverityWarning, Clause: clause.L43, Basis: ledger.Assumed,
		Text: "the value is what a spreadsheet made of another one",
		Help: "export the column as text, and look for the value before that",
		Good: `"01067"`, Bad: `"=""01067"""`},
	{Code: TextGarbled, Severity: ledger.SeverityWarning, Clause: clause.L44, Basis: ledger.Assumed,
		Text: "the text looks like UTF-8 that was read in another encoding",
		Help: "read the file as UTF-8 where it was imported, and export it again",
		Good: `"Müller"`, Bad: `"MÃ¼ller"`},
	{Code: ZipCodeZero, Severity: ledger.SeverityWarning, Clause: clause.L43, Basis: ledger.Assumed,
		Text: "the zip code has fewer digits than those of the country",
		Help: "perhaps a spreadsheet dropped a zero at its beginning: export the column as text",
		Good: `"01067"`, Bad: `"1067" in Germany`},
	{Code: SequenceCommas, Severity: ledger.SeverityWarning, Clause: clause.L36b,
		Text: "the commas of the amount-sequence look like decimal marks",
		Help: "write decimals after a point: 9.99,19.99; a comma is between amounts",
		Good: `"9.99,19.99"`, Bad: `"9,99,19,99"`},
	{Code: RowRepeatsHeader, Severity: ledger.SeverityError, Clause: clause.L43, Basis: ledger.Assumed,
		Text: "the row repeats the header",
		Help: "remove it: files were joined",
		Good: "one header", Bad: "a header before the rows of each file"},

	{Code: MissingValue, Severity: ledger.SeverityError, Clause: clause.Doc21,
		Text: "a required value is missing",
		Help: "fill it in",
		Good: `"EUR"`, Bad: `""`, Note: "on a column for SRC only it rests on X5, inferred"},
	{Code: TooLong, Severity: ledger.SeverityError, Clause: clause.Doc21,
		Text: "the value is longer than the column allows",
		Help: "shorten it; the limit counts characters",
		Good: "128 characters of client-orderid", Bad: "129 of them",
		Note: "on amounts it rests on L35 or X4, inferred; on order_desc on L40, assumed; on the two callback columns on X13"},
	{Code: TooShort, Severity: ledger.SeverityError, Clause: clause.Doc21,
		Text: "the value is shorter than the column allows",
		Help: "give the code in full",
		Good: `"CA"`, Bad: `"C"`},
	{Code: BytesExceedLimit, Severity: ledger.SeverityWarning, Clause: clause.L41,
		Text: "the value is within the limit in characters but not in bytes",
		Help: "shorten it: the gateway may count bytes, and refuse the value",
		Good: "128 letters a", Bad: "128 letters é (256 bytes)"},
	{Code: SurroundingSpace, Severity: ledger.SeverityError, Clause: clause.L46,
		Text: "a space is before or after the value",
		Help: "remove it; nothing is trimmed silently",
		Good: `"SRC"`, Bad: `"SRC "`, Note: "a warning in free text, e-mail, IP address and URL columns"},
	{Code: SrcOnlyOnDst, Severity: ledger.SeverityWarning, Clause: clause.L37,
		Text: "a column for SRC only has a value although rp_card_type is DST",
		Help: "leave it empty",
		Good: `DST with city ""`, Bad: `DST with city "Springfield"`},

	{Code: CardTypeValue, Severity: ledger.SeverityError, Clause: clause.Doc21,
		Text: "rp_card_type is neither SRC nor DST",
		Help: "write SRC or DST, in upper case",
		Good: `"SRC"`, Bad: `"src"`},
	{Code: OrderIDDuplicate, Severity: ledger.SeverityWarning, Clause: clause.L47,
		Text: "an earlier row has the same client-orderid",
		Help: "give every profile its own",
		Good: `"order-1", "order-2"`, Bad: `"order-1", "order-1"`},
	{Code: OrderIDLikeCard, Severity: ledger.SeverityWarning, Clause: clause.L47,
		Text: "client-orderid looks like a card number",
		Help: "give the profile an id of its own: client-orderid is printed in full, in outputs and findings",
		Good: `"order-1"`, Bad: "16 digits that begin with 4 and end in their check digit",
		Note: "not where it is the row's own card number, which is masked"},
	{Code: CardNumberForm, Severity: ledger.SeverityError, Clause: clause.L39c,
		Text: "the card number is not made of digits only",
		Help: "write digits only, without spaces, dashes, letters or points",
		Good: "4111 1111 1111 1111 without the spaces", Bad: "4111 1111 1111 1111"},
	{Code: CardNumberShort, Severity: ledger.SeverityWarning, Clause: clause.L39c,
		Text: "the card number has fewer than 12 digits",
		Help: "check that it is complete",
		Good: "12 to 19 digits", Bad: "11 digits"},
	{Code: CardNumberCheck, Severity: ledger.SeverityWarning, Clause: clause.L39c,
		Text: "the check digit of the card number is wrong",
		Help: "look for a mistyped digit",
		Good: "a number that ends in its check digit", Bad: "one with two digits swapped"},
	{Code: CVV2Form, Severity: ledger.SeverityError, Clause: clause.Doc21,
		Text: "cvv2 is not made of 3 or 4 digits",
		Help: "give 3 or 4 digits, leading zeros included, or leave it empty",
		Good: "three digits", Bad: "two digits"},
	{Code: ExpireYearForm, Severity: ledger.SeverityError, Clause: clause.L39,
		Text: "expire-year is not made of four digits",
		Help: "write the year in four digits",
		Good: `"2031"`, Bad: `"31"`},
	{Code: ExpireMonthForm, Severity: ledger.SeverityError, Clause: clause.L39,
		Text: "expire-month is not a month from 01 to 12",
		Help: "write two digits from 01 to 12",
		Good: `"01"`, Bad: `"13"`},
	{Code: ExpireMonthOneDigit, Severity: ledger.SeverityWarning, Clause: clause.L39,
		Text: "expire-month has one digit",
		Help: "write two, the leading zero included",
		Good: `"01"`, Bad: `"1"`},
	{Code: AmountSyntax, Severity: ledger.SeverityError, Clause: clause.L36,
		Text: "the amount is not written as digits, or digits, a point and digits",
		Help: "use a decimal point and no sign, currency, space, exponent or thousands mark",
		Good: `"12.50"`, Bad: `"12,50"`},
	{Code: SequenceElement, Severity: ledger.SeverityError, Clause: clause.L36b,
		Text: "an element of amount-sequence is not an amount",
		Help: "put a comma between the elements, and a point before the decimals; an amount has no spaces",
		Good: `"1.00,2.00"`, Bad: `"1.00, 2.00"`},
	{Code: AmountZero, Severity: ledger.SeverityError, Clause: clause.L36,
		Text: "the amount is zero",
		Help: "give a positive amount",
		Good: `"0.01"`, Bad: `"0.00"`},
	{Code: AmountScale, Severity: ledger.SeverityWarning, Clause: clause.L36c,
		Text: "the amount has more decimals than the currency",
		Help: "write no more decimals than the currency has: nothing is rounded here, but the gateway may round",
		Good: "10 JPY", Bad: "10.50 JPY"},
	{Code: LeadingZero, Severity: ledger.SeverityWarning, Clause: clause.L36,
		Text: "the number has needless leading zeros",
		Help: "remove them",
		Good: `"12.50"`, Bad: `"0012.50"`,
		Note: "in the timestamp of a request it rests on 5.1: the timestamp is signed with them"},
	{Code: CurrencyUnknown, Severity: ledger.SeverityWarning, Clause: clause.L50,
		Text: "currency is not a code of ISO 4217, so the decimals of amounts are not checked",
		Help: "write the three letters of the code in upper case, such as EUR",
		Good: `"EUR"`, Bad: `"eur"`},
	{Code: ProjectCurrency, Severity: ledger.SeverityError, Clause: clause.L56,
		Text: "currency differs from that of the project",
		Help: "use the currency of the project in every row",
		Good: "EUR in a project of EUR", Bad: "USD in a project of EUR"},
	{Code: CountryUnknown, Severity: ledger.SeverityWarning, Clause: clause.L50,
		Text: "country is not a code of ISO 3166-1",
		Help: "write the two letters of the code in upper case, such as DE",
		Good: `"DE"`, Bad: `"de"`},
	{Code: StateRequired, Severity: ledger.SeverityError, Clause: clause.Doc21,
		Text: "state is missing although country is US, CA or AU",
		Help: "give the state, province or territory",
		Good: `US with "CA"`, Bad: `US with ""`},
	{Code: StateUnknown, Severity: ledger.SeverityWarning, Clause: clause.L50,
		Text: "state is not in the list for the country",
		Help: "use the code of ISO 3166-2 in upper case and without the country, such as CA",
		Good: `US with "CA"`, Bad: `US with "ZZ"`},
	{Code: EmailForm, Severity: ledger.SeverityWarning, Clause: clause.L54,
		Text: "the value is not a plain e-mail address",
		Help: "write it as name@example.com, without display name, quotes or brackets",
		Good: "name@example.com", Bad: "Name <name@example.com>"},
	{Code: IPForm, Severity: ledger.SeverityWarning, Clause: clause.L54,
		Text: "the value is not an IPv4 or IPv6 address",
		Help: "write it without port, brackets, mask or zone",
		Good: "192.0.2.1", Bad: "192.0.2.1:80"},
	{Code: URLForm, Severity: ledger.SeverityWarning, Clause: clause.L54,
		Text: "the value is not an absolute http or https URL",
		Help: "write https://host/path",
		Good: "https://merchant.example/cb", Bad: "merchant.example/cb",
		Note: "an error in the URL of a request to sign or to check, where it rests on L58"},
	{Code: PeriodValue, Severity: ledger.SeverityError, Clause: clause.Doc21,
		Text: "period is not day, week or month",
		Help: "write one of them in lower case; interval multiplies it",
		Good: `"month"`, Bad: `"monthly"`},
	{Code: IntervalValue, Severity: ledger.SeverityError, Clause: clause.L56b,
		Text: "interval is not a whole number from 1",
		Help: "write 1 for every period, 2 for every second one",
		Good: `"1"`, Bad: `"0"`},
	{Code: IntegerSyntax, Severity: ledger.SeverityError, Clause: clause.Doc21,
		Text: "the value is not a whole number in digits",
		Help: "write digits only: no decimals and no mark between thousands",
		Good: `"12"`, Bad: `"1.5"`},
	{Code: IntegerRange, Severity: ledger.SeverityError, Clause: clause.Doc21, Basis: ledger.Assumed,
		Text: "the number is above 9223372036854775807",
		Help: "write a smaller number",
		Good: `"12"`, Bad: `"99999999999999999999"`},
	{Code: MaxNegative, Severity: ledger.SeverityError, Clause: clause.L10,
		Text: "max-repeats-number is negative",
		Help: "leave it empty for no limit",
		Good: `"12"`, Bad: `"-1"`},
	{Code: DateSyntax, Severity: ledger.SeverityError, Clause: clause.L38,
		Text: "the date is not written DD.MM.YYYY",
		Help: "write two digits, two digits and four digits, separated by points; the document's length 8 counts the digits alone",
		Good: `"01.02.2026"`, Bad: `"1.2.2026"`, Note: "in lines of state and script files, where it is found too, the form is YYYY-MM-DD"},
	{Code: DateNotADay, Severity: ledger.SeverityError, Clause: clause.L38,
		Text: "the day does not exist",
		Help: "check day and month: the day comes before the month",
		Good: `"28.02.2026"`, Bad: `"31.02.2026"`},
	{Code: BirthdayFuture, Severity: ledger.SeverityWarning, Clause: clause.L38,
		Text: "birthday lies in the future",
		Help: "check the year",
		Good: `"01.02.1980"`, Bad: `"01.02.2980"`},
	{Code: OrderDescLong, Severity: ledger.SeverityWarning, Clause: clause.L40,
		Text: `order_desc is longer than one reading of "65K"`,
		Help: "the document's 65K may mean 65,000, 65,535 or 65,536; up to 65,000 characters fit every reading",
		Good: "65,000 characters", Bad: "65,001 characters"},

	{Code: AmountMissing, Severity: ledger.SeverityError, Clause: clause.Doc225,
		Text: "no amount is given",
		Help: "use amount, or amount-from with amount-to, or amount-sequence",
		Good: `amount "12.50"`, Bad: "all four amount columns empty"},
	{Code: AmountModes, Severity: ledger.SeverityError, Clause: clause.L34,
		Text: "more than one amount choice is given",
		Help: "keep one of amount, amount-from with amount-to, amount-sequence",
		Good: `amount "12.50"`, Bad: `amount "12.50", amount-sequence "1.00,2.00"`},
	{Code: AmountHalfRange, Severity: ledger.SeverityError, Clause: clause.L34,
		Text: "only one of amount-from and amount-to is given",
		Help: "give both or neither",
		Good: `amount-from "1.00", amount-to "5.00"`, Bad: `amount-from "1.00"`},
	{Code: AmountOrder, Severity: ledger.SeverityError, Clause: clause.L33,
		Text: "amount-from is above amount-to",
		Help: "swap them",
		Good: `amount-from "1.00", amount-to "5.00"`, Bad: `amount-from "5.00", amount-to "1.00"`},
	{Code: SchedulePair, Severity: ledger.SeverityError, Clause: clause.Doc223,
		Text: "only one of period and interval is given",
		Help: "give both for an automatic schedule, neither for none",
		Good: `period "month", interval "1"`, Bad: `period "month"`},
	{Code: ScheduleOnDst, Severity: ledger.SeverityError, Clause: clause.Doc1,
		Text: "period or interval has a value although rp_card_type is DST",
		Help: "leave both empty: an automatic schedule is available only for SRC",
		Good: `SRC with period "month"`, Bad: `DST with period "month"`},
	{Code: CallbacksBoth, Severity: ledger.SeverityError, Clause: clause.L55,
		Text: "both notify_url and server_callback_url have a value",
		Help: "send one of them, never both",
		Good: "server_callback_url alone", Bad: "both, even if equal"},
	{Code: CardExpired, Severity: ledger.SeverityWarning, Clause: clause.L39,
		Text: "the card has expired",
		Help: "ask for the new card",
		Good: "a card that expires after the as-of date", Bad: "one that expired before"},
	{Code: CardExpiresBeforeCharge, Severity: ledger.SeverityWarning, Clause: clause.L31,
		Text: "the card expires before a charge",
		Help: "the forecast stays whole; ask for the new card in time",
		Good: "a card that outlives the schedule", Bad: "twelve monthly charges, a card for six"},
	{Code: StartAbsent, Severity: ledger.SeverityError, Clause: clause.L02,
		Text: "start-date is empty although there is a schedule",
		Help: "give one: the policy start-absent=reject requires it",
		Good: `"31.01.2026"`, Bad: `""`, Note: "only under the policy start-absent=reject"},
	{Code: StartPast, Severity: ledger.SeverityWarning, Clause: clause.L56c,
		Text: "start-date lies before the as-of date",
		Help: "the policy start-past decides what becomes of the days before",
		Good: "a start-date on or after as-of", Bad: "one before it",
		Note: "an error under the policy start-past=reject; only with a schedule"},
	{Code: FinishBeforeStart, Severity: ledger.SeverityWarning, Clause: clause.L32a,
		Text: "finish-date lies before start-date",
		Help: "the profile is never charged; check both dates",
		Good: `start-date "01.02.2026", finish-date "01.02.2027"`, Bad: `start-date "01.02.2027", finish-date "01.02.2026"`},
	{Code: MaxZero, Severity: ledger.SeverityWarning, Clause: clause.L09,
		Text: "max-repeats-number is 0",
		Help: "under the default policy that means no charge at all; leave it empty for no limit",
		Good: `"12"`, Bad: `"0"`, Note: "an error under the policy max-zero=reject"},
	{Code: MaxRepeatsUnreachable, Severity: ledger.SeverityWarning, Clause: clause.L11,
		Text: "finish-date stops the profile before max-repeats-number is reached",
		Help: "check which of the two is meant",
		Good: "12 monthly charges, a finish-date two years on", Bad: "12 monthly charges, a finish-date in six months"},
	{Code: NeverCharges, Severity: ledger.SeverityWarning, Clause: clause.L32a,
		Text: "the profile has a schedule but is never charged",
		Help: "check start-date, finish-date and max-repeats-number",
		Good: "a schedule with a due day before its end", Bad: "finish-date before the first due day"},
	{Code: FinishUnreachable, Severity: ledger.SeverityOff, Clause: clause.L11,
		Text: "max-repeats-number stops the profile before finish-date",
		Help: "raise max-repeats-number, unless finish-date is only a safeguard",
		Good: "12 monthly charges, a finish-date in six months", Bad: "12 monthly charges, a finish-date two years on",
		Note: "off by default"},
	{Code: FirstChargeToday, Severity: ledger.SeverityOff, Clause: clause.Doc224,
		Text: "the first charge is made on the as-of date itself",
		Help: "send the request only if that is meant",
		Good: "a start-date after as-of", Bad: "a start-date equal to as-of", Note: "off by default"},

	{Code: ScriptColumn, Severity: ledger.SeverityError, Clause: clause.X9, Basis: ledger.Assumed,
		Text: "an update cannot change this column",
		Help: "it may set every column but " + strings.Join(fixedColumns.names(), ", "),
		Good: `{"start-date":"11.01.2026"}`, Bad: `{"client-orderid":"x"}`},
	{Code: ScriptEmpty, Severity: ledger.SeverityWarning, Clause: clause.X9, Basis: ledger.Assumed,
		Text: "the update sets nothing",
		Help: "name a column and its new value",
		Good: `{"finish-date":"31.12.2026"}`, Bad: `{}`},
}, nil)

// The codes of this package are stable: scripts, overrides and suppressions rely on them. [Rules]
// lists them with what they mean.

// The form in which the payload arrived.
const (
	NotAPayload      ledger.Code = "not-a-payload"
	PayloadMissing   ledger.Code = "payload-missing"
	PayloadEmpty     ledger.Code = "payload-empty"
	PayloadDuplicate ledger.Code = "payload-duplicate"
	ParameterExtra   ledger.Code = "parameter-extra"
	SignatureInBody  ledger.Code = "signature-in-body"
	FormEscape       ledger.Code = "form-escape"
	FormSemicolon    ledger.Code = "form-semicolon"
	FormName         ledger.Code = "form-name"
	FormPlus         ledger.Code = "form-plus"
	LimitParameters  ledger.Code = "limit-parameters"
	Base64Wrapped    ledger.Code = "base64-wrapped"
	Base64Space      ledger.Code = "base64-space"
	Base64URLSafe    ledger.Code = "base64-url-safe"
	Base64Unpadded   ledger.Code = "base64-unpadded"
	Base64StrayBits  ledger.Code = "base64-stray-bits"
	Base64Double     ledger.Code = "base64-double"
	Base64Syntax     ledger.Code = "base64-syntax"
)

// The text and its structure.
const (
	ByteOrderMark        ledger.Code = "byte-order-mark"
	InvalidUTF8          ledger.Code = "invalid-utf8"
	NULCharacter         ledger.Code = "nul-character"
	ControlCharacter     ledger.Code = "control-character"
	NoHeader             ledger.Code = "no-header"
	NoRows               ledger.Code = "no-rows"
	ColumnUnknown        ledger.Code = "column-unknown"
	ColumnDuplicate      ledger.Code = "column-duplicate"
	ColumnMissing        ledger.Code = "column-missing"
	CSVSeparator         ledger.Code = "csv-separator"
	CSVQuote             ledger.Code = "csv-quote"
	CSVUnterminatedQuote ledger.Code = "csv-unterminated-quote"
	CSVLineEnd           ledger.Code = "csv-line-end"
	CSVWidth             ledger.Code = "csv-width"
	CSVUnquoted          ledger.Code = "csv-unquoted"
	BlankLine            ledger.Code = "blank-line"
	LimitBytes           ledger.Code = "limit-bytes"
	LimitRows            ledger.Code = "limit-rows"
	LimitRow             ledger.Code = "limit-row"
	LimitColumns         ledger.Code = "limit-columns"
	LimitElements        ledger.Code = "limit-elements"
	LimitOrderIDs        ledger.Code = "limit-order-ids"
	RowRepeatsHeader     ledger.Code = "row-repeats-header"
	AsOfMissing          ledger.Code = "as-of-missing"
	OptionValue          ledger.Code = "payload-option"
)

// Any column.
const (
	MissingValue     ledger.Code = "required"
	TooLong          ledger.Code = "too-long"
	TooShort         ledger.Code = "too-short"
	BytesExceedLimit ledger.Code = "bytes-exceed-limit"
	SurroundingSpace ledger.Code = "surrounding-space"
	SrcOnlyOnDst     ledger.Code = "src-only-on-dst"
)

// Single columns.
const (
	CardTypeValue       ledger.Code = "card-type"
	OrderIDDuplicate    ledger.Code = "orderid-duplicate"
	OrderIDLikeCard     ledger.Code = "orderid-like-card"
	CardNumberForm      ledger.Code = "card-number"
	CardNumberShort     ledger.Code = "card-number-short"
	CardNumberCheck     ledger.Code = "card-number-check"
	CVV2Form            ledger.Code = "cvv2-form"
	ExpireYearForm      ledger.Code = "expire-year"
	ExpireMonthForm     ledger.Code = "expire-month"
	ExpireMonthOneDigit ledger.Code = "expire-month-one-digit"
	AmountSyntax        ledger.Code = "amount-syntax"
	SequenceElement     ledger.Code = "sequence-element"
	AmountZero          ledger.Code = "amount-zero"
	AmountScale         ledger.Code = "amount-scale"
	LeadingZero         ledger.Code = "leading-zero"
	CurrencyUnknown     ledger.Code = "currency-unknown"
	ProjectCurrency     ledger.Code = "project-currency"
	CountryUnknown      ledger.Code = "country-unknown"
	StateRequired       ledger.Code = "state-required"
	StateUnknown        ledger.Code = "state-unknown"
	EmailForm           ledger.Code = "email-form"
	IPForm              ledger.Code = "ip-form"
	URLForm             ledger.Code = "url-form"
	PeriodValue         ledger.Code = "period-value"
	IntervalValue       ledger.Code = "interval-value"
	IntegerSyntax       ledger.Code = "integer-syntax"
	IntegerRange        ledger.Code = "integer-range"
	MaxNegative         ledger.Code = "max-negative"
	DateSyntax          ledger.Code = "date-syntax"
	DateNotADay         ledger.Code = "date-not-a-day"
	BirthdayFuture      ledger.Code = "birthday-future"
	OrderDescLong       ledger.Code = "order-desc-long"
	SpreadsheetValue    ledger.Code = "spreadsheet-value"
	TextGarbled         ledger.Code = "text-garbled"
	ZipCodeZero         ledger.Code = "zip-code-zero"
	SequenceCommas      ledger.Code = "sequence-decimal-commas"
)

// Columns together, and what the engine says about the row.
const (
	AmountMissing           ledger.Code = "amount-missing"
	AmountModes             ledger.Code = "amount-modes"
	AmountHalfRange         ledger.Code = "amount-half-range"
	AmountOrder             ledger.Code = "amount-order"
	SchedulePair            ledger.Code = "schedule-pair"
	ScheduleOnDst           ledger.Code = "schedule-on-dst"
	CallbacksBoth           ledger.Code = "callbacks-both"
	CardExpired             ledger.Code = "card-expired"
	CardExpiresBeforeCharge ledger.Code = "card-expires-before-charge"
	StartAbsent             ledger.Code = "start-absent"
	StartPast               ledger.Code = "start-past"
	FinishBeforeStart       ledger.Code = "finish-before-start"
	MaxZero                 ledger.Code = "max-zero"
	MaxRepeatsUnreachable   ledger.Code = "max-repeats-unreachable"
	NeverCharges            ledger.Code = "never-charges"
	FinishUnreachable       ledger.Code = "finish-unreachable"
	FirstChargeToday        ledger.Code = "first-charge-today"
)

// Updates of a stored profile.
const (
	ScriptColumn ledger.Code = "script-column"
	ScriptEmpty  ledger.Code = "script-empty"
)
