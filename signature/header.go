package signature

import "github.com/chargecast/chargecast/signature/internal/base"

// A Header is the content of an Authorization header of the scheme OAuth (5.5).
type Header struct {
	Realm  *string // nil if there is none; it may be empty (5.5.1, L62)
	Params []Param // the other parameters in the order of the header
}

// String returns the value of the header: realm first if there is one, as a quoted text; then the
// parameters in their order, names and values percent-encoded once, separated by a comma and a
// space (5.5, L62, L67).
func (h Header) String() string {
	return string(base.AppendHeader(make([]byte, 0, usualHeader), h.Realm, pairsOf(h.Params)))
}

// Value returns the value of the parameter with a name; empty if there is none.
func (h Header) Value(name string) string {
	for _, p := range h.Params {
		if p.Name() == name {
			return p.Value()
		}
	}
	return ""
}

// ParseHeader reads the value of an Authorization header (5.5, L67): the scheme OAuth in any case,
// then name="value" pairs in any order between commas, with spaces and tabs around the commas and a
// folded line as a space. Names and values are percent-decoded once, and + is a plus sign; realm is
// a quoted text in which commas, = and \" are data. It does not ask for any name: [Verify] does.
// The error has the code [HeaderScheme], [HeaderSyntax], [HeaderDuplicate] or [LimitHeader], and
// the place.
func ParseHeader(text string) (Header, error) {
	h, problem := base.ParseHeader(text)
	if problem != nil {
		return Header{}, located(problem, text)
	}
	return Header{Realm: h.Realm, Params: paramsOf(h.Params)}, nil
}
