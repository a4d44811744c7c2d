package pages

import (
	"bytes"
	"encoding/json"
	"errors"
	"net/http"

	"github.com/chargecast/chargecast/ledger"
)

// A problem is an error of the admin interface.
type problem struct {
	Status   int             `json:"status"`
	Title    string          `json:"title"`
	Detail   string          `json:"detail"`
	Field    string          `json:"field"`
	Because  []because       `json:"because"`
	Findings ledger.Findings `json:"findings"`
}

func (p *problem) Error() string { return p.Title }

// A response is that of the admin interface, in memory.
type response struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (a *response) Header() http.Header         { return a.header }
func (a *response) WriteHeader(status int)      { a.status = status }
func (a *response) Write(b []byte) (int, error) { return a.body.Write(b) }

// get reads a record of the admin interface.
func (v *visit) get(path string, to any) error {
	text, err := v.ask(http.MethodGet, path, nil)
	if err != nil {
		return err
	}
	return json.Unmarshal(text, to)
}

// post sends a record to the admin interface.
func (v *visit) post(path string, record, to any) error {
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
func (v *visit) patch(path string, record any) error {
	body, err := json.Marshal(record)
	if err == nil {
		_, err = v.ask(http.MethodPatch, path, body)
	}
	return err
}

// originHeaders are the headers by which the gateway recognises a request of another site.
var originHeaders = [...]string{"Origin", "Sec-Fetch-Site"}

// ask calls the admin interface on behalf of the visitor: under the same Host, and with what the
// browser says of where the request comes from. The error is a *problem.
func (v *visit) ask(method, path string, body []byte) ([]byte, error) {
	path = adminPrefix + path
	r, err := http.NewRequestWithContext(v.r.Context(), method, "http://gateway"+path, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	r.Host, r.RequestURI, r.RemoteAddr = v.r.Host, path, v.r.RemoteAddr
	for _, name := range originHeaders {
		if value := v.r.Header.Get(name); value != "" && method != http.MethodGet {
			r.Header.Set(name, value)
		}
	}
	a := &response{header: http.Header{}}
	v.gateway.ServeHTTP(a, r)
	if a.status < http.StatusBadRequest {
		return a.body.Bytes(), nil
	}
	p := new(problem)
	if json.Unmarshal(a.body.Bytes(), p) != nil || p.Title == "" {
		return nil, errors.New("pages: the admin interface answers without a problem document")
	}
	return nil, p
}
