package response

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
)

func TestResponse(t *testing.T) { // R080–R085, R110, R111, X1, X2, L70
	const created = "create-recurring-payment-response"
	for _, c := range []struct {
		reason string
		status int
		body   string
		want   Record
		err    error
	}{
		{"X1: empty, 200", 200, "", Record{Outcome: OutcomeAccepted}, nil},
		{"X1: empty, 403", 403, "", Record{Outcome: OutcomeRejected}, nil},
		{"X1: empty, other", 500, "", Record{}, ErrEmpty},
		{"R081-R083", 200, "type=" + created + "\n&recurring-payment-id=12\n&status=x y%21\n&serial-number=a+b\n",
			Record{Outcome: OutcomeAccepted, Type: TypeCreate, RecurringPaymentID: "12", Status: "x y!", SerialNumber: "a b"}, nil},
		{"L70: joined by LF", 200, "type=" + created + "\nrecurring-payment-id=12\n",
			Record{Outcome: OutcomeAccepted, Type: TypeCreate, RecurringPaymentID: "12"}, nil},
		{"L70: joined by & alone", 200, "type=" + created + "&recurring-payment-id=12",
			Record{Outcome: OutcomeAccepted, Type: TypeCreate, RecurringPaymentID: "12"}, nil},
		{"R111: one LF is left out, the other is the value's", 200, "type=" + created + "&status=a\n\n&serial-number=b\n\n",
			Record{Outcome: OutcomeAccepted, Type: TypeCreate, Status: "a\n", SerialNumber: "b\n"}, nil},
		{"L70: what begins with = is not a pair, and what has & before = is none", 200, "type=" + created + "&status=a\n=b\nc&serial-number=d",
			Record{Outcome: OutcomeAccepted, Type: TypeCreate, Status: "a\n=b\nc", SerialNumber: "d"}, nil},
		{"R111: %0A survives", 200, "type=" + created + "&status=a%0A\n",
			Record{Outcome: OutcomeAccepted, Type: TypeCreate, Status: "a\n"}, nil},
		{"R085: unknown names are kept", 200, "type=error\n&error-message=m\n&error-code=500\n&error-id=7\n",
			Record{Outcome: OutcomeRejected, Type: TypeError, ErrorMessage: "m", ErrorCode: "500", Extra: []Parameter{{"error-id", "7"}}}, nil},
		{"X2: 200 among the codes is not a success", 200, "type=validation-error&error-message=m&error-code=200",
			Record{Outcome: OutcomeRejected, Type: TypeValidationError, ErrorMessage: "m", ErrorCode: "200"}, nil},
		{"X2: the status does not decide", 403, "type=" + created, Record{Outcome: OutcomeAccepted, Type: TypeCreate}, nil},
		{"R080: unknown type", 200, "type=success", Record{}, ErrType},
		{"R080: no type", 200, "status=x", Record{Status: "x"}, ErrType},
		{"R084: created with error fields", 200, "type=" + created + "&error-code=1", Record{Type: TypeCreate, ErrorCode: "1"}, ErrFields},
		{"R084: validation error without message", 200, "type=validation-error&error-code=1",
			Record{Outcome: OutcomeRejected, Type: TypeValidationError, ErrorCode: "1"}, ErrFields},
		{"R084: error without fields", 200, "type=error", Record{Outcome: OutcomeRejected, Type: TypeError}, ErrFields},
		{"twice", 200, "type=error&type=error", Record{Type: TypeError}, ErrTwice},
		{"no =", 200, "type", Record{}, ErrSyntax},
		{"bad escape", 200, "type=%zz", Record{}, ErrSyntax},
	} {
		got, err := Parse(c.status, []byte(c.body))
		if !reflect.DeepEqual(got, c.want) || !errors.Is(err, c.err) {
			t.Errorf("%s: %+v, %v; want %+v, %v", c.reason, got, err, c.want, c.err)
		}
	}
}

// TestResponsePlaces: a fault has the place of the parameter that it is about.
func TestResponsePlaces(t *testing.T) {
	const created = "type=create-recurring-payment-response"
	for _, c := range []struct {
		body string
		at   string
	}{
		{"status=x&type=Error", "type="},
		{"status=x\n&type=error\n&error-code=1", "type="},
		{"status=x&" + created + "&error-code=1", "error-code"},
		{"error-code=1&" + created + "&error-message=2", "error-message"},
		{"status=x&status=y", "status=y"},
		{"status=x&%zz=y", "%zz"},
		{"status=x", "status"},
	} {
		_, err := Parse(200, []byte(c.body))
		fault, ok := errors.AsType[*Error](err)
		if !ok || fault.Offset != strings.Index(c.body, c.at) {
			t.Errorf("%q: %v; want the place of %s", c.body, err, c.at)
		}
	}
}

// TestResponseText: letters, digits and four marks are written as they are, all else is escaped.
func TestResponseText(t *testing.T) {
	const plain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"
	for b := range 256 {
		value, want := string([]byte{byte(b)}), fmt.Sprintf("%%%02X", b)
		if strings.Contains(plain, value) {
			want = value
		}
		text, _ := Record{Extra: []Parameter{{"x", value}}}.AppendText(nil)
		if string(text) != "x="+want+"\n" {
			t.Errorf("byte %#x: %q", b, text)
		}
	}
}

func TestResponseRoundTrip(t *testing.T) { // W08
	texts := []string{"", "x", "a\n", "\n\n", "a&b=c", "100%", "+ +", "é", "a\nb=c"}
	chance := rand.New(rand.NewPCG(1, 2))
	for i := range 4000 {
		pick := func() string { return texts[chance.IntN(len(texts))] }
		r := Record{Outcome: OutcomeAccepted, Type: TypeCreate, RecurringPaymentID: pick(), Status: pick(), SerialNumber: pick()}
		if i%2 == 1 {
			r.Outcome, r.Type, r.ErrorMessage, r.ErrorCode = OutcomeRejected, TypeValidationError+Type(i/2%2), pick(), pick()
		}
		for range chance.IntN(3) {
			r.Extra = append(r.Extra, Parameter{"x" + pick(), pick()})
		}
		text, _ := r.AppendText(nil)
		got, err := Parse(500, text)
		if err != nil || !reflect.DeepEqual(got, r) {
			t.Fatalf("%q: %+v, %v; want %+v", text, got, err, r)
		}
	}
}

// TestWords: a value that is none of the constants says so, and panics nowhere.
func TestWords(t *testing.T) {
	for got, want := range map[string]string{Type(5).String(): "Type(5)", Outcome(3).String(): "Outcome(3)", Outcome(0).String(): "unknown"} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// TestRecordInJSON: a record is its text in JSON, there and back.
func TestRecordInJSON(t *testing.T) {
	in := []Record{{Outcome: OutcomeAccepted, Type: TypeCreate, RecurringPaymentID: "7"}}
	text, err := json.Marshal(in)
	if err != nil || !strings.HasPrefix(string(text), `["type=create-`) {
		t.Errorf("%s, %v", text, err)
	}
	var out []Record
	if err := json.Unmarshal(text, &out); err != nil || !reflect.DeepEqual(out, in) {
		t.Errorf("%+v, %v; want %+v", out, err, in)
	}
}
