package rules_test

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"os"
	"strings"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/rules"
)

const payload = `"rp_card_type";"client-orderid";"credit-card-number";"amount";"currency"
"DST";"order-1";"4111111111111111";"10.00";"EUR"
"DST";"order-2";"4111111111111111";"10,00";"EUR"
`

// Is this payload right?
func ExampleValidate() {
	report, err := rules.Validate(strings.NewReader(payload), rules.Options{AsOf: calendar.MustParse("2026-01-10")})
	if err != nil {
		fmt.Println("the payload was not read to its end:", err)
	}
	fmt.Println(report.OK(), report.Rows, "rows,", report.Errors, "errors")
	for _, f := range report.Findings {
		fmt.Println("row", f.Place.Row, f.Code, f.Severity, f.Subject)
	}
	// Output:
	// false 2 rows, 1 errors
	// row 2 amount-syntax error amount
}

// How does an export become a payload?
func ExampleFixer_Fix() {
	export := "rp_card_type,Order ID,credit-card-number,amount,currency\ndst,order-1,4111111111111111,12.50,eur\n"
	fixer := rules.Fixer{Report: func(c rules.Change) { fmt.Printf("%s %d %v\n", c.Code, c.Row, cmp.Or(c.Column.String(), "-")) }}
	var payload strings.Builder
	done, err := fixer.Fix(&payload, strings.NewReader(export))
	fmt.Println(done.Changes, "changes,", done.Refused, "refused,", err)
	fmt.Print(payload.String())
	// Output:
	// separator 0 -
	// quotes-missing 0 -
	// header-alias 0 client-orderid
	// case 1 rp_card_type
	// case 1 currency
	// 5 changes, 0 refused, <nil>
	// "rp_card_type";"client-orderid";"credit-card-number";"amount";"currency"
	// "DST";"order-1";"4111111111111111";"12.50";"EUR"
}

// Which rows of a payload can be used, and what is wrong with the others?
func ExampleReader_Rows() {
	r := rules.NewReader(strings.NewReader(payload), rules.Options{AsOf: calendar.MustParse("2026-01-10")})
	for row, problems := range r.Rows() {
		for _, p := range problems {
			fmt.Println(p)
		}
		if row != nil {
			fmt.Println("usable:", row.OrderID())
		}
	}
	s := r.Summary()
	fmt.Println(s.Rows, "rows,", s.Valid, "usable")
	// Output:
	// usable: order-1
	// 3:36: amount: the amount is not written as digits, or digits, a point and digits: use a decimal point, and no mark between thousands [amount-syntax, L36]
	// 2 rows, 1 usable
}

// Is it this fault or another one?
func ExampleReader_Rows_errors() {
	r := rules.NewReader(strings.NewReader(payload), rules.Options{AsOf: calendar.MustParse("2026-01-10")})
	for _, problems := range r.Rows() {
		if errors.Is(problems.Err(), rules.AmountSyntax) {
			fmt.Println("row", problems[0].Place.Row, "has an amount that cannot be read")
		}
	}
	// Output: row 2 has an amount that cannot be read
}

// What does a log show of a row?
func ExampleRow_Cell() {
	r := rules.NewReader(strings.NewReader(payload), rules.Options{AsOf: calendar.MustParse("2026-01-10")})
	for row := range r.Rows() {
		fmt.Printf("%+v %v\n", row, row.Cell(rules.ColumnCardNumber))
		break
	}
	// Output: row 1 (line 2, DST) 411111******1111
}

// How does a CSV become the body of a request, and back?
func ExampleEncode() {
	csv := "\"amount\"\n"
	if err := rules.Encode(os.Stdout, strings.NewReader(csv), rules.InputForm); err != nil {
		fmt.Println(err)
	}
	fmt.Println()
	problems, err := rules.Decode(os.Stdout, strings.NewReader("payload=ImFtb3VudCIK"), rules.Options{})
	fmt.Println(len(problems), err)
	// Output:
	// payload=ImFtb3VudCIK
	// "amount"
	// 0 <nil>
}

// What does the document say about a column?
func ExampleColumns() {
	for s := range rules.Columns() {
		if s.Need == "R" && !s.SourceOnly {
			fmt.Println(s.Name, s.Kind(), s.Max)
		}
	}
	// Output:
	// rp_card_type card type 0
	// client-orderid text 128
	// credit-card-number card number 19
	// currency currency 3
}

// What does a code mean?
func ExampleRules() {
	for rule := range rules.Rules() {
		if rule.Code == rules.IntervalValue {
			fmt.Println(rule.Severity, rule.Basis, rule.Clause)
			fmt.Println(rule.Text)
			fmt.Println(rule.Help)
		}
	}
	// Output:
	// error inferred L56b
	// interval is not a whole number from 1
	// write 1 for every period, 2 for every second one
}

// What does an update of a stored profile change?
func ExampleParseUpdate() {
	update, problems := rules.ParseUpdate(maps.All(map[string]string{"finish-date": "31.12.2026"}), rules.UpdateOptions{})
	fmt.Println(update.Finish.Value, problems.Err())
	// Output: 2026-12-31 <nil>
}
