package campaign_test

import "testing"

// TestFormReadersAgree: all readers of form bodies agree on every short text of the bytes that mean
// something in one, and on bodies with a payload among them.
func TestFormReadersAgree(t *testing.T) {
	decode := bodyOf(t, "FuzzForm_Decode_ParseQuery")
	const bytes = "&=%+;4a\nz\r"
	var all func(text []byte, left int)
	n := 0
	all = func(text []byte, left int) {
		decode(text)
		decode(append([]byte("payload=YWJj"), text...))
		decode(append(append([]byte{}, text...), "&payload=YWI%3D"...))
		if n++; left == 0 {
			return
		}
		for _, b := range []byte(bytes) {
			all(append(text[:len(text):len(text)], b), left-1)
		}
	}
	most := 4
	if testing.Short() {
		most = 3
	}
	all(nil, most)
	if n < 1000 {
		t.Errorf("only %d texts", n)
	}
}
