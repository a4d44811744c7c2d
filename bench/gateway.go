package main

import (
	"context"
	"crypto/x509"
	"encoding/pem"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/gateway"
	"github.com/chargecast/chargecast/internal/workload"
	"github.com/chargecast/chargecast/signature"
)

// The sides of P16 take one signed request of one row: the gateway in memory creates its profile,
// and package signature alone verifies it.

// gatewayRows are P16, the half without a disk.
func gatewayRows() []row {
	const what = "a one-row create, verified, validated, stored in memory, "
	return []row{
		{id: "P16", ours: what + "HMAC", against: "limit: verifying the signature", goal: within(8), possible: "–", ready: readyCreate(false)},
		{id: "P16", ours: what + "RSA-2048", against: "limit: verifying the signature", goal: within(2), possible: "–", ready: readyCreate(true)},
	}
}

// creates is how many requests one run makes; then the gateway forgets them.
const creates = 200

func readyCreate(withRSA bool) func() contest {
	return func() contest {
		ctx := context.Background()
		signing, verifying, registration := gatewayKeys(withRSA)
		gw := must(gateway.New(ctx, gateway.Config{AsOf: calendar.MustParse("2026-01-01"), PublicURL: strings.TrimSuffix(signingURL, gatewayPath)}))
		must(gw.Register(ctx, registration))
		body := string(formBody(workload.Payload(workload.Plain, 1)))
		const form = "application/x-www-form-urlencoded"
		_, oauth := signingRequest("")
		signed := sign(signature.NewRequest("POST", signingURL).WithBody(form, body), oauth, signing)
		ours := side{creates, func() (sum uint64) {
			for range creates {
				r := &http.Request{
					Method: "POST", RequestURI: gatewayPath, Host: "gate.example.com", Body: &textBody{strings.NewReader(body)}, ContentLength: int64(len(body)),
					Header: http.Header{"Content-Type": {form}, "Authorization": {signed.Authorization()}},
				}
				w := httptest.NewRecorder()
				gw.ServeHTTP(w, r)
				if w.Code == http.StatusOK {
					sum++
				}
			}
			_, _ = gw.Reset(ctx, calendar.Date{})
			return sum
		}}
		theirs := side{creates, func() (sum uint64) {
			for range creates {
				if _, err := signature.Verify(signed, signature.Options{}, verifying); err == nil {
					sum++
				}
			}
			return sum
		}}
		return contest{ours: ours, theirs: theirs, end: func() { _ = gw.Close() }}
	}
}

// gatewayPath is the path of signingURL.
const gatewayPath = "/paynet/api/v4/create-recurring-payments/1234"

// A textBody is the body of a request as a server reads it.
type textBody struct{ *strings.Reader }

// Close does nothing.
func (*textBody) Close() error { return nil }

func gatewayKeys(withRSA bool) (signature.SigningKey, signature.VerifyingKey, gateway.Registration) {
	r := gateway.Registration{Login: signingKey, Endpoint: "1234"}
	if !withRSA {
		r.ControlKey = signingSecret
		secret := must(signature.NewHMACKey(signingSecret))
		return secret, secret, r
	}
	key, private := newRSAKey()
	der := must(x509.MarshalPKIXPublicKey(&key.PublicKey))
	r.PublicKey = string(pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der}))
	return private, private.Public(), r
}
