package reconcile

import (
	"cmp"
	"slices"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/clause"
	"github.com/chargecast/chargecast/ledger"
)

// A probeRow is a row of the experiment. Days are counted from as-of, which is day 0.
type probeRow struct {
	unit   calendar.Unit
	every  int // the interval
	start  int // the day of start-date, or absent
	finish int // the day of finish-date, or absent
	max    int // max-repeats-number, or absent
	sums   int // elements of amount-sequence, each another amount: they show the repeat number; 0: one amount for all
	steps  []probeStep
	tells  []probeTells
}

// A probeStep is done on a day after its charging run (L24).
type probeStep struct {
	day    int
	do     engine.EventKind
	start  int // of an update: the new day of start-date; absent: it removes finish-date
	unless []string
}

// A probeTells is what a row tells about a key.
type probeTells struct {
	key   ledger.Clause
	by    int     // the day
	apart [][]int // values by their places
}

const (
	absent           = -1 << 30 // the day or the number of an empty column
	experimentBefore = 99       // days before as-of on which a profile may start
	seldom           = 100      // days from one charge to the next if a second one would say nothing
)

// probeTable is the experiment without the row that shows the end of a month. Each row after the
// first is refused under some reading, and is a request of its own.
var probeTable = []probeRow{
	// On day 2 finish-date stops it, or has done so. It is charged by hand while it is stopped and
	// after it was resumed between two due days, and its number of charges ends it.
	{unit: calendar.UnitDay, every: 2, start: 0, finish: 2, max: 6, sums: 7,
		steps: []probeStep{
			{day: 2, do: engine.EventUpdate, start: absent},
			{day: 3, do: engine.EventCharge, unless: []string{"manual-when-stopped=refuse"}},
			{day: 5, do: engine.EventResume},
			{day: 6, do: engine.EventCharge},
		},
		tells: []probeTells{
			{clause.L05, 2, [][]int{{0}, {1}}}, {clause.L21, 3, [][]int{{0}, {1}}}, {clause.L14, 6, [][]int{{0}, {1}}}, {clause.L15, 7, [][]int{{0}, {1}}},
			{clause.L16, 7, [][]int{{0}, {1}}}, {clause.L20, 8, [][]int{{0}, {1}}}, {clause.L08, 19, [][]int{{0}, {1}}},
		}},
	{unit: calendar.UnitDay, every: seldom, start: absent, finish: absent, max: absent, tells: []probeTells{{clause.L02, 0, [][]int{{0}, {1}}}}},
	// Between start-date and as-of lies one due day, the first, and the next is tomorrow.
	{unit: calendar.UnitDay, every: seldom, start: -experimentBefore, finish: absent, max: absent, sums: 2,
		tells: []probeTells{{clause.L03, 1, [][]int{{0}, {1}, {2}, {3}, {4}}}}},
	{unit: calendar.UnitDay, every: seldom, start: 0, finish: absent, max: 0, tells: []probeTells{{clause.L09, 0, [][]int{{0, 2}, {1}}}}},
}

// noChargeTells are the values of max-zero that the table leaves open.
var noChargeTells = OpenReadings{Key: clause.L09, Values: []int{0, 2}}

// undecidable are the keys that no step of a person shows.
var undecidable = []Undecidable{
	{clause.L16b, "only a day that passes without its charging run shows it, an outage, and no step makes one"},
	{clause.L22, "only a manual charge before the charging run of its day shows it, and nobody can see to that: the order within a day is unknown (L24)"},
}

const (
	aMonth      = 34  // the days that a day from 29 to 31 may lie back if the end of the next month is not over
	aYear       = 400 // more days than to the end of February, which tells the most
	never       = 1 << 30
	manyDays    = 62 // of an experiment: mostly with a short month
	manyMore    = 92 // always with one
	valuesOfEnd = 4  // clamp, skip, next-first, overflow
)

// A monthEnd is a monthly row, and the day on which its charges distinguish each pair of values of
// month-end.
type monthEnd struct {
	probeRow
	by [valuesOfEnd][valuesOfEnd]int
}

type monthEnds []monthEnd

// monthEndsAfter returns the monthly rows that start on days 29 to 31. A day that is past comes by
// an update (L18), since a row that is created with it depends on start-past; until then the row
// starts tomorrow, and is not charged.
func monthEndsAfter(asOf calendar.Date) (list monthEnds) {
	for n := -aMonth; n < aYear; n++ {
		if _, _, day := asOf.AddDays(n).Date(); day < 29 {
			continue
		}
		m := monthEnd{probeRow: probeRow{unit: calendar.UnitMonth, every: 1, start: n, finish: absent, max: absent}}
		if n < 0 {
			m.start, m.steps = 1, []probeStep{{do: engine.EventUpdate, start: n}}
		}
		m.try(asOf)
		list = append(list, m)
	}
	return list
}

// try finds the days by the charges under each value.
func (m *monthEnd) try(asOf calendar.Date) {
	s := engine.Simulation{Stored: engine.Stored{Profile: m.profile(asOf)}, AsOf: asOf, Until: asOf.AddDays(2 * aYear)}
	for _, step := range m.steps {
		s.Steps = append(s.Steps, step.line(asOf).Step)
	}
	var days [valuesOfEnd][]int
	for v := range days {
		policy := engine.Policy{}.WithReading(clause.L01, v)
		s.Stored = s.Stored.Under(policy)
		_, _ = engine.New(policy).Simulate(s, func(e engine.Effect) bool { // which no value refuses
			if e.Kind == engine.EffectCharge {
				days[v] = append(days[v], e.Date.Sub(asOf))
			}
			return true
		})
		for w := range v {
			m.by[v][w] = firstApart(days[v], days[w])
			m.by[w][v] = m.by[v][w]
		}
	}
}

// firstApart returns the first day that is in one of two sorted lists alone.
func firstApart(a, b []int) int {
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return min(a[i], b[i])
		}
	}
	return never
}

// groups returns the values that are distinguished by a day, how many pairs that are, and the last
// day that this takes.
func (m *monthEnd) groups(day int) (groups [][]int, pairs, last int) {
	for v := range m.by {
		of := slices.IndexFunc(groups, func(group []int) bool { return m.by[group[0]][v] > day })
		if of < 0 {
			of = len(groups)
			groups = append(groups, nil)
		}
		groups[of] = append(groups[of], v)
		for w := range v {
			if by := m.by[v][w]; by <= day {
				pairs, last = pairs+1, max(last, by)
			}
		}
	}
	return groups, pairs, last
}

// row returns the row that distinguishes the most, of those the one without an update, then the one
// that is over first. It sets the days of the experiment, and adds what stays open.
func (list monthEnds) row(x *Experiment) probeRow {
	var best *monthEnd
	for _, x.Days = range [...]int{manyDays, manyMore} {
		at := slices.MinFunc(list, func(a, b monthEnd) int {
			_, more, first := a.groups(x.Days - 1)
			_, less, later := b.groups(x.Days - 1)
			return cmp.Or(cmp.Compare(less, more), cmp.Compare(len(a.steps), len(b.steps)), cmp.Compare(first, later))
		})
		best = &at
		if _, pairs, _ := best.groups(x.Days - 1); pairs > 0 {
			break
		}
	}
	groups, _, last := best.groups(x.Days - 1)
	best.tells = []probeTells{{clause.L01, last, groups}}
	for _, group := range groups {
		if len(group) > 1 {
			x.Open = append(x.Open, OpenReadings{clause.L01, group, list.days(group)})
		}
	}
	return best.probeRow
}

// days returns the days in which rows distinguish values.
func (list monthEnds) days(values []int) (days int) {
	for i, w := range values {
		for _, v := range values[:i] {
			first := slices.MinFunc(list, func(a, b monthEnd) int { return cmp.Compare(a.by[v][w], b.by[v][w]) })
			days = max(days, first.by[v][w]+1)
		}
	}
	return days
}
