package rules

import (
	"bytes"
	"errors"
	"io"
)

// A wire is what lies between the input and the CSV text: the limit on bytes,
// recognition, percent and base64 decoding. Its buffers are fixed. Its findings are
// about no row and come at the beginning or the end.
type wire struct {
	reporter

	opts Options
	in   *intake
	form *formReader
	kind Input
	text io.Reader
}

func newWire(src io.Reader, o Options) *wire {
	return &wire{
		reporter: reporter{sev: o.severities(), strict: o.Strict},
		opts:     o,
		in:       newIntake(src, o.MaxBytes),
	}
}

// note is a finding about the text as sent.
func (w *wire) note(c Code, at tally) *finding {
	p := w.at(c, ruleTable[c].Severity, at.offset, at.line, at.col)
	if p != nil {
		p.Wire = w.kind != CSV
	}
	return p
}

// open gives the CSV text; nil where there is none, and then that was noted.
func (w *wire) open() io.Reader {
	head := w.in.peek(sniffSize)
	head = head[:min(len(head), sniffSize)]
	start := w.in.place(0)
	kind, alien := w.opts.Input, alienForm(head)
	if kind == Auto {
		var doubt string
		kind, doubt = recognise(head)
		if alien == "" {
			alien = doubt
		}
	}
	switch {
	case wideForm(head):
		w.kind = CSV
		w.note(InvalidUTF8, start).say("the text looks like UTF-16 or UTF-32")
		return nil
	case alien != "" && kind != Form:
		w.kind = CSV
		w.note(NotAPayload, start).advise(alien)
		return nil
	case len(head) >= 4 && len(bytes.Trim(head, "\x00")) == 0:
		w.kind = CSV
		w.note(NULCharacter, start)
		return nil
	}
	w.kind = kind
	if w.text = w.decoder(); w.text == nil || kind == CSV {
		return w.text
	}
	return w.decoded()
}

// decoder is the stream of the decoded text.
func (w *wire) decoder() io.Reader {
	switch w.kind {
	case Base64:
		return &base64Reader{from: &plainArmour{in: w.in}, lineEnd: true, report: w.note}
	case Form:
		w.form = &formReader{in: w.in, report: w.note}
		if !w.form.open() {
			return nil
		}
		return &base64Reader{from: w.form, report: w.note}
	}
	return w.in
}

// decoded looks at the beginning of a decoded text. A fault that comes so early leaves
// nothing worth judging.
func (w *wire) decoded() io.Reader {
	head := make([]byte, 0, sniffSize)
	for len(head) < sniffSize {
		n, err := w.text.Read(head[len(head):sniffSize])
		head = head[:len(head)+n]
		if errors.Is(err, errBroken) && !w.in.over {
			return nil
		}
		if err != nil {
			break
		}
	}
	start := w.in.place(0)
	switch {
	case len(head) == 0 && w.kind == Form && w.in.broken() == nil:
		w.note(PayloadEmpty, start)
		return nil
	case isDouble(head):
		w.note(Base64Double, tally{line: 1, col: 1})
		return nil
	case alienForm(head) != "":
		w.note(NotAPayload, tally{line: 1, col: 1}).advise("what was encoded is no CSV: " + alienForm(head))
		return nil
	case wideForm(head):
		w.note(InvalidUTF8, tally{line: 1, col: 1}).say("the text looks like UTF-16 or UTF-32")
		return nil
	}
	return io.MultiReader(bytes.NewReader(head), w.text)
}

// finish tells what there is to tell of the input as a whole. What follows the payload
// is read only where the payload was read to its end: the rest of an input that was
// given up may be endless.
func (w *wire) finish(whole bool) {
	if w.form != nil {
		w.form.rest(whole)
	}
	if w.in.over {
		w.note(LimitBytes, w.in.place(len(w.in.window()))).number(w.opts.MaxBytes, "bytes")
	}
}

// A plainArmour is base64 text as it is.
type plainArmour struct {
	in   *intake
	size int // of the last chunk, which is still in the window
}

func (a *plainArmour) chunk() ([]byte, error) {
	a.in.skip(a.size)
	a.size = 0
	if len(a.in.window()) == 0 && !a.in.fill() {
		return nil, a.in.broken()
	}
	a.size = len(a.in.window())
	return a.in.window(), nil
}

func (a *plainArmour) place(i int) tally { return a.in.place(i) }

func (a *plainArmour) end() tally { return a.in.place(0) }
