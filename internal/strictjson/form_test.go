package strictjson_test

import (
	"encoding/json"
	"errors"
	"math"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/chargecast/chargecast/internal/strictjson"
)

// A kinds has a field of each kind that a form reads.
type kinds struct {
	Text  string   `json:"text"`
	Yes   bool     `json:"yes"`
	Int   int      `json:"int"`
	Count int      `json:"count" strict:"count"`
	Large uint64   `json:"large"`
	Whole uint64   `json:"whole" strict:"count,code=whole-range"`
	Word  color    `json:"word" strict:"code=word-unknown"`
	List  []string `json:"list"`
	Inner inner    `json:"inner"`
	embedded
	Null *int    `json:"null"`
	None *int    `json:"none,omitzero"`
	Some []inner `json:"some,omitzero"`
	Even even    `json:"even,omitzero"`
	Skip string  `json:"-"`
}

type inner struct {
	A string `json:"a"`
	B *leaf  `json:"b,omitzero"`
}

type leaf struct {
	A string `json:"a"`
}

type embedded struct {
	Deep string `json:"deep"`
}

// A color has a text form.
type color uint8

var colors = []string{"", "red", "blue"}

func (c color) MarshalText() ([]byte, error) {
	if int(c) >= len(colors) {
		return nil, errors.New("no color")
	}
	return []byte(colors[c]), nil
}

func (c *color) UnmarshalText(text []byte) error {
	for i, name := range colors {
		if name == string(text) {
			*c = color(i)
			return nil
		}
	}
	return errors.New("no color")
}

// An even has a JSON form.
type even int

func (e even) IsZero() bool                 { return e == 0 }
func (e even) MarshalJSON() ([]byte, error) { return []byte(strconv.Itoa(int(e))), nil }

func (e *even) UnmarshalJSON(data []byte) error {
	n, err := strconv.Atoi(string(data))
	if err != nil || n%2 == 1 {
		return &strictjson.Error{Problem: strictjson.Refused, At: len(data) - 1, Message: "odd", Help: "write an even number"}
	}
	*e = even(n)
	return nil
}

var kindsForm = strictjson.FormOf[kinds]()

// TestFormRoundTrip: what a form appends has the members of encoding/json, and is read back to the same
// value.
func TestFormRoundTrip(t *testing.T) {
	five := 5
	for _, v := range []kinds{
		{},
		{Word: 1, List: []string{}},
		{
			Text: "a\"\\\u2028é", Yes: true, Int: -7, Count: math.MaxInt, Large: math.MaxUint64, Whole: math.MaxInt64, Word: 2, List: []string{"x", "", "y"},
			Inner: inner{A: "b", B: &leaf{A: "c"}}, embedded: embedded{"d"}, Null: &five, None: &five, Some: []inner{{A: "e"}, {B: new(leaf)}}, Even: 8,
		},
	} {
		text := kindsForm.Append([]byte("x"), &v)[1:]
		if v.Word == 0 { // an empty text is none
			text = []byte(strings.Replace(string(text), `"word":""`, `"word":"red"`, 1))
			v.Word = 1
		}
		var back, std kinds
		if err := kindsForm.Read(text, &back); err != nil || !reflect.DeepEqual(back, v) && len(v.List) > 0 {
			t.Errorf("%s is read back as %+v, %v", text, back, err)
		}
		if err := json.Unmarshal(text, &std); err != nil || len(v.List) > 0 && !reflect.DeepEqual(std, v) {
			t.Errorf("%s is for encoding/json %+v, %v", text, std, err)
		}
		want, err := json.Marshal(v)
		if plain := strings.ReplaceAll(string(want), `"list":null`, `"list":[]`); err != nil || plain != string(text) {
			t.Errorf("%s\nis for encoding/json\n%s, %v", text, want, err)
		}
	}
	if got := string(kindsForm.AppendMembers([]byte("{"), &kinds{})); !strings.HasPrefix(got, `{,"text":"",`) {
		t.Errorf("members are %s", got)
	}
	type empty struct {
		A string `json:"a,omitzero"`
	}
	if got := string(strictjson.FormOf[empty]().Append(nil, new(empty))); got != "{}" {
		t.Errorf("nothing is %s", got)
	}
	if got := string(kindsForm.Append(nil, &kinds{Word: 9})); !strings.Contains(got, `"word":"",`) {
		t.Errorf("a value without a text is written in %s", got)
	}
}

// TestFormRefused: each error has its problem, the first place that is wrong, the innermost member and
// the code of its tag.
func TestFormRefused(t *testing.T) {
	for _, r := range []struct {
		text    string
		problem strictjson.Problem
		at      int
		field   string
		code    string
		help    string
	}{
		{`5`, strictjson.Type, 0, "", "", "{ … }"},
		{` []`, strictjson.Type, 1, "", "", "{ … }"},
		{`{"text":1}`, strictjson.Type, 8, "text", "", "a string in double quotes"},
		{`{"text":null}`, strictjson.Type, 8, "text", "", "a string"},
		{`{"yes":"true"}`, strictjson.Type, 7, "yes", "", "true or false"},
		{`{"yes":null}`, strictjson.Type, 7, "yes", "", "true or false"},
		{`{"int":"1"}`, strictjson.Type, 7, "int", "", "a number without quotes"},
		{`{"int":1.0}`, strictjson.Range, 7, "int", "", "a whole number"},
		{`{"int":1e3}`, strictjson.Range, 7, "int", "", "a whole number"},
		{`{"count":-1}`, strictjson.Range, 9, "count", "", "from 0 to 9223372036854775807"},
		{`{"large":-1}`, strictjson.Range, 9, "large", "", "a whole number"},
		{`{"large":18446744073709551616}`, strictjson.Range, 9, "large", "", "a whole number"},
		{`{"whole":9223372036854775808}`, strictjson.Range, 9, "whole", "whole-range", "from 0 to 9223372036854775807"},
		{`{"whole":true}`, strictjson.Type, 9, "whole", "", "a number"},
		{`{"word":"green"}`, strictjson.Refused, 8, "word", "word-unknown", "documented form"},
		{`{"word":""}`, strictjson.Refused, 8, "word", "word-unknown", "write a value"},
		{`{"word":1}`, strictjson.Type, 8, "word", "", "a string"},
		{`{"list":"x"}`, strictjson.Type, 8, "list", "", "square brackets"},
		{`{"list":["x",1]}`, strictjson.Type, 13, "list", "", "a string"},
		{`{"inner":[]}`, strictjson.Type, 9, "inner", "", "braces"},
		{`{"inner":{"a":1}}`, strictjson.Type, 14, "a", "", "a string"},
		{`{"inner":{"b":{"a":1}}}`, strictjson.Type, 19, "a", "", "a string"},
		{`{"inner":{"c":1}}`, strictjson.Unknown, 10, "inner", "", "use a, b"},
		{`{"inner":{"b":null}}`, strictjson.Type, 14, "b", "", "braces"},
		{`{"none":null}`, strictjson.Type, 8, "none", "", "a number"},
		{`{"some":[{"a":"x"},{"a":2}]}`, strictjson.Type, 24, "a", "", "a string"},
		{`{"even":[3]}`, strictjson.Refused, 10, "even", "", "even number"},
		{`{"even": 13}`, strictjson.Refused, 10, "even", "", "even number"},
		{`{"txet":"a"}`, strictjson.Unknown, 1, "", "", "did you mean text? use text, yes,"},
		{`{"Text":"a"}`, strictjson.Unknown, 1, "", "", "did you mean text?"},
		{`{"Skip":"a"}`, strictjson.Unknown, 1, "", "", "use text"},
		{`{"text":"a","text":"b"}`, strictjson.Duplicate, 12, "", "", "keep one"},
		{`{"text":"a","te\u0078t":"b"}`, strictjson.Duplicate, 12, "", "", "keep one"},
		{`{"x":1,"y":2,"x":3}`, strictjson.Duplicate, 13, "", "", "keep one"},
		{`{"text":"a"`, strictjson.Syntax, 11, "", "", ""},
		{`{"text" "a"}`, strictjson.Syntax, 8, "", "", "\"name\":value"},
		{`{"text":"a"} x`, strictjson.Syntax, 13, "", "", "one value"},
		{"{\"text\":\"\xff\"}", strictjson.UTF8, 9, "", "", "UTF-8"},
		{`{"text":"\u0000"}`, strictjson.NUL, 9, "", "", "remove it"},

		// Of several errors what breaks the syntax comes first, then what comes first in the text.
		{`{"text":1,"yes":0}`, strictjson.Type, 8, "text", "", ""},
		{`{"other":1,"yes":0}`, strictjson.Unknown, 1, "", "", ""},
		{`{"text":1,"yes":}`, strictjson.Syntax, 16, "", "", ""},
		{`{"text":1,"yes":true,"yes":true}`, strictjson.Duplicate, 21, "", "", ""},
	} {
		var v kinds
		e, ok := errors.AsType[*strictjson.Error](kindsForm.Read([]byte(r.text), &v))
		if !ok || e.Problem != r.problem || e.At != r.at || e.Field != r.field || e.Code != r.code || e.Message == "" || !strings.Contains(e.Help, r.help) {
			t.Errorf("%s: %+v", r.text, e)
		}
	}
}

// TestLenient: members that a lenient form does not have are passed over, but not taken for others, and
// what it does have is read as strictly.
func TestLenient(t *testing.T) {
	type needs struct {
		A string `json:"a" strict:"required"`
		B string `json:"b" strict:"required,code=b-wrong"`
		C int    `json:"c" strict:"count"`
	}
	form := strictjson.FormOf[needs]()
	form.Lenient, form.Code, form.Missing = true, "default", "look at the manual"
	var v needs
	if err := form.Read([]byte(`{"later":{"a":[1,{"b":null}]},"a":"x","A":7,"b":"y"}`), &v); err != nil || v != (needs{"x", "y", 0}) {
		t.Errorf("%+v, %v", v, err)
	}
	for text, want := range map[string]strictjson.Error{
		`{"b":"y"}`:                 {Problem: strictjson.Missing, Field: "a", Code: "default", Help: "look at the manual"},
		` {"a":"y","later":1}`:      {Problem: strictjson.Missing, At: 1, Field: "b", Code: "default", Help: "look at the manual"},
		`{"a":"x","b":"y","c":-1}`:  {Problem: strictjson.Range, At: 21, Field: "c", Code: "default", Help: "write a whole number from 0 to 9223372036854775807"},
		`{"a":"x","b":1}`:           {Problem: strictjson.Type, At: 13, Field: "b", Help: "write a string in double quotes"},
		`{"x":1,"a":"x","x":2}`:     {Problem: strictjson.Duplicate, At: 15, Help: "keep one of the two"},
		`{"x":{"y":1,"y":2}}`:       {Problem: strictjson.Duplicate, At: 12, Help: "keep one of the two"},
		`{"x":[[[[[[[[1]]]]]]]]}`:   {Problem: strictjson.Syntax, At: 12, Help: "use at most a list in an object"},
		`{"x":"\u0000","a":5,"b":}`: {Problem: strictjson.NUL, At: 6, Help: "remove it"},
	} {
		e, _ := errors.AsType[*strictjson.Error](form.Read([]byte(text), &v))
		if e == nil || e.Problem != want.Problem || e.At != want.At || e.Field != want.Field || e.Code != want.Code || e.Help != want.Help {
			t.Errorf("%s: %+v", text, e)
		}
	}
}

// TestManyUnknownMembers: as [TestManyMembers].
func TestManyUnknownMembers(t *testing.T) {
	form := strictjson.FormOf[inner]()
	form.Lenient = true
	for _, n := range []int{31, 32, 33, 34, 100_000} {
		var b strings.Builder
		b.WriteString(`{"a":"x"`)
		for i := range n {
			b.WriteString(`,"m` + strconv.Itoa(i) + `":0`)
		}
		var v inner
		if err := form.Read([]byte(b.String()+"}"), &v); err != nil {
			t.Errorf("%d members: %v", n, err)
		}
		for _, again := range []int{0, n - 1} {
			err := form.Read([]byte(b.String()+`,"m`+strconv.Itoa(again)+`":0}`), &v)
			if e, ok := errors.AsType[*strictjson.Error](err); !ok || e.Problem != strictjson.Duplicate {
				t.Errorf("%d members, m%d again: %v", n, again, err)
			}
		}
	}
}

// A pairs reads an object of any names.
type pairs []string

func (p pairs) AppendJSON(dst []byte) []byte {
	return append(strictjson.AppendString(append(dst, '{'), strings.Join(p, " ")), ":0}"...)
}

func (p *pairs) ReadJSON(v *strictjson.Value) error {
	if v.Kind != strictjson.KindObject {
		return v.Wrong("write pairs")
	}
	for name, value := range v.Members() {
		if value.Kind != strictjson.KindNumber {
			return value.Refused("no number", "write one")
		}
		*p = append(*p, name.Text()+"@"+strconv.Itoa(name.At))
	}
	return nil
}

// TestSpecial: a value that reads itself knows places in the whole text.
func TestSpecial(t *testing.T) {
	type of struct {
		In struct {
			Pairs pairs `json:"pairs"`
		} `json:"in"`
	}
	form := strictjson.FormOf[of]()
	form.Code = "default"
	var v of
	if err := form.Read([]byte(`{"in":{"pairs":{"a":1,"b":2}}}`), &v); err != nil || !reflect.DeepEqual(v.In.Pairs, pairs{"a@16", "b@22"}) {
		t.Errorf("%+v, %v", v, err)
	}
	if got := string(form.Append(nil, &v)); got != `{"in":{"pairs":{"a@16 b@22":0}}}` {
		t.Errorf("written as %s", got)
	}
	for text, want := range map[string]strictjson.Error{
		`{"in":{"pairs":[]}}`:        {Problem: strictjson.Type, At: 15},
		`{"in":{"pairs":{"a":"x"}}}`: {Problem: strictjson.Refused, At: 20, Code: "default"},
		`{"in":{"pairs":{"a":}}}`:    {Problem: strictjson.Syntax, At: 20},
	} {
		e, _ := errors.AsType[*strictjson.Error](form.Read([]byte(text), &v))
		if e == nil || e.Problem != want.Problem || e.At != want.At || e.Code != want.Code || want.Problem != strictjson.Syntax && e.Field != "pairs" {
			t.Errorf("%s: %+v", text, e)
		}
	}
}

// TestMember: one member is found without reading what follows.
func TestMember(t *testing.T) {
	for text, want := range map[string]string{
		`{"type":"a"}`: `"a"`, ` {"x":{"type":1}, "type" : 5 , `: "5", `{"type":"a","type":"b"`: `"a"`, `{"t\u0079pe":null`: "null",
		`{}`: "", `[]`: "", ``: "", `{"x":1}`: "", `{"x":1,}`: "", `{"x" 1,"type":2}`: "", `{"type":`: "", `"type"`: "",
	} {
		v, ok := strictjson.Member([]byte(text), "type")
		if string(v.Raw) != want || ok != (want != "") {
			t.Errorf("%s: %s, %v", text, v.Raw, ok)
		}
	}
}

// TestFormOfPanics: a type that has no form is found where the form is made.
func TestFormOfPanics(t *testing.T) {
	for name, make := range map[string]func(){
		"float": func() {
			strictjson.FormOf[struct {
				A float32 `json:"a"`
			}]()
		},
		"map": func() {
			strictjson.FormOf[struct {
				A []map[string]int `json:"a"`
			}]()
		},
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: there is a form", name)
				}
			}()
			make()
		}()
	}
}

// A kept record has members by a tag of its own, beside fields that only its keeper knows.
type kept struct {
	ID     int               `api:"id,out"`
	Name   string            `api:"name,null,required"`
	Word   color             `api:"word,null"`
	Secret string            `api:"secret,in"`
	Rate   float64           `api:"rate"`
	Set    map[string]string `api:"set,omitzero"`
	Inner  keptInner         `api:"inner,null"`
	Hidden string
}

type keptInner struct {
	Deep   string `api:"deep,null"`
	Hidden string
}

var keptForm = strictjson.FormBy[kept]("api")

// TestFormBy: members that are only read or only written, null for zero, fields without the tag.
func TestFormBy(t *testing.T) {
	v := kept{ID: 7, Secret: "s", Rate: 0.25, Set: map[string]string{"b": "2", "a": "1"}, Hidden: "h", Inner: keptInner{"", "h"}}
	if got := string(keptForm.Append(nil, &v)); got != `{"id":7,"name":null,"word":null,"rate":0.25,"set":{"a":"1","b":"2"},"inner":{"deep":null}}` {
		t.Error(got)
	}
	read := kept{ID: 7, Word: 2, Hidden: "h"}
	err := keptForm.Read([]byte(`{"name":"n","word":null,"secret":"t","rate":1e-3,"set":{"x":"\u0079"},"inner":{"deep":"d"}}`), &read)
	want := kept{ID: 7, Name: "n", Word: 2, Secret: "t", Rate: 0.001, Set: map[string]string{"x": "y"}, Inner: keptInner{Deep: "d"}, Hidden: "h"}
	if err != nil || !reflect.DeepEqual(read, want) {
		t.Errorf("%+v %v", read, err)
	}
	for text, problem := range map[string]strictjson.Problem{
		`{"name":"","id":7}`:             strictjson.Unknown,
		`{"name":"","hidden":""}`:        strictjson.Unknown,
		`{"name":"","":1}`:               strictjson.Unknown,
		`{"word":"red"}`:                 strictjson.Missing,
		`{"name":"","word":""}`:          strictjson.Refused,
		`{"name":"","rate":"1"}`:         strictjson.Type,
		`{"name":"","rate":null}`:        strictjson.Type,
		`{"name":"","rate":1e999}`:       strictjson.Range,
		`{"name":"","set":{"a":1}}`:      strictjson.Type,
		`{"name":"","set":[]}`:           strictjson.Type,
		`{"name":"","set":null}`:         strictjson.Type,
		`{"name":"","set":{"a":"",}}`:    strictjson.Syntax,
		`{"name":"","inner":{"deep":1}}`: strictjson.Type,
	} {
		var v kept
		if e, ok := errors.AsType[*strictjson.Error](keptForm.Read([]byte(text), &v)); !ok || e.Problem != problem {
			t.Errorf("%s: %+v", text, e)
		}
	}
	only := keptForm.Only("word", "rate")
	if err := only.Read([]byte(`{"word":"red"}`), &read); err != nil || read.Word != 1 {
		t.Errorf("%+v %v", read, err)
	}
	if e, ok := errors.AsType[*strictjson.Error](only.Read([]byte(`{"name":"x"}`), &read)); !ok || e.Problem != strictjson.Unknown || !strings.Contains(e.Help, "word, rate") {
		t.Errorf("%+v", e)
	}
}

// A day is zero where it is not one.
type day int

func (d day) MarshalText() ([]byte, error) { return []byte(strconv.Itoa(int(d))), nil }
func (d *day) UnmarshalText(text []byte) error {
	n, err := strconv.Atoi(string(text))
	*d = day(n)
	return err
}
func (d day) IsZero() bool { return d == 0 }

// TestNullIsTheOnlyZero: where null says that there is none, a zero value does not.
func TestNullIsTheOnlyZero(t *testing.T) {
	f := strictjson.FormBy[struct {
		D day `api:"d,null"`
	}]("api")
	var v struct {
		D day `api:"d,null"`
	}
	if err := f.Read([]byte(`{"d":"3"}`), &v); err != nil || v.D != 3 {
		t.Error(v, err)
	}
	if e, ok := errors.AsType[*strictjson.Error](f.Read([]byte(`{"d":"0"}`), &v)); !ok || e.Problem != strictjson.Range {
		t.Error(v, e)
	}
	if err := keptForm.Read([]byte(`{"name":"n","inner":null}`), &kept{}); err != nil {
		t.Error(err)
	}
	v.D = 3
	if err := f.Read([]byte(`{"d":null}`), &v); err != nil || v.D != 3 {
		t.Error(v, err)
	}
}

// FuzzForm_EncodingJSON: no text makes a form panic, and what it accepts encoding/json reads alike.
func FuzzForm_EncodingJSON(f *testing.F) {
	five := 5
	f.Add(kindsForm.Append(nil, &kinds{Word: 1, List: []string{"x"}, Null: &five, None: &five, Some: []inner{{A: "e"}}, Even: 8}))
	for _, text := range []string{`{"inner":{"b":{"a":"\ud83d\ude00"}}}`, `{"null":null,"large":18446744073709551615}`, `{"list":[],"int":-0}`, `{"word":"blue","even":-2}`, `{"x":[{"y":1e9}]}`} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var got, want kinds
		err := kindsForm.Read(text, &got)
		if e, ok := errors.AsType[*strictjson.Error](err); err != nil {
			if !ok || e.Problem == 0 || e.At < 0 || e.At > len(text) || e.Message == "" || e.Help == "" {
				t.Errorf("%q: %+v", text, err)
			}
			return
		}
		if err := json.Unmarshal(text, &want); err != nil {
			t.Errorf("%q is accepted; encoding/json: %v", text, err)
		}
		if len(want.List) == 0 && len(got.List) == 0 {
			want.List = got.List
		}
		if len(want.Some) == 0 && len(got.Some) == 0 {
			want.Some = got.Some
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%q is read as %+v, by encoding/json as %+v", text, got, want)
		}
		var again kinds
		if err := kindsForm.Read(kindsForm.Append(nil, &got), &again); got.Word != 0 && (err != nil || !reflect.DeepEqual(again, got) && len(got.List)+len(got.Some) > 0) {
			t.Errorf("%+v is read back as %+v, %v", got, again, err)
		}
	})
}
