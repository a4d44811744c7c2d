package calendar_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/chargecast/chargecast/calendar"
)

var update = flag.Bool("update", false, "write the sample of python3-dateutil's answers anew")

// A peerCase is a schedule and the first dates of it that python3-dateutil gives.
type peerCase struct {
	Start    string   `json:"start"`
	Unit     string   `json:"unit"`
	Interval int      `json:"interval"`
	MonthEnd string   `json:"month_end"`
	Dates    []string `json:"dates"`
}

const peerSample = "testdata/dateutil.jsonl"

// peerDates is how many dates of a schedule are compared: clamp has to hold over more than 48 months (C12).
const peerDates = 50

// peerProgram answers a line of JSON with the first dates: relativedelta from the start for clamp, the
// recurrence rule of iCalendar for the rest (C31).
const peerProgram = `
import sys, json
from datetime import datetime
from itertools import islice
from dateutil.relativedelta import relativedelta
from dateutil.rrule import rrule, DAILY, WEEKLY, MONTHLY
def dates(c, n):
    start, step = datetime.fromisoformat(c["start"]), c["interval"]
    if c["unit"] == "month" and c["month_end"] == "clamp":
        for k in range(n):
            try:
                yield start + relativedelta(months=k * step)
            except (ValueError, OverflowError):
                return
        return
    rule = rrule({"day": DAILY, "week": WEEKLY, "month": MONTHLY}[c["unit"]], dtstart=start, interval=step)
    try:
        yield from islice(rule, n)
    except (ValueError, OverflowError):  # past the year 9999
        return
for line in sys.stdin:
    c = json.loads(line)
    c["dates"] = [d.date().isoformat() for d in dates(c, int(sys.argv[1]))]
    print(json.dumps(c))
`

// TestDateutilSample: a frozen sample of the peer's answers (C08, C09, C11, C31).
func TestDateutilSample(t *testing.T) {
	data, err := os.ReadFile(peerSample)
	if err != nil {
		t.Fatal(err)
	}
	if n := judgePeer(t, data); n != 100 {
		t.Errorf("%d cases, want 100", n)
	}
}

// TestDateutil compares with the peer itself where it is installed. CHARGECAST_PEER_CASES says how many
// schedules; 100000 are a campaign's.
func TestDateutil(t *testing.T) {
	python := ""
	for _, name := range []string{"python3", "/usr/bin/python3"} {
		if python == "" && exec.CommandContext(t.Context(), name, "-c", "import dateutil").Run() == nil {
			python = name
		}
	}
	if python == "" {
		t.Skip("python3-dateutil is not installed: the peer is NOT asked; the frozen sample runs")
	}
	count, seed := 60, uint64(2)
	if n, err := strconv.Atoi(os.Getenv("CHARGECAST_PEER_CASES")); err == nil {
		count = n
	}
	if *update {
		count, seed = 100, 1
	}
	cmd := exec.CommandContext(t.Context(), python, "-c", peerProgram, strconv.Itoa(peerDates))
	cmd.Stdin = bytes.NewReader(peerQuestions(t, count, seed))
	var complaint bytes.Buffer
	cmd.Stderr = &complaint
	answers, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, complaint.Bytes())
	}
	if n := judgePeer(t, answers); n != count {
		t.Errorf("%d answers, want %d", n, count)
	}
	t.Logf("%d schedules compared with python3-dateutil", count)
	if *update {
		if err := os.WriteFile(peerSample, answers, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// peerQuestions draws schedules with an eye to short months, leap years, long intervals and the end of the
// calendar.
func peerQuestions(t *testing.T, count int, seed uint64) []byte {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, seed))
	pick := func(list ...int) int { return list[r.IntN(len(list))] }
	var out []byte
	for range count {
		c := peerCase{Unit: "month", MonthEnd: "clamp", Interval: pick(1, 1, 2, 3, 6, 11, 12, 13, 1+r.IntN(40), 4800)}
		switch r.IntN(5) {
		case 0:
			c.Unit, c.Interval = "day", pick(1, 2, 7, 30, 365, 1+r.IntN(1000))
		case 1:
			c.Unit, c.Interval = "week", pick(1, 2, 4, 52, 1+r.IntN(200))
		case 2, 3:
			c.MonthEnd = "skip"
		}
		var start calendar.Date
		for start.IsZero() {
			year := pick(1, 4, 1896, 1900, 1999, 2000, 2024, 2026, 2096, 2100, 9990, 9999, 1+r.IntN(9999))
			start, _ = calendar.New(year, time.Month(1+r.IntN(12)), pick(28, 29, 30, 31, 1+r.IntN(31)))
		}
		c.Start = start.String()
		line, err := json.Marshal(c)
		if err != nil {
			t.Fatal(err)
		}
		out = append(append(out, line...), '\n')
	}
	return out
}

// judgePeer compares the peer's dates with ours and counts the schedules.
func judgePeer(t *testing.T, answers []byte) int {
	t.Helper()
	decoder := json.NewDecoder(bytes.NewReader(answers))
	n := 0
	for ; decoder.More(); n++ {
		var c peerCase
		if err := decoder.Decode(&c); err != nil {
			t.Fatal(err)
		}
		unit, err := calendar.ParseUnit(c.Unit)
		if err != nil {
			t.Fatal(err)
		}
		end := calendar.MonthEndClamp
		if c.MonthEnd == "skip" {
			end = calendar.MonthEndSkip
		}
		s, err := calendar.NewSchedule(calendar.MustParse(c.Start), unit, c.Interval, end)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for k := range peerDates {
			d, ok := s.At(k)
			if !ok {
				break
			}
			got = append(got, d.String())
		}
		if !slices.Equal(got, c.Dates) {
			t.Errorf("%s every %d %ss, %s:\n got %v\nwant %v", c.Start, c.Interval, c.Unit, c.MonthEnd, got, c.Dates)
		}
	}
	return n
}
