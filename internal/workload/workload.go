// Package workload makes W3, the payload that tests and benchmarks read: the same bytes on every machine and in every
// language.
package workload

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Mix and Draw are where every workload comes from, so that every run, on every machine and
// in every language, has the same data. They are written out here, not borrowed from the
// library: a workload must not change when the library does.
func Mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// Draw is draw number j of profile or row i.
func Draw(i, j uint64) uint64 { return Mix(Mix(i) + j) }

const header = `"rp_card_type";"client-orderid";"credit-card-number";"cvv2";"card-printed-name";` +
	`"expire-year";"expire-month";"amount";"amount-from";"amount-to";"amount-sequence";"currency";` +
	`"country";"city";"zip-code";"address1";"first-name";"last-name";"email";"period";"interval";` +
	`"order_desc";"customer-ip";"ssn";"birthday";"phone";"state";"start-date";"finish-date";` +
	`"max-repeats-number";"purpose";"notify_url";"server_callback_url"`

// A Form is W3 or one of its variants.
type Form uint8

const (
	Plain  Form = iota // W3
	CRLF               // the same rows with a byte-order mark and CRLF
	Bad                // three faults in each row with i mod 10 = 9
	Varied             // W3v, a merchant's file: names, places and dates vary
)

func (f Form) lineEnd() string {
	if f == CRLF {
		return "\r\n"
	}
	return "\n"
}

// AppendHeader appends what comes before the first row.
func (f Form) AppendHeader(dst []byte) []byte {
	if f == CRLF {
		dst = append(dst, "\xef\xbb\xbf"...)
	}
	dst = append(dst, header...)
	return append(dst, f.lineEnd()...)
}

// AppendRow appends row i with its line end.
func (f Form) AppendRow(dst []byte, i uint64) []byte {
	bad := f == Bad && i%10 == 9
	who := steadyCustomer
	if f == Varied {
		who = customerOf(i)
	}
	dst = append(dst, `"SRC";"order-`...)
	dst = appendPadded(dst, i, 9)
	dst = appendCard(append(dst, `";"`...), Draw(i, 0)%1e14)
	dst = appendPadded(append(dst, `";"`...), Draw(i, 1)%1000, 3)
	dst = append(dst, `";"`...)
	dst = append(append(dst, who.printed...), `";"`...)
	dst = appendPadded(dst, 2031+Draw(i, 2)%5, 4)
	dst = appendPadded(append(dst, `";"`...), 1+Draw(i, 3)%12, 2)
	dst = append(dst, `";`...)
	switch Draw(i, 4) % 3 {
	case 0:
		dst = appendPadded(append(dst, '"'), 1+Draw(i, 5)%499, 1)
		dst = appendPadded(append(dst, '.'), Draw(i, 6)%100, 2)
		dst = append(dst, `";"";"";""`...)
	case 1:
		dst = append(dst, `"";"10.00";"49.99";""`...)
	default:
		dst = append(dst, `"";"";"";"1.00,9.99,19.99"`...)
	}
	dst = append(dst, choose(bad, `;"";"US";"`, `;"USD";"US";"`)...)
	dst = append(append(dst, who.city...), `";"`...)
	if who.zip == "" {
		dst = appendPadded(dst, Draw(i, 7)%100_000, 5)
	}
	dst = append(dst, who.zip...)
	dst = appendPadded(append(dst, `";"`...), 1+Draw(i, 8)%999, 1)
	dst = appendPadded(append(dst, ` Example Street; Apt `...), 1+Draw(i, 9)%99, 1)
	dst = append(append(dst, `";"`...), who.first...)
	dst = append(append(dst, `";"`...), who.last...)
	dst = appendPadded(append(dst, `";"john`...), i, 1)
	dst = append(dst, `@example.com";"`...)
	dst = append(dst, [...]string{"day", "week", "month"}[Draw(i, 10)%3]...)
	interval := 1 + Draw(i, 11)%3
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
	place := Draw(i, 14) % 500
	ip := Mix(Draw(i, 16))
	who := customer{
		first:       name(Draw(i, 12)%400, 2),
		last:        name(1_000+Draw(i, 13)%1_000, 3),
		city:        name(10_000+place, 3) + choose(place%3 == 0, " City", ""),
		zip:         string(appendPadded(nil, Mix(place)%100_000, 5)),
		state:       [...]string{"CA", "NY", "TX", "FL", "IL", "PA", "OH", "GA", "NC", "MI"}[place%10],
		phone:       "+1" + string(appendPadded(nil, Draw(i, 15)%1e10, 10)),
		ip:          fmt.Sprintf("%d.%d.%d.%d", 1+ip%223, ip>>8%256, ip>>16%256, ip>>24%256),
		birthday:    dottedDay("1946-01-01", Draw(i, 17)%(60*365)),
		start:       dottedDay("2024-01-01", Draw(i, 18)%1_000),
		repeats:     [...]string{"", "6", "12", "24"}[Draw(i, 20)%4],
		description: name(20_000+Draw(i, 21)%50, 3) + ` ""premium"" subscription`,
	}
	who.printed = strings.ToUpper(who.first + " " + who.last)
	if Draw(i, 19)%3 != 0 {
		who.finish = "31.12.2030"
	}
	return who
}

// name is name number n of as many syllables.
func name(n uint64, syllables int) string {
	const consonants, vowels = "bdfghklmnprst", "aeiou"
	var b []byte
	for k := range syllables {
		x := Mix(n + uint64(k)<<32)
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
	day, err := time.Parse(time.DateOnly, from)
	if err != nil { // the days are constants of this file
		panic(err)
	}
	return day.AddDate(0, 0, int(days)).Format("02.01.2006")
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

// Payload is the whole of a payload in memory.
func Payload(form Form, rows uint64) []byte {
	dst := form.AppendHeader(nil)
	for i := range rows {
		dst = form.AppendRow(dst, i)
	}
	return dst
}
