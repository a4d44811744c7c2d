package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/chargecast/chargecast/engine"
)

// completeFlags lets a shell complete the values of a command's flags: the words of a
// choice, the keys and values of a policy with what they mean, the ids of a payload that
// is named already, files where a file is wanted, and nothing where a day or a number is.
func completeFlags(a *app, c *cobra.Command) {
	c.Flags().VisitAll(func(f *pflag.Flag) {
		// It fails only for a flag that the command lacks or that has one already.
		_ = c.RegisterFlagCompletionFunc(f.Name, completionOf(a, f))
	})
}

func completionOf(a *app, f *pflag.Flag) cobra.CompletionFunc {
	switch v := f.Value.(type) {
	case *choice:
		return cobra.FixedCompletions(slices.Clone(v.of), cobra.ShellCompDirectiveNoFileComp)
	case *policyFlag:
		return completePolicy
	}
	switch name, _ := pflag.UnquoteUsage(f); {
	case strings.HasSuffix(name, "FILE"):
		return nil // the shell's own
	case name == "ID":
		return completeIDs(a)
	}
	return cobra.NoFileCompletions
}

// completePolicy completes the last KEY=VALUE of a list.
func completePolicy(_ *cobra.Command, _ []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
	done := typed[:strings.LastIndexByte(typed, ',')+1]
	var all []cobra.Completion
	for c := range engine.Keys() {
		e := c.Entry()
		if strings.Contains(","+done, ","+e.Key+"=") {
			continue
		}
		for _, r := range e.Readings {
			all = append(all, cobra.CompletionWithDesc(done+e.Key+"="+r.Value, r.Text))
		}
	}
	return all, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
}
