package gallery

import (
	"bytes"
	"encoding/base64"
	"io"
	"net/url"
	"slices"
	"strings"

	"github.com/chargecast/chargecast/fuzz/laws"
	"github.com/chargecast/chargecast/rules"
)

// wireMembers are wrong about base64 and form bodies.
func wireMembers() []Member {
	return []Member{
		{"base64-takes-lines", "CR LF inside accepted", by("W01"), "wrapped text", sent(func(text []byte, in rules.Input) []byte {
			if in == rules.InputBase64 {
				return []byte(strings.NewReplacer("\r", "", "\n", "").Replace(string(text)))
			}
			return text
		})},
		{"base64-takes-stray-bits", "`YWJ=` accepted", by("W01"), "that", sent(func(text []byte, in rules.Input) []byte {
			if raw, err := base64.StdEncoding.DecodeString(string(text)); in == rules.InputBase64 && err == nil && !bytes.ContainsAny(text, "\r\n") {
				return []byte(base64.StdEncoding.EncodeToString(raw))
			}
			return text
		})},
		{"form-drops-pairs", "a bad escape loses its pair", by("W04"), "`%zz`", pairs(func(pair string) bool {
			_, err := url.QueryUnescape(pair)
			return err != nil
		})},
		{"form-semicolon", "pair with `;` lost", by("W04"), "`a=1;b=2`", pairs(func(pair string) bool { return strings.Contains(pair, ";") })},
	}
}

// sent is our own reader of wire forms that is given another text than was sent.
func sent(change func([]byte, rules.Input) []byte) laws.Impl {
	return ours(func(i *laws.Impl) {
		right := i.DecodePayload
		i.DecodePayload = func(wire []byte, o rules.Options) ([]byte, []laws.Finding) {
			return right(change(wire, o.Input), o)
		}
	})
}

// pairs is our own reader of form bodies that loses some pairs.
func pairs(lost func(string) bool) laws.Impl {
	return sent(func(text []byte, in rules.Input) []byte {
		if in != rules.InputForm {
			return text
		}
		return []byte(strings.Join(slices.DeleteFunc(strings.Split(string(text), "&"), lost), "&"))
	})
}

// changeInput lets a reader read another text.
func changeInput(i *laws.Impl, change func([]byte) []byte) {
	right := i.ReadPayload
	i.Prompt = false // the text is read whole
	i.ReadPayload = func(src io.Reader, o rules.Options, yield func(laws.PayloadStep) bool) laws.PayloadEnd {
		text, err := io.ReadAll(src)
		if err != nil {
			return laws.PayloadEnd{Err: err}
		}
		return right(bytes.NewReader(change(text)), o, yield)
	}
}

// changeFindings lets a reader tell something else.
func changeFindings(i *laws.Impl, change func(*judged)) {
	right := i.ReadPayload
	i.Prompt = false // nothing is reported before the end
	i.ReadPayload = func(src io.Reader, o rules.Options, yield func(laws.PayloadStep) bool) laws.PayloadEnd {
		var j judged
		j.end = right(src, o, func(s laws.PayloadStep) bool {
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
