package main

import (
	"strconv"

	"github.com/spf13/cobra"

	"github.com/chargecast/chargecast/internal/strictjson"
	"github.com/chargecast/chargecast/rules"
)

func newPayloadFix(a *app) *cobra.Command {
	c := &cobra.Command{
		Use:   "fix [FILE]",
		Short: "Mends what is mechanical about a payload, and lists each change",
		Long: `fix writes the CSV of a payload with what is mechanical mended: encoding, byte-order mark,
separator, quotes, names of columns, forms of dates and amounts, groups in card numbers, upper
and lower case. Each change is listed on stderr with its row and column. What would need a
guess, such as the date 03/04/2026 or the amount 1,234, is refused: it stays as it was, is
listed as refused, and the exit code is 1; the rest is still mended. So is a row with commas
between its values and no quotes if a decimal comma may be among them: 12,50 may be two values
or one. Quotes, or points in the amounts, settle it. --list shows what fix mends and refuses,
and the other names of columns that it knows.

Correct what was refused before you run fix on its own output: a second run does not refuse
these again, since the first one has mended what showed them: a row in another encoding than
those before it; 1.234 in a currency of three decimals where another amount is 12,50; and a
text in typographic quotes with a semicolon, in a file with another separator.

fix does not check the payload: chargecast validate does. Columns keep their order. The
input may also be base64, a form body or a captured request; the output is always CSV, card
data included.`,
		Example: `  chargecast payload fix export.csv >payload.csv
  chargecast payload fix -o json export.csv >payload.csv 2>changes.jsonl
  chargecast payload fix --list`,
		Args: atMostOne,
	}
	input := inputFlag(c)
	format := outputFlag(c, "text", "json")
	list := c.Flags().Bool("list", false, "list what is mended and refused, and the aliases of columns")
	var tell selection
	tell.registerFindings(c)
	var l limits
	l.register(c)
	c.RunE = func(_ *cobra.Command, args []string) error {
		if *list {
			if len(args) > 0 {
				return usage("--list reads no file", "leave out the file or --list")
			}
			if format.value == "json" {
				a.out.b = appendRepairsJSON(a.out.b)
			} else {
				a.out.b = appendRepairs(a.out.b, a.text("never"))
			}
			a.out.endLine()
			return nil
		}
		form := inputNamed(input.value)
		a.log.quiet = tell.quiet
		return a.fix(argument(args), l.bound(rules.Options{Input: form, Severity: tell.severity}), format.value == "json")
	}
	return c
}

// fix mends one payload.
func (a *app) fix(path string, o rules.Options, records bool) error {
	in, err := a.openPayload(path, &o)
	if err != nil {
		return err
	}
	defer in.close()
	some := false
	fixer := rules.Fixer{Options: o, Report: func(c rules.Change) {
		if records {
			a.log.record(c.AppendJSON(nil))
		} else {
			a.log.line(changeLine(in.name, c))
		}
	}}
	done, err := fixer.Fix(bytesTo{a.out, &some}, in)
	if a.out.err != nil {
		return a.out.err
	}
	for _, p := range done.Findings {
		a.tellFinding(in.name, p, fixHint)
	}
	switch {
	case err != nil:
		return in.failed()
	case isUnreadable(done.Findings):
		return &failure{Code: exitUnreadable}
	case !some && done.Findings.Err() == nil:
		return a.tellEmpty(in)
	}
	if !records {
		a.log.line(in.name + ": " + counted(strconv.Itoa(done.Rows), "row") + ", " + counted(strconv.Itoa(done.Changes), "change") +
			", " + strconv.Itoa(done.Refused) + " refused")
	}
	if failed := (&writeError{Err: a.log.err}); a.log.err != nil && !failed.ClosedPipe() {
		return internal("the changes cannot be written to stderr: "+reason(a.log.err), "send stderr to another place, and run it again")
	}
	if done.Refused > 0 || done.Findings.Err() != nil {
		return errFindings
	}
	return nil
}

// changeLine is a change for people.
func changeLine(file string, c rules.Change) string {
	b := append([]byte(file), ':')
	b = strconv.AppendInt(b, int64(c.Line), 10)
	b = strconv.AppendInt(append(b, ':'), int64(c.Col), 10)
	if c.Refused {
		b = append(b, ": refused: "...)
	} else {
		b = append(b, ": changed: "...)
	}
	if c.Row > 0 {
		b = append(b, "row "+strconv.Itoa(c.Row)+": "...)
	}
	if c.Field > 0 {
		b = append(b, "column "+strconv.Itoa(c.Field)+" of the header: "...)
	}
	if c.Column != 0 {
		b = append(b, c.Column.String()+": "...)
	}
	for r := range rules.Repairs() {
		switch {
		case r.Code != c.Code:
		case c.Near != 0:
			b = append(b, "perhaps "+c.Near.String()+" is meant; names must agree exactly"...)
		case c.Refused && r.Refusal != "":
			b = append(b, r.Refusal...)
		default:
			b = append(b, r.Text...)
		}
	}
	return string(append(append(append(b, " ["...), c.Code...), ']'))
}

// appendRepairs appends what fix does, and the aliases that it knows.
func appendRepairs(dst []byte, p paint) []byte {
	dst = append(dst, "Mended:\n"...)
	always := false
	for r := range rules.Repairs() {
		text := r.Text
		if text == "" {
			if text = r.Refusal; !always {
				always = true
				dst = append(dst, "\nAlways refused:\n"...)
			}
		}
		dst = p.hanging(append(append(dst, "  "...), pad(string(r.Code), 20)...), 22, text+": "+r.Example)
	}
	dst = append(dst, "\nOther names of columns, with any case, _, spaces and hyphens:\n"...)
	column := rules.Column(0)
	for alias, c := range rules.Aliases() {
		if c == column {
			dst = append(dst[:len(dst)-1], ", "+alias+"\n"...)
			continue
		}
		dst = append(append(append(append(dst, "  "...), pad(c.String(), 20)...), alias...), '\n')
		column = c
	}
	return dst
}

func appendRepairsJSON(dst []byte) []byte {
	dst = append(dst, `{"schema":"chargecast.repairs/1","repairs":[`...)
	sep := "\n"
	for r := range rules.Repairs() {
		dst = strictjson.AppendString(append(append(dst, sep...), `{"code":`...), string(r.Code))
		for _, f := range [...]struct{ name, text string }{{"text", r.Text}, {"refusal", r.Refusal}, {"example", r.Example}} {
			if f.text != "" {
				dst = strictjson.AppendString(append(dst, `,"`+f.name+`":`...), f.text)
			}
		}
		dst = append(dst, '}')
		sep = ",\n"
	}
	dst = append(dst, "\n],\"aliases\":["...)
	sep = "\n"
	for alias, c := range rules.Aliases() {
		dst = append(append(dst, sep...), `{"alias":"`+alias+`","column":"`+c.String()+`"}`...)
		sep = ",\n"
	}
	return append(dst, "\n]}\n"...)
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
