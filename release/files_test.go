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
	for _, p := range []string{"chargecast", "chargecast-sandbox"} {
		build := exec.Command(engine, "build", "-q", "-f", "containers/"+p+".Containerfile",
			"-t", p+":test", "--build-arg", "VERSION="+version, ".")
		build.Dir = root
		if out, err := build.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", p, err, out)
		}
		out, err := exec.Command(engine, "run", "--rm", "--read-only", "--network", "none", p+":test", "--version").CombinedOutput()
		if err != nil || !strings.Contains(string(out), version) {
			t.Errorf("%s: %v\n%s", p, err, out)
		}
	}
}

// TestGoReleaser: GoReleaser accepts its configuration, and the archive of this system does the README's main job in an empty
// folder. Both need goreleaser and cyclonedx-gomod.
func TestGoReleaser(t *testing.T) {
	for _, tool := range []string{"goreleaser", "cyclonedx-gomod"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("skipped: no %s, so that no archive is made", tool)
		}
	}
	root := copied(t)
	shell := func(dir, script string) string {
		t.Helper()
		cmd := exec.Command("bash", "-euo", "pipefail", "-c", script)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GORELEASER_CURRENT_TAG="+version, "GIT_AUTHOR_NAME=n", "GIT_AUTHOR_EMAIL=n@example.com", "GIT_COMMITTER_NAME=n", "GIT_COMMITTER_EMAIL=n@example.com")
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v\n%s", script, err, out)
		}
		return string(out)
	}
	shell(root, "git init -q && git add -A && git commit -q -m all && git remote add origin https://example.com/chargecast.git && git tag "+version)
	shell(root, "goreleaser check && goreleaser release --snapshot --clean --skip=publish,announce")
	dir := t.TempDir()
	shell(dir, "tar xzf "+root+"/dist/chargecast_*_$(go env GOOS)_$(go env GOARCH).tar.gz --strip-components 1")
	_, rest, _ := strings.Cut(string(read(t, filepath.Join(dir, "README.md"))), "\ngo run ./cmd/chargecast forecast ")
	args, _, ok := strings.Cut(rest, "\n")
	if !ok {
		t.Fatal("README.md does not show its main job")
	}
	if said := shell(dir, "./chargecast forecast "+args); !strings.Contains(said, "rent-31") || !strings.Contains(said, "850.00") {
		t.Errorf("the README's main job printed\n%s", said)
	}
	for _, name := range []string{"LICENSE", "docs/first-forecast.md", "completions/chargecast.bash", "licences/github.com/shopspring/decimal/LICENSE"} {
		if len(read(t, filepath.Join(dir, name))) == 0 {
			t.Errorf("%s is empty", name)
		}
	}
}

func read(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}
