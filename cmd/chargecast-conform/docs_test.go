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

var update = flag.Bool("update", false, "rewrite the generated page")

// TestReference holds docs/cli-conform.md to the help of the commands, and their first screens to 80 columns and 24 lines.
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
		var screen, whole bytes.Buffer
		run(append(words, "--help"), &screen, &screen)
		if lines := strings.Count(screen.String(), "\n"); lines > 24 {
			t.Errorf("%s --help has %d lines:\n%s", c.CommandPath(), lines, screen.String())
		}
		for line := range strings.SplitSeq(screen.String(), "\n") {
			if len([]rune(line)) > 80 {
				t.Errorf("%s --help: %d columns: %s", c.CommandPath(), len([]rune(line)), line)
			}
		}
		run(append(words, "--help", "--all"), &whole, &whole)
		b.WriteString("\n## " + c.CommandPath() + "\n\n```text\n" + whole.String() + "```\n")
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
