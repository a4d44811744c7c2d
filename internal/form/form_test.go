package form_test

import (
	"errors"
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/chargecast/chargecast/internal/form"
)

func TestParse(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "&&": "", "a": "a=@0,0,0", "a=": "a=@0,2,0", "=a": "=a@0,1,0", "a=b=c": "a=b=c@0,2,0", "a=1&&b=2&": "a=1@0,2,0 b=2@5,7,0",
		"a+b=c%20d+": "a b=c d @0,4,2", "%61%3D=%26": "a==&@0,7,0", "a;b=c;d": "a;b=c;d@0,4,0", "a=%ff": "a=\xff@0,2,0",
		"a=%4A%4a": "a=JJ@0,2,0",
	} {
		pairs, err := form.Parse(text, 10)
		var got []string
		for _, p := range pairs {
			got = append(got, fmt.Sprintf("%s=%s@%d,%d,%d", p.Name, p.Value, p.Offset, p.ValueOffset, p.Spaces))
		}
		if err != nil || strings.Join(got, " ") != want {
			t.Errorf("%q: %q, %v; want %q", text, got, err, want)
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
