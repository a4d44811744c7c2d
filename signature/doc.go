// Package signature makes, checks and explains the OAuth 1.0 signatures that the gateway demands (section 5 of the
// document): RSA-SHA256 and HMAC-SHA1 over a base string of method, URL and parameters.
//
// The gateway answers a wrong signature with an empty 403. So beside Sign and Verify there is Diagnose, which tells
// which known mistake, or which pair of mistakes, reproduces a signature; Compare, which tells where two base strings
// part; and TraceBase, which shows every stage. For RSA all of it needs the public key alone.
//
// # Rules
//
//   - Everything is bytes. Text is never normalised, invalid UTF-8 is kept, and the base string is ASCII whatever the
//     input (5.2.2).
//   - The signed set is the body's parameters and the five OAuth parameters; never realm, never the signature (5.2.1,
//     L62). A parameter that stands in body and header counts once, and must have one value (X12, L61). Duplicates of
//     others are all signed (L60).
//   - Order is by encoded name, then encoded value, as bytes (L57). The URL has scheme and host in lower case, no
//     default port, the path as sent, / for an empty one (L58).
//   - RSA-SHA256 is RSASSA-PKCS1-v1_5 with SHA-256 (L65). The HMAC key is the encoded secret, an ampersand and the
//     encoded token secret, which is empty here (5.3, L64).
//   - A signature is strict, padded Base64 (L66). That it is right and that it is fresh are separate answers (L63).
//   - What differs between readings is a field of Profile. Gateway is the document's reading and the zero value;
//     RFC5849 is that of the RFC.
//   - Keys are judged before anything is computed with them: one unencrypted RSA key in PEM, 2048 to 8192 bits (5.4,
//     L65). What else is given is named, with the remedy.
//   - No message holds a secret, a key or the value of a parameter. Types that hold one print as a mask.
//
// The package reads no clock and makes no random number: times and nonces are arguments.
//
// # Limits
//
// MaxHeaderBytes and MaxHeaderParams for the Authorization header, MaxParams for a body or a query, MaxKeyBytes and
// MaxKeyBits for keys. Body and base string are held in memory; their size is the caller's to bound. Diagnose tries
// sets of at most two mistakes.
//
// # Compatibility
//
// Ids of mistakes and codes of errors and findings are stable, and so is every signature. Texts, ranks and the set of
// mistakes may grow.
package signature
