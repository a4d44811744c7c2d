package signature

import (
	"strings"

	"github.com/chargecast/chargecast/signature/internal/base"
)

// endpointID is what a path template has in the place of the endpoint id, and createPath the
// template that the document shows (4.1). The path may change (4.1, 9), so nothing insists on it.
const (
	endpointID = "{endpoint_id}"
	createPath = "/paynet/api/v4/create-recurring-payments/" + endpointID
)

// An Endpoint is where create-recurring-payments is sent (4.1). No host is built in.
type Endpoint struct {
	Base     string // scheme and host, and a path prefix if any; with or without a final slash
	Template string // the path with {endpoint_id} once; empty means the path that the document shows
	ID       string // the endpoint id; it is percent-encoded in the path
}

// URL returns the full URL. The error has the code [URLTemplate], or is that of a URL which cannot
// be signed.
func (e Endpoint) URL() (string, error) {
	template := e.Template
	if template == "" {
		template = createPath
	}
	before, after, ok := strings.Cut(template, endpointID)
	if !ok || strings.Contains(after, endpointID) || e.ID == "" {
		return "", found(URLTemplate, base.PartURL, "", "")
	}
	raw := strings.TrimSuffix(e.Base, "/") + "/" + strings.TrimPrefix(before, "/") + Encode(e.ID) + after
	for _, text := range [...]string{e.Base, raw} { // a base without a host would take the first segment for it
		u, problem := base.ParseURL(text)
		if problem == nil {
			problem = u.Check()
		}
		if problem != nil {
			return "", located(problem, text)
		}
	}
	return raw, nil
}
