package main

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"os/exec"
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
