// Package oauthhttp signs and verifies the requests of net/http with the signatures of package
// signature.
//
// A [Transport] signs every request that an http.Client sends:
//
//	client := &http.Client{Transport: &oauthhttp.Transport{ConsumerKey: "merchant-login", Key: key}}
//
// A [Handler] lets only acceptable requests through to the next handler, which learns from [Caller]
// who sent the request:
//
//	http.Handle("/", &oauthhttp.Handler{Next: next, Keys: keys, Window: 5 * time.Minute, Replays: signature.NewMemoryReplays(100_000)})
//
// [FromHTTP] reads one received request, for other uses.
//
// # Rules
//
//   - What is signed and verified is the URL as it is on the wire: the raw request target, never one
//     that was parsed and written again.
//   - A Handler is closed: without a window, a replay store, or keys, and for bytes that nothing signed, it refuses. Fields that
//     begin with Allow open it.
//   - What needs no body is judged before the body is read. Then known and unknown consumers are alike: the body is read, and keys
//     are tried, for both. A consumer with more than two keys takes the time of each of them.
//   - A body is read whole, up to a limit, before a signature is made or checked, and the bodies that a Handler holds at once have a
//     limit together. A body that is shorter than Content-Length, or whose source fails with any error, is an error: it is never
//     taken for a shorter body.
//   - A client that stalls in the middle of a body keeps its room: set ReadTimeout of the http.Server.
//   - A signature is sent once: net/http does not repeat a signed request when a connection breaks.
//   - A Handler refuses with 403 and an empty body, as the gateway does. It answers 503 if keys, replay store or room for the body
//     cannot be had now, and 500 if a field of the Handler is missing or has a value that it cannot have, both with an empty
//     body. Refuse changes that.
//   - Errors are values: a [ledger.Finding] or [ledger.Findings], found by code with errors.Is.
package oauthhttp
