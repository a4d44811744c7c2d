package gateway_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/gateway"
	"github.com/chargecast/chargecast/signature"
	"github.com/chargecast/chargecast/signature/oauthhttp"
)

// How does a gateway stand behind a server of one's own? It is an http.Handler: here a client
// creates two profiles, a month passes, and the admin interface shows what was charged.
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
	answer, err := http.Get(server.URL + "/_sandbox/v1/charges?format=actuals")
	if err != nil {
		fmt.Println(err)
		return
	}
	_, _ = io.Copy(os.Stdout, answer.Body)
	// Output:
	// 200
	// 4 charges <nil>
	// profile,date,amount,currency,outcome,created,id
	// rent,2026-01-31,850.00,EUR,approved,2026-01-15,1
	// gym,2026-01-31,9.90,EUR,approved,2026-01-15,2
	// gym,2026-02-07,9.90,EUR,approved,2026-01-15,3
	// gym,2026-02-14,9.90,EUR,approved,2026-01-15,4
}
