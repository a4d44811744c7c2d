package mine

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chargecast/chargecast/fuzz"
)

// encode is the code under test: the percent-encoding of clause 5.2.2.
func encode(text string) string {
	var b strings.Builder
	for i := range len(text) {
		c := text[i]
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', strings.IndexByte("-._~", c) >= 0:
			b.WriteByte(c)
		default:
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}

func TestEncode(t *testing.T) {
	impl := fuzz.Impl{Name: "mine"}
	impl.Encode = encode
	fuzz.Check(t, impl, fuzz.Options{Laws: []string{"P"}, Cases: 1000})
}
