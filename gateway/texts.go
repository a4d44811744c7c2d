package gateway

import "strings"

// texts keeps copies of short texts, many of them in one piece of memory: what is kept of a request
// must not hold on to the request.
type texts struct{ piece strings.Builder }

// textPiece is how long a piece is: as much as is kept of the usual row or request, or a little
// more.
const textPiece = 512

// keep returns a copy of a text.
func (t *texts) keep(text string) string {
	if t.piece.Cap()-t.piece.Len() < len(text) {
		t.piece.Reset() // the texts before keep it
		t.piece.Grow(max(len(text), textPiece))
	}
	begin := t.piece.Len()
	t.piece.WriteString(text)
	return t.piece.String()[begin:]
}
