package main

import (
	"slices"
	"strings"

	"github.com/chargecast/chargecast/internal/capture"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/signature"
)

// The path of create-recurring-payments (4.1), as --path has it.
const (
	endpointID = "{endpoint_id}"
	operations = "/paynet/api/v4/"
	createPath = operations + "create-recurring-payments/" + endpointID
)

// checkTemplate refuses a --path that no request can have.
func checkTemplate(template string) error {
	switch {
	case strings.Count(template, endpointID) != 1:
		return usage("--path does not have "+endpointID+" exactly once", "such as --path '/v5/"+endpointID+"/create'")
	case template[0] != '/' || strings.HasSuffix(template, "/") || strings.Contains(template, "//") || strings.ContainsAny(template, "?#% "):
		return usage("--path is not a path", "begin it with a slash, and leave out a final slash, double slashes, escapes, a query and a fragment")
	}
	return nil
}

// judgeAddress judges method, path and content type as the gateway does (4.1), whatever the signature is. It returns every
// fault, and whether the request is one of create-recurring-payments.
func judgeAddress(r signature.Request, template string) (found ledger.Findings, creates bool) {
	add := func(code ledger.Code, part, message, help string) {
		f := rulebook.Finding(code, message, help)
		f.Place.File = part
		found = append(found, f)
	}
	if r.Method() != "POST" {
		add(signature.MethodNotPost, "method", "", "")
	}
	target, _, hasFragment := strings.Cut(r.URL(), "#")
	target, _, hasQuery := strings.Cut(target, "?")
	if hasQuery {
		add(signature.URLQuery, "URL", "", "")
	}
	if hasFragment {
		add(signature.URLFragment, "URL", "", "")
	}
	_, rest, _ := strings.Cut(target, "://")
	path := "/"
	if i := strings.IndexByte(rest, '/'); i >= 0 {
		path = rest[i:]
	}
	wrong := func(message, help string) { add(capture.RequestPath, "URL", message, help) }
	if strings.Contains(path, "//") {
		wrong("the path has a double slash", "send it with single slashes, and sign it so")
		for strings.Contains(path, "//") {
			path = strings.ReplaceAll(path, "//", "/")
		}
	}
	if strings.HasSuffix(path, "/") && path != "/" {
		wrong("the path ends in a slash", "send it without, and sign it so")
		path = strings.TrimSuffix(path, "/")
	}
	creates = true
	before, after, _ := strings.Cut(template, endpointID)
	i := strings.LastIndex(path, before)
	id, ends := "", false
	if i >= 0 {
		id, ends = strings.CutSuffix(path[i+len(before):], after)
	}
	switch {
	case i >= 0 && ends && isEndpoint(id):
	case i >= 0 && ends && strings.Contains(id, "%") && !strings.Contains(id, "/"):
		wrong("the endpoint id in the path is percent-encoded", "send the id as it was given to you, and sign it so")
	case template == createPath && isOtherOperation(path):
		creates = false
		add(capture.RequestOperation, "URL", "", "")
	default:
		wrong("", "send it to an address that ends in "+template+", and sign that, or name the template of another path with --path")
	}
	media, _, _ := strings.Cut(r.ContentType(), ";")
	switch media = strings.Trim(media, " \t"); {
	case media == "" && len(r.Body()) > 0:
		add(signature.ContentTypeMissing, "request", "", "")
	case media != "" && !strings.EqualFold(media, "application/x-www-form-urlencoded"):
		add(signature.ContentType, "body", "", "")
	}
	return found, creates
}

// isEndpoint reports whether a text is an endpoint id as a path has it.
func isEndpoint(id string) bool {
	return id != "" && id != "." && id != ".." && !strings.ContainsFunc(id, func(c rune) bool {
		return c >= 0x80 || !strings.ContainsRune("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~", c)
	})
}

// isOtherOperation reports whether a path has the form of the operations beside create-recurring-payments.
func isOtherOperation(path string) bool {
	i := strings.LastIndex(path, operations)
	if i < 0 {
		return false
	}
	operation, id, _ := strings.Cut(path[i+len(operations):], "/")
	return operation != "create-recurring-payments" && isEndpoint(operation) && isEndpoint(id)
}

// pathMistakes are the mistakes of signing that are about the path. Their fix is to sign what is sent, which does not help
// where that is refused.
var pathMistakes = []string{"trailing-slash-added", "last-segment-dropped", "path-decoded", "path-other", "url-verbatim"}

// sendTheRightPath corrects the advice for a signature over another path than a wrong one that was sent.
func sendTheRightPath(c *checkedRequest) {
	i := slices.IndexFunc(c.found, func(f ledger.Finding) bool { return f.Code == capture.RequestPath })
	if i < 0 {
		return
	}
	for n := range c.diagnosis.Causes {
		cause := &c.diagnosis.Causes[n]
		if !slices.ContainsFunc(cause.IDs, func(id string) bool { return slices.Contains(pathMistakes, id) }) {
			continue
		}
		old := cause.Fix
		if cause.Fix = "the path that was sent is refused: " + sentenceOf(c.found[i]); len(cause.IDs) > 1 {
			cause.Fix += "; then check again"
		}
		for j := range c.found {
			if c.found[j].Help == old {
				c.found[j].Help = cause.Fix
			}
		}
	}
}
