package amount

import (
	"testing"

	"github.com/chargecast/chargecast/internal/race"
)

// Goal: the paths that run per row and per charge allocate nothing (goals P4 and P12).
func TestAllocations(t *testing.T) {
	if race.Enabled {
		t.Skip("the race detector allocates")
	}
	text, long := "123.45", "000000000000000000009223372036854775.807"
	bytes := []byte(text)
	a, b := MustParse("123.45"), MustParse("123.456")
	buf := make([]byte, 0, 64)
	drawn := mustRange(t, "1.00", "3.00", "EUR")
	choices := []Choice{Fixed(a), drawn, mustSequence(t, "1", "2", "3")}
	seed := NewSeed(1, "order-1")
	var sum Sum
	var total, other Total
	other.AddRun(choices[0], 0, 2)
	wide := Sum{1, 2, 3, 4}
	n := 0
	type row struct {
		because
		run func()
	}
	table := []row{
		{because{"Parse", "P4"}, func() { x, _ := Parse(text); n += x.Scale() }},
		{because{"Parse, long", "P4"}, func() { x, _ := Parse(long); n += x.Scale() }},
		{because{"UnmarshalText", "P4"}, func() { var x Amount; _ = x.UnmarshalText(bytes); n += x.Scale() }},
		{because{"Append", "P4"}, func() { buf = a.Append(buf[:0]) }},
		{because{"AppendText", "P4"}, func() { buf, _ = a.AppendText(buf[:0]) }},
		{because{"Compare", "P4"}, func() { n += a.Compare(b) }},
		{because{"Reduce", "P4"}, func() { n += a.Reduce().Scale() }},
		{because{"Sum.Add", "P4"}, func() { sum.Add(a); sum.Add(b) }},
		{because{"Sum.AddTimes", "P4"}, func() { sum.AddTimes(b, 1000) }},
		{because{"Sum.AddSum", "P4"}, func() { sum.AddSum(wide) }},
		{because{"Sum.Compare", "P4"}, func() { n += sum.Compare(wide) }},
		{because{"Sum.Append", "P4"}, func() { buf = wide.Append(buf[:0]) }},
		{because{"Total.Add", "P9"}, func() {
			for _, c := range choices {
				total.Add(c.Bounds(1))
			}
		}},
		{because{"Total.AddRun", "P9"}, func() {
			for _, c := range []Choice{choices[0], choices[2]} { // draws are kept in a list
				total.AddRun(c, 0, 1000)
			}
		}},
		{because{"Total.Merge", "P9"}, func() { total.Merge(other) }},
		{because{"Total.AppendMean", "P11"}, func() { buf = total.AppendMean(buf[:0]) }},
		{because{"ParseSum", "P4"}, func() { x, _ := ParseSum(long); n += x.Compare(sum) }},
		{because{"Sum.Sub", "P4"}, func() { x := wide; _ = x.Sub(wide); n += x.Compare(wide) }},
		{because{"Bounds", "P11"}, func() {
			for _, c := range choices {
				low, _ := c.Bounds(1)
				n += low.Scale()
			}
		}},
		{because{"NewSeed", "P12"}, func() { seed = NewSeed(1, "order-123456") }},
		{because{"Draw", "P12"}, func() {
			for _, c := range choices {
				n += c.Draw(seed, 7).Scale()
			}
		}},
		{because{"Range", "P5"}, func() { r, _ := Range(a, b, "EUR"); n += r.Scale() }},
		{because{"MinorUnits", "P5"}, func() { d, _ := MinorUnits("EUR"); n += d }},
	}
	each(t, table, func(t *testing.T, r row) {
		if got := testing.AllocsPerRun(100, r.run); got != 0 {
			t.Errorf("%v allocations", got)
		}
	})
	if n == 0 || len(buf) == 0 {
		t.Error("nothing ran")
	}
}
