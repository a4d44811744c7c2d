package rules

import (
	"slices"
	"strings"
	"testing"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/fuzz/vector"
)

// A payloadCase is a payload that is easily misread: everything that is reported about it, how many data
// rows it has, and how many of them can be used.
type payloadCase struct {
	name        string
	reason      string
	input       string
	in          Input
	want        string
	rows, valid int
}

func (c payloadCase) id() (string, string) { return c.name, c.reason }

func (c payloadCase) judge() judged {
	o := options()
	o.Input = c.in
	return judge(c.input, o)
}

// payloadVectors returns the vectors of these files that are judged with the options of the tests.
func payloadVectors(t *testing.T, families ...string) (cases []payloadCase) {
	t.Helper()
	for _, family := range families {
		list, err := vector.Family(family)
		if err != nil {
			t.Fatal(err)
		}
		before := len(cases)
		for _, v := range list {
			p, err := v.Payload()
			if err != nil {
				t.Fatal(v.ID, err)
			}
			if v.Verdict == vector.Unspecified || p.Currency != "" || calendar.MustParse(p.AsOf) != asOf() {
				continue
			}
			text, err := p.Bytes()
			if err != nil {
				t.Fatal(v.ID, err)
			}
			in := map[string]Input{"csv": InputCSV, "base64": InputBase64, "form": InputForm}[p.Input]
			cases = append(cases, payloadCase{v.ID, v.Reason, string(text), in, verdictOf(p.Expect.Problems), p.Expect.Rows, p.Expect.Valid})
		}
		if len(cases) == before {
			t.Fatalf("%s has no vector with the options of the tests", family)
		}
	}
	return cases
}

// verdictOf is what verdict returns of these problems.
func verdictOf(problems []vector.Problem) string {
	var words []string
	for _, p := range problems {
		words = append(words, strings.ToUpper(p.Severity[:1])+" "+p.Code)
	}
	if len(words) == 0 {
		return "A"
	}
	slices.Sort(words)
	return strings.Join(words, ", ")
}

// hostilePayloads returns the vectors of these files, and what no vector has.
func hostilePayloads(t *testing.T, families ...string) []payloadCase {
	t.Helper()
	return slices.Concat(payloadVectors(t, families...), hostileCells(), hostileWires())
}

func TestHostilePayloads(t *testing.T) {
	each(t, hostilePayloads(t, "hostile-cells", "payload-columns", "payload-rows", "payload-csv", "payload-wire"), func(t *testing.T, c payloadCase) {
		j := c.judge()
		if got := verdict(j.problems); got != c.want {
			t.Errorf("got  %s\nwant %s\n%v", got, c.want, j.problems.Unwrap())
		}
		if j.summary.Rows != c.rows || j.summary.Valid != c.valid || len(j.rows) != c.valid {
			t.Errorf("%d rows, %d valid, want %d and %d", j.summary.Rows, j.summary.Valid, c.rows, c.valid)
		}
		for _, p := range j.problems {
			if p.Place.Wire && (p.Place.Offset < 0 || p.Place.Offset > int64(len(c.input)) || p.Place.Row != 0) {
				t.Errorf("place of %v: row %d, offset %d", p, p.Place.Row, p.Place.Offset)
			}
		}
		for _, row := range j.rows {
			if _, err := engine.New(engine.Policy{}).Compile(engine.Stored{Profile: row.Profile()}, asOf()); err != nil {
				t.Errorf("V20: a row without errors does not compile: %v", err)
			}
		}
	})
}
