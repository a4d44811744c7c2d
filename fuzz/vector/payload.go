package vector

import (
	"encoding/json"
	"errors"
	"io/fs"
	"maps"
	"slices"
	"strings"
)

// A Payload is a vector of the op validate: a text, or one of the rows of rows.json with some cells
// changed.
type Payload struct {
	Row      string             `json:"row"`
	Set      map[string]Text    `json:"set"`
	Payload  *Text              `json:"payload"`
	Input    string             `json:"input"` // csv, base64 or form; empty: to be recognised
	AsOf     string             `json:"as_of"`
	Currency string             `json:"currency"` // of the project; empty: unknown
	Expect   PayloadExpectation `json:"-"`
}

// A PayloadExpectation is every problem that a payload has, and how many data rows it has and can use.
type PayloadExpectation struct {
	Problems []Problem `json:"problems"`
	Rows     int       `json:"rows"`
	Valid    int       `json:"valid"`
}

// A Problem is an expected problem. An empty Column is not compared.
type Problem struct {
	Severity string `json:"severity"`
	Code     string `json:"code"`
	Column   string `json:"column"`
}

// Payload is a vector of the op validate; one of another op is [ErrOp].
func (v Vector) Payload() (p Payload, err error) {
	if v.Op != "validate" {
		return p, ErrOp
	}
	if p, err = Decode[Payload](v.Input); err != nil {
		return p, err
	}
	p.Expect, err = Decode[PayloadExpectation](v.Expect)
	return p, err
}

// ErrRow is the error of a row that rows.json does not have.
var ErrRow = errors.New("no such row")

// Bytes are the payload to judge: Payload, or a header and the changed row as CSV, columns in order of
// name. A row that is neither SRC nor DST is [ErrRow].
func (p Payload) Bytes() ([]byte, error) {
	if p.Payload != nil {
		return []byte(*p.Payload), nil
	}
	text, err := fs.ReadFile(Files(), "rows.json")
	if err != nil {
		return nil, err
	}
	var rows map[string]map[string]Text
	if err := json.Unmarshal(text, &rows); err != nil {
		return nil, err
	}
	row := rows[p.Row]
	if row == nil {
		return nil, ErrRow
	}
	for name := range rows["SRC"] { // a column that a row leaves empty may be required in the header
		if _, ok := row[name]; !ok {
			row[name] = ""
		}
	}
	maps.Copy(row, p.Set)
	names := slices.Sorted(maps.Keys(row))
	var header, cells []string
	for _, name := range names {
		header = append(header, quoted(name))
		cells = append(cells, quoted(string(row[name])))
	}
	return []byte(strings.Join(header, ";") + "\n" + strings.Join(cells, ";") + "\n"), nil
}

func quoted(cell string) string { return `"` + strings.ReplaceAll(cell, `"`, `""`) + `"` }
