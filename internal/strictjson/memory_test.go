//go:build !race

// Under the race detector a text allocates more.

package strictjson_test

import (
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/chargecast/chargecast/internal/strictjson"
)

// allocated returns how many bytes f allocates, whether they are kept or not.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// TestMemoryIsBoundedByTheText: whatever a text has, reading it allocates at most four times its size. A list of empty
// objects in a member that does not exist cost 110 times its size, since a tree was built before the member was refused.
func TestMemoryIsBoundedByTheText(t *testing.T) {
	const n = 100_000
	names := func(format func(i int) string) string {
		var b strings.Builder
		for i := range n {
			b.WriteString(format(i))
		}
		return strings.TrimSuffix(b.String(), ",")
	}
	many := names(func(i int) string { return `"` + strconv.FormatInt(int64(i), 36) + `":0,` })
	list := strings.Repeat("{},", n) + "{}"
	for name, text := range map[string]string{
		"unknown member":         `{"x":[` + list + `]}`,
		"unknown member inside":  `{"inner":{"x":{"y":[` + list + `]}}}`,
		"wrong kind":             `{"text":[` + list + `]}`,
		"wrong items":            `{"some":[{"b":1},` + list + `]}`,
		"items":                  `{"some":[` + strings.Repeat(`{"a":"","b":{"a":""}},`, n) + `{}]}`,
		"texts":                  `{"list":[` + strings.Repeat(`"some text",`, n) + `""]}`,
		"after an error":         `{"text":1,"list":[` + strings.Repeat(`"",`, n) + `""]}`,
		"unknown members":        `{` + many + `}`,
		"members of one unknown": `{"x":{` + many + `}}`,
		"escaped names":          `{"x":{` + names(func(i int) string { return `"\u0061` + strconv.FormatInt(int64(i), 36) + `":0,` }) + `}}`,
		"not JSON":               `{"x":[` + list,
		"no object":              `[` + list + `]`,
	} {
		for _, lenient := range []bool{false, true} {
			form := strictjson.FormOf[kinds]()
			form.Lenient = lenient
			var v kinds
			if got := allocated(func() { _ = form.Read([]byte(text), &v) }); got > 4*uint64(len(text)) {
				t.Errorf("%s, lenient %v: %d bytes allocated for %d", name, lenient, got, len(text))
			}
		}
		if got := allocated(func() {
			v, _ := strictjson.Parse([]byte(text))
			for range v.Members() {
			}
			_, _ = strictjson.Member([]byte(text), "none")
		}); got > 4*uint64(len(text)) {
			t.Errorf("%s, without a form: %d bytes allocated for %d", name, got, len(text))
		}
	}
}

// TestValues: a form may limit how many items and members a text has, wherever they are.
func TestValues(t *testing.T) {
	form := strictjson.FormOf[kinds]()
	form.Values = 5
	for text, ok := range map[string]bool{
		`{"list":["a","b","c","d"]}`:          true,
		`{"list":["a","b","c","d","e"]}`:      false,
		`{"some":[{"a":""},{"a":""}]}`:        true,
		`{"some":[{"a":""},{"a":""},{}]}`:     false,
		`{"text":"","yes":true,"x":[1,2,[]]}`: false,
	} {
		var v kinds
		if err := form.Read([]byte(text), &v); (err == nil) != ok || err != nil && !strings.Contains(err.Error(), "more than 5 values") {
			t.Errorf("%s: %v", text, err)
		}
	}
}
