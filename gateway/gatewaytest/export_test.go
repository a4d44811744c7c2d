package gatewaytest

import "testing"

// Find is [Simulate] for what is meant to go wrong: it fails no test.
func (p Plan) Find(t *testing.T, integrate func(*Gateway) Books) Report {
	t.Helper()
	return p.find(t, integrate)
}
