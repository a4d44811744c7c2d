package main

import (
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

func newMan(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "man",
		Short: "Writes the manual page",
		Long: `man writes the manual page of chargecast with all its commands, in the form that man reads.
It is made from the same texts as --help.`,
		Example: `  chargecast man >/usr/local/share/man/man1/chargecast.1
  chargecast man | man -l -`,
		Args: noArguments,
		RunE: func(c *cobra.Command, _ []string) error {
			a.out.b = appendManual(a.out.b, c.Root())
			a.out.endLine()
			return nil
		},
	}
}

// appendManual appends the page in the macros of man(7).
func appendManual(dst []byte, root *cobra.Command) []byte {
	dst = append(dst, ".TH CHARGECAST 1\n.SH NAME\nchargecast \\- "+lowerFirst(root.Short)+"\n"...)
	dst = append(dst, ".SH SYNOPSIS\n.B chargecast\n.I command\n[flags] [arguments]\n.SH DESCRIPTION\n"...)
	dst = appendRoffText(dst, root.Long)
	forAll(root, func(c *cobra.Command) {
		if c == root || !c.IsAvailableCommand() {
			return
		}
		dst = append(dst, ".SH "...)
		dst = append(dst, strings.ToUpper(strings.TrimPrefix(c.CommandPath(), root.Name()+" "))+"\n.B "...)
		dst = append(appendRoff(dst, c.UseLine()), "\n.PP\n"...)
		text := c.Long
		if text == "" {
			text = c.Short
		}
		dst = appendRoffText(dst, text)
		c.LocalFlags().VisitAll(func(f *pflag.Flag) { dst = appendRoffFlag(dst, f) })
		if c.Example != "" {
			dst = append(dst, ".PP\nExamples:\n"...)
			dst = appendRoffLines(dst, c.Example)
		}
	})
	return dst
}

func lowerFirst(s string) string { return strings.ToLower(s[:1]) + s[1:] }

// appendRoffText appends paragraphs; what is indented in them stays line by line.
func appendRoffText(dst []byte, text string) []byte {
	for part := range strings.SplitSeq(strings.TrimSpace(text), "\n\n") {
		if strings.HasPrefix(part, " ") {
			dst = appendRoffLines(dst, part)
			continue
		}
		dst = append(dst, ".PP\n"...)
		for line := range strings.SplitSeq(part, "\n") {
			dst = append(appendRoff(dst, line), '\n')
		}
	}
	return dst
}

// appendRoffLines appends lines that are not to be filled.
func appendRoffLines(dst []byte, lines string) []byte {
	dst = append(dst, ".PP\n.nf\n"...)
	for line := range strings.SplitSeq(strings.TrimRight(lines, "\n"), "\n") {
		dst = append(appendRoff(dst, line), '\n')
	}
	return append(dst, ".fi\n"...)
}

func appendRoffFlag(dst []byte, f *pflag.Flag) []byte {
	value, text := pflag.UnquoteUsage(f)
	dst = append(dst, ".TP\n"...)
	name := "--" + f.Name
	if f.Shorthand != "" {
		name = "-" + f.Shorthand + ", " + name
	}
	dst = appendRoff(append(dst, ".B "...), name)
	if value != "" {
		dst = appendRoff(append(dst, ' '), value)
	}
	dst = appendRoff(append(dst, '\n'), text)
	if f.DefValue != "" && f.DefValue != "false" && f.DefValue != "0" && f.DefValue != "[]" {
		dst = append(appendRoff(append(dst, " (default "...), f.DefValue), ')')
	}
	return append(dst, '\n')
}

// appendRoff appends text so that roff takes none of it for a request.
func appendRoff(dst []byte, s string) []byte {
	if strings.HasPrefix(s, ".") || strings.HasPrefix(s, "'") {
		dst = append(dst, `\&`...)
	}
	for i := range len(s) {
		switch s[i] {
		case '\\':
			dst = append(dst, `\e`...)
		case '-':
			dst = append(dst, `\-`...)
		default:
			dst = append(dst, s[i])
		}
	}
	return dst
}
