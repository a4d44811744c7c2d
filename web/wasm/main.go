//go:build js && wasm

// Wasm is the engine for JavaScript: three functions on the global object.
// chargecastAnswer(request) answers one request, a JSON text, with one line; chargecastHold(name,
// bytes) keeps the bytes of a file for requests that refer to them by {"held":name}, and with null
// forgets them; chargecastHeld(name) returns them.
package main

import (
	"io"
	"syscall/js"
	"time"

	"github.com/chargecast/chargecast/web/internal/facade"
)

func main() {
	global := js.Global()
	server := &facade.Server{Now: time.Now, Decoder: decoder, Progress: func(rows int) {
		if f := global.Get("chargecastProgress"); f.Type() == js.TypeFunction {
			f.Invoke(rows)
		}
	}}
	global.Set("chargecastAnswer", js.FuncOf(func(_ js.Value, args []js.Value) any {
		return string(server.Answer([]byte(args[0].String())))
	}))
	global.Set("chargecastHold", js.FuncOf(func(_ js.Value, args []js.Value) any {
		if args[1].IsNull() {
			server.Hold(args[0].String(), nil)
			return nil
		}
		b := make([]byte, args[1].Length())
		js.CopyBytesToGo(b, args[1])
		server.Hold(args[0].String(), b)
		return nil
	}))
	global.Set("chargecastHeld", js.FuncOf(func(_ js.Value, args []js.Value) any {
		b := server.Held(args[0].String())
		array := global.Get("Uint8Array").New(len(b))
		js.CopyBytesToJS(array, b)
		return array
	}))
	if ready := global.Get("chargecastReady"); ready.Type() == js.TypeFunction {
		ready.Invoke()
	}
	select {}
}

// decoder decodes with the host's TextDecoder.
func decoder(name string) (canonical string, decode func(io.Reader) io.Reader, ok bool) {
	defer func() {
		if recover() != nil { // the name is none: the constructor throws
			ok = false
		}
	}()
	canonical = js.Global().Get("TextDecoder").New(name).Get("encoding").String()
	return canonical, func(r io.Reader) io.Reader {
		options := js.Global().Get("Object").New()
		options.Set("ignoreBOM", true)
		return &decoding{from: r, decoder: js.Global().Get("TextDecoder").New(name, options)}
	}, true
}

// A decoding is a text that the host turns into UTF-8.
type decoding struct {
	from    io.Reader
	decoder js.Value
	text    string
	err     error
}

const pieceBytes = 64 << 10

// Read returns what is decoded.
func (d *decoding) Read(p []byte) (int, error) {
	for d.text == "" && d.err == nil {
		piece := make([]byte, pieceBytes)
		var n int
		n, d.err = io.ReadFull(d.from, piece)
		if d.err == io.ErrUnexpectedEOF {
			d.err = io.EOF
		}
		array := js.Global().Get("Uint8Array").New(n)
		js.CopyBytesToJS(array, piece[:n])
		more := js.Global().Get("Object").New()
		more.Set("stream", d.err == nil)
		d.text = d.decoder.Call("decode", array, more).String()
	}
	if d.text == "" {
		return 0, d.err
	}
	n := copy(p, d.text)
	d.text = d.text[n:]
	return n, nil
}
