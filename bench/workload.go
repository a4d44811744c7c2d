package main

import (
	"fmt"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/internal/workload"
)

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
	switch d := workload.Draw(i, 0) % 10; {
	case d == 9:
		unit = calendar.UnitDay
	case d >= 7:
		unit = calendar.UnitWeek
	}
	return profile{
		unit:     unit,
		offset:   int(workload.Draw(i, 1) % 31),
		minor:    100 + int64(workload.Draw(i, 2)%99_900),
		currency: portfolioCurrencies[workload.Draw(i, 3)%4],
	}
}

// start is the first charge of the profile.
func (p profile) start() calendar.Date {
	return calendar.MustParse(portfolioFrom).AddDays(p.offset)
}

// W3: a payload.

// payloadRows is the number of rows of W3.
const payloadRows = 100_000

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
		b[k] = byte(workload.Mix(uint64(k)))
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
func accessInterval(i uint64) int { return 1 + int(workload.Draw(i, 4)%4) }

// accessQuestion is question n: which profile, which index.
func accessQuestion(n uint64) (profile, index int) {
	m := workload.Mix(n)
	return int(m % accessProfiles), int(m / accessProfiles % accessIndexes)
}

// W6: amounts.

const (
	amountTexts = 65_536
	amountMany  = 10_000_000 // how many are added in the long sum: the texts again and again
)

// amountMinor is amount i of W6 in minor units, of which 100 make a whole.
func amountMinor(i uint64) int64 { return 100 + int64(workload.Mix(i)%99_900) }

func amountText(i uint64) string {
	m := amountMinor(i)
	return fmt.Sprintf("%d.%02d", m/100, m%100)
}
