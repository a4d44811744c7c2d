package main

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
)

// every flag must be in each of the texts, which are made from the flags.
func TestAboutNamesEveryFlag(t *testing.T) {
	var help bytes.Buffer
	if code := run([]string{"--help"}, io.Discard, &help); code != exitOK {
		t.Fatalf("--help ended with %d", code)
	}
	var names []string
	for line := range strings.Lines(help.String()) {
		if rest, ok := strings.CutPrefix(line, "  -"); ok {
			names = append(names, strings.Fields(rest)[0])
		}
	}
	if len(names) < 15 {
		t.Fatalf("--help names %d flags: %q", len(names), names)
	}
	for _, c := range []struct{ flag, form string }{
		{"--man", `\fB\-\-%\fR`},
		{"--completion=bash", "--%"},
		{"--completion=zsh", "'--%"},
		{"--completion=fish", " -l % "},
	} {
		var out, stderr bytes.Buffer
		if code := run([]string{c.flag}, &out, &stderr); code != exitOK || stderr.Len() > 0 {
			t.Fatalf("%s ended with %d: %s", c.flag, code, stderr.String())
		}
		for _, name := range names {
			if c.flag == "--man" {
				name = strings.ReplaceAll(name, "-", `\-`)
			}
			if !strings.Contains(out.String(), strings.ReplaceAll(c.form, "%", name)) {
				t.Errorf("%s does not name %s", c.flag, name)
			}
		}
	}
}

// Shells that are installed must accept what is written for them.
func TestAboutCompletionsParse(t *testing.T) {
	for _, shell := range []string{"bash", "zsh", "fish"} {
		path, err := exec.LookPath(shell)
		if err != nil {
			t.Logf("skipped: no %s", shell)
			continue
		}
		var out bytes.Buffer
		if code := run([]string{"--completion", shell}, &out, io.Discard); code != exitOK {
			t.Fatalf("%s: %d", shell, code)
		}
		cmd := exec.Command(path, "-n")
		cmd.Stdin = &out
		if said, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%s -n: %v\n%s", shell, err, said)
		}
	}
}

// TestAboutCompletionOfBash completes flags and files in bash, with nothing that bash 3.2 of macOS
// lacks.
func TestAboutCompletionOfBash(t *testing.T) {
	var script bytes.Buffer
	if code := run([]string{"--completion", "bash"}, &script, io.Discard); code != exitOK {
		t.Fatal(code)
	}
	for _, word := range []string{"mapfile", "readarray", "+=("} {
		if strings.Contains(script.String(), word) {
			t.Errorf("the script has %s", word)
		}
	}
	path, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("skipped: no bash")
	}
	dir := t.TempDir()
	for _, name := range []string{"a file *.json", "another.json", "b"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct{ word, want string }{
		{"--compl", "--completion|"}, {"a", "a file *.json|another.json|"}, {"b", "b|"}, {"--none", ""},
	} {
		cmd := exec.Command(path, "--norc", "-c", script.String()+`
COMP_WORDS=(chargecast-sandbox "$1") COMP_CWORD=1
_chargecast_sandbox
for reply in "${COMPREPLY[@]}"; do printf '%s|' "$reply"; done`, "bash", c.word)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil || string(out) != c.want {
			t.Errorf("%s: %s, not %s (%v)", c.word, out, c.want, err)
		}
	}
}

func TestAboutRefuses(t *testing.T) {
	for _, args := range [][]string{{"--completion", "tcsh"}, {"--health", "nothing"}, {"--health", "ftp://localhost"}} {
		var out, stderr bytes.Buffer
		if code := run(args, &out, &stderr); code != exitUsage || out.Len() > 0 {
			t.Errorf("%q ended with %d, stdout %q, stderr %q", args, code, out.String(), stderr.String())
		}
	}
}

func TestHealth(t *testing.T) {
	status := http.StatusOK
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/healthz" {
			status = http.StatusNotFound
		}
		w.WriteHeader(status)
	}))
	for _, c := range []struct{ status, code int }{{200, exitOK}, {503, exitFailed}} {
		status = c.status
		if code := run([]string{"--health", server.URL}, io.Discard, io.Discard); code != c.code {
			t.Errorf("a server that answers %d: ended with %d, want %d", c.status, code, c.code)
		}
	}
	server.Close()
	if code := run([]string{"--health", server.URL}, io.Discard, io.Discard); code != exitFailed {
		t.Errorf("no server: ended with %d", code)
	}
}
