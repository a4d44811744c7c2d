package main

import (
	"runtime"

	"github.com/spf13/cobra"
)

// workers is --workers. What comes out is the same for any number.
type workers struct{ of countFlag }

func (w *workers) register(c *cobra.Command) {
	c.Flags().Var(&w.of, "workers", "read long payloads with `N` workers (default: the cores)")
	c.Flags().Lookup("workers").DefValue = "0" // said in the text
}

// number is how many workers there are to be.
func (w *workers) number() int {
	if w.of > 0 {
		return int(w.of)
	}
	return runtime.GOMAXPROCS(0)
}
