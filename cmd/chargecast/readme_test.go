package main

import (
	"bytes"
	"os"
	"regexp"
	"strings"
	"testing"
)

var (
	consoleBlock = regexp.MustCompile("(?s)```console\n\\$ chargecast ([^\n]*)\n.*?```\n")
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
		command := consoleBlock.FindStringSubmatch(block)[1]
		var out bytes.Buffer
		if code := run(strings.Fields(command), strings.NewReader(""), &out, &out); code != 0 {
			t.Errorf("chargecast %s: exit %d", command, code)
		}
		return "```console\n$ chargecast " + command + "\n" + out.String() + "```\n"
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
	golden(t, "README.md", want)
}
