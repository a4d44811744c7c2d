//go:build unix

package main

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"

	"github.com/chargecast/chargecast/rules"
)

// mix and u draw numbers that are the same on every machine.
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

func u(i, j uint64) uint64 { return mix(mix(i) + j) }

// row returns row i of a payload without errors: 33 values, two of them with a separator or quotes
// inside, about 380 bytes.
func row(dst []byte, columns []string, i uint64) []byte {
	amounts := [3][4]string{{fmt.Sprintf("%d.%02d", 1+u(i, 5)%499, u(i, 6)%100)}, {"", "10.00", "49.99"}, {"", "", "", "1.00,9.99,19.99"}}[u(i, 4)%3]
	cells := map[string]string{
		"rp_card_type": "SRC", "client-orderid": fmt.Sprintf("order-%010d", i), "credit-card-number": "4111111111111111", "cvv2": "123",
		"card-printed-name": "JOHN Q PUBLIC", "expire-year": fmt.Sprint(2031 + u(i, 2)%5), "expire-month": fmt.Sprintf("%02d", 1+u(i, 3)%12),
		"amount": amounts[0], "amount-from": amounts[1], "amount-to": amounts[2], "amount-sequence": amounts[3], "currency": "USD",
		"country": "US", "city": "Springfield", "zip-code": fmt.Sprintf("%05d", u(i, 7)%100_000),
		"address1": fmt.Sprintf("%d Example Street; Apt %d", 1+u(i, 8)%999, 1+u(i, 9)%99), "first-name": "John", "last-name": "Public",
		"email": fmt.Sprintf("john%d@example.com", i), "period": [...]string{"day", "week", "month"}[u(i, 10)%3], "interval": fmt.Sprint(1 + u(i, 11)%3),
		"order-desc": `Monthly "premium" subscription`, "customer-ip": "192.0.2.17", "birthday": "01.02.1980", "phone": "+15555550100", "state": "CA",
		"start-date": "31.01.2026", "finish-date": "31.12.2030", "max-repeats-number": "12", "purpose": "subscription",
		"server-callback-url": "https://merchant.example/cb",
	}
	values := make([]string, len(columns))
	for k, name := range columns {
		values[k] = cells[name]
	}
	return rules.AppendRecord(dst, values...)
}

// writeBook writes a book of rows, divided evenly into files.
func writeBook(dir string, rows, files int) error {
	var columns []string
	for s := range rules.Columns() {
		columns = append(columns, s.Name)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for file := range files {
		if err := writeShard(filepath.Join(dir, fmt.Sprintf("%05d.csv", file)), columns, file*(rows/files), (file+1)*(rows/files)); err != nil {
			return err
		}
	}
	return nil
}

func writeShard(name string, columns []string, from, to int) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	w := bufio.NewWriterSize(f, 1<<20)
	_, _ = w.Write(rules.AppendHeader(nil))
	var line []byte
	for i := from; i < to; i++ {
		line = row(line[:0], columns, uint64(i))
		_, _ = w.Write(line)
	}
	if err := w.Flush(); err != nil {
		_ = f.Close()
		return err
	}
	return f.Close()
}
