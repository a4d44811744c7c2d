package signature_test

import (
	"bytes"
	"crypto/x509"
	"encoding/base64"
	"encoding/binary"
	"encoding/gob"
	"encoding/hex"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"log/slog"
	"net/url"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chargecast/chargecast/signature"
	"github.com/chargecast/chargecast/signature/diagnose"
)

// The values that no output may hold.
const (
	canarySecret = "topsecret canary/1"
	canaryToken  = "token&canary=2"
	canaryCard   = "4012888888881881"
	canaryPass   = "password-canary-3"
)

// exportedValues are values of every exported type that can hold a secret, a key or a body, by the name of the type.
func exportedValues(t *testing.T) map[string][]any {
	t.Helper()
	secret, err := signature.NewSecret(canarySecret, canaryToken)
	if err != nil {
		t.Fatal(err)
	}
	key := privateKey(t, "pkcs1.pem")
	body := []param{{"payload", canaryCard}, {canaryCard, canaryCard}}
	form := signature.NewRequest("POST", "https://h.example/p").WithParams(paramsOf(body)...)
	wire := signature.NewRequest("POST", "https://u:"+canaryPass+"@h.example/p?q="+canaryCard).WithBody(formType, string(form.Body()))
	signed, err := signature.Sign(form, signature.OAuth{ConsumerKey: "m", Nonce: "n", Timestamp: "1767225600", Realm: new("r"), InBody: true}, secret, signature.ProfileGateway)
	if err != nil {
		t.Fatal(err)
	}
	trace, err := signature.NewTrace(signed.Request(), signature.ProfileGateway)
	if err != nil {
		t.Fatal(err)
	}
	wrong := signed.Request().WithURL("https://h.example/p/")
	d, _ := diagnose.Request(t.Context(), wrong, secret, diagnose.Options{})
	v, failed := signature.Verify(wrong, secret, signature.Options{NonceMin: 9})
	h, err := signature.ParseHeader(signed.Authorization())
	if err != nil {
		t.Fatal(err)
	}
	_, unreadable := signature.Verify(wire, secret, signature.Options{})
	_, _, badKey := signature.LoadPrivateKey(append(keyFile(t, "pkcs1.pem"), 'x'), signature.KeyRules{})
	var mistakes []diagnose.Mistake
	for m := range diagnose.Mistakes() {
		mistakes = append(mistakes, diagnose.Mistake{ID: m.ID, Rank: m.Rank, Slot: m.Slot, Text: m.Text, Fix: m.Fix})
	}
	return map[string][]any{
		"Secret": {secret, *secret, signature.Secret{}}, "PrivateKey": {key, *key, signature.PrivateKey{}}, "PublicKey": {key.Public(), *key.Public(), signature.PublicKey{}},
		"Request": {form, wire, signed.Request(), signature.Request{}}, "Param": {signature.NewParam("payload", canaryCard), signature.Payload([]byte(canaryCard)), paramsOf(body), signature.Param{}},
		"Signed": {signed, signature.Signed{}}, "Trace": {trace, signature.Trace{}}, "TracedParam": {trace.Collected(), trace.Sorted()[0], signature.TracedParam{}},
		"Header": {h}, "Verified": {v, failed, unreadable, badKey}, "diagnose.Diagnosis": {d}, "diagnose.Cause": {d.Causes},
		"diagnose.Difference": {diagnose.Compare(trace.BaseString(), trace.BaseString()+"%26a%3D1"), diagnose.Compare(trace.BaseString(), "")},
		"MemoryReplays":       {signature.NewMemoryReplays(1)}, "diagnose.Mistake": {mistakes},
		"diagnose.Options": {diagnose.Options{}}, "Endpoint": {signature.Endpoint{}}, "KeyRules": {signature.KeyRules{}}, "Method": {signature.MethodHMACSHA1}, "OAuth": {signature.OAuth{}},
		"Options": {signature.Options{}}, "Claim": {signature.Claim{}}, "Profile": {signature.ProfileRFC5849}, "Use": {signature.Use{}}, "Verdict": {signature.VerdictOK},
		"SigningKey": {signature.SigningKey(secret)}, "VerifyingKey": {signature.VerifyingKey(key.Public())}, "Replays": {signature.Replays(signature.NewMemoryReplays(1))},
	}
}

// TestEveryTypeIsLookedAt: the values above leave no exported type out.
func TestEveryTypeIsLookedAt(t *testing.T) {
	values := exportedValues(t)
	own, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	below, err := filepath.Glob("diagnose/*.go")
	if err != nil {
		t.Fatal(err)
	}
	types := 0
	for _, name := range slices.Concat(own, below) {
		prefix := ""
		if file, isBelow := strings.CutPrefix(filepath.ToSlash(name), "diagnose/"); isBelow && file != "" {
			prefix = "diagnose."
		}
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, decl := range file.Decls {
			gen, ok := decl.(*ast.GenDecl)
			if !ok || gen.Tok != token.TYPE {
				continue
			}
			for _, spec := range gen.Specs {
				if id := spec.(*ast.TypeSpec).Name; id.IsExported() {
					types++
					if len(values[prefix+id.Name]) == 0 {
						t.Errorf("no value of the type %s", prefix+id.Name)
					}
				}
			}
		}
	}
	if types != len(values) {
		t.Errorf("%d types, %d rows", types, len(values))
	}
}

// secretForms are the canaries and the private key as they may show.
func secretForms(t *testing.T) []string {
	t.Helper()
	block, _ := pem.Decode(keyFile(t, "pkcs1.pem"))
	var forms []string
	for _, value := range []string{canarySecret, canaryToken, canaryCard, canaryPass, string(block.Bytes[300:324])} {
		raw := []byte(value)
		reversed := slices.Clone(raw)
		slices.Reverse(reversed)
		forms = append(forms, value, hex.EncodeToString(raw), strings.ToUpper(hex.EncodeToString(raw)), signature.Encode(value), url.QueryEscape(value), string(reversed),
			strings.Trim(fmt.Sprint(raw), "[]"), fmt.Sprintf("% x", raw))
		for shift := range 3 {
			text := base64.StdEncoding.EncodeToString([]byte(strings.Repeat(" ", shift) + value))
			forms = append(forms, text[4:len(text)-4])
		}
	}
	return forms
}

// Places where a program may keep a value.
type (
	exportedField   struct{ V any }
	unexportedField struct{ v any }
	nested          struct {
		inner struct{ list []any }
		named map[string]any
	}
	keeper struct {
		request signature.Request
		param   signature.Param
		params  []signature.Param
		secret  signature.Secret
		pointer *signature.Secret
		private signature.PrivateKey
		signed  signature.Signed
		trace   signature.Trace
		traced  []signature.TracedParam
	}
)

// everyVerb is every letter but T and p, which show no value, and what lies between the letters.
const everyVerb = "ABCDEFGHIJKLMNOPQRSUVWXYZ[\\]^_`abcdefghijklmnoqrstuvwxyz"

// TestNothingLeaks: no verb of fmt, no encoder and no logger shows a secret, a key or a body, whatever the value is kept
// in (S4, K01, K07).
func TestNothingLeaks(t *testing.T) {
	hidden := secretForms(t)
	seen := map[string]bool{} // most verbs show the same text
	check := func(what, text string) {
		if seen[text] {
			return
		}
		seen[text] = true
		for _, form := range hidden {
			if strings.Contains(text, form) {
				t.Fatalf("%s shows %q: %s", what, form, text)
			}
		}
	}
	values := exportedValues(t)
	all := keeper{
		request: values["Request"][1].(signature.Request), param: values["Param"][0].(signature.Param), params: values["Param"][2].([]signature.Param),
		secret: values["Secret"][1].(signature.Secret), pointer: values["Secret"][0].(*signature.Secret), private: values["PrivateKey"][1].(signature.PrivateKey),
		signed: values["Signed"][0].(signature.Signed), trace: values["Trace"][0].(signature.Trace), traced: values["TracedParam"][0].([]signature.TracedParam),
	}
	values["keeper"] = []any{all, &all, []keeper{all}, map[string]keeper{"k": all}}
	for name, list := range values {
		for i, v := range list {
			n := nested{named: map[string]any{"v": v}}
			n.inner.list = []any{v}
			for place, kept := range map[string]any{"plain": v, "field": exportedField{v}, "unexported field": unexportedField{v}, "pointer to one": &unexportedField{v}, "nested": n, "slice": []any{v}, "map": map[string]any{"k": v}} {
				what := fmt.Sprintf("%s %d, %s", name, i, place)
				for _, flags := range []string{"", "+", "#", "+#", " ", "0", "-8", "9.3"} {
					verbs := "bcdeEfFgGoOqstUvwxXz" // those of fmt but T and p, and one that it does not know
					if flags == "" {
						verbs = everyVerb
					}
					for _, verb := range verbs {
						check(what+" as %"+flags+string(verb), fmt.Sprintf("%"+flags+string(verb), kept))
					}
				}
				check(what+" by Sprint", fmt.Sprint(kept))
				if text, err := json.Marshal(kept); err == nil {
					check(what+" as JSON", string(text))
				} else {
					check(what+" as a JSON error", err.Error())
				}
				var out bytes.Buffer
				if err := gob.NewEncoder(&out).Encode(kept); err != nil {
					check(what+" as a gob error", err.Error())
				}
				check(what+" as gob", out.String())
				out.Reset()
				for _, h := range []slog.Handler{slog.NewTextHandler(&out, nil), slog.NewJSONHandler(&out, nil)} {
					slog.New(h).Info("x", "kept", kept, slog.Group("g", "kept", kept))
					slog.New(h).With("kept", kept).Info("x")
				}
				check(what+" in a log", out.String())
			}
		}
	}
}

// shown collects all texts, bytes and numbers that reflection reaches from a value, as packages do that print whole
// structures without calling methods.
func shown(v reflect.Value, seen map[visit]bool, out *strings.Builder) {
	if !v.IsValid() {
		return
	}
	if v.CanAddr() || v.Kind() == reflect.Pointer && !v.IsNil() {
		at := visit{kind: v.Type()}
		if v.Kind() == reflect.Pointer {
			at.address = v.Pointer()
		} else {
			at.address = v.UnsafeAddr()
		}
		if seen[at] {
			return
		}
		seen[at] = true
	}
	switch v.Kind() {
	case reflect.String:
		out.WriteString(v.String() + "\n")
	case reflect.Pointer, reflect.Interface:
		shown(v.Elem(), seen, out)
	case reflect.Struct:
		for _, field := range v.Fields() {
			shown(field, seen, out)
		}
	case reflect.Map:
		for key, value := range v.Seq2() {
			shown(key, seen, out)
			shown(value, seen, out)
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			if item := v.Index(i); item.Kind() == reflect.Uint8 {
				out.WriteByte(byte(item.Uint()))
			} else {
				shown(item, seen, out)
			}
		}
	case reflect.Uint, reflect.Uint64: // the words of a number, the lowest first
		var word [8]byte
		binary.LittleEndian.PutUint64(word[:], v.Uint())
		out.Write(word[:v.Type().Size()])
	}
}

// A visit is a place that was looked at as a type.
type visit struct {
	address uintptr
	kind    reflect.Type
}

// TestReflectionReachesNoSecret: packages that print structures field by field, as tests do for values that differ, follow
// pointers in unexported fields; they found secrets, keys and bodies.
func TestReflectionReachesNoSecret(t *testing.T) {
	hidden := secretForms(t)
	for name, list := range exportedValues(t) {
		for i, v := range list {
			var out strings.Builder
			shown(reflect.ValueOf(&v), map[visit]bool{}, &out)
			for _, form := range hidden {
				if strings.Contains(out.String(), form) {
					t.Errorf("%s %d shows %q", name, i, form)
				}
			}
		}
	}
	// The walk finds what is not hidden, in a key too.
	var out strings.Builder
	block, _ := pem.Decode(keyFile(t, "pkcs1.pem"))
	key, err := x509.ParsePKCS1PrivateKey(block.Bytes)
	if err != nil {
		t.Fatal(err)
	}
	shown(reflect.ValueOf(unexportedField{&nested{named: map[string]any{"k": &[]string{canaryCard}, "key": key}}}), map[visit]bool{}, &out)
	if text := out.String(); !strings.Contains(text, canaryCard) || !strings.Contains(text, string(littleEndian(key.D.Bytes())[:8])) {
		t.Error("the walk finds nothing")
	}
}

func littleEndian(b []byte) []byte {
	slices.Reverse(b)
	return b
}

// TestPlainValuesSurviveJSON: what a program keeps can be written and read back.
func TestPlainValuesSurviveJSON(t *testing.T) {
	h, err := signature.ParseHeader(`OAuth realm="r", oauth_nonce="a+b", b="1"`)
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range []any{
		signature.ProfileRFC5849, signature.ProfileGateway, signature.MethodRSASHA256, signature.Method(0), signature.VerdictMismatch, signature.Verdict(0),
		signature.Use{ConsumerKey: "m", Timestamp: "1", Nonce: "n"}, signature.OAuth{ConsumerKey: "m", Realm: new(""), InBody: true},
		signature.Endpoint{Base: "https://h", ID: "1"}, signature.Options{Window: time.Second, NonceMax: 2}, signature.KeyRules{MinBits: 3072},
		signature.Verified{ConsumerKey: "m", Signature: signature.VerdictOK, BodySigned: true}, diagnose.Cause{IDs: []string{"a"}, Text: "b", Fix: "c"}, diagnose.Difference{Layer: "url", Index: -1},
	} {
		text, err := json.Marshal(v)
		if err != nil {
			t.Errorf("%T: %v", v, err)
			continue
		}
		back := reflect.New(reflect.TypeOf(v))
		if err := json.Unmarshal(text, back.Interface()); err != nil || !reflect.DeepEqual(back.Elem().Interface(), v) {
			t.Errorf("%s is read back as %+v, %v", text, back.Elem(), err)
		}
	}
	text, err := json.Marshal(h)
	var back signature.Header
	if err != nil || json.Unmarshal(text, &back) != nil || back.String() != h.String() || *back.Realm != "r" {
		t.Errorf("%s is read back as %v, %v", text, back, err)
	}
}

// TestOutOfRange: no value of an enum panics, and none without a name is written (E11, h312).
func TestOutOfRange(t *testing.T) {
	for i := range 256 {
		n := fmt.Sprint(i)
		for name, v := range map[string]interface {
			fmt.Stringer
			MarshalText() ([]byte, error)
		}{"Profile": signature.Profile(i), "Method": signature.Method(i), "Verdict": signature.Verdict(i)} {
			_, err := v.MarshalText()
			if (err != nil) != (v.String() == name+"("+n+")") {
				t.Errorf("%s %d is %q, %v", name, i, v, err)
			}
		}
	}
	p, m, v := signature.ProfileRFC5849, signature.MethodHMACSHA1, signature.VerdictOK
	if p.UnmarshalText([]byte("x")) == nil || m.UnmarshalText([]byte("x")) == nil || v.UnmarshalText([]byte("x")) == nil || p != signature.ProfileRFC5849 || m != signature.MethodHMACSHA1 || v != signature.VerdictOK {
		t.Error("a text without a meaning is read")
	}
}
