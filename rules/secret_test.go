package rules

import (
	"bytes"
	"encoding/base64"
	"encoding/gob"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"log/slog"
	"maps"
	"net/url"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"text/template"
)

// canaries are values that must not appear in anything but Reveal and encodings.
var canaries = map[Column]string{
	ColumnCardNumber: "5105105105105100", ColumnCVV2: "9173", ColumnSSN: "078-05-1120", ColumnEmail: "canary@secret.example", ColumnPhone: "+15550109173",
	ColumnBirthday: "07.07.1977", ColumnFirstName: "Canaryfirst", ColumnLastName: "Canarylast", ColumnCardPrintedName: "CANARY PRINTED",
}

// disguises are the forms in which a secret would still be one.
func disguises(s string) []string {
	reversed := []byte(s)
	for i, j := 0, len(reversed)-1; i < j; i, j = i+1, j-1 {
		reversed[i], reversed[j] = reversed[j], reversed[i]
	}
	forms := []string{s, string(reversed), hex.EncodeToString([]byte(s)), strings.ToUpper(hex.EncodeToString([]byte(s)))}
	for i := range 3 {
		coded := base64.RawStdEncoding.EncodeToString([]byte(strings.Repeat("x", i) + s))
		if len(coded) > 12 {
			forms = append(forms, coded[4:len(coded)-3])
		}
	}
	return forms
}

// formats are all the ways of package fmt and of JSON to show v.
func formats(t *testing.T, v any) string {
	var b strings.Builder
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%d", "%X"} {
		fmt.Fprintf(&b, verb+"\n", v)
	}
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	b.Write(text)
	return b.String()
}

func TestNothingShowsASecret(t *testing.T) { // K01
	row := source(nil)
	maps.Copy(row, canaries)
	j := judge(document(row), options())
	if len(j.rows) != 1 {
		t.Fatal(j.problems)
	}
	r := j.rows[0]
	type holder struct { // unexported fields are printed by reflection
		row   *Row
		value Row
		cell  Cell
	}
	var b strings.Builder
	b.WriteString(formats(t, r) + formats(t, *r) + formats(t, []Row{*r}) + formats(t, map[string]*Row{"a": r}))
	fmt.Fprintf(&b, "%v %+v %#v", holder{r, *r, r.Cell(ColumnCardNumber)}, &holder{r, *r, r.Cell(ColumnCardNumber)}, holder{r, *r, r.Cell(ColumnCVV2)})
	for c, cell := range r.Cells() {
		b.WriteString(formats(t, cell) + formats(t, &cell) + formats(t, []Cell{cell}))
		if want := row[c]; cell.Reveal() != want {
			t.Errorf("%s: reveals another value", c)
		}
	}
	for c, v := range canaries {
		for _, form := range disguises(v) {
			if strings.Contains(b.String(), form) {
				t.Errorf("%s is shown as %q", c, form)
			}
		}
	}
}

func TestNoFindingHoldsAValue(t *testing.T) { // V19: every cell, faulty or not, holds a canary
	const canary = "zQ4111111111111111Qz"
	inputs := []string{document(source(nil))}
	for s := range Columns() {
		inputs = append(inputs, document(source(values{s.Column: canary})), document(destination(values{s.Column: canary})),
			document(source(values{s.Column: " " + canary + "\x00\xff\t"})))
	}
	inputs = append(inputs,
		`"`+canary+`";"rp_card_type"`+"\n", canary+"\n", `"a"`+canary+"\n", "payload=%"+canary, "payload="+canary+";",
		canary+"=1&payload=", short+canary+"\n", short+`"`+canary+"\n", shortHeader+`"DST";"a`+canary+`"x;"`+canary+"\n")
	for _, input := range inputs {
		r := NewReader(strings.NewReader(input), options())
		for row, ps := range r.Rows() {
			for i := range ps { // the merchant's own key may be shown, but not the card number in it (L47)
				if strings.Contains(ps[i].Place.Profile, "4111111111111111") {
					t.Errorf("a finding names the profile %s", ps[i].Place.Profile)
				}
				ps[i].Place.Profile = ""
			}
			var shown strings.Builder
			shown.WriteString(formats(t, ps) + fmt.Sprint(row))
			for _, p := range ps {
				text, _, _ := r.Excerpt(p)
				shown.WriteString(formats(t, p) + p.Error())
				if strings.Contains(text, "4111111111111111") {
					t.Errorf("an excerpt shows a card number: %s", text)
				}
			}
			if strings.Contains(shown.String(), "zQ") || strings.Contains(shown.String(), "411111") {
				t.Errorf("a finding shows a value of %q:\n%s", input, shown.String())
			}
		}
	}
}

func TestMask(t *testing.T) { // K02
	for _, c := range []struct {
		reason   string
		column   Column
		in, want string
	}{
		{"first 6, last 4", ColumnCardNumber, "4111111111111111", "411111******1111"},
		{"19 digits", ColumnCardNumber, "4111111111111111110", "411111*********1110"},
		{"h074: at most half", ColumnCardNumber, "4111111111", "******1111"},
		{"at most half of 12", ColumnCardNumber, "411111111111", "********1111"},
		{"at most half of 3", ColumnCardNumber, "411", "**1"},
		{"1 digit", ColumnCardNumber, "4", "*"},
		{"no digits only", ColumnCardNumber, "4111 1111 1111 1111", "***"},
		{"empty", ColumnCardNumber, "", ""},
		{"not even its length", ColumnCVV2, "1234", "***"},
		{"not even its length", ColumnCVV2, "123", "***"},
		{"hidden", ColumnLastName, "Public", "***"},
		{"h076", ColumnOrderID, "a4111111111111111b", "a411111******1111b"},
		{"h076", ColumnOrderDesc, "card 4111-1111-1111-1111.", "card 4111-11**-****-1111."},
		{"shorter runs stay", ColumnOrderID, "order-000000001", "order-000000001"},
		{"12 digits", ColumnOrderID, "123456789012", "********9012"},
		{"unknown column", 0, "4111111111111111", "411111******1111"},
		{"free text", ColumnCity, "Springfield", "Springfield"},
	} {
		got := Mask(c.column, c.in)
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.reason, got, c.want)
		}
		if again := Mask(c.column, got); again != got {
			t.Errorf("%s: masked twice gives %q", c.reason, again)
		}
	}
}

func TestExcerpt(t *testing.T) {
	row := source(values{ColumnAmount: "1e3", ColumnCVV2: "12", ColumnCurrency: "E\tU"})
	r := NewReader(strings.NewReader(document(row)), options())
	var got []string
	for _, ps := range r.Rows() {
		for _, p := range ps {
			text, caret, ok := r.Excerpt(p)
			if !ok {
				t.Fatal("no excerpt")
			}
			got = append(got, text, strings.Repeat(" ", caret)+"^")
		}
	}
	want := []string{
		`…;"aaaaa-9";"9999999999999999";"***";"***";"9999";…`,
		`                               ^`,
		`…;"9999";"99";"9a9";"";"";…`,
		`              ^`,
		`…;"";"";"A·A";"DE";"Aaaaaaaaaaa";…`,
		`        ^`,
		`…;"";"";"A·A";"DE";"Aaaaaaaaaaa";…`,
		`          ^`,
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// shifts are rows whose values stand in the wrong columns, by what was done to them.
func shifts(cells []string) map[string][]string {
	swapped := slices.Clone(cells)
	swapped[ColumnSSN-1], swapped[ColumnCustomerIP-1] = swapped[ColumnCustomerIP-1], swapped[ColumnSSN-1]
	swapped[ColumnCVV2-1], swapped[ColumnExpireYear-1] = swapped[ColumnExpireYear-1], swapped[ColumnCVV2-1]
	turned := slices.Clone(cells)
	slices.Reverse(turned)
	return map[string][]string{
		"first left out, one added": append(slices.Clone(cells[1:]), ""),
		"one put in front":          append([]string{"x"}, cells[:len(cells)-1]...),
		"two swapped":               swapped,
		"one too many":              append([]string{"x"}, cells...),
		"one too few":               cells[1:],
		"turned round":              turned,
	}
}

func TestNoExcerptShowsAShiftedSecret(t *testing.T) { // K01
	row := source(values{ColumnCustomerIP: "192.0.2.1"})
	maps.Copy(row, canaries)
	var cells []string
	for s := range Columns() {
		cells = append(cells, row[s.Column])
	}
	for name, shifted := range shifts(cells) {
		r := NewReader(strings.NewReader(string(AppendHeader(nil))+string(AppendRecord(nil, shifted...))), options())
		shown := 0
		for _, ps := range r.Rows() {
			for _, p := range ps {
				text, _, ok := r.Excerpt(p)
				if ok {
					shown++
				}
				for c, v := range canaries {
					if strings.Contains(text, v) || len(v) > 4 && (strings.Contains(text, v[:5]) || strings.Contains(text, v[len(v)-4:])) {
						t.Errorf("%s: %s shows %s", name, p.Code, c)
					}
				}
			}
		}
		if shown == 0 {
			t.Errorf("%s: no excerpt at all", name)
		}
	}
}

func TestExcerptWords(t *testing.T) { // K01: only words that are valid in their column
	r := NewReader(strings.NewReader(document(source(values{
		ColumnCurrency: "USD", ColumnCountry: "eur", ColumnState: "CA", ColumnPeriod: "dax", ColumnInterval: "x", ColumnCardType: "SRC", ColumnOrderID: "SRC DST",
	}))), options())
	var all strings.Builder
	for _, ps := range r.Rows() {
		for _, p := range ps {
			text, _, _ := r.Excerpt(p)
			all.WriteString(text + "\n")
		}
	}
	for _, want := range []string{`"USD"`, `"aaa"`} {
		if !strings.Contains(all.String(), want) {
			t.Errorf("%s is missing in\n%s", want, all.String())
		}
	}
	for _, no := range []string{"eur", "CA", "dax", "DST"} {
		if strings.Contains(all.String(), no) {
			t.Errorf("%s is shown in\n%s", no, all.String())
		}
	}
}

func TestExcerptCaret(t *testing.T) { // the caret stays true, behind letters of several bytes and at a cut
	for _, c := range []struct{ reason, value, want string }{
		{"a letter of two bytes before", "é\ty", `"a·a"`},
		{"signs of two columns before", "😀「é\u0301\ty", `"··aa·a"`},
		{"behind the cut", strings.Repeat("x", 50) + "\t", `"` + strings.Repeat("a", 40) + `…"`},
	} {
		r := NewReader(strings.NewReader(document(source(values{ColumnCity: c.value}))), options())
		for _, ps := range r.Rows() {
			for _, p := range ps {
				text, caret, _ := r.Excerpt(p)
				if p.Code != ControlCharacter {
					continue
				}
				if !strings.Contains(text, c.want) {
					t.Errorf("%s: %s lacks %s", c.reason, text, c.want)
				}
				if at := []rune(text)[caret]; at != '·' && at != '…' {
					t.Errorf("%s: the caret is at %q of %s", c.reason, at, text)
				}
			}
		}
	}
}

// A Row, or a Cell of it, in an unexported field of another type was printed with the card number and cvv2 by %s, %q,
// %t, %U and %e, and by every package that prints whole structures with reflection: methods that mask are not called
// there, and pointers are followed.
func TestRowsHideCardsWhateverPrintsThem(t *testing.T) {
	const card, cvv = "4111111111111111", "987"
	text := document(source(values{ColumnCardNumber: card, ColumnCVV2: cvv}), source(values{ColumnOrderID: "order-2", ColumnCardNumber: card, ColumnCVV2: cvv}))
	var rows []*Row
	for row, ps := range NewReader(strings.NewReader(text), options()).Rows() {
		if row == nil {
			t.Fatal(ps)
		}
		rows = append(rows, row)
	}
	type own struct {
		row   *Row
		value Row
		cell  Cell
		Cell  Cell
		all   map[string]any
	}
	it := own{rows[0], *rows[0], rows[0].Cell(ColumnCardNumber), rows[1].Cell(ColumnCVV2), map[string]any{"a": rows[1], "b": rows[1].Cell(ColumnCVV2)}}
	alone := regexp.MustCompile(`\b` + cvv + `\b`) // three digits can be part of an address or of a time
	check := func(how, printed string) {
		t.Helper()
		if strings.Contains(printed, card) || strings.Contains(printed, card[6:12]) || alone.MatchString(printed) {
			t.Errorf("%s shows %s", how, printed)
		}
	}
	for _, verb := range "vTtbcdoOqxXUeEfFgGsp" {
		for _, flags := range []string{"", "+", "#", " ", "0", "+#"} {
			format := "%" + flags + string(verb)
			for _, v := range []any{it, &it, rows[0], *rows[0], it.cell, []Cell{it.cell}, [][]*Row{rows}} {
				if verb != 'p' && verb != 'x' && verb != 'X' && verb != 'd' && verb != 'o' && verb != 'O' && verb != 'b' { // those print addresses
					check(format, fmt.Sprintf(format, v))
				} else if printed := fmt.Sprintf(format, v); strings.Contains(printed, card) {
					t.Errorf("%s shows %s", format, printed)
				}
			}
		}
	}
	var walked strings.Builder
	reflected(&walked, reflect.ValueOf(it), map[any]bool{})
	check("a walk by reflection", walked.String())
	if !strings.Contains(walked.String(), "order-2") {
		t.Error("the walk sees nothing")
	}
	var b bytes.Buffer
	for _, v := range []any{rows[0], it.Cell, []any{*rows[0], it.cell}} {
		if err := json.NewEncoder(&b).Encode(v); err != nil {
			t.Error(err)
		}
		if err := gob.NewEncoder(&b).Encode(v); err != nil && !strings.Contains(err.Error(), "gob: type") {
			t.Error(err)
		}
		slog.New(slog.NewTextHandler(&b, nil)).Info("", "it", v)
		slog.New(slog.NewJSONHandler(&b, nil)).Info("", "it", v)
		if err := template.Must(template.New("").Parse(`{{.}} {{printf "%s %q %+v %#v" . . . .}}`)).Execute(&b, v); err != nil {
			t.Error(err)
		}
	}
	check("json, gob, slog or template", b.String())
	if got := rows[1].Cell(ColumnCVV2).Reveal(); got != cvv {
		t.Errorf("cvv2 is %q for who asks for it", got)
	}
}

// reflected prints all that can be reached from v, as packages do that print whole structures.
func reflected(b *strings.Builder, v reflect.Value, seen map[any]bool) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			if v.Kind() == reflect.Pointer {
				at := [2]any{v.Pointer(), v.Type()}
				if seen[at] {
					return
				}
				seen[at] = true
			}
			reflected(b, v.Elem(), seen)
		}
	case reflect.Struct:
		for _, field := range v.Fields() {
			reflected(b, field, seen)
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			reflected(b, v.Index(i), seen)
		}
	case reflect.Map:
		for _, k := range v.MapKeys() {
			reflected(b, v.MapIndex(k), seen)
		}
	case reflect.String:
		b.WriteString(v.String() + "\n")
	}
}

// TestShownURL: an address keeps its host, path and the names of its query, whatever it looks like.
func TestShownURL(t *testing.T) {
	for url, want := range map[string]string{
		"":                                    "",
		"https://merchant.example/cb":         "https://merchant.example/cb",
		"https://merchant.example:8443/a/b/?": "https://merchant.example:8443/a/b/",
		"https://user:secret@merchant.example/cb":              "https://merchant.example/cb",
		"https://user:sec@ret@merchant.example":                "https://merchant.example",
		"https://m.example/cb?token=secret&id=secret":          "https://m.example/cb?token=***&id=***",
		"https://m.example/cb?token=secret;id=sec=ret&x=":      "https://m.example/cb?token=***&id=***&x=***",
		"https://m.example/cb?secret":                          "https://m.example/cb?***",
		"https://m.example/cb#secret":                          "https://m.example/cb#***",
		"https://m.example/cb#secret?a=secret":                 "https://m.example/cb#***",
		"https://m.example/cb?a=secret#secret":                 "https://m.example/cb?a=***#***",
		"https://u:secret@m.example/cb?next=https://u:secret@": "https://m.example/cb?next=***",
		"https://u:secret/more@m.example/cb":                   "https://***",
		"https://u:secret\\more@m.example/cb":                  "https://***",
		"u:secret@m.example/cb":                                "***", // without a scheme all of it may be a token
		"secret":                                               "***",
		"https://@m.example/cb":                                "https://m.example/cb",
		"https://m.example/?&":                                 "https://m.example/",
		"https://m.example/?#":                                 "https://m.example/",
		"https://u:123?secret@m.example/cb":                    "https://***?***",
		"https://secret?x@m.example/cb":                        "https://***?***",
		"https://secret#x@m.example/cb":                        "https://***#***",
		"secret@x://m.example":                                 "***",
		"//u:secret@m.example/cb":                              "***",
		"https://u:secret?more@m.example/cb":                   "https://***?***", // sent to a host u
		"https://u:secret#more@m.example/cb":                   "https://***#***",
		"https://[::1]:8080/cb":                                "https://[::1]:8080/cb",
		"https://[::1]:secret/cb":                              "https://***",
		"u:secret":                                             "***",
	} {
		if got := shownURL(url); got != want || strings.Contains(got, "secret") {
			t.Errorf("%s: %s, want %s", url, got, want)
		}
	}
}

// TestMaskedCallbacks: an address shows no card number, however often it is escaped, and masking it
// twice is the same as once.
func TestMaskedCallbacks(t *testing.T) {
	number := "4000 0566-5566 5556"
	for times := range 12 {
		for _, address := range []string{"https://m.example/" + number + "/cb", "https://m.example/cb?" + number + "=1", "https://" + number, "https://m.example/?a=" + number + "#" + number} {
			for _, c := range []Column{ColumnNotifyURL, ColumnServerCallbackURL} {
				got := Mask(c, address)
				if plain, err := url.PathUnescape(got); strings.Contains(got, "5566") || err == nil && strings.Contains(plain, "5566") {
					t.Errorf("escaped %d times: %s", times, got)
				}
				if again := Mask(c, got); again != got {
					t.Errorf("masked twice, %s is %s", got, again)
				}
			}
		}
		number = url.QueryEscape(number)
	}
	j := judge(document(source(values{ColumnNotifyURL: "https://u:secret@m.example/cb%2F4000056655665556?token=secret"})), options())
	if len(j.rows) != 1 {
		t.Fatal(j.problems)
	}
	if row := j.rows[0]; row.ShownCallback() != "***" || row.Cell(ColumnNotifyURL).String() != "***" {
		t.Errorf("%s, %s", row.ShownCallback(), row.Cell(ColumnNotifyURL))
	}
}
