package signature

import "strconv"

// Code names one kind of error or finding: short, kebab-case, stable. A Code is itself an error, so that
// errors.Is(err, signature.HeaderSyntax) asks for it; the zero Code, the empty text, names nothing.
type Code string

// Error gives the code's text.
func (c Code) Error() string { return string(c) }

// Codes of errors: what was given cannot be used.
const (
	URLForm          Code = "url-form"          // no absolute http or https URL, or a byte that no URL has
	URLPort          Code = "url-port"          // the port is no number from 1 to 65535
	URLQuery         Code = "url-query"         // a query where the profile allows none (L59)
	URLFragment      Code = "url-fragment"      // a fragment where the profile allows none (L59)
	URLUserinfo      Code = "url-userinfo"      // a name or password in the URL (L59)
	URLTemplate      Code = "url-template"      // the path template has no single place for the endpoint id
	MethodNotPost    Code = "method-not-post"   // the HTTP method is not POST where only POST is signed (L59)
	MethodForm       Code = "method-form"       // the HTTP method is no token
	FormEscape       Code = "form-escape"       // a percent sign without two hex digits
	ContentType      Code = "content-type"      // the body is not form-urlencoded
	RequestForm      Code = "request-form"      // a captured HTTP request cannot be read
	HeaderScheme     Code = "header-scheme"     // the Authorization header is not of the OAuth scheme
	HeaderSyntax     Code = "header-syntax"     // the header breaks the grammar of 5.5
	HeaderDuplicate  Code = "header-duplicate"  // one parameter twice in the header (L67)
	OAuthMissing     Code = "oauth-missing"     // a required OAuth parameter is absent or empty
	OAuthConflict    Code = "oauth-conflict"    // body and header give one OAuth parameter different values (L61)
	OAuthVersion     Code = "oauth-version"     // oauth_version is not 1.0
	SignatureInBody  Code = "signature-in-body" // oauth_signature among the body parameters (5.1)
	SignatureMethod  Code = "signature-method"  // neither RSA-SHA256 nor HMAC-SHA1, or not the key's method
	SignatureText    Code = "signature-text"    // the signature is no strict, padded base64 (L66)
	TimestampSyntax  Code = "timestamp-syntax"  // the timestamp is not a positive number of seconds in digits
	TimestampRange   Code = "timestamp-range"   // the timestamp lies past the year 9999
	TimestampMillis  Code = "timestamp-milliseconds"
	TimestampMicros  Code = "timestamp-microseconds"
	TimestampNanos   Code = "timestamp-nanoseconds"
	KeyNotPEM        Code = "key-not-pem"          // no PEM block, or one damaged on the way
	KeySurrounding   Code = "key-surrounding-text" // text or another block before or after the key
	KeyEncrypted     Code = "key-encrypted"        // the private key is encrypted
	KeyKind          Code = "key-kind"             // something else than the RSA key that is needed
	KeyMalformed     Code = "key-malformed"        // the body is no key of the kind that its label names
	KeyWeak          Code = "key-weak"             // under 2048 bits (L65)
	KeyTooLarge      Code = "key-too-large"        // over 8192 bits (L65)
	SecretEmpty      Code = "secret-empty"         // no consumer secret
	Entropy          Code = "entropy"              // the source of nonces failed
	SigningFailed    Code = "signing-failed"       // the RSA operation was refused
	ProfileDiagnosis Code = "profile-diagnosis"    // a reading that serves diagnosis only was used for signing
	LimitHeader      Code = "limit-header"         // more than MaxHeaderBytes or MaxHeaderParams
	LimitKey         Code = "limit-key"            // a key file of more than MaxKeyBytes
	LimitParameters  Code = "limit-parameters"     // more than MaxParams body or query parameters
)

// Codes of findings: what was read and is worth saying.
const (
	ParameterDuplicate  Code = "parameter-duplicate"
	ParameterExtra      Code = "parameter-extra"
	FormPlus            Code = "form-plus"
	OAuthUnknown        Code = "oauth-unknown"
	LeadingZero         Code = "leading-zero"
	URLHost             Code = "url-host"
	HeaderUnescaped     Code = "header-unescaped"
	ContentTypeMissing  Code = "content-type-missing"
	ContentTypeCharset  Code = "content-type-charset"
	ContentLength       Code = "content-length"
	SecretEncoded       Code = "secret-encoded"
	SecretLineEnd       Code = "secret-line-end"
	KeyLarge            Code = "key-large"
	KeyPrivateNotNeeded Code = "key-private-not-needed"
	KeyReused           Code = "key-reused"
	ByteOrderMark       Code = "byte-order-mark"
	SignatureLength     Code = "signature-length"
	FreshnessStale      Code = "timestamp-outside-window"
	FreshnessNonce      Code = "nonce-length"
	FreshnessReplay     Code = "nonce-reused"
)

// Part says which input an Error speaks of. The zero Part is none.
type Part uint8

// The parts of a request.
const (
	NoPart Part = iota
	PartURL
	PartBody
	PartHeader
	PartKey
	PartRequest
	PartMethod
	PartSecret
	PartText
)

// String names the part as messages do; it is empty for the zero Part.
func (p Part) String() string {
	switch p {
	case PartURL:
		return "URL"
	case PartBody:
		return "body"
	case PartHeader:
		return "Authorization header"
	case PartKey:
		return "key"
	case PartRequest:
		return "request"
	case PartMethod:
		return "HTTP method"
	case PartSecret:
		return "secret"
	case PartText:
		return "text"
	}
	return ""
}

// Error is every error of this package: the place, the rule that is broken and the remedy, never the input itself.
type Error struct {
	Code   Code
	Part   Part
	Offset int    // byte offset in the part, from 0; negative where there is no single place
	Rule   string // what must hold, or what was found instead
	Remedy string // what to do; may be empty
	Clause string // clause of the document or ledger entry: "5.5", "L59"
}

// Error is one line: part and byte, rule, remedy, code and clause.
func (e *Error) Error() string {
	text := e.Part.String()
	if e.Offset >= 0 {
		text += " at byte " + strconv.Itoa(e.Offset)
	}
	if text != "" {
		text += ": "
	}
	text += e.Rule
	if e.Remedy != "" {
		text += "; " + e.Remedy
	}
	text += " (" + string(e.Code)
	if e.Clause != "" {
		text += ", " + e.Clause
	}
	return text + ")"
}

// Unwrap gives the code, so that errors.Is matches it.
func (e *Error) Unwrap() error { return e.Code }

// noOffset marks an error without a single place.
const noOffset = -1

// Severity tells findings apart. The zero Severity is none.
type Severity uint8

// A Fault breaks a rule, a Warning is only worth knowing.
const (
	NoSeverity Severity = iota
	Warning
	Fault
)

// String gives "warning", "error" or the empty text.
func (s Severity) String() string {
	switch s {
	case Warning:
		return "warning"
	case Fault:
		return "error"
	}
	return ""
}

// Finding is something seen on the way that does not stop the work. It holds no value of a parameter, secret or key.
type Finding struct {
	Code     Code
	Severity Severity
	Text     string // what was seen
	Fix      string // what to do; may be empty
	Clause   string
}

// String is one line: severity, text, fix, code.
func (f Finding) String() string {
	text := f.Severity.String() + ": " + f.Text
	if f.Fix != "" {
		text += "; " + f.Fix
	}
	return text + " (" + string(f.Code) + ")"
}

func warning(code Code, clause, text, fix string) Finding {
	return Finding{Code: code, Severity: Warning, Text: text, Fix: fix, Clause: clause}
}

func fault(code Code, clause, text, fix string) Finding {
	return Finding{Code: code, Severity: Fault, Text: text, Fix: fix, Clause: clause}
}

// asFinding retells an error as a finding of severity Fault.
func (e *Error) asFinding() Finding {
	text := e.Rule
	if e.Part != NoPart {
		text = e.Part.String() + ": " + text
		if e.Offset >= 0 {
			text = e.Part.String() + " at byte " + strconv.Itoa(e.Offset) + ": " + e.Rule
		}
	}
	return fault(e.Code, e.Clause, text, e.Remedy)
}
