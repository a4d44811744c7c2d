package signature

import (
	"iter"
	"strings"

	"github.com/chargecast/chargecast/internal/clause"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/signature/internal/base"
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
	ParameterDuplicate  ledger.Code = "parameter-duplicate"
	ParameterExtra      ledger.Code = "parameter-extra"
	FormPlus            ledger.Code = "form-plus"
	OAuthUnknown        ledger.Code = "oauth-unknown"
	LeadingZero         ledger.Code = "leading-zero"
	URLHost             ledger.Code = "url-host"
	HeaderUnescaped     ledger.Code = "header-unescaped"
	ContentTypeMissing  ledger.Code = "content-type-missing"
	ContentTypeCharset  ledger.Code = "content-type-charset"
	SecretEncoded       ledger.Code = "secret-encoded"
	KeyLarge            ledger.Code = "key-large"
	KeyPrivateNotNeeded ledger.Code = "key-private-not-needed"
	ByteOrderMark       ledger.Code = "byte-order-mark"
)

// Rules yields what the codes of this package mean, errors first: all but those that a payload
// gives, which package rules explains.
func Rules() iter.Seq[ledger.Rule] { return table.All() }

const (
	fail = ledger.SeverityError
	warn = ledger.SeverityWarning
)

// table has every code.
var table = ledger.NewRules([]ledger.Rule{
	{Code: URLPort, Severity: fail, Clause: clause.L58, Text: "the port is not a plain number from 1 to 65535", Help: "correct the port, or leave it out"},
	{Code: URLQuery, Severity: fail, Clause: clause.L59, Text: "the URL has a query", Help: "send the parameters in the body"},
	{Code: URLFragment, Severity: fail, Clause: clause.L59, Text: "the URL has a fragment", Help: "remove it: it is never sent"},
	{Code: URLUserinfo, Severity: fail, Clause: clause.L59, Text: "the URL has a user name or a password", Help: "remove them: they are never signed"},
	{Code: URLTemplate, Severity: fail, Clause: clause.Doc41, Text: "the path template does not have exactly one place for the endpoint id, or the id is empty", Help: "write {endpoint_id} once in the template"},
	{Code: MethodNotPost, Severity: fail, Clause: clause.L59, Text: "the HTTP method is not POST in upper case", Help: "send a POST request"},
	{Code: MethodForm, Severity: fail, Clause: clause.L59, Text: "the HTTP method has a space or a separator", Help: "write one word, such as POST"},
	{Code: ContentType, Severity: fail, Clause: clause.Doc41, Text: "the body is not form-urlencoded", Help: "send it as " + base.FormType},
	{Code: HeaderScheme, Severity: fail, Clause: clause.Doc55, Text: "the scheme of the Authorization header is not OAuth", Help: "begin the header with OAuth and a space"},
	{Code: HeaderSyntax, Severity: fail, Clause: clause.L67, Text: "the Authorization header breaks the grammar", Help: `write name="value", name="value"`},
	{Code: HeaderDuplicate, Severity: fail, Clause: clause.L67, Text: "a parameter is in the header twice", Help: "send each parameter once"},
	{Code: OAuthMissing, Severity: fail, Clause: clause.Doc51, Text: "a required OAuth parameter is absent or empty", Help: "send it"},
	{Code: OAuthConflict, Severity: fail, Clause: clause.L61, Text: "an OAuth parameter has different values in body and header", Help: "send the same value in both"},
	{Code: OAuthVersion, Severity: fail, Clause: clause.Doc51, Text: "oauth_version is not 1.0", Help: "send 1.0"},
	{Code: SignatureMethod, Severity: fail, Clause: clause.Doc51, Text: "the signature method is not RSA-SHA256 or HMAC-SHA1, or is not that of the key", Help: "name the method of the key, in upper case"},
	{Code: SignatureText, Severity: fail, Clause: clause.L66, Text: "the signature is not padded base64", Help: textFix},
	{Code: SignatureLength, Severity: fail, Clause: clause.L66, Text: "the length of the signature is not the one that the key gives", Help: "check the signature method and the key"},
	{Code: SignatureWrong, Severity: fail, Clause: clause.Doc53, Text: "the signature is not that of this request under this key", Help: "diagnose the request: known mistakes are named"},
	{Code: TimestampSyntax, Severity: fail, Clause: clause.Doc51, Text: "the timestamp is not a positive number of seconds in digits", Help: "send the seconds since 1970 in digits alone"},
	{Code: TimestampRange, Severity: fail, Clause: clause.Doc51, Text: "the timestamp is past the year 9999", Help: "send the seconds since 1970"},
	{Code: TimestampMillis, Severity: fail, Clause: clause.Doc51, Text: "the timestamp is in milliseconds", Help: sendSeconds, Note: "diagnose gives the same name to the mistake of sending seconds and signing milliseconds"},
	{Code: TimestampMicros, Severity: fail, Clause: clause.Doc51, Text: "the timestamp is in microseconds", Help: sendSeconds},
	{Code: TimestampNanos, Severity: fail, Clause: clause.Doc51, Text: "the timestamp is in nanoseconds", Help: sendSeconds},
	{Code: TimestampStale, Severity: fail, Clause: clause.L63, Text: "the timestamp is outside the window", Help: "set the clock, and send the current time"},
	{Code: NonceLength, Severity: fail, Clause: clause.L63, Text: "the nonce is shorter or longer than the verifier accepts", Help: "send a nonce of an accepted length"},
	{Code: NonceEntropy, Severity: fail, Clause: clause.Doc51, Text: "the source of random bytes failed", Help: "use the source of the operating system"},
	{Code: KeyNotPEM, Severity: fail, Clause: clause.Doc54, Text: "the file is not a PEM block, or the block was damaged", Help: "use a file that begins with -----BEGIN"},
	{Code: KeySurrounding, Severity: fail, Clause: clause.Doc54, Text: "there is text or another block before or after the key", Help: onlyBlock},
	{Code: KeyEncrypted, Severity: fail, Clause: clause.Doc54, Text: "the private key is encrypted", Help: plainCopy},
	{Code: KeyKind, Severity: fail, Clause: clause.Doc54, Text: "the file does not hold the RSA key that is needed", Help: makeRSA},
	{Code: KeyMalformed, Severity: fail, Clause: clause.Doc54, Text: "the content of the block is not a key of the kind that its label names", Help: "copy the whole file again"},
	{Code: KeyWeak, Severity: fail, Clause: clause.L65, Text: "the key has fewer than 2048 bits", Help: "make a key: openssl genrsa -out key.pem 4096"},
	{Code: KeyTooLarge, Severity: fail, Clause: clause.L65, Text: "the key has more than 8192 bits", Help: "use a key of 4096 bits"},
	{Code: KeyMissing, Severity: fail, Clause: clause.Doc53, Text: "the key is nil or its zero value", Help: "give an RSA key, or the secret as one of HMAC-SHA1"},
	{Code: SecretEmpty, Severity: fail, Clause: clause.Doc53, Text: "the consumer secret is empty", Help: "use the merchant control key"},
	{Code: MethodForbidden, Severity: fail, Clause: clause.Doc53, Text: "HMAC-SHA1 uses SHA-1, which the FIPS 140-only mode of Go forbids", Help: "run without GODEBUG=fips140=only, or sign with RSA-SHA256"},
	{Code: SigningFailed, Severity: fail, Clause: clause.Doc53, Text: "signing with the RSA key failed", Help: "check the key: openssl rsa -check -noout"},
	{Code: OptionValue, Severity: fail, Clause: clause.L63, Text: "an option has a value that it cannot have", Help: "see the documentation of Options"},
	{Code: LimitHeader, Severity: fail, Clause: clause.L67, Text: "the Authorization header has more than 8192 bytes or 64 parameters", Help: "shorten it"},
	{Code: LimitKey, Severity: fail, Clause: clause.L65, Text: "the key file has more than 65536 bytes", Help: "use a file with one key"},

	{Code: BodyMissing, Severity: warn, Clause: clause.Doc41, Text: "the request has no body", Help: "capture the request with its body"},
	{Code: ParameterDuplicate, Severity: warn, Clause: clause.L60, Text: "the body has more than one payload, and all are signed", Help: "send one"},
	{Code: OAuthUnknown, Severity: warn, Clause: clause.Doc51, Text: "there is an OAuth parameter that is not one of the five", Help: "leave it out"},
	{Code: URLHost, Severity: warn, Clause: clause.L58, Text: "the host has a final dot, an address zone or characters outside ASCII, and is signed as typed", Help: "use the form that the service registered"},
	{Code: HeaderUnescaped, Severity: warn, Clause: clause.Doc55, Text: "a value in the header is not percent-encoded, or has escapes that it does not need", Help: "percent-encode the value once"},
	{Code: ContentTypeMissing, Severity: fail, Clause: clause.Doc41, Text: "the request has no content type", Help: "send " + base.FormType},
	{Code: ContentTypeCharset, Severity: warn, Clause: clause.Doc41, Text: "the content type has parameters", Help: "send " + base.FormType + " alone"},
	{Code: SecretEncoded, Severity: warn, Clause: clause.L64, Text: "the secret has characters that are percent-encoded in the HMAC key; software that uses it raw signs differently", Help: "if the service rejects the signature, ask it for a secret of letters and digits"},
	{Code: KeyLarge, Severity: warn, Clause: clause.Doc54, Text: "the key has more than 4096 bits, which the request builders of the service do not take", Help: "use a key of 4096 bits"},
	{Code: KeyPrivateNotNeeded, Severity: warn, Clause: clause.Doc54, Text: "this is a private key, and only its public half is used", Help: "use the public key, and keep the private one where it is"},
}, []ledger.Rule{
	{Code: URLForm, Severity: fail, Clause: clause.L58, Text: "the URL is not an absolute http or https URL, or has a byte that no URL may have", Help: "write it in full, as in https://host/path, with other bytes percent-encoded"},
	{Code: FormEscape, Severity: fail, Clause: clause.Doc52, Text: "a percent sign is not followed by two hex digits", Help: "write a percent sign that is data as %25"},
	{Code: SignatureInBody, Severity: fail, Clause: clause.Doc51, Text: "the body has the parameter oauth_signature", Help: "send the signature in the header only"},
	{Code: LimitParameters, Severity: fail, Clause: clause.L56d, Text: "a body or a query has more than 10,000 parameters", Help: "send fewer parameters"},
	{Code: ParameterExtra, Severity: warn, Clause: clause.Doc41, Text: "the body has parameters beside payload, and they are signed", Help: "create-recurring-payments takes one parameter"},
	{Code: FormPlus, Severity: warn, Clause: clause.L68, Text: "the body has a plus sign, which is read as a space", Help: "write a space as %20 and a plus sign as %2B"},
	{Code: LeadingZero, Severity: warn, Clause: clause.Doc51, Text: "the timestamp has leading zeros and is signed with them", Help: "send it without them"},
	{Code: ByteOrderMark, Severity: warn, Clause: clause.Doc54, Text: "the key file begins with a byte-order mark", Help: "save it without one"},
})

// The inputs that a finding can be about, beside those of a request. They are the File of its
// place.
const (
	partKey     = "key"
	partSecret  = "secret"
	partOptions = "options"
	partText    = "text"
)

// found returns the finding of a code; a message or help replaces that of the rule unless empty.
func found(code ledger.Code, part, message, help string) ledger.Finding {
	f := table.Finding(code, message, help)
	f.Place.File = part
	return f
}

// about makes a finding name the parameter that it is about.
func about(f ledger.Finding, parameter string) ledger.Finding {
	f.Kind, f.Subject = ledger.SubjectParameter, parameter
	return f
}

// findingOf returns the finding of a problem, with its offset.
func findingOf(p *base.Problem) ledger.Finding {
	f := found(p.Code, p.Part, p.Message, p.Help)
	if p.Parameter != "" {
		f = about(f, p.Parameter)
	}
	if p.Offset >= 0 {
		f.Place.Line, f.Place.Offset = 1, int64(p.Offset)
	}
	return f
}

func findingsOf(problems []base.Problem) ledger.Findings {
	var list ledger.Findings
	for i := range problems {
		list = append(list, findingOf(&problems[i]))
	}
	return list
}

// located returns the finding of a problem with line and column of its place in a text.
func located(p *base.Problem, text string) ledger.Finding {
	f := findingOf(p)
	if f.Place.Line > 0 {
		before := text[:min(p.Offset, len(text))]
		f.Place.Line = 1 + strings.Count(before, "\n")
		f.Place.Col = len(before) - strings.LastIndexByte(before, '\n')
	}
	return f
}
