package main

import (
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/chargecast/chargecast/rules"
)

// maxCompletedRows and maxCompletions keep a key press short, whatever the file.
const (
	maxCompletedRows = 100_000
	maxCompletions   = 100
)

// completeIDs completes a client-orderid from the files that are named already. An id that holds a
// card number is left out.
func completeIDs(a *app) cobra.CompletionFunc {
	return func(c *cobra.Command, files []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
		if f := c.Flags().Lookup("compare"); f != nil && f.Changed { // whose value is the payload
			files = []string{f.Value.String()}
		}
		var all []cobra.Completion
		for _, path := range files {
			if path != "-" { // which is the user's terminal
				all = a.appendIDs(all, path, typed)
			}
		}
		return all, cobra.ShellCompDirectiveNoFileComp
	}
}

func (a *app) appendIDs(all []cobra.Completion, path, typed string) []cobra.Completion {
	in, err := a.openText(path)
	if err != nil {
		return all
	}
	defer in.close()
	for row := range rules.NewReader(in, rules.Options{MaxRows: maxCompletedRows, MaxOrderIDs: -1}).Rows() {
		if row == nil || !strings.HasPrefix(row.OrderID, typed) || row.ShownID() != row.OrderID {
			continue
		}
		if len(all) == maxCompletions {
			break
		}
		all = append(all, cobra.CompletionWithDesc(visible(row.OrderID), "row "+strconv.Itoa(row.Number)+", "+row.Currency))
	}
	return all
}
