package gateway

import (
	"maps"
	"testing"
)

// TestColumns: every value is read back as it was, whatever characters it has, and a text in
// another form is an error.
func TestColumns(t *testing.T) {
	t.Parallel()
	want := map[string]string{
		"city": "Köln; \"a\"", "a-b_c": "a b=c&d+e%20f", "lines": "\u2028\r\n\t\x00", "bytes": "\xff\xfe", "empty": "", "no-break": "a\u00a0b",
	}
	var text []byte
	for name, value := range want {
		text = appendColumn(text, name, value)
	}
	got, err := Columns(text).Values()
	if err != nil || !maps.Equal(got, want) {
		t.Errorf("%q, not %q: %v", got, want, err)
	}
	for _, damaged := range []Columns{"city", "city=Berlin zip", "city=%4", "city=%zz"} {
		if got, err := damaged.Values(); err == nil {
			t.Errorf("%q is %q", damaged, got)
		}
	}
	if got, err := Columns("").Values(); err != nil || got == nil || len(got) > 0 {
		t.Error(got, err)
	}
}
