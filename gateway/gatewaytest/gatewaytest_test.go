package gatewaytest_test

import (
	"encoding/base64"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/chargecast/chargecast/gateway/gatewaytest"
)

const oneRow = `"rp_card_type";"client-orderid";"credit-card-number";"cvv2";"card-printed-name";"expire-year";"expire-month";"amount";"currency";"country";"city";"zip-code";"address1";"first-name";"last-name";"email";"period";"interval";"start-date";"max-repeats-number"
"SRC";"gym-42";"4111111111111111";"123";"ANNA MUSTER";"2030";"12";"9.90";"EUR";"DE";"Berlin";"10115";"Street 1";"Anna";"Muster";"anna@example.com";"month";"1";"31.01.2026";"3"
`

func payload(csv string) string {
	return "payload=" + url.QueryEscape(base64.StdEncoding.EncodeToString([]byte(csv)))
}

func TestAProfileIsCreatedAndCharged(t *testing.T) {
	t.Parallel()
	gw := gatewaytest.New(t)
	m := gw.Merchant()
	response, err := gw.SigningClient(m).Post(m.URL, "application/x-www-form-urlencoded", strings.NewReader(payload(oneRow)))
	if err != nil {
		t.Fatal(err)
	}
	if response.StatusCode != http.StatusOK {
		t.Fatalf("%d %+v", response.StatusCode, gw.Requests())
	}
	done := gw.Advance("2026-06-01")
	if done.Charges != 3 || done.Stops != 1 {
		t.Errorf("%+v", done)
	}
	var dates []string
	for _, c := range gw.Charges() {
		dates = append(dates, c.Date.String()+" "+c.Min.String())
	}
	if got := strings.Join(dates, ", "); got != "2026-01-31 9.90, 2026-02-28 9.90, 2026-03-31 9.90" {
		t.Error(got)
	}
}
