package rules

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/ledger"
)

// A checker checks the values of a row, each alone and then together, and keeps what they were read as. Of their text it
// knows only the places.
type checker struct {
	opts   Options
	states map[string]map[string]bool // those of the options; nil: our list

	found ledger.Findings // of this step, with the severities of the rules
	rule  *ledger.Rule    // of the last one
	last  rowCache

	// The current row.
	number int
	parsed parsed
	sc     *scanner // which read it; nil for a value alone
	layout *layout
	text   string          // of the record
	plain  bool            // the value that is checked is printable ASCII
	texts  strings.Builder // memory for short texts
}

// parsed is what the values of a row were read as.
type parsed struct {
	orderID, shownID        string
	kind                    engine.Kind
	fixed, from, to         amount.Amount
	sequence                elementList
	start, finish           calendar.Date
	unit                    calendar.Unit
	interval                int
	maxRepeats              engine.Limit
	expireYear, expireMonth int
	currency                string
	country, state, zip     string

	filled     columnSet // columns with a value
	blank      columnSet // columns with spaces only
	unread     columnSet // columns whose value could not be read
	unsendable bool      // an error is in a column that is not checked
	lacks      bool      // the header lacks a column that this row needs
}

// A rowCache has values of earlier rows, which the next rows often repeat.
type rowCache struct {
	currency, url string
	sequence      elementList
	choice        amount.Choice // of the sequence
}

// A layout has the number of each column in the header, from 1; 0 for none.
type layout [columnCount + 1]int16

// wholeValue is the offset of a finding about a value as a whole.
const wholeValue = -1

// report adds a finding about byte at of the value of a column, or of the record where col is zero. The caller may
// change it until the next one is reported. Its severity is that of the rule: the options are applied in takeFindings.
func (c *checker) report(code ledger.Code, col Column, at int) *ledger.Finding {
	rule := c.rule
	if rule == nil || rule.Code != code { // many rows have the same warning
		rule = ruleOf(code)
		c.rule = rule
	}
	if cap(c.found) == 0 {
		c.found = make(ledger.Findings, 0, findingsPerAlloc)
	}
	c.found = append(c.found, ledger.Finding{})
	f := &c.found[len(c.found)-1] // filled in in place: it is large
	f.Code, f.Severity, f.Basis, f.Clause, f.Message, f.Help = code, rule.Severity, rule.Basis, rule.Clause, rule.Text, rule.Help
	if col != 0 {
		f.Kind, f.Subject = ledger.SubjectColumn, columns[col].Name
	}
	if c.sc != nil {
		f.Place.Row = c.number
		c.sc.position(c.recordOffset(col, at)).setIn(&f.Place)
	}
	return f
}

// findingsPerAlloc is how many findings are allocated at a time.
const findingsPerAlloc = 16

// recordOffset maps an offset in the value of a column to one in the record.
func (c *checker) recordOffset(col Column, at int) int {
	if col == 0 {
		return max(0, at)
	}
	n := int(c.layout[col])
	if n == 0 || n > len(c.sc.cells) {
		return 0
	}
	value := c.sc.cells[n-1]
	if at == wholeValue {
		return value.start()
	}
	return value.rawOffset(c.sc.raw, at)
}

// refuse is report for a value that cannot be read.
func (c *checker) refuse(code ledger.Code, col Column) *ledger.Finding {
	c.parsed.unread.add(col)
	return c.report(code, col, wholeValue)
}

// final marks a severity that no option changes, because the finding reports that reading ended.
const final = 0x80

// makeFinal makes a finding an error that no option changes.
func (c *checker) makeFinal(f *ledger.Finding) *ledger.Finding {
	f.Severity = ledger.SeverityError | final
	return f
}

// aboutFile makes a finding one about no row.
func aboutFile(f *ledger.Finding, p position) *ledger.Finding {
	f.Place.Row = 0
	p.setIn(&f.Place)
	return f
}

// cite replaces the clause of a finding.
func cite(f *ledger.Finding, on ledger.Clause) { f.Clause, f.Basis = on, on.Basis() }

// setHelp replaces the remedy unless help is empty.
func setHelp(f *ledger.Finding, help string) {
	if help != "" {
		f.Help = help
	}
}

// severityOf returns the severity of a finding under the options: the override if there is one, and then an error for a
// warning under Strict.
func (o *Options) severityOf(f *ledger.Finding) ledger.Severity {
	if f.Severity&final != 0 {
		return ledger.SeverityError
	}
	severity := f.Severity
	if len(o.Severity) > 0 {
		if over := o.Severity[f.Code]; over != 0 {
			severity = over
		}
	}
	if o.Strict && severity == ledger.SeverityWarning {
		return ledger.SeverityError
	}
	return severity
}

// applySeverities gives findings the severities of the options, sorts them by place, and removes those that are off.
func (o *Options) applySeverities(found ledger.Findings) ledger.Findings {
	kept := found[:0]
	for i := range found {
		severity := o.severityOf(&found[i])
		if severity == ledger.SeverityOff {
			continue
		}
		if kept = kept[:len(kept)+1]; len(kept) <= i {
			kept[len(kept)-1] = found[i]
		}
		f := &kept[len(kept)-1]
		f.Severity, f.Place.File = severity, o.File
	}
	if len(kept) > 1 {
		kept.Sort()
	}
	return kept[:len(kept):len(kept)]
}

// takeFindings returns the findings of a step and starts a new list.
func (c *checker) takeFindings() ledger.Findings {
	if len(c.found) == 0 {
		return nil
	}
	found := c.opts.applySeverities(c.found)
	if c.found = c.found[len(found):len(found)]; len(found) == 0 {
		return nil
	}
	return found
}

// A field is a column of the header, with what is looked up for it once.
type field struct {
	col   Column                        // zero for a name that is unknown
	fits  int                           // the bytes up to which the length need not be checked
	spec  *Spec                         // of col
	check func(*checker, *Spec, string) // of its kind; nil for a name that is unknown
}

func fieldOf(col Column) field {
	spec := &columns[col]
	f := field{col, spec.Max, spec, kinds[spec.kind].check}
	switch {
	case spec.Min > 0:
		f.fits = -1
	case spec.Max == 0 || spec.kind == valueAmounts: // whose elements have a length
		f.fits = longestRow
	case spec.Warn > 0:
		f.fits = spec.Warn
	}
	return f
}

// values checks each value of a record that is not empty and in a known column. plain reports that
// the record is printable ASCII.
func (c *checker) values(text string, plain bool, cells []cell, fields []field) {
	c.text, c.plain = text, plain
	filled := columnSet(0)
	for i, at := range cells {
		f := &fields[i]
		if at.from == at.to || f.col == 0 {
			continue
		}
		s := text[at.from:at.to]
		if at.form == formDoubled {
			s = c.undouble(s)
		}
		core := s
		if !plain {
			if c.plain = isPlain(s); !c.plain {
				c.characters(f.spec, s)
			}
		}
		if !c.plain || s[0] == ' ' || s[len(s)-1] == ' ' {
			if core = strings.TrimFunc(s, isSpace); core == "" {
				c.parsed.blank.add(f.col)
				c.parsed.unread.add(f.col)
				continue
			}
			if core != s {
				c.spaces(f.spec)
			}
		}
		filled.add(f.col)
		before := len(c.found)
		if len(s) > f.fits {
			c.length(f.spec, s)
		}
		if f.check(c, f.spec, core); len(c.found) > before && f.spec.kind != valueText {
			c.advise(c.found[before:], f.spec, s, core)
		}
	}
	c.parsed.filled = filled
}

// undouble is the function undouble with memory that rows share.
func (c *checker) undouble(value string) string {
	c.growTexts(len(value))
	begin := c.texts.Len()
	for {
		n := 1 + strings.IndexByte(value, '"')
		if n == 0 {
			break
		}
		c.texts.WriteString(value[:n])
		value = value[n+1:] // without the second of the pair
	}
	c.texts.WriteString(value)
	return c.texts.String()[begin:]
}

// growTexts makes space for a text in the memory that rows share.
func (c *checker) growTexts(size int) {
	if c.texts.Cap()-c.texts.Len() < size {
		c.texts = strings.Builder{}
		c.texts.Grow(max(size, min(c.number*size, 1<<10)))
	}
}

// characters checks that a value is UTF-8 without NUL and control characters (L41b, L44).
func (c *checker) characters(spec *Spec, s string) {
	faults := faultsOf(s)
	if faults.invalid >= 0 {
		c.parsed.unread.add(spec.Column)
		c.reportEncoding(spec.Column, faults.invalid)
	}
	if faults.nul >= 0 {
		c.parsed.unread.add(spec.Column)
		c.report(NULCharacter, spec.Column, faults.nul)
	}
	if faults.control >= 0 && spec.Column != ColumnOrderDesc {
		setHelp(c.report(ControlCharacter, spec.Column, faults.control), markHelp(s[faults.control:]))
	}
}

// markHelp is the remedy for a byte-order mark in a value; empty for another character.
func markHelp(s string) string {
	if strings.HasPrefix(s, mark) {
		return "remove the byte-order mark: files were joined"
	}
	return ""
}

// reportEncoding reports a byte that is not UTF-8. A Fixer cannot decode a record in two encodings.
func (c *checker) reportEncoding(col Column, at int) *ledger.Finding {
	f := c.report(InvalidUTF8, col, at)
	f.Hint = fixEncoding
	for text := c.text; len(text) > 0; {
		_, size := utf8.DecodeRuneInString(text)
		if size > 1 {
			f.Help, f.Hint = "save the file again, as UTF-8: other characters of the row are in UTF-8, or one was cut", ""
			break
		}
		text = text[size:]
	}
	return f
}

// spaces reports spaces around a value, or a value of nothing else (L46).
func (c *checker) spaces(spec *Spec) {
	f := c.report(SurroundingSpace, spec.Column, wholeValue)
	if kinds[spec.kind].loose {
		f.Severity = ledger.SeverityWarning
	} else {
		c.parsed.unread.add(spec.Column)
	}
}

// length checks the number of characters (L35, L40, L41).
func (c *checker) length(spec *Spec, s string) {
	runes := len(s)
	if !c.plain {
		runes = utf8.RuneCountInString(s)
	}
	fits := spec.Max
	if spec.Warn > 0 {
		fits = spec.Warn
	}
	switch {
	case runes > spec.Max:
		f := c.report(TooLong, spec.Column, wholeValue)
		f.Message = lengthMessage(runes, spec.Max)
		cite(f, spec.Clause)
		setHelp(f, kinds[spec.kind].help)
	case runes < spec.Min:
		cite(c.report(TooShort, spec.Column, wholeValue), spec.Clause)
	case runes > fits:
		c.report(OrderDescLong, spec.Column, wholeValue)
	case len(s) > fits && (kinds[spec.kind].loose || spec.kind == valueState): // other codes are reported to be unknown
		c.report(BytesExceedLimit, spec.Column, wholeValue)
	}
}

// lengthMessage is the message about a length that exceeds a limit.
func lengthMessage(actual, limit int) string {
	return "the value has " + strconv.Itoa(actual) + " characters, the limit is " + strconv.Itoa(limit)
}

// count returns a number and the noun for so many.
func count(n int64, what string) string { return strconv.FormatInt(n, 10) + " " + what }

// plural returns the noun for n of a thing: "row", "rows".
func plural(n int64, noun string) string {
	if n == 1 {
		return noun
	}
	return noun + "s"
}

// limited adds a limit to a message, with its noun: " (limit: 128 values)".
func addLimit(f *ledger.Finding, limit int64, noun string) *ledger.Finding {
	f.Message += " (limit: " + count(limit, plural(limit, noun)) + ")"
	return f
}

// undouble replaces each "" of content by one quote.
func undouble(content string) string {
	if strings.IndexByte(content, '"') < 0 {
		return content
	}
	return strings.ReplaceAll(content, `""`, `"`)
}

// isSpace reports whether r looks like a space. Line breaks and tabs are control characters.
func isSpace(r rune) bool {
	switch {
	case r == ' ', r == 0xA0, r == 0x1680, r == 0x202F, r == 0x205F, r == 0x3000:
		return true
	}
	return 0x2000 <= r && r <= 0x200A
}

// isControl reports whether r is a control character, a line or paragraph separator, a directional mark, or a zero-width
// or similar format character, other than the two joiners of scripts and emoji.
func isControl(r rune) bool {
	switch {
	case r < 0x20, 0x7F <= r && r < 0xA0, r == 0xAD, r == 0x061C, r == 0xFEFF:
		return true
	case r == 0x200B, r == 0x200E, r == 0x200F, 0x2028 <= r && r <= 0x202E, 0x2060 <= r && r <= 0x206F:
		return true
	}
	return false
}

// textFaults are the offsets of the first fault of each kind; -1 for none.
type textFaults struct{ invalid, nul, control int }

// faultsOf returns the faults of a text. A space outside ASCII counts as a control
// character unless it is before or after the text.
func faultsOf(s string) textFaults {
	f := textFaults{-1, -1, -1}
	core := strings.TrimRightFunc(s, isSpace)
	lead := len(core) - len(strings.TrimLeftFunc(core, isSpace))
	for i, r := range s {
		switch {
		case r == utf8.RuneError && f.invalid < 0 && brokenAt(s, i):
			f.invalid = i
		case r == 0 && f.nul < 0:
			f.nul = i
		case r == 0 || f.control >= 0:
		case isControl(r), r != ' ' && isSpace(r) && lead <= i && i < len(core):
			f.control = i
		}
	}
	return f
}

// brokenAt reports whether byte i is not UTF-8, where U+FFFD was decoded.
func brokenAt(s string, i int) bool {
	_, size := utf8.DecodeRuneInString(s[i:])
	return size == 1
}

// foreignMarks are quotation marks other than the straight double quote.
const foreignMarks = "'`“”„«»‘’"

// quoteHelp is the remedy for a value in other marks than straight double quotes, as word processors write
// them, or in double quotes twice, as where quotes were typed into a spreadsheet; empty for others.
func quoteHelp(value string) string {
	first, n := utf8.DecodeRuneInString(value)
	last, _ := utf8.DecodeLastRuneInString(value)
	switch {
	case len(value) <= n:
	case first == '"' && last == '"':
		return "write one pair of double quotes, not three: the inner ones count as part of the value"
	case strings.ContainsRune(foreignMarks, first) && strings.ContainsRune(foreignMarks, last):
		return "write straight double quotes (\") around names and values"
	}
	return ""
}
