package main

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

// blocks are the fenced blocks of a language in docs/sandbox.md from its section about the program on.
func blocks(t *testing.T, language string) (list []string) {
	t.Helper()
	text, err := os.ReadFile("../docs/sandbox.md")
	check(t, err)
	_, section, ok := strings.Cut(string(text), "\n## As a program\n")
	section, _, _ = strings.Cut(section, "\n## ")
	for part := range strings.SplitSeq(section, "\n```"+language+"\n") {
		block, _, _ := strings.Cut(part, "\n```")
		list = append(list, block+"\n")
	}
	if !ok || len(list) < 2 {
		t.Fatalf("docs/sandbox.md has no block of %s", language)
	}
	return list[1:]
}

// shell runs commands, and ends them after a while.
func shell(t *testing.T, dir, script string, env ...string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "sh", "-c", script)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), env...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", script, err, out)
	}
	return strings.ReplaceAll(string(out), "\r\n", "\n")
}

// TestDocumentedTranscript runs the commands of docs/sandbox.md, one after the other, and compares what
// they print, up to a line of dots.
func TestDocumentedTranscript(t *testing.T) {
	t.Parallel()
	needs(t, "curl", "sh", "tr", "grep")
	const program = "go run -C sandbox . "
	const address = "127.0.0.1:8043"
	dir := t.TempDir()
	var p *process
	for part := range strings.SplitSeq(strings.Join(blocks(t, "console"), ""), "$ ") {
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
		got := shell(t, dir, strings.ReplaceAll(line, "localhost:8043", p.url[len("http://"):]))
		shown, _, partly := strings.Cut(want, "…\n")
		if got != want && got+"\n" != want && !(partly && strings.HasPrefix(got, shown)) {
			t.Errorf("%s:\n%s\nnot\n%s", line, got, want)
		}
	}
}

// TestDocumentedUseInCI runs the script of docs/sandbox.md with its configuration.
func TestDocumentedUseInCI(t *testing.T) {
	t.Parallel()
	needs(t, "curl", "sh", "sed")
	dir := t.TempDir()
	self, err := os.Executable()
	check(t, err)
	check(t, os.Symlink(self, filepath.Join(dir, "chargecast-sandbox")))
	check(t, os.WriteFile(filepath.Join(dir, "merchants.json"), []byte(blocks(t, "json")[0]), 0o600))
	out := shell(t, dir, "set -e\n"+blocks(t, "sh")[0], asProgram+"=1", "PATH="+dir+":"+os.Getenv("PATH"))
	if !strings.Contains(out, `"login":"m1"`) || strings.Contains(out, "demo") || strings.Contains(out, "control-key-for-tests") {
		t.Errorf("the script prints %s", out)
	}
}
