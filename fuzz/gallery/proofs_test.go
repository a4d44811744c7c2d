package gallery

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/chargecast/chargecast/fuzz"
	"github.com/chargecast/chargecast/fuzz/laws"
)

// A damage is a small change of our own code that one law must notice: for laws that no
// member is for.
type damage struct {
	law  string // that must notice
	does string // what is wrong
	impl laws.Impl
}

// proven are the groups of which each law is known to be able to fail.
const proven = "CARTYEPUBHSDO"

// unproven are the laws of these groups that cannot be shown to fail, with the reason. The
// test fails when one can.
var unproven = map[string]string{
	"Y01": "it asks the type of policies itself, which no implementation brings",
}

// pins are cases that show a fault at once, where looking for one takes long. When the
// generators change, the search finds another.
var pins = map[string]uint64{
	"dst-charged T08": 36,
}

// rejected fails the test unless a law rejects an implementation, in words. A panic does not count: it
// would show that the damage is broken, and not that the law looks.
func rejected(t *testing.T, law, does string, impl laws.Impl, pin uint64) {
	t.Helper()
	o := fuzz.Options{Laws: []string{law}, Cases: 1, SlowCases: 1, First: pin, Seed: 1, Shrinks: -1}
	r := fuzz.Run(impl, o)
	if pin == 0 || r.OK() {
		o.First, o.Cases, o.SlowCases = 0, 20_000, 500
		r = fuzz.Run(impl, o)
	}
	if r.OK() || len(r.Results[0].Failures) == 0 {
		t.Errorf("%s: %s does not reject it", does, law)
		return
	}
	switch message := r.Results[0].Failures[0].Message; {
	case strings.HasPrefix(message, "panic: "):
		t.Errorf("%s: %s panics", does, law)
	case dump.MatchString(quoted.ReplaceAllString(message, "")):
		t.Errorf("%s: %s shows a value as Go prints it: %s", does, law, message)
	}
}

// A dump is a value as Go prints it, a quoted text is one of the case's own.
var (
	dump   = regexp.MustCompile(`[{}]|map\[|\[\]|0x[0-9a-f]{4}|<nil>|%!`)
	quoted = regexp.MustCompile(`"(?:[^"\\]|\\.)*"|\{"[^\n]*|(?m:^(?:[ +-] |…).*$)`) // and the lines of a difference by go-cmp
)

// alone reports whether a law measures, or changes what others read, so that no other test may run meanwhile.
func alone(law string) bool {
	l, _ := fuzz.Find(law)
	return l.Alone
}

// Every member is rejected by each law that it names (G01).
func TestMembers(t *testing.T) {
	seen := map[string]bool{}
	for _, m := range Members() {
		t.Run(m.Name, func(t *testing.T) {
			if seen[m.Name] || m.Does == "" || m.Witness == "" || len(m.By) == 0 {
				t.Errorf("a member needs a name of its own, what it does, a witness and a law")
			}
			seen[m.Name] = true
			if !slices.ContainsFunc(m.By, alone) {
				t.Parallel()
			}
			for _, id := range m.By {
				rejected(t, id, m.Does, m.Impl, pins[m.Name+" "+id])
			}
		})
	}
}

// Every damage is rejected by its law.
func TestDamages(t *testing.T) {
	for _, d := range damages() {
		t.Run(d.law+"/"+strings.ReplaceAll(d.does, " ", "-"), func(t *testing.T) {
			if !alone(d.law) {
				t.Parallel()
			}
			rejected(t, d.law, d.does, d.impl, 0)
		})
	}
}

func damages() []damage {
	return slices.Concat(calendarDamages(), amountDamages(), quantileDamages(), forecastDamages(), policyDamages(), eventDamages(), portfolioDamages(), signatureDamages())
}

// Every law of the proven groups rejects a member or a damage: what [TestMembers] and
// [TestDamages] show one by one covers them all.
func TestLawsAreProven(t *testing.T) {
	by := map[string]string{}
	for _, m := range Members() {
		for _, id := range m.By {
			by[id] = m.Name
		}
	}
	for _, d := range damages() {
		by[d.law] = d.does
	}
	for _, l := range fuzz.Laws() {
		if !strings.Contains(proven, l.ID[:1]) {
			continue
		}
		reason, listed := unproven[l.ID]
		switch name, ok := by[l.ID]; {
		case listed && reason == "":
			t.Errorf("%s is listed as unproven without a reason", l.ID)
		case listed && ok:
			t.Errorf("%s is listed as unproven, yet it rejects %s", l.ID, name)
		case !listed && !ok:
			t.Errorf("%s rejects no member and no damage: nothing shows that it can fail", l.ID)
		}
	}
	for id := range unproven {
		if _, ok := fuzz.Find(id); !ok {
			t.Errorf("%s is listed as unproven and does not exist", id)
		}
	}
	for id, name := range by {
		if _, ok := fuzz.Find(id); !ok {
			t.Errorf("%s names the law %s, which does not exist", name, id)
		}
	}
}
