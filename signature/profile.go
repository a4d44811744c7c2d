package signature

// The fields of a Profile, each a reading of one point on which the document and RFC 5849 differ or are silent. The
// zero value of every type is the gateway's reading. Readings marked "diagnosis" describe common mistakes: BaseString
// shows what they would give, Sign and Verify refuse them.

// NameEncoding says what is percent-encoded in the normalised parameters (L57).
type NameEncoding uint8

// The document speaks of "each value"; encoding names as well is RFC 5849's rule and gives the same for plain names.
const (
	NamesAndValues NameEncoding = iota
	ValuesOnly                  // diagnosis
)

// Sorting is the order of the normalised parameters (5.2.3, L57).
type Sorting uint8

// Encoded names, then encoded values, both as bytes; or what others do.
const (
	SortEncoded     Sorting = iota
	SortRawNames            // diagnosis: before encoding
	SortJoinedPairs         // diagnosis: the joined name=value texts
)

// Duplicates says what happens to parameters of one name (L60).
type Duplicates uint8

// All are signed; or only some of them.
const (
	KeepAll     Duplicates = iota
	KeepFirst              // diagnosis
	KeepLast               // diagnosis
	JoinByComma            // diagnosis
)

// HTTPMethods says which methods may be signed (5.2.5, L59).
type HTTPMethods uint8

// The document signs POST only.
const (
	PostOnly HTTPMethods = iota
	AnyMethod
)

// URLText is the form of the URL in the base string (L58).
type URLText uint8

// Scheme and host in lower case, default port dropped, path as sent; or the URL as typed.
const (
	URLNormalized URLText = iota
	URLVerbatim           // diagnosis
)

// PortText says whether an empty port or one with leading zeros is read.
type PortText uint8

// An exact port has digits without a leading zero; a loose one may be empty or have leading zeros, and is normalised.
const (
	PortExact PortText = iota
	PortLoose
)

// Query says what happens to the URL's query (L59).
type Query uint8

// A query is refused, or its parameters are signed.
const (
	QueryRefused Query = iota
	QueryCollected
	QueryIgnored // diagnosis
)

// Extras says what happens to a fragment or to user information in the URL (L59). Neither is ever signed.
type Extras uint8

// Refused or dropped.
const (
	ExtrasRefused Extras = iota
	ExtrasDropped
)

// OAuthSet says which OAuth parameters of the header are signed (5.2.1).
type OAuthSet uint8

// Exactly the five of 5.1, or every oauth_ parameter of the header but the signature.
const (
	ExactlyFive OAuthSet = iota
	AllInHeader
)

// Version says whether oauth_version may be absent (5.1).
type Version uint8

// The document lists it, RFC 5849 makes it optional. Its value is 1.0 in both.
const (
	VersionRequired Version = iota
	VersionOptional
)

// BodyCopies says how OAuth parameters count that stand in the body as well (X12, L61).
type BodyCopies uint8

// Each name=value is signed once; or twice, which is a mistake.
const (
	CopiesOnce  BodyCopies = iota
	CopiesTwice            // diagnosis
)

// SecretText is the form of the two secrets in the HMAC key (L64).
type SecretText uint8

// Both halves percent-encoded, or raw.
const (
	SecretPercent SecretText = iota
	SecretRaw                // diagnosis
)

// PlusSign says what + means in a form (L68).
type PlusSign uint8

// A space, or a plus sign.
const (
	PlusIsSpace PlusSign = iota
	PlusLiteral          // diagnosis
)

// OtherTypes says what happens to a body that is no form (4.1).
type OtherTypes uint8

// Refused, or not signed.
const (
	OtherTypesRefused OtherTypes = iota
	OtherTypesUnsigned
)

// Profile is one reading of the signing rules: a plain value, every deviation a field. The zero Profile is Gateway.
type Profile struct {
	Names      NameEncoding
	Sort       Sorting
	Duplicates Duplicates
	Methods    HTTPMethods
	URL        URLText
	Port       PortText
	Query      Query
	Extras     Extras
	OAuth      OAuthSet
	Version    Version
	Copies     BodyCopies
	Secret     SecretText
	Plus       PlusSign
	Types      OtherTypes
}

// Gateway is the document's reading, with the ledger's where it is silent (5, L57–L68).
func Gateway() Profile { return Profile{} }

// RFC5849 is the reading of RFC 5849, with RSA-SHA256 and HMAC-SHA1 as its signature methods.
func RFC5849() Profile {
	return Profile{Methods: AnyMethod, Port: PortLoose, Query: QueryCollected, Extras: ExtrasDropped,
		OAuth: AllInHeader, Version: VersionOptional, Types: OtherTypesUnsigned}
}

// forDiagnosis tells whether a field has a reading that never serves signing.
func (p Profile) forDiagnosis() bool {
	return p.Names != NamesAndValues || p.Sort != SortEncoded || p.Duplicates != KeepAll || p.URL != URLNormalized ||
		p.Query == QueryIgnored || p.Copies != CopiesOnce || p.Secret != SecretPercent || p.Plus != PlusIsSpace
}

func (p Profile) checkForSigning() *Error {
	if !p.forDiagnosis() {
		return nil
	}
	return &Error{Code: ProfileDiagnosis, Offset: noOffset, Rule: "the profile has a reading that serves diagnosis only",
		Remedy: "sign and verify with Gateway or RFC5849", Clause: "L57"}
}
