package main

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

const (
	version = "v0.9.7"
	epoch   = "1767225600" // 2026-01-01: the time of every file of these releases
)

// copied is the working tree's files in another directory.
func copied(t *testing.T) string {
	t.Helper()
	root, err := rootOfClone()
	if err != nil {
		t.Skipf("skipped: %v", err)
	}
	out, err := exec.Command("git", "-C", root, "ls-files", "-z", "--cached", "--others", "--exclude-standard").Output()
	if err != nil {
		t.Fatal(err)
	}
	to := t.TempDir()
	for name := range strings.SplitSeq(strings.Trim(string(out), "\x00"), "\x00") {
		data, err := os.ReadFile(filepath.Join(root, name))
		if os.IsNotExist(err) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if err := os.MkdirAll(filepath.Dir(filepath.Join(to, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(to, name), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return to
}

func TestFlagsRefused(t *testing.T) {
	for _, args := range [][]string{
		{"modules"},
		{"modules", "-version", "0.1.0"},
		{"modules", "-version", "v0.1"},
		{"modules", "-version", "v2.0.0"},
		{"modules", "-version", "v0.1.0", "more"},
		{"upload", "-version", "v0.1.0"},
	} {
		var stderr strings.Builder
		if code := run(args, io.Discard, &stderr); code != 2 || stderr.Len() == 0 {
			t.Errorf("%q ended with %d: %s", args, code, stderr.String())
		}
	}
	if code := run([]string{"--help"}, io.Discard, io.Discard); code != 0 {
		t.Errorf("--help ended with %d", code)
	}
}

// stranger is a program of a stranger, who has the library from a proxy and nothing else of ours.
const stranger = `package main

import (
	"fmt"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
)

func main() {
	rent := engine.Profile{
		ID: "rent-31", Kind: engine.KindSource, Start: calendar.MustParse("2026-01-31"),
		Unit: calendar.UnitMonth, Interval: 1, Amounts: amount.Fixed(amount.MustParse("850.00")), Currency: "EUR",
	}
	asOf := calendar.MustParse("2026-01-10")
	plan, err := engine.New(engine.Policy{}).Compile(engine.Stored{Profile: rent}, asOf)
	if err != nil {
		panic(err)
	}
	for c := range plan.Charges(calendar.Through(asOf, calendar.MustParse("2026-02-28"))) {
		fmt.Println(c.Date, c.Min, rent.Currency)
	}
}
`

// The modules of the working tree are served as files, and a stranger installs both programs and gets the library, with
// nothing else of ours to go by.
func TestModulesFromAProxy(t *testing.T) {
	root, err := rootOfClone()
	if err != nil {
		t.Skipf("skipped: %v", err)
	}
	t.Setenv("SOURCE_DATE_EPOCH", epoch)
	r := &release{root: root, version: version, out: t.TempDir()}
	if err := r.modules(io.Discard); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("go", "env", "GOMODCACHE").Output()
	if err != nil {
		t.Fatal(err)
	}
	cache := strings.TrimSpace(string(out))
	home := t.TempDir()
	env := append(os.Environ(),
		"GOPROXY=file://"+filepath.ToSlash(r.out)+",file://"+filepath.ToSlash(cache)+"/cache/download",
		"GOSUMDB=off", "GONOSUMDB=", "GOPRIVATE=", "GONOPROXY=", "GOWORK=off", "GOENV=off", "GOTOOLCHAIN=local",
		"GOFLAGS=-modcacherw -trimpath", "CGO_ENABLED=0",
		"GOMODCACHE="+filepath.Join(home, "mod"), "GOBIN="+filepath.Join(home, "bin"))
	run := func(dir string, args ...string) string {
		t.Helper()
		cmd := exec.Command(args[0], args[1:]...)
		cmd.Dir, cmd.Env = dir, env
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%q: %v\n%s", args, err, out)
		}
		return string(out)
	}

	documented, err := os.ReadFile(filepath.Join(root, "docs", "releasing.md"))
	if err != nil {
		t.Fatal(err)
	}
	empty := t.TempDir()
	for program, pkg := range map[string]string{
		"chargecast":         rootModule + "/cmd/chargecast",
		"chargecast-sandbox": rootModule + "/sandbox/cmd/chargecast-sandbox",
	} {
		if line := "go install " + pkg + "@v"; !strings.Contains(string(documented), line) {
			t.Errorf("docs/releasing.md does not have %s", line)
		}
		run(empty, "go", "install", pkg+"@"+version)
		said := run(empty, filepath.Join(home, "bin", program), "--version")
		if !strings.Contains(said, version) {
			t.Errorf("%s --version: %q", program, said)
		}
	}

	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "main.go"), []byte(stranger), 0o644); err != nil {
		t.Fatal(err)
	}
	run(dir, "go", "mod", "init", "example.org/stranger")
	run(dir, "go", "get", rootModule+"@"+version)
	run(dir, "go", "mod", "tidy")
	if said, want := run(dir, "go", "run", "."), "2026-01-31 850.00 EUR\n2026-02-28 850.00 EUR\n"; said != want {
		t.Errorf("the stranger's program printed %q, want %q", said, want)
	}
	foreign := strings.FieldsSeq(run(dir, "go", "list", "-deps", "-f", "{{if not .Standard}}{{.Module.Path}}{{end}}", "."))
	for path := range foreign {
		if !ours(path) && path != "github.com/shopspring/decimal" && path != "example.org/stranger" {
			t.Errorf("engine drags in %s", path)
		}
	}
}

// A nested module that is released needs the root at the same version, has its sums, and replaces nothing.
func TestResolved(t *testing.T) {
	root, err := rootOfClone()
	if err != nil {
		t.Skipf("skipped: %v", err)
	}
	r := &release{root: root, version: version}
	list, err := r.publish()
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range list[1:] {
		if text := string(p.mod); strings.Contains(text, "replace") || !strings.Contains(text, rootModule+" "+version) {
			t.Errorf("%s:\n%s", p.path, text)
		}
		if n := strings.Count(string(p.sum), rootModule+" "+version); n != 2 {
			t.Errorf("%s: go.sum has %d lines of the root module, want 2", p.path, n)
		}
	}
	if _, err := resolved([]byte("module m\n\nreplace example.org/other => ../other\n"), version); err == nil {
		t.Error("a replacement that go install does not accept was let through")
	}
}

// The sums that resolve writes are those of a commit, or it refuses.
func TestResolveNeedsACleanClone(t *testing.T) {
	root := copied(t)
	git := func(args ...string) {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-c", "user.name=n", "-c", "user.email=n@example.com", "-c", "commit.gpgSign=false", "-c", "core.hooksPath=none"}, args...)...)
		cmd.Dir = root
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %q: %v\n%s", args, err, out)
		}
	}
	git("init", "-q")
	git("add", "-A")
	git("commit", "-q", "-m", "all")
	r := &release{root: root, version: version}
	if err := os.WriteFile(filepath.Join(root, "left.txt"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := r.resolve(io.Discard); err == nil {
		t.Error("a clone with a file that is not committed was resolved")
	}
	if err := os.Remove(filepath.Join(root, "left.txt")); err != nil {
		t.Fatal(err)
	}
	if err := r.resolve(io.Discard); err != nil {
		t.Fatal(err)
	}
	for _, dir := range released[1:] {
		mod, err := os.ReadFile(filepath.Join(root, dir, "go.mod"))
		if err != nil || strings.Contains(string(mod), "replace") || !strings.Contains(string(mod), rootModule+" "+version) {
			t.Errorf("%s: %v\n%s", dir, err, mod)
		}
	}
}
