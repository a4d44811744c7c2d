package rules

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/chargecast/chargecast/internal/workload"
	"github.com/chargecast/chargecast/ledger"
)

// A row among others is judged as if it stood alone: nothing that was learned of its
// neighbours shows.
func TestRowsAreJudgedAsIfAlone(t *testing.T) {
	odd := []string{
		"", "US", "USD", " USD", "USD ", "0", "-1", "12", "SRC", "DST", "31.01.2026", "1.2.2026", "31.02.2026", `a "b"; c`,
		"two\nlines", "Köln", "\xff", "\x00", "week", "10.00", "1.00,x", "https://merchant.example/cb", "4111111111111111", strings.Repeat("x", 300),
	}
	for _, size := range []int{1, 7, 1 << 20} {
		head := AppendHeader(nil)
		payload := slices.Clone(head)
		var alone []string
		for i := range uint64(600) {
			v := w3Row(i)
			for n := range workload.Draw(i, 20) % 4 { // a quarter of the rows as they are
				v[Column(1+workload.Draw(i, 21+n)%columnCount)] = odd[workload.Draw(i, 25+n)%uint64(len(odd))]
			}
			text := line(v)
			switch workload.Draw(i, 30) % 8 {
			case 0:
				text = strings.TrimSuffix(text, "\n") + "\r\n"
			case 1:
				text = strings.Replace(text, `"US"`, "US", 1)
			case 2:
				text = strings.Replace(text, `;""`, ";", 1)
			}
			if workload.Draw(i, 31)%50 == 0 {
				text = strings.Replace(text, `";"`, `"; "`, 1)
			}
			payload = append(payload, text...)
			alone = append(alone, judgedRows(append(slices.Clone(head), text...), 1<<20)...)
		}
		together := judgedRows(payload, size)
		if len(together) != len(alone) {
			t.Fatalf("%d rows together, %d alone", len(together), len(alone))
		}
		for i := range alone {
			if together[i] != alone[i] {
				t.Errorf("row %d in pieces of %d\ntogether %s\nalone    %s", i+1, size, together[i], alone[i])
			}
		}
	}
}

// judgedRows is what is found of each row, at places within it, and what it was typed to.
func judgedRows(payload []byte, size int) (rows []string) {
	o := w3Options()
	o.MaxOrderIDs = -1
	o.Severity = map[ledger.Code]ledger.Severity{CSVUnquoted: ledger.SeverityOff, ColumnMissing: ledger.SeverityOff, NoRows: ledger.SeverityOff}
	r := NewReader(&pieces{payload, size}, o)
	var kept []*Row // a row does not change, whatever comes after it
	for row, ps := range r.Rows() {
		kept = append(kept, row)
		var b strings.Builder
		for _, p := range ps { // the place within the record
			fmt.Fprintf(&b, "%s %s at %d: %s; ", p.Code, p.Subject, p.Place.Offset-r.hidden().sc.begin.offset, p.Message)
		}
		if row != nil {
			fmt.Fprint(&b, row.Kind, row.OrderID(), row.Currency, row.Start, row.Finish, row.Unit, row.Interval,
				row.MaxRepeats, row.ExpireYear, row.ExpireMonth, row.Amounts)
			for _, c := range row.Cells() {
				b.WriteString("|" + c.Reveal())
			}
		}
		rows = append(rows, b.String())
	}
	for i, row := range kept {
		if row != nil {
			for _, c := range row.Cells() {
				rows[i] += "|" + c.Reveal()
			}
		}
	}
	return rows
}

// pieces gives a text in pieces of a size.
type pieces struct {
	text []byte
	size int
}

func (p *pieces) Read(b []byte) (int, error) {
	n, err := bytes.NewReader(p.text).Read(b[:min(len(b), p.size)])
	p.text = p.text[n:]
	return n, err
}

// checkDigit is the plain sum over the digits, whatever their number.
func TestCheckDigit(t *testing.T) { // L39c
	plain := func(s string) bool {
		sum := 0
		for i := range len(s) {
			digit := int(s[len(s)-1-i] - '0')
			if i%2 == 1 {
				digit = []int{0, 2, 4, 6, 8, 1, 3, 5, 7, 9}[digit]
			}
			sum += digit
		}
		return sum%10 == 0
	}
	for i := range uint64(20_000) {
		s := fmt.Sprintf("%019d", workload.Draw(i, 0)%1e19)[:1+i%19]
		if got := checkDigit(s); got != plain(s) {
			t.Fatalf("digit sum of case %d of %d digits: %v", i, len(s), got)
		}
	}
}
