package oracle

import (
	"encoding/csv"
	"errors"
	"io"
	"strings"
)

// Records reads a canonical CSV: every value quoted, ; between values, LF after each row. It is not ok for any other.
func Records(text []byte) (records [][]string, ok bool) {
	var record []string
	for i := 0; i < len(text); {
		if text[i] != '"' {
			return nil, false
		}
		var value []byte
		for i++; ; i++ {
			if i+1 >= len(text) {
				return nil, false
			}
			if text[i] == '"' {
				if text[i+1] != '"' {
					break
				}
				i++
			}
			value = append(value, text[i])
		}
		record = append(record, string(value))
		switch text[i+1] {
		case ';':
		case '\n':
			records, record = append(records, record), nil
		default:
			return nil, false
		}
		i += 2
	}
	return records, record == nil
}

// LooseRecords takes a CSV with ; apart, character by character.
func LooseRecords(text string) (records [][]string) {
	var record []string
	var cell strings.Builder
	inside, some := false, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '"' && inside && i+1 < len(text) && text[i+1] == '"':
			cell.WriteByte('"')
			i++
		case c == '"':
			inside, some = !inside, true
		case c == ';' && !inside:
			record, some = append(record, cell.String()), true
			cell.Reset()
		case c == '\r' && !inside && i+1 < len(text) && text[i+1] == '\n':
		case c == '\n' && !inside:
			if some || cell.Len() > 0 {
				records = append(records, append(record, cell.String()))
			}
			record, some = nil, false
			cell.Reset()
		default:
			cell.WriteByte(c)
		}
	}
	if some || cell.Len() > 0 {
		records = append(records, append(record, cell.String()))
	}
	return records
}

// StandardRecords are the records that package csv reads, and the lines of their first
// values.
func StandardRecords(text string) (records [][]string, lines []int, err error) {
	r := csv.NewReader(strings.NewReader(text))
	r.Comma, r.FieldsPerRecord = ';', -1
	for {
		record, err := r.Read()
		if errors.Is(err, io.EOF) {
			return records, lines, nil
		}
		if err != nil {
			return nil, nil, err
		}
		line, _ := r.FieldPos(0)
		records, lines = append(records, record), append(lines, line)
	}
}
