package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// A pageBlock is a fenced block of a page: the word behind the fence, and the name of a file.
type pageBlock struct{ kind, file, text string }

func pageBlocks(t *testing.T, page string) (blocks []pageBlock) {
	t.Helper()
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	for i, part := range strings.Split("\n"+string(text), "\n```") {
		if i%2 == 0 {
			continue
		}
		head, body, _ := strings.Cut(part, "\n")
		kind, file, _ := strings.Cut(head, " ")
		blocks = append(blocks, pageBlock{kind, file, body + "\n"})
	}
	return blocks
}

// transcript runs the commands of a block in a folder, and gives what a terminal would show.
func transcript(t *testing.T, block, dir string) string {
	t.Helper()
	var b strings.Builder
	for line := range strings.Lines(block) {
		command, ok := strings.CutPrefix(line, "$ ")
		if !ok {
			continue
		}
		b.WriteString(line)
		c := exec.Command("sh", "-c", command)
		c.Dir, c.Env = dir, append(os.Environ(), "LC_ALL=C") // a locale that is not installed would be remarked on
		out, err := c.CombinedOutput()
		b.Write(out)
		if err != nil {
			b.WriteString("[exit code " + strconv.Itoa(c.ProcessState.ExitCode()) + "]\n")
		}
	}
	return b.String()
}

// TestFuzzYourOwn: the transcripts of the page are what its programs give.
func TestFuzzYourOwn(t *testing.T) {
	notUnderRace(t)
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("python3 is absent")
	}
	dir := t.TempDir()
	for _, b := range pageBlocks(t, "../../docs/fuzz-your-own.md") {
		if b.file != "" {
			if err := os.WriteFile(filepath.Join(dir, b.file), []byte(b.text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if b.kind == "console" {
			if got := transcript(t, b.text, dir); got != b.text {
				t.Errorf("the page has\n%s\nthe command gives\n%s", b.text, got)
			}
		}
	}
	page, err := os.ReadFile(filepath.Join(dir, "scheduler.py"))
	if err != nil {
		t.Fatal(err)
	}
	tested, err := os.ReadFile("../../fuzz/conform/testdata/scheduler.py")
	if err != nil || string(tested) != string(page) {
		t.Errorf("the program of the page is not the tested one: %v", err)
	}
}

// TestFuzzYourOwnInGo: the Go tests of the page pass in a module of its own, and each fault that is planted in its
// scheduler is found by the law about it.
func TestFuzzYourOwnInGo(t *testing.T) {
	notUnderRace(t)
	if testing.Short() {
		t.Skip("builds a module of its own")
	}
	gotool, err := exec.LookPath("go")
	if err != nil {
		t.Skip("go is absent")
	}
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for _, b := range pageBlocks(t, "../../docs/fuzz-your-own.md") {
		if b.file == "scheduler_test.go" {
			planted := plantedFile(t, b.text)
			if err := os.WriteFile(filepath.Join(dir, "planted_test.go"), []byte(planted), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if b.kind == "go" {
			if err := os.WriteFile(filepath.Join(dir, b.file), []byte(b.text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	mod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	sum, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	const ours = "github.com/chargecast/chargecast"
	own := strings.Replace(string(mod), "module "+ours, "module mine", 1) + "\nrequire " + ours + " v0.0.0\nreplace " + ours + " => " + root + "\n"
	for name, text := range map[string]string{"go.mod": own, "go.sum": string(sum)} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	c := exec.Command(gotool, "test", "-mod=mod", "-ldflags=-s -w", "-v", "-count=1", ".")
	c.Dir = dir
	c.Env = append(os.Environ(), "GOFLAGS=", "GOPROXY=off", "GOWORK=off")
	out, err := c.CombinedOutput()
	for _, want := range []string{"P02 1 cases, not covered: false", "P01 0 cases, not covered: true", "scheduler: all laws that were judged hold; 24 judged, "} {
		if err != nil || !strings.Contains(string(out), want) {
			t.Fatalf("%v, want %q in\n%s", err, want, out)
		}
	}
	for _, f := range plantedFaults {
		if !strings.Contains(string(out), f.name+": rejected by "+f.law+"\n") {
			t.Errorf("%s: %s does not reject it", f.name, f.law)
		}
	}
}
