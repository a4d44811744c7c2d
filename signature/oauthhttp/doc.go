// Package oauthhttp signs and verifies the requests of net/http with the signatures of package
// signature.
//
// A [Transport] signs every request that an http.Client sends:
//
//	client := &http.Client{Transport: &oauthhttp.Transport{ConsumerKey: "merchant-login", Key: key}}
//
// A [Handler] lets only acceptable requests through to the next handler, which learns from [Caller]
// who sent the request. [FromHTTP] reads one received request, for other uses.
//
// # Rules
//
//   - What is signed and verified is the URL as it is on the wire: the raw request target, never one
//     that was parsed and written again.
//   - A body is read whole, up to a limit, before a signature is made or checked. A body that is
//     shorter than Content-Length, or whose source fails with any error, is an error: it is never
//     taken for a shorter body. A Handler does not read the body of a consumer that is not known.
//   - A signature is sent once: net/http does not repeat a signed request when a connection breaks.
//   - A Handler refuses with 403 and an empty body, as the gateway does, and answers 500 with an empty
//     body if the key or the replay store cannot be had, or a field of the Handler has a value that it
//     cannot have. Refuse changes that.
//   - Errors are values: a [ledger.Finding] or [ledger.Findings], found by code with errors.Is.
package oauthhttp
