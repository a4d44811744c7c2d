// Spreadsheet turns the CSV of a spreadsheet into a valid payload, or says what a person has to
// decide.
package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"os"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/rules"
)

func main() {
	today := flag.String("today", "", "day on which the payload is sent, such as 2026-01-10")
	flag.Parse()
	day, err := calendar.Parse(*today)
	if err != nil {
		log.Fatal("-today: ", err)
	}
	if err := convert(os.Stdout, os.Stderr, os.Stdin, day); err != nil {
		log.Fatal(err)
	}
}

var errNotValid = errors.New("the payload is not valid; correct the lines above in the spreadsheet")

// convert mends src, validates the result, and writes it only if it is valid.
func convert(w, messages io.Writer, src io.Reader, day calendar.Date) error {
	var payload bytes.Buffer
	fixer := rules.Fixer{Report: func(c rules.Change) {
		if c.Refused {
			fmt.Fprintf(messages, "line %d: refused: %s\n", c.Line, c.Code)
		}
	}}
	export, err := io.ReadAll(src) // a Fixer reads twice: a file need not be in memory
	if err != nil {
		return err
	}
	fixed, err := fixer.Fix(&payload, bytes.NewReader(export))
	if err != nil {
		return err
	}
	report, err := rules.Validate(bytes.NewReader(payload.Bytes()), rules.Options{AsOf: day})
	if err != nil {
		return err
	}
	for _, f := range report.Findings {
		fmt.Fprintln(messages, f)
	}
	fmt.Fprintf(messages, "%d rows, %d changes, %d refused\n", fixed.Rows, fixed.Changes, fixed.Refused)
	if fixed.Findings.Err() != nil || fixed.Refused > 0 || !report.OK() {
		return errNotValid
	}
	_, err = w.Write(payload.Bytes())
	return err
}
