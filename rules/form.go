package rules

import (
	"bytes"
	"strings"

	"github.com/chargecast/chargecast/ledger"

	"github.com/chargecast/chargecast/internal/form"
)

// longestName is how much of a parameter's name is kept: no name that is looked for is longer.
const longestName = 64

// mostAfterFault is how many bytes are read for other parameters after a payload whose base64
// text cannot be read: the rest of the input may be endless.
const mostAfterFault = 64 << 10

// A formReader reads a form body and returns the value of its parameter payload,
// percent-decoded. It reports what is wrong with the others. A fault that ends the reading is its error.
type formReader struct {
	in     *input
	report func(ledger.Code, position) *ledger.Finding
	err    error

	inPayload     bool  // at a byte of the payload's value
	faulty        bool  // the payload has a fault: only a second one and a signature are reported
	stopAt        int64 // the offset at which the reading ends then
	parameters    int
	payloads      int
	extra         tally // parameters other than payload
	plus          tally // bare plus signs outside the payload
	plusInPayload tally // and in it
	hint          payloadHint
	hintAt        position // the parameter that it is about
}

// open goes to the value of the parameter payload; false where there is none.
func (f *formReader) open() bool {
	for !f.inPayload && f.parameter() {
	}
	switch {
	case f.inPayload:
		return true
	case f.err != nil || f.payloads > 0:
	default:
		at := f.in.place(0)
		if f.hint == isSimilar || f.hint == isMarked {
			at = f.hintAt
		}
		f.hint.explain(f.report(PayloadMissing, at))
	}
	return false
}

// word returns the payload if it is a word that programs write for a missing value.
func (f *formReader) word() string {
	w := string(f.in.peek(len("undefined") + endSize))
	for _, word := range [...]string{"None", "null", "undefined", "NaN", "nil"} {
		if rest, ok := strings.CutPrefix(w, word); ok && (isEnd([]byte(rest)) || strings.HasPrefix(rest, "&")) {
			return word
		}
	}
	return ""
}

// A payloadHint is why none of the names of a body is payload.
type payloadHint uint8

const (
	noHint    payloadHint = iota
	isAnswer              // they are those of a response (2.3)
	isSimilar             // one is payload but for case or other characters
	isMarked              // or but for a byte-order mark
)

// hintOf returns the hint of one name.
func hintOf(name string) payloadHint {
	switch {
	case name == mark+"payload":
		return isMarked
	case strings.Contains(strings.ToLower(name), "payload"):
		return isSimilar
	case name == "type":
		return isAnswer
	}
	return noHint
}

func (h payloadHint) explain(f *ledger.Finding) {
	switch h {
	case isMarked:
		f.Message, f.Help = "a byte-order mark is before payload and counts as part of the name", "save the file without one"
	case isSimilar:
		f.Message, f.Help = "a parameter is almost named payload", "the name is payload, in lower case and with nothing beside it"
	case isAnswer:
		f.Help = "it looks like a response of the gateway: give the body of the request"
	}
}

// parameter reads one parameter, or the name of payload only; false at the end or after
// a fault.
func (f *formReader) parameter() bool {
	for w := f.in.peek(1); len(w) > 0 && w[0] == '&'; w = f.in.peek(1) {
		f.in.skip(1)
	}
	if isEnd(f.in.peek(endSize)) {
		f.err = f.in.broken()
		return false
	}
	if f.parameters++; f.parameters > form.MaxParameters {
		f.fail(LimitParameters, f.in.place(0))
		return false
	}
	at := f.in.place(0)
	var name []byte
	for {
		if w := f.in.peek(1); len(w) > 0 && w[0] == '=' {
			break
		}
		c, size, err := f.next()
		if err != nil {
			return false
		}
		if size == 0 {
			break
		}
		if len(name) <= longestName {
			name = append(name, c)
		}
		f.in.skip(size)
	}
	return f.named(string(name), at)
}

// endSize is how much must be seen to know that a body does not end here.
const endSize = len("\r\n") + 1

// isEnd reports whether w is nothing but the one line end after the whole body that is no
// fault (L49), or not even that.
func isEnd(w []byte) bool { return len(w) < endSize && lineEnd(w) == len(w) }

// named continues after the name of a parameter, at its = or its end.
func (f *formReader) named(name string, at position) bool {
	window := f.in.window()
	valued := len(window) > 0 && window[0] == '='
	switch {
	case name == "":
		f.fail(FormName, at)
		return false
	case name == "payload":
		f.payloads++
		switch {
		case f.payloads > 1:
			f.report(PayloadDuplicate, at)
		case valued:
			f.in.skip(1)
			f.inPayload = true
			return true
		default:
			f.report(PayloadEmpty, at)
		}
	case name == "oauth_signature":
		f.report(SignatureInBody, at)
	case !f.faulty && !strings.HasPrefix(name, "oauth_"):
		f.extra.count(at)
		if h := hintOf(name); h > f.hint {
			f.hint, f.hintAt = h, at
		}
	}
	return f.skipValue()
}

// skipValue goes to the end of a parameter; false after a fault.
func (f *formReader) skipValue() bool {
	for {
		switch _, size, err := f.next(); {
		case err != nil:
			return false
		case size == 0:
			return true
		default:
			f.in.skip(size)
		}
	}
}

// next is the next character of a name or value and the bytes that it takes, which stay
// unread; none at its end. An = is a character like others.
func (f *formReader) next() (c byte, size int, err error) {
	w := f.in.peek(max(endSize, len("%XX")))
	switch {
	case f.err != nil:
		return 0, 0, f.err
	case f.faulty && f.in.place(0).offset >= f.stopAt:
		f.err = errBroken
		return 0, 0, f.err
	case isEnd(w):
		f.err = f.in.broken()
		return 0, 0, f.err
	case w[0] == ';':
		f.fail(FormSemicolon, f.in.place(0))
		return 0, 0, f.err
	}
	c, size, kind := form.Next(w)
	switch kind {
	case form.Char:
		return c, size, nil
	case form.Space:
		f.space()
		return c, size, nil
	case form.BadEscape:
		f.fail(FormEscape, f.in.place(0))
	case form.CutEscape: // nothing follows, or the source has failed
		if f.err = f.in.broken(); f.err == nil {
			f.fail(FormEscape, f.in.place(0))
		}
	}
	return 0, 0, f.err
}

// lineEnd is the length of the line end at the end of w.
func lineEnd(w []byte) int {
	switch {
	case bytes.HasSuffix(w, []byte("\r\n")):
		return 2
	case bytes.HasSuffix(w, []byte("\n")), bytes.HasSuffix(w, []byte("\r")):
		return 1
	}
	return 0
}

// space counts a bare plus sign, which means a space.
func (f *formReader) space() {
	if f.faulty {
		return
	}
	plus := &f.plus
	if f.inPayload {
		plus = &f.plusInPayload
	}
	plus.count(f.in.place(0))
}

// fail ends the reading with a fault.
func (f *formReader) fail(c ledger.Code, at position) {
	fault := faultAt(c, at)
	if c == LimitParameters {
		addLimit(&fault.Finding, form.MaxParameters, "parameter")
	}
	f.err = fault
}

// afterError reports a second payload, or a signature, after a payload whose base64 text cannot be read (L60).
func (f *formReader) afterError() {
	f.faulty, f.stopAt = true, f.in.place(0).offset+mostAfterFault
	if !f.skipValue() {
		return
	}
	for f.parameter() {
	}
}

// rest reads what follows the payload, if that was read whole, and reports what was counted; the plus signs of the
// payload only if it was read to its end or a fault.
func (f *formReader) rest(whole, reached bool) {
	switch {
	case !reached || f.plusInPayload.n == 0:
	case f.plus.n == 0:
		f.plus = f.plusInPayload
	default:
		f.plus.n += f.plusInPayload.n
	}
	f.inPayload = false
	for whole && f.err == nil && f.parameter() {
	}
	if f.extra.n > 0 {
		p := f.report(ParameterExtra, f.extra.first)
		if f.extra.n > 1 {
			p.Message = count(int64(f.extra.n), "parameters are beside payload; the first is here")
		}
	}
	if f.plus.n == 0 {
		return
	}
	if p := f.report(FormPlus, f.plus.first); whole && f.plus.n > 1 { // else the rest is not counted
		p.Message = count(int64(f.plus.n), "bare + in the form body mean spaces; the first is here")
	}
}
