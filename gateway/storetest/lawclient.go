package storetest

import (
	"cmp"
	"encoding/base64"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"

	"github.com/chargecast/chargecast/gateway"
	"github.com/chargecast/chargecast/rules"
	"github.com/chargecast/chargecast/signature"
)

// lawKey is the control key of the one merchant.
const lawKey = "control-key-of-m1"

// post sends rows as one request, which is to be accepted.
func (p *player) post(rows ...map[string]string) {
	body := "payload=" + url.QueryEscape(base64.StdEncoding.EncodeToString([]byte(payloadOf(rows...))))
	login, endpoint := cmp.Or(p.login, "m1"), cmp.Or(p.endpoint, "1001")
	target := "http://gateway.test/paynet/api/v4/create-recurring-payments/" + endpoint
	const formType = "application/x-www-form-urlencoded"
	secret, err := signature.NewSecret(lawKey, "")
	if err != nil {
		p.Fatal(err)
	}
	signed, err := signature.Sign(signature.NewRequest("POST", target).WithBody(formType, body),
		signature.OAuth{ConsumerKey: login, Nonce: "n", Timestamp: "1"}, secret, signature.ProfileGateway)
	if err != nil {
		p.Fatal(err)
	}
	r := httptest.NewRequest("POST", target, strings.NewReader(body))
	r.Header.Set("Content-Type", formType)
	r.Header.Set("Authorization", signed.Authorization())
	answer := httptest.NewRecorder()
	p.gw.ServeHTTP(answer, r)
	if answer.Code != http.StatusOK {
		p.Fatalf("a request was answered with %d", answer.Code)
	}
}

// profiles and charges are all that the gateway has, the oldest first.
func (p *player) profiles() []gateway.Profile {
	return all(p, func(tx gateway.Tx) gateway.Table[gateway.Profile] { return tx.Profiles() })
}

func (p *player) charges() []gateway.Charge { return all(p, gateway.Tx.Charges) }

func all[T gateway.Keyed](p *player, table func(gateway.Tx) gateway.Table[T]) (list []T) {
	p.Helper()
	err := p.gw.View(p.Context(), func(tx gateway.Tx) (err error) {
		list, err = table(tx).List(gateway.Query{OldestFirst: true})
		return err
	})
	if err != nil {
		p.Fatal(err)
	}
	return list
}

// payloadOf is the CSV of rows; what is left out of one is that of a valid one.
func payloadOf(rows ...map[string]string) string {
	b := rules.AppendHeader(nil)
	for _, row := range rows {
		all := map[string]string{
			"rp_card_type": "SRC", "credit-card-number": "4111111111111111", "cvv2": "123", "card-printed-name": "ANNA MUSTER",
			"expire-year": "2030", "expire-month": "12", "amount": "9.90", "currency": "EUR", "country": "DE", "city": "Berlin",
			"zip-code": "10115", "address1": "Street 1", "first-name": "Anna", "last-name": "Muster", "email": "anna@example.com",
		}
		maps.Copy(all, row)
		var cells []string
		for spec := range rules.Columns() {
			cells = append(cells, all[spec.Name])
		}
		b = rules.AppendRecord(b, cells...)
	}
	return string(b)
}
