package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"runtime"
	"runtime/debug"
	"strings"
	"time"
)

// stamped is the version that a release writes in with the linker's -X.
var stamped string

// infoFlags are the flags with which the program writes something and ends, instead of serving.
type infoFlags struct {
	version, man       bool
	completion, health string
}

func (q *infoFlags) add(flags *flag.FlagSet) {
	flags.BoolVar(&q.version, "version", false, "show which chargecast-sandbox this is, and end")
	flags.BoolVar(&q.man, "man", false, "write the manual page, and end")
	flags.Func("completion", "write the completions for `SHELL` (bash, zsh or fish), and end", func(shell string) error {
		if completions[shell] == nil {
			return errors.New("must be bash, zsh or fish")
		}
		q.completion = shell
		return nil
	})
	flags.StringVar(&q.health, "health", "", "ask the server at `URL` whether it is well, and end with 0 if it is")
}

// run does what the first of the flags asks for. It reports false if none is set.
func (q *infoFlags) run(ctx context.Context, flags *flag.FlagSet, stdout io.Writer) (bool, error) {
	var text string
	switch {
	case q.health != "":
		return true, healthy(ctx, q.health)
	case q.version:
		info, _ := debug.ReadBuildInfo()
		text = versionOf(info)
	case q.man:
		text = manual(flags)
	case q.completion != "":
		text = completions[q.completion](flags)
	default:
		return false, nil
	}
	_, err := io.WriteString(stdout, text)
	return true, err
}

func versionOf(info *debug.BuildInfo) string {
	version := "unknown"
	if info != nil && info.Main.Version != "" {
		version = info.Main.Version
	}
	if stamped != "" {
		version = stamped
	}
	return "chargecast-sandbox " + version + " (" + runtime.Version() + ", " + runtime.GOOS + "/" + runtime.GOARCH + ")\n"
}

// healthTimeout is how long a server may take to answer.
const healthTimeout = 5 * time.Second

// healthy asks a server for /healthz. A container that has no other program checks itself with it.
func healthy(ctx context.Context, at string) error {
	u, err := url.Parse(at)
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" {
		return usage("--health: must be the URL of a server, such as http://127.0.0.1:8043")
	}
	ctx, cancel := context.WithTimeout(ctx, healthTimeout)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, u.JoinPath("/healthz").String(), nil)
	if err != nil {
		return err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return &failure{exitFailed, "no server answers at " + u.Host, "start it, or name the URL of its ready line"}
	}
	_ = resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return &failure{exitFailed, fmt.Sprintf("the server answers /healthz with %d", resp.StatusCode), "see its log"}
	}
	return nil
}

// manual is the manual page, made from the same texts as --help.
func manual(flags *flag.FlagSet) string {
	var b strings.Builder
	b.WriteString(`.TH CHARGECAST\-SANDBOX 1 "" "chargecast" "chargecast"
.SH NAME
chargecast\-sandbox \- the payment gateway as a server to test against
.SH SYNOPSIS
.B chargecast\-sandbox
[\fIflags\fR]
.SH DESCRIPTION
The gateway of the document, on this machine, with its state in one file. An integrator's code sends it
signed requests; its admin interface moves the clock, shows every charge, and says why a request was refused.
.PP
The first line on the standard output says where it listens:
.PP
.EX
{"type":"ready","url":"http://127.0.0.1:8043"}
.EE
.SH OPTIONS
`)
	flags.VisitAll(func(f *flag.Flag) {
		name, use := flag.UnquoteUsage(f)
		b.WriteString(".TP\n\\fB\\-\\-" + roff(f.Name) + "\\fR")
		if name != "" {
			b.WriteString(" \\fI" + roff(name) + "\\fR")
		}
		b.WriteString("\n" + roff(use))
		if f.DefValue != "" && f.DefValue != "false" && f.DefValue != "0" {
			b.WriteString(" (default " + roff(f.DefValue) + ")")
		}
		b.WriteString("\n")
	})
	b.WriteString(`.SH EXIT STATUS
0 after an interrupt or the signal TERM, 2 for flags or a configuration that cannot be used, 3 for a store or another
file that cannot be read, 4 for anything else, 75 after a fault that was asked for ended it: the next start goes on.
.SH SEE ALSO
.BR chargecast (1)
`)
	return b.String()
}

// roff escapes what a manual page would take for markup.
func roff(text string) string {
	text = strings.ReplaceAll(text, `\`, `\e`)
	text = strings.ReplaceAll(text, "-", `\-`)
	if strings.HasPrefix(text, ".") || strings.HasPrefix(text, "'") {
		text = `\&` + text
	}
	return text
}

// completions make the script of each shell.
var completions = map[string]func(*flag.FlagSet) string{"bash": bash, "zsh": zsh, "fish": fish}

func bash(flags *flag.FlagSet) string {
	var names []string
	flags.VisitAll(func(f *flag.Flag) { names = append(names, "--"+f.Name) })
	// A loop with read instead of mapfile, which bash 3.2 of macOS lacks; it keeps spaces in names of
	// files.
	return `_chargecast_sandbox() {
	local word=${COMP_WORDS[COMP_CWORD]} line
	COMPREPLY=()
	while IFS= read -r line; do
		COMPREPLY[${#COMPREPLY[@]}]=$line
	done < <(
		case $word in
		(-*) compgen -W '` + strings.Join(names, " ") + `' -- "$word" ;;
		(*) compgen -f -- "$word" ;;
		esac
	)
}
complete -F _chargecast_sandbox chargecast-sandbox
`
}

func zsh(flags *flag.FlagSet) string {
	var b strings.Builder
	b.WriteString("#compdef chargecast-sandbox\n_arguments")
	flags.VisitAll(func(f *flag.Flag) {
		name, use := flag.UnquoteUsage(f)
		b.WriteString(" \\\n  '--" + f.Name)
		if name != "" {
			b.WriteString("=")
		}
		b.WriteString("[" + shellText(use) + "]")
		if name != "" {
			b.WriteString(":" + shellText(name) + ":")
			if name == "FILE" {
				b.WriteString("_files")
			}
		}
		b.WriteString("'")
	})
	return b.String() + "\n"
}

// shellText is a text that zsh takes as it is inside brackets and single quotes.
func shellText(text string) string {
	return strings.NewReplacer(`\`, `\\`, "[", `\[`, "]", `\]`, ":", `\:`, "'", "’").Replace(text)
}

func fish(flags *flag.FlagSet) string {
	var b strings.Builder
	flags.VisitAll(func(f *flag.Flag) {
		name, use := flag.UnquoteUsage(f)
		b.WriteString("complete -c chargecast-sandbox -l " + f.Name)
		switch name {
		case "":
			b.WriteString(" -f")
		case "FILE":
			b.WriteString(" -r -F")
		default:
			b.WriteString(" -x")
		}
		b.WriteString(" -d '" + strings.NewReplacer(`\`, `\\`, "'", `\'`).Replace(use) + "'\n")
	})
	return b.String()
}
