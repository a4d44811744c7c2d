package main

import (
	"bytes"
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/chargecast/chargecast/internal/program"
)

var update = flag.Bool("update", false, "rewrite the expected outputs and the generated pages")

// TestReference holds docs/cli.md to the help of the commands.
func TestReference(t *testing.T) {
	golden(t, "../../docs/cli.md", reference())
}

func golden(t *testing.T, path, want string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Errorf("%s is out of date; go test ./cmd/chargecast -update writes it", path)
	}
}

// reference is the help of every command on one page.
func reference() string {
	var b strings.Builder
	b.WriteString(`<!-- Generated from the help of the commands by go test ./cmd/chargecast -update. -->

# The command

The records of the outputs are in [output.md](output.md), the policy keys in [ledger.md](ledger.md).
`)
	program.ForAll(newRoot(newApp(strings.NewReader(""), new(bytes.Buffer), new(bytes.Buffer)), nil), func(c *cobra.Command) {
		if c.IsAvailableCommand() && c.Name() != "help" && (c.Parent() == nil || c.Parent().Name() != "completion") {
			b.WriteString("\n" + strings.Repeat("#", min(3, 2+strings.Count(c.CommandPath(), " "))) + " " + c.CommandPath() + "\n\n")
			b.WriteString("```text\n" + helpOf(c.CommandPath()) + "```\n")
		}
	})
	return b.String()
}

func helpOf(path string) string {
	var out bytes.Buffer
	run(append(strings.Fields(path)[1:], "--help", "--all"), strings.NewReader(""), &out, &out)
	return out.String()
}

// most is how many lines a help may have: a screen, and three more for the root while it lists verify, diagnose and trace.
func most(c *cobra.Command) int {
	if trace, _, err := c.Find([]string{"trace"}); !c.HasParent() && err == nil && trace.Name() == "trace" && !trace.Hidden {
		return 27
	}
	return 24
}

// TestHelp holds every command to what a user expects of its help: a screen of 80 columns and 24 lines with what most
// need first, and all of it behind --all. Bare chargecast had 60 lines, forecast --help 101.
func TestHelp(t *testing.T) {
	program.ForAll(newRoot(newApp(strings.NewReader(""), new(bytes.Buffer), new(bytes.Buffer)), nil), func(c *cobra.Command) {
		if !c.IsAvailableCommand() && c.HasParent() {
			return
		}
		path := c.CommandPath()
		for _, line := range []string{strings.Join(append(strings.Fields(path)[1:], "--help"), " "), strings.TrimPrefix(path, "chargecast")} {
			if line == strings.TrimPrefix(path, "chargecast") && c.HasParent() {
				continue // what it does without flags is not help
			}
			var out bytes.Buffer
			run(strings.Fields(line), strings.NewReader(""), &out, &out)
			if lines := strings.Count(out.String(), "\n"); lines > most(c) {
				t.Errorf("%s: the help has %d lines:\n%s", path, lines, out.String())
			}
			for text := range strings.SplitSeq(out.String(), "\n") {
				if len([]rune(text)) > 80 {
					t.Errorf("%s: a line of the help has %d columns: %s", path, len([]rune(text)), text)
				}
			}
		}
		for f := range strings.FieldsSeq(firstFlags[path]) {
			if c.Flags().Lookup(f) == nil {
				t.Errorf("%s has no flag --%s, which its help is to show first", path, f)
			}
		}
		if len(strings.Fields(firstFlags[path])) > 16 {
			t.Errorf("%s: the first screen has more than sixteen flags", path)
		}
		if strings.Contains(path, "completion") || c.Name() == "help" {
			return
		}
		whole := helpOf(path)
		if c.Short == "" || c.Long == "" || c.Example == "" {
			t.Errorf("%s lacks a summary, a description or an example", path)
		}
		for _, name := range flagNames(c) {
			if !c.Flags().Lookup(name).Hidden && !strings.Contains(whole, "--"+name) {
				t.Errorf("%s --help --all does not show --%s", path, name)
			}
			// Law K05: no flag takes the value of a secret.
			if name == "secret" || name == "password" || name == "consumer-secret" {
				t.Errorf("%s has the flag --%s", path, name)
			}
		}
	})
}

// TestCompletionsAreDescribed holds every command and every flag that a shell offers to a description, without the marks
// that the help takes out.
func TestCompletionsAreDescribed(t *testing.T) {
	program.ForAll(newRoot(newApp(strings.NewReader(""), new(bytes.Buffer), new(bytes.Buffer)), nil), func(c *cobra.Command) {
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
