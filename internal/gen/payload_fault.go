package gen

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"maps"
	"slices"
	"sync"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/fuzz/vectortest"
	"github.com/chargecast/chargecast/internal/oracle"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/rules"
)

// A PayloadVector is a vector of a payload, and what must be said of it.
type PayloadVector struct {
	ID      string
	Text    []byte
	Options rules.Options
	vectortest.Payload
}

// PayloadVectors are the vectors of payloads.
var PayloadVectors = sync.OnceValue(func() (list []PayloadVector) {
	for _, name := range [...]string{"payload-rows", "payload-columns", "hostile-cells", "payload-csv", "payload-wire"} {
		text, err := fs.ReadFile(vectortest.Files(), name+".jsonl")
		vectors, bad := vectortest.Read(bytes.NewReader(text))
		if err != nil || bad != nil { // they are embedded
			panic(name)
		}
		for _, v := range vectors {
			p := PayloadVector{ID: v.ID}
			if json.Unmarshal(v.Input, &p.Payload) != nil || json.Unmarshal(v.Expect, &p.Expect) != nil {
				panic(v.ID)
			}
			p.Text, p.Options = p.Bytes(), rules.Options{AsOf: calendar.MustParse(p.AsOf), Currency: p.Currency}
			_ = p.Options.Input.UnmarshalText([]byte(p.Input)) // empty: to be recognised
			list = append(list, p)
		}
	}
	return list
})

// A CellFault is a bad row of the vectors: the values that make it bad, and what must be reported of it (V07).
type CellFault struct {
	Name    string
	Code    ledger.Code
	Column  rules.Column  // zero where the vector has none
	Follows []ledger.Code // what else is reported of the row
	row     Cells         // the one that it is put into
	kind    string
	set     []SetCell
	project string // the project's currency that it needs
	touched columnBits
	size    int // bytes of its values
}

// A SetCell is a value of a column.
type SetCell struct {
	Column rules.Column
	Value  string
}

// The two kinds of rows (2.1).
const (
	OnSRC = "SRC"
	OnDST = "DST"
)

// CellFaults are the faults of single rows, by the numbers of [PayloadLine.Faults]. They are not to be changed.
var CellFaults = sync.OnceValue(func() (list []CellFault) {
	rows := map[string]Cells{OnSRC: faultless(OnSRC), OnDST: faultless(OnDST)}
	for _, v := range PayloadVectors() {
		if v.Row == "" || len(v.Set) == 0 || len(v.Expect.Problems) == 0 {
			continue
		}
		first := v.Expect.Problems[0]
		column, _ := rules.ColumnOf(first.Column)
		f := CellFault{Name: v.ID, Code: ledger.Code(first.Code), Column: column, row: rows[v.Row], kind: v.Row, project: v.Currency, touched: bitsOf(column)}
		for _, p := range v.Expect.Problems[1:] {
			f.Follows = append(f.Follows, ledger.Code(p.Code))
		}
		for _, name := range slices.Sorted(maps.Keys(v.Set)) {
			c, _ := rules.ColumnOf(name)
			f.set = append(f.set, SetCell{c, string(v.Set[name])})
			f.touched |= bitsOf(c)
			f.size += len(v.Set[name])
		}
		list = append(list, f)
	}
	return list
})

// faultless is the row without a fault that vectors change.
func faultless(kind string) (c Cells) {
	i := slices.IndexFunc(PayloadVectors(), func(v PayloadVector) bool { return v.Row == kind && len(v.Set) == 0 })
	records, _ := oracle.Records(PayloadVectors()[i].Text)
	for i, name := range records[0] {
		column, _ := rules.ColumnOf(name)
		c[column] = records[1][i]
	}
	return c
}

// together are columns whose values are judged together: two faults in one of these sets may hide each other.
var together = [...]columnBits{
	bitsOf(rules.ColumnCurrency, rules.ColumnAmount, rules.ColumnAmountFrom, rules.ColumnAmountTo, rules.ColumnAmountSequence),
	bitsOf(rules.ColumnPeriod, rules.ColumnInterval, rules.ColumnStartDate, rules.ColumnFinishDate, rules.ColumnMaxRepeatsNumber, rules.ColumnExpireYear, rules.ColumnExpireMonth),
	bitsOf(rules.ColumnCountry, rules.ColumnState, rules.ColumnZipCode),
	bitsOf(rules.ColumnNotifyURL, rules.ColumnServerCallbackURL),
}

// with are the columns that the fault touches, and those that are judged with them.
func (f *CellFault) with() columnBits {
	set := f.touched
	if set&bitsOf(rules.ColumnCardType) != 0 { // the kind of row decides about every column
		return ^columnBits(0)
	}
	for _, group := range together {
		if set&group != 0 {
			set |= group
		}
	}
	return set
}

// large reports whether the fault puts a value of many kilobytes into the row. One such
// value costs more than all other rows of a payload, so that few are drawn.
func (f *CellFault) large() bool { return f.size > 4<<10 }

// faulty is the row of the vectors with up to n faults that do not touch each other, and their numbers. It keeps its order id.
func (r Chooser) faulty(row Cells, project string, n int) PayloadLine {
	line := PayloadLine{Clean: row}
	kind, touched := "", columnBits(0)
	for range 3 * n {
		i := r.Below(len(CellFaults()))
		f := &CellFaults()[i]
		if f.large() && !r.Chance(5) || kind != "" && kind != f.kind || f.with()&touched != 0 ||
			f.project != project && (f.project != "" || f.touched&bitsOf(rules.ColumnCurrency) != 0) {
			continue
		}
		if kind == "" {
			kind, line.Clean = f.kind, f.row
			line.Clean[rules.ColumnOrderID] = row[rules.ColumnOrderID]
		}
		touched |= f.with()
		if line.Faults = append(line.Faults, i); len(line.Faults) == n {
			break
		}
	}
	return line
}
