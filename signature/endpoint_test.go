package signature_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/signature"
)

// TestEndpoint: base, template and id make the URL; no path is insisted on (R101–R103).
func TestEndpoint(t *testing.T) {
	tests := []struct {
		name, reason string
		endpoint     signature.Endpoint
		want         string // an error code where it has no colon
	}{
		{"base without a slash", "R101", signature.Endpoint{Base: "https://h", ID: "77"}, "https://h/paynet/api/v4/create-recurring-payments/77"},
		{"base with a slash", "R101", signature.Endpoint{Base: "https://h/", ID: "77"}, "https://h/paynet/api/v4/create-recurring-payments/77"},
		{"base with a path", "R102", signature.Endpoint{Base: "https://h/sandbox/", ID: "77"}, "https://h/sandbox/paynet/api/v4/create-recurring-payments/77"},
		{"id to be escaped", "R101", signature.Endpoint{Base: "https://h", ID: "a/b ?"}, "https://h/paynet/api/v4/create-recurring-payments/a%2Fb%20%3F"},
		{"own template", "R103", signature.Endpoint{Base: "https://h", Template: "v5/{endpoint_id}/create", ID: "7"}, "https://h/v5/7/create"},
		{"template without a place", "R103", signature.Endpoint{Base: "https://h", Template: "/v5/create", ID: "7"}, "url-template"},
		{"template with two places", "R103", signature.Endpoint{Base: "https://h", Template: "/{endpoint_id}/{endpoint_id}", ID: "7"}, "url-template"},
		{"no id", "R101", signature.Endpoint{Base: "https://h"}, "url-template"},
		{"no base", "R102", signature.Endpoint{ID: "7"}, "url-form"},
		{"base without a host: the first segment is none", "R102", signature.Endpoint{Base: "https://", ID: "7"}, "url-form"},
		{"base with a query", "L59", signature.Endpoint{Base: "https://h?a=1", ID: "7"}, "url-query"},
	}
	seen := map[string]bool{}
	for _, test := range tests {
		uniqueReason(t, seen, test.name, test.reason)
		got, err := test.endpoint.URL()
		if strings.Contains(test.want, ":") && (err != nil || got != test.want) || !strings.Contains(test.want, ":") && !errors.Is(err, ledger.Code(test.want)) {
			t.Errorf("%s: %q, %v", test.name, got, err)
		}
	}
}
