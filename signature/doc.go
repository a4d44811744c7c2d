// Package signature makes and verifies the OAuth 1.0 signatures that the gateway requires
// (section 5 of the document): RSA-SHA256 and HMAC-SHA1 over a base string of method, URL and
// parameters.
//
// [Sign] makes the Authorization header of a [Request], and [Verify] checks it: its error is nil
// only if the request is acceptable. [BaseString] is what is signed, and [NewTrace] shows its
// stages. The gateway answers a wrong signature with an empty 403: package diagnose finds the
// mistake that made it. Package oauthhttp signs and verifies the requests of net/http.
//
// # Rules
//
//   - Everything is bytes. Text is never normalised, invalid UTF-8 is kept, and the base string is
//     ASCII for any input (5.2.2).
//   - What is signed is the body's parameters and the five OAuth parameters; never realm, never the
//     signature (5.2.1, L62). A parameter that is in both body and header counts once, and must
//     have one value (X12, L61). Other parameters of equal names are all signed (L60).
//   - The order is by encoded name, then by encoded value, as bytes (L57). The URL has scheme and
//     host in lower case, no default port, the path as sent, and / for an empty path (L58).
//   - RSA-SHA256 is RSASSA-PKCS1-v1_5 with SHA-256 (L65). The HMAC key is the encoded secret and an
//     ampersand: the token secret behind it is empty in this service (5.3, L64).
//   - A signature is strict, padded base64 (L66). Whether it is right and whether the request is
//     fresh are separate answers (L63).
//   - Keys are checked before anything is computed with them: one unencrypted RSA key in PEM, of
//     2048 to 8192 bits (5.4, L65). For any other file the error says what it is and what to do.
//   - A nil key and a zero key sign and verify nothing.
//   - What no signature covers makes a request unacceptable, and is not signed either: a method
//     other than POST, a URL with a query, a body that is not a form or has no content type that
//     says so, and a parameter oauth_signature in the body (4.1, L59).
//
// # Findings
//
// What is wrong with a request, a key or an option is a [ledger.Finding]; several are
// [ledger.Findings], of which an error has the errors alone. Their codes are constants of this
// package, and errors.Is finds them. [Rules] explains each. The file of a finding's place is the
// input that it is about: "URL", "body", "Authorization", "method", "key", "secret", "request",
// "options" or "text".
//
// # Secrets
//
// A finding never holds a secret, a key or the value of a parameter. [HMACKey], [PrivateKey],
// [PublicKey], [Request], [Param] and [Trace] show nothing of their content to packages fmt,
// log/slog, encoding/json and encoding/gob, nor to packages that print whole structures with
// reflection, not even from an unexported field of another type. Their methods return it.
//
// # Limits
//
// An Authorization header has at most 8,192 bytes and 64 parameters, a body 10,000 parameters, and
// a key file 65,536 bytes. A body is kept in memory, and its size is the caller's to bound:
// [Inspect] judges a request before its body is read. A base string is hashed as it is made.
//
// The package reads no clock and no source of random numbers: times and nonces are arguments.
//
// # Compatibility
//
// Codes of findings are stable, and so is every signature. Texts may change, and codes may be
// added.
package signature
