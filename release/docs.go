package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// shells are the completions that an archive holds, under the names that the shells look for.
var shells = []struct{ shell, name string }{
	{"bash", "completions/chargecast.bash"},
	{"zsh", "completions/_chargecast"},
	{"fish", "completions/chargecast.fish"},
	{"powershell", "completions/chargecast.ps1"},
}

// commandDocs lets the command that runs here write its manual pages and completions.
func commandDocs(self string, into *tree) error {
	dir, err := os.MkdirTemp("", "chargecast-man-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	if _, err := outputOf(self, "man", "--dir", dir); err != nil {
		return err
	}
	pages, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	if len(pages) == 0 {
		return fmt.Errorf("%s man wrote no page", filepath.Base(self))
	}
	for _, page := range pages {
		if err := into.addFile("man/man1/"+page.Name(), filepath.Join(dir, page.Name())); err != nil {
			return err
		}
	}
	for _, s := range shells {
		script, err := outputOf(self, "completion", s.shell)
		if err != nil {
			return err
		}
		into.add(s.name, script)
	}
	return nil
}

// sandboxDocs does the same for the gateway's program.
func sandboxDocs(self string, into *tree) error {
	for _, d := range []struct{ flag, name string }{
		{"--man", "man/man1/chargecast-sandbox.1"},
		{"--completion=bash", "completions/chargecast-sandbox.bash"},
		{"--completion=zsh", "completions/_chargecast-sandbox"},
		{"--completion=fish", "completions/chargecast-sandbox.fish"},
	} {
		text, err := outputOf(self, d.flag)
		if err != nil {
			return err
		}
		into.add(d.name, text)
	}
	return nil
}

// outputOf is what a program writes to stdout.
func outputOf(program string, args ...string) ([]byte, error) {
	out, err := exec.Command(program, args...).Output()
	if err != nil {
		return nil, fmt.Errorf("%s %q: %w", filepath.Base(program), args, toolError(err))
	}
	return out, nil
}
