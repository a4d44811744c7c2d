package main

import (
	"github.com/spf13/cobra"

	"github.com/chargecast/chargecast/rules"
)

// limits are the flags that bound what is read of a payload (L56d); 0 is the default.
type limits [len(limitFlags)]countFlag

var limitFlags = [...]struct{ name, text string }{
	{"max-rows", "read at most `N` rows (default no limit)"},
	{"max-bytes", "read at most `N` bytes (default no limit)"},
	{"max-row", "bytes of a row at most (default 1048576)"},
	{"max-cell", "bytes of a value at most (default 524288)"},
	{"max-columns", "values of a row at most (default 128)"},
	{"max-elements", "elements of amount-sequence at most (default 10000)"},
}

func (l *limits) register(c *cobra.Command) {
	for i, f := range limitFlags {
		c.Flags().Var(&l[i], f.name, f.text)
		c.Flags().Lookup(f.name).DefValue = "0" // said in the text
	}
}

// bound puts the limits into o.
func (l *limits) bound(o rules.Options) rules.Options {
	o.MaxRows, o.MaxBytes, o.MaxRow = int(l[0]), int64(l[1]), int(l[2])
	o.MaxCell, o.MaxColumns, o.MaxElements = int(l[3]), int(l[4]), int(l[5])
	return o
}
