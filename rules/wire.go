package rules

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/chargecast/chargecast/internal/exportform"
	"github.com/chargecast/chargecast/ledger"
)

// A wire reads the CSV text of an input: it limits the bytes, recognises the form, and decodes percent escapes and
// base64. Its buffers are fixed. Its findings are about no row and come at the beginning or the end.
//
// The text is decoded ahead of its reader; how far depends on the pieces in which the input
// arrives. So a fault that ends the text is an error of Read, and is reported once the reader reaches it.
type wire struct {
	opts  Options
	found ledger.Findings

	in   *input
	form *formReader
	kind Input
	text io.Reader

	reached    bool  // the text was read to its end or to a fault
	end        error // what it met there, or what the rest of the input after the payload had
	unreadable bool  // the input is not a payload
	incomplete bool  // it was not read to its end

	fixing bool // a Fixer checks the encoding of the text
}

func newWire(src io.Reader, o Options) *wire { return &wire{opts: o, in: newInput(src, o.MaxBytes)} }

// Unreadable reports whether an input that breaks the rule with a code cannot be read as a payload at
// all: it is not CSV, or its form body or base64 is broken.
func Unreadable(c ledger.Code) bool {
	switch c {
	case NotAPayload, PayloadMissing, PayloadEmpty, FormEscape, FormSemicolon, FormName, LimitParameters,
		Base64Wrapped, Base64Space, Base64URLSafe, Base64Unpadded, Base64StrayBits, Base64Double, Base64Syntax:
		return true
	}
	return false
}

// report adds a finding about the input as sent.
func (w *wire) report(c ledger.Code, at position) *ledger.Finding {
	f := &faultAt(c, at).Finding
	f.Place.Wire = w.kind != InputCSV
	return w.add(*f)
}

// stop reports what keeps the input from being read.
func (w *wire) stop(c ledger.Code, at position) *ledger.Finding {
	f := w.report(c, at)
	f.Severity, w.incomplete = ledger.SeverityError|final, true
	return f
}

func (w *wire) add(f ledger.Finding) *ledger.Finding {
	if unreadable := Unreadable(f.Code); unreadable || f.Code == LimitBytes {
		f.Severity |= final
		w.unreadable = w.unreadable || unreadable
	}
	w.found = append(w.found, f)
	return &w.found[len(w.found)-1]
}

// A wireFault is the error of a text that cannot be decoded further, with its place in the input as sent.
type wireFault struct{ ledger.Finding }

func faultAt(c ledger.Code, at position) *wireFault {
	f := &wireFault{table.Finding(c, "", "")}
	at.setIn(&f.Place)
	f.Place.Wire = true
	return f
}

// Is reports whether target is errBroken.
func (*wireFault) Is(target error) bool { return target == errBroken }

// stopText is stop for a fault of the decoded text as a whole.
func (w *wire) stopText(c ledger.Code) *ledger.Finding {
	f := w.stop(c, position{line: 1})
	f.Place.Wire = false
	return f
}

// findings returns what was found, with the severities of the options.
func (w *wire) findings() ledger.Findings { return w.opts.applySeverities(w.found) }

// isBinary reports whether a NUL comes before any separator of values: a program or a picture, not a text with a NUL
// somewhere in it.
func isBinary(head []byte) bool {
	nul := bytes.IndexByte(head, 0)
	return nul >= 0 && len(head) >= 64 && !bytes.ContainsAny(head[:nul], ";,\t|\"\n")
}

// open returns the CSV text, or nil if there is none, which it reports.
func (w *wire) open() io.Reader {
	head := w.in.peek(sniffSize)
	head = head[:min(len(head), sniffSize)]
	start := w.in.place(0)
	kind, foreign := w.opts.Input, exportform.Foreign(head)
	if kind == InputAuto {
		kind = recognise(head)
	}
	w.kind = InputCSV // in findings about an input that is not decoded
	switch {
	case !inputs.Has(uint8(kind)):
		f := w.stop(NotAPayload, start)
		f.Message, f.Help = "Options.Input has an unknown value", "use InputAuto, InputCSV, InputBase64 or InputForm"
		return nil
	case wideForm(head) && !w.fixing:
		notUTF8(w.stop(InvalidUTF8, start), head, kind == InputCSV)
		return nil
	case foreign != "" && kind != InputForm:
		w.stop(NotAPayload, start).Help = foreign
		return nil
	case len(head) >= 4 && len(bytes.Trim(head, "\x00")) == 0 && !w.fixing:
		w.stop(NULCharacter, start)
		return nil
	case kind == InputCSV && isBinary(head) && !w.fixing:
		w.stop(NotAPayload, start)
		return nil
	}
	w.kind = kind
	switch w.text = w.decoder(); {
	case w.text == nil:
		w.incomplete = true
		w.ended(w.form.err)
		return nil
	case kind == InputCSV:
		return w
	}
	return w.decoded()
}

// notUTF8 completes the finding about a text that begins with head, with two or four bytes for a character. One in UTF-16
// with its mark a Fixer may write in UTF-8, unless the form of the input keeps it from that.
func notUTF8(f *ledger.Finding, head []byte, text bool) {
	f.Message, f.Help, f.Hint = "the text looks like UTF-16 or UTF-32", "save the whole file again, as UTF-8", fixEncoding
	if _, wide := utf16Order(head); wide && text {
		f.Message, f.Help, f.Hint = "the text looks like UTF-16", ruleOf(InvalidUTF8).Help, fixUTF16
	}
}

// Read returns the decoded text.
func (w *wire) Read(p []byte) (int, error) {
	n, err := w.text.Read(p)
	if err != nil && !w.reached {
		w.ended(err)
	}
	return n, err
}

// ended keeps the error that ended the text, and adds the finding of a fault.
func (w *wire) ended(err error) {
	w.reached, w.end = true, err
	if fault, ok := err.(*wireFault); ok { //nolint:errorlint // an error of the source may wrap anything
		w.add(fault.Finding)
	}
}

// failed is the error of the source that ended the reading; nil where it ended otherwise.
func (w *wire) failed() error {
	if w.end == io.EOF || errors.Is(w.end, errBroken) {
		return nil
	}
	return w.end
}

// decoder is the stream of the decoded text.
func (w *wire) decoder() io.Reader {
	switch w.kind {
	case InputBase64:
		return &base64Reader{in: w.in, next: w.plainCharacter, lineEnd: true}
	case InputForm:
		w.form = &formReader{in: w.in, report: w.report}
		if !w.form.open() {
			return nil
		}
		if word := w.form.word(); word != "" {
			f := w.stop(PayloadEmpty, w.in.place(0))
			f.Message, f.Help = "the payload is the word "+word, "the program had no text where it made the body; put the base64 of the CSV after payload="
			return nil
		}
		return &base64Reader{in: w.in, next: w.form.next}
	}
	return w.in
}

// decoded looks at the beginning of a decoded text; nil if there is a fault already there.
func (w *wire) decoded() io.Reader {
	head := make([]byte, 0, firstBuffer)
	var err error
	for err == nil && len(head) < sniffSize {
		if len(head) == cap(head) {
			head = slices.Grow(head, sniffSize-len(head))
		}
		var n int
		n, err = w.Read(head[len(head):min(cap(head), sniffSize)])
		head = head[:len(head)+n]
	}
	if errors.Is(err, errBroken) && !errors.Is(err, errLimit) {
		return nil
	}
	start, foreign := w.in.place(0), exportform.Foreign(head)
	switch {
	case len(head) == 0 && w.kind == InputForm && err == io.EOF:
		w.stop(PayloadEmpty, start)
		return nil
	case isDouble(head):
		w.stop(Base64Double, position{line: 1})
		return nil
	case foreign != "":
		w.stopText(NotAPayload).Help = "what was encoded is not CSV: " + foreign
		return nil
	case wideForm(head) && !w.fixing:
		notUTF8(w.stopText(InvalidUTF8), head, true)
		return nil
	}
	return io.MultiReader(bytes.NewReader(head), w)
}

// finish reports findings about the input as a whole. What follows the payload is read only if
// the payload was read to its end, since the rest of the input may be endless. After
// base64 with a fault a part of it is read.
func (w *wire) finish(whole bool) {
	w.incomplete = w.incomplete || !whole
	defer func() { w.incomplete = w.incomplete || w.end != nil && w.end != io.EOF }()
	if w.form != nil {
		ended := w.form.err != nil // which Read has returned
		w.form.rest(whole, w.reached)
		if w.reached && !ended && w.form.err != nil {
			w.ended(w.form.err)
		}
	}
	if errors.Is(w.end, errLimit) {
		addLimit(w.report(LimitBytes, w.in.place(len(w.in.window()))), w.opts.MaxBytes, "byte")
	}
	if w.form != nil && w.form.err == nil && w.reached && errors.Is(w.end, errBroken) {
		w.form.afterError()
	}
}

// plainCharacter is the next character of a text without escapes.
func (w *wire) plainCharacter() (c byte, size int, err error) {
	if text := w.in.peek(1); len(text) > 0 {
		return text[0], 1, nil
	}
	return 0, 0, w.in.broken()
}

// errBroken is every error of a text that cannot be decoded further: a [*wireFault], or errLimit, for an input that is
// longer than the limit.
var (
	errBroken = errors.New("the input cannot be read further")
	errLimit  = fmt.Errorf("%w: it is longer than the limit", errBroken)
)

// inputSize is small enough that what is decoded stays in the cache: more makes a form body slower to read.
const inputSize = 16 << 10

// An input buffers the input as sent, counts its lines, columns and offsets, and limits its bytes.
type input struct {
	src        io.Reader
	left       int64 // bytes that may still be read
	limited    bool  // there is a limit: the line where it is reached is reported
	buf        []byte
	start, end int      // the unread bytes of buf
	at         position // of buf[start]

	eof   bool
	short bool  // the last read did not fill the buffer
	over  bool  // there is more than the limit allows
	err   error // of src, but for io.EOF
}

// newInput returns an input of at most so many bytes. The buffer for a short text in memory has one byte more than the
// text, so that a request with one row is cheap and its end is seen.
func newInput(src io.Reader, most int64) *input {
	size := inputSize
	switch src.(type) {
	case *bytes.Reader, *strings.Reader, *bytes.Buffer:
		size = min(max(16, src.(interface{ Len() int }).Len()+1), inputSize)
	}
	return &input{src: src, left: most, limited: most < noLimit, buf: make([]byte, size), at: position{line: 1}}
}

// read reads some bytes; none at the end, and after an error, which is kept.
func (t *input) read(p []byte) int {
	if t.eof {
		return 0
	}
	if int64(len(p)) > t.left {
		p = p[:t.left+1] // one byte more reports whether there is more
	}
	n, err := readSome(t.src, p)
	t.short = n < len(p)
	if int64(n) > t.left {
		n, t.over, err = int(t.left), true, io.EOF
	}
	t.left -= int64(n)
	if t.eof = err != nil; err != io.EOF { // an error that wraps it is a failure
		t.err = err
	}
	return n
}

// peek fills the window to at least n bytes, or to all there are, or to the size of the buffer.
func (t *input) peek(n int) []byte {
	for t.end-t.start < min(n, len(t.buf)) && !t.eof {
		if t.start > 0 {
			t.end = copy(t.buf, t.window())
			t.start = 0
		}
		t.end += t.read(t.buf[t.end:])
	}
	return t.window()
}

// window is the unread bytes; they stay valid until the next peek.
func (t *input) window() []byte { return t.buf[t.start:t.end] }

// mayWait reports whether the source may make the next peek wait.
func (t *input) mayWait() bool { return !t.eof && t.short }

// skip drops n bytes of the window.
func (t *input) skip(n int) {
	t.at = t.place(n)
	t.start += n
}

// place returns the position of byte i of the window in the input.
func (t *input) place(i int) position { return t.at.after(t.window()[:i]) }

// broken returns why there are no more bytes although the input was not read to its end; nil at a plain end.
func (t *input) broken() error {
	if t.over {
		return errLimit
	}
	return t.err
}

// Read returns the bytes as they are.
func (t *input) Read(p []byte) (n int, err error) {
	if t.start < t.end {
		n = copy(p, t.window())
		t.start += n
	} else {
		n = t.read(p)
	}
	if n > 0 {
		if t.limited { // else no place is needed any more
			t.at = t.at.after(p[:n])
		}
		return n, nil
	}
	if broken := t.broken(); broken != nil {
		return 0, broken
	}
	return 0, io.EOF
}

// sniffSize is how much of the input decides on its form.
const sniffSize = 4 << 10

// recognise returns the form of an input by its first bytes, up to sniffSize of them.
func recognise(head []byte) Input {
	head = bytes.TrimPrefix(head, []byte(mark))
	text := bytes.TrimLeft(head, "\"'")
	switch {
	case bytes.HasPrefix(head, []byte("data:")), holdsBase64(text), isJoined(text):
		return InputBase64 // the decoder reports what to remove
	case isForm(head):
		return InputForm
	case len(head) >= 64 && len(leadingBase64(head)) == len(head):
		return InputBase64
	}
	return InputCSV
}

// wideForm reports whether a text is UTF-16 or UTF-32, by its mark or its pattern of NUL.
func wideForm(head []byte) bool {
	if bytes.HasPrefix(head, []byte{0xFF, 0xFE}) || bytes.HasPrefix(head, []byte{0xFE, 0xFF}) {
		return true
	}
	if len(head) < 4 {
		return false
	}
	var zero [4]bool
	for i := range zero {
		zero[i] = head[i] == 0
	}
	return zero == [4]bool{false, true, false, true} || zero == [4]bool{true, false, true, false} ||
		zero == [4]bool{false, true, true, true} || zero == [4]bool{true, true, true, false} ||
		bytes.HasPrefix(head, []byte{0, 0, 0xFE, 0xFF})
}

// isForm reports whether head begins as a form body does: a name without quotes, spaces and
// separators, and = after it, which is not the padding of base64.
func isForm(head []byte) bool {
	i := bytes.IndexByte(head, '=')
	if i < 0 {
		name, _, _ := strings.Cut(string(head), "&")
		return strings.TrimRight(name, "\r\n") == "payload"
	}
	name := strings.ToLower(string(head[:i]))
	for _, c := range []byte(name) {
		if c <= ' ' || c > '~' || strings.IndexByte("\";,", c) >= 0 {
			return false
		}
	}
	padding := len(bytes.Trim(head[i:], "=\r\n")) == 0
	return name != "sep" && (!padding || strings.Contains(name, "payload"))
}

// isJoined reports whether head is base64 texts joined, each with padding that fills its
// last four characters. A name and = rarely look so, and payload= never does.
func isJoined(head []byte) bool {
	i := bytes.IndexByte(head, '=')
	if i < 0 || len(leadingBase64(head)) < len(head) || strings.Contains(strings.ToLower(string(head[:i])), "payload") {
		return false
	}
	text := bytes.TrimRight(head, "\r\n")
	pads := len(text[i:]) - len(bytes.TrimLeft(text[i:], "="))
	return len(text)%4 == 0 && text[len(text)-1] == '=' && (i+pads)%4 == 0 && pads <= 2 && i+pads < len(text)
}

// holdsBase64 reports whether head is base64 in any spelling whose text begins with a
// column name, encoded once or twice.
func holdsBase64(head []byte) bool {
	text := looseDecode(head)
	return beginsWithColumn(text) || isDouble(text)
}

// isDouble reports whether a decoded text is itself base64 of a payload.
func isDouble(text []byte) bool { return beginsWithColumn(looseDecode(text)) }

// looseDecode decodes the base64 at the beginning of head, whatever its spelling and
// line breaks, as far as it goes.
func looseDecode(head []byte) []byte {
	var clean []byte
	for _, c := range leadingBase64(head) {
		switch c {
		case '-':
			clean = append(clean, '+')
		case '_':
			clean = append(clean, '/')
		case ' ', '\r', '\n', '=':
		default:
			clean = append(clean, c)
		}
	}
	if len(clean)%4 == 1 {
		clean = clean[:len(clean)-1]
	}
	text := make([]byte, base64.RawStdEncoding.DecodedLen(len(clean)))
	n, _ := base64.RawStdEncoding.Decode(text, clean)
	return text[:n]
}

// leadingBase64 is the beginning of b that consists of characters of base64, of either
// alphabet, and of what line breaks and lost plus signs leave in it.
func leadingBase64(b []byte) []byte {
	for i, c := range b {
		if !inAlphabet(c) && strings.IndexByte("-_ \r\n=", c) < 0 {
			return b[:i]
		}
	}
	return b
}

// beginsWithColumn reports whether a text begins with the name of a column, quoted or not.
func beginsWithColumn(text []byte) bool {
	text = bytes.TrimPrefix(text, []byte(mark))
	text = bytes.TrimPrefix(text, []byte{'"'})
	for s := range Columns() {
		if rest, ok := bytes.CutPrefix(text, []byte(s.Name)); ok && (len(rest) == 0 || bytes.IndexByte([]byte("\";,\t\r\n"), rest[0]) >= 0) {
			return true
		}
	}
	return false
}
