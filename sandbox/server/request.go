package server

import (
	"crypto/rand"
	"encoding/base64"
	"net/url"
	"strings"
	"time"

	"github.com/chargecast/chargecast/rules"
	"github.com/chargecast/chargecast/signature"
)

// demoRow is the demo payload: a monthly profile with the card number that payment services reserve
// for tests. What it leaves out is empty.
func demoRow() map[string]string {
	return map[string]string{
		"rp_card_type": "SRC", "client-orderid": "demo-1", "credit-card-number": "4111111111111111", "cvv2": "123",
		"card-printed-name": "ANNA MUSTER", "expire-year": "2099", "expire-month": "12", "amount": "9.90", "currency": demoCurrency,
		"country": "DE", "city": "Berlin", "zip-code": "10115", "address1": "Street 1", "first-name": "Anna", "last-name": "Muster",
		"email": "anna@example.com", "period": "month", "interval": "1", "max-repeats-number": "12",
	}
}

const formType = "application/x-www-form-urlencoded"

// signedDemo returns the options of curl that send the demo payload. The demo merchant checks
// neither timestamps nor nonces, so the request can be sent at any time and again.
func signedDemo(target string, private []byte) ([]byte, error) {
	key, _, err := signature.LoadPrivateKey(private, signature.KeyRules{})
	if err != nil {
		return nil, err
	}
	body := demoBody()
	nonce, err := signature.Nonce(rand.Reader)
	if err != nil {
		return nil, err
	}
	signed, err := signature.Sign(signature.NewRequest("POST", target).WithBody(formType, body), signature.OAuth{
		ConsumerKey: demoLogin, Nonce: nonce, Timestamp: signature.Timestamp(time.Now()),
	}, key, signature.ProfileGateway)
	if err != nil {
		return nil, err
	}
	var b strings.Builder
	b.WriteString("# The demo payload of chargecast-sandbox, signed with RSA-SHA256. Send it with: curl -sS -i -K FILE\n")
	for _, option := range [][2]string{
		{"url", target}, {"header", "Authorization: " + signed.Authorization()}, {"header", "Content-Type: " + formType}, {"data", body},
	} {
		b.WriteString(option[0] + ` = "` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(option[1]) + "\"\n")
	}
	return []byte(b.String()), nil
}

// demoBody is the form body with the demo payload.
func demoBody() string {
	b := rules.AppendHeader(nil)
	row := demoRow()
	var cells []string
	for spec := range rules.Columns() {
		cells = append(cells, row[spec.Name])
	}
	b = rules.AppendRecord(b, cells...)
	return "payload=" + url.QueryEscape(base64.StdEncoding.EncodeToString(b))
}
