package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/chargecast/chargecast/internal/race"
)

// A pageBlock is a fenced block of a page, and the word behind the fence.
type pageBlock struct{ kind, text string }

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
		kind, _, _ := strings.Cut(head, " ")
		blocks = append(blocks, pageBlock{kind, body + "\n"})
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

// The pages about programs: how to begin, and what to look up.
const (
	tutorial  = "../../docs/fuzz-your-own.md"
	reference = "../../docs/conform-protocol.md"
)

// TestFuzzYourOwn: the transcripts of the page are what its programs give.
func TestFuzzYourOwn(t *testing.T) {
	race.Skip(t)
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("python3 is absent")
	}
	dir := t.TempDir()
	text := read(t, programs+"scheduler.py")
	if err := os.WriteFile(filepath.Join(dir, "scheduler.py"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, b := range pageBlocks(t, tutorial) {
		switch {
		case b.kind == "console":
			sameTranscript(t, tutorial, b.text, dir)
		case b.kind == "python" && !strings.Contains(text, b.text):
			t.Errorf("scheduler.py lacks what the page has:\n%s", b.text)
		}
	}
}

// programs are those of the pages, in Go in the folder mine.
const programs = "../../internal/kit/conform/testdata/"

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestGoOfThePages: the Go of the pages is part of the programs that are tested.
func TestGoOfThePages(t *testing.T) {
	all := read(t, programs+"mine/scheduler_test.go") + read(t, programs+"mine/encode_test.go")
	shown := 0
	for _, b := range slices.Concat(pageBlocks(t, tutorial), pageBlocks(t, reference)) {
		if b.kind != "go" {
			continue
		}
		if shown++; !strings.Contains(all, b.text) {
			t.Errorf("the programs lack what a page has:\n%s", b.text)
		}
	}
	if shown != 2 {
		t.Errorf("the pages show %d pieces of Go, want 2", shown)
	}
	_, test, _ := strings.Cut(read(t, programs+"mine/scheduler_test.go"), "func TestLaws")
	if body, _, _ := strings.Cut(test, "\n}\n"); strings.Count(body, "\n")+2 != 19 {
		t.Errorf("the test of the scheduler has %d lines, and the page says nineteen", strings.Count(body, "\n")+2)
	}
}

// sameTranscript holds a block of a page to what its commands give; -update writes it.
func sameTranscript(t *testing.T, page, block, dir string) {
	t.Helper()
	got := transcript(t, block, dir)
	if got == block {
		return
	}
	if !*update {
		t.Errorf("%s has\n%s\nthe commands give\n%s", page, block, got)
		return
	}
	text, err := os.ReadFile(page)
	if err == nil {
		err = os.WriteFile(page, []byte(strings.Replace(string(text), block, got, 1)), 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// TestFuzzYourOwnInGo: the Go programs of the pages pass in a module of its own.
func TestFuzzYourOwnInGo(t *testing.T) {
	race.Skip(t)
	if os.Getenv("CHARGECAST_GATE") == "" {
		t.Skip("it builds a module of its own: the gate runs it")
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
	files := map[string]string{}
	for _, name := range []string{"scheduler.go", "scheduler_test.go", "encode_test.go"} {
		files[name] = read(t, programs+"mine/"+name)
	}
	const ours = "github.com/chargecast/chargecast"
	own := strings.Replace(read(t, filepath.Join(root, "go.mod")), "module "+ours, "module mine", 1) + "\nrequire " + ours + " v0.0.0\nreplace " + ours + " => " + root + "\n"
	files["go.mod"], files["go.sum"] = own, read(t, filepath.Join(root, "go.sum"))
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	c := exec.Command(gotool, "test", "-mod=mod", "-ldflags=-s -w", "-v", "-count=1", ".")
	c.Dir = dir
	c.Env = append(os.Environ(), "GOFLAGS=", "GOPROXY=off", "GOWORK=off")
	out, err := c.CombinedOutput()
	for _, want := range []string{"Held: T07 T21\n", "mine: all laws that were judged hold; 2 judged on 1092 cases, 33 not covered, ", "Held: P01 P02 P06\n"} {
		if err != nil || !strings.Contains(string(out), want) {
			t.Fatalf("%v, want %q in\n%s", err, want, out)
		}
	}
}
