package main

import (
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// exitStatus is the section of every page that scripts need.
const exitStatus = `0 all well, warnings included; 1 findings, such as an error in a row or a difference; 2 usage;
3 input that cannot be read; 4 output that cannot be written, or an internal error; 130 interrupted.`

// appendPage appends the manual page of a command in the macros of man(7).
func appendPage(dst []byte, c *cobra.Command) []byte {
	dst = append(dst, ".TH "+strings.ToUpper(pageName(c))+" 1 \"\" chargecast \"chargecast manual\"\n.SH NAME\n"...)
	dst = append(appendRoff(dst, pageName(c)), " \\- "...)
	dst = append(appendRoff(dst, lowerFirst(c.Short)), "\n.SH SYNOPSIS\n.B "...)
	if c.HasAvailableSubCommands() {
		dst = append(appendRoff(dst, c.CommandPath()), " COMMAND\n"...)
	} else {
		dst = append(appendRoff(dst, c.UseLine()), '\n')
	}
	dst = append(dst, ".SH DESCRIPTION\n"...)
	text := c.Long
	if text == "" {
		text = c.Short
	}
	dst = appendRoffText(dst, text)
	dst = appendSubcommands(dst, c)
	dst = append(dst, ".SH OPTIONS\n"...)
	c.LocalFlags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			dst = appendRoffFlag(dst, f)
		}
	})
	if c.Example != "" {
		dst = appendRoffLines(append(dst, ".SH EXAMPLES\n"...), c.Example)
	}
	dst = appendRoffText(append(dst, ".SH EXIT STATUS\n"...), exitStatus)
	return appendSeeAlso(dst, c)
}

// appendSubcommands lists what is below a command, with the pages to read.
func appendSubcommands(dst []byte, c *cobra.Command) []byte {
	if !c.HasAvailableSubCommands() {
		return dst
	}
	dst = append(dst, ".SH COMMANDS\n"...)
	for _, sub := range c.Commands() {
		if sub.IsAvailableCommand() {
			dst = append(appendRoff(append(dst, ".TP\n.BR "...), pageName(sub)), " (1)\n"...)
			dst = append(appendRoff(dst, sub.Short), '\n')
		}
	}
	return dst
}

// appendSeeAlso names the page above a command and those beside it in its group.
func appendSeeAlso(dst []byte, c *cobra.Command) []byte {
	if !c.HasParent() {
		return dst
	}
	dst = appendRoff(append(dst, ".SH SEE ALSO\n.BR "...), pageName(c.Parent()))
	dst = append(dst, " (1)"...)
	for _, other := range c.Parent().Commands() {
		if other != c && other.GroupID == c.GroupID && other.IsAvailableCommand() {
			dst = appendRoff(append(dst, ",\n.BR "...), pageName(other))
			dst = append(dst, " (1)"...)
		}
	}
	return append(dst, '\n')
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
