package rules

import (
	"bytes"
	"strconv"
	"strings"
	"testing"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/internal/form"
	"github.com/chargecast/chargecast/ledger"
)

// The text in UTF-16 of an endless pipe was read for ever, to decide on a remedy.
func TestEndlessUTF16(t *testing.T) {
	for name, in := range map[string]Input{"recognised": InputAuto, "as CSV": InputCSV} {
		o := options()
		o.Input = in
		src := &endless{piece: []byte(wide("\ufeff"+short, false))}
		report, err := Validate(src, o)
		if err != nil || !report.Findings.Has(InvalidUTF8) || src.read > 1<<20 {
			t.Errorf("%s: %v, %v after %d bytes", name, report.Findings, err, src.read)
		}
	}
}

// endless repeats a piece.
type endless struct {
	piece []byte
	read  int
}

func (e *endless) Read(p []byte) (int, error) {
	n := copy(p, e.piece[e.read%len(e.piece):])
	e.read += n
	return n, nil
}

// An xz archive was called a text that is not UTF-8, where zst, bz2 and zip were named.
func TestArchivesAreNamed(t *testing.T) {
	for name, head := range map[string]string{"zip": "PK\x03\x04", "gzip": "\x1f\x8b", "bzip2": "BZh", "zstd": "\x28\xb5\x2f\xfd", "xz": "\xfd7zXZ\x00", "7z": "7z\xbc\xaf"} {
		report, err := Validate(strings.NewReader(head+"\x00\x01rest"), options())
		if err != nil || !report.Unreadable || !strings.Contains(report.Findings[0].Help, name) {
			t.Errorf("%s: %v, %v", name, report.Findings, err)
		}
	}
}

// A body with 10,000 parameters was read here and refused where it was to be signed: the limit was in two places.
func TestParametersOfABody(t *testing.T) {
	body := func(others int) string {
		return "payload=" + strings.TrimPrefix(string(formOf([]byte(short))), "payload=") + strings.Repeat("&a=1", others)
	}
	for others, want := range map[int]bool{form.MaxParameters - 1: false, form.MaxParameters: true} {
		report, err := Validate(strings.NewReader(body(others)), options())
		if got := report.Findings.Has(LimitParameters); err != nil || got != want {
			t.Errorf("%d parameters beside the payload: too many %v, %v", others, got, err)
		}
		if _, err := form.Parse(body(others), form.MaxParameters); (err != nil) != want {
			t.Errorf("%d parameters beside the payload: %v", others, err)
		}
	}
}

// Every schedule without an end was warned of: its card expires before charge 889. Charges are looked at up to a day,
// by default up to three years after the as-of date.
func TestCardExpiryWithinAHorizon(t *testing.T) {
	row := func(year string) string {
		return document(source(values{ColumnExpireYear: year, ColumnExpireMonth: "06", ColumnMaxRepeatsNumber: "", ColumnFinishDate: ""}))
	}
	for _, c := range []struct {
		reason, year, horizon string
		want                  bool
	}{
		{"the default: three years and a month from now", "2029", "", false},
		{"the default: two years and a half", "2028", "", true},
		{"a later day", "2029", "2030-01-01", true},
		{"an earlier day", "2028", "2028-06-30", false},
		{"the last day of the card is not after it", "2028", "2028-07-01", false},
		{"no end", "9998", "9999-12-31", true},
	} {
		o := options()
		if c.horizon != "" {
			o.Horizon = calendar.MustParse(c.horizon)
		}
		if got := judge(row(c.year), o).problems.Has(CardExpiresBeforeCharge); got != c.want {
			t.Errorf("%s: %v", c.reason, got)
		}
	}
	if got := yearsAfter(calendar.MustParse("2028-02-29"), 3).String(); got != "2031-02-28" {
		t.Errorf("three years after a leap day: %s", got)
	}
	if got := yearsAfter(calendar.Last(), 3); got != calendar.Last() {
		t.Errorf("past the end of the calendar: %v", got)
	}
}

// That later rows are compared with some earlier ones only was in the summary alone; the limit was 500,000, 700,000 or
// 8,000,000 rows. Now it is told once, where it begins, whoever reads.
func TestRememberedIDsAreTold(t *testing.T) {
	if n := (Options{}).withDefaults().MaxOrderIDs; n != 250_000 {
		t.Errorf("%d ids are remembered", n)
	}
	var rows []values
	for i := range 40 {
		rows = append(rows, source(values{ColumnOrderID: "order-" + strconv.Itoa(90-i)}))
	}
	for _, workers := range []int{1, 3} {
		o := options().InChunks(workers, 1000)
		o.MaxOrderIDs = 10
		var told ledger.Findings
		for _, ps := range NewReader(bytes.NewReader([]byte(document(rows...))), o).Rows() {
			for _, p := range ps {
				if p.Code == LimitOrderIDs {
					told = append(told, p)
				}
			}
		}
		if len(told) != 1 || told[0].Place.Row != 11 || told[0].Severity != ledger.SeverityWarning {
			t.Errorf("%d workers: %v", workers, told)
		}
	}
}

// A state of one letter that takes two bytes was found too short in the last row of a file only: read in one go, the
// others were taken for long enough by their bytes.
func TestShortStateOfTwoBytesIsFoundInEveryRow(t *testing.T) {
	var rows []values
	for i := range 3 {
		rows = append(rows, source(values{ColumnOrderID: "order-" + strconv.Itoa(i), ColumnState: "Ä"}))
	}
	short := 0
	for _, p := range judge(document(rows...), options()).problems {
		if p.Code == TooShort {
			short++
		}
	}
	if short != len(rows) {
		t.Errorf("%d of %d rows are told to have a state that is too short", short, len(rows))
	}
}
