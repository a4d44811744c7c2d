package main

import (
	"bufio"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/chargecast/chargecast/internal/program"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/rules"
)

func newPayload(a *app) *cobra.Command {
	c := &cobra.Command{
		Use:   "payload",
		Short: "Encodes, decodes and corrects payloads, and writes a template",
		Long: `payload turns the CSV text of a payload into the form body of the request and back,
byte for byte, corrects an export, and writes a header row to begin with. It checks
the form alone; chargecast validate checks the contents.`,
		Example: `  chargecast payload fix export.csv >payload.csv
  chargecast payload encode payload.csv >body.txt`,
	}
	c.AddCommand(newPayloadEncode(a), newPayloadDecode(a), newPayloadFix(a), newPayloadTemplate(a))
	return c
}

func newPayloadEncode(a *app) *cobra.Command {
	c := &cobra.Command{
		Use:   "encode [FILE]",
		Short: "Writes the form body of a CSV",
		Long: `encode writes payload= and the base64 of the CSV, with + / = as %2B %2F %3D and without a
line end: the body that is signed and sent. With --to base64 it writes the base64 alone.
The bytes of the CSV are not changed, whatever they are. An empty input is refused.`,
		Example: `  chargecast payload encode payload.csv
  chargecast payload encode --to base64 <payload.csv`,
		Args: atMostOne,
	}
	to := program.OneOf("form", "base64")
	c.Flags().Var(to, "to", "`FORM` to write: form or base64")
	c.RunE = func(_ *cobra.Command, args []string) error {
		in, err := a.open(argument(args))
		if err != nil {
			return err
		}
		defer in.close()
		text := bufio.NewReader(in)
		if _, err := text.Peek(1); err != nil && in.err == nil {
			return a.reportEmpty(in) // it would be encoded as payload= alone, which is not a payload
		}
		form := inputNamed(to.V)
		if err := rules.Encode(bytesTo{a.out, new(bool)}, text, form); a.out.err != nil {
			return a.out.err
		} else if err != nil {
			return in.failed()
		}
		return nil
	}
	return c
}

func newPayloadDecode(a *app) *cobra.Command {
	c := &cobra.Command{
		Use:   "decode [FILE]",
		Short: "Writes the CSV of a form body, of base64 or of a captured request",
		Long: `decode writes the CSV text inside a form body, a base64 text or a captured request, byte for
byte, card data included. A text that is none of these counts as CSV and is written as it is;
--input insists on one form. Problems of the form are reported on stderr; after an error what
was written is at most the beginning of the text and is not to be used. A payload that ends
inside a row is warned of.`,
		Example: `  chargecast payload decode body.txt
  chargecast payload decode --input base64 <payload.b64`,
		Args: atMostOne,
	}
	input := inputFlag(c)
	var shown findingFlags
	shown.registerFindings(c)
	c.RunE = func(_ *cobra.Command, args []string) error {
		a.log.quiet = shown.quiet
		form := inputNamed(input.V)
		o := rules.Options{Input: form, Severity: shown.severity}
		in, err := a.openPayload(argument(args), &o)
		if err != nil {
			return err
		}
		defer in.close()
		some, end := false, new(rowEnds)
		problems, err := rules.Decode(io.MultiWriter(bytesTo{a.out, &some}, end), in, o)
		if a.out.err != nil {
			return a.out.err
		}
		for _, p := range problems {
			a.reportFinding(in.name, p)
		}
		switch {
		case err != nil:
			return in.failed()
		case isUnreadable(problems):
			return &failure{Code: exitUnreadable}
		case problems.Err() != nil:
			return errFindings
		case !some:
			return a.reportEmpty(in)
		case end.isInside():
			f := rulebook.Finding(rules.CSVWidth, "the text ends inside a row", "perhaps its end was cut off")
			f.Severity = ledger.SeverityWarning
			a.reportFinding(in.name, f)
		}
		return nil
	}
	return c
}

// reportFinding reports a finding about a payload, but no warning with --quiet and nothing that is off.
func (a *app) reportFinding(file string, f ledger.Finding) {
	if f.Severity == ledger.SeverityOff || a.log.quiet && f.Severity == ledger.SeverityWarning {
		return
	}
	a.log.finding(file, inCommand(f))
}

// reportEmpty reports that there is no text to encode, or none to decode.
func (a *app) reportEmpty(in *input) error {
	a.log.finding(in.name, rulebook.Finding(rules.NoHeader, "the input is empty", ""))
	return errFindings
}

// A rowEnds notes where in a row of a CSV a text ends.
type rowEnds struct {
	head   []byte // the beginning
	quoted bool   // inside quotes
	some   bool   // the row has begun
	values int    // of the row so far, less one
	header int    // of the first row, less one; valid after it
	rows   int
}

func (e *rowEnds) Write(p []byte) (int, error) {
	if n := longestHead - len(e.head); n > 0 {
		e.head = append(e.head, p[:min(n, len(p))]...)
	}
	for _, b := range p {
		switch {
		case b == '"':
			e.quoted = !e.quoted
		case e.quoted:
		case b == ';':
			e.values++
		case b == '\n':
			if e.rows++; e.rows == 1 {
				e.header = e.values
			}
			e.values, e.some = 0, false
			continue
		}
		e.some = true
	}
	return len(p), nil
}

// isInside reports whether a payload ended inside a row, between quotes or with fewer values than the header.
func (e *rowEnds) isInside() bool {
	name, _, _ := strings.Cut(strings.TrimPrefix(string(e.head), "\ufeff"), ";")
	_, isHeader := rules.ColumnOf(strings.Trim(name, `"`))
	return isHeader && (e.quoted || e.some && e.rows > 0 && e.values < e.header)
}

// longestHead is more than a byte-order mark, a quote and the name of a column.
const longestHead = 64

// bytesTo writes what is not made of lines.
type bytesTo struct {
	out  *output
	some *bool // whether there was any
}

func (w bytesTo) Write(p []byte) (int, error) {
	*w.some = *w.some || len(p) > 0
	w.out.b = append(w.out.b, p...)
	w.out.endLine() // which flushes when enough has come together
	return len(p), w.out.err
}

func newPayloadTemplate(a *app) *cobra.Command {
	c := &cobra.Command{
		Use:   "template",
		Short: "Writes a header row with all columns",
		Long: `template writes the header row of a payload with all columns of the document, in its order.
With --example a row of example data follows: a monthly charge of a test card.`,
		Example: `  chargecast payload template >payload.csv
  chargecast payload template --example`,
		Args: noArguments,
	}
	example := c.Flags().Bool("example", false, "write an example row too")
	c.RunE = func(*cobra.Command, []string) error {
		a.out.b = rules.AppendHeader(a.out.b)
		if *example {
			a.out.b = rules.AppendRecord(a.out.b, exampleRow()...)
		}
		a.out.endLine()
		return nil
	}
	return c
}

// exampleRow is a row about which there is nothing to find on any day until its card expires.
func exampleRow() []string {
	values := map[rules.Column]string{
		rules.ColumnCardType: "SRC", rules.ColumnOrderID: "order-1", rules.ColumnCardNumber: "4111111111111111", rules.ColumnCardPrintedName: "TEST CARD",
		rules.ColumnExpireYear: "2099", rules.ColumnExpireMonth: "12", rules.ColumnAmount: "10.00", rules.ColumnCurrency: "EUR", rules.ColumnCountry: "DE",
		rules.ColumnCity: "Berlin", rules.ColumnZipCode: "10115", rules.ColumnAddress1: "Example Street 1", rules.ColumnFirstName: "Test", rules.ColumnLastName: "Person",
		rules.ColumnEmail: "test@example.com", rules.ColumnPeriod: "month", rules.ColumnInterval: "1", rules.ColumnMaxRepeatsNumber: "12",
	}
	var row []string
	for s := range rules.Columns() {
		row = append(row, values[s.Column])
	}
	return row
}
