package job_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/beam/job"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/record"
	"github.com/chargecast/chargecast/rules"
)

func itoa(n uint64) string { return strconv.FormatUint(n, 10) }

// vary makes another query of one.
func vary(r *rand.Rand, q *job.Query) {
	if r.IntN(2) == 0 {
		q.From = day("2026-03-31")
	}
	if r.IntN(2) == 0 {
		q.Policy, _ = engine.ParsePolicy("month-end=skip,max-counts=repeats-after-first,start-past=catch-up")
	}
	if r.IntN(3) == 0 {
		q.Simulate, q.Seed = true, r.Uint64()
	}
}

// TestTotalsAreThoseOfOneRun: for random books, divided in any way over files and workers, the
// totals have the bytes of the plain command over all files, and so has the exit status.
func TestTotalsAreThoseOfOneRun(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	units := []engine.By{engine.ByDay, engine.ByWeek, engine.ByMonth, engine.ByQuarter, engine.ByWeekday}
	for round := range 30 {
		b := randomBook(t, r, 20+r.IntN(100), 1+r.IntN(9))
		j := query(t, filepath.Join(b.dir, "*"))
		j.By, j.Form = units[round%len(units)], []job.Form{job.FormNDJSON, job.FormCSV, job.FormJSON}[round%3]
		vary(r, &j.Query)
		runtime.GOMAXPROCS([]int{1, 2, 8}[round%3])
		s := run(t, j)
		code, want, _ := plain(t, append(flags(&j.Query), b.files...)...)
		same(t, fmt.Sprint("round ", round), load(t, filepath.Join(j.Output, s.Totals)), want)
		if int(s.Status) != code {
			t.Errorf("round %d: exit status %d, want %d", round, s.Status, code)
		}
	}
}

// TestQuoteWithoutEnd: a shard whose last row never ends has an error of that row, as in the plain
// command.
func TestQuoteWithoutEnd(t *testing.T) {
	b := randomBook(t, rand.New(rand.NewPCG(11, 12)), 20, 1)
	file := filepath.Join(t.TempDir(), "cut.csv")
	text := header() + strings.Join(b.rows[0], "")
	save(t, file, text[:len(text)-2])
	j := query(t, file)
	s := run(t, j)
	code, want, _ := plain(t, append(flags(&j.Query), file)...)
	same(t, "totals", load(t, filepath.Join(j.Output, s.Totals)), want)
	if int(s.Status) != code || code != int(job.StatusFindings) {
		t.Errorf("exit status %d, want %d", s.Status, code)
	}
}

// TestManyWorkers: a book whose shards take so long that the local runner divides them among its
// workers.
func TestManyWorkers(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	b := randomBook(t, r, 40_000, 16)
	var want string
	for _, workers := range []int{1, 2, 8} {
		runtime.GOMAXPROCS(workers)
		j := query(t, filepath.Join(b.dir, "*"))
		s := run(t, j)
		if want == "" {
			_, want, _ = plain(t, append(flags(&j.Query), b.files...)...)
		}
		same(t, fmt.Sprint(workers, " workers"), load(t, filepath.Join(j.Output, s.Totals)), want)
	}
}

// TestChargesOfAShard: charges and totals by profile of each shard have the bytes of the plain
// command over that shard, header included, and what is found in it is the same.
func TestChargesOfAShard(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for round := range 12 {
		b := randomBook(t, r, 20+r.IntN(60), 1+r.IntN(4))
		j := query(t, filepath.Join(b.dir, "*"))
		j.By, j.Form = []engine.By{engine.ByCharge, engine.ByProfile}[round%2], []job.Form{job.FormNDJSON, job.FormCSV, job.FormJSON}[round%3]
		vary(r, &j.Query)
		s := run(t, j)
		status := 0
		for i, file := range b.files {
			code, want, log := plain(t, append(flags(&j.Query), file)...)
			status = max(status, code)
			what := fmt.Sprintf("round %d, shard %d", round, i)
			same(t, what, load(t, output(t, &j, "[ct]*", i, len(b.files), j.Form)), want)
			same(t, what+", findings", findings(t, load(t, output(t, &j, "findings", i, len(b.files), "ndjson"))), placesOf(log))
		}
		if int(s.Status) != status || s.Shards != len(b.files) {
			t.Errorf("round %d: exit status %d, want %d", round, s.Status, status)
		}
	}
}

// output is the file of a shard.
func output(t *testing.T, j *job.Job, what string, shard, shards int, form job.Form) string {
	t.Helper()
	names, _ := filepath.Glob(filepath.Join(j.Output, fmt.Sprintf("%s-%05d-of-%05d.%s", what, shard, shards, form)))
	if len(names) != 1 {
		t.Fatalf("%d files %s of shard %d", len(names), what, shard)
	}
	return names[0]
}

var findingLine = regexp.MustCompile(`(?m)^(\S+?)(:\d+:\d+)?: (error|warning): ([a-z0-9-]+): `)

// placesOf are the errors that the plain command lists, with their places, and the codes of its
// warnings, which are said once for a file.
func placesOf(log string) string {
	var lines []string
	for _, m := range findingLine.FindAllStringSubmatch(log, -1) {
		if m[3] == "warning" {
			m[2] = ""
		}
		lines = append(lines, m[1]+m[2]+": "+m[3]+": "+m[4])
	}
	slices.Sort(lines)
	return strings.Join(slices.Compact(lines), "\n")
}

// findings are those of a findings file in the same form, so many errors of each code as the plain
// command lists. Profiles that began before as-of have a sentence of their own there.
func findings(t *testing.T, text string) string {
	t.Helper()
	var lines []string
	count := map[ledger.Code]int{}
	for rec, err := range record.Read(strings.NewReader(text)) {
		if err != nil {
			t.Fatal(err)
		}
		p, ok := rec.(record.Problem)
		if !ok || p.Code == rules.StartPast {
			continue
		}
		place := p.Place.File
		if p.Severity == ledger.SeverityError {
			if count[p.Code]++; count[p.Code] > 20 {
				continue
			}
			if p.Place.Line > 0 {
				place += fmt.Sprintf(":%d:%d", p.Place.Line, p.Place.Col)
			}
		}
		lines = append(lines, fmt.Sprintf("%s: %s: %s", place, p.Severity, p.Code))
	}
	slices.Sort(lines)
	return strings.Join(slices.Compact(lines), "\n")
}

// TestStatesOfShards: a forecast in two halves, the second from the states of the first, is that of
// the plain command with the same states.
func TestStatesOfShards(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for round := range 6 {
		b := randomBook(t, r, 20+r.IntN(60), 1+r.IntN(4))
		dir, all := t.TempDir(), ""
		for i, file := range b.files {
			states := filepath.Join(dir, fmt.Sprintf("shard-%03d.jsonl", i))
			plain(t, "forecast", "--as-of", "2026-01-10", "--until", "2026-04-30", "--by", "day", "--save-state", states, file)
			text := load(t, states)
			if i == 0 {
				text += `{"profile":"unknown","repeat":3}` + "\n" // for no row: a warning
			}
			save(t, states, text)
			all += text
		}
		whole := filepath.Join(t.TempDir(), "all.jsonl")
		save(t, whole, all)
		j := query(t, filepath.Join(b.dir, "*"))
		j.States, j.AsOf = []string{filepath.Join(dir, "*")}, day("2026-05-01")
		vary(r, &j.Query)
		j.From = day("2026-06-01")
		s := run(t, j)
		code, want, _ := plain(t, slices.Concat(flags(&j.Query), []string{"--state", whole}, b.files)...)
		same(t, fmt.Sprint("round ", round), load(t, filepath.Join(j.Output, s.Totals)), want)
		if int(s.Status) != code {
			t.Errorf("round %d: exit status %d, want %d", round, s.Status, code)
		}
		j.By, j.Output = engine.ByCharge, filepath.Join(t.TempDir(), "charges")
		run(t, j)
		for i, file := range b.files {
			_, want, log := plain(t, append(flags(&j.Query), "--state", filepath.Join(dir, fmt.Sprintf("shard-%03d.jsonl", i)), file)...)
			same(t, "charges", load(t, output(t, &j, "charges", i, len(b.files), j.Form)), want)
			same(t, "findings", findings(t, load(t, output(t, &j, "findings", i, len(b.files), "ndjson"))), placesOf(log))
		}
	}
}

// TestStoredProfiles: JSON lines of stored profiles have the totals and charges of the payload that
// they came from.
func TestStoredProfiles(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	b := randomBook(t, r, 200, 3)
	dir := t.TempDir()
	for i, file := range b.files {
		save(t, filepath.Join(dir, fmt.Sprint(i, ".ndjson")), storedOf(t, file))
	}
	save(t, filepath.Join(dir, "3.ndjson"), "") // a database may have an empty shard
	save(t, filepath.Join(dir, "4.ndjson"), "\n")
	j := query(t, filepath.Join(b.dir, "*"))
	want := load(t, filepath.Join(j.Output, run(t, j).Totals))
	j = query(t, filepath.Join(dir, "*"))
	j.Profiles = true
	s := run(t, j)
	want = regexp.MustCompile(`"left_out":\d+`).ReplaceAllString(want, `"left_out":0`) // rows with errors are not stored
	same(t, "totals", afterHeader(load(t, filepath.Join(j.Output, s.Totals))), afterHeader(want))
	if s.Status != job.StatusOK {
		t.Errorf("exit status %d", s.Status)
	}
}

// TestFaultyProfiles: lines that are not profiles, or cannot be forecast, are left out, listed and
// counted.
func TestFaultyProfiles(t *testing.T) {
	dir := t.TempDir()
	amounts := amount.Fixed(amount.MustParse("1.00"))
	line, err := json.Marshal(engine.Stored{Profile: engine.Profile{
		ID: "a", Kind: engine.KindSource, Currency: "EUR", Amounts: amounts, Unit: calendar.UnitMonth, Interval: 1, Start: day("2026-01-31"),
	}})
	if err != nil {
		t.Fatal(err)
	}
	good := string(line)
	save(t, filepath.Join(dir, "a.ndjson"), strings.Join([]string{
		good, "", "{", strings.Replace(good, `"interval":1`, `"interval":0`, 1), strings.Replace(good, "stored/1", "stored/2", 1), strings.Replace(good, `"a"`, `"b"`, 1),
	}, "\n"))
	j := query(t, filepath.Join(dir, "*"))
	j.Profiles, j.By = true, engine.ByProfile
	s := run(t, j)
	if s.Rows != 5 || s.LeftOut != 3 || s.Errors != 3 || s.Status != job.StatusFindings {
		t.Errorf("%+v", s)
	}
	same(t, "totals", afterHeader(load(t, output(t, &j, "totals", 0, 1, j.Form))),
		`{"type":"total","profile":"a","currency":"EUR","charges":12,"min":"12.00","max":"12.00","mean":"12.00","card_expires":null}`+"\n"+
			`{"type":"total","profile":"b","currency":"EUR","charges":12,"min":"12.00","max":"12.00","mean":"12.00","card_expires":null}`+"\n"+
			`{"type":"summary","profiles":2,"left_out":3,"taken_as_new":0,"charges":24,"card_expired":0,"unsendable":0}`+"\n")
	text := load(t, output(t, &j, "findings", 0, 1, "ndjson"))
	for line, row := range map[int]int{3: 2, 4: 3, 5: 4} {
		if !strings.Contains(text, fmt.Sprintf(`"row":%d,"line":%d,`, row, line)) {
			t.Errorf("no finding for line %d:\n%s", line, text)
		}
	}
}

// storedOf returns the profiles of a payload that can be used as lines of JSON.
func storedOf(t *testing.T, file string) string {
	t.Helper()
	text := load(t, file)
	var b strings.Builder
	for row := range rules.NewReader(strings.NewReader(text), rules.Options{AsOf: day("2026-01-10")}).Rows() {
		if row == nil {
			continue
		}
		line, err := json.Marshal(engine.Stored{Profile: row.Profile()})
		if err != nil {
			t.Fatal(err)
		}
		b.Write(append(line, '\n'))
	}
	return b.String()
}

func afterHeader(text string) string {
	_, rest, _ := strings.Cut(text, "\n")
	return rest
}
