package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/rules"
)

// TestCheck: one bad payload is enough, its problems are named, and no card number is shown.
func TestCheck(t *testing.T) {
	const payloads = "../../testdata/payloads/"
	o := rules.Options{AsOf: calendar.MustParse("2026-01-10")}
	var out bytes.Buffer
	if ok, err := check(&out, []string{payloads + "demo.csv"}, o); !ok || err != nil {
		t.Errorf("%v, %v: %s", ok, err, out.String())
	}
	ok, err := check(&out, []string{payloads + "demo.csv", payloads + "broken.csv"}, o)
	if ok || err != nil || !strings.Contains(out.String(), "amount-syntax") || strings.Contains(out.String(), "4111111111111111") {
		t.Errorf("%v, %v: %s", ok, err, out.String())
	}
	if _, err := check(&out, []string{"missing.csv"}, o); err == nil {
		t.Error("a missing file passes")
	}
}
