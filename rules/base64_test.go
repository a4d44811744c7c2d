package rules

import (
	"bytes"
	"encoding/base64"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/chargecast/chargecast/ledger"
)

// TestDecodePairs: every pair of bytes at every place of a group means what encoding/base64
// says, but for +, which ends a run.
func TestDecodePairs(t *testing.T) {
	const before = "QUJDQUJD" // one group that is always decoded
	for i := range 1 << 16 {
		pair := []byte{byte(i), byte(i >> 8)}
		for at := range 7 {
			text := slices.Concat([]byte(before), []byte("Zm9vYmFy"), []byte(before))
			copy(text[len(before)+at:], pair)
			want, err := base64.StdEncoding.Strict().DecodeString(string(text))
			taken := len(text)
			if err != nil || len(want) != len(text)/4*3 || bytes.ContainsAny(pair, "+\r\n=") {
				taken = len(before)
			}
			dst := make([]byte, len(text))
			n, got := decodePairs(dst, text)
			if got != taken || n != taken/4*3 || taken == len(text) && !bytes.Equal(dst[:n], want) {
				t.Fatalf("% x at %d: %d of %d characters: %q; want %q", pair, at, got, taken, dst[:n], want)
			}
		}
	}
}

// TestDecodePairsStaysInRoom: whatever room there is, no more than it is used.
func TestDecodePairsStaysInRoom(t *testing.T) {
	text := []byte(strings.Repeat("Zm9vYmFy", 8))
	for size := range len(text) + 1 {
		for room := range len(text) {
			dst := make([]byte, room, room+16)
			n, taken := decodePairs(dst, text[:size])
			if n != taken/4*3 || taken > size || taken%8 != 0 || n > room {
				t.Fatalf("%d characters, room for %d: %d bytes of %d characters", size, room, n, taken)
			}
			if !bytes.Equal(dst[:cap(dst)][room:], make([]byte, 16)) {
				t.Fatalf("%d characters, room for %d: bytes behind the room were changed", size, room)
			}
		}
	}
}

// TestEveryByte: any byte at any place of a text means what encoding/base64 says, in a block and in a group, but that a
// line end is refused.
func TestEveryByte(t *testing.T) {
	for _, text := range []string{"QUJDQUJDQUJD", "QUJDQUJDQUI=", "QUJDQUJDQQ=="} {
		for at := range text {
			for c := range 256 {
				damaged := text[:at] + string([]byte{byte(c)}) + text[at+1:]
				want, err := base64.StdEncoding.Strict().DecodeString(damaged)
				refused := err != nil || c == '\r' || c == '\n'
				for name, src := range map[string]io.Reader{"whole": strings.NewReader(damaged), "bytes": iotest.OneByteReader(strings.NewReader(damaged))} {
					w := newWire(src, Options{}.withDefaults())
					w.kind = InputBase64
					got, err := io.ReadAll(w.decoder())
					if (err != nil) != refused || !refused && !bytes.Equal(got, want) || refused != errors.As(err, new(*wireFault)) {
						t.Fatalf("%q, %s: %q, %v; want %q", damaged, name, got, err, want)
					}
				}
			}
		}
	}
}

// TestPieces: a text decodes to the same bytes however it comes and is asked for, escapes
// at every place included.
func TestPieces(t *testing.T) {
	want := []byte("0123456789 \u03ff\u03fe\u03fd ~~~??? the quick brown fox jumps over the lazy dog, twice ")
	for len(want)%3 != 1 {
		want = append(want, '.')
	}
	text := base64.StdEncoding.EncodeToString(want)
	for at := range text {
		body := "payload=" + escapeAll(text[:at]) + strings.NewReplacer("+", "%2B", "/", "%2f").Replace(text[at:])
		for _, size := range []int{1, 2, 3, 7, 8, 9, 64, 4096} {
			for name, src := range map[string]io.Reader{
				"whole": strings.NewReader(body),
				"bytes": iotest.OneByteReader(strings.NewReader(body)),
			} {
				w := newWire(src, Options{Input: InputForm, MaxBytes: 1 << 20}.withDefaults())
				w.kind = InputForm
				r := w.decoder()
				var got []byte
				room := make([]byte, size)
				for {
					n, err := r.Read(room)
					got = append(got, room[:n]...)
					if errors.Is(err, io.EOF) {
						break
					}
					if err != nil {
						t.Fatal(err)
					}
				}
				if !bytes.Equal(got, want) {
					t.Fatalf("%s, escaped to %d, %d bytes a time: %q", name, at, size, got)
				}
			}
		}
	}
}

// TestSlowSource: rows that have arrived are judged before the source is asked for more, once
// there is enough to tell what the input is.
func TestSlowSource(t *testing.T) {
	text := short + strings.Repeat(strings.SplitAfterN(short, "\n", 2)[1], 400)
	for name, body := range map[string]string{
		"csv": text, "base64": base64.StdEncoding.EncodeToString([]byte(text)), "form": string(formOf([]byte(text))),
	} {
		rows, asked, behind, sent := 0, 0, 0, 0
		src := readerFunc(func(p []byte) (int, error) {
			if body == "" {
				return 0, io.EOF
			}
			arrived := sent * 3 / 5 / (len(text) / 401) // fewer rows than have arrived
			if asked++; sent > 3*sniffSize && rows < arrived-4 {
				behind++
			}
			n := copy(p, body[:min(len(body), 6000)])
			body, sent = body[n:], sent+n
			return n, nil
		})
		o := options()
		o.Severity = map[ledger.Code]ledger.Severity{OrderIDDuplicate: ledger.SeverityOff}
		for row := range NewReader(src, o).Rows() {
			if row != nil {
				rows++
			}
		}
		if rows != 401 || asked < 4 || behind > 0 {
			t.Errorf("%s: %d rows, the source was asked %d times, %d times too early", name, rows, asked, behind)
		}
	}
}

// A readerFunc is a reader that is a function.
type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

func escapeAll(s string) string {
	var b strings.Builder
	const hex = "0123456789abcdef"
	for i := range len(s) {
		b.WriteByte('%')
		b.WriteByte(hex[s[i]>>4])
		b.WriteByte(hex[s[i]&15])
	}
	return b.String()
}
