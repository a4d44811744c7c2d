package rules

import (
	"bytes"
	"encoding/base64"
	"io"
	"strings"
)

// sniffSize is how much of the input decides on its form.
const sniffSize = 4 << 10

// recognise returns the form of an input by its first bytes, up to sniffSize of them.
// What it is instead of a payload, in words, is in alien; then the form means nothing.
func recognise(head []byte) (in Input, alien string) {
	head = bytes.TrimPrefix(head, []byte(mark))
	switch {
	case isQuoted(head):
		return InputCSV, "it looks like base64 or a form body in quotes: remove the quotes"
	case bytes.HasPrefix(head, []byte("data:")):
		return InputBase64, "" // the decoder says what to remove
	case holdsBase64(head), isJoined(head):
		return InputBase64, ""
	case isForm(head):
		return InputForm, ""
	case len(head) >= 64 && len(leadingBase64(head)) == len(head):
		return InputCSV, insideBase64(looseDecode(head))
	}
	return InputCSV, ""
}

// insideBase64 says what base64 holds instead of a CSV.
func insideBase64(text []byte) string {
	switch what := alienForm(text); {
	case wideForm(text):
		return "it looks like base64 of UTF-16 or UTF-32: save the CSV as UTF-8 and encode that"
	case bytes.HasPrefix(text, []byte("payload=")):
		return "it looks like base64 of a whole form body: encode the CSV alone"
	case what != "":
		return "it looks like base64 of something else: " + what
	}
	return "it looks like base64, but not of a text that begins with a column name"
}

// alienForms are first bytes that no payload has.
var alienForms = [...]struct{ prefix, what string }{
	{"PK\x03\x04", "it looks like a zip archive or a spreadsheet file: export the sheet as CSV"},
	{"\x1f\x8b", "it looks like a gzip archive: unpack it first"},
	{"BZh", "it looks like a bzip2 archive: unpack it first"},
	{"\x28\xb5\x2f\xfd", "it looks like a zstd archive: unpack it first"},
	{"\xfd7zXZ\x00", "it looks like an xz archive: unpack it first"},
	{"7z\xbc\xaf", "it looks like a 7z archive: unpack it first"},
	{"\xd0\xcf\x11\xe0", "it looks like an old spreadsheet file: export the sheet as CSV"},
	{"%PDF-", "it looks like a PDF"},
	{"\x89PNG", "it looks like a PNG image"},
	{"\xff\xd8\xff", "it looks like a JPEG image"},
	{"GIF8", "it looks like a GIF image"},
	{"\x7fELF", "it looks like a program"},
	{"-----BEGIN ", "it looks like a key or certificate in PEM form: keep it away from payloads"},
	{"-----begin ", "it looks like a key or certificate in PEM form: keep it away from payloads"},
	{"{\\rtf", "it looks like a rich text file: save it as plain text"},
	{"<", "it looks like an HTML or XML page"},
	{"{", "it looks like JSON"},
	{"[{", "it looks like JSON"},
	{"[\"", "it looks like JSON"},
	{"OAuth oauth_", "it looks like an Authorization header: give the body of the request"},
	{"Authorization: ", "it looks like an Authorization header: give the body of the request"},
	{"POST /", "it looks like a whole HTTP request: give its body alone"},
	{"HTTP/1.", "it looks like an HTTP response"},
	{"curl ", "it looks like a curl command: give the body of the request alone"},
}

// isQuoted reports whether head is base64 of a payload, or a form body with one, that
// begins with a quote of a shell or a program.
func isQuoted(head []byte) bool {
	if len(head) == 0 || head[0] != '"' && head[0] != '\'' {
		return false
	}
	return holdsBase64(head[1:]) || bytes.HasPrefix(head[1:], []byte("payload="))
}

// alienForm says what an input looks like that is not a payload; empty for others.
func alienForm(head []byte) string {
	head = bytes.TrimLeft(bytes.TrimPrefix(head, []byte(mark)), " \t\r\n")
	for _, f := range alienForms {
		if bytes.HasPrefix(head, []byte(f.prefix)) {
			return f.what
		}
	}
	return ""
}

// alienWide says what a text of UTF-16 that begins so is instead of a CSV; empty for a CSV. In UTF-8 it would be
// taken for that, too.
func alienWide(head []byte, big bool) string {
	text, _ := io.ReadAll(&utf16Reader{src: bytes.NewReader(head[:len(head)&^1]), big: big}) // up to half a character
	if what := alienForm(text); what != "" {
		return what
	}
	kind, what := recognise(text)
	if what == "" && kind != InputCSV {
		what = "it looks like base64 or a form body in UTF-16: save it as UTF-8"
	}
	return what
}

// wideForm reports whether a text is UTF-16 or UTF-32, by its mark or its pattern of NUL.
func wideForm(head []byte) bool {
	if bytes.HasPrefix(head, []byte{0xFF, 0xFE}) || bytes.HasPrefix(head, []byte{0xFE, 0xFF}) {
		return true
	}
	if len(head) < 4 {
		return false
	}
	var zero [4]bool
	for i := range zero {
		zero[i] = head[i] == 0
	}
	return zero == [4]bool{false, true, false, true} || zero == [4]bool{true, false, true, false} ||
		zero == [4]bool{false, true, true, true} || zero == [4]bool{true, true, true, false} ||
		bytes.HasPrefix(head, []byte{0, 0, 0xFE, 0xFF})
}

// isForm reports whether head begins as a form body does: a name of no quote, space or
// separator, and = after it, which is not the padding of base64.
func isForm(head []byte) bool {
	i := bytes.IndexByte(head, '=')
	if i < 0 {
		name, _, _ := strings.Cut(string(head), "&")
		return strings.TrimRight(name, "\r\n") == "payload"
	}
	name := strings.ToLower(string(head[:i]))
	for _, c := range []byte(name) {
		if c <= ' ' || c > '~' || strings.IndexByte("\";,", c) >= 0 {
			return false
		}
	}
	padding := len(bytes.Trim(head[i:], "=\r\n")) == 0
	return name != "sep" && (!padding || strings.Contains(name, "payload"))
}

// isJoined reports whether head is base64 texts joined, each with padding that fills its
// last four characters. A name and = look like one only by chance, and payload= never.
func isJoined(head []byte) bool {
	i := bytes.IndexByte(head, '=')
	if i < 0 || len(leadingBase64(head)) < len(head) || strings.Contains(strings.ToLower(string(head[:i])), "payload") {
		return false
	}
	text := bytes.TrimRight(head, "\r\n")
	pads := len(text[i:]) - len(bytes.TrimLeft(text[i:], "="))
	return len(text)%4 == 0 && text[len(text)-1] == '=' && (i+pads)%4 == 0 && pads <= 2 && i+pads < len(text)
}

// holdsBase64 reports whether head is base64 in any spelling whose text begins with a
// column name, encoded once or twice.
func holdsBase64(head []byte) bool {
	text := looseDecode(head)
	return beginsWithColumn(text) || isDouble(text)
}

// isDouble reports whether a decoded text is itself base64 of a payload.
func isDouble(text []byte) bool { return beginsWithColumn(looseDecode(text)) }

// looseDecode decodes the base64 at the beginning of head, whatever its spelling and
// line breaks, as far as it goes.
func looseDecode(head []byte) []byte {
	var clean []byte
	for _, c := range leadingBase64(head) {
		switch c {
		case '-':
			clean = append(clean, '+')
		case '_':
			clean = append(clean, '/')
		case ' ', '\r', '\n', '=':
		default:
			clean = append(clean, c)
		}
	}
	if len(clean)%4 == 1 {
		clean = clean[:len(clean)-1]
	}
	text := make([]byte, base64.RawStdEncoding.DecodedLen(len(clean)))
	n, _ := base64.RawStdEncoding.Decode(text, clean)
	return text[:n]
}

// leadingBase64 is the beginning of b that consists of characters of base64, of either
// alphabet, and of what line breaks and lost plus signs leave in it.
func leadingBase64(b []byte) []byte {
	for i, c := range b {
		if !inAlphabet(c) && strings.IndexByte("-_ \r\n=", c) < 0 {
			return b[:i]
		}
	}
	return b
}

// beginsWithColumn reports whether a text begins with the name of a column, quoted or not.
func beginsWithColumn(text []byte) bool {
	text = bytes.TrimPrefix(text, []byte(mark))
	text = bytes.TrimPrefix(text, []byte{'"'})
	for s := range Columns() {
		if rest, ok := bytes.CutPrefix(text, []byte(s.Name)); ok && (len(rest) == 0 || bytes.IndexByte([]byte("\";,\t\r\n"), rest[0]) >= 0) {
			return true
		}
	}
	return false
}
