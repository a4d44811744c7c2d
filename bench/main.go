// Bench sets the library against other ways of doing the same work, and prints the ratios.
//
//	go run .               the whole table
//	go run . -only P5      the rows of one goal, or of several: P1,P4
//	go run . -only P14     the same, and the command with a file of 375 MB
//	go run . -rounds 9     more rounds
//	go run . -check        exit status 1 when a ratio misses its goal by more than half
//
// Every ratio is one of minimum times, taken in turns in one process on one workload,
// after the answers of both sides were compared. No absolute time is a goal.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

// allRows is the table in order.
func allRows() []row {
	return slices.Concat(dateRows(), accessRows(), amountRows(), readingRows(), signingRows(), drawRows(), portfolioRows(), storedRows(), reportRows(), gatewayRows())
}

func run(args []string, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("bench", flag.ContinueOnError)
	flags.SetOutput(stderr)
	only := flags.String("only", "", "the goals to measure, as P1,P4; all of the table when empty")
	rounds := flags.Int("rounds", minRounds, "rounds for each row, at least 7")
	check := flags.Bool("check", false, "fail when a ratio misses its goal by more than 1.5 times")
	if err := flags.Parse(args); err != nil {
		return 2
	}
	if flags.NArg() > 0 || *rounds < minRounds {
		fmt.Fprintf(stderr, "bench: no arguments, and -rounds of %d or more\n", minRounds)
		return 2
	}
	rows := pick(*only)
	if len(rows) == 0 {
		fmt.Fprintln(stderr, "bench: -only names no row of the table")
		return 2
	}
	describe(stdout, *rounds)
	bad := printTable(stdout, stderr, rows, *rounds)
	if bad.failed || *check && bad.missed {
		return 1
	}
	return 0
}

// pick gives the rows of the goals that are named, or the table.
func pick(only string) []row {
	if only == "" {
		return allRows()
	}
	ids := strings.Split(only, ",")
	return slices.DeleteFunc(slices.Concat(allRows(), commandRows(), reconcileRows()), func(r row) bool { return !slices.Contains(ids, r.id) })
}

// An outcome is what a whole table comes to.
type outcome struct {
	failed bool // a side was wrong or could not be made ready
	missed bool
}

func printTable(stdout, stderr io.Writer, rows []row, rounds int) (o outcome) {
	t := newTable(stdout, rows)
	t.head()
	for _, r := range rows {
		got, err := r.run(rounds)
		t.row(r, got)
		if err != nil {
			fmt.Fprintln(stderr, "bench:", err)
			o.failed = true
		}
		o.missed = o.missed || got.verdict == missed
	}
	t.foot()
	return o
}
