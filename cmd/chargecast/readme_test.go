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
)

// inGo are the examples in Go of the README, in its order: the function whose body each is.
var inGo = []struct{ file, function string }{
	{"gateway/gatewaytest/docs_test.go", "withREADME"},
	{"example_test.go", "Example"},
}

// bodyOf returns the body of a function without its indentation, up to what it is to print.
func bodyOf(t *testing.T, file, function string) string {
	t.Helper()
	source, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	body := regexp.MustCompile(`(?s)\nfunc ` + function + `\([^\n]*\{\n\t(.*?)\n\}\n`).FindSubmatch(source)
	if body == nil {
		t.Fatalf("%s has no function %s", file, function)
	}
	code, _, _ := strings.Cut(strings.ReplaceAll(string(body[1]), "\n\t", "\n"), "\n// Output:")
	return code
}

// TestReadme runs the README's transcripts, and holds its examples in Go to those that are run.
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
	if n := len(goBlock.FindAllString(want, -1)); transcripts == 0 || n != len(inGo) {
		t.Fatalf("the README has %d transcripts and %d examples in Go, not %d", transcripts, n, len(inGo))
	}
	examples := inGo
	want = goBlock.ReplaceAllStringFunc(want, func(string) string {
		e := examples[0]
		examples = examples[1:]
		return "```go\n" + bodyOf(t, e.file, e.function) + "\n```\n"
	})
	if lines := strings.Count(want, "\n"); lines > 120 {
		t.Errorf("the README has %d lines, at most 120 are read", lines)
	}
	golden(t, "README.md", want)
}
