package gateway_test

import (
	"maps"
	"testing"

	"github.com/chargecast/chargecast/gateway/gatewaytest"
)

// TestColumnsAreShownAsSent: what is shown of a row has its values, whatever characters they have,
// but what is masked, and no cvv2.
func TestColumnsAreShownAsSent(t *testing.T) {
	t.Parallel()
	gw := gatewaytest.New(t)
	newSender(t, gw).create(values{
		"city": "Köln a=b", "address1": "50% off%20+1 &c;", "order_desc": "a  b\u2028c \"d\"", "client-orderid": "order 100%",
		"server_callback_url": "http://127.0.0.1:1/cb?a=%20b&c=d",
	})
	want := map[string]any{
		"city": "Köln a=b", "address1": "50% off%20+1 &c;", "order_desc": "a  b\u2028c \"d\"", "client-orderid": "order 100%",
		"server_callback_url": "http://127.0.0.1:1/cb?a=***&c=***",
		"rp_card_type":        "SRC", "credit-card-number": "411111******1111", "expire-year": "2030", "expire-month": "12", "amount": "9.90",
		"currency": "EUR", "country": "DE", "zip-code": "10115", "period": "month", "interval": "1", "start-date": "31.01.2026",
		"card-printed-name": "***", "first-name": "***", "last-name": "***", "email": "***",
	}
	if got := ask(t, gw, 200, "GET", "profiles/1", "")["columns"].(map[string]any); !maps.Equal(got, want) {
		t.Errorf("%v, not %v", got, want)
	}
}
