// Package oauthhttp signs and reads the requests of net/http for package signature.
//
// A [Transport] signs every request that an http.Client sends:
//
//	client := &http.Client{Transport: &oauthhttp.Transport{ConsumerKey: "merchant-login", Key: key}}
//
// [FromHTTP] reads a received request, which [signature.Verify] then judges.
//
// # Rules
//
//   - What is signed and verified is the URL as it is on the wire: the raw request target, never
//     one that was parsed and written again.
//   - A body is read whole, up to a limit, before a signature is made or checked. A body that is
//     shorter than Content-Length, or whose source fails with any error, is an error: it is never
//     taken for a shorter body.
//   - A signature is sent once: net/http does not repeat a signed request when a connection breaks.
//   - A signed request goes to the host it was written for: a redirect to another one is an error.
//   - Errors are values: a [ledger.Finding] or [ledger.Findings], found by code with errors.Is.
package oauthhttp
