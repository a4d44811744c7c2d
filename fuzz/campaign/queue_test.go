package campaign

import (
	"testing"
	"time"
)

// TestShares plays a queue with made-up costs: each law gets its turn, and none has more than a tenth of the cases.
func TestShares(t *testing.T) {
	for _, c := range []struct {
		laws   int
		cost   func(i int) time.Duration
		share  uint64 // the most, in percent
		reason string
	}{
		{40, func(i int) time.Duration { return time.Microsecond << (i % 12) }, 10, "costs from 1 µs to 2 ms"},
		{12, func(i int) time.Duration { return time.Microsecond << (3 * i) }, 10, "one law is a thousand million times as slow as another"},
		{11, func(int) time.Duration { return time.Microsecond }, 10, "as few as can keep the rule"},
		{3, func(int) time.Duration { return time.Microsecond }, 40, "too few for the rule, equal shares"},
		{1, func(int) time.Duration { return 0 }, 100, "one law, free of cost"},
	} {
		q := &queue{c: &campaign{}, random: c.laws}
		for i := range c.laws {
			q.laws = append(q.laws, &queued{law: law{id: string(rune('A' + i)), random: true}, left: 1<<64 - 1, found: map[string]bool{}})
		}
		var cases uint64
		for range 20_000 {
			b, ok := q.take()
			if !ok {
				t.Fatalf("%s: no law may go on after %d cases", c.reason, cases)
			}
			i := int(b.of.id[0]) - 'A'
			if b.of.id[0] > 0x7f {
				i = int([]rune(b.of.id)[0]) - 'A'
			}
			b.of.spent += c.cost(i)*time.Duration(b.n) - b.of.estimate(b.n)
			b.of.cases += b.n
			cases += b.n
		}
		for i, of := range q.laws {
			if of.cases == 0 || of.cases*100 > cases*c.share+256*100 {
				t.Errorf("%s: law %d has %d of %d cases", c.reason, i, of.cases, cases)
			}
			if of.next != of.cases {
				t.Errorf("%s: law %d goes on at %d after %d cases", c.reason, i, of.next, of.cases)
			}
		}
	}
}

// TestByNumber: in a campaign by number laws that are slow or read payloads get fewer cases.
func TestByNumber(t *testing.T) {
	c := &campaign{Options: Options{Cases: 400}}
	for _, row := range []struct {
		of   law
		want uint64
	}{
		{law{random: true}, 400},
		{law{random: true, heavy: true}, 100},
		{law{random: true, slow: true}, 10},
		{law{}, 1},
	} {
		if got := c.casesOf(row.of); got != row.want {
			t.Errorf("%+v gets %d cases, want %d", row.of, got, row.want)
		}
	}
	c.Cases = 3
	if got := c.casesOf(law{random: true, slow: true}); got != 1 {
		t.Errorf("a slow law gets %d of 3 cases, want 1", got)
	}
}
