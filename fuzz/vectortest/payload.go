package vectortest

import (
	"cmp"
	"encoding/json"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"testing"
)

// A Payload is a vector of the op validate: a text, or one of the rows of rows.json with some cells
// changed.
type Payload struct {
	Row      string          `json:"row"`
	Set      map[string]Text `json:"set"`
	Payload  *Text           `json:"payload"`
	Input    string          `json:"input"` // csv, base64 or form; empty: to be recognised
	AsOf     string          `json:"as_of"`
	Currency string          `json:"currency"` // of the project; empty: unknown
	Expect   Judged          `json:"-"`
}

// A Judged is what is said of a payload, or what must be: every problem, and how many data rows it has and can use.
type Judged struct {
	Problems []Problem `json:"problems"`
	Rows     int       `json:"rows"`
	Valid    int       `json:"valid"`
}

// A Problem is a problem of a payload. An empty Column is not compared.
type Problem struct {
	Severity string `json:"severity"`
	Code     string `json:"code"`
	Column   string `json:"column"`
}

// Payload is a vector of the op validate.
func (v Vector) Payload(t *testing.T) Payload {
	t.Helper()
	p := Input[Payload](t, v)
	p.Expect = Expect[Judged](t, v)
	return p
}

// Bytes are the payload to judge: Payload, or a header and the changed row as CSV, columns in order of
// their names. A row that rows.json does not have panics.
func (p Payload) Bytes() []byte {
	if p.Payload != nil {
		return []byte(*p.Payload)
	}
	rows := readRows()
	row := rows[p.Row]
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
	return []byte(strings.Join(header, ";") + "\n" + strings.Join(cells, ";") + "\n")
}

// readRows are the rows of rows.json by name, fresh ones each time.
func readRows() (rows map[string]map[string]Text) {
	text, err := fs.ReadFile(Files(), "rows.json")
	if err == nil {
		err = json.Unmarshal(text, &rows)
	}
	if err != nil { // it is embedded, and every test of a payload reads it
		panic(err)
	}
	return rows
}

func quoted(cell string) string { return `"` + strings.ReplaceAll(cell, `"`, `""`) + `"` }

// Same compares every problem with its severity, and with its column where one is expected, in any order, and how
// many rows there are and can be used.
func (p Payload) Same(t *testing.T, got Judged) {
	t.Helper()
	if !p.Expect.met(got) {
		t.Errorf("\n got %+v\nwant %+v", got, p.Expect)
	}
}

// met reports whether what is said of a payload is what is expected.
func (j Judged) met(got Judged) bool {
	byCode := func(a, b Problem) int {
		return cmp.Or(cmp.Compare(a.Code, b.Code), cmp.Compare(a.Column, b.Column))
	}
	found, all := slices.SortedFunc(slices.Values(got.Problems), byCode), slices.SortedFunc(slices.Values(j.Problems), byCode)
	return got.Valid == j.Valid && got.Rows == j.Rows && slices.EqualFunc(found, all, func(a, b Problem) bool {
		return a.Severity == b.Severity && a.Code == b.Code && (b.Column == "" || a.Column == b.Column)
	})
}
