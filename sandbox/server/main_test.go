package server

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/chargecast/chargecast/internal/program"
)

// TestHelp: the help fits a screen of 80 columns and 40 lines, has a line for each flag, and goes
// to stdout.
func TestHelp(t *testing.T) {
	t.Parallel()
	help := func(args ...string) string {
		var out, stderr bytes.Buffer
		if code := run("", args, &out, &stderr); code != program.ExitOK || stderr.Len() > 0 {
			t.Fatalf("%q ended with %d: %s", args, code, stderr.String())
		}
		return out.String()
	}
	screen := help("--help")
	if n := strings.Count(screen, "\n"); n > 39 { // and the prompt
		t.Errorf("%d lines", n)
	}
	for line := range strings.Lines(screen) {
		if len([]rune(line)) > 81 || strings.HasPrefix(line, "     ") {
			t.Errorf("too wide, or the second line of a flag: %s", line)
		}
	}
	for flag := range strings.FieldsSeq(`listen store as-of zone policy seed public-url config callbacks callback-pauses host allow-remote
		reason-header max-body max-bodies log health version`) {
		if !strings.Contains(screen, " --"+flag+" ") {
			t.Errorf("--help does not name --%s", flag)
		}
	}
	if text := strings.Join(strings.Fields(screen), " "); !strings.Contains(text, "registers a demo merchant, unless --config names merchants or the store is :memory:") {
		t.Error("--help does not say when there is a demo merchant")
	}
	if version := help("version"); version != help("--version") || !strings.HasPrefix(version, "chargecast-sandbox ") {
		t.Errorf("%q", version)
	}
}

// TestCompletions: shells that are installed accept the scripts, and flags and words are completed.
func TestCompletions(t *testing.T) {
	t.Parallel()
	for _, shell := range []string{"bash", "zsh", "fish"} {
		path, err := exec.LookPath(shell)
		if err != nil {
			t.Logf("skipped: no %s", shell)
			continue
		}
		var script bytes.Buffer
		if code := run("", []string{"completion", shell}, &script, io.Discard); code != program.ExitOK {
			t.Fatalf("%s: %d", shell, code)
		}
		cmd := exec.Command(path, "-n")
		cmd.Stdin = &script
		if said, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%s -n: %v\n%s", shell, err, said)
		}
	}
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"--callb"}, "--callbacks\t"},
		{[]string{"--callbacks", ""}, "loopback\nany\noff\n:4\n"},
		{[]string{"--log", ""}, "text\njson\n:4\n"},
		{[]string{"--store", ""}, ":0\n"}, // files
		{[]string{"--seed", ""}, ":4\n"},
	} {
		var out bytes.Buffer
		if code := run("", append([]string{"__complete"}, c.args...), &out, io.Discard); code != program.ExitOK || !strings.HasPrefix(out.String(), c.want) {
			t.Errorf("%q: %d %q", c.args, code, out.String())
		}
	}
}

func TestHealth(t *testing.T) {
	t.Parallel()
	status := http.StatusOK
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/healthz" {
			status = http.StatusNotFound
		}
		w.WriteHeader(status)
	}))
	asks := func(at string) program.ExitCode { return run("", []string{"--health", at}, io.Discard, io.Discard) }
	for _, c := range []struct {
		status int
		code   program.ExitCode
	}{{200, program.ExitOK}, {503, program.ExitInternal}} {
		status = c.status
		if code := asks(server.URL); code != c.code {
			t.Errorf("a server that answers %d: ended with %d, want %d", c.status, code, c.code)
		}
	}
	server.Close()
	if code := asks(server.URL); code != program.ExitInternal {
		t.Errorf("no server: ended with %d", code)
	}
	for _, at := range []string{"nothing", "ftp://localhost", ""} {
		if code := asks(at); code != program.ExitUsage {
			t.Errorf("%q: ended with %d", at, code)
		}
	}
}

// TestBodiesTogether: without --max-bodies they may have 64 MiB together, or as much as one alone
// may have.
func TestBodiesTogether(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		args []string
		want int64
	}{
		{nil, 64 << 20},
		{[]string{"--max-body", "1000"}, 64 << 20},
		{[]string{"--max-body", "134217728"}, 128 << 20},
		{[]string{"--max-body", "1000", "--max-bodies", "2000"}, 2000},
	} {
		s, root := newSettings(), &cobra.Command{Use: name}
		s.register(root)
		check(t, root.ParseFlags(c.args))
		check(t, s.check(root))
		if s.base.MaxBodies != c.want {
			t.Errorf("%q: %d, not %d", c.args, s.base.MaxBodies, c.want)
		}
	}
}

// TestWritePrivate: what a process that was killed left of a file is replaced, and nothing is left
// beside it.
func TestWritePrivate(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "s.db.key")
	check(t, os.WriteFile(filepath.Join(dir, ".chargecast-new-s.db.key"), []byte("half"), 0o600))
	for _, content := range []string{"one", "two"} {
		check(t, writePrivate(path, []byte(content)))
		text, err := os.ReadFile(path)
		check(t, err)
		entries, err := os.ReadDir(dir)
		check(t, err)
		if string(text) != content || len(entries) != 1 {
			t.Errorf("%s: %s, and %d files", content, text, len(entries))
		}
	}
}
