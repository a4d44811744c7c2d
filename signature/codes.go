package signature

import (
	"iter"

	"github.com/chargecast/chargecast/internal/clause"
	"github.com/chargecast/chargecast/ledger"
)

// The codes of what makes a request, a header, a key or an option unusable, and of what makes a
// signature unacceptable. Each is an error value: errors.Is(err, HeaderSyntax).
const (
	URLForm         ledger.Code = "url-form"
	URLPort         ledger.Code = "url-port"
	URLQuery        ledger.Code = "url-query"
	URLFragment     ledger.Code = "url-fragment"
	URLUserinfo     ledger.Code = "url-userinfo"
	URLTemplate     ledger.Code = "url-template"
	MethodNotPost   ledger.Code = "method-not-post"
	MethodForm      ledger.Code = "method-form"
	FormEscape      ledger.Code = "form-escape"
	ContentType     ledger.Code = "content-type"
	RequestForm     ledger.Code = "request-form"
	HeaderScheme    ledger.Code = "header-scheme"
	HeaderSyntax    ledger.Code = "header-syntax"
	HeaderDuplicate ledger.Code = "header-duplicate"
	OAuthMissing    ledger.Code = "oauth-missing"
	OAuthConflict   ledger.Code = "oauth-conflict"
	OAuthVersion    ledger.Code = "oauth-version"
	SignatureInBody ledger.Code = "signature-in-body"
	SignatureMethod ledger.Code = "signature-method"
	SignatureText   ledger.Code = "signature-text"
	SignatureLength ledger.Code = "signature-length"
	SignatureWrong  ledger.Code = "signature-mismatch"
	TimestampSyntax ledger.Code = "timestamp-syntax"
	TimestampRange  ledger.Code = "timestamp-range"
	TimestampMillis ledger.Code = "timestamp-milliseconds"
	TimestampMicros ledger.Code = "timestamp-microseconds"
	TimestampNanos  ledger.Code = "timestamp-nanoseconds"
	TimestampStale  ledger.Code = "timestamp-outside-window"
	NonceLength     ledger.Code = "nonce-length"
	NonceReused     ledger.Code = "nonce-reused"
	NonceEntropy    ledger.Code = "entropy"
	KeyNotPEM       ledger.Code = "key-not-pem"
	KeySurrounding  ledger.Code = "key-surrounding-text"
	KeyEncrypted    ledger.Code = "key-encrypted"
	KeyKind         ledger.Code = "key-kind"
	KeyMalformed    ledger.Code = "key-malformed"
	KeyWeak         ledger.Code = "key-weak"
	KeyTooLarge     ledger.Code = "key-too-large"
	KeyMissing      ledger.Code = "key-missing"
	SecretEmpty     ledger.Code = "secret-empty"
	MethodForbidden ledger.Code = "method-forbidden"
	SigningFailed   ledger.Code = "signing-failed"
	OptionValue     ledger.Code = "option-value"
	LimitHeader     ledger.Code = "limit-header"
	LimitKey        ledger.Code = "limit-key"
	LimitParameters ledger.Code = "limit-parameters"
)

// The codes of what is remarkable but does not make a signature unacceptable.
const (
	BodyMissing         ledger.Code = "body-missing"
	BodyNotSigned       ledger.Code = "body-not-signed"
	ParameterDuplicate  ledger.Code = "parameter-duplicate"
	ParameterExtra      ledger.Code = "parameter-extra"
	FormPlus            ledger.Code = "form-plus"
	OAuthUnknown        ledger.Code = "oauth-unknown"
	LeadingZero         ledger.Code = "leading-zero"
	URLHost             ledger.Code = "url-host"
	HeaderUnescaped     ledger.Code = "header-unescaped"
	ContentTypeMissing  ledger.Code = "content-type-missing"
	ContentTypeCharset  ledger.Code = "content-type-charset"
	ContentLength       ledger.Code = "content-length"
	SecretEncoded       ledger.Code = "secret-encoded"
	KeyLarge            ledger.Code = "key-large"
	KeyPrivateNotNeeded ledger.Code = "key-private-not-needed"
	KeyReused           ledger.Code = "key-reused"
	ByteOrderMark       ledger.Code = "byte-order-mark"
)

// A Rule explains one code of this package.
type Rule struct {
	Code     ledger.Code
	Severity ledger.Severity // of most of its findings
	Clause   ledger.Clause   // the clause or ledger entry that the rule comes from
	Text     string          // what is wrong
	Help     string          // what to do
}

// Rules yields every code that this package gives, errors first.
func Rules() iter.Seq[Rule] {
	return func(yield func(Rule) bool) {
		for _, r := range rules {
			if !yield(r) {
				return
			}
		}
	}
}

const (
	fail = ledger.SeverityError
	warn = ledger.SeverityWarning
)

// rules is the one table of codes; nothing writes to it.
var rules = [...]Rule{
	{URLForm, fail, clause.L58, "the URL is not an absolute http or https URL, or has a byte that no URL may have", "write it in full, as in https://host/path, with other bytes percent-encoded"},
	{URLPort, fail, clause.L58, "the port is not a plain number from 1 to 65535", "correct the port, or leave it out"},
	{URLQuery, fail, clause.L59, "the URL has a query", "send the parameters in the body; the profile rfc5849 signs a query"},
	{URLFragment, fail, clause.L59, "the URL has a fragment", "remove it: it is never sent"},
	{URLUserinfo, fail, clause.L59, "the URL has a user name or a password", "remove them: they are never signed"},
	{URLTemplate, fail, clause.Doc41, "the path template does not have exactly one place for the endpoint id, or the id is empty", "write {endpoint_id} once in the template"},
	{MethodNotPost, fail, clause.L59, "the HTTP method is not POST in upper case", "send a POST request"},
	{MethodForm, fail, clause.L59, "the HTTP method has a space or a separator", "write one word, such as POST"},
	{FormEscape, fail, clause.Doc52, "a percent sign is not followed by two hex digits", "write a percent sign that is data as %25"},
	{ContentType, fail, clause.Doc41, "the body is not form-urlencoded", "send it as " + formType},
	{RequestForm, fail, clause.Doc41, "the text is not a captured HTTP request that can be read", "capture the request line, the header lines, an empty line and the body"},
	{HeaderScheme, fail, clause.Doc55, "the scheme of the Authorization header is not OAuth", "begin the header with OAuth and a space"},
	{HeaderSyntax, fail, clause.L67, "the Authorization header breaks the grammar", `write name="value", name="value"`},
	{HeaderDuplicate, fail, clause.L67, "a parameter is in the header twice", "send each parameter once"},
	{OAuthMissing, fail, clause.Doc51, "a required OAuth parameter is absent or empty", "send it"},
	{OAuthConflict, fail, clause.L61, "an OAuth parameter has different values in body and header", "send the same value in both"},
	{OAuthVersion, fail, clause.Doc51, "oauth_version is not 1.0", "send 1.0"},
	{SignatureInBody, fail, clause.Doc51, "the body has the parameter oauth_signature", "send the signature in the header only"},
	{SignatureMethod, fail, clause.Doc51, "the signature method is not RSA-SHA256 or HMAC-SHA1, or is not that of the key", "name the method of the key, in upper case"},
	{SignatureText, fail, clause.L66, "the signature is not padded base64", textFix},
	{SignatureLength, fail, clause.L66, "the length of the signature is not the one that the key gives", "check the signature method and the key"},
	{SignatureWrong, fail, clause.Doc53, "the signature is not that of this request under this key", "diagnose the request: known mistakes are named"},
	{TimestampSyntax, fail, clause.Doc51, "the timestamp is not a positive number of seconds in digits", "send the seconds since 1970 in digits alone"},
	{TimestampRange, fail, clause.Doc51, "the timestamp is past the year 9999", "send the seconds since 1970"},
	{TimestampMillis, fail, clause.Doc51, "the timestamp is in milliseconds", "send the seconds since 1970"},
	{TimestampMicros, fail, clause.Doc51, "the timestamp is in microseconds", "send the seconds since 1970"},
	{TimestampNanos, fail, clause.Doc51, "the timestamp is in nanoseconds", "send the seconds since 1970"},
	{TimestampStale, fail, clause.L63, "the timestamp is outside the window", "set the clock, and send the current time"},
	{NonceLength, fail, clause.L63, "the nonce is shorter or longer than the verifier accepts", "send a nonce of an accepted length"},
	{NonceReused, fail, clause.L63, "the nonce was used before by this consumer at this second", "send a new nonce with each request"},
	{NonceEntropy, fail, clause.Doc51, "the source of random bytes failed", "use crypto/rand.Reader"},
	{KeyNotPEM, fail, clause.Doc54, "the file is not a PEM block, or the block was damaged", "use a file that begins with -----BEGIN"},
	{KeySurrounding, fail, clause.Doc54, "there is text or another block before or after the key", onlyBlock},
	{KeyEncrypted, fail, clause.Doc54, "the private key is encrypted", plainCopy},
	{KeyKind, fail, clause.Doc54, "the file does not hold the RSA key that is needed", makeRSA},
	{KeyMalformed, fail, clause.Doc54, "the content of the block is not a key of the kind that its label names", "copy the whole file again"},
	{KeyWeak, fail, clause.L65, "the key has fewer than 2048 bits", "make a key: openssl genrsa -out key.pem 4096"},
	{KeyTooLarge, fail, clause.L65, "the key has more than 8192 bits", "use a key of 4096 bits"},
	{KeyMissing, fail, clause.Doc53, "the key is nil or its zero value", "load a key, or make a secret with NewSecret"},
	{SecretEmpty, fail, clause.Doc53, "the consumer secret is empty", "use the merchant control key"},
	{MethodForbidden, fail, clause.Doc53, "HMAC-SHA1 uses SHA-1, which the FIPS 140-only mode of Go forbids", "run without GODEBUG=fips140=only, or sign with RSA-SHA256"},
	{SigningFailed, fail, clause.Doc53, "signing with the RSA key failed", "check the key: openssl rsa -check -noout"},
	{OptionValue, fail, clause.L63, "an option has a value that it cannot have", "see the documentation of Options"},
	{LimitHeader, fail, clause.L67, "the Authorization header has more than 8192 bytes or 64 parameters", "shorten it"},
	{LimitKey, fail, clause.L65, "the key file has more than 65536 bytes", "use a file with one key"},
	{LimitParameters, fail, clause.L56d, "a body or a query has more than 9999 parameters", "send fewer parameters"},

	{BodyMissing, warn, clause.Doc41, "the request has no body", "capture the request with its body"},
	{BodyNotSigned, warn, clause.Doc52, "the body is not a form, so the signature does not cover it", "protect such a body by other means"},
	{ParameterDuplicate, warn, clause.L60, "the body has more than one payload, and all are signed", "send one"},
	{ParameterExtra, warn, clause.Doc41, "the body has parameters beside payload, and they are signed", "create-recurring-payments takes one parameter"},
	{FormPlus, warn, clause.L68, "the body has a plus sign, which is read as a space", "write a space as %20 and a plus sign as %2B"},
	{OAuthUnknown, warn, clause.Doc51, "there is an OAuth parameter that is not one of the five", "leave it out"},
	{LeadingZero, warn, clause.Doc51, "the timestamp has leading zeros and is signed with them", "send it without them"},
	{URLHost, warn, clause.L58, "the host has a final dot, an address zone or characters outside ASCII, and is signed as typed", "use the form that the service registered"},
	{HeaderUnescaped, warn, clause.Doc55, "a value in the header is not percent-encoded, or has escapes that it does not need", "percent-encode the value once"},
	{ContentTypeMissing, warn, clause.Doc41, "the request has no content type", "send " + formType},
	{ContentTypeCharset, warn, clause.Doc41, "the content type has parameters", "send " + formType + " alone"},
	{ContentLength, warn, clause.Doc41, "the length of the body is not that of Content-Length", "capture the request whole"},
	{SecretEncoded, warn, clause.L64, "the secret has characters that are percent-encoded in the HMAC key; software that uses it raw signs differently", "if the service rejects the signature, ask it for a secret of letters and digits"},
	{KeyLarge, warn, clause.Doc54, "the key has more than 4096 bits, which the request builders of the service do not take", "use a key of 4096 bits"},
	{KeyPrivateNotNeeded, warn, clause.Doc54, "this is a private key, and only its public half is used", "use the public key, and keep the private one where it is"},
	{KeyReused, warn, clause.Doc54, "testing and production use the same key", "make a key for each"},
	{ByteOrderMark, warn, clause.Doc54, "the key file begins with a byte-order mark", "save it without one"},
}
