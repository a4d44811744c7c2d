package main

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/internal/program"
	"github.com/chargecast/chargecast/record"
	"github.com/chargecast/chargecast/rules"
)

// TestWorkersRenderTheSame: charges, findings and exit codes are those of one worker, in every output
// that the workers make and with everything that changes one.
func TestWorkersRenderTheSame(t *testing.T) {
	text := randomBook(rand.New(rand.NewPCG(5, 6)), 600)
	dir := t.TempDir()
	first, second := filepath.Join(dir, "a.csv"), filepath.Join(dir, "b.csv")
	write(t, first, text.payload(text.rows))
	write(t, second, text.payload(text.rows[:100]))
	for _, c := range []struct{ reason, flags string }{
		{"a file name in every record", "-o ndjson SECOND"},
		{"names of columns with a file", "-o csv SECOND"},
		{"names of columns without one", "-o csv"},
		{"the window ends with a charge of its own for each profile", "-o ndjson --next 3"},
		{"reasons are made once for many charges", "-o ndjson --explain"},
		{"reasons in CSV", "-o csv --explain"},
		{"totals of profiles", "-o ndjson --by profile"},
		{"totals of profiles with reasons", "-o csv --by profile --explain"},
		{"quantiles", "-o csv --by profile --quantiles 5,95"},
		{"rows that the policy refuses", "-o ndjson --policy start-past=reject"},
		{"a limit ends the reading", "-o ndjson --max-rows 300"},
	} {
		args := append([]string{"forecast", "--as-of", "2026-01-12", "--until", "2026-09-30", first}, strings.Fields(c.flags)...)
		if i := slices.Index(args, "SECOND"); i >= 0 {
			args[i] = second
		}
		wantCode, wantOut, wantLog := outcome("", append(args, "--workers", "1")...)
		if wantOut == "" {
			t.Fatalf("%s: no output\n%s", c.reason, wantLog)
		}
		for _, workers := range []string{"2", "7"} {
			code, out, log := outcome("", append(args, "--workers", workers)...)
			if code != wantCode || out != wantOut || log != wantLog {
				t.Errorf("%s, %s workers: exit %d, want %d; %d bytes, want %d\n%.500s\nwant\n%.500s", c.reason, workers, code, wantCode, len(out), len(wantOut), log, wantLog)
			}
		}
	}
}

// TestRowOfManyPartsAmongShortOnes: a row with more output than may wait does not stop the workers.
func TestRowOfManyPartsAmongShortOnes(t *testing.T) {
	text := randomBook(rand.New(rand.NewPCG(7, 8)), 20)
	_, long, _ := strings.Cut(strings.TrimRight(payloadOf(map[string]string{
		"rp_card_type": "SRC", "amount": "10.00", "amount-from": "", "amount-to": "", "amount-sequence": "", "currency": "EUR", "period": "day",
		"interval": "1", "start-date": "10.01.2026", "max-repeats-number": "", "client-orderid": "long",
	}), "\n"), "\n")
	text.rows[3], text.rows[17] = long, strings.Replace(long, "long", "last", 1)
	args := []string{"forecast", "--as-of", "2026-01-10", "--until", "2070-12-31", "-o", "ndjson", "--workers"}
	payload := text.payload(text.rows)
	_, want, _ := outcome(payload, append(args, "1")...)
	if _, got, _ := outcome(payload, append(args, "4")...); got != want || len(want) < 8*pieceSize {
		t.Errorf("%d bytes, want %d", len(got), len(want))
	}
}

// A failingOutput takes so many writes, then fails.
type failingOutput struct {
	left int
	err  error
	got  strings.Builder
}

func (w *failingOutput) Write(p []byte) (int, error) {
	if w.left == 0 {
		return 0, w.err
	}
	w.left--
	return w.got.Write(p)
}

// TestWorkersEndWithTheOutput: where the output fails, the exit code is that of one worker, and so is
// what was reported when the first write failed; what arrived before is the beginning of the whole, in
// whole lines.
func TestWorkersEndWithTheOutput(t *testing.T) {
	text := randomBook(rand.New(rand.NewPCG(9, 10)), 1500)
	payload := text.payload(text.rows)
	args := []string{"forecast", "--as-of", "2026-01-12", "--until", "2028-12-31", "-o", "ndjson", "--workers"}
	_, whole, _ := outcome(payload, append(args, "1")...)
	for _, failure := range []error{errors.New("no space left"), syscall.EPIPE} {
		for _, writes := range []int{0, 1, 5} {
			t.Run(fmt.Sprint(failure, " after ", writes), func(t *testing.T) {
				var code [2]int
				var got [2]failingOutput
				var log [2]strings.Builder
				for i, workers := range []string{"1", "3"} {
					got[i] = failingOutput{left: writes, err: failure}
					code[i] = run(append(args, workers), strings.NewReader(payload), &got[i], &log[i])
				}
				out := got[1].got.String()
				if code[0] != code[1] || !strings.HasPrefix(whole, out) || (out != "") != (writes > 0) || out != "" && !strings.HasSuffix(out, "\n") {
					t.Errorf("exit %d, want %d; %d bytes", code[1], code[0], len(out))
				}
				if writes == 0 && log[0].String() != log[1].String() {
					t.Errorf("%.400s\nwant\n%.400s", &log[1], &log[0])
				}
			})
		}
	}
}

// TestPanicOfAWorkerIsThatOfTheCaller: it is reported as every fault of the program, and nothing waits.
func TestPanicOfAWorkerIsThatOfTheCaller(t *testing.T) {
	a := newApp(nil, new(strings.Builder), new(strings.Builder))
	q := &forecastFlags{format: program.OneOf("ndjson"), csv: program.OneOf("standard"), colour: program.OneOf("never")}
	q.workers.of.V = 3
	day := calendar.MustParse("2026-01-10")
	f := &forecastRun{app: a, out: a.out, header: &header{schema: record.SchemaForecast, asOf: day, until: day}}
	crew := q.newCrew(f, func(_ *forecastRun, row *joined) error {
		if row.Number == 9 {
			panic("row 9")
		}
		return nil
	})
	text := randomBook(rand.New(rand.NewPCG(1, 1)), 60)
	r := &payloadRun{rows: newRows(a, &selector{}), header: f.header, out: a.out, do: reading{crew: crew}}
	r.reader = rules.NewReader(strings.NewReader(text.payload(text.rows)), rules.Options{AsOf: day, Workers: 3})
	defer func() {
		if fault := recover(); fault != "row 9" {
			t.Errorf("recovered %v", fault)
		}
	}()
	t.Error(r.readTogether())
}

// TestWorkersShareStates: the workers look up the states of one file at the same time, and come to what
// one worker comes to.
func TestWorkersShareStates(t *testing.T) {
	text := randomBook(rand.New(rand.NewPCG(11, 12)), 1500)
	payload, saved := text.payload(text.rows), filepath.Join(t.TempDir(), "states.jsonl")
	if code, _, log := outcome(payload, "forecast", "--as-of", "2026-01-10", "--until", "2026-02-20", "--by", "month", "--save-state", saved); code != int(exitFindings) {
		t.Fatal(code, log)
	}
	for _, by := range []string{"charge", "month"} {
		args := []string{"forecast", "--as-of", "2026-02-21", "--until", "2026-06-30", "-o", "ndjson", "--by", by, "--state", saved, "--workers"}
		wantCode, want, wantLog := outcome(payload, append(args, "1")...)
		code, got, log := outcome(payload, append(args, "4")...)
		if code != wantCode || got != want || log != wantLog || !strings.Contains(got, `"2026-03`) {
			t.Errorf("by %s: exit %d, want %d; %d bytes, want %d\n%.500s\nwant\n%.500s", by, code, wantCode, len(got), len(want), log, wantLog)
		}
	}
}
