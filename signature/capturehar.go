package signature

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"strconv"
	"strings"

	"github.com/chargecast/chargecast/ledger"
)

// A har is what a HAR file says of requests (the HTTP Archive format, 1.2).
type har struct {
	Log struct {
		Entries []struct{ Request harRequest }
	}
}

type harRequest struct {
	Method, URL string
	Headers     []struct{ Name, Value string }
	PostData    *struct {
		MimeType, Text, Encoding string
		Params                   []struct{ Name string }
	}
}

func looksLikeJSON(raw []byte) bool {
	return bytes.HasPrefix(bytes.TrimLeft(raw, " \t\r\n"), []byte("{"))
}

// parseHAR reads the one request of a HAR file that is signed.
func parseHAR(raw []byte) (*requestData, ledger.Findings, *fault) {
	var file har
	if json.Unmarshal(raw, &file) != nil || len(file.Log.Entries) == 0 {
		return nil, nil, badRequest(noOffset, "the text begins like JSON, but is not a HAR file with a request", "save the HAR file again, with its content")
	}
	var signed []harRequest
	for _, entry := range file.Log.Entries {
		for _, h := range entry.Request.Headers {
			if strings.EqualFold(h.Name, "Authorization") && len(h.Value) > 5 && strings.EqualFold(h.Value[:5], "OAuth") {
				signed = append(signed, entry.Request)
				break
			}
		}
	}
	switch {
	case len(signed) == 0 && len(file.Log.Entries) == 1:
		return file.Log.Entries[0].Request.parse()
	case len(signed) == 1:
		return signed[0].parse()
	case len(signed) == 0:
		return nil, nil, badRequest(noOffset, "none of the requests in the HAR file has an Authorization header of the scheme OAuth", "save the HAR file with sensitive data included: browsers leave the header out by default")
	}
	return nil, nil, badRequest(noOffset, "the HAR file has "+strconv.Itoa(len(signed))+" signed requests", "keep the one that is meant")
}

func (r *harRequest) parse() (*requestData, ledger.Findings, *fault) {
	var fields fieldList
	for _, h := range r.Headers {
		if !strings.HasPrefix(h.Name, ":") { // of HTTP/2
			fields = append(fields, field{h.Name, strings.Trim(h.Value, " \t")})
		}
	}
	c := &requestData{method: r.Method, wire: true}
	var err *fault
	if c.url, _, _ = strings.Cut(r.URL, "#"); c.url == "" || r.Method == "" {
		return nil, nil, badRequest(noOffset, "the request in the HAR file has no URL or no method", "save the HAR file again")
	}
	if c.authorization, err = fields.one("Authorization"); err != nil {
		return nil, nil, err
	}
	if c.contentType, err = fields.one("Content-Type"); err != nil {
		return nil, nil, err
	}
	post := r.PostData
	if post == nil {
		return c, nil, nil
	}
	if c.contentType == "" {
		c.contentType = post.MimeType
	}
	switch {
	case post.Encoding == "base64":
		body, failed := base64.StdEncoding.DecodeString(post.Text)
		if failed != nil {
			return nil, nil, badRequest(noOffset, "the body in the HAR file is not base64 as it says", "save the HAR file again")
		}
		c.body = string(body)
	case post.Encoding != "":
		return nil, nil, badRequest(noOffset, "the body in the HAR file has an unknown encoding", "save the HAR file with plain text")
	case post.Text == "" && len(post.Params) > 0:
		return nil, nil, badRequest(noOffset, "the HAR file has the parameters of the body, but not its text, which is what was signed", "capture the request in another way")
	default:
		c.body = post.Text
	}
	return c, nil, nil
}
