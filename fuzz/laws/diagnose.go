package laws

import (
	"encoding/base64"
	"slices"
	"strings"

	"github.com/chargecast/chargecast/fuzz/gen"
	"github.com/chargecast/chargecast/signature/diagnose"
)

// diagnosisLaws are the laws of diagnosis. Those that search all pairs are slow.
func diagnosisLaws() []Law {
	return []Law{
		law("D01", "5.2 5.3", "a right signature gives match and no cause", gen.SignCases, rightIsRight).slow(),
		law("D02", "5.2 5.3", "each known mistake, made by hand, is among the causes", gen.SignCases, singlesFound).slow(),
		law("D04", "5.2 5.3", "causes are minimal, distinct sets of one size, no two mistakes of one slot", gen.SignCases, minimal).slow(),
		law("D05", "5.2 5.3", "every compatible pair of mistakes, made by hand, is found", gen.SignCases, pairsFound).slow(),
		law("D06", "5.2 5.3", "a random signature gives an empty list and what is known", gen.SignCases, randomUnexplained).slow(),
	}
}

// brief is the case with few parameters, for laws that try all pairs of mistakes on it: more of the
// same add nothing but time.
func brief(c gen.SignCase) gen.SignCase {
	if n := len(c.Body); n > 3 {
		c.Body = []gen.Pair{c.Body[0], c.Body[1], c.Body[n-1]}
	}
	c.Query = c.Query[:min(len(c.Query), 1)]
	return c
}

func diagnosed(c gen.SignCase, impl Impl, text string) SignDiagnosis {
	return impl.Diagnose(signedRequest(c, headerWith(c, text)), key(c))
}

func causesOf(d SignDiagnosis) []string {
	var all []string
	for _, cause := range d.Causes {
		all = append(all, strings.Join(cause.IDs, " "))
	}
	return all
}

func rightIsRight(t *T, c gen.SignCase) {
	if d := diagnosed(c, t.Impl, slowly(c).signature()); !d.Match || len(d.Causes) > 0 {
		t.Errorf("of a right signature: %s", diagnosisInWords(d))
	}
}

func singlesFound(t *T, c gen.SignCase) {
	right := slowly(c).signature()
	all := slowMistakes()
	m := all[c.Pick%uint64(len(all))]
	s := slowly(c)
	m.make(c, &s)
	text := s.signature()
	d := diagnosed(c, t.Impl, text)
	switch {
	case text == right && (!d.Match || len(d.Causes) > 0):
		t.Errorf("%s changes nothing, but %s", m.id, diagnosisInWords(d))
	case text != right && (d.Match || !slices.Contains(causesOf(d), m.id)):
		t.Errorf("%s was made, but %s", m.id, diagnosisInWords(d))
	}
}

// twoMistakes makes a pair of the oracle's mistakes; ok is false where they exclude one
// another or one of them changes nothing.
func twoMistakes(c gen.SignCase) (a, b slowMistake, text string, ok bool) {
	all := slowMistakes()
	a, b = all[c.Pick%uint64(len(all))], all[c.Pick>>16%uint64(len(all))]
	right := slowly(c)
	one, other, both := slowly(c), slowly(c), slowly(c)
	a.make(c, &one)
	b.make(c, &other)
	a.make(c, &both)
	b.make(c, &both)
	text = both.signature()
	plain := text != right.signature() && text != one.signature() && text != other.signature()
	// Where one mistake feeds on what the other made, the order of the two is the
	// oracle's own.
	reversed := slowly(c)
	b.make(c, &reversed)
	a.make(c, &reversed)
	return a, b, text, a.slot != b.slot && plain && reversed.signature() == text
}

func minimal(t *T, c gen.SignCase) {
	c = brief(c)
	_, _, text, ok := twoMistakes(c)
	if !ok {
		all, s := slowMistakes(), slowly(c)
		all[c.Pick%uint64(len(all))].make(c, &s)
		text = s.signature()
	}
	slot := map[string]string{}
	for m := range diagnose.Mistakes() {
		slot[m.ID] = m.Slot
	}
	d := diagnosed(c, t.Impl, text)
	seen := map[string]bool{}
	for i, cause := range d.Causes {
		id := strings.Join(cause.IDs, " ")
		if seen[id] || len(cause.IDs) != len(d.Causes[0].IDs) || !slices.IsSorted(cause.IDs) || cause.Text == "" || cause.Fix == "" {
			t.Errorf("cause %d is there twice, of another size than the first, out of order, or without text or fix: %s", i+1, diagnosisInWords(d))
		}
		seen[id] = true
		if len(cause.IDs) == 2 && slot[cause.IDs[0]] == slot[cause.IDs[1]] {
			t.Errorf("%s share a slot", inList(cause.IDs))
		}
		for _, id := range cause.IDs {
			if len(cause.IDs) == 2 && reproduced(c, []string{id}, text) {
				t.Errorf("%s is reported, and %s alone reproduces the signature", inList(cause.IDs), id)
			}
		}
		for _, hidden := range [...]string{c.Secret, c.Token} {
			if len(hidden) > 4 && strings.Contains(cause.Text+cause.Fix, hidden) {
				t.Errorf("%s shows a secret", inList(cause.IDs))
			}
		}
	}
}

func pairsFound(t *T, c gen.SignCase) {
	c = brief(c)
	a, b, text, ok := twoMistakes(c)
	if !ok {
		return
	}
	ids := []string{a.id, b.id}
	slices.Sort(ids)
	d := diagnosed(c, t.Impl, text)
	if len(d.Causes) > 0 && len(d.Causes[0].IDs) == 1 {
		return // a single mistake gives the same bytes
	}
	if d.Match || !slices.Contains(causesOf(d), strings.Join(ids, " ")) {
		t.Errorf("%s were made, but %s", inList(ids), diagnosisInWords(d))
	}
}

func randomUnexplained(t *T, c gen.SignCase) {
	c = brief(c)
	s := slowly(c)
	s.key += "another secret"
	d := diagnosed(c, t.Impl, base64.StdEncoding.EncodeToString(s.sum()))
	if d.Match || len(d.Causes) > 0 || len(d.Known) == 0 {
		t.Errorf("of a signature by somebody else: %s", diagnosisInWords(d))
	}
}
