package main

import (
	"bufio"
	"bytes"
	"math"

	"github.com/chargecast/chargecast/internal/capture"
	"github.com/chargecast/chargecast/rules"
)

// captureHead is how much of an input decides whether it is a captured request.
const captureHead = 512

// openPayload opens what holds a payload: CSV, base64, a form body or, unless --input insists on one of these, a
// captured request. Of a request it reads the body, and o insists on a form.
func (a *app) openPayload(path string, o *rules.Options) (*input, error) {
	in, err := a.openText(path)
	if err != nil || o.Input != rules.InputAuto {
		return in, err
	}
	text := bufio.NewReaderSize(in.file, captureHead)
	head, _ := text.Peek(captureHead) // an error comes again when it is read
	in.file = text
	if !capture.Is(head) {
		return in, nil
	}
	body, err := in.capturedBody(o.MaxBytes)
	if err != nil {
		in.close()
		return nil, err
	}
	in.file = bytes.NewReader(body)
	o.Input = rules.InputForm
	return in, nil
}

// capturedBody reads a captured request whole and returns its body. A request that may be cut is refused: its payload
// could be taken for a whole one.
func (in *input) capturedBody(maxBytes int64) ([]byte, error) {
	limit := int64(maxRequestBytes)
	if maxBytes > 0 {
		limit = maxBytes
	}
	raw, err := in.readAll(int(min(limit, math.MaxInt)), limitBytes, raiseLimit)
	if err != nil {
		return nil, err
	}
	request, found, err := capture.Parse(raw, capture.Options{AnyHost: true}) // a payload has no use for the host
	if err != nil {
		return nil, captureError(in.name, err)
	}
	switch {
	case len(request.Body) == 0:
		return nil, unreadable(in.name+": the captured request has no body", "capture it with curl --trace-ascii, or give the body itself")
	case len(found) > 0:
		return nil, unreadable(in.name+": "+findingText(found[0]), "")
	}
	return request.Body, nil
}
