// Package lawtext has the laws that any implementation can be asked, in sentences: what holds, the clauses that it rests on, and
// an example. The kit judges by them, and chargecast explain prints them.
package lawtext

import "slices"

// A Law is a statement about every input.
type Law struct {
	ID       string // "T07"; never reused
	Clause   string // clauses of the document and entries of the ledger, apart by spaces
	Sentence string
	Example  string
}

// Find gives the law with an id.
func Find(id string) (Law, bool) {
	i := slices.IndexFunc(table, func(l Law) bool { return l.ID == id })
	if i < 0 {
		return Law{}, false
	}
	return table[i], true
}

// All are the laws, the strictest of each kind first.
func All() []Law { return slices.Clone(table) }

var table = []Law{
	{
		"T07", "2.2.1 2.2.7 2.2.8 2.2.9",
		"The charges of a window, with their dates, repeat numbers and amounts, are those that a walk through the days makes.",
		"10.00 EUR monthly from 31.01.2026: 2026-01-31 with repeat 0, 2026-02-28 with 1, 2026-03-31 with 2.",
	},
	{
		"T25", "2.2.8 2.2.9 L11",
		"A profile stops on the day, and for the reasons, that a walk through the days comes to.",
		"Weekly from 01.01.2026 with max-repeats-number 3 and finish-date 15.01.2026: stopped on 2026-01-15 by max-repeats and finish-date.",
	},
	{
		"T26", "2.2.7 2.2.8",
		"At the end of each day the status, the repeat number and the stop are those of a walk through the days.",
		"Monthly from 31.01.2026 with max-repeats-number 2: on 2026-02-28 stopped, repeat 2.",
	},
	{
		"T21", "L29 L31",
		"Neither the expiry of the card nor a weekend nor a holiday changes a charge.",
		"A charge due on Saturday, 2026-02-28, is made on that day.",
	},
	{
		"E23", "2.2.1 2.2.10 3 L32b",
		"The charges and events of a simulation are those of a walk through the days, each event with its result.",
		"Stopped on 2026-03-01 and resumed through the UI on 2026-04-10, a monthly profile from 31.01.2026 goes on with 2026-04-30.",
	},
	{
		"E31", "2.2.8 3",
		"At the end of a simulation the status, the repeat number and the stop are those of a walk through the days.",
		"A profile that was stopped through the update operation on 2026-03-01 is stopped since that day by stopped-by-api.",
	},
	{
		"C03", "2.2.1",
		"February has 29 days in the years that 4 divides, but for those that 100 divides and 400 does not.",
		"2000 and 2024 have a 29th of February, 2100 and 2026 have none.",
	},
	{
		"C05", "X3",
		"A date of a payload is two digits, a dot, two digits, a dot and four digits that name a day of the years 1 to 9999.",
		"29.02.2024 is a date; 29.02.2026, 1.2.2026 and 2026-02-01 are none.",
	},
	{
		"A01", "L36",
		"An amount is digits, optionally a point and more digits, within the limits of an amount; no error shows the text.",
		"10 and 10.50 are amounts; .5, 5., 1e3, +1 and 1,50 are none.",
	},
	{
		"A04", "L36d",
		"Sums are exact, in any order and grouping.",
		"Ten times 0.10 is 1.00.",
	},
	{
		"V03", "2.1",
		"A fault in one cell is reported also when other cells are broken: ten faults, ten problems.",
		"A wrong amount and a wrong start-date in one row are two problems.",
	},
	{
		"V04", "L48",
		"The problems of a row depend on that row and the header alone, but for a client-orderid that comes again.",
		"A broken row changes nothing that is said of the rows around it.",
	},
	{
		"V05", "L42",
		"Another order of the columns changes no problem, another order of the rows their order alone.",
		"A payload with amount as its first column has the problems that it has with amount as its last.",
	},
	{"V06", "2.1", "A row without a fault has no error.", "The row that chargecast payload template writes."},
	{
		"V07", "2.1",
		"A single fault in a valid row is reported for its column, and with it only what follows from it.",
		"A period without an interval is an error of interval.",
	},
	{
		"V08", "L41",
		"A value of the greatest length passes and one that is longer by a character does not, counted in characters.",
		"128 letters ü are a city, 129 are none.",
	},
	{
		"V22", "L48",
		"With one error anywhere nothing would be created, and still every row is judged.",
		"Of three rows with a fault in the first, the other two are reported as usable.",
	},
	{
		"W01", "L49",
		"Each byte string has exactly one base64 text that is accepted.",
		"YWI= is accepted; YWI, YWJ= and YW I= are refused.",
	},
	{
		"W04", "L68",
		"The reader of form bodies loses nothing: each pair is read, or an error names its place.",
		"payload=a+b is read with a space; payload=%zz is refused.",
	},
	{"W07", "L49", "Beside an error no part of the decoded text is returned.", "payload=YWJj%ZZ gives an error and no abc."},
	{
		"P01", "5.2",
		"A text is encoded byte by byte, into letters, digits, -._~ and % with two hex digits, at most three times as long.",
		"a ü is a%20%C3%BC.",
	},
	{
		"P02", "5.2",
		"Letters, digits and -._~ stay as they are; every other byte is % and two hex digits in upper case.",
		"A space is %20, ü is %C3%BC.",
	},
	{
		"P06", "5.2",
		"The encoding is neither that of forms nor that of paths.",
		"A space is %20 and not +; = : @ & $ and + are encoded.",
	},
	{
		"B08", "5.2",
		"The base string is the one that RFC 5849 makes: method, URI and parameters, each sorted by its encoded name and value, encoded again.",
		"POST&https%3A%2F%2Fh%2Fp&a%3D1%26oauth_nonce%3Dn…",
	},
	{
		"B02", "L60 L62",
		"A realm in the header and an oauth_signature anywhere change nothing; a realm in the body is a parameter, and parameters that come twice are kept.",
		"A signed request has the base string that it had before it was signed.",
	},
	{
		"B05", "L61",
		"OAuth parameters in the header, in the body or in both make one base string; a copy that differs is an error.",
		"An oauth_nonce of the body that is not that of the header is refused.",
	},
	{"S01", "5.3", "What is signed verifies.", "A request signed with HMAC-SHA1 and one signed with RSA-SHA256."},
	{
		"S02", "5.3",
		"With one bit of the message, the signature or the key changed, nothing verifies.",
		"payload=x signed, payload=y sent: a mismatch.",
	},
	{"S03", "L65", "A signature under RSA-SHA256 is the one that PKCS #1 v1.5 makes of the base string.", "It is the one of openssl dgst -sha256 -sign."},
	{
		"S04", "L64",
		"A signature under HMAC-SHA1 is made with the encoded consumer secret and an ampersand.",
		"The secret a b makes the key a%20b&.",
	},
	{
		"S05", "L65",
		"A tag of another length and an RSA signature with a forged padding are refused.",
		"The first 10 of the 20 bytes of a tag under HMAC-SHA1; a padding without its NULL.",
	},
	{"S06", "L66", "Any other spelling of the right signature is refused.", "A base64 text without its padding, or with a line end."},
	{"S07", "L66", "The signature in a header is the base64 of the tag, never its hex digits.", "28 characters for HMAC-SHA1."},
	{"S09", "L65", "A key signs alike in both of its forms, PKCS #1 and PKCS #8.", "BEGIN RSA PRIVATE KEY and BEGIN PRIVATE KEY."},
	{"S10", "5.3", "What cannot be signed is an error, never an empty header.", "A URL with a query, or one that is none."},
}
