package strictjson_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/chargecast/chargecast/internal/strictjson"
)

// plain turns a value into what encoding/json makes of it.
func plain(v *strictjson.Value) any {
	switch v.Kind {
	case strictjson.KindBool:
		return v.Text() == "true"
	case strictjson.KindNumber:
		return json.Number(v.Text())
	case strictjson.KindString:
		return v.Text()
	case strictjson.KindArray:
		var list []any
		d := json.NewDecoder(bytes.NewReader(v.Raw))
		d.UseNumber()
		_ = d.Decode(&list)
		return list
	case strictjson.KindObject:
		object := map[string]any{}
		for name, value := range v.Members() {
			object[name.Text()] = plain(&value)
		}
		return object
	}
	return nil
}

// agree compares Parse with encoding/json: what is accepted is accepted there, with the same
// values.
func agree(t *testing.T, text []byte) {
	t.Helper()
	v, err := strictjson.Parse(text)
	if err != nil {
		e, ok := errors.AsType[*strictjson.Error](err)
		if !ok || e.Problem == 0 || e.At < 0 || e.At > len(text) || e.Message == "" || e.Help == "" || e.Error() == "" {
			t.Errorf("%q: %v", text, err)
		}
		return
	}
	var want any
	d := json.NewDecoder(strings.NewReader(string(text)))
	d.UseNumber()
	if err := d.Decode(&want); err != nil {
		t.Errorf("%q is accepted; encoding/json: %v", text, err)
		return
	}
	if got := plain(&v); !reflect.DeepEqual(got, want) {
		t.Errorf("%q is %v, want %v", text, got, want)
	}
	if string(v.Raw) != strings.Trim(string(text), " \t\r\n") {
		t.Errorf("%q: raw is %q", text, v.Raw)
	}
}

var accepted = []string{
	`{}`, `[]`, `""`, `0`, `-0`, `10`, `-1.5e+3`, `2E-1`, `true`, `false`, `null`, " \t\r\n[1 , 2 ]\n",
	`{"a":1,"b":[true,null,{"c":"d"}]}`, `"\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00"`, `"é\u0001"`, `[[[[[[1]]]]]]`, `{"a\u0062":"x","ab2":"y"}`,
}

var refused = map[string]strictjson.Problem{
	``: strictjson.Syntax, `{`: strictjson.Syntax, `[1`: strictjson.Syntax, `[1,]`: strictjson.Syntax, `{"a":1,}`: strictjson.Syntax, `{a:1}`: strictjson.Syntax,
	`{"a" 1}`: strictjson.Syntax, `{"a":}`: strictjson.Syntax, `[1 2]`: strictjson.Syntax, `01`: strictjson.Syntax, `-`: strictjson.Syntax, `1.`: strictjson.Syntax,
	`.5`: strictjson.Syntax, `1e`: strictjson.Syntax, `+1`: strictjson.Syntax, `NaN`: strictjson.Syntax, `tru`: strictjson.Syntax, `'a'`: strictjson.Syntax,
	`"a`: strictjson.Syntax, "\"a\tb\"": strictjson.Syntax, `"\x"`: strictjson.Syntax, `"\u12"`: strictjson.Syntax, `"\u12g4"`: strictjson.Syntax, `"\`: strictjson.Syntax,
	`1 2`: strictjson.Syntax, `{} x`: strictjson.Syntax, `[[[[[[[1]]]]]]]`: strictjson.Syntax, `]`: strictjson.Syntax, `[,1]`: strictjson.Syntax,
	`{"a":1,"a":2}`: strictjson.Duplicate, `{"ab":1,"a\u0062":2}`: strictjson.Duplicate, `{"a\u0062":1,"ab":2}`: strictjson.Duplicate,
	"\"\xff\"": strictjson.UTF8, `"\ud800"`: strictjson.UTF8, `"\ud800\ud800"`: strictjson.UTF8, `"\udc00"`: strictjson.UTF8, `"\ud800x"`: strictjson.UTF8, `"\u0000"`: strictjson.NUL,
}

func TestParse(t *testing.T) {
	for _, text := range accepted {
		if _, err := strictjson.Parse([]byte(text)); err != nil {
			t.Errorf("%s: %v", text, err)
		}
		agree(t, []byte(text))
		for i := range text { // cut anywhere
			agree(t, []byte(text[:i]))
		}
	}
	for text, want := range refused {
		_, err := strictjson.Parse([]byte(text))
		if e, ok := errors.AsType[*strictjson.Error](err); !ok || e.Problem != want {
			t.Errorf("%s: %v, want problem %d", text, err, want)
		}
	}
}

// TestManyMembers: a repeated name is found among few members and among many, and the work grows
// with their number.
func TestManyMembers(t *testing.T) {
	for _, n := range []int{1, 31, 32, 33, 34, 100_000} {
		var b strings.Builder
		b.WriteByte('{')
		for i := range n {
			b.WriteString(`"m` + strconv.Itoa(i) + `":0,`)
		}
		if _, err := strictjson.Parse([]byte(b.String() + `"other":0}`)); err != nil {
			t.Errorf("%d members: %v", n, err)
		}
		for _, again := range []int{0, n - 1} {
			_, err := strictjson.Parse([]byte(b.String() + `"m` + strconv.Itoa(again) + `":0}`))
			if e, ok := errors.AsType[*strictjson.Error](err); !ok || e.Problem != strictjson.Duplicate {
				t.Errorf("%d members, m%d again: %v", n, again, err)
			}
		}
	}
}

// TestPlaces: a value knows where it is.
func TestPlaces(t *testing.T) {
	v, err := strictjson.Parse([]byte(` {"a": [10, "b"], "c" : "b", "d":10 }`))
	if err != nil {
		t.Fatal(err)
	}
	names, values := []strictjson.Value{}, []strictjson.Value{}
	for name, value := range v.Members() {
		names, values = append(names, name), append(values, value)
	}
	if v.At != 1 || names[0].At != 2 || values[0].At != 7 || string(values[0].Raw) != `[10, "b"]` || names[1].At != 18 || values[1].At != 24 {
		t.Errorf("%+v, %+v, %+v", v, names, values)
	}
	if b, ok := values[1].Plain(); !ok || string(b) != "b" || !values[1].Is("b") || values[1].Is("c") || values[2].Is("10") {
		t.Errorf("the string is %q, %v", b, ok)
	}
	if _, ok := values[2].Plain(); ok {
		t.Error("a number has characters")
	}
	escaped, err := strictjson.Parse([]byte(`"a\u0062"`))
	if _, ok := escaped.Plain(); err != nil || ok || !escaped.Is("ab") || escaped.Is("a") {
		t.Errorf("%v, %v", ok, err)
	}
}

// TestAppendString: what a terminal obeys or does not show is escaped, and all is read back.
func TestAppendString(t *testing.T) {
	for r := rune(0); r <= 0x1ffff; r++ {
		if r == 0 || !utf8.ValidRune(r) {
			continue
		}
		control := r < ' ' || 0x7f <= r && r < 0xa0 || 0x200b <= r && r <= 0x200f || 0x2028 <= r && r <= 0x202e || 0x2066 <= r && r <= 0x2069 || r == 0xfeff
		for _, s := range []string{string(r), "ab" + string(r) + "cd"} { // what comes before is copied as it is
			text := strictjson.AppendString([]byte("x"), s)[1:]
			v, err := strictjson.Parse(text)
			if err != nil || v.Text() != s {
				t.Fatalf("%q is written %s and read back as %q, %v", s, text, v.Text(), err)
			}
			if escaped := len(text) > 2+len(s); escaped != (control || r == '"' || r == '\\') {
				t.Errorf("%q is written %s", s, text)
			}
		}
	}
	for s, want := range map[string]string{"a\xffb": "\"a\ufffdb\"", "": `""`, "a b~": `"a b~"`} {
		if got := string(strictjson.AppendString(nil, s)); got != want {
			t.Errorf("%q is written %s", s, got)
		}
	}
}

func FuzzParse_EncodingJSON(f *testing.F) {
	for _, text := range accepted {
		f.Add([]byte(text))
	}
	for text := range refused {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) { agree(t, text) })
}

// TestCSVIsNamed: each line of a CSV in place of lines of JSON was called a value with text after it.
func TestCSVIsNamed(t *testing.T) {
	for text, want := range map[string]string{`"rp_card_type";"amount"`: "looks like a CSV", `1;2`: "looks like a CSV", `{} {}`: "one value"} {
		_, err := strictjson.Parse([]byte(text))
		if fault, ok := errors.AsType[*strictjson.Error](err); !ok || !strings.Contains(fault.Help, want) {
			t.Errorf("%s: %v", text, err)
		}
	}
}
