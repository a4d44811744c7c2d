package rules

import (
	"bytes"
	"strings"
)

// maxParameters is how many parameters of a form body are read (L56d).
const maxParameters = 10_000

// longestName is how much of a parameter's name is kept: more than any name that
// means something here has.
const longestName = 64

// A formReader reads a form body and gives the value of its parameter payload, chunk by
// chunk, percent-decoded. What else it meets it notes.
type formReader struct {
	in     *intake
	report func(Code, tally) *finding
	err    error

	inside     bool // at a byte of the payload's value
	parameters int
	payloads   int
	extra      tally  // parameters beside payload
	plus       tally  // bare plus signs outside the payload
	plusInside tally  // and in it
	similar    bool   // a name was payload but for case or brackets
	raw        []byte // the last part as sent, decoded, and its place
	decoded    []byte
	at         tally
	ends       int // bytes of the input that its last byte took
	ended      int // the same of the part before
}

// open goes to the value of the parameter payload; false where there is none.
func (f *formReader) open() bool {
	for !f.inside && f.parameter() {
	}
	switch {
	case f.inside:
		return true
	case f.err != nil || f.payloads > 0:
	case f.similar:
		f.report(PayloadMissing, f.in.place(0)).say("a parameter is almost named payload")
	default:
		f.report(PayloadMissing, f.in.place(0))
	}
	return false
}

// parameter reads one parameter, or the name of payload only; false at the end or after
// a fault.
func (f *formReader) parameter() bool {
	for len(f.in.window()) > 0 || f.in.fill() {
		if f.in.window()[0] != '&' {
			break
		}
		f.in.skip(1)
	}
	if len(f.in.window()) == 0 {
		f.err = f.in.broken()
		return false
	}
	if f.parameters++; f.parameters > maxParameters {
		return f.fail(LimitParameters, 0)
	}
	at := f.in.place(0)
	var name []byte
	for {
		part, more := f.part(true)
		if f.err != nil {
			return false
		}
		if len(name) <= longestName {
			name = append(name, part...)
		}
		if !more {
			break
		}
	}
	return f.named(string(name), at)
}

// named goes on behind a parameter's name, which is at an = or at the parameter's end.
func (f *formReader) named(name string, at tally) bool {
	window := f.in.window()
	valued := len(window) > 0 && window[0] == '='
	switch {
	case name == "":
		f.report(FormName, at)
		f.err = errBroken
		return false
	case name == "payload":
		f.payloads++
		switch {
		case f.payloads > 1:
			f.report(PayloadDuplicate, at)
		case valued:
			f.in.skip(1)
			f.inside = true
			return true
		default:
			f.report(PayloadEmpty, at)
		}
	case name == "oauth_signature":
		f.report(SignatureInBody, at)
	case !strings.HasPrefix(name, "oauth_"):
		f.extra.count(at.offset, at.line, at.col)
		f.similar = f.similar || strings.EqualFold(strings.TrimRight(name, "[]"), "payload")
	}
	for more := true; more; {
		if _, more = f.part(false); f.err != nil {
			return false
		}
	}
	return true
}

// part decodes the next piece of a name or value from the window. At its end, at the =
// after a name, and at a fault there is no more.
func (f *formReader) part(name bool) (text []byte, more bool) {
	f.in.peek(len("%XX")) // an escape is not to be cut
	w := f.in.window()
	end := bytes.IndexByte(w, '&')
	if name {
		if i := bytes.IndexByte(w, '='); i >= 0 && (end < 0 || i < end) {
			end = i
		}
	}
	last := 0
	switch {
	case end >= 0:
		w = w[:end]
	case f.in.eof:
		last = lineEnd(w) // one line end after the whole body is no fault (L49)
		w = w[:len(w)-last]
	case whole(w) < len(w):
		w = w[:whole(w)]
	default:
		w = w[:len(w)-lineEnd(w)] // it may be the last one
	}
	fault := Code(0)
	if i := bytes.IndexByte(w, ';'); i >= 0 {
		w, fault = w[:i], FormSemicolon
	}
	text, n := unescape(f.decoded[:0], w)
	if n < len(w) {
		w, fault = w[:n], FormEscape
	}
	if len(w) > 0 {
		f.ended, f.ends = f.ends, endSize(w)
	}
	f.raw, f.decoded, f.at = w, text, f.in.place(0)
	if n := bytes.Count(w, []byte{'+'}); n > 0 {
		f.spaces(w, n)
	}
	if fault != 0 {
		f.fail(fault, len(w))
		last = 0
	}
	f.in.skip(len(w) + last)
	return text, end < 0 && len(w) > 0 && f.err == nil
}

// unescape appends w, percent-decoded, up to a broken escape; n is how much of w that
// was.
func unescape(dst, w []byte) (text []byte, n int) {
	rest := w
	for len(rest) > 0 {
		i := bytes.IndexByte(rest, '%')
		if i < 0 {
			return append(dst, rest...), len(w)
		}
		dst = append(dst, rest[:i]...)
		rest = rest[i:]
		if len(rest) < len("%XX") || !isHex(rest[1]) || !isHex(rest[2]) {
			break
		}
		dst = append(dst, unhex(rest[1])<<4|unhex(rest[2]))
		rest = rest[len("%XX"):]
	}
	return dst, len(w) - len(rest)
}

// endSize is how many bytes of w, which has whole escapes only, the last decoded one took.
func endSize(w []byte) int {
	if n := len(w) - len("%XX"); n >= 0 && w[n] == '%' {
		return len("%XX")
	}
	return 1
}

// whole is the length of w without an escape that is cut off at its end.
func whole(w []byte) int {
	for i := max(0, len(w)-2); i < len(w); i++ {
		if w[i] == '%' {
			return i
		}
	}
	return len(w)
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

// spaces makes the n bare plus signs of w spaces in what was decoded from it.
func (f *formReader) spaces(w []byte, n int) {
	p, plus := f.in.place(bytes.IndexByte(w, '+')), &f.plus
	if f.inside {
		plus = &f.plusInside
	}
	plus.count(p.offset, p.line, p.col)
	plus.n += n - 1
	j := 0
	for i := 0; i < len(w); i++ {
		switch w[i] {
		case '+':
			f.decoded[j] = ' '
		case '%':
			i += 2
		}
		j++
	}
}

// fail notes a fault at byte i of the window, which ends the reading.
func (f *formReader) fail(c Code, i int) bool {
	p := f.report(c, f.in.place(i))
	if c == LimitParameters {
		p.number(maxParameters, "parameters")
	}
	f.err = errBroken
	return false
}

// chunk is the next part of the payload's value.
func (f *formReader) chunk() ([]byte, error) {
	for f.inside && f.err == nil {
		text, more := f.part(false)
		f.inside = more
		if !more && f.err == nil && len(f.in.window()) == 0 {
			f.err = f.in.broken()
		}
		if len(text) > 0 {
			return text, nil
		}
	}
	return nil, f.err
}

// place is where byte i of the last chunk stands in the input.
func (f *formReader) place(i int) tally {
	at := 0
	for ; i > 0; i-- {
		if f.raw[at] == '%' {
			at += 2
		}
		at++
	}
	before := f.raw[:at]
	p := f.at
	p.offset += int64(at)
	p.line += bytes.Count(before, []byte{'\n'})
	p.col += at
	if last := bytes.LastIndexByte(before, '\n'); last >= 0 {
		p.col = at - last
	}
	return p
}

func (f *formReader) before() int { return f.ended }

func (f *formReader) end() tally { return f.in.place(0) }

// rest reads what follows the payload, if that was read whole, and tells what is to be
// told of the body; of the payload only if its reader came to the end or a fault.
func (f *formReader) rest(whole, reached bool) {
	switch {
	case !reached || f.plusInside.n == 0:
	case f.plus.n == 0:
		f.plus = f.plusInside
	default:
		f.plus.n += f.plusInside.n
	}
	for whole && f.err == nil && f.parameter() {
		f.inside = false
	}
	if f.extra.n > 0 {
		p := f.report(ParameterExtra, f.extra)
		if f.extra.n > 1 {
			p.say(count(int64(f.extra.n), "parameters stand beside payload; the first is here"))
		}
	}
	if f.plus.n == 0 {
		return
	}
	if p := f.report(FormPlus, f.plus); whole && f.plus.n > 1 { // else the rest is not counted
		p.say(count(int64(f.plus.n), "bare + in the form body mean spaces; the first is here"))
	}
}

func isHex(c byte) bool {
	return isDigit(c) || 'a' <= c|0x20 && c|0x20 <= 'f'
}

func unhex(c byte) byte {
	if isDigit(c) {
		return c - '0'
	}
	return c | 0x20 - 'a' + 10
}
