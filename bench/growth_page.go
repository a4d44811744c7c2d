package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"
)

// growthFlags are the flags of -growth.
type growthFlags struct {
	on         bool
	most       int
	date, into string
}

func (f *growthFlags) define(flags *flag.FlagSet) {
	flags.BoolVar(&f.on, "growth", false, "measure how the time grows, and nothing else")
	flags.IntVar(&f.most, "growth-most", growthBook, "the most profiles of -growth, from 1,000 on")
	flags.StringVar(&f.date, "growth-date", "", "the date that growth.md and growth.svg name")
	flags.StringVar(&f.into, "growth-into", "", "the directory for growth.md and growth.svg; none when empty")
}

// run measures the curves, prints them and writes the page and its chart.
func (f *growthFlags) run(stdout, stderr io.Writer) int {
	if err := f.measure(stdout, stderr); err != nil {
		fmt.Fprintln(stderr, "bench:", err)
		return 1
	}
	return 0
}

func (f *growthFlags) measure(stdout, stderr io.Writer) error {
	if f.most < growthProfiles || f.into != "" && f.date == "" {
		return fmt.Errorf("-growth-most takes %d or more, and -growth-into needs -growth-date", growthProfiles)
	}
	list, err := portfolioBook(min(f.most, growthBook), false)
	if err != nil {
		return err
	}
	curves := growths(f.most)
	for i := range growthPasses * len(curves) {
		if err := curves[i%len(curves)].measure(list, stderr); err != nil {
			return err
		}
	}
	page := f.page(curves)
	fmt.Fprint(stdout, page)
	if f.into == "" {
		return nil
	}
	chart := growthChart(curves, growthMachine()+", "+f.date)
	return errors.Join(
		os.WriteFile(filepath.Join(f.into, "growth.md"), []byte(page), 0o644),
		os.WriteFile(filepath.Join(f.into, "growth.svg"), []byte(chart), 0o644))
}

// growthMachine is what the times depend on.
func growthMachine() string {
	return fmt.Sprintf("%s, %d cores, %s %s/%s", strings.ReplaceAll(processor(), "(R)", ""), runtime.NumCPU(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
}

// page is growth.md: the chart, what was measured and the figures.
func (f *growthFlags) page(curves []growth) string {
	var b strings.Builder
	b.WriteString(`# How the time grows

![Time for totals by day against profiles, years and interval](growth.svg)

Both sides answer one question: what is charged on each day in each currency. chargecast adds the profiles to an
engine.Book, which enters where the charges of a profile begin and end, and reads its totals. The usual way lists the
dates of each profile with rrule-go and adds shopspring decimals in a map; its rules are made before the time is taken. Both
came to the same totals wherever both were run. The usual way was left out where it would take more than ` + strconv.Itoa(int(naivePatience.Seconds())) + ` seconds.

The profiles are those of the workload W1 of [bench](../bench/README.md): 70 % monthly, 20 % weekly, 10 % daily, fixed
amounts, four currencies. With 5 years and interval 1 a profile has 275 charges on average. Above 1,000,000 profiles the same
ones are added again. Each time is the least of ` + strconv.Itoa(growthPasses*growthRuns) + ` runs in ` + strconv.Itoa(growthPasses) + ` passes, or of one run a pass where that takes more than a
second.

`)
	fmt.Fprintf(&b, "Measured on %s: %s. The machine was not quiet, so\nsingle points may be off by half: the slopes are what matters.\n", f.date, growthMachine())
	for _, g := range curves {
		fmt.Fprintf(&b, "\n## %s\n\n| %s | chargecast | rrule-go, decimal, map | ratio |\n|--:|--:|--:|--:|\n", g.title, g.axis)
		for _, p := range g.points {
			theirs, ratio := "left out", ""
			if p.theirs > 0 {
				theirs, ratio = growthTime(p.theirs), short(float64(p.theirs)/float64(p.ours))+"×"
			}
			fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", thousands(p.x), growthTime(p.ours), theirs, ratio)
		}
	}
	fmt.Fprintf(&b, "\nTo measure it again, in the directory bench:\n\n```\ngo run . -growth -growth-most %d -growth-date %s -growth-into ../docs\n```\n", f.most, f.date)
	return b.String()
}

// growthTime is a time with three digits.
func growthTime(d time.Duration) string {
	switch {
	case d >= time.Second:
		return short(d.Seconds()) + " s"
	case d >= time.Millisecond:
		return short(d.Seconds()*1e3) + " ms"
	}
	return short(d.Seconds()*1e6) + " µs"
}

// thousands is a number with commas.
func thousands(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
