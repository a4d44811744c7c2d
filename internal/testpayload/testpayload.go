// Package testpayload is a payload that every rule accepts, for tests, simulations and demonstrations: one source profile a row.
package testpayload

import (
	"encoding/base64"
	"maps"
	"net/url"

	"github.com/chargecast/chargecast/rules"
)

// With returns the columns of a valid row, with changes one after the other; the others are empty. The card number is one that
// payment services reserve for tests.
func With(changes ...map[string]string) map[string]string {
	row := map[string]string{
		"rp_card_type": "SRC", "client-orderid": "order-1", "credit-card-number": "4111111111111111", "cvv2": "123",
		"card-printed-name": "ANNA MUSTER", "expire-year": "2099", "expire-month": "12", "amount": "9.90", "currency": "EUR",
		"country": "DE", "city": "Berlin", "zip-code": "10115", "address1": "Street 1", "first-name": "Anna", "last-name": "Muster",
		"email": "anna@example.com",
	}
	for _, c := range changes {
		maps.Copy(row, c)
	}
	return row
}

// Payload returns the payload of rows, each with what is usual for them and changes of its own.
func Payload[R ~map[string]string](usual map[string]string, rows ...R) []byte {
	csv := rules.AppendHeader(nil)
	for _, changes := range rows {
		row := With(usual, changes)
		var cells []string
		for spec := range rules.Columns() {
			cells = append(cells, row[spec.Name])
		}
		csv = rules.AppendRecord(csv, cells...)
	}
	return csv
}

// Body returns the form body with a payload.
func Body(payload []byte) string {
	return "payload=" + url.QueryEscape(base64.StdEncoding.EncodeToString(payload))
}
