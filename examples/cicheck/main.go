// Cicheck checks payloads and ends with 1 if one of them has an error.
package main

import (
	"flag"
	"fmt"
	"io"
	"log"
	"os"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/rules"
)

func main() {
	today := flag.String("today", "", "day of the check, such as 2026-01-10")
	currency := flag.String("currency", "", "currency of the project")
	flag.Parse()
	day, err := calendar.Parse(*today)
	if err != nil {
		log.Fatal("-today: ", err)
	}
	ok, err := check(os.Stdout, flag.Args(), rules.Options{AsOf: day, Currency: *currency, MaxFindings: 10})
	if err != nil {
		log.Fatal(err)
	}
	if !ok {
		os.Exit(1)
	}
}

// check validates files and reports whether all are acceptable.
func check(w io.Writer, paths []string, o rules.Options) (ok bool, err error) {
	ok = true
	for _, path := range paths {
		o.File = path
		report, err := validate(path, o)
		if err != nil {
			return false, err // a payload that breaks off is not acceptable
		}
		for _, f := range report.Findings {
			fmt.Fprintln(w, f)
		}
		fmt.Fprintf(w, "%s: %d rows, %d usable, %d errors\n", path, report.Rows, report.Valid, report.Errors)
		ok = ok && report.OK()
	}
	return ok, nil
}

func validate(path string, o rules.Options) (rules.Report, error) {
	file, err := os.Open(path)
	if err != nil {
		return rules.Report{}, err
	}
	defer file.Close()
	return rules.Validate(file, o)
}
