package check_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/internal/check"
	"github.com/chargecast/chargecast/rules"
	"github.com/chargecast/chargecast/signature"
)

// TestHugePayload: however many findings a payload has, all are counted, the first 100,000 are listed, and the record says
// how many are not.
func TestHugePayload(t *testing.T) {
	const header = `"rp_card_type";"client-orderid";"order_desc";"credit-card-number";"card-printed-name";"expire-month";"expire-year";"amount";"currency";` +
		`"address1";"city";"zip-code";"country";"phone";"email";"customer-ip";"first-name";"last-name";"period";"interval";"start-date"`
	payload := header + "\r\n" + strings.Repeat("\"a\"\r\n", 100_010)
	r := signature.NewRequest("", "https://h.example/paynet/api/v4/create-recurring-payments/1").WithParams(signature.Payload([]byte(payload)))
	c, err := check.Judge(r, check.Options{Payload: rules.Options{AsOf: calendar.MustParse("2026-01-01")}})
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(c.Record(nil))
	if err != nil {
		t.Fatal(err)
	}
	var record struct {
		OK       bool
		Findings []json.RawMessage
		Unlisted int
		Rows     int
	}
	if err := json.Unmarshal(text, &record); err != nil {
		t.Fatal(err)
	}
	all := c.Sum.Errors + c.Sum.Warnings
	if len(record.Findings) != len(c.Found)+100_000 || record.Unlisted != all-100_000 || record.Unlisted < 10 || record.Rows != 100_010 || record.OK {
		t.Errorf("%d findings, %d not listed, of %d; %d rows", len(record.Findings), record.Unlisted, all, record.Rows)
	}
}

// TestNotJudged: what is not asked for is not judged, and the conclusion says so.
func TestNotJudged(t *testing.T) {
	r := signature.NewRequest("", "https://h.example/x")
	for only, want := range map[string]string{
		"signature": "The payload was not judged. Signature not checked: bring a key.",
		"payload":   "The request is not acceptable: the path is not that of create-recurring-payments; ",
	} {
		c, err := check.Judge(r, check.Options{Only: only, Words: check.Words{Key: "bring a key"}})
		if err != nil || !strings.HasPrefix(c.Conclusion(), want) {
			t.Errorf("%s: %v %q", only, err, c.Conclusion())
		}
	}
}
