package rules

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/chargecast/chargecast/internal/workload"
	"github.com/chargecast/chargecast/ledger"
)

// TestColumnsThatStay: what is found in a row, and what it is typed to, does not depend on the rows before it, however
// long columns have what they had, and whatever comes then.
func TestColumnsThatStay(t *testing.T) {
	chance := rand.New(rand.NewPCG(3, 9))
	odd := []string{"", " ", "0", "1", "00", "12", " 12", "12 ", "1é", "1\"2", "\"", "\";\"", "1\";\"2", "2027", "é", "\xff", "a\nb", "€UR", "XX", "EUR", "week", "DST",
		"30.02.2026", "01.03.2027", "1.3.2027", "9.99", "9.999", "100.00", "0.00", "3,4", "1.00,2.00", "http://a.example/", "NY", "a@b.example", "192.0.2.256", "2001:db8::1"}
	payload, rows := AppendHeader(nil), []string(nil)
	now := w3Row(0)
	for i := range uint64(6000) {
		next := w3Row(i)
		now[ColumnOrderID], now[ColumnCardNumber] = next[ColumnOrderID], next[ColumnCardNumber]
		if i%1500 > 400 { // after rows enough to see what stays
			for s := range Columns() {
				switch chance.IntN(1500) {
				case 0:
					now[s.Column] = next[s.Column]
				case 1:
					now[s.Column] = odd[chance.IntN(len(odd))]
				case 2: // as long as before
					if b := []byte(now[s.Column]); len(b) > 0 {
						b[chance.IntN(len(b))] = "\"\xff ;\t5"[chance.IntN(6)]
						now[s.Column] = string(b)
					}
				}
			}
		}
		if i%100 == 99 || i%1500 == 0 { // else faults would come together until no row were right
			right := w3Row(workload.Mix(i / 1500))
			right[ColumnOrderID], right[ColumnCardNumber] = now[ColumnOrderID], now[ColumnCardNumber]
			now = right
		}
		rows = append(rows, line(now))
		payload = append(payload, rows[i]...)
	}
	told := func(row *Row, found ledger.Findings) string {
		var b strings.Builder
		if row != nil {
			p := row.Profile()
			p.Amounts = row.Amounts()
			fmt.Fprintf(&b, "%+v %s\n", p, row.ShownID())
			for c, cell := range row.Cells() {
				fmt.Fprintf(&b, "%d %q ", c, cell.Reveal())
			}
		}
		for _, f := range found {
			f.Place.Row, f.Place.Line, f.Place.Offset = 0, 0, 0
			if f.Code != OrderIDDuplicate {
				fmt.Fprintf(&b, "\n%+v", f)
			}
		}
		return b.String()
	}
	i, right := 0, 0
	for row, found := range NewReader(strings.NewReader(string(payload)), w3Options()).Rows() {
		if i == len(rows) {
			break // of the file
		}
		got, want := told(row, found), ""
		if row != nil {
			right++
		}
		for row, found := range NewReader(strings.NewReader(string(AppendHeader(nil))+rows[i]+line(w3Row(1e6+1))), w3Options()).Rows() {
			want = told(row, found)
			break
		}
		if got != want {
			t.Fatalf("row %d %s: among others\n%s\nalone\n%s", i+1, rows[i], got, want)
		}
		i++
	}
	if i != len(rows) || right < 1000 || right > len(rows)-500 {
		t.Errorf("%d of %d rows, %d of them right", i, len(rows), right)
	}
}

// TestClosedKinds: that nothing is found says something about the bytes of a value only where no finding is off.
func TestClosedKinds(t *testing.T) {
	o := w3Options()
	for _, off := range []bool{false, true} {
		if off {
			o.Severity = map[ledger.Code]ledger.Severity{CardNumberForm: ledger.SeverityOff}
		}
		r := NewReader(strings.NewReader(string(w3(3, nil))), o)
		r.begin()
		closed := 0
		for _, j := range r.judgings {
			if j.closed {
				closed++
			}
		}
		if (closed == 0) != off {
			t.Errorf("off %t: %d closed kinds", off, closed)
		}
	}
}

// TestBadBytesAtTheBeginningOfAPlainText: a free text with letters beyond ASCII is judged quickly, and no less for what it begins with.
func TestBadBytesAtTheBeginningOfAPlainText(t *testing.T) {
	for bad, code := range map[string]ledger.Code{"\xff": InvalidUTF8, "\x00": NULCharacter, "\x01": ControlCharacter} {
		for _, city := range []string{bad + "Köln am Rhein", "Köln" + bad + " am Rhein", "Köln am Rhein" + bad} {
			var rows []values
			for i := range 60 {
				v := values{ColumnOrderID: fmt.Sprint("order-", i), ColumnCity: "Köln am Rhein"}
				if i == 50 {
					v[ColumnCity] = city
				}
				rows = append(rows, source(v))
			}
			found := 0
			for _, p := range judge(document(rows...), options()).problems {
				if p.Code == code && p.Subject == ColumnCity.String() {
					found++
				}
			}
			if found != 1 {
				t.Errorf("%q: %d findings %s", city, found, code)
			}
		}
	}
}

// TestTextBehindAQuoteIsAlwaysAFault: text between a closing quote and the next semicolon is a fault, whatever the rows before
// were like and even if the text looks like the beginning of the next value.
func TestTextBehindAQuoteIsAlwaysAFault(t *testing.T) {
	right := line(source(nil))
	for _, wrong := range []string{
		strings.Replace(right, `"1 Example Street";"John"`, `"1 E"x";ohn"`, 1),
		strings.Replace(right, `"1 Example Street";"John"`, `"1 Example Street"x";ohn"`, 1),
		strings.Replace(right, `"1 Example Street";"John"`, `"1 Example Street"x"John"`, 1),
	} {
		alone := judge(string(AppendHeader(nil))+wrong, options())
		for _, before := range []int{1, 2, 60} {
			j := judge(string(AppendHeader(nil))+strings.Repeat(right, before)+wrong, options())
			last := slices.DeleteFunc(slices.Clone(j.problems), func(f ledger.Finding) bool { return f.Code == OrderIDDuplicate })
			if len(j.rows) != before || len(alone.rows) != 0 || verdict(last) != verdict(alone.problems) {
				t.Errorf("%d rows before %.40q: %d rows, %s; alone %s", before, wrong, len(j.rows), verdict(last), verdict(alone.problems))
			}
		}
	}
}
