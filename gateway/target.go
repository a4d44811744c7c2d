package gateway

import (
	"net/http"
	"strings"
)

// The paths of clause 4.1 and of the admin interface.
const (
	pathPrefix      = "/paynet/api/v4/"
	createOperation = "create-recurring-payments"
	adminPrefix     = "/_sandbox/v1/"
)

// rawTarget returns the path and query of a request as they were sent: nothing is decoded and
// nothing cleaned. A client that takes the server for a proxy sends the whole URL.
func rawTarget(r *http.Request) string {
	target := r.RequestURI
	for _, scheme := range [...]string{"http://", "https://"} {
		if rest, ok := strings.CutPrefix(target, scheme+r.Host); ok && strings.HasPrefix(rest, "/") {
			return rest
		}
	}
	return target
}

// isAdmin reports whether a target belongs to the admin interface.
func isAdmin(target string) bool {
	path, _, _ := strings.Cut(target, "?")
	return path == "/healthz" || path == "/metrics" || strings.HasPrefix(path, adminPrefix)
}

// endpointOf returns the endpoint of a create request's target, or why it has none.
func endpointOf(target string) (string, Reason) {
	rest, ok := strings.CutPrefix(target, pathPrefix)
	if !ok {
		return "", ReasonPath
	}
	operation, endpoint, ok := strings.Cut(rest, "/")
	switch {
	case !ok || !isName(operation, len(rest), isOperation) || !isName(endpoint, len(rest), isUnreserved),
		endpoint == "." || endpoint == "..":
		return "", ReasonPath
	case operation != createOperation:
		return "", ReasonNotShown
	}
	return endpoint, ""
}

// isOperation reports whether c is in the names of operations.
func isOperation(c byte) bool {
	return 'a' <= c && c <= 'z' || '0' <= c && c <= '9' || c == '-' || c == '_'
}
