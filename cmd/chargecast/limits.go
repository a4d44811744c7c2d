package main

import (
	"math"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/chargecast/chargecast/rules"
)

// limits are the flags that bound what is read of a payload (L56d); 0 is the default.
type limits struct {
	rows, bytes                 sizeFlag
	row, cell, columns, element countFlag
}

func (l *limits) register(c *cobra.Command) {
	for _, f := range [...]struct {
		value      pflag.Value
		name, text string
	}{
		{&l.rows, "max-rows", "read at most `N` rows (default no limit)"},
		{&l.bytes, "max-bytes", "read at most `N` bytes (default no limit)"},
		{&l.row, "max-row", "longest row, in bytes (default 1048576)"},
		{&l.cell, "max-cell", "longest value, in bytes (default 524288)"},
		{&l.columns, "max-columns", "most values in a row (default 128)"},
		{&l.element, "max-elements", "most elements in an amount-sequence (default 10000)"},
	} {
		c.Flags().Var(f.value, f.name, f.text)
		c.Flags().Lookup(f.name).DefValue = "0" // said in the text
	}
}

// bound puts the limits into o.
func (l *limits) bound(o rules.Options) rules.Options {
	o.MaxRows, o.MaxBytes, o.MaxRow = int(min(l.rows, math.MaxInt)), int64(l.bytes), int(l.row)
	o.MaxCell, o.MaxColumns, o.MaxElements = int(l.cell), int(l.columns), int(l.element)
	return o
}
