package main

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
)

func newMan(a *app) *cobra.Command {
	var dir string
	c := &cobra.Command{
		Use:   "man [COMMAND]",
		Short: "Writes a manual page",
		Long: `man writes the manual page of a command, in the form that man reads, or without a COMMAND the
page that lists all of them. The pages are made from the same texts as --help. --dir writes
every page to a directory, as chargecast.1, chargecast-forecast.1 and so on.`,
		Example: `  chargecast man forecast | man -l -
  chargecast man payload fix | man -l -
  chargecast man --dir /usr/local/share/man/man1`,
		Args:              cobra.ArbitraryArgs,
		ValidArgsFunction: completeCommands,
	}
	c.Flags().StringVar(&dir, "dir", "", "write all pages to this existing `DIRECTORY`")
	c.RunE = func(c *cobra.Command, args []string) error {
		if c.Flags().Changed("dir") {
			if len(args) > 0 {
				return usage("--dir writes the pages of all commands", "leave out the COMMAND")
			}
			return writePages(c.Root(), dir)
		}
		of, rest, err := c.Root().Find(args)
		if err != nil || len(rest) > 0 {
			return unknownCommand(of, rest)
		}
		a.out.b = appendPage(a.out.b, of)
		a.out.endLine()
		return nil
	}
	return c
}

// completeCommands completes the name of a command, word by word.
func completeCommands(c *cobra.Command, args []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
	of, rest, err := c.Root().Find(args)
	if err != nil || len(rest) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	var all []cobra.Completion
	for _, sub := range of.Commands() {
		if sub.IsAvailableCommand() && strings.HasPrefix(sub.Name(), typed) {
			all = append(all, cobra.CompletionWithDesc(sub.Name(), sub.Short))
		}
	}
	return all, cobra.ShellCompDirectiveNoFileComp
}

// writePages writes the page of every command to a directory.
func writePages(root *cobra.Command, dir string) error {
	for _, c := range documented(root) {
		path := filepath.Join(dir, pageName(c)+".1")
		if err := os.WriteFile(path, appendPage(nil, c), 0o644); err != nil {
			return internal("--dir: "+quoted(path)+" cannot be written: "+reason(err), "give an existing directory that you may write to")
		}
	}
	return nil
}

// documented returns the commands that have a page, the root first.
func documented(root *cobra.Command) (all []*cobra.Command) {
	forAll(root, func(c *cobra.Command) {
		if c == root || c.IsAvailableCommand() {
			all = append(all, c)
		}
	})
	return all
}

// pageName is what man knows a command's page by.
func pageName(c *cobra.Command) string { return strings.ReplaceAll(c.CommandPath(), " ", "-") }
