package main

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"maps"
	"net/url"
	"strings"
	"testing"
)

// canaries are values that no output may hold (law K01), by column.
var canaries = map[string]string{
	"credit-card-number": "4012888888881881",
	"cvv2":               "7395",
	"ssn":                "ssn-canary-5521",
	"email":              "canary.mail@example.com",
	"phone":              "+15550199773",
	"birthday":           "17.03.1957",
	"first-name":         "Canaryfirst",
	"last-name":          "Canarylast",
	"card-printed-name":  "CANARY PRINTED",
}

// TestNoSecretInOutput sends rows with canaries in every private column, some of them with faults, through every
// format, and looks for the canaries in all that is written.
func TestNoSecretInOutput(t *testing.T) {
	row := map[string]string{
		"rp_card_type": "SRC", "amount": "10.00", "currency": "EUR", "period": "month", "interval": "1",
		"start-date": "31.01.2026", "order_desc": "card 4012888888881881",
	}
	maps.Copy(row, canaries)
	for _, c := range []struct{ reason, column, value string }{
		{"K01: a row without a fault", "", ""},
		{"h300: the card number in the client-orderid", "client-orderid", "order 4012888888881881"},
		{"h005: an amount that is not read", "amount", "4012888888881881"},
		{"K01: a currency that is not read", "currency", "4012888888881881"},
		{"K01: a date that is not read", "start-date", "4012888888881881"},
		{"K01: an interval that is not read", "interval", "4012888888881881"},
		{"K01: a kind that is not read", "rp_card_type", "4012888888881881"},
		{"h072: a card number with letters", "credit-card-number", "4012888888881881x"},
		{"h075: a security code of two digits", "cvv2", "73955"},
	} {
		t.Run(c.reason, func(t *testing.T) {
			if c.column != "" {
				was, had := row[c.column], row[c.column] != ""
				row[c.column] = c.value
				defer func() {
					if delete(row, c.column); had {
						row[c.column] = was
					}
				}()
			}
			payload := payloadOf(row)
			for _, args := range [][]string{
				{"forecast", "-o", "table", "--explain"}, {"forecast", "-o", "json"}, {"forecast", "-o", "ndjson"}, {"forecast", "-o", "csv"},
				{"forecast", "--by", "profile"}, {"simulate"}, {"simulate", "-o", "ndjson"},
				{"why", "--profile", row["client-orderid"], "--on", "+21d"}, {"why", "--profile", row["client-orderid"], "--on", "+21d", "-o", "json"},
			} {
				var out bytes.Buffer
				if args = append(args, "--as-of", "2026-01-10"); args[0] != "why" {
					args = append(args, "--until", "2026-03-31")
				}
				run(args, strings.NewReader(payload), &out, &out)
				if out.Len() == 0 {
					t.Fatalf("%v says nothing", args)
				}
				for column, value := range canaries {
					for _, form := range forms(value) {
						if strings.Contains(out.String(), form) {
							t.Errorf("%v shows %s as %s", args, column, form)
						}
					}
				}
			}
		})
	}
}

// forms are a value and what it looks like in other clothes.
func forms(value string) []string {
	reversed := []byte(value)
	for i, j := 0, len(reversed)-1; i < j; i, j = i+1, j-1 {
		reversed[i], reversed[j] = reversed[j], reversed[i]
	}
	all := []string{value, hex.EncodeToString([]byte(value)), url.QueryEscape(value), string(reversed)}
	for shift := range 3 {
		text := base64.StdEncoding.EncodeToString([]byte(strings.Repeat(" ", shift) + value))
		if len(text) > 12 {
			all = append(all, text[4:len(text)-4])
		}
	}
	return all
}
