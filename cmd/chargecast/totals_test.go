package main

import (
	"bytes"
	"fmt"
	"iter"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/race"
	"github.com/chargecast/chargecast/record"
)

// A bookText is a random payload: its header and rows, some of which have errors.
type bookText struct {
	head string
	rows []string
}

func (b bookText) payload(rows []string) string {
	return b.head + "\n" + strings.Join(rows, "\n") + "\n"
}

// randomBook returns rows of every kind of schedule and amount, cards that expire, and a faulty row in ten.
func randomBook(r *rand.Rand, n int) bookText {
	pick := func(list ...string) string { return list[r.IntN(len(list))] }
	var b bookText
	for i := range n {
		cells := map[string]string{
			"rp_card_type": "SRC", "client-orderid": fmt.Sprintf("order-%d", i), "currency": pick("EUR", "USD", "JPY", "KWD"),
			"period": pick("day", "week", "month"), "interval": pick("1", "2", "3"), "start-date": pick("31.01.2026", "10.01.2026", "15.03.2026"),
			"expire-year": pick("2026", "2031"), "expire-month": pick("03", "12"), "max-repeats-number": pick("", "3", "12"),
			"amount": "", "amount-from": "", "amount-to": "", "amount-sequence": "",
		}
		switch r.IntN(3) {
		case 0:
			cells["amount"] = pick("10", "7", "300")
		case 1:
			cells["amount-from"], cells["amount-to"] = "1", pick("5", "9", "900")
		case 2:
			cells["amount-sequence"] = pick("1,2,3", "5,5", "9,1")
		}
		if r.IntN(10) == 0 {
			cells["interval"] = "0"
		}
		head, row, _ := strings.Cut(strings.TrimRight(payloadOf(cells), "\n"), "\n")
		b.head, b.rows = head, append(b.rows, row)
	}
	return b
}

// outcome runs the command, whose usage must be right, and returns its exit code and what it wrote.
func outcome(t *testing.T, stdin string, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, log bytes.Buffer
	if code = run(args, strings.NewReader(stdin), &out, &log); code == int(exitUsage) {
		t.Fatalf("%v: %s", args, log.String())
	}
	return code, out.String(), log.String()
}

// inGate is the size of a test: the first in an ordinary run, the second where the gate sets CHARGECAST_GATE.
func inGate(ordinary, gate int) int {
	if os.Getenv("CHARGECAST_GATE") != "" {
		return gate
	}
	return ordinary
}

// TestTotalsAreThoseOfCharges compares the totals by every unit, and what they rest on, with the charge
// records of the same forecast, added up, under several windows and readings.
func TestTotalsAreThoseOfCharges(t *testing.T) {
	race.Skip(t)
	r := rand.New(rand.NewPCG(1, 2))
	for range inGate(1, 2) {
		text := randomBook(r, inGate(10, 40))
		payload := text.payload(text.rows)
		for _, window := range []string{"--until 2026-12-31", "--until 2031-01-01 --from 2026-03-31", "--next 5", "--until 2026-05-01 --next 2"} {
			for _, policy := range []string{"month-end=clamp", "month-end=skip,max-counts=repeats-after-first"} {
				args := append([]string{"forecast", "--as-of", "2026-01-10", "-o", "ndjson", "--policy", policy}, strings.Fields(window)...)
				wantCode, charges, wantLog := outcome(t, payload, append(args, "--explain")...)
				for by := engine.ByDay; by <= engine.ByProfile; by++ {
					want := addedUp(t, by, charges)
					for _, explain := range []bool{true, false} {
						more := []string{"--by", by.String()}
						if explain {
							more = append(more, "--explain")
						}
						code, out, log := outcome(t, payload, slices.Concat(args, more)...)
						if code != wantCode || log != wantLog {
							t.Fatalf("%v %v: exit %d, want %d\n%s\nwant\n%s", args, more, code, wantCode, log, wantLog)
						}
						n := 0
						for total := range recordsOf[record.Total](t, out) {
							n++
							of := want[[2]string{total.Value, total.Currency}]
							if of == nil || !total.Tally.Equal(of.Tally) || explain && total.Because != of.Because {
								t.Fatalf("%v %v: %+v, want %+v\n%s", args, more, total, of, payload)
							}
						}
						if got, whole := summaryOf(t, out), summaryOf(t, charges); got != whole {
							t.Fatalf("%v %v: %+v, want %+v", args, more, got, whole)
						}
						if n == 0 || n != len(want) {
							t.Fatalf("%v %v: %d totals, want %d", args, more, n, len(want))
						}
					}
				}
			}
		}
	}
}

// summaryOf returns the last record, which counts the charges that there are.
func summaryOf(t *testing.T, output string) (sum record.ForecastSummary) {
	t.Helper()
	var charges record.ForecastSummary
	for r, err := range record.Read(strings.NewReader(output)) {
		switch r := r.(type) {
		case record.Charge:
			charges.Charges++
			if r.Charge.CardExpired {
				charges.CardExpired++
			}
		case record.End:
			charges.Profiles++
		case record.ForecastSummary:
			sum = r
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if charges.LeftOut, charges.TakenAsNew = sum.LeftOut, sum.TakenAsNew; charges.Profiles > 0 && charges != sum {
		t.Fatalf("the summary is %+v, and there are %+v", sum, charges)
	}
	return sum
}

// addedUp are totals by value and currency.
func addedUp(t *testing.T, by engine.By, charges string) map[[2]string]*record.Total {
	t.Helper()
	sums := map[[2]string]*record.Total{}
	for c := range recordsOf[record.Charge](t, charges) {
		key := [2]string{by.Value(c.Charge.Date), c.Currency}
		if by == engine.ByProfile {
			key[0] = c.Profile
		}
		if sums[key] == nil {
			sums[key] = new(record.Total)
		}
		c.Charge.AddTo(&sums[key].Tally)
		sums[key].Because = sums[key].Because.And(c.Charge.Because)
	}
	return sums
}

// recordsOf yields the records of one type.
func recordsOf[R record.Record](t *testing.T, output string) iter.Seq[R] {
	t.Helper()
	return func(yield func(R) bool) {
		for r, err := range record.Read(strings.NewReader(output)) {
			if err != nil {
				t.Fatal(err)
			}
			if r, ok := r.(R); ok && !yield(r) {
				return
			}
		}
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
