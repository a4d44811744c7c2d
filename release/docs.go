package main

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// shells are the completions that an archive holds, under the names that the shells look for.
var shells = []struct{ shell, name string }{
	{"bash", "completions/NAME.bash"},
	{"zsh", "completions/_NAME"},
	{"fish", "completions/NAME.fish"},
	{"powershell", "completions/NAME.ps1"},
}

// commandDocs adds the completions of the program that runs here, and a manual page for each of its commands, made of its help.
func commandDocs(self string, into *tree) error {
	name := strings.TrimSuffix(filepath.Base(self), ".exe")
	for _, s := range shells {
		script, err := outputOf(self, "completion", s.shell)
		if err != nil {
			return err
		}
		into.add(strings.ReplaceAll(s.name, "NAME", name), script)
	}
	return pages(self, name, nil, "", into)
}

// pages adds the page of a command and those of the commands below it, which the program itself lists.
func pages(self, name string, command []string, summary string, into *tree) error {
	help, err := outputOf(self, append(command, "--help", "--all")...)
	if err != nil {
		return err
	}
	page := strings.Join(append([]string{name}, command...), "-")
	if summary == "" {
		summary = "see the description"
	}
	into.add("man/man1/"+page+".1", []byte(".TH "+strings.ToUpper(page)+" 1\n.SH NAME\n"+roff(page)+" \\- "+roff(summary)+"\n.SH DESCRIPTION\n.nf\n"+roff(string(help))+".fi\n"))
	list, err := outputOf(self, append(append([]string{"__complete"}, command...), "")...)
	if err != nil {
		return err
	}
	for line := range strings.Lines(string(list)) {
		word, text, isCommand := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		if isCommand && word != "help" && (len(command) == 0 || command[0] == "payload") {
			if err := pages(self, name, append(slices.Clone(command), word), text, into); err != nil {
				return err
			}
		}
	}
	return nil
}

// roff is a text of which roff takes nothing for a request.
func roff(text string) string {
	text = strings.NewReplacer(`\`, `\e`, `-`, `\-`).Replace(text)
	return strings.NewReplacer("\n.", "\n\\&.", "\n'", "\n\\&'").Replace(text)
}

// outputOf is what a program writes to stdout.
func outputOf(program string, args ...string) ([]byte, error) {
	out, err := exec.Command(program, args...).Output()
	if err != nil {
		return nil, fmt.Errorf("%s %q: %w", filepath.Base(program), args, toolError(err))
	}
	return out, nil
}
