package main

import (
	"os"
	"strings"

	"golang.org/x/term"
)

// columnsOf is how many columns a terminal has; 0 for what is not one, where lines stay whole.
func columnsOf(v any) int {
	f, ok := v.(*os.File)
	if !ok {
		return 0
	}
	columns, _, err := term.GetSize(int(f.Fd()))
	if err != nil {
		return 0
	}
	return columns
}

// wrapped breaks the lines of a message at spaces so that they fit the columns; what follows a break
// is indented by two columns more than its line. A word that is longer stays whole.
func wrapped(s string, columns int) string {
	if columns <= 0 || len(s) <= columns {
		return s
	}
	lines := strings.Split(s, "\n")
	for i, line := range lines {
		lines[i] = wrappedLine(line, columns)
	}
	return strings.Join(lines, "\n")
}

func wrappedLine(line string, columns int) string {
	if len([]rune(line)) <= columns {
		return line
	}
	indent := line[:len(line)-len(strings.TrimLeft(line, " "))]
	b, at := []byte(indent), len(indent)
	for i, word := range strings.Fields(line) {
		width := len([]rune(word))
		switch {
		case i == 0:
		case at+1+width > columns:
			b = append(append(b, '\n'), indent+"  "...)
			at = len(indent) + 2
		default:
			b = append(b, ' ')
			at++
		}
		b = append(b, word...)
		at += width
	}
	return string(b)
}
