package chargecast_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	sourcePath  = regexp.MustCompile("`((?:[a-z]+/)+[a-z_]+\\.(?:go|jsonl|md|txt))`")
	testCommand = regexp.MustCompile("go test (?:-[^ ]+ )*((?:\\.[a-z/.]* )+)-run '?([^' `]+)")
)

// TestContributingIsTrue: the files that CONTRIBUTING names exist, and its commands run tests: a name
// after -run that matches nothing would print ok as well.
func TestContributingIsTrue(t *testing.T) {
	page, err := os.ReadFile("CONTRIBUTING.md")
	if err != nil {
		t.Fatal(err)
	}
	paths := sourcePath.FindAllStringSubmatch(string(page), -1)
	for _, m := range paths {
		if _, err := os.Stat(m[1]); err != nil {
			t.Error(err)
		}
	}
	commands := testCommand.FindAllStringSubmatch(string(page), -1)
	for _, m := range commands {
		source := testSource(t, strings.Fields(m[1]))
		for name := range strings.SplitSeq(m[2], "|") {
			top, _, _ := strings.Cut(name, "/")
			if found, err := regexp.MatchString(`(?m)^func Test\w*`+strings.TrimPrefix(top, "Test"), source); err != nil || !found {
				t.Errorf("%q runs no test %s (%v)", m[0], top, err)
			}
		}
	}
	if len(paths) < 15 || len(commands) < 6 {
		t.Errorf("%d paths and %d commands are found", len(paths), len(commands))
	}
}

// testSource is the text of the tests of some packages.
func testSource(t *testing.T, packages []string) string {
	t.Helper()
	var all strings.Builder
	for _, p := range packages {
		files, _ := filepath.Glob(filepath.Join(strings.TrimSuffix(p, "..."), "*_test.go"))
		if before, ok := strings.CutSuffix(p, "..."); ok {
			more, _ := filepath.Glob(filepath.Join(before, "*", "*_test.go"))
			files = append(files, more...)
		}
		for _, f := range files {
			text, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			all.Write(text)
		}
	}
	return all.String()
}
