package signature

import (
	"bytes"
	"strings"
)

// byteOrderMark is that of UTF-8, which some editors write.
const byteOrderMark = "\xef\xbb\xbf"

// IsCapture reports whether a text that begins with head looks like one of the forms that [ParseRequest]
// reads, which may still refuse the whole. A few hundred bytes are enough; no payload begins so.
func IsCapture(head []byte) bool {
	text := string(bytes.TrimLeft(bytes.TrimPrefix(head, []byte(byteOrderMark)), " \t\r\n"))
	if rest, isObject := strings.CutPrefix(text, "{"); isObject {
		return strings.HasPrefix(strings.TrimLeft(rest, " \t\r\n"), `"log"`)
	}
	line, _, _ := strings.Cut(text, "\n")
	line = untimed(line)
	for _, m := range [...]string{"POST", "GET", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "CONNECT"} {
		if target, ok := strings.CutPrefix(strings.TrimPrefix(line, "> "), m+" "); ok {
			return strings.HasPrefix(target, "/") || strings.HasPrefix(target, "http") || m == "CONNECT"
		}
	}
	for _, begin := range [...]string{"* ", "Note: Unnecessary use of -X", "% Total"} {
		if strings.HasPrefix(line, begin) {
			return true
		}
	}
	return callsCurl(line) || strings.Contains(line, "== Info: ") || strings.Contains(line, "=> Send header, ")
}
