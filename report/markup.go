package report

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"html"
	"strconv"
	"strings"

	"github.com/chargecast/chargecast/internal/termtext"
)

// The frame of the page, with names in braces in place of its contents; its style, in light and
// dark, on paper and on a phone, with a contrast of text of at least 4.5 to 1; and its script,
// which works the search box.
var (
	//go:embed page.html
	pageFrame string
	//go:embed page.css
	pageStyle string
	//go:embed page.js
	pageScript string
)

// framed returns a whole page.
func framed(title, window string, notes, links, sections markup) string {
	return strings.NewReplacer(
		"{title}", title, "{window}", html.EscapeString(window), "{notes}", string(notes), "{links}", string(links), "{sections}", string(sections),
		"{style}", pageStyle, "{style-hash}", sourceHash(pageStyle), "{script}", pageScript, "{script-hash}", sourceHash(pageScript),
	).Replace(pageFrame)
}

// sourceHash is how the policy of the page names an element that a browser may use.
func sourceHash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return base64.StdEncoding.EncodeToString(sum[:])
}

// A markup is a piece of the page. It consists of patterns and of values, of which each text is
// escaped, so that it is text everywhere, also between quotes.
type markup []byte

// A pattern is markup of this package, with a % in place of each value. It is a type of its own so
// that a constant is one, and a text of the input is none.
type pattern string

// put appends a pattern with its values: texts, numbers and other markup.
func (m *markup) put(p pattern, values ...any) {
	rest := string(p)
	for _, value := range values {
		before, after, _ := strings.Cut(rest, "%")
		*m, rest = append(*m, before...), after
		switch value := value.(type) {
		case string:
			*m = append(*m, html.EscapeString(value)...)
		case int:
			*m = strconv.AppendInt(*m, int64(value), 10)
		case markup:
			*m = append(*m, value...)
		}
	}
	*m = append(*m, rest...)
}

// made returns a pattern with its values.
func made(p pattern, values ...any) markup {
	var m markup
	m.put(p, values...)
	return m
}

// A head is that of a column of a table: its name, its class, and that of the cells below.
type head struct{ name, class, cells string }

func classOf(name string) markup {
	if name == "" {
		return nil
	}
	return made(` class="%"`, name)
}

// table appends a table that can be moved on a narrow screen.
func (m *markup) table(name string, attribute markup, heads []head, rows markup) {
	m.put(`<div class="scroll" role="region" aria-label="%" tabindex="0">`+"\n<table%>\n<thead><tr>", name, attribute)
	for _, h := range heads {
		m.put(`<th scope="col"%>%</th>`, classOf(h.class), h.name)
	}
	m.put("</tr></thead>\n<tbody>%\n</tbody>\n</table>\n</div>\n", rows)
}

// row appends a row of a table, whose first cell is its head.
func (m *markup) row(heads []head, cells ...any) {
	m.put("\n<tr>"+`<th scope="row"%>%</th>`, classOf(heads[0].cells), orDash(cells[0]))
	m.cells(heads[1:], cells[1:]...)
	m.put("</tr>")
}

func (m *markup) cells(heads []head, cells ...any) {
	for i, cell := range cells {
		m.put("<td%>%</td>", classOf(heads[i].cells), orDash(cell))
	}
}

func orDash(cell any) any {
	if cell == "" {
		return "–"
	}
	return cell
}

// idCharacters is how much is shown of a client-orderid or another text of the input.
const idCharacters = 64

// short returns a text for people, cut to so many characters.
func short(s string, most int) string {
	n := 0
	for i := range s {
		if n++; n > most {
			return termtext.Visible(s[:i]) + "…"
		}
	}
	return termtext.Visible(s)
}

// code returns a currency for people.
func code(currency string) string { return short(currency, 8) }

func count(n int) string { return grouped(strconv.Itoa(n)) }

func count64(n uint64) string { return grouped(strconv.FormatUint(n, 10)) }

// chargesInWords is [words.Charges] with the digits in groups.
func chargesInWords(n uint64) string { return termtext.Counted(count64(n), "charge") }

// grouped writes the digits in front of the point in groups of three, with narrow spaces that do
// not break.
func grouped(s string) string {
	whole, _, _ := strings.Cut(s, ".")
	for at := len(whole) - 3; at > 0; at -= 3 {
		s = s[:at] + "\u202f" + s[at:]
	}
	return s
}
