package rules

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"strings"
	"testing"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
)

// TestWriterWritesWhatAReaderReads: rows come back with their values, byte for byte, whatever these are.
func TestWriterWritesWhatAReaderReads(t *testing.T) {
	var out bytes.Buffer
	w := NewWriter(&out, options())
	rows := []values{source(values{ColumnOrderDesc: "a;\"b\"\r\nc"}), destination(values{ColumnOrderID: "order-2"})}
	for _, v := range rows {
		if err := w.Write(Values(v)); err != nil {
			t.Fatal(err)
		}
	}
	if want := document(rows...); out.String() != want || len(w.Findings()) > 0 {
		t.Errorf("%q, want %q; %v", out.String(), want, w.Findings())
	}
	if j := judge(out.String(), options()); len(j.rows) != 2 || len(j.problems) > 0 {
		t.Error(j.problems)
	}
}

// TestWriterRefusesARow: with an error nothing is written, not even the header, and the next row is checked as if the
// refused one had not been there.
func TestWriterRefusesARow(t *testing.T) {
	var out bytes.Buffer
	w := NewWriter(&out, options())
	bad := source(values{ColumnAmount: "1e3", ColumnStartDate: "2026-01-31"})
	if err := w.Write(Values(bad)); !errors.Is(err, AmountSyntax) || !errors.Is(err, DateSyntax) || out.Len() > 0 {
		t.Errorf("%v, %q", err, out.String())
	}
	if err := w.Write(Values{99: "x"}); !errors.Is(err, ColumnUnknown) || out.Len() > 0 {
		t.Errorf("%v, %q", err, out.String())
	}
	if err := w.Write(Values(source(values{ColumnEmail: "x"}))); err != nil {
		t.Fatal(err)
	}
	found := w.Findings()
	if last := found[len(found)-1]; last.Code != EmailForm || last.Place.Row != 1 || last.Place.Line != 2 || found.Has(OrderIDDuplicate) {
		t.Error(found)
	}
	if err := w.Write(Values(source(nil))); err != nil || !w.Findings().Has(OrderIDDuplicate) {
		t.Errorf("%v, %v", err, w.Findings())
	}
	if j := judge(out.String(), options()); len(j.rows) != 2 {
		t.Error(j.problems)
	}
}

// TestWriterNeedsADay: without a current date the first row is an error.
func TestWriterNeedsADay(t *testing.T) {
	var out bytes.Buffer
	if err := NewWriter(&out, Options{}).Write(Values(source(nil))); !errors.Is(err, AsOfMissing) || out.Len() > 0 {
		t.Errorf("%v, %q", err, out.String())
	}
}

// TestWriterKeepsTheErrorOfItsWriter: after an error of the writer below, a part of a row may have been written.
func TestWriterKeepsTheErrorOfItsWriter(t *testing.T) {
	w := NewWriter(failing{io.ErrClosedPipe}, options())
	for range 2 {
		if err := w.Write(Values(source(nil))); !errors.Is(err, io.ErrClosedPipe) {
			t.Error(err)
		}
	}
}

// TestWriteProfile: what is written of a profile is read back as that profile.
func TestWriteProfile(t *testing.T) {
	day := calendar.MustParse
	rangeOf, _ := amount.Range(amount.MustParse("1.00"), amount.MustParse("5.00"), "EUR")
	list, _ := amount.Sequence([]amount.Amount{amount.MustParse("1.00"), amount.MustParse("9.9")})
	rest := Values{}
	maps.Copy(rest, source(nil))
	for _, c := range []Column{ColumnOrderID, ColumnCardType, ColumnAmount, ColumnCurrency, ColumnPeriod, ColumnInterval, ColumnStartDate, ColumnFinishDate,
		ColumnMaxRepeatsNumber, ColumnExpireYear, ColumnExpireMonth} {
		delete(rest, c)
	}
	for i, choice := range []amount.Choice{amount.Fixed(amount.MustParse("850.00")), rangeOf, list} {
		p := engine.Profile{ID: fmt.Sprint("rent-", i), Kind: engine.KindSource, Currency: "EUR", Amounts: choice, Unit: calendar.UnitMonth, Interval: 2,
			Start: day("2026-02-01"), Finish: day("2030-01-31"), MaxRepeats: engine.AtMost(12), CardExpires: day("2045-12-31")}
		var out strings.Builder
		w := NewWriter(&out, options())
		if err := w.WriteProfile(p, rest); err != nil {
			t.Fatal(err)
		}
		if j := judge(out.String(), options()); len(j.rows) != 1 || j.rows[0].Profile() != p {
			t.Errorf("%v: %+v, want %+v", j.problems, j.rows, p)
		}
		if err := w.WriteProfile(p, Values{ColumnAmount: "1.00", ColumnAmountFrom: "1.00", ColumnAmountSequence: "1.00"}); !errors.Is(err, ColumnDuplicate) {
			t.Error(err)
		}
	}
}

// TestNothingOfAWriterIsPrinted: like a Reader, it has the last row in memory.
func TestNothingOfAWriterIsPrinted(t *testing.T) {
	w := NewWriter(io.Discard, options())
	if err := w.Write(Values(source(values{ColumnOrderDesc: "canary"}))); err != nil {
		t.Fatal(err)
	}
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x"} {
		for _, v := range []any{w, *w, struct{ w *Writer }{w}, struct{ w Writer }{*w}} {
			if text := fmt.Sprintf(verb, v); strings.Contains(text, "canary") || strings.Contains(text, "4111") {
				t.Errorf("%s: %s", verb, text)
			}
		}
	}
}
