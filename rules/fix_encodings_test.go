package rules_test

import (
	"io"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/transform"

	"github.com/chargecast/chargecast/internal/gen"
	"github.com/chargecast/chargecast/rules"
)

// encodings are the single-byte encodings of the web, by their names.
var encodings = map[string]*charmap.Charmap{
	"ibm866": charmap.CodePage866, "iso-8859-2": charmap.ISO8859_2, "iso-8859-3": charmap.ISO8859_3, "iso-8859-4": charmap.ISO8859_4,
	"iso-8859-5": charmap.ISO8859_5, "iso-8859-6": charmap.ISO8859_6, "iso-8859-7": charmap.ISO8859_7, "iso-8859-8": charmap.ISO8859_8,
	"iso-8859-10": charmap.ISO8859_10, "iso-8859-13": charmap.ISO8859_13, "iso-8859-14": charmap.ISO8859_14, "iso-8859-15": charmap.ISO8859_15,
	"iso-8859-16": charmap.ISO8859_16, "koi8-r": charmap.KOI8R, "koi8-u": charmap.KOI8U, "macintosh": charmap.Macintosh,
	"windows-874": charmap.Windows874, "windows-1250": charmap.Windows1250, "windows-1251": charmap.Windows1251, "windows-1252": charmap.Windows1252,
	"windows-1253": charmap.Windows1253, "windows-1254": charmap.Windows1254, "windows-1255": charmap.Windows1255, "windows-1256": charmap.Windows1256,
	"windows-1257": charmap.Windows1257, "windows-1258": charmap.Windows1258, "x-mac-cyrillic": charmap.MacintoshCyrillic,
}

// encodingNames are their names, in order.
var encodingNames = func() (names []string) {
	for name := range encodings {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}()

// FromEncoding turns a single-byte encoding of the web into UTF-8.
func FromEncoding(name string) func(io.Reader) io.Reader {
	return func(r io.Reader) io.Reader { return transform.NewReader(r, encodings[name].NewDecoder()) }
}

// An EncodedCase is a payload without fault that an export wrote in another encoding than UTF-8.
type EncodedCase struct {
	Encoding string
	UTF8     string // the text
	Bytes    []byte // the same in the encoding; no UTF-8
}

// String is the text and its encoding.
func (e EncodedCase) String() string { return e.Encoding + ":\n" + e.UTF8 }

// EncodedCases draws payloads with a letter beyond ASCII in the order's id.
func EncodedCases(r gen.Chooser) EncodedCase {
	c := FixCase{Clean: gen.PayloadOf(r, 3, 0), Sep: gen.Pick(r, byte(';'), ';', ','), Marks: gen.Pick(r, fixStraight, fixStraight, fixBare)}
	c.Clean.Mark, c.Clean.Bare = false, false
	c.Names = c.Clean.Names()
	e := EncodedCase{Encoding: encodingNames[r.Below(len(encodingNames))]}
	code := encodings[e.Encoding]
	letter := string(gen.Pick(r, lettersOf(code)...))
	for _, row := range c.Clean.Rows {
		for column, value := range row.Clean {
			row.Clean[column] = strings.Map(func(c rune) rune {
				if c > unicode.MaxASCII {
					return 'x'
				}
				return c
			}, value)
		}
		row.Clean[rules.ColumnOrderID] += letter // a byte beyond ASCII alone is no UTF-8
		c.Rows = append(c.Rows, row.Clean)
	}
	e.UTF8 = c.text()
	for _, one := range e.UTF8 {
		b, _ := code.EncodeRune(one)
		e.Bytes = append(e.Bytes, b)
	}
	return e
}

// lettersOf are the letters beyond ASCII of an encoding.
func lettersOf(code *charmap.Charmap) (list []rune) {
	for b := 0x80; b <= 0xff; b++ {
		if c := code.DecodeByte(byte(b)); unicode.IsLetter(c) {
			list = append(list, c)
		}
	}
	return list
}
