package response_test

import (
	"errors"
	"reflect"
	"testing"

	"github.com/chargecast/chargecast/gateway/response"
)

// FuzzResponse_Parse_Append: what is accepted is written and read back to the same; what is refused has a place, and is no success.
func FuzzResponse_Parse_Append(f *testing.F) {
	for _, text := range []string{"type=ok", "type=error", "status", "=v", "status=a&status=b", "type=%zz", "type=create-recurring-payment-response&error-code=1", "\n", "&", ""} {
		f.Add([]byte(text))
	}
	for kind := response.TypeCreate; kind <= response.TypeError; kind++ {
		text, _ := response.Record{Type: kind, RecurringPaymentID: "1", Status: "2", SerialNumber: "3"}.AppendText(nil)
		f.Add(text)
		text, _ = response.Record{Type: kind, RecurringPaymentID: "1", ErrorMessage: "4", ErrorCode: "5"}.AppendText(nil)
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, status := range []int{200, 403, 500} {
			r, err := response.Parse(status, data)
			if fault, ok := errors.AsType[*response.Error](err); err != nil {
				if !ok || fault.Offset < 0 && len(data) > 0 || fault.Offset > len(data) || r.Outcome == response.OutcomeAccepted {
					t.Errorf("%q: %v, outcome %v", data, err, r.Outcome)
				}
				continue
			}
			if len(data) == 0 {
				continue // the status decides
			}
			text, _ := r.AppendText(nil)
			if back, err := response.Parse(500, text); err != nil || !reflect.DeepEqual(back, r) {
				t.Errorf("%q is %+v, written %q and read back as %+v, %v", data, r, text, back, err)
			}
		}
	})
}
