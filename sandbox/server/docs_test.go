package server

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// needs skips a test whose documented commands cannot be run here.
func needs(t *testing.T, programs ...string) {
	t.Helper()
	for _, name := range programs {
		if _, err := exec.LookPath(name); err != nil {
			t.Skipf("skipped: no %s", name)
		}
	}
}

// blocks are the fenced blocks of a language in a section of a page.
func blocks(t *testing.T, page, title, language string) (list []string) {
	t.Helper()
	text, err := os.ReadFile(page)
	check(t, err)
	_, section, ok := strings.Cut(string(text), "\n## "+title+"\n")
	section, _, _ = strings.Cut(section, "\n## ")
	for part := range strings.SplitSeq(section, "\n```"+language+"\n") {
		block, _, _ := strings.Cut(part, "\n```")
		list = append(list, block+"\n")
	}
	if !ok || len(list) < 2 {
		t.Fatalf("%s has no block of %s", page, language)
	}
	return list[1:]
}

// guide are the blocks of a language in the sections about the program: what is typed is in the
// tutorial, the rest in the reference.
func guide(t *testing.T, language string) []string {
	t.Helper()
	page := "../../docs/sandbox-reference.md"
	if language == "console" {
		page = "../../docs/sandbox.md"
	}
	return blocks(t, page, "As a program", language)
}

// shell runs commands, and ends them after a while.
func shell(t *testing.T, dir, script string, env ...string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "sh", "-c", script)
	cmd.Dir, cmd.Env = dir, append(append(os.Environ(), "no_proxy=*"), env...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", script, err, out)
	}
	return strings.ReplaceAll(string(out), "\r\n", "\n")
}

// TestDocumentedTranscript runs the commands of docs/sandbox.md, one after the other, and compares
// what they print, up to a line of dots.
func TestDocumentedTranscript(t *testing.T) {
	t.Parallel()
	needs(t, "curl", "sh", "tr", "grep")
	playTranscript(t, strings.Join(guide(t, "console"), ""))
}

func playTranscript(t *testing.T, text string) {
	t.Helper()
	const program = "go run -C sandbox . "
	const address = "127.0.0.1:8043"
	clone := t.TempDir()
	dir := filepath.Join(clone, "sandbox")
	check(t, os.Mkdir(dir, 0o700))
	var p *process
	for part := range strings.SplitSeq(text, "$ ") {
		line, want, _ := strings.Cut(part, "\n")
		if line == "" {
			continue
		}
		if args, ok := strings.CutPrefix(line, program); ok {
			p = start(t, dir, strings.Fields(args)...)
			if got := strings.ReplaceAll(p.line, p.url, "http://"+address); got != want {
				t.Errorf("%s:\n%s\nnot\n%s", line, got, want)
			}
			continue
		}
		got := shell(t, clone, strings.ReplaceAll(line, "localhost:8043", p.url[len("http://"):]))
		shown, _, partly := strings.Cut(want, "…\n")
		if got != want && got+"\n" != want && !(partly && strings.HasPrefix(got, shown)) {
			t.Errorf("%s:\n%s\nnot\n%s", line, got, want)
		}
	}
}

// TestDocumentedPrograms runs the programs in Python and Go that docs/sandbox.md shows.
func TestDocumentedPrograms(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	p := start(t, dir)
	put := func(name, content string) {
		check(t, os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600))
	}
	t.Run("Python", func(t *testing.T) {
		needs(t, "python3")
		put("send.py", guide(t, "python")[0])
		if out := shell(t, dir, "python3 send.py "+p.url+" chargecast-sandbox.db"); out != "200\npython-1\n" {
			t.Errorf("%q", out)
		}
	})
	t.Run("Go", func(t *testing.T) {
		here, err := os.Getwd()
		check(t, err)
		put("send.go", guide(t, "go")[0])
		shell(t, here, `go build -o "$IN/send" "$IN/send.go"`, "IN="+dir)
		if out := shell(t, dir, "./send "+p.url+" chargecast-sandbox.db"); out != "200 OK\n" {
			t.Errorf("%q", out)
		}
	})
}

// TestDocumentedUseInCI runs the script of docs/sandbox.md with its configuration.
func TestDocumentedUseInCI(t *testing.T) {
	t.Parallel()
	needs(t, "curl", "sh", "sed")
	dir := t.TempDir()
	self, err := os.Executable()
	check(t, err)
	check(t, os.Symlink(self, filepath.Join(dir, "chargecast-sandbox")))
	check(t, os.WriteFile(filepath.Join(dir, "merchants.json"), []byte(guide(t, "json")[0]), 0o600))
	out := shell(t, dir, "set -e\n"+guide(t, "sh")[0], asProgram+"=1", "PATH="+dir+":"+os.Getenv("PATH"))
	if !strings.Contains(out, `"login":"m1"`) || strings.Contains(out, "demo") || strings.Contains(out, "control-key-for-tests") {
		t.Errorf("the script prints %s", out)
	}
}
