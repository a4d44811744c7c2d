package vector_test

import (
	"bytes"
	"cmp"
	"errors"
	"slices"
	"testing"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/fuzz/vector"
	"github.com/chargecast/chargecast/gateway/response"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/record"
	"github.com/chargecast/chargecast/rules"
)

// judgePayload compares every problem with its severity, and with its column where one is given.
func judgePayload(t *testing.T, v vector.Vector) {
	p, err := v.Payload()
	if err != nil {
		t.Fatal(err)
	}
	text, err := p.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	o := rules.Options{AsOf: calendar.MustParse(p.AsOf), Currency: p.Currency}
	if p.Input != "" {
		o.Input = map[string]rules.Input{"csv": rules.InputCSV, "base64": rules.InputBase64, "form": rules.InputForm}[p.Input]
	}
	reader := rules.NewReader(bytes.NewReader(text), o)
	got := []vector.Problem{}
	valid := 0
	for row, found := range reader.Rows() {
		if row != nil {
			valid++
		}
		for _, f := range found {
			got = append(got, vector.Problem{Severity: f.Severity.String(), Code: string(f.Code), Column: f.Subject})
		}
	}
	want := p.Expect.Problems
	byCode := func(a, b vector.Problem) int {
		return cmp.Or(cmp.Compare(a.Code, b.Code), cmp.Compare(a.Column, b.Column))
	}
	slices.SortFunc(got, byCode)
	slices.SortFunc(want, byCode)
	same := len(got) == len(want)
	for i := range want {
		if same && want[i].Column == "" {
			got[i].Column = ""
		}
		same = same && got[i] == want[i]
	}
	if !same || valid != p.Expect.Valid || reader.Summary().Rows != p.Expect.Rows {
		t.Errorf("got %v, %d of %d rows\nwant %v, %d of %d rows", got, valid, reader.Summary().Rows, want, p.Expect.Valid, p.Expect.Rows)
	}
}

func judgeResponse(t *testing.T, v vector.Vector) {
	in := input[struct {
		Status int
		Body   vector.Text
	}](t, v)
	want := decoded[struct {
		Outcome string
		Params  [][2]string
		Error   bool
	}](t, v.Expect)
	r, err := response.Parse(in.Status, []byte(in.Body))
	if (err != nil) != want.Error {
		t.Fatalf("%v, want an error: %v", err, want.Error)
	}
	if err != nil {
		return
	}
	var got [][2]string
	for _, p := range [][2]string{{"type", r.Type.String()}, {"recurring-payment-id", r.RecurringPaymentID}, {"status", r.Status}, {"serial-number", r.SerialNumber},
		{"error-message", r.ErrorMessage}, {"error-code", r.ErrorCode}} {
		if p[1] != "" {
			got = append(got, p)
		}
	}
	for _, p := range r.Extra {
		got = append(got, [2]string{p.Name, p.Value})
	}
	for _, list := range [][][2]string{got, want.Params} { // the order of the known ones is not compared
		slices.SortFunc(list, func(a, b [2]string) int { return cmp.Compare(a[0], b[0]) })
	}
	if !slices.Equal(got, want.Params) || r.Outcome.String() != want.Outcome {
		t.Errorf("got %v %v, want %v %v", r.Outcome, got, want.Outcome, want.Params)
	}
}

func judgeStateLine(t *testing.T, v vector.Vector) {
	_, _, err := engine.ParseStateLine([]byte(lineOf(t, v)))
	sameCode(t, v, err)
}

func judgeScriptLine(t *testing.T, v vector.Vector) {
	_, err := record.ParseScriptLine([]byte(lineOf(t, v)))
	sameCode(t, v, err)
}

func lineOf(t *testing.T, v vector.Vector) vector.Text {
	return input[struct{ Line vector.Text }](t, v).Line
}

// sameCode compares an error with the code of an expectation; none is no error.
func sameCode(t *testing.T, v vector.Vector, err error) {
	t.Helper()
	want := decoded[struct{ Code string }](t, v.Expect).Code
	got := ""
	if err != nil {
		got = err.Error()
		if f, ok := errors.AsType[ledger.Finding](err); ok {
			got = string(f.Code)
		}
	}
	same(t, "code", got, want)
}
