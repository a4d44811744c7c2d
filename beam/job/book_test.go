package job_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chargecast/chargecast/rules"
)

// A book is a random payload in files.
type book struct {
	dir   string
	files []string
	rows  [][]string // of each file
}

// header and csvRow write payloads with all columns.
func header() string { return string(rules.AppendHeader(nil)) }

func csvRow(cells map[string]string) string {
	var values []string
	for s := range rules.Columns() {
		values = append(values, cells[s.Name])
	}
	return string(rules.AppendRecord(nil, values...))
}

// randomRow returns a row of any kind of schedule and amount, with a card that may expire; one in
// ten has an error, one in ten a line break in a value.
func randomRow(r *rand.Rand, id string) string {
	pick := func(list ...string) string { return list[r.IntN(len(list))] }
	cells := map[string]string{
		"rp_card_type": "SRC", "client-orderid": id, "credit-card-number": "4111111111111111", "card-printed-name": "TEST CARD",
		"country": "DE", "city": "Berlin", "zip-code": "10115", "address1": pick("Example Street 1", "Example\nStreet 1", "Example; Street \"1\""),
		"first-name": "Test", "last-name": "Person", "email": "test@example.com", "currency": pick("EUR", "USD", "JPY", "KWD"),
		"period": pick("day", "week", "month"), "interval": pick("1", "2", "3"), "start-date": pick("31.01.2026", "10.01.2026", "15.03.2026"),
		"expire-year": pick("2026", "2031"), "expire-month": pick("03", "12"), "max-repeats-number": pick("", "3", "12"), "finish-date": pick("", "30.06.2027"),
		"server-callback-url": pick("", "https://user:secret@merchant.example/cb?token=secret"),
	}
	switch r.IntN(3) {
	case 0:
		cells["amount"] = pick("10", "7", "300")
	case 1:
		cells["amount-from"], cells["amount-to"] = "1", pick("5", "9", "900")
	case 2:
		cells["amount-sequence"] = pick("1,2,3", "5,5", "9,1")
	}
	if r.IntN(10) == 0 {
		cells["interval"] = "0"
	}
	return csvRow(cells)
}

// randomBook writes a book of so many rows in so many files.
func randomBook(t *testing.T, r *rand.Rand, rows, files int) *book {
	t.Helper()
	b := &book{dir: t.TempDir(), rows: make([][]string, files)}
	for i := range rows {
		file := r.IntN(files)
		if i < files {
			file = i // none is empty
		}
		b.rows[file] = append(b.rows[file], randomRow(r, fmt.Sprint("order-", i)))
	}
	for i, rows := range b.rows {
		name := filepath.Join(b.dir, fmt.Sprintf("shard-%03d.csv", i))
		text := header() + strings.Join(rows, "")
		save(t, name, text)
		b.files = append(b.files, name)
	}
	return b
}

func save(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func load(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
