package main

import (
	"iter"
	"slices"
	"strconv"

	"github.com/chargecast/chargecast/ledger"
)

// finding writes a finding and what to do about it.
func (m *messages) finding(file string, p ledger.Finding) {
	m.line(problemLine(file, p))
	if p.Help != "" {
		m.line("  help: " + visible(p.Help))
	}
}

// problemLine is a problem as compilers report theirs.
func problemLine(file string, p ledger.Finding) string {
	b := []byte(file)
	if p.Place.Line > 0 {
		b = strconv.AppendInt(append(b, ':'), int64(p.Place.Line), 10)
		b = strconv.AppendInt(append(b, ':'), int64(p.Place.Col), 10)
	}
	b = append(b, ": "+p.Severity.String()+": "+string(p.Code)+": "...)
	if p.Subject != "" {
		b = append(b, p.Subject+": "...)
	}
	b = append(b, visible(p.Message)...)
	return string(append(b, profileOf(p, " (profile ", ")")...))
}

// profileOf is the client-orderid of the row that a finding is about, between two texts; empty
// where it has none.
func profileOf(p ledger.Finding, before, after string) string {
	if p.Place.Profile == "" {
		return ""
	}
	return before + visible(p.Place.Profile) + after
}

func sortedCounts(m map[ledger.Code]int) iter.Seq2[ledger.Code, int] {
	return func(yield func(ledger.Code, int) bool) {
		codes := make([]ledger.Code, 0, len(m))
		for c := range m {
			codes = append(codes, c)
		}
		slices.Sort(codes)
		for _, c := range codes {
			if !yield(c, m[c]) {
				return
			}
		}
	}
}
