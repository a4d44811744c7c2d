package main

import (
	"fmt"
	"strings"
	"testing"
)

// A plantedFault is a mistake in a Go scheduler of docs/fuzz-your-own.md, and the law that is about it.
type plantedFault struct{ name, was, is, law string }

// listedFaults are mistakes in the scheduler that only lists its charges.
var listedFaults = []plantedFault{
	{"a listed week has five days", "7 * n", "5 * n", "T01"},
	{"listed months run over into the next", "		day = min(day, time.Date(year, month+1, 0, 0, 0, 0, 0, time.UTC).Day())\n", "", "T01"},
	{"a listed window renumbers", "		number++\n", "		if !day.Before(from) {\n			number++\n		}\n", "T05"},
	{"one listed charge too many", "number < p.Max", "number <= p.Max", "R04"},
	{"listed past finish-date", "!p.Finish.IsZero() && day.After(p.Finish)", "false", "T02"},
	{"listed dates that were missed count", "			continue\n", "			number++\n			continue\n", "R01"},
	{"the listed grid begins on as-of", "p.Start.IsZero()", "p.Start.Before(p.Created)", "T20"},
	{"no listed charge on as-of", "day.Before(p.Created)", "!day.After(p.Created)", "T09"},
	{"listed Saturdays are Mondays", "	return time.Date(year, month, day, 0, 0, 0, 0, time.UTC)\n", "	t := time.Date(year, month, day, 0, 0, 0, 0, time.UTC)\n	if t.Weekday() == time.Saturday {\n		t = t.AddDate(0, 0, 2)\n	}\n	return t\n", "T21"},
	{"a listed price has a digit more", "day, p.Price}", "day, p.Price + \"1\"}", "A11"},
}

// plantedFaults are what a stranger may get wrong under the default readings. Nothing of chargecast's own code is in them.
var plantedFaults = []plantedFault{
	{"a week has five days", "7 * n", "5 * n", "T01"},
	{"months run over into the next", "		day = min(day, time.Date(year, month+1, 0, 0, 0, 0, 0, time.UTC).Day())\n", "", "T01"},
	{"every short month ends on the 28th", "min(day, time.Date(year, month+1, 0, 0, 0, 0, 0, time.UTC).Day())", "min(day, 28)", "T01"},
	{"the 31st drifts to the 28th", "day = min(day, time.Date(year, month+1, 0, 0, 0, 0, 0, time.UTC).Day())",
		"for i := range min(k, 24) {\n			before := month - time.Month(i*min(s.Profile.Interval, 4_000_000))\n			day = min(day, time.Date(year, before+1, 0, 0, 0, 0, 0, time.UTC).Day())\n		}", "T01"},
	{"every fourth year is a leap year", "day = min(day, time.Date(year, month+1, 0, 0, 0, 0, 0, time.UTC).Day())",
		"last := time.Date(year, month+1, 0, 0, 0, 0, 0, time.UTC)\n		if day = min(day, last.Day()); last.Month() == time.February && last.Year()%100 == 0 && last.Year()%400 != 0 && s.Profile.Start.String()[8:] > \"28\" {\n			day++\n		}", "T01"},
	{"the grid begins on as-of", "if j.Profile.Start.IsZero() {", "if j.Profile.Start.Before(j.AsOf) {", "T20"},
	{"start-date is forgotten", "if j.Profile.Start.IsZero() {", "if true {", "T02"},
	{"one charge too many", "n >= most", "n > most", "R04"},
	{"one charge too few", "n >= most", "n+1 >= most", "T13"},
	{"a cap of 0 is no cap", "limited && n >= most", "limited && most > 0 && n >= most", "R04"},
	{"no charge on finish-date", "d.After(finish) }", "!d.Before(finish) }", "T12"},
	{"finish-date is forgotten", "!finish.IsZero() && d.After(finish)", "false", "T02"},
	{"finish-date lets one more day through", "d.After(finish) }", "d.AddDays(-1).After(finish) }", "T02"},
	{"stopped on the last charge before finish-date", "return stop(finish, !finish.IsZero())", "d, _ = s.due(max(k-1, 0))\n			return stop(d, !finish.IsZero())", "T11"},
	{"one reason is enough", "s = fuzz.Stop{Date: d, Reasons: append(s.Reasons, \"finish-date\")}", "s = fuzz.Stop{Date: d, Reasons: []string{\"finish-date\"}}", "T12"},
	{"reasons in the other order", "append(s.Reasons, \"finish-date\")", "append([]string{\"finish-date\"}, s.Reasons...)", "T12"},
	{"the first repeat is 1", "engine.Charge{Repeat: n,", "engine.Charge{Repeat: n + 1,", "R01"},
	{"missed due days are counted", "			continue\n", "			n++\n			continue\n", "R01"},
	{"no charge on as-of", "if d.Before(s.AsOf)", "if !d.After(s.AsOf)", "T09"},
	{"the sequence is one ahead", "Bounds(n)", "Bounds(n + 1)", "A11"},
	{"a finish-date before as-of stops nothing", "s.Reasons != nil {\n		return s\n	}\n	for", "false && s.Reasons != nil {\n		return s\n	}\n	for", "T15"},
	{"a window has the day after it", "c.Date.Before(w.To)) &&", "!c.Date.After(w.To)) &&", "T05"},
	{"a window begins a day late", "(c.Date.Before(w.From) || yield(c))", "(!c.Date.After(w.From) || yield(c))", "T05"},
	{"the next charges are one short", "int(c.Repeat) < n &&", "int(c.Repeat) < n-1 &&", "T06"},
	{"the count leaves out the first", "	return n\n}\n\nfunc (s scheduler) End", "	return max(n-1, 0)\n}\n\nfunc (s scheduler) End", "T23"},
	{"the repeat number is that of the last charge", "		e.Repeat++\n", "		e.Repeat = c.Repeat\n", "R06"},
	{"who has no schedule is charged daily", "	default:\n		return calendar.Date{}, false", "	default:\n		day += k", "T08"},
	{"Saturdays are charged on Mondays", "	t := time.Date(year, month, day, 0, 0, 0, 0, time.UTC)\n", "	t := time.Date(year, month, day, 0, 0, 0, 0, time.UTC)\n	if t.Weekday() == time.Saturday {\n		t = t.AddDate(0, 0, 2)\n	}\n", "T21"},
}

// plantedFile is a Go file with a copy of the page's scheduler for each fault, and a test that prints which
// laws reject it.
func plantedFile(t *testing.T, page string) string {
	t.Helper()
	head, _, found1 := strings.Cut(page, "// A scheduler is")
	_, body, found2 := strings.Cut(page, head)
	body, _, found3 := strings.Cut(body, "func TestScheduler")
	if !found1 || !found2 || !found3 {
		t.Fatal("the page's scheduler has another form")
	}
	var copies, table strings.Builder
	for i, f := range plantedFaults {
		wrong := strings.ReplaceAll(body, f.was, f.is)
		if wrong == body {
			t.Fatalf("%s: the page's scheduler does not have %s", f.name, f.was)
		}
		name := fmt.Sprintf("schedule%02d", i)
		copies.WriteString(strings.NewReplacer("scheduler", name+"r", "schedule(", name+"(").Replace(wrong))
		fmt.Fprintf(&table, "\t{%q, %q, %s},\n", f.name, f.law, name)
	}
	return head + copies.String() + `
var planted = []struct {
	name, law string
	schedule  func(fuzz.Job) (fuzz.Forecast, error)
}{
` + table.String() + `}

func TestPlanted(t *testing.T) {
	for _, p := range planted {
		impl := fuzz.Impl{Name: p.name}
		impl.Forecast = p.schedule
		for _, r := range fuzz.Run(impl, fuzz.Options{Laws: []string{p.law}, Cases: 2000, Policy: new(engine.Policy), Shrinks: -1}).Results {
			for range r.Failures {
				t.Logf("%s: rejected by %s", p.name, r.Law.ID)
			}
		}
	}
}
`
}

// listedFile is a Go file with a copy of the page's list of charges, and of the test of it, for each fault, and a test that
// prints which laws reject it.
func listedFile(t *testing.T, list, test string) string {
	t.Helper()
	_, list, found1 := strings.Cut(list, "// Charges are")
	head, test, found2 := strings.Cut(test, "func TestLaws(t *testing.T) {\n")
	test, _, found3 := strings.Cut(test, "	fuzz.Check(")
	if !found1 || !found2 || !found3 {
		t.Fatal("the page's list of charges has another form")
	}
	var copies, table strings.Builder
	for i, f := range listedFaults {
		wrong := strings.ReplaceAll(list, f.was, f.is)
		if wrong == list {
			t.Fatalf("%s: the page's list of charges does not have %s", f.name, f.was)
		}
		suffix := fmt.Sprintf("%02d(", i)
		rename := strings.NewReplacer("Charges(", "Charges"+suffix, "due(", "due"+suffix)
		copies.WriteString("\n//" + rename.Replace(wrong) + "\nfunc listed" + suffix + ") fuzz.Impl {\n" + rename.Replace(test) + "	return impl\n}\n")
		fmt.Fprintf(&table, "\t{%q, %q, listed%s)},\n", f.name, f.law, suffix)
	}
	return head + copies.String() + `
func TestListed(t *testing.T) {
	for _, p := range []struct {
		name, law string
		impl      fuzz.Impl
	}{
` + table.String() + `	} {
		for _, r := range fuzz.Run(p.impl, fuzz.Options{Laws: []string{p.law}, Cases: 2000, Policy: new(engine.Policy), Shrinks: -1}).Results {
			for range r.Failures {
				t.Logf("%s: rejected by %s", p.name, r.Law.ID)
			}
		}
	}
}
`
}
