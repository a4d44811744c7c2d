package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/chargecast/chargecast/calendar"
)

const export = "RP Card Type,Client OrderID,Credit Card Number,Amount,Currency,Start Date\n" +
	"dst,payout-1,4111111111111111,\"12,50\",eur,2026-02-01\n"

// TestConvert: decimal commas, ISO dates, commas and another case become a payload.
func TestConvert(t *testing.T) {
	var out, messages bytes.Buffer
	err := convert(&out, &messages, strings.NewReader(export), calendar.MustParse("2026-01-10"))
	const want = `"rp_card_type";"client-orderid";"credit-card-number";"amount";"currency";"start-date"` + "\n" +
		`"DST";"payout-1";"4111111111111111";"12.50";"EUR";"01.02.2026"` + "\n"
	if err != nil || out.String() != want {
		t.Errorf("%q, %v\n%s", out.String(), err, messages.String())
	}
}

// TestConvertRefusesAGuess: nothing is written where a person has to decide.
func TestConvertRefusesAGuess(t *testing.T) {
	for _, guess := range []string{"03/04/2026", "soon"} {
		var out, messages bytes.Buffer
		err := convert(&out, &messages, strings.NewReader(strings.Replace(export, "2026-02-01", guess, 1)), calendar.MustParse("2026-01-10"))
		if err == nil || out.Len() > 0 || !strings.Contains(messages.String(), "start-date") || strings.Contains(messages.String(), "4111111111111111") {
			t.Errorf("%s: %q, %v\n%s", guess, out.String(), err, messages.String())
		}
	}
}
