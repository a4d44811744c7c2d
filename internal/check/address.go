package check

import (
	"slices"
	"strings"

	"github.com/chargecast/chargecast/internal/capture"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/signature"
)

// Path is the path of create-recurring-payments (4.1), with EndpointID in the place of the endpoint
// id.
const (
	EndpointID = "{endpoint_id}"
	Path       = operations + creation + "/" + EndpointID

	operations = "/paynet/api/v4/"
	creation   = "create-recurring-payments"
)

// judgeAddress judges method, path and content type as the gateway does (4.1), whatever the
// signature is. It returns every fault, and whether the request is one of
// create-recurring-payments. Other is the rest of the help for another path.
func judgeAddress(r signature.Request, template, other string) (found ledger.Findings, creates bool) {
	add := func(code ledger.Code, part, message, help string) {
		f := table.Finding(code, message, help)
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
	before, after, _ := strings.Cut(template, EndpointID)
	i := strings.LastIndex(path, before)
	id, ends := "", false
	if i >= 0 {
		id, ends = strings.CutSuffix(path[i+len(before):], after)
	}
	switch {
	case i >= 0 && ends && isEndpoint(id):
	case i >= 0 && ends && strings.Contains(id, "%") && !strings.Contains(id, "/"):
		wrong("the endpoint id in the path is percent-encoded", "send the id as it was given to you, and sign it so")
	case template == Path && isOtherOperation(path):
		creates = false
		add(capture.RequestOperation, "URL", "", "")
	default:
		wrong("", "send it to an address that ends in "+template+", and sign that"+other)
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

// isOtherOperation reports whether a path has the form of the operations beside
// create-recurring-payments.
func isOtherOperation(path string) bool {
	i := strings.LastIndex(path, operations)
	if i < 0 {
		return false
	}
	operation, id, _ := strings.Cut(path[i+len(operations):], "/")
	return operation != creation && isEndpoint(operation) && isEndpoint(id)
}

// pathMistakes are the mistakes of signing that are about the path. Their fix is to sign what is
// sent, which does not help where that is refused.
var pathMistakes = []string{"trailing-slash-added", "last-segment-dropped", "path-decoded", "path-other", "url-verbatim"}

// sendTheRightPath corrects the advice for a signature over another path than a wrong one that was
// sent.
func (r *Result) sendTheRightPath() {
	i := slices.IndexFunc(r.Found, func(f ledger.Finding) bool { return f.Code == capture.RequestPath })
	if i < 0 {
		return
	}
	for n := range r.Diagnosis.Causes {
		cause := &r.Diagnosis.Causes[n]
		if !slices.ContainsFunc(cause.IDs, func(id string) bool { return slices.Contains(pathMistakes, id) }) {
			continue
		}
		old := cause.Fix
		if cause.Fix = "the path that was sent is refused: " + sentence(r.Found[i]); len(cause.IDs) > 1 {
			cause.Fix += "; then check again"
		}
		for j := range r.Found {
			if r.Found[j].Help == old {
				r.Found[j].Help = cause.Fix
			}
		}
	}
}

// WarnOfMethod returns a warning if a request to create-recurring-payments is signed with
// HMAC-SHA1: the document names RSA-SHA256 for the operation (5). A template is another path of the
// operation; empty for none.
func WarnOfMethod(r signature.Request, template string) ledger.Findings {
	h, err := signature.ParseHeader(r.Authorization())
	if err != nil || h.Value("oauth_signature_method") != signature.MethodHMACSHA1.String() {
		return nil
	}
	before, after, _ := strings.Cut(template, EndpointID)
	if url := r.URL(); strings.Contains(url, "/"+creation) || template != "" && strings.Contains(url, before) && strings.HasSuffix(url, after) {
		f := table.Finding(capture.RequestHMAC, "", "")
		f.Place.File = "Authorization"
		return ledger.Findings{f}
	}
	return nil
}
