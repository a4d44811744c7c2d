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
			b.WriteString("```text\n" + said(strings.TrimPrefix(c.CommandPath(), "chargecast")+" --help") + "```\n")
		}
	})
	b.WriteString("\n## chargecast help flags\n\n```text\n" + said("help flags") + "```\n")
	return b.String()
}

// said is what a command line writes.
func said(line string) string {
	var out bytes.Buffer
	run(strings.Fields(line), strings.NewReader(""), &out, &out)
	return out.String()
}

// TestHelp holds every command to one help that is whole and fits a screen of 80 columns and 40 lines: two examples, a
// line for each flag of its own, the names of the shared ones, and every format: nothing is
// cut, and nothing waits behind another flag.
func TestHelp(t *testing.T) {
	shared := said("help flags")
	program.ForAll(newRoot(newApp(strings.NewReader(""), new(bytes.Buffer), new(bytes.Buffer)), nil), func(c *cobra.Command) {
		path := c.CommandPath()
		if !c.IsAvailableCommand() && c.HasParent() || c.Name() == "help" {
			return
		}
		help := said(strings.TrimPrefix(path, "chargecast") + " --help")
		if onScreen(t, path+" --help", help); c.Short == "" || c.Long == "" {
			t.Errorf("%s lacks a summary or a description", path)
		}
		if n := strings.Count(c.Example+"\n", "\n") - strings.Count(c.Example, "\\\n"); n != 2 {
			t.Errorf("%s has %d examples", path, n)
		}
		_, list, _ := strings.Cut(help, "\nFlags:\n")
		if strings.Contains(list, "\n     ") {
			t.Errorf("%s: a flag has more than one line:\n%s", path, list)
		}
		for _, name := range flagNames(c) {
			f := c.Flags().Lookup(name)
			switch isOwn := strings.Contains(list, "--"+name+" ") && strings.Contains(list, strings.ReplaceAll(f.Usage, "`", "")); {
			case name == "output":
				if !strings.Contains(list, "-o "+f.Value.Type()) {
					t.Errorf("%s --help does not list the formats %s", path, f.Value.Type())
				}
			case isOwn:
			case !strings.Contains(" "+strings.ReplaceAll(list, "\n", " ")+" ", " --"+name+" ") || !strings.Contains(shared, "--"+name+" "):
				t.Errorf("neither %s --help nor chargecast help flags explains --%s", path, name)
			}
			// Law K05: no flag takes the value of a secret.
			if name == "secret" || name == "password" || name == "consumer-secret" {
				t.Errorf("%s has the flag --%s", path, name)
			}
		}
	})
	onScreen(t, "chargecast help flags", shared)
	if bare := said(""); bare != said("--help") || bare != said("help") {
		t.Error("chargecast alone does not show its help")
	}
	for unit := range strings.FieldsSeq("charge day week month quarter weekday profile") {
		if _, units, _ := strings.Cut(said("forecast --help"), "--by UNIT"); !strings.Contains(strings.SplitN(units, "\n", 2)[0], unit) {
			t.Errorf("the help of forecast does not name the unit %s", unit)
		}
	}
}

// onScreen reports a help that does not fit a screen.
func onScreen(t *testing.T, command, help string) {
	t.Helper()
	if lines := strings.Count(help, "\n"); lines > 39 { // and the prompt
		t.Errorf("%s: %d lines:\n%s", command, lines, help)
	}
	for line := range strings.Lines(help) {
		if termtext.Cells(strings.TrimSuffix(line, "\n")) > 80 {
			t.Errorf("%s: too wide: %s", command, line)
		}
	}
}

// TestImage: the image shows the help, and the command line that its file documents makes a forecast.
func TestImage(t *testing.T) {
	text, err := os.ReadFile("../../containers/chargecast.Containerfile")
	if err != nil {
		t.Fatal(err)
	}
	payload, err := os.ReadFile("../../testdata/payloads/demo.csv")
	if err != nil {
		t.Fatal(err)
	}
	_, line, _ := strings.Cut(string(text), `:/data:ro" chargecast `)
	line, _, _ = strings.Cut(line, "\n")
	if !strings.Contains(string(text), "\nENTRYPOINT [\"/chargecast\"]\nCMD [\"--help\"]\n") || line == "" {
		t.Fatalf("it runs other words:\n%s", text)
	}
	t.Chdir(t.TempDir())
	if err := os.WriteFile("payload.csv", payload, 0o600); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if code := run(strings.Fields(line), strings.NewReader(""), &out, &out); code != int(program.ExitOK) || !strings.HasPrefix(out.String(), "Forecast as of ") {
		t.Errorf("%s: %d\n%s", line, code, out.String())
	}
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
