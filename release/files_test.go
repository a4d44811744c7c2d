package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// inClone reads a file of the clone.
func inClone(t *testing.T, name string) (root, text string) {
	t.Helper()
	root, err := rootOfClone()
	if err != nil {
		t.Skipf("skipped: %v", err)
	}
	data, err := os.ReadFile(filepath.Join(root, name))
	if err != nil {
		t.Fatal(err)
	}
	return root, string(data)
}

// The script of action.yml accepts a payload that is right, fails on one that is not, and on a pattern that names none.
func TestAction(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("skipped: no bash")
	}
	root, text := inClone(t, "action.yml")
	_, script, ok := strings.Cut(text, "      run: |\n")
	if !ok {
		t.Fatal("action.yml has no script")
	}
	script = strings.ReplaceAll(script, "\n        ", "\n")
	dir := t.TempDir()
	build := exec.Command("go", "build", "-o", filepath.Join(dir, "chargecast"), "./cmd/chargecast")
	build.Dir = root
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	good, err := os.ReadFile(filepath.Join(root, "testdata/payloads/demo.csv"))
	if err != nil {
		t.Fatal(err)
	}
	bad := bytes.ReplaceAll(good, []byte("EUR"), []byte("EURO"))
	if err := os.MkdirAll(filepath.Join(dir, "below", "a", "b"), 0o755); err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string][]byte{
		"good.csv": good, "odd name.csv": good, "bad.csv": bad,
		"below/1.csv": good, "below/a/2.csv": good, "below/a/b/3.csv": good,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		files string
		fails bool
		says  string
	}{
		{"good.csv", false, "payloads to check: 1"},
		{"good.csv\nodd name.csv\n", false, "payloads to check: 2"},
		{"*d.csv", true, "::error"},
		{"bad.csv\ngood.csv", true, "payloads to check: 2"},
		{"below/**/*.csv", false, "payloads to check: 3"}, // not those of one folder alone
		{"absent*.csv", true, "no file matches"},
		{"", true, "no payload was checked"},
		{"$(touch stolen).csv", true, "no file matches"},
	} {
		cmd := exec.Command(bash, "--noprofile", "--norc", "-eo", "pipefail", "-c", script)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "RUNNER_TEMP="+dir, "FILES="+c.files, "AS_OF=2026-01-10", "CURRENCY=", "STRICT=false")
		out, err := cmd.CombinedOutput()
		if (err != nil) != c.fails || !strings.Contains(string(out), c.says) {
			t.Errorf("files %q: %v\n%s", c.files, err, out)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "stolen")); err == nil {
		t.Error("a file name was run as a command")
	}
}

// Every input of the action reaches its script through the environment, never as text of the script.
func TestActionTakesNoTextIntoItsScript(t *testing.T) {
	_, text := inClone(t, "action.yml")
	for part := range strings.SplitSeq(text, "run:") {
		script, _, _ := strings.Cut(part, "- name:")
		if strings.HasPrefix(script, " |") && strings.Contains(script, "${{") {
			t.Errorf("a script of action.yml holds an expression:\n%s", script)
		}
	}
}

// Both images are built and started where a container engine runs.
func TestContainers(t *testing.T) {
	root, _ := inClone(t, "containers/chargecast.Containerfile")
	engine := ""
	for _, name := range []string{"docker", "podman"} {
		if exec.Command(name, "info").Run() == nil {
			engine = name
			break
		}
	}
	if engine == "" {
		t.Skip("skipped: no container engine runs here, so that the container files are not built")
	}
	if out, err := exec.Command(engine, "pull", "-q", "golang:1.26").CombinedOutput(); err != nil {
		t.Skipf("skipped: the image that the builds begin with cannot be fetched: %v: %s", err, out)
	}
	for _, p := range programs {
		build := exec.Command(engine, "build", "-q", "-f", "containers/"+p.name+".Containerfile",
			"-t", p.name+":test", "--build-arg", "VERSION="+version, ".")
		build.Dir = root
		if out, err := build.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", p.name, err, out)
		}
		out, err := exec.Command(engine, "run", "--rm", "--read-only", "--network", "none", p.name+":test", "--version").CombinedOutput()
		if err != nil || !strings.Contains(string(out), version) {
			t.Errorf("%s: %v\n%s", p.name, err, out)
		}
	}
}

// GoReleaser accepts its configuration where it is installed.
func TestGoReleaserCheck(t *testing.T) {
	path, err := exec.LookPath("goreleaser")
	if err != nil {
		t.Skip("skipped: no goreleaser, so that .goreleaser.yaml is not checked by it")
	}
	root, _ := inClone(t, ".goreleaser.yaml")
	cmd := exec.Command(path, "check")
	cmd.Dir = root
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
