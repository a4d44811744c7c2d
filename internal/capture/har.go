package capture

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/chargecast/chargecast/ledger"
)

// A harRequest is what a HAR file says of a request (the HTTP Archive format, 1.2).
type harRequest struct {
	Method, URL string
	Headers     []struct{ Name, Value string }
	PostData    *struct {
		MimeType, Text, Encoding string
		Params                   []struct{ Name string }
	}
}

// isSigned reports whether the request has an Authorization header of the scheme OAuth.
func (r *harRequest) isSigned() bool {
	return slices.ContainsFunc(r.Headers, func(h struct{ Name, Value string }) bool {
		return strings.EqualFold(h.Name, "Authorization") && isSigned(h.Value)
	})
}

// mostListed is how many of the signed requests are listed where one has to be chosen.
const mostListed = 10

// harReader reads the requests of a HAR file one after the other, and keeps the one that is meant:
// the one that was chosen, the only one that is signed, or the only one.
type harReader struct {
	chosen int // from 1; 0 for none
	count  int
	signed []string // the numbers of the first signed requests
	kept   harRequest
}

// take reads the next request. The first one is kept until a signed one comes.
func (h *harReader) take(r *harRequest) {
	h.count++
	signed := r.isSigned()
	if signed && len(h.signed) <= mostListed {
		h.signed = append(h.signed, strconv.Itoa(h.count))
	}
	if h.chosen == h.count || h.chosen == 0 && (h.count == 1 || signed && len(h.signed) == 1) {
		h.kept = *r
	}
}

// request returns the request that is meant.
func (h *harReader) request() (*harRequest, error) {
	switch {
	case h.chosen > h.count:
		return nil, wrongEntry("the HAR file has "+strconv.Itoa(h.count)+" requests, and another was chosen", "choose one of them")
	case h.chosen > 0, h.count == 1, len(h.signed) == 1:
		return &h.kept, nil
	case len(h.signed) == 0:
		return nil, fault(nowhere, "none of the "+strconv.Itoa(h.count)+" requests has an Authorization header of the scheme OAuth",
			"save a HAR file with sensitive data included: browsers leave the header out by default")
	}
	if len(h.signed) > mostListed {
		h.signed = append(h.signed[:mostListed], "…")
	}
	return nil, wrongEntry("the HAR file has several signed requests: entries "+strings.Join(h.signed, ", "), "keep the one that is meant")
}

// parseHAR reads a HAR file entry by entry: its values are never in memory together.
func parseHAR(raw []byte, o Options) (Request, ledger.Findings, error) {
	h := harReader{chosen: o.Entry}
	d := json.NewDecoder(bytes.NewReader(raw))
	if err := readMember(d, "log", func() error { return readMember(d, "entries", func() error { return h.readEntries(d) }) }); err == nil {
		_, err = d.Token()
		if err == io.EOF && h.count > 0 {
			r, err := h.request()
			if err != nil {
				return Request{}, nil, err
			}
			return r.parse()
		}
	}
	return refuse(nowhere, "the text begins like JSON, but is not a HAR file with a request", "save the HAR file again, with its content")
}

// readMember reads an object, passes over its members but those of a name, and has these read.
func readMember(d *json.Decoder, name string, read func() error) error {
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return errNoHAR
	}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return err
		}
		if text, _ := key.(string); strings.EqualFold(text, name) {
			err = read()
		} else {
			err = passOver(d)
		}
		if err != nil {
			return err
		}
	}
	_, err := d.Token()
	return err
}

var errNoHAR = errors.New("not a HAR file")

// passOver reads a value and drops it.
func passOver(d *json.Decoder) error {
	for depth := 0; ; {
		t, err := d.Token()
		if err != nil {
			return err
		}
		switch t {
		case json.Delim('{'), json.Delim('['):
			depth++
		case json.Delim('}'), json.Delim(']'):
			depth--
		}
		if depth == 0 {
			return nil
		}
	}
}

func (h *harReader) readEntries(d *json.Decoder) error {
	if t, err := d.Token(); err != nil || t != json.Delim('[') {
		return errNoHAR
	}
	for d.More() {
		var r harRequest
		if err := readMember(d, "request", func() error { return d.Decode(&r) }); err != nil {
			return err
		}
		h.take(&r)
	}
	_, err := d.Token()
	return err
}

func (r *harRequest) parse() (Request, ledger.Findings, error) {
	var fields fieldList
	for _, h := range r.Headers {
		if !strings.HasPrefix(h.Name, ":") { // of HTTP/2
			fields = append(fields, field{h.Name, strings.Trim(h.Value, " \t")})
		}
	}
	url, _, _ := strings.Cut(r.URL, "#")
	if url == "" || r.Method == "" {
		return refuse(nowhere, "the request in the HAR file has no URL or no method", "save the HAR file again")
	}
	var body []byte
	media := ""
	if post := r.PostData; post != nil {
		media = post.MimeType
		switch {
		case post.Encoding == "base64":
			decoded, err := base64.StdEncoding.DecodeString(post.Text)
			if err != nil {
				return refuse(nowhere, "the body in the HAR file is not base64 as it says", "save the HAR file again")
			}
			body = decoded
		case post.Encoding != "":
			return refuse(nowhere, "the body in the HAR file has an unknown encoding", "save the HAR file with plain text")
		case post.Text == "" && len(post.Params) > 0:
			return refuse(nowhere, "the HAR file has the parameters of the body, but not its text, which is what was signed", "capture the request in another way")
		default:
			body = []byte(post.Text)
		}
	}
	if _, coded, _ := fields.one("Transfer-Encoding"); coded { // HAR has the body decoded
		fields = slices.DeleteFunc(slices.Clone(fields), func(f field) bool { return strings.EqualFold(f.name, "Transfer-Encoding") })
	}
	request, found, err := fields.request(r.Method, url, body)
	if request.ContentType == "" {
		request.ContentType = media
	}
	return request, found, err
}
