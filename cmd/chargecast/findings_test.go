package main

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
)

// One JSON document of more findings than are written at once is whole, and has what NDJSON has.
func TestManyFindingsAsJSON(t *testing.T) {
	const rows = 2000 // some 300 KiB of findings
	payload := `"rp_card_type";"client-orderid";"credit-card-number";"amount";"currency"` + "\n" +
		strings.Repeat(`"DST";"a";"4111111111111112";"1,00";"EUR"`+"\n", rows)
	records := func(format string) []byte {
		var stdout, stderr bytes.Buffer
		code := run([]string{"validate", "--as-of", "2026-01-10", "-o", format}, strings.NewReader(payload), &stdout, &stderr)
		if code != int(exitFindings) || stderr.Len() > 0 {
			t.Fatalf("-o %s: exit code %d, %.200s", format, code, stderr.String())
		}
		return stdout.Bytes()
	}
	var whole struct {
		Header, Summary json.RawMessage
		Problems        []json.RawMessage
	}
	if err := json.Unmarshal(records("json"), &whole); err != nil {
		t.Fatal(err)
	}
	lines := append(append([]json.RawMessage{whole.Header}, whole.Problems...), whole.Summary)
	var got bytes.Buffer
	for _, line := range lines {
		got.Write(append(line, '\n'))
	}
	if want := records("ndjson"); !bytes.Equal(got.Bytes(), want) {
		t.Errorf("%d records in JSON, %d in NDJSON, or others", len(lines), bytes.Count(want, []byte("\n")))
	}
}
