package main

import (
	"bytes"
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/spf13/cobra"
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
	forAll(newRoot(newApp(strings.NewReader(""), new(bytes.Buffer), new(bytes.Buffer))), func(c *cobra.Command) {
		if c.IsAvailableCommand() && c.Name() != "help" && (c.Parent() == nil || c.Parent().Name() != "completion") {
			b.WriteString("\n" + strings.Repeat("#", min(3, 2+strings.Count(c.CommandPath(), " "))) + " " + c.CommandPath() + "\n\n")
			b.WriteString("```text\n" + helpOf(c.CommandPath()) + "```\n")
		}
	})
	return b.String()
}

func helpOf(path string) string {
	var out bytes.Buffer
	run(append(strings.Fields(path)[1:], "--help"), strings.NewReader(""), &out, &out)
	return out.String()
}

// TestHelp holds every command to what a user expects of its help.
func TestHelp(t *testing.T) {
	forAll(newRoot(newApp(strings.NewReader(""), new(bytes.Buffer), new(bytes.Buffer))), func(c *cobra.Command) {
		if !c.IsAvailableCommand() || strings.Contains(c.CommandPath(), "completion") || c.Name() == "help" {
			return
		}
		if c.Short == "" || c.Long == "" || c.Example == "" {
			t.Errorf("%s lacks a summary, a description or an example", c.CommandPath())
		}
		for line := range strings.SplitSeq(helpOf(c.CommandPath()), "\n") {
			if len([]rune(line)) > 130 {
				t.Errorf("%s: a line of the help has %d characters: %s", c.CommandPath(), len(line), line)
			}
		}
		// Law K05: no flag takes the value of a secret.
		for _, name := range flagNames(c) {
			if name == "secret" || name == "password" || name == "consumer-secret" {
				t.Errorf("%s has the flag --%s", c.CommandPath(), name)
			}
		}
	})
}
