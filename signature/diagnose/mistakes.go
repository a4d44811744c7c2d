package diagnose

import (
	"iter"
	"slices"
	"strings"

	"github.com/chargecast/chargecast/signature"
	"github.com/chargecast/chargecast/signature/internal/base"
)

// A Mistake is one known way to sign wrongly. IDs are stable.
type Mistake struct {
	ID   string
	Rank int    // 1 is what integrators meet most
	Slot string // two mistakes of one slot exclude one another; the ID if no other mistake shares it
	Text string // what was done
	Fix  string // what to do

	// How it is made: in one or more variants, each a change of the stages, or by the form of the
	// signature's text. Mistakes of RSA padding have neither: they are recovered from the
	// signature.
	variants []variant
	read     func(text string) ([]byte, bool)
	hmac     bool // for HMAC keys only
}

// A variant is one way to make a mistake. It changes a candidate, and reports whether it can change
// anything in this request, if only beside another mistake.
type variant struct {
	step    step
	apply   func(*candidate) bool
	mistake int // its place among all mistakes
}

// A step is when a variant is made: those of a pair are made in this order, whichever was picked
// first.
type step uint8

const (
	stepCollect step = iota // which parameters there are
	stepValue               // their decoded values
	stepPayload             // the payload and the end of the body
	stepText                // text to bytes
	stepInput               // values that were not decoded, or encoded before
	stepTwice               // copies of what has become of the OAuth parameters
	stepFlag                // how the parameter string is sorted and written
	stepScheme              // from here on the parameter string stays as it is
	stepHost
	stepSegment
	stepPath
	stepSlash
	stepRest
)

// changesParams reports whether the parameter string has to be made again.
func (v variant) changesParams() bool { return v.step < stepScheme }

// Mistakes yields all mistakes that [Request] knows, group by group.
func Mistakes() iter.Seq[Mistake] {
	return func(yield func(Mistake) bool) {
		for _, m := range allMistakes() {
			if !yield(m) {
				return
			}
		}
	}
}

func allMistakes() []Mistake {
	var all []Mistake
	for _, group := range [...][]Mistake{encodingMistakes(), collectionMistakes(), orderMistakes(), urlMistakes(), keyMistakes(), paddingMistakes(), textMistakes()} {
		all = append(all, group...)
	}
	for i := range all {
		if all[i].Slot == "" {
			all[i].Slot = all[i].ID
		}
		for j := range all[i].variants {
			all[i].variants[j].mistake = i
		}
	}
	return all
}

// variantOf returns a variant for each of a list, all made at one step.
func variantOf[T any](at step, list []T, change func(c *candidate, one T) bool) []variant {
	var out []variant
	for _, one := range list {
		out = append(out, variant{step: at, apply: func(c *candidate) bool { return change(c, one) }})
	}
	return out
}

// variants are changes that are made at one step.
func variants(at step, changes ...func(*candidate) bool) []variant {
	return variantOf(at, changes, func(c *candidate, change func(*candidate) bool) bool { return change(c) })
}

// always are variants of which each can change something in any request.
func always(at step, changes ...func(*candidate)) []variant {
	return variantOf(at, changes, func(c *candidate, change func(*candidate)) bool { change(c); return true })
}

// wrongEncoder has two variants: names and values only, or the elements of the base string as well.
func wrongEncoder(e encoder) []variant {
	return always(stepFlag,
		func(c *candidate) { c.encode(&e) },
		func(c *candidate) {
			c.encode(&e)
			c.elements = &e
			c.params, c.uri = c.params.orElse(&e), c.uri.orElse(&e)
		})
}

const rfc3986Fix = "percent-encode with RFC 3986: only A–Z a–z 0–9 - . _ ~ stay, all else is %XX in upper case"

func encodingMistakes() []Mistake {
	return []Mistake{
		{ID: "plus-for-space", Rank: 1, Slot: "encoding", Text: "a form encoder was used: spaces became + instead of %20",
			Fix: "replace + by %20 after encoding", variants: wrongEncoder(encoder{space: '+'})},
		{ID: idRawPlus, Rank: 1, Slot: "input", Text: "the body that was sent has + or a space where %2B was signed, and a form reads both as a space: the body is wrong, not the signature",
			Fix: "percent-encode the body that is sent, so that + is %2B, and go on signing the values as you do", variants: variants(stepInput, func(c *candidate) bool { return c.readPlus() })},
		{ID: idNotDecoded, Rank: 2, Slot: "input", Text: "the parameters of the body were taken in their encoded form and encoded again",
			Fix: "sign the decoded values, each encoded once", variants: notDecoded()},
		{ID: "oauth-encoded-twice", Rank: 2, Slot: "oauth input", Text: "the values of the OAuth parameters were encoded before they were signed",
			Fix: "pass them to the signing step as they are", variants: variants(stepInput, func(c *candidate) bool {
				c.oauth = mapped(c.oauth, func(it *item) { it.Value = signature.Encode(it.Value) })
				return true
			})},
		{ID: "values-not-encoded", Rank: 3, Slot: "values", Text: "the values were joined without being percent-encoded, or the body was encoded once more after it was signed",
			Fix: "percent-encode each value before joining; if the body that is sent has %25 where the signed one has %, send it as it was signed", variants: always(stepFlag, func(c *candidate) { c.values = rawEncoder })},
		{ID: "parameters-not-encoded-again", Rank: 3, Slot: "third element", Text: "the joined parameters were not encoded as a whole",
			Fix: "percent-encode the joined parameters once more, so that = becomes %3D and & becomes %26", variants: always(stepFlag, func(c *candidate) { c.params = rawEncoder })},
		{ID: "asterisk-unencoded", Rank: 11, Slot: "encoding", Text: "the asterisk was left as it is, as Java's form encoder does",
			Fix: "replace * by %2A after encoding", variants: wrongEncoder(encoder{keeps: "*"})},
		{ID: "marks-unencoded", Rank: 11, Slot: "encoding", Text: "! * ' ( ) were left as they are, as JavaScript's encodeURIComponent does",
			Fix: "encode these five as well", variants: wrongEncoder(encoder{keeps: "!*'()"})},
		{ID: "tilde-encoded", Rank: 12, Slot: "encoding", Text: "the tilde became %7E", Fix: "leave ~ as it is", variants: wrongEncoder(encoder{takes: "~"})},
		{ID: "latin1-text", Rank: 24, Slot: "text", Text: "the text was encoded as Latin-1 bytes", Fix: "encode text as UTF-8", variants: inText(latin1)},
		{ID: "slash-unencoded", Rank: 28, Slot: "encoding", Text: "the slash was left as it is, as Python's quote does by default",
			Fix: "encode / as %2F", variants: wrongEncoder(encoder{keeps: "/"})},
		{ID: "lowercase-hex", Rank: 28, Slot: "encoding", Text: "escapes were written with lower-case hex digits", Fix: rfc3986Fix, variants: wrongEncoder(encoder{lower: true})},
		{ID: "names-not-encoded", Rank: 29, Slot: "names", Text: "the names were joined without being percent-encoded",
			Fix: "percent-encode names like values", variants: always(stepFlag, func(c *candidate) { c.names = rawEncoder })},
		{ID: "url-not-encoded", Rank: 32, Slot: "second element", Text: "the URL was not encoded in the base string",
			Fix: "percent-encode the URL as a whole", variants: always(stepRest, func(c *candidate) { c.uri = rawEncoder })},
		{ID: "base-encoded-whole", Rank: 32, Slot: "base", Text: "the finished base string was encoded once more",
			Fix: "sign the base string as it is", variants: always(stepRest, func(c *candidate) { c.whole = true })},
	}
}

func collectionMistakes() []Mistake {
	const five = "sign each OAuth parameter of the header once, except the signature"
	return []Mistake{
		{ID: "payload-plus-to-space", Rank: 4, Slot: "payload", Text: "each + of the payload's base64 became a space",
			Fix: "send + as %2B, and do not form-decode the payload before signing", variants: inPayload(payloadSpaces)},
		{ID: "body-omitted", Rank: 5, Slot: "body", Text: "the body's parameters were not signed", Fix: "add the body's parameters to the signed set",
			variants: variants(stepCollect, func(c *candidate) bool { c.body = nil; return len(c.o.body) > 0 })},
		{ID: "realm-signed", Rank: 18, Text: "realm was signed", Fix: "leave realm out of the signed set", variants: addOAuth(base.Realm)},
		{ID: "timestamp-milliseconds", Rank: 30, Text: "the timestamp was sent in seconds but signed in milliseconds",
			Fix: "sign the value that is sent", variants: inOAuth(base.Timestamp, func(value string) string { return value + "000" })},
		{ID: "consumer-key-space", Rank: 17, Slot: "consumer key", Text: "the consumer key was signed with a space or line end at one end of it, and sent without, or the reverse",
			Fix: "trim the merchant login where it is read", variants: inOAuth(base.ConsumerKey, strings.TrimSpace, wrapped("", " "), wrapped(" ", ""), wrapped("", "\n"), wrapped("", "\r\n"))},
		{ID: "consumer-key-case", Rank: 17, Slot: "consumer key", Text: "the consumer key was signed in another letter case than it was sent",
			Fix: "sign and send the merchant login as it was given to you", variants: inOAuth(base.ConsumerKey, strings.ToLower, strings.ToUpper)},
		{ID: idExtras, Rank: 17, Text: "parameters of the header beyond the five were signed", Fix: "sign the five OAuth parameters of the header and the parameters of the body, and send no others",
			variants: addExtras()},
		{ID: "oauth-unsigned", Rank: 18, Text: "no OAuth parameter of the header was signed", Fix: five,
			variants: always(stepCollect, func(c *candidate) { c.oauth = nil })},
		{ID: "oauth-twice", Rank: 31, Text: "the OAuth parameters were signed twice, for body and header", Fix: five,
			variants: always(stepTwice, func(c *candidate) { c.body = slices.Concat(c.body, c.oauth) })},
		{ID: "signature-signed", Rank: 31, Text: "an empty oauth_signature was signed", Fix: five, variants: addOAuth(base.Signature)},
		{ID: "version-omitted", Rank: 31, Text: "oauth_version was sent but not signed", Fix: five, variants: variants(stepCollect, func(c *candidate) bool {
			before := len(c.oauth)
			c.oauth = slices.DeleteFunc(slices.Clone(c.oauth), func(it item) bool { return it.Name == base.Version })
			return len(c.oauth) < before
		})},
		{ID: "empty-token-added", Rank: 31, Text: "an empty oauth_token was signed", Fix: "leave oauth_token out: this service has no token",
			variants: addOAuth(base.Token)},
		{ID: idParameterAdded, Rank: 31, Slot: "added", Text: "one parameter was added after signing, or was not signed",
			Fix: "sign every parameter that is sent; a proxy, a library or a tracker may add one on the way"},
		{ID: "empty-values-dropped", Rank: 32, Text: "parameters with an empty value were not signed", Fix: "sign them as name=",
			variants: always(stepFlag, func(c *candidate) { c.dropEmpty = true })},
		{ID: "payload-raw-csv", Rank: 32, Slot: "payload", Text: "the CSV was signed, but its base64 was sent", Fix: "sign the payload's base64",
			variants: inPayload(payloadCSV)},
		{ID: "body-final-newline", Rank: 20, Slot: "body end", Text: "a line end at the end of the body, or of the payload's CSV, was signed and not sent, or the reverse: a shell drops it in $(…)",
			Fix: "read the file once, and sign and send the same bytes", variants: finalNewlines()},
		{ID: "payload-crlf", Rank: 20, Slot: "payload", Text: "the lines of the CSV were signed with CRLF and sent with LF",
			Fix: "encode the CSV once, and sign and send the same base64", variants: inPayload(payloadCRLF)},
		{ID: "payload-lf", Rank: 20, Slot: "payload", Text: "the lines of the CSV were signed with LF and sent with CRLF",
			Fix: "encode the CSV once, and sign and send the same base64", variants: inPayload(payloadLF)},
		{ID: "payload-wrapped", Rank: 20, Slot: "payload", Text: "the base64 of the payload has line breaks either where it was signed or where it was sent, but not in both",
			Fix: "use an encoder without line breaks, and sign and send the same base64", variants: wrappedPayloads()},
		{ID: "payload-urlsafe", Rank: 32, Slot: "payload", Text: "the payload was signed in one base64 alphabet, standard or URL-safe, and sent in the other",
			Fix: "sign and send standard base64", variants: append(inPayload(payloadURLSafe), inPayload(payloadStandard)...)},
		{ID: "payload-unpadded", Rank: 32, Slot: "payload", Text: "the = at the end of the payload's base64 was signed or sent, but not both",
			Fix: "sign and send padded base64", variants: append(inPayload(payloadUnpadded), inPayload(payloadPadded)...)},
	}
}

func orderMistakes() []Mistake {
	const fix = "sort by encoded name, then by encoded value, as bytes"
	return []Mistake{
		{ID: "sort-joined-pairs", Rank: 13, Slot: "order", Text: "the joined name=value texts were sorted", Fix: fix, variants: inOrder(orderJoined)},
		{ID: "sort-raw-names", Rank: 14, Slot: "order", Text: "the parameters were sorted before they were encoded", Fix: fix, variants: inOrder(orderRawBytes, orderRawUTF16)},
		{ID: "sort-ignoring-case", Rank: 15, Slot: "order", Text: "the parameters were sorted without regard to case", Fix: fix, variants: inOrder(orderIgnoringCase)},
		{ID: "unsorted", Rank: 32, Slot: "order", Text: "the parameters were not sorted", Fix: fix, variants: unsorted()},
	}
}

func urlMistakes() []Mistake {
	const fix = "sign scheme and host in lower case, no default port, the path as sent"
	return []Mistake{
		{ID: "default-port-kept", Rank: 7, Slot: "port", Text: "the default port of the scheme was kept in the URL, or added to it", Fix: "leave out :443 and :80",
			variants: keptPorts()},
		{ID: "port-dropped", Rank: 8, Slot: "port", Text: "the port was left out of the URL", Fix: "keep a port that is not the default of the scheme",
			variants: variants(stepHost, func(c *candidate) bool { return c.o.port != "" && c.setPort("") })},
		{ID: "url-verbatim", Rank: 6, Slot: "url", Text: "the URL was signed as typed", Fix: fix,
			variants: verbatimURL()},
		{ID: "http-for-https", Rank: 25, Text: "the other scheme of http and https was signed", Fix: "sign the scheme that the client used; a proxy that ends TLS hides it",
			variants: always(stepScheme, func(c *candidate) {
				if c.scheme = "https"; c.o.scheme == "https" {
					c.scheme = "http"
				}
			})},
		{ID: "path-decoded", Rank: 26, Text: "the path was percent-decoded", Fix: "sign the path as sent", variants: variants(stepPath, func(c *candidate) bool {
			path, bad := base.Decode(c.path)
			if bad >= 0 {
				return false
			}
			c.path = path
			return strings.Contains(c.o.url.Path, "%")
		})},
		{ID: "host-case-kept", Rank: 26, Text: "scheme and host were signed as typed", Fix: "write scheme and host in lower case",
			variants: variants(stepHost, func(c *candidate) bool {
				if c.host = c.o.url.Host; c.scheme == c.o.scheme {
					c.scheme = c.o.url.Scheme
				}
				return c.host != c.o.host || c.o.url.Scheme != c.o.scheme
			})},
		{ID: "trailing-slash-added", Rank: 26, Slot: "slash", Text: "a slash was added to the path", Fix: "sign the path as sent", variants: always(stepSlash, func(c *candidate) { c.path += "/" })},
		{ID: "empty-path-kept", Rank: 26, Slot: "slash", Text: "an empty path was signed without its slash", Fix: "sign / for an empty path",
			variants: variants(stepSlash, func(c *candidate) bool {
				if c.path == "/" {
					c.path = ""
				}
				return c.o.path == "/"
			})},
		{ID: idSegment, Rank: 26, Text: "the end of the path was not signed: the endpoint id, or a final slash, which a client or proxy may add", Fix: "sign the path as it is sent",
			variants: droppedSegments()},
		{ID: "host-other", Rank: 25, Slot: "host", Text: "another host was signed than the one of this request",
			Fix: "sign the host that the service is reached by; a proxy or a setting for another environment changes it", variants: otherHosts()},
		{ID: "path-other", Rank: 26, Slot: "path", Text: "another path was signed than the one of this request",
			Fix: "sign the path that is sent; a proxy may add or remove its beginning", variants: otherPaths()},
		{ID: "path-only", Rank: 32, Slot: "url", Text: "the path was signed without scheme and host", Fix: "sign the full URL", variants: always(stepRest, func(c *candidate) { c.pathOnly = true })},
		{ID: "method-lowercase", Rank: 32, Slot: "method", Text: "the HTTP method was signed in lower case", Fix: "sign it in upper case",
			variants: always(stepRest, func(c *candidate) { c.method = strings.ToLower(c.method) })},
		{ID: "method-get", Rank: 32, Slot: "method", Text: "another HTTP method was signed than was sent", Fix: "sign the method of the request",
			variants: always(stepRest, func(c *candidate) { c.method = "GET" })},
	}
}

func keyMistakes() []Mistake {
	const fix = "the HMAC key is the encoded secret and an ampersand"
	const clean = "use the secret alone, as it was given to you"
	var nulls []variant
	for _, word := range nullWords {
		nulls = append(nulls, inKey(func(secret string) string { return rightKey(secret) + word })...)
	}
	raw := func(secret string) string { return secret }
	return []Mistake{
		{ID: "secret-not-encoded", Rank: 9, Slot: "key", hmac: true, Text: "the secret was used raw in the HMAC key", Fix: "percent-encode the secret", variants: inKey(rawKey)},
		{ID: "key-ampersand-missing", Rank: 10, Slot: "key", hmac: true, Text: "the HMAC key has no ampersand", Fix: fix + ", which stays although the token secret is empty",
			variants: inKey(signature.Encode, raw)},
		{ID: "secret-newline", Rank: 27, Slot: "key", hmac: true, Text: "the secret was read with the line end after it", Fix: "strip the line end of the file",
			variants: inSecret(wrapped("", "\n"), wrapped("", "\r\n"))},
		{ID: "secret-space", Rank: 27, Slot: "key", hmac: true, Text: "the secret was used with a space or tab at one end, or without the one that it has", Fix: clean,
			variants: inSecret(wrapped("", " "), wrapped(" ", ""), wrapped(" ", " "), wrapped("", "\t"), wrapped("\t", ""), func(s string) string { return strings.Trim(s, " \t") })},
		{ID: "secret-quotes", Rank: 27, Slot: "key", hmac: true, Text: "the secret was used with quotes around it, or without those that it has", Fix: clean,
			variants: inSecret(wrapped(`"`, `"`), wrapped("'", "'"), wrapped("`", "`"), func(s string) string { return strings.Trim(s, "\"'`") })},
		{ID: "secret-bom", Rank: 27, Slot: "key", hmac: true, Text: "the secret was used with the byte-order mark of its file", Fix: "save the file without a byte-order mark, or strip it",
			variants: inSecret(wrapped("\ufeff", ""), func(s string) string { return strings.TrimPrefix(s, "\ufeff") })},
		{ID: "secret-utf16", Rank: 27, Slot: "key", hmac: true, Text: "the secret was used in UTF-16", Fix: "use its UTF-8 bytes",
			variants: inSecret(func(s string) string { return toUTF16(s, true) }, func(s string) string { return toUTF16(s, false) },
				func(s string) string { return toUTF16("\ufeff"+s, true) }, func(s string) string { return toUTF16("\ufeff"+s, false) })},
		{ID: "secret-name", Rank: 27, Slot: "key", hmac: true, Text: "the secret was used with its name before it, as in NAME=, or without the one that it has", Fix: clean,
			variants: namedSecrets()},
		{ID: "secret-case", Rank: 27, Slot: "key", hmac: true, Text: "the secret was used in another letter case", Fix: clean,
			variants: inSecret(strings.ToLower, strings.ToUpper)},
		{ID: "base-newline", Rank: 27, Slot: "base end", Text: "a line end was signed after the base string", Fix: "use printf, not echo, to pass a text to a tool",
			variants: always(stepRest, func(c *candidate) { c.end = "\n" }, func(c *candidate) { c.end = "\r\n" })},
		{ID: "bom-in-base", Rank: 27, Slot: "base start", Text: "a byte-order mark was signed in front of the base string",
			Fix: "write the text that a tool signs without a byte-order mark", variants: always(stepRest, func(c *candidate) { c.bom = "\xef\xbb\xbf" })},
		{ID: "secrets-swapped", Rank: 32, Slot: "key", hmac: true, Text: "consumer secret and token secret were exchanged in the HMAC key", Fix: fix, variants: inKey(func(secret string) string { return "&" + signature.Encode(secret) })},
		{ID: "token-secret-null", Rank: 32, Slot: "key", hmac: true, Text: "the absent token secret was written as null, None or the like", Fix: "end the HMAC key with the ampersand", variants: nulls},
	}
}

const (
	idRawPlus        = "body-raw-plus"
	idNotDecoded     = "not-decoded"
	idParameterAdded = "parameter-added"
	idSegment        = "last-segment-dropped"
	idExtras         = "header-parameters-signed"
	idWrongHash      = "wrong-hash"
	idPSS            = "rsa-pss"
	idHashedTwice    = "rsa-digest-hashed-twice"
	idBareDigest     = "rsa-digestinfo-missing"
	idOtherKey       = "rsa-other-key"
	idLittleEndian   = "rsa-little-endian"
)

// paddingMistakes are recognised by what the signature recovers to; only the hash of HMAC is tried.
func paddingMistakes() []Mistake {
	const fix = "sign with RSASSA-PKCS1-v1_5 and SHA-256 over the base string"
	return []Mistake{
		{ID: idWrongHash, Rank: 21, Slot: "hash", hmac: true, Text: "another hash was used than the signature method names", Fix: "use SHA-256 for RSA-SHA256 and SHA-1 for HMAC-SHA1",
			variants: always(stepRest, func(c *candidate) { c.hash = hashSHA256 }, func(c *candidate) { c.hash = hashSHA512 })},
		{ID: idPSS, Rank: 21, Slot: "padding", Text: "the signature has PSS padding", Fix: fix},
		{ID: idHashedTwice, Rank: 21, Slot: "padding", Text: "the digest was hashed again before it was signed", Fix: "pass the base string to the signing function, not its digest"},
		{ID: idBareDigest, Rank: 21, Slot: "padding", Text: "the bare digest was padded, without the DigestInfo that names the hash", Fix: fix},
		{ID: idOtherKey, Rank: 22, Slot: "padding", Text: "no reading verifies with this public key: another key signed, or the signature was changed",
			Fix: "compare the fingerprints of the two keys; testing and production have different keys"},
		{ID: idLittleEndian, Rank: 32, Slot: "byte order", Text: "the bytes of the signature are reversed, as Windows CryptoAPI returns them", Fix: "reverse the bytes before encoding them in base64"},
	}
}

func textMistakes() []Mistake {
	var all []Mistake
	for _, f := range base.TextForms() {
		all = append(all, Mistake{ID: f.ID, Rank: f.Rank, Slot: "signature text", Text: f.Text, Fix: f.Fix, read: f.Read})
	}
	return all
}
