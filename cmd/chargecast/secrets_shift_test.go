package main

import (
	"bytes"
	"maps"
	"slices"
	"strings"
	"testing"
)

// TestNoSecretInShiftedRows sends rows whose values stand in the wrong columns, where no mask
// of a column hides them, through every format (law K01).
func TestNoSecretInShiftedRows(t *testing.T) {
	row := map[string]string{
		"rp_card_type": "SRC", "amount": "10.00", "currency": "EUR", "period": "month", "interval": "1",
		"start-date": "31.01.2026", "customer-ip": "192.0.2.1", "max-repeats-number": "12",
	}
	maps.Copy(row, canaries)
	header, values, _ := strings.Cut(strings.TrimSuffix(payloadOf(row), "\n"), "\n")
	cells := strings.Split(values, ";")
	turned := slices.Clone(cells)
	slices.Reverse(turned)
	for name, shifted := range map[string][]string{
		"K01: the first left out":    append(slices.Clone(cells[1:]), `""`),
		"K01: one put in front":      append([]string{`"x"`}, cells[:len(cells)-1]...),
		"K01: turned round":          turned,
		"K01: one more than columns": append([]string{`"x"`}, cells...),
		"K01: one less than columns": cells[1:],
	} {
		payload := header + "\n" + strings.Join(shifted, ";") + "\n"
		for _, args := range [][]string{
			{"validate"}, {"validate", "-o", "json"}, {"validate", "-o", "ndjson"}, {"validate", "-o", "github"}, {"validate", "-o", "junit"},
			{"forecast"}, {"forecast", "-o", "ndjson"}, {"forecast", "-o", "csv"}, {"simulate", "-o", "ndjson"},
		} {
			var out bytes.Buffer
			run(append(args, "--as-of", "2026-01-10"), strings.NewReader(payload), &out, &out)
			if out.Len() == 0 {
				t.Fatalf("%s: %v says nothing", name, args)
			}
			for column, value := range canaries {
				for _, form := range forms(value) {
					if strings.Contains(out.String(), form) {
						t.Errorf("%s: %v shows %s as %s", name, args, column, form)
					}
				}
			}
		}
	}
}
