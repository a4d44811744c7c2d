package campaign

import (
	"encoding/binary"
	"slices"
	"strings"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/fuzz/laws"
	"github.com/chargecast/chargecast/internal/gen"
	"github.com/chargecast/chargecast/internal/oracle"
)

// valueTargets are the targets of single values and of series of dates, one case an input.
func valueTargets() []Target {
	return []Target{
		{"FuzzDate_Parse_Reference", tryDate, slices.Concat(
			seeds("C05: real days at the ends of the calendar and of February", "31.12.9999", "01.01.0001", "29.02.2000", "2024-02-29", "0001-01-01"),
			seeds("C05: no days", "29.02.2100", "31.04.2026", "01.01.0000", "00.01.2025", "01.13.2025"),
			seeds("h040 h043: other forms", "1.2.2025", "01012025", "2025-01-01T00:00", "01/02/2025", "٠١.٠١.٢٠٢٥", "31.12.2026 ", ""),
		), nil},
		{"FuzzAmount_Parse_Expression", judgingText("A01", "A02"), slices.Concat(
			seeds("A01: amounts", "0", "1.50", "10", "9999999999", "9223372036854775807", "0.000000000000000001", "00012.50"),
			seeds("h001…h020: not amounts", "1e3", "+1", "-0", ".5", "5.", "1,5", "NaN", "1 ", "٣", "−5", "0x10", "1.2.3", "1_000", "$5", ""),
			seeds("A07: too large", "9223372036854775808", "99999999999999999999999999", "0.0000000000000000001"),
			seeds("A20: long", strings.Repeat("9", 64), strings.Repeat("0", 65), "0."+strings.Repeat("0", 300)),
		), []string{"9223372036854775807", "1e", "−", "0x"}},
		{"FuzzInt_Grid_Exact", tryInt, slices.Concat(
			seeds("C27: limits of the type", strings.Repeat("\xff", 32), "\xff\xff\xff\xff\xff\xff\xff\x7f\xff\xff\xff\xff\xff\xff\xff\x7f\x01\x00", strings.Repeat("\x00", 24)),
			seeds("C27: 2^31 and 2^62", "\x00\x00\x00\x80\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x40\x10\x27\x03"),
		), nil},
		{"FuzzSchedule_At_Walk", trySchedule, byteSeeds(), nil},
		{"FuzzPolicy_Parse_String", tryPolicy, policySeeds(), policyWords()},
	}
}

// policySeeds hold every key and value of the ledger.
func policySeeds() []Seed {
	list := seeds("Y01: not policies", "", ",", "month-end", "month-end=", "=clamp", "month-end=drift", "monthend=clamp", "month-end=clamp,month-end=skip")
	for _, word := range policyWords() {
		list = append(list, Seed{word, "Y01: a word of the ledger"})
	}
	return list
}

// tryDate reads a text as a date in both forms and compares with the reference.
func tryDate(data []byte) {
	text := string(data)
	holds(text, "C05")
	hold(func(t *laws.T) {
		got, err := calendar.Parse(text)
		want, bad := laws.Reference().ParseDate(text)
		if (err != nil) != (bad != nil) || got != want {
			t.Errorf("Parse(%q) = %v, %v", text, got, err)
		}
		if err == nil && got.String() != text {
			t.Errorf("%q is written %v", text, got)
		}
		unseen(t, err, text)
	})
}

// tryInt asks a series for any number, interval and day that a machine word can hold.
func tryInt(data []byte) {
	word := func() int64 {
		var b [8]byte
		data = data[copy(b[:], data):]
		return int64(binary.LittleEndian.Uint64(b[:]))
	}
	clear := func(n int64) int { return int(n & int64(^uint(0)>>1)) } // never negative
	k, l, interval, rest := clear(word()), clear(word()), clear(word()), clear(word())
	g := gen.GridCase{
		Start:    gen.DateNumbered(oracle.First + oracle.Day(rest%int(oracle.Last))),
		Unit:     calendar.Unit(1 + rest%3),
		Interval: max(interval, 1),
		End:      calendar.MonthEnd(rest >> 8 & 3),
		K:        min(k, l),
		L:        max(k, l),
	}
	g.A, g.B, g.C = g.Start, g.Start, calendar.MaxDate()
	holds(g, "C27", "C13", "C21", "C22")
}

// trySchedule reads bytes as a series of dates near its start. A walk day by day takes longer than all
// other questions, so half of the series are walked.
func trySchedule(data []byte) {
	g := gen.NearGrids(chooser(data))
	holds(g, "C23", "C25", "C21", "C16")
	if inHalf(data) {
		holds(g, "C30")
	}
}

// tryPolicy reads a text as a policy.
func tryPolicy(data []byte) {
	text := string(data)
	hold(func(t *laws.T) {
		p, err := engine.ParsePolicy(text)
		unseen(t, err, text)
		if err != nil {
			if p != (engine.Policy{}) {
				t.Errorf("a policy that is refused is %v", p)
			}
			return
		}
		if again, err := engine.ParsePolicy(p.String()); err != nil || again != p {
			t.Errorf("%q is read as %v and back as %v, %v", text, p, again, err)
		}
	})
}

// unseen looks for a text in the error that it gave. Words of the message are no secret:
// only a text with as many digits as a card number's shortest excerpt counts.
func unseen(t *laws.T, err error, text string) {
	digits := 0
	for _, c := range []byte(text) {
		if '0' <= c && c <= '9' {
			digits++
		}
	}
	if err != nil && digits >= 8 && strings.Contains(err.Error(), text) {
		t.Errorf("the error shows its input: %v", err)
	}
}
