package main

import (
	"cmp"
	"errors"
	"os"
	"strconv"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/termtext"
	"github.com/chargecast/chargecast/internal/words"
	"github.com/chargecast/chargecast/report"
)

// defaultWidth is how wide a terminal is taken to be where that is not known.
const defaultWidth = 80

// A widthFlag is a number of columns; 0 where it is not given.
type widthFlag int

func (n *widthFlag) String() string { return strconv.Itoa(int(*n)) }
func (*widthFlag) Type() string     { return "N" }

func (n *widthFlag) Set(s string) error {
	width, ok := wholeNumber(s)
	if !ok || width < report.LeastWidth || width > maxCount {
		return errors.New("must be a whole number from " + strconv.Itoa(report.LeastWidth) + " to " + strconv.Itoa(maxCount))
	}
	*n = widthFlag(width)
	return nil
}

// widthVar adds --width.
func widthVar(c *cobra.Command) *widthFlag {
	n := new(widthFlag)
	c.Flags().Var(n, "width", "columns of the text, at least "+strconv.Itoa(report.LeastWidth)+" (default those of the terminal, else 80)")
	return n
}

// width is how many columns tables on stdout may take: what was asked for, or else those of the
// terminal.
func (a *app) width(asked widthFlag) int {
	return cmp.Or(int(asked), a.columns, defaultWidth)
}

// columnsOf is how many columns a terminal has; 0 for what is not one, where lines stay whole.
func columnsOf(v any) int {
	f, ok := v.(*os.File)
	if !ok {
		return 0
	}
	columns, _, err := term.GetSize(int(f.Fd()))
	if err != nil || columns <= 0 {
		return 0
	}
	return max(report.LeastWidth, columns)
}

// fit breaks the lines of the format "text" that are wider than the terminal.
func (a *app) fit(format string) {
	if format == "text" {
		a.out.columns = a.columns
	}
}

// text is for the commands that write text with colours, which fits the terminal.
func (a *app) text(colour string) paint {
	a.fit("text")
	return paint{termtext.Paint(a.colourful(colour)), min(cmp.Or(a.columns, defaultWidth), mostReadable)}
}

// mostReadable is how wide running text may be on a wide terminal.
const mostReadable = 100

// A paint puts colours around words, or leaves them off, and breaks running text.
type paint struct {
	colours termtext.Paint
	columns int
}

func (p paint) bold(dst []byte, s string) []byte { return p.colours.Bold(dst, s) }

// wrapped appends running text as lines of their own, each behind indent.
func (p paint) wrapped(dst []byte, indent, s string) []byte {
	return p.hanging(append(dst, indent...), len(indent), s)
}

// leastColumn is how wide a column of running text is at least.
const leastColumn = 24

// hanging goes on with running text at a column and breaks it to lines that begin there; below, where
// the column leaves too little room.
func (p paint) hanging(dst []byte, column int, s string) []byte {
	const below = "      "
	if column > len(below) && p.columns-column < leastColumn {
		dst, column = append(append(termtext.TrimSpace(dst), '\n'), below...), len(below)
	}
	return termtext.AppendHanging(dst, column, p.columns, s)
}

func visible(s string) string              { return termtext.Visible(s) }
func counted(n, noun string) string        { return termtext.Counted(n, noun) }
func pad(s string, width int) string       { return termtext.Pad(s, width) }
func isFixed(s amount.Total) bool          { return words.IsFixed(s) }
func meanOf(s amount.Total) string         { return words.Mean(s) }
func otherReadings(p engine.Policy) string { return words.OtherReadings(p) }

func between(low, high string, same bool) string { return words.Between(low, high, same) }

func appendDay(dst []byte, d calendar.Date) []byte { return words.AppendDay(dst, d) }
