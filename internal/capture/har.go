package capture

import (
	"encoding/base64"
	"encoding/json"
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

func parseHAR(raw []byte, o Options) (Request, ledger.Findings, error) {
	var file har
	if json.Unmarshal(raw, &file) != nil || len(file.Log.Entries) == 0 {
		return refuse(nowhere, "the text begins like JSON, but is not a HAR file with a request", "save the HAR file again, with its content")
	}
	signed := make([]bool, len(file.Log.Entries))
	for i, entry := range file.Log.Entries {
		for _, h := range entry.Request.Headers {
			signed[i] = signed[i] || strings.EqualFold(h.Name, "Authorization") && isSigned(h.Value)
		}
	}
	at, err := choose("the HAR file", signed, o.Entry)
	if err != nil {
		return Request{}, nil, err
	}
	return file.Log.Entries[at].Request.parse()
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
		fields = append(fieldList(nil), without(fields, "Transfer-Encoding")...)
	}
	request, found, err := fields.request(r.Method, url, body)
	if request.ContentType == "" {
		request.ContentType = media
	}
	return request, found, err
}

func without(list fieldList, name string) fieldList {
	var rest fieldList
	for _, f := range list {
		if !strings.EqualFold(f.name, name) {
			rest = append(rest, f)
		}
	}
	return rest
}
