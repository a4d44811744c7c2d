package main

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/chargecast/chargecast/calendar"
)

// mix and u are where every workload comes from, so that every run, on every machine and
// in every language, has the same data. They are written out here, not borrowed from the
// library: a workload must not change when the library does.
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// u is draw number j of profile or row i.
func u(i, j uint64) uint64 { return mix(mix(i) + j) }

// W1 and W2: a portfolio.

// A profile is one profile of W1, in the few bytes that a generator needs. W2 is the same
// profile with a range from 1.00 to minor.
type profile struct {
	unit     calendar.Unit
	offset   int // days from 2026-01-01 to the start, 0 … 30
	minor    int64
	currency string
}

// The window of W1: 2026-01-01 … 2030-12-31, both inclusive.
const (
	portfolioFrom = "2026-01-01"
	portfolioLast = "2030-12-31"
	portfolioDays = 1826
)

var portfolioCurrencies = [4]string{"EUR", "USD", "GBP", "CHF"}

func portfolioProfile(i uint64) profile {
	unit := calendar.UnitMonth
	switch d := u(i, 0) % 10; {
	case d == 9:
		unit = calendar.UnitDay
	case d >= 7:
		unit = calendar.UnitWeek
	}
	return profile{
		unit:     unit,
		offset:   int(u(i, 1) % 31),
		minor:    100 + int64(u(i, 2)%99_900),
		currency: portfolioCurrencies[u(i, 3)%4],
	}
}

// start is the first charge of the profile.
func (p profile) start() calendar.Date {
	return calendar.MustParse(portfolioFrom).AddDays(p.offset)
}

// W3: a payload.

const payloadHeader = `"rp_card_type";"client-orderid";"credit-card-number";"cvv2";"card-printed-name";` +
	`"expire-year";"expire-month";"amount";"amount-from";"amount-to";"amount-sequence";"currency";` +
	`"country";"city";"zip-code";"address1";"first-name";"last-name";"email";"period";"interval";` +
	`"order_desc";"customer-ip";"ssn";"birthday";"phone";"state";"start-date";"finish-date";` +
	`"max-repeats-number";"purpose";"notify_url";"server_callback_url"`

// payloadRows is the number of rows of W3.
const payloadRows = 100_000

// A payloadForm is W3 or one of its variants.
type payloadForm uint8

const (
	payloadPlain  payloadForm = iota // W3
	payloadCRLF                      // the same rows with a byte-order mark and CRLF
	payloadBad                       // three faults in each row with i mod 10 = 9
	payloadVaried                    // W3v, a merchant's file: names, places and dates vary
)

func (f payloadForm) lineEnd() string {
	if f == payloadCRLF {
		return "\r\n"
	}
	return "\n"
}

// appendPayloadHeader appends what comes before the first row.
func (f payloadForm) appendHeader(dst []byte) []byte {
	if f == payloadCRLF {
		dst = append(dst, "\xef\xbb\xbf"...)
	}
	dst = append(dst, payloadHeader...)
	return append(dst, f.lineEnd()...)
}

// appendRow appends row i with its line end.
func (f payloadForm) appendRow(dst []byte, i uint64) []byte {
	bad := f == payloadBad && i%10 == 9
	who := steadyCustomer
	if f == payloadVaried {
		who = customerOf(i)
	}
	dst = append(dst, `"SRC";"order-`...)
	dst = appendPadded(dst, i, 9)
	dst = appendCard(append(dst, `";"`...), u(i, 0)%1e14)
	dst = appendPadded(append(dst, `";"`...), u(i, 1)%1000, 3)
	dst = append(dst, `";"`...)
	dst = append(append(dst, who.printed...), `";"`...)
	dst = appendPadded(dst, 2031+u(i, 2)%5, 4)
	dst = appendPadded(append(dst, `";"`...), 1+u(i, 3)%12, 2)
	dst = append(dst, `";`...)
	switch u(i, 4) % 3 {
	case 0:
		dst = appendPadded(append(dst, '"'), 1+u(i, 5)%499, 1)
		dst = appendPadded(append(dst, '.'), u(i, 6)%100, 2)
		dst = append(dst, `";"";"";""`...)
	case 1:
		dst = append(dst, `"";"10.00";"49.99";""`...)
	default:
		dst = append(dst, `"";"";"";"1.00,9.99,19.99"`...)
	}
	dst = append(dst, choose(bad, `;"";"US";"`, `;"USD";"US";"`)...)
	dst = append(append(dst, who.city...), `";"`...)
	if who.zip == "" {
		dst = appendPadded(dst, u(i, 7)%100_000, 5)
	}
	dst = append(dst, who.zip...)
	dst = appendPadded(append(dst, `";"`...), 1+u(i, 8)%999, 1)
	dst = appendPadded(append(dst, ` Example Street; Apt `...), 1+u(i, 9)%99, 1)
	dst = append(append(dst, `";"`...), who.first...)
	dst = append(append(dst, `";"`...), who.last...)
	dst = appendPadded(append(dst, `";"john`...), i, 1)
	dst = append(dst, `@example.com";"`...)
	dst = append(dst, [...]string{"day", "week", "month"}[u(i, 10)%3]...)
	interval := 1 + u(i, 11)%3
	if bad {
		interval = 0
	}
	dst = appendPadded(append(dst, `";"`...), interval, 1)
	for _, value := range [...]string{who.description, who.ip, "", who.birthday, who.phone, who.state} {
		dst = append(append(dst, `";"`...), value...)
	}
	dst = append(append(dst, `";"`...), choose(bad, "1.2.2026", who.start)...)
	for _, value := range [...]string{who.finish, who.repeats, "subscription", "", "https://merchant.example/cb"} {
		dst = append(append(dst, `";"`...), value...)
	}
	dst = append(dst, '"')
	return append(dst, f.lineEnd()...)
}

// A customer is what W3 has the same in every row, and W3v not.
type customer struct {
	printed, first, last, city, zip, state string // without zip: it varies in W3 too
	phone, ip, birthday, start, finish     string
	repeats, description                   string
}

var steadyCustomer = customer{
	printed: "JOHN Q PUBLIC", first: "John", last: "Public", city: "Springfield", state: "CA",
	phone: "+15555550100", ip: "192.0.2.17", birthday: "01.02.1980", start: "31.01.2026", finish: "31.12.2030",
	repeats: "12", description: `Monthly ""premium"" subscription`,
}

// customerOf is the customer of row i of W3v.
func customerOf(i uint64) customer {
	place := u(i, 14) % 500
	ip := mix(u(i, 16))
	who := customer{
		first:       name(u(i, 12)%400, 2),
		last:        name(1_000+u(i, 13)%1_000, 3),
		city:        name(10_000+place, 3) + choose(place%3 == 0, " City", ""),
		zip:         string(appendPadded(nil, mix(place)%100_000, 5)),
		state:       [...]string{"CA", "NY", "TX", "FL", "IL", "PA", "OH", "GA", "NC", "MI"}[place%10],
		phone:       "+1" + string(appendPadded(nil, u(i, 15)%1e10, 10)),
		ip:          fmt.Sprintf("%d.%d.%d.%d", 1+ip%223, ip>>8%256, ip>>16%256, ip>>24%256),
		birthday:    dottedDay("1946-01-01", u(i, 17)%(60*365)),
		start:       dottedDay("2024-01-01", u(i, 18)%1_000),
		repeats:     [...]string{"", "6", "12", "24"}[u(i, 20)%4],
		description: name(20_000+u(i, 21)%50, 3) + ` ""premium"" subscription`,
	}
	who.printed = strings.ToUpper(who.first + " " + who.last)
	if u(i, 19)%3 != 0 {
		who.finish = "31.12.2030"
	}
	return who
}

// name is name number n of as many syllables.
func name(n uint64, syllables int) string {
	const consonants, vowels = "bdfghklmnprst", "aeiou"
	var b []byte
	for k := range syllables {
		x := mix(n + uint64(k)<<32)
		b = append(b, consonants[x%13], vowels[x>>8%5])
		if x>>16%3 == 0 {
			b = append(b, consonants[x>>24%13])
		}
	}
	b[0] -= 'a' - 'A'
	return string(b)
}

// dottedDay is the day so many days after another, as columns have it.
func dottedDay(from string, days uint64) string {
	year, month, day := calendar.MustParse(from).AddDays(int(days)).Date()
	return fmt.Sprintf("%02d.%02d.%04d", day, month, year)
}

// appendCard appends 4, fourteen digits and the check digit of the fifteen.
func appendCard(dst []byte, digits uint64) []byte {
	dst = appendPadded(append(dst, '4'), digits, 14)
	sum := 0
	for k, c := range dst[len(dst)-15:] {
		d := int(c - '0')
		// Counted from the check digit, every second digit is doubled, the one
		// beside it first: of fifteen that is each with an even index.
		if k%2 == 0 {
			if d *= 2; d > 9 {
				d -= 9
			}
		}
		sum += d
	}
	return append(dst, byte('0'+(10-sum%10)%10))
}

// appendPadded appends n with at least width digits.
func appendPadded(dst []byte, n uint64, width int) []byte {
	var digits [20]byte
	text := strconv.AppendUint(digits[:0], n, 10)
	for range width - len(text) {
		dst = append(dst, '0')
	}
	return append(dst, text...)
}

func choose(cond bool, yes, no string) string {
	if cond {
		return yes
	}
	return no
}

// A payloadReader streams a payload of any number of rows through one small buffer.
type payloadReader struct {
	form      payloadForm
	next, end uint64
	buf       []byte // made and not yet read
	spare     []byte
}

func newPayloadReader(form payloadForm, rows uint64) *payloadReader {
	spare := make([]byte, 0, 1<<16)
	return &payloadReader{form: form, end: rows, buf: form.appendHeader(spare), spare: spare}
}

func (r *payloadReader) Read(p []byte) (int, error) {
	if len(r.buf) == 0 {
		if r.next == r.end {
			return 0, io.EOF
		}
		r.buf = r.spare[:0]
		for ; r.next < r.end && len(r.buf) < 1<<15; r.next++ {
			r.buf = r.form.appendRow(r.buf, r.next)
		}
	}
	n := copy(p, r.buf)
	r.buf = r.buf[n:]
	return n, nil
}

// payload is the whole of a payload in memory.
func payload(form payloadForm, rows uint64) []byte {
	dst := form.appendHeader(nil)
	for i := range rows {
		dst = form.appendRow(dst, i)
	}
	return dst
}

// W4: a request to sign.

const (
	signingURL       = "https://gate.example.com/paynet/api/v4/create-recurring-payments/1234"
	signingKey       = "merchant-login"
	signingSecret    = "00000000-1111-2222-3333-444444444444"
	signingNonce     = "0123456789abcdef0123456789abcdef"
	signingTimestamp = 1_790_000_000
)

// signingBytes are the n bytes whose base64 form is the payload of W4: 700, 75,000 and
// 750,000 of them.
func signingBytes(n int) []byte {
	b := make([]byte, n)
	for k := range b {
		b[k] = byte(mix(uint64(k)))
	}
	return b
}

// W5: dates.

const (
	datesFrom    = "2024-01-31"
	datesDaily   = 5_000
	datesWeekly  = 260
	farFrom      = "2004-01-15"
	farWindow    = "2024-01-01"
	farWindowEnd = "2024-12-31"
	farCount     = 12
)

var datesMonthly = [...]int{60, 3_000}

// Random access asks questions of the first accessProfiles profiles of W1.
const (
	accessProfiles  = 1_024
	accessQuestions = 1 << 16
	accessIndexes   = 256
)

// accessInterval is the interval of profile i for random access.
func accessInterval(i uint64) int { return 1 + int(u(i, 4)%4) }

// accessQuestion is question n: which profile, which index.
func accessQuestion(n uint64) (profile, index int) {
	m := mix(n)
	return int(m % accessProfiles), int(m / accessProfiles % accessIndexes)
}

// W6: amounts.

const (
	amountTexts = 65_536
	amountMany  = 10_000_000 // how many are added in the long sum: the texts again and again
)

// amountMinor is amount i of W6 in minor units, of which 100 make a whole.
func amountMinor(i uint64) int64 { return 100 + int64(mix(i)%99_900) }

func amountText(i uint64) string {
	m := amountMinor(i)
	dst := strconv.AppendInt(nil, m/100, 10)
	return string(appendPadded(append(dst, '.'), uint64(m%100), 2))
}
