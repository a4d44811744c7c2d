package gateway

import (
	"errors"
	"net/url"
	"strings"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
)

// A Profile is a recurring payment profile as a store keeps it. Nothing of it must be hidden: the
// address of its callbacks, which may hold a password, is sealed with the key of the gateway.
type Profile struct {
	ID            ID // the recurring-payment-id
	Request       ID // the request that created it, which is its serial number
	Login         string
	Row           int    // the data row of the request, from 1
	ClientOrderID string // the client-orderid as it may be shown
	Card          Card
	Columns       Columns
	// Callback is the address of its callbacks, masked; empty for none. CallbackTo is the same in
	// full, sealed with the key of the gateway; nil in a record of a store of version 2 and before,
	// which has it in Callback.
	Callback   string
	CallbackTo []byte
	Private    string // lengths and keyed hashes of the values that no text of the profile may show, as hashPrivate writes them
	Created    calendar.Date
	Stored     engine.Stored // as of the last day on which something happened to it
	// First is the profile as it was created, once an update has changed it; nil before.
	First *engine.Profile `json:",omitempty"`
	Next  calendar.Date   // the next automatic charge; zero for none
	Due   calendar.Date   // the earlier of Next and the next stop; zero for none
}

// A Card tells cards apart without showing them.
type Card struct {
	Masked string // at most the first 6 and last 4 digits
	Last4  string // the digits at the end that may be shown, at most 4
	Hash   string // a keyed hash of the number, in hex
}

// Key returns the key; its text is the client-orderid.
func (p Profile) Key() Key {
	return Key{ID: p.ID, Login: p.Login, Status: p.Stored.State.Status.String(), Text: p.ClientOrderID, Due: p.Due}
}

// A Charge is one attempt to charge a profile, as a store keeps it.
type Charge struct {
	ID            ID
	Profile       ID
	Login         string
	ClientOrderID string
	Currency      string
	Callback      string        // the address of its callback, masked; empty for none
	Charge        engine.Charge // drawn, with its outcome
}

// Key returns the key; its text is the client-orderid.
func (c Charge) Key() Key {
	return Key{ID: c.ID, Login: c.Login, Profile: c.Profile, Text: c.ClientOrderID}
}

// Columns are the values of the row that a profile was created from, masked, as one text:
// name=value for each column with a value, in the document's order, with a space in between. In a
// value %20 is a space and %25 a per cent sign. So the values are read only by who asks for them,
// which a run of a day does not. The zero Columns have no value.
type Columns string

var errColumns = errors.New("gateway: the columns of a profile are damaged")

// Values returns the value of each column by its name, never nil; a text in another form is an
// error.
func (c Columns) Values() (map[string]string, error) {
	values := map[string]string{}
	if c == "" {
		return values, nil
	}
	for field := range strings.SplitSeq(string(c), " ") {
		name, escaped, ok := strings.Cut(field, "=")
		value, err := url.PathUnescape(escaped)
		if !ok || err != nil {
			return nil, errColumns
		}
		values[name] = value
	}
	return values, nil
}

// appendColumn adds a column to the text of columns.
func appendColumn(dst []byte, name, value string) []byte {
	if len(dst) > 0 {
		dst = append(dst, ' ')
	}
	dst = append(append(dst, name...), '=')
	for i := range len(value) {
		switch value[i] {
		case ' ':
			dst = append(dst, "%20"...)
		case '%':
			dst = append(dst, "%25"...)
		default:
			dst = append(dst, value[i])
		}
	}
	return dst
}
