package signature

import "github.com/chargecast/chargecast/internal/enum"

// A Profile is a reading of the signing rules where the document and RFC 5849 differ or are silent.
// The zero value is ProfileGateway.
type Profile uint8

// ProfileGateway is the document's reading, with the ledger's where it is silent (5, L57 to L68).
// ProfileRFC5849 is the reading of RFC 5849 with RSA-SHA256 and HMAC-SHA1 as signature methods: any
// HTTP method, a query that is signed, a body that is not a form and not signed.
const (
	ProfileGateway Profile = iota
	ProfileRFC5849
)

// readings are the points on which profiles differ.
type readings struct {
	anyMethod       bool // any HTTP method is signed, not POST alone (5.2.5, L59)
	loosePort       bool // an empty port and one with leading zeros are read and normalised
	signQuery       bool // the query is signed, not refused (L59)
	dropExtras      bool // a fragment and user information are left out, not refused (L59)
	allOAuth        bool // every oauth_ parameter of the header is signed, not exactly five (5.2.1)
	versionOptional bool // oauth_version may be absent (5.1)
	otherBodies     bool // a body that is not a form is left unsigned, not refused (4.1)
}

// profiles is indexed by Profile; nothing writes to it.
var profiles = [...]readings{
	ProfileGateway: {},
	ProfileRFC5849: {anyMethod: true, loosePort: true, signQuery: true, dropExtras: true,
		allOAuth: true, versionOptional: true, otherBodies: true},
}

// readings returns the readings of a profile; a fault for a value that is none.
func (p Profile) readings() (*readings, *fault) {
	if int(p) >= len(profiles) {
		return nil, newFault(OptionValue, partOptions, "the profile is not one of the named constants", "use ProfileGateway or ProfileRFC5849")
	}
	return &profiles[p], nil
}

var profileWords = enum.Words{Type: "Profile", Words: []string{"gateway", "rfc5849"}}

// String returns "gateway" or "rfc5849", and a text such as "Profile(9)" for another value.
func (p Profile) String() string { return profileWords.String(uint8(p)) }

// MarshalText returns the name; a value without one is an error.
func (p Profile) MarshalText() ([]byte, error) { return profileWords.Marshal(uint8(p)) }

// UnmarshalText reads "gateway" or "rfc5849". On an error p is unchanged.
func (p *Profile) UnmarshalText(text []byte) error { return profileWords.Unmarshal(text, (*uint8)(p)) }
