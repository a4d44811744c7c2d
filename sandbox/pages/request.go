package pages

import "strconv"

// A requestPage is one request with all that is known of it.
type requestPage struct {
	request
	Places []string // of the findings, in words
	Right  *marked
	Signed *marked
}

func (v *pageRequest) request() (any, error) {
	p := &requestPage{}
	if err := v.get("requests/"+v.id, &p.request); err != nil {
		return nil, err
	}
	for i := range p.Findings {
		f := &p.Findings[i]
		p.Places = append(p.Places, placeText(f.Place.Row, f.Place.Line, f.Place.Col, f.Subject))
	}
	if p.Diagnosis != nil && p.Diagnosis.BaseStrings != nil {
		b := p.Diagnosis.BaseStrings
		p.Right, p.Signed = mark(b.Right, b.Offset), mark(b.Signed, b.Offset)
	}
	return p, nil
}

// placeText says where a finding is: "row 2, column amount, line 3".
func placeText(row, line, col int, subject string) string {
	var text string
	add := func(part string) {
		if text != "" {
			text += ", "
		}
		text += part
	}
	if row > 0 {
		add("row " + strconv.Itoa(row))
	}
	if subject != "" {
		add(subject)
	}
	if line > 0 {
		add("line " + strconv.Itoa(line))
	}
	if col > 0 {
		add("column " + strconv.Itoa(col))
	}
	return text
}

// A marked text is one with the byte of a difference.
type marked struct{ Before, At, After string }

// mark splits a base string at an offset.
func mark(text string, at int) *marked {
	at = min(max(at, 0), len(text))
	m := &marked{Before: text[:at], After: text[at:]}
	if m.After != "" {
		n := 1
		for n < len(m.After) && m.After[n]&0xC0 == 0x80 { // the rest of a character
			n++
		}
		m.At, m.After = m.After[:n], m.After[n:]
	}
	return m
}
