package rules

import (
	"slices"
	"strings"
	"testing"
)

// TestFixPeriodPhrases: a unit of the document with a number is a period and an interval, where the row's interval is 1
// or empty; what says anything else is refused.
func TestFixPeriodPhrases(t *testing.T) {
	for _, c := range []struct{ period, interval, want, wantInterval string }{
		{"alle 2 Monate", "1", "month", "2"}, {"every 2 weeks", "", "week", "2"}, {"Every 10 Days", "1", "day", "10"},
		{"alle 14 Tage", "1", "day", "14"}, {"every 1 month", "3", "month", "3"},
		{"alle 2 Monate", "2", "", ""}, {"every 2 weeks", "x", "", ""}, // which interval is meant?
		{"2 Wochen", "1", "", ""}, {"vierteljährlich", "1", "", ""}, {"alle 2 Jahre", "1", "", ""},
		{"every 1 2 weeks", "1", "", ""}, {"every 2-3 weeks", "1", "", ""}, {"every 0 weeks", "1", "", ""},
		{"every 02 weeks", "1", "", ""}, {"every 100 weeks", "1", "", ""}, {"every 2", "1", "", ""}, {"every 2 moons", "1", "", ""},
	} {
		in := "\"client-orderid\";\"period\";\"interval\"\n\"a\";\"" + c.period + "\";\"" + c.interval + "\"\n"
		x := Fixer{}.fix(t, in)
		want := in
		if c.want != "" {
			want = "\"client-orderid\";\"period\";\"interval\"\n\"a\";\"" + c.want + "\";\"" + c.wantInterval + "\"\n"
		}
		if x.out != want || (x.done.Refused == 0) != (c.want != "") {
			t.Errorf("%q, interval %q: %v\n%s", c.period, c.interval, x.changes, x.out)
		}
	}
	in := "Client-Orderid;Turnus\na;every 2 weeks\nb;monthly\nc;2 Wochen\nd;12 34 Wochen\n"
	want := "\"client-orderid\";\"period\";\"interval\"\n\"a\";\"week\";\"2\"\n\"b\";\"month\";\"1\"\n\"c\";\"week\";\"2\"\n\"d\";\"12 34 Wochen\";\"1\"\n"
	f := Fixer{Rename: map[string]Column{"Turnus": ColumnPeriod}}
	x := f.fix(t, in)
	words := x.done.Columns[1]
	if !slices.Equal(words.Words, []FixedWord{{"2 Wochen", 1, "week*2"}}) || words.OtherWords != 1 || !slices.Contains(x.done.Missing, ColumnInterval) {
		t.Errorf("%+v, missing %v", words, x.done.Missing)
	}
	f.Values = map[Column]map[string]Value{ColumnPeriod: {"2 wochen": {"week", 2}}}
	f.Set = map[Column]string{ColumnInterval: "1"}
	x = f.fix(t, in)
	if x.out != want || x.done.Refused != 1 {
		t.Errorf("%v\n%s", x.changes, x.out)
	}
	if again := f.fix(t, want); again.out != want || strings.Join(again.changes, "") != "-word-unknown 4 period" {
		t.Errorf("again: %v\n%s", again.changes, again.out)
	}
}

// TestFixPeriodAlone: a word for a period without an interval is a row that Validate refuses, and is counted, whether the column
// is missing or the cell empty. What Set gives is the interval of such rows.
func TestFixPeriodAlone(t *testing.T) {
	for _, c := range []struct{ in, set string }{
		{"\"client-orderid\";\"period\"\n\"a\";\"monatlich\"\n", "\"client-orderid\";\"period\";\"interval\"\n\"a\";\"month\";\"1\"\n"},
		{
			"\"client-orderid\";\"period\";\"interval\"\n\"a\";\"monatlich\";\"\"\n\"b\";\"week\";\"2\"\n\"c\";\"every 2 weeks\";\"\"\n",
			"\"client-orderid\";\"period\";\"interval\"\n\"a\";\"month\";\"1\"\n\"b\";\"week\";\"2\"\n\"c\";\"week\";\"2\"\n",
		},
	} {
		if x := (Fixer{}).fix(t, c.in); x.done.NoInterval != 1 || x.done.Refused > 0 {
			t.Errorf("%d rows without an interval, %d refused\n%s", x.done.NoInterval, x.done.Refused, x.out)
		}
		if x := (Fixer{Set: map[Column]string{ColumnInterval: "1"}}).fix(t, c.in); x.done.NoInterval != 0 || x.out != c.set {
			t.Errorf("%d rows without an interval\n%s", x.done.NoInterval, x.out)
		}
	}
}
