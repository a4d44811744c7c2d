package gallery

import (
	"bytes"
	"encoding/base64"
	"io"
	"net/url"
	"slices"
	"strings"

	"github.com/chargecast/chargecast/fuzz"
	"github.com/chargecast/chargecast/rules"
)

// wireMembers are wrong about base64 and form bodies.
func wireMembers() []Member {
	return []Member{
		{"base64-takes-lines", "CR LF inside accepted", laws("W01"), "wrapped text", sent(func(text []byte, in rules.Input) []byte {
			if in == rules.InputBase64 {
				return []byte(strings.NewReplacer("\r", "", "\n", "").Replace(string(text)))
			}
			return text
		})},
		{"base64-takes-stray-bits", "`YWJ=` accepted", laws("W01"), "that", sent(func(text []byte, in rules.Input) []byte {
			if raw, err := base64.StdEncoding.DecodeString(string(text)); in == rules.InputBase64 && err == nil && !bytes.ContainsAny(text, "\r\n") {
				return []byte(base64.StdEncoding.EncodeToString(raw))
			}
			return text
		})},
		{"form-drops-pairs", "a bad escape loses its pair", laws("W04"), "`%zz`", pairs(func(pair string) bool {
			_, err := url.QueryUnescape(pair)
			return err != nil
		})},
		{"form-semicolon", "pair with `;` lost", laws("W04"), "`a=1;b=2`", pairs(func(pair string) bool { return strings.Contains(pair, ";") })},
	}
}

// sent is our own reader of wire forms that is given another text than was sent.
func sent(change func([]byte, rules.Input) []byte) fuzz.Impl {
	return ours(func(i *fuzz.Impl) {
		right := i.DecodePayload
		i.DecodePayload = func(wire []byte, o rules.Options) ([]byte, []fuzz.Finding) {
			return right(change(wire, o.Input), o)
		}
	})
}

// pairs is our own reader of form bodies that loses some pairs.
func pairs(lost func(string) bool) fuzz.Impl {
	return sent(func(text []byte, in rules.Input) []byte {
		if in != rules.InputForm {
			return text
		}
		return []byte(strings.Join(slices.DeleteFunc(strings.Split(string(text), "&"), lost), "&"))
	})
}

// changeInput lets a reader read another text.
func changeInput(i *fuzz.Impl, change func([]byte) []byte) {
	right := i.ReadPayload
	i.Prompt = false // the text is read whole
	i.ReadPayload = func(src io.Reader, o rules.Options, yield func(fuzz.PayloadStep) bool) fuzz.PayloadEnd {
		text, err := io.ReadAll(src)
		if err != nil {
			return fuzz.PayloadEnd{Err: err}
		}
		return right(bytes.NewReader(change(text)), o, yield)
	}
}

// changeFindings lets a reader tell something else.
func changeFindings(i *fuzz.Impl, change func(*judged)) {
	right := i.ReadPayload
	i.Prompt = false // nothing is reported before the end
	i.ReadPayload = func(src io.Reader, o rules.Options, yield func(fuzz.PayloadStep) bool) fuzz.PayloadEnd {
		var j judged
		j.end = right(src, o, func(s fuzz.PayloadStep) bool {
			j.steps = append(j.steps, s)
			return true
		})
		change(&j)
		for _, s := range j.steps {
			if !yield(s) {
				break
			}
		}
		return j.end
	}
}
