package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// TestManualPages holds a page for every command to what the command offers: its summary, each flag
// that the help shows, each example, and a way to the pages around it.
func TestManualPages(t *testing.T) {
	dir := t.TempDir()
	var out bytes.Buffer
	if code := run([]string{"man", "--dir", dir}, strings.NewReader(""), &out, &out); code != 0 || out.Len() > 0 {
		t.Fatalf("man --dir ends with %d and prints %q", code, out.String())
	}
	pages := 0
	forAll(newRoot(newApp(strings.NewReader(""), new(bytes.Buffer), new(bytes.Buffer))), func(c *cobra.Command) {
		if c.HasParent() && !c.IsAvailableCommand() {
			return
		}
		pages++
		name := pageName(c)
		data, err := os.ReadFile(filepath.Join(dir, name+".1"))
		if err != nil {
			t.Error(err)
			return
		}
		page := strings.NewReplacer(`\-`, "-", `\e`, `\`, `\&`, "").Replace(string(data))
		wants := []string{
			".TH " + strings.ToUpper(name) + " 1", "\n" + name + " - " + lowerFirst(c.Short) + "\n",
			".SH SYNOPSIS\n.B " + c.CommandPath(), ".SH EXIT STATUS\n",
		}
		c.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if f.Hidden {
				if strings.Contains(page, "--"+f.Name+"\n") {
					t.Errorf("%s: shows --%s, which the help hides", name, f.Name)
				}
				return
			}
			wants = append(wants, "--"+f.Name)
		})
		for line := range strings.Lines(c.Example) {
			wants = append(wants, strings.TrimRight(line, "\n"))
		}
		if c.HasParent() {
			wants = append(wants, ".SH SEE ALSO\n.BR "+pageName(c.Parent())+" (1)")
		}
		for _, sub := range c.Commands() {
			if sub.IsAvailableCommand() {
				wants = append(wants, ".BR "+pageName(sub)+" (1)\n"+sub.Short)
			}
		}
		for _, want := range wants {
			if !strings.Contains(page, want) {
				t.Errorf("%s: lacks %q", name, want)
			}
		}
	})
	if list, err := os.ReadDir(dir); err != nil || len(list) != pages {
		t.Errorf("%d pages for %d commands (%v)", len(list), pages, err)
	}
}

// TestCompletionsAreDescribed holds every command and every flag that a shell offers to a description,
// without the marks that the help takes out.
func TestCompletionsAreDescribed(t *testing.T) {
	forAll(newRoot(newApp(strings.NewReader(""), new(bytes.Buffer), new(bytes.Buffer))), func(c *cobra.Command) {
		if c.HasParent() && !c.IsAvailableCommand() {
			return
		}
		words := append([]string{"__complete"}, strings.Fields(c.CommandPath())[1:]...)
		for _, typed := range [...]string{"", "--"} {
			if typed == "" && !c.HasSubCommands() {
				continue
			}
			var out bytes.Buffer
			run(append(words, typed), strings.NewReader(""), &out, new(bytes.Buffer))
			offers := 0
			for line := range strings.Lines(out.String()) {
				name, text, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
				if strings.HasPrefix(name, ":") {
					continue
				}
				if offers++; text == "" || strings.Contains(line, "`") {
					t.Errorf("%s: offers %q as %q", c.CommandPath(), name, text)
				}
			}
			if offers == 0 {
				t.Errorf("%s: offers nothing for %q", c.CommandPath(), typed)
			}
		}
	})
}
