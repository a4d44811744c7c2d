package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/chargecast/chargecast/engine"
)

// loading shows how a shell takes its completion script.
func loading(shell string) string {
	switch shell {
	case "bash":
		return "  source <(chargecast completion bash)\n  chargecast completion bash >/etc/bash_completion.d/chargecast"
	case "zsh":
		return "  source <(chargecast completion zsh)\n  chargecast completion zsh >\"${fpath[1]}/_chargecast\""
	case "fish":
		return "  chargecast completion fish | source\n  chargecast completion fish >~/.config/fish/completions/chargecast.fish"
	}
	return "  chargecast completion powershell | Out-String | Invoke-Expression"
}

// describeCompletion puts our words in the place of cobra's.
func describeCompletion(c *cobra.Command) {
	c.Short = "Writes the completion script for a shell"
	c.Long = `completion writes a script with which a shell completes the commands, flags and values of
chargecast, each with a description.`
	c.Example = loading("bash")
	for _, shell := range c.Commands() {
		shell.Short = "Writes the completion script for " + shell.Name()
		shell.Long = shell.Name() + ` writes the completion script for this shell: the first example loads it into the
running shell, the second, where there is one, into every new one.`
		shell.Example = loading(shell.Name())
		if f := shell.Flags().Lookup("no-descriptions"); f != nil {
			f.Usage = "leave out the descriptions"
		}
	}
}

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
