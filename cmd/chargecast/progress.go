package main

import (
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/chargecast/chargecast/internal/program"
)

// progress shows on a terminal how many rows are read, when that takes longer than a
// second. The zero value is silent.
type progress struct {
	log  *messages
	now  func() time.Time
	next time.Time // when to report next
	rows int
}

// newProgress is silent unless stderr is a terminal that the output does not go to.
func (a *app) newProgress() progress {
	if a.outIsTerm || !program.IsTerminal(a.log.w) || a.isDumb() {
		return progress{}
	}
	return progress{log: a.log, now: a.now, next: a.now().Add(time.Second)}
}

// row counts a row. It reads the clock once in 1024 rows.
func (p *progress) row() {
	p.rows++
	if p.log == nil || p.rows%1024 != 0 {
		return
	}
	if now := p.now(); now.After(p.next) {
		p.next = now.Add(200 * time.Millisecond)
		p.log.status("chargecast: " + strconv.Itoa(p.rows) + " rows read")
	}
}

// status shows a text in place of the last one, without a line end; the next message
// takes its place.
func (m *messages) status(s string) {
	m.clear()
	_, _ = io.WriteString(m.w, s)
	m.shown = len(s)
}

// clear takes a status away.
func (m *messages) clear() {
	if m.shown > 0 {
		_, _ = io.WriteString(m.w, "\r"+strings.Repeat(" ", m.shown)+"\r")
		m.shown = 0
	}
}
