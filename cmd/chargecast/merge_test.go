package main

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"iter"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/record"
)

// A book is a random payload: its header and rows, some of which have errors.
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

// outcome runs the command and returns its exit code and what it wrote.
func outcome(stdin string, args ...string) (code int, stdout, stderr string) {
	var out, log bytes.Buffer
	code = run(args, strings.NewReader(stdin), &out, &log)
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
	notUnderRace(t)
	r := rand.New(rand.NewPCG(1, 2))
	for range inGate(1, 2) {
		text := randomBook(r, inGate(10, 40))
		payload := text.payload(text.rows)
		for _, window := range []string{"--until 2026-12-31", "--until 2031-01-01 --from 2026-03-31", "--next 5", "--until 2026-05-01 --next 2"} {
			for _, policy := range []string{"month-end=clamp", "month-end=skip,max-counts=repeats-after-first"} {
				args := append([]string{"forecast", "--as-of", "2026-01-10", "-o", "ndjson", "--policy", policy}, strings.Fields(window)...)
				wantCode, charges, wantLog := outcome(payload, append(args, "--explain")...)
				for by := engine.ByDay; by <= engine.ByProfile; by++ {
					want := addedUp(t, by, charges)
					for _, explain := range []bool{true, false} {
						more := []string{"--by", by.String()}
						if explain {
							more = append(more, "--explain")
						}
						code, out, log := outcome(payload, slices.Concat(args, more)...)
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
			if r.CardExpired {
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
		key := [2]string{by.Value(c.Date), c.Currency}
		if by == engine.ByProfile {
			key[0] = c.Profile
		}
		if sums[key] == nil {
			sums[key] = new(record.Total)
		}
		c.Charge.AddTo(&sums[key].Tally)
		sums[key].Because = sums[key].Because.And(c.Because)
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

// TestWorkersAddUpTheSame: totals, findings and exit codes are those of one worker.
func TestWorkersAddUpTheSame(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, rows := range []int{0, 1, 50, inGate(300, 1200)} {
		text := randomBook(r, max(rows, 1))
		dir := t.TempDir()
		first, second := filepath.Join(dir, "a.csv"), filepath.Join(dir, "b.csv")
		write(t, first, text.payload(text.rows[:rows]))
		write(t, second, text.payload(text.rows[rows/3:rows]))
		for _, by := range []string{"day", "month", "profile", "charge"} {
			args := []string{"forecast", "--as-of", "2026-01-10", "--until", "2026-04-30", "-o", "ndjson", "--by", by, "--workers"}
			wantCode, wantOut, wantLog := outcome("", append(args, "1", first, second)...)
			for _, workers := range []string{"2", "16", "3", "8"}[:inGate(2, 4)] {
				code, out, log := outcome("", append(args, workers, first, second)...)
				if code != wantCode || out != wantOut || log != wantLog {
					t.Errorf("%d rows by %s with %s workers: exit %d, want %d; %d bytes, want %d\n%s\nwant\n%s",
						rows, by, workers, code, wantCode, len(out), len(wantOut), log, wantLog)
				}
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

// TestMergeIsOneRun divides the rows of a payload over files and parts at random, merges the parts in a
// random tree, and compares every form of the totals with that of one run (O10); so for simulations.
func TestMergeIsOneRun(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for round := range inGate(4, 8) {
		text := randomBook(r, inGate(10, 30)+r.IntN(inGate(15, 40)))
		dir := t.TempDir()
		whole := filepath.Join(dir, "whole.csv")
		write(t, whole, text.payload(text.rows))
		by := []string{"day", "week", "month", "quarter", "weekday"}[round%5]
		args := []string{"forecast", "--as-of", "2026-01-10", "--until", "2026-12-31", "--by", by}
		if round%3 == 0 {
			args = append(args, "--explain")
		}
		switch script := filepath.Join(dir, "script.jsonl"); {
		case round%2 == 0:
			args = append(args, "--quantiles", "0,5,50,100")
		case round%4 == 3:
			write(t, script, `{"repeat":1,"outcome":"declined"}`+"\n"+`{"date":"2026-05-01","do":"stop"}`+"\n"+`{"date":"2026-06-01","do":"resume","via":"ui"}`+"\n")
			args = append(args, "--seed", "7", "--script", script)
			args[0] = "simulate"
		}
		var parts []string
		for number, rows := 0, text.rows; len(rows) > 0; number++ {
			n := 1 + r.IntN(len(rows))
			file, part := filepath.Join(dir, fmt.Sprint(number, ".csv")), filepath.Join(dir, fmt.Sprint(number, ".part"))
			write(t, file, text.payload(rows[:n]))
			rows = rows[n:]
			_, out, _ := outcome("", append(args, "-o", "partial", "--workers", fmt.Sprint(1+r.IntN(16)), file)...)
			write(t, part, out)
			parts = append(parts, part)
		}
		for len(parts) > 1 {
			n := 2 + r.IntN(len(parts)-1)
			r.Shuffle(len(parts), func(i, j int) { parts[i], parts[j] = parts[j], parts[i] })
			_, out, log := outcome("", append([]string{"merge", "-o", "partial"}, parts[:n]...)...)
			if out == "" {
				t.Fatal(log)
			}
			part := filepath.Join(dir, fmt.Sprint("sum", len(parts), ".part"))
			write(t, part, out)
			parts = append(parts[n:], part)
		}
		for _, format := range []string{"table", "json", "ndjson", "csv"} {
			wantCode, want, _ := outcome("", slices.Concat(args, []string{"-o", format, whole})...)
			code, got, log := outcome("", "merge", "-o", format, parts[0])
			if code != wantCode || got != want {
				t.Errorf("round %d, %s: exit %d, want %d\n%s\nwant\n%s\n%s", round, format, code, wantCode, got, want, log)
			}
		}
	}
}

// TestMergeExitCodes: a damaged part is input that cannot be read, parts that do not fit are usage.
func TestMergeExitCodes(t *testing.T) {
	dir := t.TempDir()
	file, part, cut := filepath.Join(dir, "a.csv"), filepath.Join(dir, "a.part"), filepath.Join(dir, "cut.part")
	text := randomBook(rand.New(rand.NewPCG(7, 8)), 5)
	write(t, file, text.payload(text.rows))
	_, out, _ := outcome("", "forecast", "--as-of", "2026-01-10", "--until", "2026-12-31", "--by", "day", "-o", "partial", file)
	write(t, part, out)
	for i := range len(out) {
		if i%inGate(101, 17) == 0 || i > len(out)-inGate(8, 40) {
			write(t, cut, out[:i])
			if code, stdout, _ := outcome("", "merge", cut); code != 3 || stdout != "" {
				t.Fatalf("cut after %d bytes: exit %d", i, code)
			}
		}
	}
	write(t, cut, out+"\n") // as an interrupt leaves it
	another := func(name string, flags ...string) string {
		other, path := filepath.Join(dir, name+".csv"), filepath.Join(dir, name+".part")
		text := randomBook(rand.New(rand.NewPCG(8, 8)), 3)
		write(t, other, text.payload(text.rows))
		_, out, _ := outcome("", withDefaults([]string{"forecast", "-o", "partial", other}, flags, "--as-of", "2026-01-10", "--until", "2026-12-31", "--by", "day")...)
		write(t, path, out)
		return path
	}
	if code, stdout, log := outcome("", "merge", part, another("fits")); code > 1 || stdout == "" {
		t.Errorf("a part that fits: exit %d\n%s", code, log)
	}
	for _, c := range []struct {
		differs string
		flags   []string
	}{
		{"until", []string{"--until", "2026-12-30"}},
		{"from", []string{"--from", "2026-01-11"}},
		{"as-of", []string{"--as-of", "2026-01-09"}},
		{"zone", []string{"--zone", "Europe/Berlin"}},
		{"by", []string{"--by", "week"}},
		{"quantiles", []string{"--quantiles", "5"}},
		{"explain", []string{"--explain"}},
		{"policy month-end", []string{"--policy", "month-end=skip"}},
	} {
		code, stdout, log := outcome("", "merge", part, another("other", c.flags...))
		if code != 2 || stdout != "" || !strings.Contains(log, "another "+c.differs+" than") {
			t.Errorf("another %s: exit %d\n%s", c.differs, code, log)
		}
	}
	end := strings.LastIndex(out, `{"type":"sum"`)
	body := strings.Replace(out[:end], "chargecast.part/3", "chargecast.part/4", 1)
	next, damaged := filepath.Join(dir, "next.part"), filepath.Join(dir, "damaged.part")
	write(t, next, fmt.Sprintf(`%s{"type":"sum","sha256":"%x"}`+"\n", body, sha256.Sum256([]byte(body))))
	write(t, damaged, body+out[end:])
	for _, c := range []struct {
		reason string
		code   int
		args   []string
	}{
		{"another version", 2, []string{part, next}},
		{"a damaged byte in the version", 3, []string{part, damaged}},
		{"bytes after the check sum", 3, []string{cut}},
		{"a file that does not exist", 3, []string{"nothing.part"}},
		{"the same input twice", 2, []string{part, part}},
		{"no part", 2, nil},
		{"another number of parts", 2, []string{"--parts", "2", part}},
	} {
		if code, stdout, log := outcome("", append([]string{"merge"}, c.args...)...); code != c.code || stdout != "" {
			t.Errorf("%s: exit %d, want %d\n%s", c.reason, code, c.code, log)
		}
	}
}

// TestMergeByProfile: totals by profile come in the order of the parts, whether a part is a file, packed, or
// comes from a pipe, in which case it is kept; and a damaged one leaves nothing on stdout.
func TestMergeByProfile(t *testing.T) {
	for _, more := range [][]string{nil, {"--quantiles", "5,95"}, {"--explain"}} {
		mergeByProfile(t, append([]string{"forecast", "--as-of", "2026-01-10", "--until", "2026-12-31", "--by", "profile"}, more...))
	}
}

func mergeByProfile(t *testing.T, args []string) {
	t.Helper()
	dir := t.TempDir()
	text := randomBook(rand.New(rand.NewPCG(9, 9)), 20)
	var files, parts []string
	for i, rows := range [][]string{text.rows[:7], text.rows[7:]} {
		file, part := filepath.Join(dir, fmt.Sprint(i, ".csv")), filepath.Join(dir, fmt.Sprint(i, ".part"))
		write(t, file, text.payload(rows))
		_, out, _ := outcome("", append(args, "-o", "partial", file)...)
		write(t, part, out)
		files, parts = append(files, file), append(parts, part)
	}
	for _, format := range []string{"table", "json", "ndjson", "csv"} {
		_, want, _ := outcome("", slices.Concat(args, []string{"-o", format}, files)...)
		if _, got, log := outcome("", "merge", "-o", format, parts[0], parts[1]); got != want || want == "" {
			t.Errorf("%s:\n%s\nwant\n%s\n%s", format, got, want, log)
		}
		if _, got, log := outcome(read(t, parts[0]), "merge", "-o", format, "-", parts[1]); got != want {
			t.Errorf("%s, a part from a pipe:\n%s\nwant\n%s\n%s", format, got, want, log)
		}
	}
	_, merged, _ := outcome("", "merge", "-o", "partial", parts[0], parts[1])
	packed := filepath.Join(dir, "packed.part.gz")
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, _ = w.Write([]byte(merged))
	_ = w.Close()
	write(t, packed, b.String())
	_, want, _ := outcome("", "merge", "-o", "csv", parts[0], parts[1])
	if _, got, log := outcome("", "merge", "-o", "csv", packed); got != want {
		t.Errorf("merged and packed:\n%s\nwant\n%s\n%s", got, want, log)
	}
	write(t, parts[1], read(t, parts[1])[1:])
	if code, got, _ := outcome("", "merge", parts[0], parts[1]); code != 3 || got != "" {
		t.Errorf("a damaged part: exit %d\n%s", code, got)
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// withDefaults adds flags to a command line, and the defaults of those that are not among them.
func withDefaults(args, flags []string, defaults ...string) []string {
	args = append(args, flags...)
	for i := 0; i < len(defaults); i += 2 {
		if !slices.Contains(flags, defaults[i]) {
			args = append(args, defaults[i:i+2]...)
		}
	}
	return args
}
