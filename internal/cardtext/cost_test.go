package cardtext

import (
	"strings"
	"testing"
	"time"
)

// TestLongTextsCostLittle: a text of 1 MiB in groups of digits is read in time that grows with its length alone. Read again from each
// group it would take minutes.
func TestLongTextsCostLittle(t *testing.T) {
	for _, group := range []string{"1234567/", "123456/", "1/", "1 ", "123/123.1234567_", "1234567 "} {
		text := strings.Repeat(group, 1<<20/len(group))
		begin := time.Now()
		masked := Mask(text)
		if took := time.Since(begin); took > 10*time.Second {
			t.Errorf("%q again and again takes %v", group, took)
		}
		if Mask(masked) != masked || len(masked) != len(text) {
			t.Errorf("%q again and again is masked twice in another way", group)
		}
	}
}
