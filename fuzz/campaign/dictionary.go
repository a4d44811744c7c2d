package campaign

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/gateway/response"
	"github.com/chargecast/chargecast/internal/gen"
	"github.com/chargecast/chargecast/internal/oracle"
	"github.com/chargecast/chargecast/rules"
)

// payloadWords are the names of the columns, and the words that mean something in them.
func payloadWords() []string {
	var words []string
	for s := range rules.Columns() {
		words = append(words, s.Column.String())
	}
	return slices.Concat(words, cellWords())
}

// cellWords are the values that mean something.
func cellWords() []string {
	words := []string{engine.KindSource.String(), engine.KindDestination.String()}
	for u := calendar.UnitDay; u <= calendar.UnitMonth; u++ {
		words = append(words, u.String())
	}
	return append(words, "USD", "JPY", "US", "CA", "31.01.2026", "29.02.2028", "1.00,2.00", "https://")
}

// cellSeeds are a row for each word, in the columns that may have it.
func cellSeeds() []Seed {
	var list []Seed
	for _, word := range cellWords() {
		for i := range plainCells() {
			cells := plainCells()
			cells[i] = word
			list = append(list, Seed{strings.Join(cells, "\x1f"), "2.1: a word of a cell"})
		}
	}
	return list
}

// wordPayload is a payload that has each word of a cell in each column.
func wordPayload() string {
	b := rules.AppendHeader(nil)
	for _, word := range cellWords() {
		b = rules.AppendRecord(b, slices.Repeat([]string{word}, len(plainCells()))...)
	}
	return string(b)
}

// formWords are what a form body of the gateway has.
var formWords = []string{"payload=", "oauth_signature=", "oauth_nonce=", "%2B", "%2F", "%3D", "%2b"}

// formSeed has all of them.
const formSeed = "oauth_signature=%2B%2F%3D&payload=cnBf%2BY2%2byZ%3D%3D&oauth_nonce=b"

// policyWords are every key with every value.
func policyWords() []string {
	var words []string
	for c := range engine.Keys() {
		for _, value := range c.Entry().Values() {
			words = append(words, c.Entry().Key+"="+value)
		}
	}
	return words
}

// stateWords are the names of a state line and its words.
func stateWords() []string {
	return jsonWords(fullStateLine())
}

// fullStateLine has every field.
func fullStateLine() string {
	day := gen.DateNumbered(oracle.DayOf(2026, 1, 5))
	line, _ := engine.AppendStateLine(nil, "order-1", engine.State{
		Status: engine.StatusStopped, Repeat: 5, Anchor: day, RanThrough: day, Paid: []calendar.Date{day},
		Missed: []calendar.Window{{From: day, To: day.AddDays(1)}}, Last: day,
		Stop: engine.Stop{Date: day, Reasons: engine.ReasonMaxRepeats | engine.ReasonFinishDate | engine.ReasonAPI},
	})
	return string(line)
}

// scriptWords are the names of a script line, the verbs and the other words.
func scriptWords() []string {
	var words []string
	for _, line := range scriptSeeds() {
		words = append(words, jsonWords(line)...)
	}
	slices.Sort(words)
	return slices.Compact(words)
}

// jsonWords are the names and texts of a JSON object, in quotes.
func jsonWords(line string) []string {
	var value any
	if err := json.Unmarshal([]byte(line), &value); err != nil {
		return nil
	}
	found := map[string]bool{}
	var walk func(any)
	walk = func(v any) {
		switch v := v.(type) {
		case string:
			if v != "" {
				found[strconv.Quote(v)] = true
			}
		case []any:
			for _, e := range v {
				walk(e)
			}
		case map[string]any:
			for name, e := range v {
				found[strconv.Quote(name)] = true
				walk(e)
			}
		}
	}
	walk(value)
	return slices.Sorted(maps.Keys(found))
}

// responseSeeds are a record of each type with every parameter.
func responseSeeds() []string {
	var list []string
	for r := response.TypeCreate; r <= response.TypeError; r++ {
		record := response.Record{Type: r, RecurringPaymentID: "1", Status: "2", SerialNumber: "3"}
		if r != response.TypeCreate {
			record.ErrorMessage, record.ErrorCode = "4", "5"
		}
		text, _ := record.AppendText(nil)
		list = append(list, string(text))
	}
	return list
}

// responseWords are the parameters of a record and its types.
func responseWords() []string {
	var words []string
	for _, record := range responseSeeds() {
		for line := range strings.Lines(record) {
			name, value, _ := strings.Cut(strings.Trim(line, "&\n"), "=")
			words = append(words, name+"=")
			if name == "type" {
				words = append(words, value)
			}
		}
	}
	slices.Sort(words)
	return slices.Compact(words)
}

// headerWords are what an Authorization header has.
var headerWords = []string{
	"OAuth ", `realm="`, `oauth_consumer_key="`, `oauth_nonce="`, `oauth_signature="`, `oauth_signature_method="`, `oauth_timestamp="`, `oauth_version="1.0"`,
	"RSA-SHA256", "HMAC-SHA1",
}

// headerSeed has all of them.
func headerSeed() string {
	return `OAuth realm="r", oauth_consumer_key="m", oauth_nonce="n", oauth_signature_method="RSA-SHA256", oauth_timestamp="1", oauth_version="1.0", oauth_signature="HMAC-SHA1%2B"`
}

// pemWords are the lines that begin and end key files.
func pemWords() []string {
	words := []string{"Proc-Type: 4,ENCRYPTED"}
	for _, label := range []string{"PRIVATE KEY", "RSA PRIVATE KEY", "PUBLIC KEY", "RSA PUBLIC KEY", "ENCRYPTED PRIVATE KEY", "CERTIFICATE", "EC PRIVATE KEY", "OPENSSH PRIVATE KEY"} {
		words = append(words, "-----BEGIN "+label+"-----", "-----END "+label+"-----")
	}
	return words
}

// pemSeeds are an empty file of each kind.
func pemSeeds() []Seed {
	var list []Seed
	words := pemWords()[1:]
	for i := 0; i < len(words); i += 2 {
		list = append(list, Seed{words[i] + "\nMAA=\n" + words[i+1] + "\n", "L65: a label without its key"})
	}
	return list
}
