package signature

import (
	"slices"
	"strings"
)

// Layer is the part of a base string in which two of them differ. The zero Layer is none.
type Layer uint8

// The layers, from the whole to its parts.
const (
	NoLayer        Layer = iota
	LayerStructure       // not three elements between two ampersands
	LayerMethod
	LayerURL
	LayerMissing // a parameter of ours is absent from theirs
	LayerExtra   // theirs has a parameter that ours lacks
	LayerOrder   // the same parameters in another order
	LayerName
	LayerValue
	LayerEncoding // the same text at another level of percent-encoding
)

// String names the layer in kebab-case; it is empty for the zero Layer.
func (l Layer) String() string {
	names := [...]string{"", "structure", "method", "url", "parameter-missing", "parameter-extra", "parameter-order", "parameter-name", "parameter-value", "encoding"}
	if int(l) < len(names) {
		return names[l]
	}
	return ""
}

// Difference is the first place at which two base strings differ, told at the lowest layer that explains it. It names
// parameters and places, never a value.
type Difference struct {
	Layer     Layer
	Element   int    // 1 method, 2 URL, 3 parameters
	Parameter string // the decoded name, for the layers of parameters and of their encoding
	Index     int    // which parameter of ours, from 0; -1 where it is no parameter
	Byte      int    // offset in the decoded method, URL, name or value; for LayerEncoding in the text as encoded
	Offset    int    // offset in our base string
	Text      string
}

// Compare tells the first structural difference of two base strings: ours, which is right, and theirs. It is nil where
// they are equal.
func Compare(ours, theirs string) *Difference {
	if ours == theirs {
		return nil
	}
	left, right := strings.Split(ours, "&"), strings.Split(theirs, "&")
	if len(left) != 3 || len(right) != 3 {
		return &Difference{Layer: LayerStructure, Index: -1, Offset: firstByte(ours, theirs),
			Text: "a base string is three elements between two ampersands; the parameters' own are %26"}
	}
	var d *Difference
	start := 0
	for i := range left {
		if left[i] != right[i] {
			switch i {
			case 0:
				d = compareElement(LayerMethod, left[i], right[i])
			case 1:
				d = compareElement(LayerURL, left[i], right[i])
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

// firstByte is the offset of the first byte in which two texts differ.
func firstByte(a, b string) int {
	n := min(len(a), len(b))
	for i := range n {
		if a[i] != b[i] {
			return i
		}
	}
	return n
}

// decoded undoes one level of encoding, or gives the text itself where that cannot be.
func decoded(text string) string {
	if out, err := decode(text, PartText, 0); err == nil {
		return out
	}
	return text
}

func compareElement(layer Layer, ours, theirs string) *Difference {
	a, b := decoded(ours), decoded(theirs)
	if a == b || a == decoded(b) || decoded(a) == b {
		return &Difference{Layer: LayerEncoding, Index: -1, Byte: firstByte(ours, theirs), Text: "the " + layer.String() + " is encoded differently"}
	}
	return &Difference{Layer: layer, Index: -1, Byte: firstByte(a, b), Text: "the " + layer.String() + " differs"}
}

// compareParameters compares the third elements parameter by parameter.
func compareParameters(ours, theirs string) *Difference {
	a := pairsOf(decoded(ours))
	b := pairsOf(decoded(theirs))
	i := 0
	for i < len(a) && i < len(b) && a[i] == b[i] {
		i++
	}
	if i == len(a) && i == len(b) {
		return &Difference{Layer: LayerEncoding, Index: -1, Byte: firstByte(ours, theirs), Text: "the joined parameters are encoded differently"}
	}
	if equalSets(a, b) {
		return &Difference{Layer: LayerOrder, Index: i, Parameter: decoded(a[i].Name), Text: "the parameters are the same, in another order"}
	}
	return compareAt(a, b, i)
}

func pairsOf(joined string) []Param { return splitForm(joined) }

func equalSets(a, b []Param) bool {
	a, b = slices.Clone(a), slices.Clone(b)
	slices.SortFunc(a, compareParams)
	slices.SortFunc(b, compareParams)
	return slices.Equal(a, b)
}

// compareAt explains parameter i, the first that differs.
func compareAt(a, b []Param, i int) *Difference {
	named := func(list []Param, name string) bool {
		return slices.ContainsFunc(list, func(p Param) bool { return decoded(p.Name) == name })
	}
	switch {
	case i == len(b) || i < len(a) && a[i].Name != b[i].Name && !named(b[i:], decoded(a[i].Name)) && named(a[i:], decoded(b[i].Name)):
		return &Difference{Layer: LayerMissing, Index: i, Parameter: decoded(a[i].Name), Text: "a parameter is missing from theirs"}
	case i == len(a) || a[i].Name != b[i].Name && !named(a[i:], decoded(b[i].Name)) && named(b[i:], decoded(a[i].Name)):
		return &Difference{Layer: LayerExtra, Index: i, Parameter: decoded(b[i].Name), Text: "theirs has a parameter that ours lacks"}
	case a[i].Name != b[i].Name:
		return compareTexts(LayerName, "name", a[i].Name, b[i].Name, a[i].Name, i)
	}
	return compareTexts(LayerValue, "value", a[i].Value, b[i].Value, a[i].Name, i)
}

func compareTexts(layer Layer, what, ours, theirs, name string, index int) *Difference {
	d := &Difference{Layer: layer, Index: index, Parameter: decoded(name)}
	a, b := decoded(ours), decoded(theirs)
	if a == b || a == decoded(b) || decoded(a) == b {
		d.Layer, d.Byte = LayerEncoding, firstByte(ours, theirs)
		d.Text = "the " + what + " of the parameter is at another level of percent-encoding"
		return d
	}
	d.Byte = firstByte(a, b)
	d.Text = "the " + what + " of the parameter differs"
	return d
}
