package rules

import (
	"bytes"
	"errors"
	"io"
	"slices"

	"github.com/chargecast/chargecast/ledger"
)

// A wire is what lies between the input and the CSV text: the limit on bytes,
// recognition, percent and base64 decoding. Its buffers are fixed. Its findings are
// about no row and come at the beginning or the end.
//
// The text is decoded ahead of its reader; how far depends on the pieces in which the input
// arrives. So a fault that ends the text is reported only once its reader has come there.
type wire struct {
	reporter
	faults reporter // of the text
	arrival

	opts Options
	in   *intake
	form *formReader
	kind Input
	text io.Reader

	fixing bool // a Fixer judges the encoding of the text
	wide   bool // the text is UTF-16 that a Fixer takes
}

// An arrival says whether the reader of a text came to its end.
type arrival struct {
	reached bool  // it came to the end, or to a fault
	end     error // what it met there, or what the rest of the input after the payload had
}

func newWire(src io.Reader, o Options) *wire {
	return &wire{
		reporter: reporter{severities: o.severities()},
		faults:   reporter{severities: o.severities()},
		opts:     o,
		in:       newIntake(src, o.MaxBytes),
	}
}

// note is a finding about the text as sent.
func (w *wire) note(c ledger.Code, at tally) *finding { return w.noteTo(&w.reporter, c, at) }

// fault is a note that is reported only when the reader of the text comes there.
func (w *wire) fault(c ledger.Code, at tally) *finding { return w.noteTo(&w.faults, c, at) }

// noteText is a finding about the decoded text as a whole.
func (w *wire) noteText(c ledger.Code) *finding {
	p := w.note(c, tally{line: 1, col: 1})
	if p != nil {
		p.Place.Wire = false
	}
	return p
}

func (w *wire) noteTo(r *reporter, c ledger.Code, at tally) *finding {
	p := r.at(c, ruleOf(c).Severity, at.offset, at.line, at.col)
	if p != nil {
		p.Place.Wire = w.kind != InputCSV
	}
	return p
}

// open returns the CSV text; nil where there is none, which was reported then.
func (w *wire) open() io.Reader {
	head := w.in.peek(sniffSize)
	head = head[:min(len(head), sniffSize)]
	start := w.in.place(0)
	kind, alien := w.opts.Input, alienForm(head)
	if kind == InputAuto {
		var doubt string
		kind, doubt = recognise(head)
		if alien == "" {
			alien = doubt
		}
	}
	if w.fixing && kind == InputCSV {
		if big, wide := utf16Order(head); wide {
			alien = alienWide(head, big)
		} else if alien != "" && len(head) >= 64 && len(leadingBase64(head)) == len(head) {
			kind, alien = InputBase64, "" // of a text whose header is not one yet
		}
	}
	switch {
	case !inputs.Has(uint8(kind)):
		w.kind = InputCSV
		w.note(NotAPayload, start).say("Options.Input has an unknown value").
			advise("use InputAuto, InputCSV, InputBase64 or InputForm")
		return nil
	case wideForm(head) && !w.fixing:
		w.kind = InputCSV
		w.notUTF8(w.note(InvalidUTF8, start), w.lookWide(head, kind == InputCSV))
		return nil
	case alien != "" && kind != InputForm:
		w.kind = InputCSV
		w.note(NotAPayload, start).advise(alien)
		return nil
	case len(head) >= 4 && len(bytes.Trim(head, "\x00")) == 0 && !w.fixing:
		w.kind = InputCSV
		w.note(NULCharacter, start)
		return nil
	}
	w.kind = kind
	switch w.text = w.decoder(); {
	case w.text == nil:
		w.reached, w.end = true, w.form.err
		return nil
	case kind == InputCSV:
		return w
	}
	return w.decoded()
}

// lookWide notes whether a text with two or four bytes for a character begins as one in UTF-16 does, which a Fixer may
// write in UTF-8. It may not where the form of the input keeps a Fixer from it. The result is what is wrong with the
// UTF-16, if that is known. Only the beginning is looked at: the rest may be endless.
func (w *wire) lookWide(head []byte, text bool) (fault string) {
	big, wide := utf16Order(head)
	if w.fixing || !wide || !text || alienWide(head, big) != "" {
		return ""
	}
	units := utf16Reader{src: bytes.NewReader(head), big: big}
	if len(head) == sniffSize { // more may follow, of the last character, too
		units.src = io.MultiReader(units.src, goingOn{})
	}
	_, err := io.Copy(io.Discard, &units)
	w.wide = err == nil || units.fault == ""
	return units.fault
}

// goingOn is the rest of a text that is not looked at.
type goingOn struct{}

func (goingOn) Read([]byte) (int, error) { return 0, errBroken }

// notUTF8 completes the finding about a text with two or four bytes for a character.
func (w *wire) notUTF8(p *finding, fault string) {
	switch {
	case w.wide:
		p.say("the text looks like UTF-16")
		return
	case fault != "":
		p.say(fault)
	default:
		p.say("the text looks like UTF-16 or UTF-32")
	}
	p.advise("save the whole file again, as UTF-8")
}

// Read returns the decoded text.
func (w *wire) Read(p []byte) (int, error) {
	n, err := w.text.Read(p)
	if err != nil {
		w.reached, w.end = true, err
	}
	return n, err
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
		return &base64Reader{in: w.in, next: w.plainCharacter, lineEnd: true, report: w.fault}
	case InputForm:
		w.form = &formReader{in: w.in, report: w.note}
		if !w.form.open() {
			return nil
		}
		w.form.report = w.fault
		return &base64Reader{in: w.in, next: w.form.next, report: w.fault}
	}
	return w.in
}

// decoded looks at the beginning of a decoded text. A fault that comes so early leaves
// nothing worth judging.
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
	start, alien := w.in.place(0), alienForm(head)
	if w.fixing {
		if big, wide := utf16Order(head); wide {
			alien = alienWide(head, big)
		}
	}
	switch {
	case len(head) == 0 && w.kind == InputForm && err == io.EOF:
		w.note(PayloadEmpty, start)
		return nil
	case isDouble(head):
		w.note(Base64Double, tally{line: 1, col: 1})
		return nil
	case alien != "":
		w.noteText(NotAPayload).advise("what was encoded is not CSV: " + alien)
		return nil
	case wideForm(head) && !w.fixing:
		w.notUTF8(w.noteText(InvalidUTF8), w.lookWide(head, true))
		return nil
	}
	return io.MultiReader(bytes.NewReader(head), w)
}

// finish reports findings about the input as a whole. What follows the payload is read only if
// the payload was read to its end: the rest of an input that was given up may be endless. Behind
// base64 that cannot be read a part of it is.
func (w *wire) finish(whole bool) {
	if w.reached {
		w.found = append(w.found, w.faults.found...)
		w.unreadable = w.unreadable || w.faults.unreadable
	}
	if w.form != nil {
		w.form.report = w.note
		w.form.rest(whole, w.reached)
		if w.reached && w.form.err != nil {
			w.end = w.form.err
		}
	}
	if errors.Is(w.end, errLimit) {
		w.note(LimitBytes, w.in.place(len(w.in.window()))).number(w.opts.MaxBytes, "byte")
	}
	if w.form != nil && w.form.err == nil && w.reached && errors.Is(w.end, errBroken) {
		w.form.restOfFault()
	}
}

// plainCharacter is the next character of a text without escapes.
func (w *wire) plainCharacter() (c byte, size int, err error) {
	if text := w.in.peek(1); len(text) > 0 {
		return text[0], 1, nil
	}
	return 0, 0, w.in.broken()
}
