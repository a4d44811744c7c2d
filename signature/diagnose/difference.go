package diagnose

import (
	"slices"
	"strings"

	"github.com/chargecast/chargecast/signature/internal/base"
)

// A Difference is the first place at which two base strings differ, reported at the lowest layer
// that explains it. It names parameters and places, never a value.
type Difference struct {
	// Layer is what differs: "structure" (not three elements between two ampersands), "method",
	// "url", "parameter-missing" (one of ours is not in theirs), "parameter-extra",
	// "parameter-order", "parameter-name", "parameter-value", or "encoding" (the same text at
	// another level of percent-encoding).
	Layer     string
	Element   int    // 1 method, 2 URL, 3 parameters; 0 for "structure"
	Parameter string // the decoded name, for the layers of parameters and their encoding; empty for a name that only theirs has and that may be a value
	Index     int    // which parameter of ours, from 0; -1 if it is not a parameter
	Byte      int    // offset in the decoded method, URL, name or value; for "encoding" in the text as encoded
	Offset    int    // offset in our base string
	Text      string
}

const (
	layerStructure = "structure"
	layerMethod    = "method"
	layerURL       = "url"
	layerMissing   = "parameter-missing"
	layerExtra     = "parameter-extra"
	layerOrder     = "parameter-order"
	layerName      = "parameter-name"
	layerValue     = "parameter-value"
	layerEncoding  = "encoding"
)

// Compare returns the first structural difference of two base strings: ours, which is right, and
// theirs. It is nil if they are equal.
func Compare(ours, theirs string) *Difference {
	if ours == theirs {
		return nil
	}
	left, right := strings.Split(ours, "&"), strings.Split(theirs, "&")
	if len(left) != 3 || len(right) != 3 {
		return &Difference{Layer: layerStructure, Index: -1, Offset: firstByte(ours, theirs),
			Text: "a base string is three elements with an ampersand between them; those between parameters are %26"}
	}
	var d *Difference
	start := 0
	for i := range left {
		if left[i] != right[i] {
			switch i {
			case 0:
				d = compareElement(layerMethod, left[i], right[i])
			case 1:
				d = compareElement(layerURL, left[i], right[i])
			default:
				d = compareParameters(left[i], right[i])
			}
			d.Element = i + 1
			d.Offset = start + firstByte(left[i], right[i])
			return d
		}
		start += len(left[i]) + 1
	}
	return nil
}

// firstByte returns the offset of the first byte in which two texts differ.
func firstByte(a, b string) int {
	n := min(len(a), len(b))
	for i := range n {
		if a[i] != b[i] {
			return i
		}
	}
	return n
}

// decoded undoes one level of encoding; it returns the text itself if that cannot be done.
func decoded(text string) string {
	if out, bad := base.Decode(text); bad < 0 {
		return out
	}
	return text
}

func compareElement(layer string, ours, theirs string) *Difference {
	a, b := decoded(ours), decoded(theirs)
	if a == b || a == decoded(b) || decoded(a) == b {
		return &Difference{Layer: layerEncoding, Index: -1, Byte: firstByte(ours, theirs), Text: "the " + layer + " is encoded differently"}
	}
	return &Difference{Layer: layer, Index: -1, Byte: firstByte(a, b), Text: "the " + layer + " differs"}
}

// compareParameters compares the parameter strings parameter by parameter.
func compareParameters(ours, theirs string) *Difference {
	a := base.Split(decoded(ours))
	b := base.Split(decoded(theirs))
	i := 0
	for i < len(a) && i < len(b) && a[i] == b[i] {
		i++
	}
	if i == len(a) && i == len(b) {
		return &Difference{Layer: layerEncoding, Index: -1, Byte: firstByte(ours, theirs), Text: "the joined parameters are encoded differently"}
	}
	if equalSets(a, b) {
		return &Difference{Layer: layerOrder, Index: i, Parameter: decoded(a[i].Name), Text: "the parameters are the same, in another order"}
	}
	return compareAt(a, b, i)
}

func equalSets(a, b []base.Pair) bool {
	a, b = slices.Clone(a), slices.Clone(b)
	slices.SortFunc(a, base.Compare)
	slices.SortFunc(b, base.Compare)
	return slices.Equal(a, b)
}

// compareAt explains parameter i, the first that differs.
func compareAt(a, b []base.Pair, i int) *Difference {
	named := func(list []base.Pair, name string) bool {
		return slices.ContainsFunc(list, func(p base.Pair) bool { return decoded(p.Name) == name })
	}
	switch {
	case i == len(b) || i < len(a) && a[i].Name != b[i].Name && !named(b[i:], decoded(a[i].Name)) && named(a[i:], decoded(b[i].Name)):
		return &Difference{Layer: layerMissing, Index: i, Parameter: decoded(a[i].Name), Text: "a parameter is missing from theirs"}
	case i == len(a) || a[i].Name != b[i].Name && !named(a[i:], decoded(b[i].Name)) && named(b[i:], decoded(a[i].Name)):
		return &Difference{Layer: layerExtra, Index: i, Parameter: wordOrNone(decoded(b[i].Name)), Text: "theirs has a parameter that is not in ours"}
	case a[i].Name != b[i].Name:
		return compareTexts(layerName, "name", a[i].Name, b[i].Name, a[i].Name, i)
	}
	return compareTexts(layerValue, "value", a[i].Value, b[i].Value, a[i].Name, i)
}

func compareTexts(layer string, what, ours, theirs, name string, index int) *Difference {
	d := &Difference{Layer: layer, Index: index, Parameter: decoded(name)}
	a, b := decoded(ours), decoded(theirs)
	if a == b || a == decoded(b) || decoded(a) == b {
		d.Layer, d.Byte = layerEncoding, firstByte(ours, theirs)
		d.Text = "the " + what + " of the parameter is at another level of percent-encoding"
		return d
	}
	d.Byte = firstByte(a, b)
	d.Text = "the " + what + " of the parameter differs"
	return d
}

// wordOrNone returns a name that may be shown, and the empty text for one that may be a value.
func wordOrNone(name string) string {
	if base.IsWord(name) {
		return name
	}
	return ""
}
