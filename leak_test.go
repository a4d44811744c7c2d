package chargecast_test

import (
	"bytes"
	"encoding/base64"
	"encoding/gob"
	"encoding/hex"
	"encoding/json"
	"encoding/pem"
	"encoding/xml"
	"errors"
	"fmt"
	"html"
	htmltemplate "html/template"
	"io"
	"log/slog"
	"maps"
	"net/http/httptest"
	"net/url"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"text/template"
	"time"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/gateway"
	"github.com/chargecast/chargecast/rules"
	"github.com/chargecast/chargecast/signature"
	"github.com/chargecast/chargecast/signature/diagnose"
	"github.com/chargecast/chargecast/signature/oauthhttp"
)

// Goal: nothing that a room exports shows a card number, a cvv2, a key, a secret, an e-mail address or a name, whatever prints it and
// wherever a program keeps it. Method: values of every type that can hold one, filled with canaries, through every way to print.

// canaries are what no output may hold, by what they are. Each is one that nothing else can be.
var canaries = map[string]string{
	"card number": "4012888888881881", "cvv2": "7391", "name on the card": "CANARY CARDHOLDER", "first name": "Firstcanary", "last name": "Lastcanary",
	"e-mail": "canary@leak.example", "phone": "+49 30 1234567", "secret": "topsecret canary/1", "password": "password-canary-3",
}

// withoutSecrets are the types of the rooms below that cannot hold any of it, with the reason.
var withoutSecrets = map[string]string{
	"diagnose.Mistake": "fixed texts",

	"rules.Spec": "the table of columns", "rules.Forms": "how values are written", "rules.Fixed": "numbers, and findings that Report shows", "rules.FixedWord": "letters of a column of codes", "rules.Value": "what a user gives",
	"rules.Repair": "what a repair is, without a value", "rules.Change": "a code, a place and a name of a column", "rules.Options": "how to read", "rules.UpdateOptions": "how to read", "rules.Values": "what a program writes, before it is checked", "rules.Fixer": "options and a function",
	"rules.Summary": "numbers", "response.Record": "what the gateway answers: ids and its own messages", "response.Parameter": "a parameter of that answer", "response.Error": "a place in it",

	"gateway.Advanced": "days and numbers", "gateway.Applied": "a state and effects", "gateway.Attempt": "a status and a text of ours", "gateway.BaseStrings": "masked where they are made, see the gateway's own test",
	"gateway.Clock": "a day", "gateway.Fault": "a kind, numbers and what it selects", "gateway.FaultWhere": "a client-orderid, a day, a number", "gateway.Config": "written by the program that starts the gateway, which keeps the key", "gateway.ID": "a number", "gateway.Key": "an id, a login, a status",
	"gateway.Keyed": "an interface", "gateway.Outcome": "a card's hash and what it is to answer", "gateway.ProfileTable": "an interface", "gateway.Query": "what is asked for", "gateway.Reason": "a word",
	"gateway.Refused": "a day and a code", "gateway.Snapshot": "a name and a day", "gateway.Store": "an interface", "gateway.Table": "an interface", "gateway.Tx": "an interface", "gateway.CallbackTemplate": "names in braces",
	"gateway.Cause": "texts of ours", "gateway.Diagnosis": "causes without values, and base strings that are masked, see the gateway's own test", "gateway.Callback": "a URL and parameters of the row's order, sent to the merchant", "gateway.Charge": "an amount and a day",
	"gateway.Server": "sockets", "gateway.Columns": "masked where they are made: as gateway.Profile below",

	"signature.Endpoint": "a base URL and an id", "signature.Options": "a clock and numbers", "signature.SigningKey": "an interface",
	"signature.VerifyingKey": "an interface", "signature.Use": "a login, a timestamp and a nonce", "signature.OAuth": "the same, and a realm",
}

// looked are the rooms whose types are all looked at. The others never get a payload, a key or a request: what they know of a row is
// engine.Profile, which has the columns of its charges and nothing of a person.
var looked = []string{"rules", "gateway", "signature", "signature_diagnose", "signature_oauthhttp"}

func leakPayload() string {
	value := map[string]string{
		"rp_card_type": "SRC", "client-orderid": "canary-1", "credit-card-number": canaries["card number"], "cvv2": canaries["cvv2"], "card-printed-name": canaries["name on the card"],
		"expire-year": "2099", "expire-month": "12", "amount": "9.90", "currency": "EUR", "country": "DE", "city": "Berlin", "zip-code": "10115", "address1": "Street 1",
		"first-name": canaries["first name"], "last-name": canaries["last name"], "email": canaries["e-mail"], "phone": canaries["phone"], "period": "month", "interval": "1",
		"notify_url": "https://u:" + canaries["password"] + "@shop.example/cb",
	}
	var names, row, bad []string
	for _, name := range []string{"rp_card_type", "client-orderid", "credit-card-number", "cvv2", "card-printed-name", "expire-year", "expire-month", "amount", "currency", "country", "city",
		"zip-code", "address1", "first-name", "last-name", "email", "phone", "notify_url", "period", "interval"} {
		names, row = append(names, `"`+name+`"`), append(row, `"`+value[name]+`"`)
		if strings.HasPrefix(name, "expire") || name == "amount" || name == "country" || name == "currency" || name == "interval" {
			bad = append(bad, `"`+canaries["card number"]+`"`) // a card number in a column that is refused
		} else {
			bad = append(bad, `"`+value[name]+" "+canaries["card number"]+`"`)
		}
	}
	return strings.Join(names, ";") + "\n" + strings.Join(row, ";") + "\n" + strings.Join(bad, ";") + "\n"
}

// A leakValue is a value of a type that can hold a canary, and the places where a program may keep it.
type leakValue struct {
	v    any
	kept []any
	// methods says that the value is what its caller wrote, in exported fields: its methods keep it out of prints and logs, but it is
	// in the open for who walks through its fields, as package gob does.
	methods bool
}

// A kept value is in an unexported field of its own type: there fmt reaches what is behind pointers otherwise than behind an interface.
type kept[T any] struct{ v T }

func in[T any](v T) leakValue {
	inner := &keptInner{named: map[string]any{"v": v}, v: v, p: &v}
	inner.inner.list = []any{v}
	return leakValue{v: v, kept: []any{v, &v, []T{v}, map[string]any{"k": v}, keptOpen{v}, kept[T]{v}, &kept[T]{v}, []kept[T]{{v}}, inner}}
}

func byMethods[T any](v T) leakValue { return leakValue{v, []any{v, keptOpen{v}, []T{v}}, true} }

// leakValues are values of the types that can hold a canary.
func leakValues(t *testing.T) []leakValue {
	t.Helper()
	return slices.Concat(rulesValues(t), signatureValues(t), gatewayValues(t))
}

func rulesValues(t *testing.T) []leakValue {
	t.Helper()
	o := rules.Options{AsOf: calendar.MustParse("2026-01-10"), Input: rules.InputCSV}
	var values []leakValue
	r := rules.NewReader(strings.NewReader(leakPayload()), o)
	for row, findings := range r.Rows() {
		values = append(values, in(findings), in(findings.Err()))
		if row == nil {
			continue
		}
		values = append(values, in(row), in(*row), in([]rules.Row{*row}), in(map[string]*rules.Row{"k": row}), in(row.Profile()))
		for _, cell := range row.Cells() {
			values = append(values, in(cell))
		}
		break // a row is of its reader until the next one
	}
	values = append(values, byMethods(r), in(r), in(*r))
	ids := new(rules.OrderIDs)
	o.IDs = ids
	w := rules.NewWriter(io.Discard, o)
	values = append(values, in(w.Write(rules.Values{rules.ColumnCardNumber: canaries["card number"], rules.ColumnOrderID: canaries["card number"]})), in(w), in(*w), in(w.Findings()), in(ids), in(*ids))
	report, err := rules.Validate(strings.NewReader(leakPayload()), o)
	values = append(values, in(report), in(err), in(report.Findings.Err()))
	var fixed bytes.Buffer
	done, err := rules.Fixer{Options: o, Report: func(c rules.Change) { values = append(values, in(c)) }}.Fix(&fixed, strings.NewReader("\ufeff"+leakPayload()))
	return append(values, in(done), in(err))
}

func signatureValues(t *testing.T) []leakValue {
	t.Helper()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	secret, err := signature.NewHMACKey(canaries["secret"])
	must(err)
	file, err := os.ReadFile("internal/testkeys/pkcs1.pem")
	must(err)
	key, err := signature.ParsePrivateKey(file)
	must(err)
	params := []signature.Param{signature.NewParam("payload", canaries["card number"]), signature.NewParam(canaries["card number"], canaries["cvv2"]), signature.Payload([]byte(leakPayload()))}
	request := signature.NewRequest("POST", "https://h.example/p").WithParams(params...)
	wire := signature.NewRequest("POST", "https://u:"+canaries["password"]+"@h.example/p?q="+canaries["card number"]).WithBody("application/x-www-form-urlencoded", string(request.Body()))
	o := signature.OAuth{ConsumerKey: "m", Nonce: "n", Timestamp: "1767225600", Realm: new("r"), InBody: true}
	signed, found, err := signature.Sign(request, o, secret)
	must(err)
	_, _, unsigned := signature.Sign(wire, o, secret)
	byKey, _, err := signature.Sign(request, o, key)
	must(err)
	header, err := signature.ParseHeader(signed.Authorization())
	must(err)
	verified, accepted := signature.Verify(signed, signature.Options{}, secret)
	must(accepted)
	refused, wrong := signature.Verify(signed, signature.Options{NonceMin: 99}, key.Public())
	_, unreadable := signature.Verify(wire, signature.Options{}, secret)
	_, _, inspected := signature.Inspect(wire.WithAuthorization(`OAuth x="`+canaries["card number"]), signature.Options{})
	_, badKey := signature.ParsePrivateKey(append(slices.Clone(file), 'x'))
	_, badForm := signature.ParseForm("payload=" + canaries["card number"] + "%")
	transport := &oauthhttp.Transport{ConsumerKey: "m", Key: secret, Realm: new("r")}
	trace, err := signature.NewTrace(signed)
	must(err)
	moved := signed.WithURL("https://h.example/p/")
	diagnosis, _ := diagnose.Request(t.Context(), moved, secret, diagnose.Options{})
	return []leakValue{
		in(secret), in(*secret), in(signature.HMACKey{}), in(key), in(*key), in(signature.PrivateKey{}), in(key.Public()), in(*key.Public()), in(signature.SigningKey(secret)),
		in(request), in(wire), in(signed), in(signature.Request{}), in(params), in(params[0]), in(params[2]), in(signed), in(byKey), in(found), in(unsigned), in(header),
		in(verified), in(refused), in(wrong), in(unreadable), in(inspected), in(badKey), in(badForm), in(transport), in(*transport),
		in(trace), in(trace.Sorted()), in(trace.Sorted()[0]), in(diagnosis), in(diagnosis.Causes), in(diagnose.Compare(trace.BaseString(), trace.BaseString()+"%26a%3D1")), in(diagnose.Options{}),
	}
}

func gatewayValues(t *testing.T) []leakValue {
	t.Helper()
	registration := gateway.Registration{Login: "m1", Endpoint: "1001", ControlKey: canaries["secret"]}
	g, err := gateway.New(t.Context(), gateway.Config{AsOf: calendar.MustParse("2026-01-10"), Callbacks: gateway.CallbacksOff, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = g.Close() })
	merchant, err := g.Register(t.Context(), registration)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := signature.NewHMACKey(canaries["secret"])
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(leakPayload(), "\n")
	for i, csv := range []string{lines[0] + lines[1], strings.Join(lines, "")} {
		body := "payload=" + signature.Encode(base64.StdEncoding.EncodeToString([]byte(csv)))
		const target = "http://gate.example/paynet/api/v4/create-recurring-payments/1001"
		o := signature.OAuth{ConsumerKey: "m1", Nonce: fmt.Sprint("n", i), Timestamp: signature.Timestamp(time.Now())}
		signed, _, err := signature.Sign(signature.NewRequest("POST", target).WithBody("application/x-www-form-urlencoded", body), o, secret)
		if err != nil {
			t.Fatal(err)
		}
		r := httptest.NewRequest("POST", target, strings.NewReader(body))
		r.RequestURI = r.URL.Path
		r.Header.Set("Authorization", signed.Authorization())
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		r.Header.Set("Cookie", canaries["password"])
		w := httptest.NewRecorder()
		g.ServeHTTP(w, r)
		if w.Code != []int{200, 403}[i] {
			t.Fatalf("the request is answered %d", w.Code)
		}
	}
	var values []leakValue
	err = g.View(t.Context(), func(tx gateway.Tx) error {
		profiles, err1 := tx.Profiles().List(gateway.Query{})
		requests, err2 := tx.Requests().List(gateway.Query{})
		for _, p := range profiles {
			p.Callback = "" // where callbacks are sent, as the merchant wrote it; shown masked
			values = append(values, in(p), in(p.Card), in(p.Columns))
		}
		for _, r := range requests {
			values = append(values, in(r))
		}
		return errors.Join(err1, err2)
	})
	if err != nil || len(values) < 5 {
		t.Fatal(len(values), err)
	}
	return append(values, in(merchant), byMethods(g), byMethods(registration), byMethods(&registration))
}

// leakForms are the canaries, and a part of a private key, as they may show.
func leakForms(t *testing.T) (forms map[string]string, cvv *regexp.Regexp) {
	t.Helper()
	forms = map[string]string{}
	file, err := os.ReadFile("internal/testkeys/pkcs1.pem")
	if err != nil {
		t.Fatal(err)
	}
	block, _ := pem.Decode(file)
	all := map[string]string{"private key": string(block.Bytes[300:324])}
	maps.Copy(all, canaries)
	delete(all, "cvv2")
	for what, value := range all {
		raw := []byte(value)
		reversed := slices.Clone(raw)
		slices.Reverse(reversed)
		for _, form := range []string{value, string(reversed), hex.EncodeToString(raw), strings.ToUpper(hex.EncodeToString(raw)), fmt.Sprintf("% x", raw), signature.Encode(value), url.QueryEscape(value),
			strings.Trim(fmt.Sprint(raw), "[]"), strings.Trim(fmt.Sprintf("%q", value), `"`), html.EscapeString(value), fmt.Sprintf("%U", []rune(value))} {
			forms[form] = what
		}
		for shift := range 3 {
			text := base64.StdEncoding.EncodeToString([]byte(strings.Repeat(" ", shift) + value))
			forms[text[4:len(text)-4]] = what
		}
	}
	// Four digits can be part of an address or of another number.
	return forms, regexp.MustCompile(`(^|[^0-9A-Za-z])(` + canaries["cvv2"] + `|37333931|37 33 39 31|55 51 57 49)([^0-9A-Za-z]|$)`)
}

// Places where a program may keep a value.
type (
	keptOpen  struct{ V any }
	keptInner struct {
		inner struct{ list []any }
		named map[string]any
		v     any
		p     any
	}
)

// TestNothingLeaks drives every value through all that prints.
func TestNothingLeaks(t *testing.T) {
	forms, cvv := leakForms(t)
	seen, reported := map[string]bool{}, map[string]bool{}
	check := func(value any, how, text string) {
		if seen[text] {
			return
		}
		seen[text] = true
		fail := func(what, form string) {
			if key := fmt.Sprintf("%T %s", value, what); !reported[key] {
				reported[key] = true
				i := max(0, strings.Index(text, form))
				t.Errorf("%T by %s shows the %s: …%.120q…", value, how, what, text[max(0, i-40):])
			}
		}
		for form, what := range forms {
			if strings.Contains(text, form) {
				fail(what, form)
			}
		}
		if cvv.MatchString(text) {
			fail("cvv2", canaries["cvv2"])
		}
	}
	for _, l := range leakValues(t) {
		printed(l, func(how, text string) { check(l.v, how, text) })
		if !l.methods {
			var out strings.Builder
			walkLeaks(reflect.ValueOf(&l.v), map[leakVisit]bool{}, &out, nil)
			check(l.v, "reflection", out.String())
		}
	}
}

// printed gives check every text that shows a value.
func printed(l leakValue, check func(how, text string)) {
	for _, k := range l.kept {
		for _, flags := range []string{"", "+", "#", "-9.3"} {
			verbs := "bcdeEfFgGoOqstUvwxXz" // those of fmt but T and p, and one that it does not know
			if l.methods {
				verbs = strings.ReplaceAll(verbs, "w", "") // it is for errors, and go vet finds it: fmt does not ask the value then
			}
			for _, verb := range verbs {
				check("%"+flags+string(verb), fmt.Sprintf("%"+flags+string(verb), k))
			}
		}
		check("Sprint", fmt.Sprint(k)+fmt.Sprintln(k))
		if err, ok := l.v.(error); ok {
			check("an error", err.Error()+fmt.Errorf("wrapped: %w", err).Error()+errors.Join(err, io.EOF).Error())
		}
		for how, encode := range map[string]func(io.Writer) error{
			"JSON": func(w io.Writer) error { return json.NewEncoder(w).Encode(k) },
			"gob":  func(w io.Writer) error { return gob.NewEncoder(w).Encode(k) },
			"XML":  func(w io.Writer) error { return xml.NewEncoder(w).Encode(k) },
			"a template": func(w io.Writer) error {
				return template.Must(template.New("").Parse(`{{.}} {{printf "%s %v %q %x" . . . .}} {{print .}} {{html .}} {{js .}} {{urlquery .}}`)).Execute(w, k)
			},
			"an HTML template": func(w io.Writer) error {
				return htmltemplate.Must(htmltemplate.New("").Parse(`<p title="{{.}}">{{.}}</p><script>var v = {{.}};</script><a href="/?q={{.}}">`)).Execute(w, k)
			},
			"a log": func(w io.Writer) error {
				for _, h := range []slog.Handler{slog.NewTextHandler(w, nil), slog.NewJSONHandler(w, nil)} {
					slog.New(h).With("kept", k).Info("x", "kept", k, slog.Group("g", "kept", k))
				}
				return nil
			},
		} {
			if l.methods && how == "gob" {
				continue
			}
			var out bytes.Buffer
			if err := encode(&out); err != nil {
				check("an error of "+how, err.Error())
			}
			check(how, out.String())
		}
	}
}

// walkLeaks writes all texts, bytes and words of numbers that reflection reaches from a value, as packages do that print whole structures
// without calling methods, and notes the types that it meets.
func walkLeaks(v reflect.Value, seen map[leakVisit]bool, out *strings.Builder, types map[string]bool) {
	if !v.IsValid() {
		return
	}
	if types != nil {
		if name := v.Type().PkgPath(); strings.HasPrefix(name, module+"/") {
			types[name[strings.LastIndexByte(name, '/')+1:]+"."+strings.Split(v.Type().Name(), "[")[0]] = true
		}
	}
	at := leakVisit{kind: v.Type()}
	if v.Kind() == reflect.Pointer && !v.IsNil() {
		at.address = v.Pointer()
	} else if v.CanAddr() {
		at.address = v.UnsafeAddr()
	}
	if at.address != 0 {
		if seen[at] {
			return
		}
		seen[at] = true
	}
	switch v.Kind() {
	case reflect.String:
		out.WriteString(v.String() + "\n")
	case reflect.Pointer, reflect.Interface:
		walkLeaks(v.Elem(), seen, out, types)
	case reflect.Struct:
		for _, field := range v.Fields() {
			walkLeaks(field, seen, out, types)
		}
	case reflect.Map:
		for key, value := range v.Seq2() {
			walkLeaks(key, seen, out, types)
			walkLeaks(value, seen, out, types)
		}
	case reflect.Slice, reflect.Array:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			for i := range v.Len() {
				out.WriteByte(byte(v.Index(i).Uint()))
			}
			out.WriteByte('\n')
			return
		}
		for i := range v.Len() {
			walkLeaks(v.Index(i), seen, out, types)
		}
	case reflect.Uint, reflect.Uint64: // the words of a number, the lowest first
		word := v.Uint()
		for range v.Type().Size() {
			out.WriteByte(byte(word))
			word >>= 8
		}
	}
}

type leakVisit struct {
	address uintptr
	kind    reflect.Type
}

// TestEveryTypeIsDriven: no exported type of the rooms that see payloads, keys and requests is left out.
func TestEveryTypeIsDriven(t *testing.T) {
	types := map[string]bool{}
	var out strings.Builder
	for _, l := range leakValues(t) {
		walkLeaks(reflect.ValueOf(&l.v), map[leakVisit]bool{}, &out, types)
	}
	for _, room := range looked {
		text, err := os.ReadFile("api/" + room + ".txt")
		if err != nil {
			t.Fatal(err)
		}
		short := room[strings.LastIndexByte(room, '_')+1:]
		for _, m := range regexp.MustCompile(`(?m)^type (\w+) (\w+)`).FindAllStringSubmatch(string(text), -1) {
			name := short + "." + m[1]
			if numbers := strings.HasPrefix(m[2], "uint"); !numbers && !types[name] && withoutSecrets[name] == "" {
				t.Errorf("%s is neither driven nor among those that can hold no secret", name)
			}
		}
	}
}

// TestTheWalkFindsLeaks: what is not hidden is found, so that the tests above can fail.
func TestTheWalkFindsLeaks(t *testing.T) {
	forms, cvv := leakForms(t)
	var out strings.Builder
	walkLeaks(reflect.ValueOf(&keptInner{named: map[string]any{"k": &[]string{canaries["card number"]}, "b": []byte(canaries["secret"])}}), map[leakVisit]bool{}, &out, nil)
	if text := out.String(); !strings.Contains(text, canaries["card number"]) || !strings.Contains(text, canaries["secret"]) {
		t.Error("the walk finds nothing")
	}
	for how, text := range map[string]string{"%x": fmt.Sprintf("%x", canaries["e-mail"]), "%v of bytes": fmt.Sprintf("%v", []byte(canaries["e-mail"]))} {
		found := false
		for form := range forms {
			found = found || strings.Contains(text, form)
		}
		if !found {
			t.Errorf("%s is not found", how)
		}
	}
	if !cvv.MatchString(`"cvv2":"7391"`) || cvv.MatchString("0xc0007391a0") {
		t.Error("the cvv2 is not found, or an address is")
	}
}
