package diagnose_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/chargecast/chargecast/internal/gen"
	"github.com/chargecast/chargecast/internal/oracle"
	"github.com/chargecast/chargecast/internal/testkeys"
	"github.com/chargecast/chargecast/signature"
	"github.com/chargecast/chargecast/signature/diagnose"
)

// TestProperties: what holds of every diagnosis and trace (5.2, 5.3), and what none may show (5.4).
func TestProperties(t *testing.T) {
	for _, property := range []struct {
		name  string
		cases int
		check func(*gen.Report, gen.SignCase)
	}{
		{"a right signature gives match and no cause", 100, rightIsRight},
		{"each known mistake, made by hand, is among the causes", 100, singlesFound},
		{"every cause reported reproduces the signature when it is made by hand; undoing it leads to the right one", 50, causesProven},
		{"causes are minimal, distinct sets of one size, no two mistakes of one slot", 50, minimal},
		{"every compatible pair of mistakes, made by hand, is found", 50, pairsFound},
		{"a random signature gives an empty list and what is known", 25, randomUnexplained},
		{"with RSA, the public key alone names the mistake", 25, publicKeyAlone},
		{"where two base strings differ at one place, layer, parameter and byte are named", 1000, onePlace},
		{"each stage of a trace is the next one's input; the last is what is signed", 1000, stagesFollow},
		{"secret, key and card number are absent from errors, verdicts, traces, diagnoses and headers, in every form", 50, secretsUnseen},
		{"no secret, key or card number leaves through fmt, JSON or a log, from unexported fields too", 25, secretsUnprinted},
	} {
		t.Run(property.name, func(t *testing.T) { gen.Hold(t, property.cases, gen.SignCases, property.check) })
	}
}

func paramsOf(c gen.SignCase) (list []signature.Param) {
	for _, p := range c.Body {
		list = append(list, signature.NewParam(p.Name, p.Value))
	}
	return list
}

func requestOf(c gen.SignCase, authorization string) signature.Request {
	return signature.NewRequest("POST", c.URL()).WithParams(paramsOf(c)...).WithAuthorization(authorization)
}

func oauthOf(c gen.SignCase) signature.OAuth {
	return signature.OAuth{ConsumerKey: c.Consumer, Nonce: c.Nonce, Timestamp: c.Timestamp, Realm: c.Realm}
}

func hmacKey(secret string) *signature.HMACKey {
	key, err := signature.NewHMACKey(secret)
	if err != nil {
		panic(err)
	}
	return key
}

func publicKey(file string) signature.VerifyingKey {
	key, err := signature.ParsePublicKey([]byte(file))
	if err != nil {
		panic(err)
	}
	return key
}

var privateKey = sync.OnceValue(func() *signature.PrivateKey {
	key, err := signature.ParsePrivateKey([]byte(testkeys.PKCS1))
	if err != nil {
		panic(err)
	}
	return key
})

func acceptable(r signature.Request, key signature.VerifyingKey) bool {
	_, err := signature.Verify(r, signature.Options{}, key)
	return err == nil
}

func diagnosisOf(r signature.Request, key signature.VerifyingKey) diagnose.Diagnosis {
	d, _ := diagnose.Request(context.Background(), r, key, diagnose.Options{})
	return d
}

// diagnosedWith is the diagnosis of the case with a signature.
func diagnosedWith(c gen.SignCase, text string) diagnose.Diagnosis {
	return diagnosisOf(requestOf(c, headerWith(c, text)), hmacKey(c.Secret))
}

func causesOf(d diagnose.Diagnosis) (all []string) {
	for _, cause := range d.Causes {
		all = append(all, strings.Join(cause.IDs, " "))
	}
	return all
}

func summary(d diagnose.Diagnosis) string {
	return fmt.Sprintf("match %v; causes: %s; known: %s", d.Right, strings.Join(causesOf(d), ", "), strings.Join(d.Known, ", "))
}

// stages are the oracle's of the case under HMAC-SHA1.
func stages(c gen.SignCase) oracle.Stages { return c.Oracle("HMAC-SHA1").Stages() }

// mistakes are those that the oracle can make.
var mistakes = sync.OnceValue(oracle.Mistakes)

// mistakeOf is the mistake that some bits of a number choose.
func mistakeOf(pick uint64) oracle.Mistake { return mistakes()[pick%uint64(len(mistakes()))] }

// mistaken are the stages of the case with some mistakes made, one after the other.
func mistaken(c gen.SignCase, made ...oracle.Mistake) oracle.Stages {
	r := c.Oracle("HMAC-SHA1")
	s := r.Stages()
	for _, m := range made {
		m.Make(r, &s)
	}
	return s
}

func rightHeader(c gen.SignCase) string { return headerWith(c, stages(c).Signature()) }

func headerWith(c gen.SignCase, text string) string { return headerUnder(c, "HMAC-SHA1", text) }

// headerUnder is a header with a signature of a method, in order of name.
func headerUnder(c gen.SignCase, method, text string) string {
	params := append(c.OAuth(method), gen.Pair{Name: "oauth_signature", Value: text})
	slices.SortFunc(params, func(a, b gen.Pair) int { return strings.Compare(a.Name, b.Name) })
	return oracle.HeaderText(c.Realm, params...)
}

// publicKeyAlone makes a mistake in front of the signing, and asks with each half of the key.
func publicKeyAlone(t *gen.Report, c gen.SignCase) {
	all := slices.DeleteFunc(slices.Clone(mistakes()), func(m oracle.Mistake) bool { return m.Slot == "key" || m.Slot == "text" })
	m := all[c.Pick%uint64(len(all))]
	request := c.Oracle("RSA-SHA256")
	wrong := request.Stages()
	m.Make(request, &wrong)
	base := wrong.Base()
	sum, err := oracle.SignRSA(testkeys.PKCS1, base)
	if err != nil {
		t.Fatalf("%v", err)
	}
	r := requestOf(c, headerUnder(c, "RSA-SHA256", base64.StdEncoding.EncodeToString(sum)))
	public := diagnosisOf(r, publicKey(testkeys.Public))
	if right := base == request.Stages().Base(); public.Right != right || !right && !slices.Contains(causesOf(public), m.ID) {
		t.Errorf("%s, with the public key: %s", m.ID, summary(public))
	}
	if c.Pick>>16%4 != 0 {
		return
	}
	if private := diagnosisOf(r, publicKey(testkeys.PKCS1)); private.Right != public.Right || !slices.Equal(causesOf(private), causesOf(public)) {
		t.Errorf("%s, with the public key: %s\nwith the private key: %s", m.ID, summary(public), summary(private))
	}
}

// onePlace changes one byte of one part of the base string, or leaves a parameter out, and asks where.
func onePlace(t *gen.Report, c gen.SignCase) {
	const digits = "0123456789"
	at := int(c.Pick % 10)
	broken := digits[:at] + "x" + digits[at+1:]
	c.Body = append(slices.Clip(c.Body), gen.Pair{Name: "zz-last", Value: digits})
	ours, theirs := stages(c), stages(c)
	ours.Method, ours.URI = "POST", ours.URI+digits
	theirs.Method, theirs.URI = ours.Method, ours.URI
	if diagnose.Compare(ours.Base(), ours.Base()) != nil {
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
	d := diagnose.Compare(ours.Base(), theirs.Base())
	switch {
	case d == nil:
		t.Errorf("no difference is found, want %s %s at byte %d", layer, parameter, at)
	case d.Layer != layer || d.Parameter != parameter || d.Byte != at:
		t.Errorf("the difference is %s %s at byte %d, want %s %s at byte %d", d.Layer, d.Parameter, d.Byte, layer, parameter, at)
	}
}

func stagesFollow(t *gen.Report, c gen.SignCase) {
	trace, err := signature.NewTrace(requestOf(c, oracle.HeaderText(nil, c.OAuth("HMAC-SHA1")...)))
	if err != nil {
		t.Fatalf("%v", err)
	}
	var joined []string
	for _, p := range trace.Sorted() {
		joined = append(joined, oracle.Encode(p.Name())+"="+oracle.Encode(p.Value()))
	}
	if trace.Method() != "POST" || trace.URI() != c.Oracle("").URI() {
		t.Errorf("%q %q", trace.Method(), trace.URI())
	}
	if want := oracle.Encode(trace.Method()) + "&" + oracle.Encode(trace.URI()) + "&" + oracle.Encode(strings.Join(joined, "&")); trace.BaseString() != want || want != stages(c).Base() {
		t.Errorf("base string %q, want %q", trace.BaseString(), want)
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

func causesProven(t *gen.Report, c gen.SignCase) {
	text := mistaken(c, mistakeOf(c.Pick)).Signature()
	if _, _, both, ok := twoMistakes(c); ok && c.Pick>>40%4 == 0 {
		text = both
	}
	if c.Pick>>44%8 == 0 {
		foreign := stages(c)
		foreign.Key += "of somebody else"
		text = foreign.Signature()
	}
	for _, cause := range diagnosedWith(c, text).Causes {
		if !slices.ContainsFunc(cause.IDs, partial) && !reproduced(c, cause.IDs, text) {
			t.Errorf("%s is reported, and does not reproduce the signature", strings.Join(cause.IDs, ", "))
		}
	}
	// What is left once everything is undone is right, and reported so.
	right := stages(c).Signature()
	if d := diagnosedWith(c, right); !d.Right || !acceptable(requestOf(c, rightHeader(c)), hmacKey(c.Secret)) {
		t.Errorf("undone, it is not right: %s", summary(d))
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

// slotOf is what a mistake excludes others of; empty for one that the oracle does not make.
func slotOf(id string) string {
	for _, m := range mistakes() {
		if m.ID == id {
			return m.Slot
		}
	}
	return ""
}

func rightIsRight(t *gen.Report, c gen.SignCase) {
	if d := diagnosedWith(c, stages(c).Signature()); !d.Right || len(d.Causes) > 0 {
		t.Errorf("of a right signature: %s", summary(d))
	}
}

func singlesFound(t *gen.Report, c gen.SignCase) {
	right := stages(c).Signature()
	m := mistakeOf(c.Pick)
	text := mistaken(c, m).Signature()
	d := diagnosedWith(c, text)
	switch {
	case text == right && (!d.Right || len(d.Causes) > 0):
		t.Errorf("%s changes nothing, but %s", m.ID, summary(d))
	case text != right && (d.Right || !slices.Contains(causesOf(d), m.ID)):
		t.Errorf("%s was made, but %s", m.ID, summary(d))
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

func minimal(t *gen.Report, c gen.SignCase) {
	c = brief(c)
	_, _, text, ok := twoMistakes(c)
	if !ok {
		text = mistaken(c, mistakeOf(c.Pick)).Signature()
	}
	d := diagnosedWith(c, text)
	seen := map[string]bool{}
	for i, cause := range d.Causes {
		id := strings.Join(cause.IDs, " ")
		if seen[id] || len(cause.IDs) != len(d.Causes[0].IDs) || !slices.IsSorted(cause.IDs) || cause.Text == "" || cause.Fix == "" {
			t.Errorf("cause %d is there twice, of another size than the first, out of order, or without text or fix: %s", i+1, summary(d))
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

func pairsFound(t *gen.Report, c gen.SignCase) {
	c = brief(c)
	a, b, text, ok := twoMistakes(c)
	if !ok {
		return
	}
	ids := []string{a.ID, b.ID}
	slices.Sort(ids)
	d := diagnosedWith(c, text)
	if len(d.Causes) > 0 && len(d.Causes[0].IDs) == 1 {
		return // a single mistake gives the same bytes
	}
	if d.Right || !slices.Contains(causesOf(d), strings.Join(ids, " ")) {
		t.Errorf("%s were made, but %s", strings.Join(ids, ", "), summary(d))
	}
}

func randomUnexplained(t *gen.Report, c gen.SignCase) {
	c = brief(c)
	s := stages(c)
	s.Key += "another secret"
	d := diagnosedWith(c, s.Signature())
	if d.Right || len(d.Causes) > 0 || len(d.Known) == 0 {
		t.Errorf("of a signature by somebody else: %s", summary(d))
	}
}

// The values that no output may hold.
const secretCanary, cardCanary = "S3cretControlKey", "4111111111111111"

// withCanaries is the case with secrets and a payload to be looked for.
func withCanaries(c gen.SignCase) gen.SignCase {
	c.Secret = secretCanary + c.Secret
	c.Body = append(slices.Clip(c.Body), gen.Pair{Name: "payload", Value: cardCanary})
	return c
}

// noneShown looks for hidden texts in what is shown, and reports each where it shows first.
func noneShown(t *gen.Report, shown []string, hidden []string) {
	const around = 100
	all := strings.Join(shown, "\x00") // which no form has
	for _, form := range hidden {
		if at := strings.Index(all, form); at >= 0 {
			t.Errorf("%q shows in %q", form, all[max(at-around, 0):min(at+len(form)+around, len(all))])
		}
	}
}

func secretsUnseen(t *gen.Report, c gen.SignCase) {
	c = withCanaries(c)
	oauth := oauthOf(c)
	signed, _, err := signature.Sign(requestOf(c, ""), oauth, hmacKey(c.Secret))
	if err != nil {
		t.Fatalf("not signed: %v", err)
	}
	trace, err := signature.NewTrace(requestOf(c, rightHeader(c)))
	if err != nil {
		t.Fatalf("%v", err)
	}
	wrong := requestOf(c, headerWith(c, mistaken(c, mistakeOf(c.Pick)).Signature()))
	v, err := signature.Verify(wrong, signature.Options{NonceMax: 1}, hmacKey(c.Secret))
	d := diagnosisOf(wrong, hmacKey(c.Secret))
	texts := slices.Concat([]string{fmt.Sprint(err)}, d.Known, d.NotTried)
	for _, f := range slices.Concat(v.Findings, d.Findings) {
		texts = append(texts, f.Error())
	}
	for _, cause := range d.Causes {
		texts = append(texts, cause.Text, cause.Fix)
	}
	noneShown(t, texts, slices.Concat(gen.FormsOf(secretCanary), gen.FormsOf(cardCanary)))
	noneShown(t, []string{signed.Authorization(), trace.BaseString()}, gen.FormsOf(secretCanary))
	at := int(c.Pick % uint64(len(testkeys.PKCS1)))
	var refused []string
	for _, file := range []string{testkeys.PKCS1[:at], testkeys.PKCS1[:at] + "*" + testkeys.PKCS1[at:], testkeys.PKCS1 + testkeys.PKCS8, "x" + testkeys.PKCS1,
		strings.ReplaceAll(testkeys.PKCS1, "\n", `\n`), strings.ReplaceAll(testkeys.PKCS1, "RSA ", "")} {
		_, err := signature.ParsePrivateKey([]byte(file))
		_, again := signature.ParsePublicKey([]byte(file))
		refused = append(refused, fmt.Sprint(err, again))
	}
	noneShown(t, refused, keyParts())
}

func secretsUnprinted(t *gen.Report, c gen.SignCase) {
	c = withCanaries(c)
	hidden := slices.Concat(gen.FormsOf(secretCanary), gen.FormsOf(cardCanary), keyParts())
	var key signature.SigningKey = hmacKey(c.Secret)
	if c.Pick%2 == 0 {
		key = privateKey()
	}
	noneShown(t, shownOf(c, key), hidden)
}

// keyParts are pieces of the test key: of its file, and of its private exponent in hex.
func keyParts() []string {
	var parts []string
	for line := range strings.Lines(testkeys.PKCS1) {
		if line = strings.TrimSpace(line); !strings.HasPrefix(line, "-----") && len(line) >= 24 {
			parts = append(parts, line[:24])
		}
	}
	if key, err := oracle.PrivateKey(testkeys.PKCS1); err == nil {
		parts = append(parts, hex.EncodeToString(key.D.Bytes()[:12]), key.D.String()[:24], key.Primes[0].String()[:24])
	}
	return parts
}

// shown renders every value of a signing by every verb of fmt, as JSON and in a log, alone and in
// an unexported field.
func shownOf(c gen.SignCase, key signature.SigningKey) []string {
	request := requestOf(c, "")
	signed, found, signErr := signature.Sign(request, oauthOf(c), key)
	trace, traceErr := signature.NewTrace(signed)
	wrong := signed.WithURL(signed.URL() + "/x")
	var verifying signature.VerifyingKey
	switch key := key.(type) {
	case *signature.HMACKey:
		verifying = key
	case *signature.PrivateKey:
		verifying = key.Public()
	}
	v, verifyErr := signature.Verify(wrong, signature.Options{NonceMax: 1}, verifying)
	values := []any{request, paramsOf(c), signed, found, trace, trace.Sorted(), key, verifying, v, v.Findings, signErr, traceErr, verifyErr}
	if secret, ok := key.(*signature.HMACKey); ok {
		values = append(values, *secret)
	} else if private, ok := key.(*signature.PrivateKey); ok {
		values = append(values, *private)
	}
	var shown []string
	for _, value := range values {
		type holder struct{ v any }
		for _, kept := range [...]any{value, holder{value}, &holder{value}} {
			for _, verb := range [...]string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%d", "%t", "%w"} {
				shown = append(shown, fmt.Sprintf(verb, kept))
			}
		}
		var log bytes.Buffer
		slog.New(slog.NewJSONHandler(&log, nil)).Info("x", "v", value)
		slog.New(slog.NewTextHandler(&log, nil)).Info("x", "v", value)
		text, _ := json.Marshal(value)
		shown = append(shown, log.String(), string(text))
	}
	return shown
}
