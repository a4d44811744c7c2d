// Command mutate measures what the tests of a package would notice: it changes one operator at a
// time and runs the tests. docs/mutation.md has the results and how to read them.
//
//	go tool -modfile=tools.mod mutate [flags] ./rules
//
// All mutants are compiled into one test binary, each behind a number, so that none but those of
// constants need a build. A first run of each test finds out which mutants it reaches and what it
// costs; a mutant then meets the tests that reach it, cheap ones first, until one refuses it. Each
// verdict is a JSON line of the file that -out names. A run goes on where the one before it
// stopped.
package main

import (
	"flag"
	"fmt"
	"os"
	"runtime"
	"time"
)

func main() {
	var o options
	flag.StringVar(&o.out, "out", "mutants.jsonl", "`file` of the verdicts, which is read first and added to")
	flag.StringVar(&o.files, "files", "", "run and count the mutants of files alone whose names match this `pattern`")
	flag.StringVar(&o.skip, "skip", "", "leave out tests whose names match this `pattern`")
	flag.IntVar(&o.jobs, "jobs", runtime.NumCPU(), "how many tests run at a time")
	flag.Float64Var(&o.slow, "slow", 0, "leave out tests that take this many `seconds`; 0 runs all")
	flag.DurationVar(&o.extra, "extra", 5*time.Second, "processor `time` that tests may take beside three times their usual one, in whole seconds")
	flag.BoolVar(&o.again, "again", false, "run those again that lived, or are undecided")
	flag.BoolVar(&o.constants, "constants", false, "build and run the mutants of constants too, one by one")
	flag.Parse()
	if flag.NArg() != 1 {
		fmt.Fprintln(os.Stderr, "usage: go tool -modfile=tools.mod mutate [flags] ./package")
		os.Exit(2)
	}
	if err := measure(flag.Arg(0), o, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
