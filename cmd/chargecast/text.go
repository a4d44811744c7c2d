package main

import "strings"

// paint puts colours around words, or leaves them off.
type paint bool

func (p paint) bold(dst []byte, s string) []byte  { return p.with(dst, "\x1b[1m", s) }
func (p paint) faint(dst []byte, s string) []byte { return p.with(dst, "\x1b[2m", s) }
func (p paint) warn(dst []byte, s string) []byte  { return p.with(dst, "\x1b[33m", s) }

func (p paint) with(dst []byte, on, s string) []byte {
	if !p || s == "" {
		return append(dst, s...)
	}
	return append(append(append(dst, on...), s...), "\x1b[0m"...)
}

// textWidth is where running text is broken. Terminals differ, outputs do not.
const textWidth = 100

// appendWrapped appends running text as lines of their own, each behind indent.
func appendWrapped(dst []byte, indent, s string) []byte {
	return appendHanging(append(dst, indent...), len(indent), s)
}

// appendHanging goes on with running text at a column and breaks it to lines that begin
// there.
func appendHanging(dst []byte, column int, s string) []byte {
	at := column
	for word := range strings.FieldsSeq(s) {
		switch {
		case at == column:
		case at+1+len(word) > textWidth:
			dst = append(append(dst, '\n'), strings.Repeat(" ", column)...)
			at = column
		default:
			dst = append(dst, ' ')
			at++
		}
		dst = append(dst, word...)
		at += len(word)
	}
	return append(dst, '\n')
}

// counted is a number with its noun: "1 charge", "2 charges".
func counted(n string, noun string) string {
	if n == "1" {
		return n + " " + noun
	}
	return n + " " + noun + "s"
}
