package main

import (
	"os"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/termtext"
	"github.com/chargecast/chargecast/internal/words"
	"github.com/chargecast/chargecast/record"
)

// defaultWidth is how wide a terminal is taken to be where that is not known.
const defaultWidth = 80

// widthFlag adds --width.
func widthFlag(c *cobra.Command) *countFlag {
	n := new(countFlag)
	c.Flags().Var(n, "width", "columns of tables and calendars (default those of the terminal, else 80)")
	return n
}

// width is how many columns texts on stdout may take: what was asked for, or else those of the
// terminal.
func (a *app) width(asked countFlag) int {
	if asked > 0 {
		return int(asked)
	}
	if f, ok := a.out.w.(*os.File); ok && a.outIsTerm {
		if columns, _, err := term.GetSize(int(f.Fd())); err == nil && columns > 0 {
			return columns
		}
	}
	return defaultWidth
}

// paint puts colours around words, or leaves them off.
type paint termtext.Paint

func (p paint) bold(dst []byte, s string) []byte  { return termtext.Paint(p).Bold(dst, s) }
func (p paint) faint(dst []byte, s string) []byte { return termtext.Paint(p).Faint(dst, s) }
func (p paint) warn(dst []byte, s string) []byte  { return termtext.Paint(p).Warn(dst, s) }

// textWidth is where running text is broken.
const textWidth = 100

// appendWrapped appends running text as lines of their own, each behind indent.
func appendWrapped(dst []byte, indent, s string) []byte {
	return appendHanging(append(dst, indent...), len(indent), s)
}

// appendHanging goes on with running text at a column and breaks it to lines that begin
// there.
func appendHanging(dst []byte, column int, s string) []byte {
	return termtext.AppendHanging(dst, column, textWidth, s)
}

func visible(s string) string                { return termtext.Visible(s) }
func counted(n, noun string) string          { return termtext.Counted(n, noun) }
func pad(s string, width int) string         { return termtext.Pad(s, width) }
func isFixed(s record.Sums) bool             { return words.IsFixed(s) }
func meanOf(s record.Sums) string            { return words.Mean(s) }
func besides(t *record.Tally) string         { return words.Besides(t) }
func reasonsInWords(r engine.Reasons) string { return words.Reasons(r) }
func otherReadings(p engine.Policy) string   { return words.OtherReadings(p) }

func between(low, high string, same bool) string { return words.Between(low, high, same) }

func appendDay(dst []byte, d calendar.Date) []byte { return words.AppendDay(dst, d) }
