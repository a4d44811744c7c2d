package laws

import (
	"slices"
	"strings"

	"github.com/chargecast/chargecast/internal/gen"
	"github.com/chargecast/chargecast/internal/oracle"
	"github.com/chargecast/chargecast/internal/testkeys"
)

// diagnoseLaws are the laws of traces and of diagnosis. Those that search all pairs are slow.
func diagnoseLaws() []Law {
	return []Law{
		own("D01", "5.2 5.3", "a right signature gives match and no cause", gen.SignCases, rightIsRight).slow(),
		own("D02", "5.2 5.3", "each known mistake, made by hand, is among the causes", gen.SignCases, singlesFound).slow(),
		own("D03", "5.2 5.3", "every cause reported reproduces the signature when it is made by hand; undoing it leads to the right one", gen.SignCases, causesProven).slow(),
		own("D04", "5.2 5.3", "causes are minimal, distinct sets of one size, no two mistakes of one slot", gen.SignCases, minimal).slow(),
		own("D05", "5.2 5.3", "every compatible pair of mistakes, made by hand, is found", gen.SignCases, pairsFound).slow(),
		own("D06", "5.2 5.3", "a random signature gives an empty list and what is known", gen.SignCases, randomUnexplained).slow(),
		own("D07", "5.2 5.3", "RSA: the public key alone names the mistake", gen.SignCases, publicKeyAlone).slow(),
		own("D08", "5.2 5.3", "two base strings that differ at one place: layer, parameter and byte are named", gen.SignCases, onePlace),
		own("D09", "5.2 5.3", "each stage of a trace is the next one's input; the last is what is signed", gen.SignCases, stagesFollow),
	}
}

// publicKeyAlone makes a mistake in front of the signing, and asks with each half of the key.
func publicKeyAlone(t *T, c gen.SignCase) {
	all := slices.DeleteFunc(slices.Clone(mistakes()), func(m oracle.Mistake) bool { return m.Slot == "key" || m.Slot == "text" })
	m := all[c.Pick%uint64(len(all))]
	request := c.Oracle("RSA-SHA256")
	wrong := request.Stages()
	m.Make(request, &wrong)
	base := wrong.Base()
	r := signedRequest(c, headerUnder(c, "RSA-SHA256", signatureText(rsaSum(testkeys.PKCS1, base))))
	public := t.Diagnose(r, rsaKey(testkeys.Public))
	if right := base == baseUnder(c, "RSA-SHA256"); public.Match != right || !right && !slices.Contains(causesOf(public), m.ID) {
		t.Errorf("%s, with the public key: %s", m.ID, public)
	}
	if c.Pick>>16%4 != 0 {
		return
	}
	if private := t.Diagnose(r, rsaKey(testkeys.PKCS1)); private.Match != public.Match || !slices.Equal(causesOf(private), causesOf(public)) {
		t.Errorf("%s, with the public key: %s\nwith the private key: %s", m.ID, public, private)
	}
}

// onePlace changes one byte of one part of the base string, or leaves a parameter out, and asks where.
func onePlace(t *T, c gen.SignCase) {
	const digits = "0123456789"
	at := int(c.Pick % 10)
	broken := digits[:at] + "x" + digits[at+1:]
	c.Body = append(slices.Clip(c.Body), gen.Pair{Name: "zz-last", Value: digits})
	ours, theirs := stages(c), stages(c)
	ours.Method, ours.URI = "POST", ours.URI+digits
	theirs.Method, theirs.URI = ours.Method, ours.URI
	if t.Compare(ours.Base(), ours.Base()) != nil {
		t.Errorf("equal base strings differ")
	}
	last := len(c.Body) - 1
	theirs.Body = slices.Clone(c.Body)
	layer, parameter := "parameter-value", "zz-last"
	switch c.Pick >> 8 % 8 {
	case 0:
		layer, parameter, at = "method", "", at%4
		theirs.Method = "POST"[:at] + "x" + "POST"[at+1:]
	case 1:
		layer, parameter, at = "url", "", at+len(ours.URI)-len(digits)
		theirs.URI = ours.URI[:len(ours.URI)-len(digits)] + broken
	case 2:
		layer, at = "parameter-missing", 0
		theirs.Body = theirs.Body[:last]
	case 3:
		layer, at = "parameter-extra", 0
		ours.Body = c.Body[:last]
	default:
		theirs.Body[last].Value = broken
	}
	d := t.Compare(ours.Base(), theirs.Base())
	switch {
	case d == nil:
		t.Errorf("no difference is found, want %s %s at byte %d", layer, parameter, at)
	case d.Layer != layer || d.Parameter != parameter || d.Byte != at:
		t.Errorf("the difference is %s %s at byte %d, want %s %s at byte %d", d.Layer, d.Parameter, d.Byte, layer, parameter, at)
	}
}

func stagesFollow(t *T, c gen.SignCase) {
	trace, err := t.Trace(signedRequest(c, SignHeader{Params: c.OAuth("HMAC-SHA1")}))
	if err != nil {
		t.Fatalf("%v", err)
	}
	var joined []string
	for _, p := range trace.Sorted {
		joined = append(joined, oracle.Encode(p.Name)+"="+oracle.Encode(p.Value))
	}
	if trace.Method != "POST" || trace.URI != c.Oracle("").URI() {
		t.Errorf("%q %q", trace.Method, trace.URI)
	}
	if want := oracle.Encode(trace.Method) + "&" + oracle.Encode(trace.URI) + "&" + oracle.Encode(strings.Join(joined, "&")); trace.BaseString != want || want != t.base(c) {
		t.Errorf("base string %q, want %q", trace.BaseString, want)
	}
}

// partial are the mistakes of which the oracle makes some variants only, so that it
// cannot refute a cause that names them.
func partial(id string) bool {
	switch id {
	case "not-decoded", "unsorted", "sort-raw-names", "key-ampersand-missing", "secret-newline", "token-secret-null", "secret-space", "secret-quotes", "secret-bom", "secret-utf16", "secret-name", "secret-case", "base-newline", "host-other", "path-other", "consumer-key-space", "consumer-key-case", "body-final-newline", "payload-wrapped", "signature-wrapped", "signature-urlsafe":
		return true
	}
	return slotOf(id) == ""
}

func causesProven(t *T, c gen.SignCase) {
	text := mistaken(c, mistakeOf(c.Pick)).Signature()
	if _, _, both, ok := twoMistakes(c); ok && c.Pick>>40%4 == 0 {
		text = both
	}
	if c.Pick>>44%8 == 0 {
		foreign := stages(c)
		foreign.Key += "of somebody else"
		text = foreign.Signature()
	}
	for _, cause := range t.diagnosed(c, text).Causes {
		if !slices.ContainsFunc(cause.IDs, partial) && !reproduced(c, cause.IDs, text) {
			t.Errorf("%s is reported, and does not reproduce the signature", strings.Join(cause.IDs, ", "))
		}
	}
	// What is left once everything is undone is right, and reported so.
	right := stages(c).Signature()
	if d := t.diagnosed(c, right); !d.Match || !t.verified(c, rightHeader(c).String()).Acceptable {
		t.Errorf("undone, it is not right: %s", d)
	}
}

// reproduced reports whether the mistakes, made by hand in some variant and order, give
// the signature.
func reproduced(c gen.SignCase, ids []string, text string) bool {
	r := c.Oracle("HMAC-SHA1")
	var try func(s oracle.Stages, left []string) bool
	try = func(s oracle.Stages, left []string) bool {
		if len(left) == 0 {
			return s.Signature() == text
		}
		for i, id := range left {
			for _, m := range mistakes() {
				next := s
				if m.ID != id {
					continue
				}
				m.Make(r, &next)
				if try(next, slices.Delete(slices.Clone(left), i, i+1)) {
					return true
				}
			}
		}
		return false
	}
	return try(r.Stages(), ids)
}

// brief is the case with few parameters, for laws that try all pairs of mistakes on it: more of the
// same add nothing but time.
func brief(c gen.SignCase) gen.SignCase {
	if n := len(c.Body); n > 3 {
		c.Body = []gen.Pair{c.Body[0], c.Body[1], c.Body[n-1]}
	}
	return c
}

func (t *T) diagnosed(c gen.SignCase, text string) SignDiagnosis {
	return t.Diagnose(signedRequest(c, headerWith(c, text)), key(c))
}

// slotOf is what a mistake excludes others of; empty for one that the oracle does not make.
func slotOf(id string) string {
	for _, m := range mistakes() {
		if m.ID == id {
			return m.Slot
		}
	}
	return ""
}

func causesOf(d SignDiagnosis) []string {
	var all []string
	for _, cause := range d.Causes {
		all = append(all, strings.Join(cause.IDs, " "))
	}
	return all
}

func rightIsRight(t *T, c gen.SignCase) {
	if d := t.diagnosed(c, stages(c).Signature()); !d.Match || len(d.Causes) > 0 {
		t.Errorf("of a right signature: %s", d)
	}
}

func singlesFound(t *T, c gen.SignCase) {
	right := stages(c).Signature()
	m := mistakeOf(c.Pick)
	text := mistaken(c, m).Signature()
	d := t.diagnosed(c, text)
	switch {
	case text == right && (!d.Match || len(d.Causes) > 0):
		t.Errorf("%s changes nothing, but %s", m.ID, d)
	case text != right && (d.Match || !slices.Contains(causesOf(d), m.ID)):
		t.Errorf("%s was made, but %s", m.ID, d)
	}
}

// twoMistakes makes a pair of the oracle's mistakes; ok is false where they exclude one
// another or one of them changes nothing.
func twoMistakes(c gen.SignCase) (a, b oracle.Mistake, text string, ok bool) {
	a, b = mistakeOf(c.Pick), mistakeOf(c.Pick>>16)
	text = mistaken(c, a, b).Signature()
	plain := text != stages(c).Signature() && text != mistaken(c, a).Signature() && text != mistaken(c, b).Signature()
	// Where one mistake feeds on what the other made, the order of the two is the
	// oracle's own.
	return a, b, text, a.Slot != b.Slot && plain && mistaken(c, b, a).Signature() == text
}

func minimal(t *T, c gen.SignCase) {
	c = brief(c)
	_, _, text, ok := twoMistakes(c)
	if !ok {
		text = mistaken(c, mistakeOf(c.Pick)).Signature()
	}
	d := t.diagnosed(c, text)
	seen := map[string]bool{}
	for i, cause := range d.Causes {
		id := strings.Join(cause.IDs, " ")
		if seen[id] || len(cause.IDs) != len(d.Causes[0].IDs) || !slices.IsSorted(cause.IDs) || cause.Text == "" || cause.Fix == "" {
			t.Errorf("cause %d is there twice, of another size than the first, out of order, or without text or fix: %s", i+1, d)
		}
		seen[id] = true
		if len(cause.IDs) == 2 && slotOf(cause.IDs[0]) != "" && slotOf(cause.IDs[0]) == slotOf(cause.IDs[1]) {
			t.Errorf("%s share a slot", strings.Join(cause.IDs, ", "))
		}
		for _, id := range cause.IDs {
			if len(cause.IDs) == 2 && reproduced(c, []string{id}, text) {
				t.Errorf("%s is reported, and %s alone reproduces the signature", strings.Join(cause.IDs, ", "), id)
			}
		}
		if len(c.Secret) > 4 && strings.Contains(cause.Text+cause.Fix, c.Secret) {
			t.Errorf("%s shows the secret", strings.Join(cause.IDs, ", "))
		}
	}
}

func pairsFound(t *T, c gen.SignCase) {
	c = brief(c)
	a, b, text, ok := twoMistakes(c)
	if !ok {
		return
	}
	ids := []string{a.ID, b.ID}
	slices.Sort(ids)
	d := t.diagnosed(c, text)
	if len(d.Causes) > 0 && len(d.Causes[0].IDs) == 1 {
		return // a single mistake gives the same bytes
	}
	if d.Match || !slices.Contains(causesOf(d), strings.Join(ids, " ")) {
		t.Errorf("%s were made, but %s", strings.Join(ids, ", "), d)
	}
}

func randomUnexplained(t *T, c gen.SignCase) {
	c = brief(c)
	s := stages(c)
	s.Key += "another secret"
	d := t.diagnosed(c, s.Signature())
	if d.Match || len(d.Causes) > 0 || len(d.Known) == 0 {
		t.Errorf("of a signature by somebody else: %s", d)
	}
}
