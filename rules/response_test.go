package rules

import (
	"encoding/json"
	"errors"
	"fmt"
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
		want   Response
		err    error
	}{
		{"X1: empty, 200", 200, "", Response{Outcome: OutcomeAccepted}, nil},
		{"X1: empty, 403", 403, "", Response{Outcome: OutcomeRejected}, nil},
		{"X1: empty, other", 500, "", Response{}, ErrResponseEmpty},
		{"R081-R083", 200, "type=" + created + "\n&recurring-payment-id=12\n&status=x y%21\n&serial-number=a+b\n",
			Response{Outcome: OutcomeAccepted, Type: ResponseTypeCreate, RecurringPaymentID: "12", Status: "x y!", SerialNumber: "a b"}, nil},
		{"L70: joined by LF", 200, "type=" + created + "\nrecurring-payment-id=12\n",
			Response{Outcome: OutcomeAccepted, Type: ResponseTypeCreate, RecurringPaymentID: "12"}, nil},
		{"L70: joined by & alone", 200, "type=" + created + "&recurring-payment-id=12",
			Response{Outcome: OutcomeAccepted, Type: ResponseTypeCreate, RecurringPaymentID: "12"}, nil},
		{"R111: one LF is left out, the other is the value's", 200, "type=" + created + "&status=a\n\n&serial-number=b\n\n",
			Response{Outcome: OutcomeAccepted, Type: ResponseTypeCreate, Status: "a\n", SerialNumber: "b\n"}, nil},
		{"L70: what begins with = is not a pair, and what has & before = is none", 200, "type=" + created + "&status=a\n=b\nc&serial-number=d",
			Response{Outcome: OutcomeAccepted, Type: ResponseTypeCreate, Status: "a\n=b\nc", SerialNumber: "d"}, nil},
		{"R111: %0A survives", 200, "type=" + created + "&status=a%0A\n",
			Response{Outcome: OutcomeAccepted, Type: ResponseTypeCreate, Status: "a\n"}, nil},
		{"R085: unknown names are kept", 200, "type=error\n&error-message=m\n&error-code=500\n&error-id=7\n",
			Response{Outcome: OutcomeRejected, Type: ResponseTypeError, ErrorMessage: "m", ErrorCode: "500", Extra: []Parameter{{"error-id", "7"}}}, nil},
		{"X2: 200 among the codes is not a success", 200, "type=validation-error&error-message=m&error-code=200",
			Response{Outcome: OutcomeRejected, Type: ResponseTypeValidationError, ErrorMessage: "m", ErrorCode: "200"}, nil},
		{"X2: the status does not decide", 403, "type=" + created, Response{Outcome: OutcomeAccepted, Type: ResponseTypeCreate}, nil},
		{"R080: unknown type", 200, "type=success", Response{}, ErrResponseType},
		{"R080: no type", 200, "status=x", Response{Status: "x"}, ErrResponseType},
		{"R084: created with error fields", 200, "type=" + created + "&error-code=1", Response{Type: ResponseTypeCreate, ErrorCode: "1"}, ErrResponseFields},
		{"R084: validation error without message", 200, "type=validation-error&error-code=1",
			Response{Outcome: OutcomeRejected, Type: ResponseTypeValidationError, ErrorCode: "1"}, ErrResponseFields},
		{"R084: error without fields", 200, "type=error", Response{Outcome: OutcomeRejected, Type: ResponseTypeError}, ErrResponseFields},
		{"twice", 200, "type=error&type=error", Response{Type: ResponseTypeError}, ErrResponseTwice},
		{"no =", 200, "type", Response{}, ErrResponseSyntax},
		{"bad escape", 200, "type=%zz", Response{}, ErrResponseSyntax},
	} {
		got, err := ParseResponse(c.status, []byte(c.body))
		if !reflect.DeepEqual(got, c.want) || !errors.Is(err, c.err) {
			t.Errorf("%s: %+v, %v; want %+v, %v", c.reason, got, err, c.want, c.err)
		}
	}
}

// TestResponseFaults: every fault is a constant with a text of its own, and a value that is none has one too.
func TestResponseFaults(t *testing.T) {
	seen := map[string]bool{}
	for f := ErrResponseSyntax - 1; f <= ErrResponseEmpty+1; f++ {
		if f.Error() == "" || seen[f.Error()] {
			t.Errorf("fault %d: %q", uint8(f), f.Error())
		}
		seen[f.Error()] = true
	}
	if ResponseFault(9).Error() != "ResponseFault(9)" {
		t.Error(ResponseFault(9).Error())
	}
	var refused error = &ResponseError{Offset: 3, Fault: ErrResponseTwice}
	if !errors.Is(refused, ErrResponseTwice) || errors.Is(refused, ErrResponseType) {
		t.Error("a fault is not found, or another one is")
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
		_, err := ParseResponse(200, []byte(c.body))
		fault, ok := errors.AsType[*ResponseError](err)
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
		text, _ := Response{Extra: []Parameter{{"x", value}}}.AppendText(nil)
		if string(text) != "x="+want+"\n" {
			t.Errorf("byte %#x: %q", b, text)
		}
	}
}

func TestResponseRoundTrip(t *testing.T) { // W08
	texts := []string{"", "x", "a\n", "\n\n", "a&b=c", "100%", "+ +", "é", "a\nb=c"}
	for i := range 4000 {
		pick := func(j uint64) string { return texts[u(uint64(i), j)%uint64(len(texts))] }
		r := Response{Outcome: OutcomeAccepted, Type: ResponseTypeCreate, RecurringPaymentID: pick(1), Status: pick(2), SerialNumber: pick(3)}
		if i%2 == 1 {
			r.Outcome, r.Type, r.ErrorMessage, r.ErrorCode = OutcomeRejected, ResponseTypeValidationError+ResponseType(i/2%2), pick(4), pick(5)
		}
		for j := range u(uint64(i), 6) % 3 {
			r.Extra = append(r.Extra, Parameter{"x" + pick(7+j), pick(9 + j)})
		}
		text, _ := r.AppendText(nil)
		got, err := ParseResponse(500, text)
		if err != nil || !reflect.DeepEqual(got, r) {
			t.Fatalf("%q: %+v, %v; want %+v", text, got, err, r)
		}
	}
}

// TestTextsInJSON (G17): what has a text is that text in JSON, there and back.
func TestTextsInJSON(t *testing.T) {
	type values struct {
		Input    Input
		Column   Column
		Response Response
	}
	in := values{InputForm, ColumnAmount, Response{Outcome: OutcomeAccepted, Type: ResponseTypeCreate, RecurringPaymentID: "7"}}
	text, err := json.Marshal(in)
	if err != nil || !strings.HasPrefix(string(text), `{"Input":"form","Column":"amount","Response":"type=create-`) {
		t.Errorf("%s, %v", text, err)
	}
	var out values
	if err := json.Unmarshal(text, &out); err != nil || !reflect.DeepEqual(out, in) {
		t.Errorf("%+v, %v; want %+v", out, err, in)
	}
}
