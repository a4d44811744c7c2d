package main

import (
	"bytes"
	"os"
	"regexp"
	"strings"
	"testing"
)

var (
	consoleBlock = regexp.MustCompile("(?s)```console\n(\\$ chargecast .*?)```\n")
	goBlock      = regexp.MustCompile("(?s)```go\n.*?```\n")
	exampleBody  = regexp.MustCompile(`(?s)\nfunc Example\(\) \{\n(.*?)\n\}\n`)
)

// TestReadme runs the README's transcripts, and holds its example in Go to the one that is run.
func TestReadme(t *testing.T) {
	t.Chdir("../..")
	file, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	transcripts := 0
	want := consoleBlock.ReplaceAllStringFunc(string(file), func(block string) string {
		transcripts++
		var text strings.Builder
		for line := range strings.Lines(consoleBlock.FindStringSubmatch(block)[1]) {
			command, ok := strings.CutPrefix(strings.TrimSpace(line), "$ chargecast ")
			if !ok {
				continue
			}
			var out, messages bytes.Buffer // the README shows what goes to stdout
			if code := run(strings.Fields(command), strings.NewReader(""), &out, &messages); code > int(exitFindings) {
				t.Errorf("chargecast %s: exit %d: %s", command, code, messages.String())
			}
			text.WriteString("$ chargecast " + command + "\n" + out.String())
		}
		return "```console\n" + text.String() + "```\n"
	})
	example, err := os.ReadFile("example_test.go")
	if err != nil {
		t.Fatal(err)
	}
	body := exampleBody.FindStringSubmatch(string(example))
	if transcripts == 0 || body == nil || !goBlock.MatchString(want) {
		t.Fatal("the README has a transcript and an example in Go")
	}
	code, _, _ := strings.Cut(strings.ReplaceAll(body[1], "\n\t", "\n"), "\n// Output:")
	want = goBlock.ReplaceAllLiteralString(want, "```go\n"+strings.TrimPrefix(code, "\t")+"\n```\n")
	if lines := strings.Count(want, "\n"); lines > 120 {
		t.Errorf("the README has %d lines, at most 120 are read", lines)
	}
	golden(t, "README.md", want)
}
