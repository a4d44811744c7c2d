package main

import (
	"bytes"
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/chargecast/chargecast/internal/program"
	"github.com/chargecast/chargecast/internal/termtext"
)

var update = flag.Bool("update", false, "rewrite the generated page")

// TestReference holds docs/cli-conform.md to the help of the commands, and each of them to a screen of 80
// columns and 40 lines with two examples and a line for each flag.
func TestReference(t *testing.T) {
	const path = "../../docs/cli-conform.md"
	var b strings.Builder
	b.WriteString(`<!-- Generated from the help of the commands by go test ./cmd/chargecast-conform -update. -->

# The second program

[Test your own scheduler](fuzz-your-own.md) says how to begin, [the reference](conform-protocol.md) what results mean, and [long runs](campaigns.md) how to look further.
`)
	program.ForAll(newRoot(&app{}, nil), func(c *cobra.Command) {
		if c.HasParent() && c.Name() != "repro" && c.Name() != "laws" {
			return
		}
		words := strings.Fields(strings.TrimPrefix(c.CommandPath(), name))
		var help bytes.Buffer
		run(append(words, "--help"), &help, &help)
		text := help.String()
		if lines := strings.Count(text, "\n"); lines > 39 { // and the prompt
			t.Errorf("%s --help has %d lines:\n%s", c.CommandPath(), lines, text)
		}
		for line := range strings.Lines(text) {
			if termtext.Cells(line) > 81 {
				t.Errorf("%s --help: too wide: %s", c.CommandPath(), line)
			}
		}
		_, flags, _ := strings.Cut(text, "\nFlags:\n")
		if strings.Count(c.Example, "\n") != 1 || strings.Contains(flags, "\n     ") {
			t.Errorf("%s --help has not two examples, or a flag of more than one line:\n%s", c.CommandPath(), text)
		}
		b.WriteString("\n## " + c.CommandPath() + "\n\n```text\n" + text + "```\n")
	})
	if *update {
		if err := os.WriteFile(path, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := os.ReadFile(path); err != nil || string(got) != b.String() {
		t.Errorf("%s is out of date (%v); go test ./cmd/chargecast-conform -update writes it", path, err)
	}
}
