package form_test

import (
	"errors"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/chargecast/chargecast/internal/form"
)

func TestParse(t *testing.T) {
	for text, want := range map[string][]form.Pair{
		"": nil, "&&": nil, "a": {{"a", ""}}, "a=": {{"a", ""}}, "=a": {{"", "a"}}, "a=b=c": {{"a", "b=c"}}, "a=1&&b=2&": {{"a", "1"}, {"b", "2"}},
		"a+b=c%20d+": {{"a b", "c d "}}, "%61%3D=%26": {{"a=", "&"}}, "a;b=c;d": {{"a;b", "c;d"}}, "a=%ff": {{"a", "\xff"}}, "a=%4A%4a": {{"a", "JJ"}},
	} {
		if pairs, err := form.Parse(text, 10); err != nil || !slices.Equal(pairs, want) {
			t.Errorf("%q: %q, %v; want %q", text, pairs, err, want)
		}
	}
	for text, offset := range map[string]int{"a=%": 2, "a=%4": 2, "a=%4g": 2, "%zz=a": 0, "a=b&c=%2": 6, "a=%%41": 2, "a=%\u00e9": 2} {
		pairs, err := form.Parse(text, 10)
		if e, ok := errors.AsType[*form.Error](err); pairs != nil || !ok || e.Offset != offset || !errors.Is(err, form.ErrEscape) || strings.Contains(err.Error(), text) {
			t.Errorf("%q: %v, %v", text, pairs, err)
		}
	}
	if pairs, err := form.Parse("a&&b&c", 3); len(pairs) != 3 || err != nil {
		t.Error(pairs, err)
	}
	if pairs, err := form.Parse("a&&b&c", 2); pairs != nil || !errors.Is(err, form.ErrLimit) || err.(*form.Error).Offset != 5 {
		t.Error(pairs, err)
	}
}

// TestDecode: a plus sign is a space in a form alone; nothing is decoded by Split.
func TestDecode(t *testing.T) {
	for text, want := range map[string][2]string{"a+b": {"a+b", "a b"}, "a%2Bb": {"a+b", "a+b"}, "%": {"", ""}, "": {"", ""}, "+%20": {"+ ", "  "}} {
		for i, plus := range []bool{false, true} {
			if got, bad := form.Decode(text, plus); got != want[i] || bad >= 0 != (text == "%") {
				t.Errorf("%q: %q, %d; want %q", text, got, bad, want[i])
			}
		}
	}
	if got := form.Split("a+b=%zz&&=c=d"); !slices.Equal(got, []form.Pair{{"a+b", "%zz"}, {"", "c=d"}}) {
		t.Errorf("%q", got)
	}
}

// FuzzParse_ParseQuery: where package url reads a form without a semicolon, both have the same
// parameters; what it drops is an error here.
func FuzzParse_ParseQuery(f *testing.F) {
	for _, s := range []string{"a=1&b=2", "a=%zz", "%41+=%2B", "=&=", "&", "a=b=c", "\x00=\xff"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if strings.Contains(text, ";") {
			return
		}
		pairs, err := form.Parse(text, len(text)+1)
		want, peer := url.ParseQuery(text)
		if (err == nil) != (peer == nil) {
			t.Fatalf("%q: %v, package url says %v", text, err, peer)
		}
		if err != nil {
			return
		}
		got := url.Values{}
		for _, p := range pairs {
			got.Add(p.Name, p.Value)
		}
		if got.Encode() != want.Encode() {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	})
}
