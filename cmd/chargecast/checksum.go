package main

import (
	"crypto/sha256"
	"encoding/hex"
	"hash"
	"io"

	"github.com/chargecast/chargecast/record"
)

// checkSums are the files that a part is made from, as they are read: of packed ones what is in them, so
// that a file and the same one packed are known for one.
type checkSums struct{ files []*checkSum }

// A checkSum is that of one file.
type checkSum struct {
	from io.Reader
	path string
	kept bool // a state file or a script, not a payload
	acts bool // … a script
	size uint64
	sum  hash.Hash
}

// of returns a reader of a file that adds it up.
func (c *checkSums) of(path string, kept bool, from io.Reader) io.Reader {
	file := &checkSum{from: from, path: path, kept: kept, sum: sha256.New()}
	c.files = append(c.files, file)
	return file
}

func (c *checkSum) Read(p []byte) (int, error) {
	n, err := c.from.Read(p)
	c.size += uint64(n)
	_, _ = c.sum.Write(p[:n])
	return n, err
}

// scriptsSoFar says that what was read so far is the script.
func (c *checkSums) scriptsSoFar() {
	if c != nil {
		for _, f := range c.files {
			f.acts = true
		}
	}
}

// fill puts the payloads, with the forms that they came in, the state file and the script into a part.
func (c *checkSums) fill(end *record.PartEnd, forms []string) {
	for _, f := range c.files {
		in := record.PartInput{Name: typed(f.path), Size: f.size, SHA256: hex.EncodeToString(f.sum.Sum(nil))}
		switch {
		case f.acts:
			end.Scripts = append(end.Scripts, in)
			continue
		case f.kept:
			end.States = append(end.States, in)
			continue
		}
		if len(end.Inputs) < len(forms) {
			in.Form = forms[len(end.Inputs)]
		}
		end.Inputs = append(end.Inputs, in)
	}
}
