package program

import (
	"os"

	"golang.org/x/term"
)

// IsTerminal reports whether v is a file that is a terminal.
func IsTerminal(v any) bool {
	f, ok := v.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// Columns returns how many columns the terminal has that v is; 0 for what is not one, where lines are not broken.
func Columns(v any) int {
	f, ok := v.(*os.File)
	if !ok {
		return 0
	}
	columns, _, err := term.GetSize(int(f.Fd()))
	if err != nil || columns <= 0 {
		return 0
	}
	return columns
}
