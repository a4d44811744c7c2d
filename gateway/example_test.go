package gateway_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/gateway"
	"github.com/chargecast/chargecast/signature"
	"github.com/chargecast/chargecast/signature/oauthhttp"
)

// How does a gateway stand behind a server of one's own? It is an http.Handler: here a client creates
// two profiles, a month passes, and the admin interface shows what was charged.
func Example() {
	ctx := context.Background()
	gw, err := gateway.New(ctx, gateway.Config{AsOf: calendar.MustParse("2026-01-15")})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer func() { _ = gw.Close() }()
	server := httptest.NewServer(gw)
	defer server.Close()
	if _, err := gw.Register(ctx, gateway.Registration{Login: "shop", Endpoint: "1234", Currency: "EUR", ControlKey: "secret"}); err != nil {
		fmt.Println(err)
		return
	}

	key, _ := signature.NewHMACKey("secret")
	client := http.Client{Transport: &oauthhttp.Transport{ConsumerKey: "shop", Key: key}}
	body := bodyOf(payloadOf(values{"client-orderid": "rent", "amount": "850.00"}, values{"client-orderid": "gym", "period": "week"}))
	response, err := client.Post(server.URL+"/paynet/api/v4/create-recurring-payments/1234", formType, strings.NewReader(body))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(response.StatusCode)

	done, err := gw.Advance(ctx, calendar.MustParse("2026-02-14"))
	fmt.Println(done.Charges, "charges", err)
	totals, err := http.Get(server.URL + "/_sandbox/v1/totals?by=month")
	if err != nil {
		fmt.Println(err)
		return
	}
	text, _ := io.ReadAll(totals.Body)
	_, list, _ := strings.Cut(string(text), `"totals":`)
	list, _, _ = strings.Cut(list, `"summary":`)
	fmt.Println(list)
	// Output:
	// 200
	// 4 charges <nil>
	// [
	// {"type":"total","month":"2026-01","currency":"EUR","charges":2,"min":"859.90","max":"859.90","mean":"859.90"},
	// {"type":"total","month":"2026-02","currency":"EUR","charges":2,"min":"19.80","max":"19.80","mean":"19.80"}],
}
