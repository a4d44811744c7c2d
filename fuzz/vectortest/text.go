package vectortest

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"strings"
)

// A Text is a text or bytes of a vector. In JSON it is a string; {"b64":"…"} for bytes that are not
// UTF-8; {"text":…,"times":n} for a repetition; or a list of these, joined.
type Text string

// maxText bounds what a text may come to.
const maxText = 1 << 24

// ErrText is the error of a JSON text that is not a [Text], or of one that is too long.
var ErrText = errors.New("not a text of a vector")

// UnmarshalJSON reads the forms of a [Text].
func (t *Text) UnmarshalJSON(data []byte) error {
	var plain string
	if json.Unmarshal(data, &plain) == nil {
		*t = Text(plain)
		return nil
	}
	var list []Text
	if json.Unmarshal(data, &list) == nil {
		*t = ""
		for _, part := range list {
			if len(*t)+len(part) > maxText {
				return ErrText
			}
			*t += part
		}
		return nil
	}
	var form struct {
		B64   *string `json:"b64"`
		Text  *Text   `json:"text"`
		Times int     `json:"times"`
	}
	if json.Unmarshal(data, &form) != nil {
		return ErrText
	}
	switch {
	case form.B64 != nil && form.Text == nil:
		raw, err := base64.StdEncoding.DecodeString(*form.B64)
		if err != nil {
			return ErrText
		}
		*t = Text(raw)
		return nil
	case form.Text != nil && form.B64 == nil && form.Times >= 0 && int64(len(*form.Text))*min(int64(form.Times), maxText+1) <= maxText:
		*t = Text(strings.Repeat(string(*form.Text), form.Times))
		return nil
	}
	return ErrText
}
