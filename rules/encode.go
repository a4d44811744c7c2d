package rules

import (
	"encoding/base64"
	"errors"
	"io"

	"github.com/chargecast/chargecast/internal/enum"
	"github.com/chargecast/chargecast/ledger"
)

// Encode writes the text of src in another form, byte for byte: [InputForm] writes the form
// body of clause 4.1, "payload=" and the base64 of the text with + / = as %2B %2F %3D;
// [InputBase64] writes the base64 alone; [InputCSV] and [InputAuto] copy. The error is that of src or
// of w; what was written of the two encoded forms then cannot be decoded. Another value of to is an
// error before anything is read.
func Encode(w io.Writer, src io.Reader, to Input) error {
	if !inputs.Has(uint8(to)) {
		return enum.ErrUnnamed
	}
	switch to {
	case InputForm:
		if err := writeAll(w, []byte("payload=")); err != nil {
			return err
		}
		return encode(w, src, escape)
	case InputBase64:
		return encode(w, src, func(dst, text []byte) []byte { return append(dst, text...) })
	}
	_, err := io.Copy(w, src)
	return err
}

// encode writes the base64 of src, block by block, each passed through last. The last three characters are written only
// at the end, so that the truncated output of a source that fails does not decode.
func encode(w io.Writer, src io.Reader, last func(dst, text []byte) []byte) error {
	const size = 3 << 13 // a multiple of 3: no padding but at the end
	in := make([]byte, size)
	var text, out []byte
	for {
		n, err := fill(src, in)
		if err != nil && err != io.EOF { // not errors.Is: an error that wraps io.EOF is a failure
			return err
		}
		text = base64.StdEncoding.AppendEncode(text, in[:n])
		ready := len(text)
		if err == nil {
			ready -= 3
		}
		out = last(out[:0], text[:ready])
		if err := writeAll(w, out); err != nil {
			return err
		}
		if err == io.EOF {
			return nil
		}
		text = append(text[:0], text[ready:]...)
	}
}

// writeAll writes p. A short write without an error is io.ErrShortWrite.
func writeAll(w io.Writer, p []byte) error {
	n, err := w.Write(p)
	if err == nil && n < len(p) {
		return io.ErrShortWrite
	}
	return err
}

// fill reads from src until in is full. The error is that of src: io.EOF alone is the end, and
// io.ErrUnexpectedEOF, with which io.ReadFull would report the end, is a failure of src.
func fill(src io.Reader, in []byte) (n int, err error) {
	for n < len(in) && err == nil {
		var k int
		k, err = readSome(src, in[n:])
		n += k
	}
	return n, err
}

// escape appends base64 text as the value of a form parameter.
func escape(dst, text []byte) []byte {
	for _, c := range text {
		switch c {
		case '+':
			dst = append(dst, "%2B"...)
		case '/':
			dst = append(dst, "%2F"...)
		case '=':
			dst = append(dst, "%3D"...)
		default:
			dst = append(dst, c)
		}
	}
	return dst
}

// Decode writes the CSV text of a payload in any form, byte for byte in fixed memory.
// Of the options only Input, MaxBytes, Severity and Strict matter. The text is not
// checked; the findings are about its form. The error is that of src or of w. With it, or with a finding of severity
// error, what was written is at most a beginning and must not be used; no option lowers the severity of what kept the
// payload from being read to its end.
func Decode(w io.Writer, src io.Reader, o Options) (ledger.Findings, error) {
	wire := newWire(src, o.withDefaults())
	var failed error
	whole := false
	if text := wire.open(); text != nil {
		_, err := io.Copy(w, text)
		whole = err == nil
		if !whole && !errors.Is(err, errBroken) {
			failed = err
		}
	}
	wire.finish(whole)
	found := wire.findings()
	if failed == nil {
		failed = wire.failed()
	}
	return found, failed
}

// AppendHeader appends the header row of a payload with all columns in the document's
// order, every name quoted, LF at the end (R107).
func AppendHeader(dst []byte) []byte {
	for s := range Columns() {
		dst = appendValue(dst, s.Name, s.Column == columnCount)
	}
	return dst
}

// AppendRecord appends one row of a CSV: every value quoted, quotes inside doubled, `;`
// between values, LF at the end (R107). No bytes are changed otherwise.
func AppendRecord(dst []byte, values ...string) []byte {
	for i, v := range values {
		dst = appendValue(dst, v, i == len(values)-1)
	}
	return dst
}

func appendValue(dst []byte, v string, last bool) []byte {
	dst = append(dst, '"')
	for i := range len(v) {
		if v[i] == '"' {
			dst = append(dst, '"')
		}
		dst = append(dst, v[i])
	}
	if last {
		return append(dst, "\"\n"...)
	}
	return append(dst, `";`...)
}
