package pages

import (
	"encoding/json"
	"net/http"

	"github.com/chargecast/chargecast/sandbox/admin"
)

type problem = admin.Problem

// get reads a record of the admin interface.
func (v *pageRequest) get(path string, to any) error {
	text, err := v.ask(http.MethodGet, path, nil)
	if err != nil {
		return err
	}
	return json.Unmarshal(visible(text), to)
}

// visible doubles the backslash of the escapes in a text of JSON, line ends and tabs apart, so that
// what the admin interface escapes is shown as an escape: control characters, and what changes the
// direction of text.
func visible(text []byte) []byte {
	var out []byte
	for i := 0; i < len(text); i++ {
		if text[i] != '\\' || i+5 >= len(text) {
			out = append(out, text[i])
			continue
		}
		if text[i+1] == 'u' {
			if code := string(text[i+2 : i+6]); code != "000a" && code != "0009" {
				out = append(out, '\\')
			}
		}
		out = append(out, text[i], text[i+1])
		i++
	}
	return out
}

// post sends a record to the admin interface.
func (v *pageRequest) post(path string, record, to any) error {
	body, err := json.Marshal(record)
	if err != nil {
		return err
	}
	text, err := v.ask(http.MethodPost, path, body)
	if err != nil {
		return err
	}
	return json.Unmarshal(text, to)
}

// patch changes a record by the admin interface.
func (v *pageRequest) patch(path string, record any) error {
	body, err := json.Marshal(record)
	if err == nil {
		_, err = v.ask(http.MethodPatch, path, body)
	}
	return err
}

// originHeaders are the headers by which the gateway recognises a request of another site.
var originHeaders = [...]string{"Origin", "Sec-Fetch-Site"}

// ask calls the admin interface for the user: under the same Host, and with what the
// browser says of where the request comes from. The error is a *problem.
func (v *pageRequest) ask(method, path string, body []byte) ([]byte, error) {
	r := admin.Request{Method: method, Path: path, Body: body, Host: v.r.Host, RemoteAddr: v.r.RemoteAddr, Header: http.Header{}}
	for _, name := range originHeaders {
		if value := v.r.Header.Get(name); value != "" && method != http.MethodGet {
			r.Header.Set(name, value)
		}
	}
	return r.Do(v.r.Context(), v.gateway)
}
