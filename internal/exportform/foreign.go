package exportform

import "bytes"

// foreignForms are first bytes that no payload and no export has.
var foreignForms = [...]struct{ prefix, what string }{
	{"PK\x03\x04", "it looks like a zip archive or a spreadsheet file: export the sheet as CSV"},
	{"\xd0\xcf\x11\xe0", "it looks like a spreadsheet file: export the sheet as CSV"},
	{"\x1f\x8b", "it looks like a gzip archive: unpack it first"},
	{"%PDF-", "it looks like a PDF"},
	{"\x89PNG", "it looks like a PNG image"},
	{"-----BEGIN ", "it looks like a key or certificate in PEM form: keep it away from payloads"},
	{"<", "it looks like an HTML or XML page"},
	{"{", "it looks like JSON"},
	{"[{", "it looks like JSON"},
	{"OAuth oauth_", "it looks like an Authorization header: give the body of the request"},
	{"Authorization: ", "it looks like an Authorization header: give the body of the request"},
	{"POST /", "it looks like a whole HTTP request: give its body alone"},
	{"HTTP/1.", "it looks like an HTTP response"},
}

// Foreign says, by its first bytes, what a file looks like that is neither a payload nor an export; empty for others.
func Foreign(head []byte) string {
	head = bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\ufeff")), " \t\r\n")
	for _, f := range foreignForms {
		if bytes.HasPrefix(head, []byte(f.prefix)) {
			return f.what
		}
	}
	return ""
}
