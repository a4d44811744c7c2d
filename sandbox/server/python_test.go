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

// pythonWith is a Python that has what an import names; empty for none.
func pythonWith(t *testing.T, imports string) string {
	t.Helper()
	for _, python := range []string{"python3", "/usr/bin/python3"} {
		if exec.CommandContext(t.Context(), python, "-c", "import "+imports).Run() == nil {
			return python
		}
	}
	return ""
}

// installed installs packages of Debian where the gate runs as root on a machine that has apt-get.
func installed(t *testing.T, packages ...string) {
	t.Helper()
	if os.Getenv("CHARGECAST_GATE") == "" || os.Getuid() != 0 {
		return
	}
	ctx, cancel := context.WithTimeout(t.Context(), 4*time.Minute)
	defer cancel()
	args := append([]string{"-qq", "install", "-y", "--no-install-recommends"}, packages...)
	if out, err := exec.CommandContext(ctx, "apt-get", args...).CombinedOutput(); err != nil {
		t.Logf("apt-get: %v %s", err, out)
	}
}

// TestClientInPython: a merchant that shares no line with us signs with oauthlib, creates, receives
// callbacks, and has the books that the export has; the command finds the export to be what the
// payloads let expect.
func TestClientInPython(t *testing.T) {
	t.Parallel()
	python := pythonWith(t, "oauthlib")
	if python == "" {
		installed(t, "python3-oauthlib", "python3-cryptography", "python3-jwt")
		python = pythonWith(t, "oauthlib")
	}
	if python == "" {
		t.Skip("skipped: no Python with oauthlib (apt-get install python3-oauthlib python3-cryptography python3-jwt)")
	}
	methods := []string{"HMAC-SHA1"}
	if withRSA := pythonWith(t, "oauthlib, cryptography, jwt"); withRSA != "" {
		python, methods = withRSA, append(methods, "RSA-SHA256")
	} else {
		t.Log("skipped: RSA-SHA256, since Python lacks cryptography or jwt")
	}
	dir := t.TempDir()
	p := start(t, dir, "--as-of", "2026-01-31", "--callback-pauses", "0,0,0,1,1")
	client, err := filepath.Abs("testdata/client.py")
	check(t, err)
	cmd := exec.CommandContext(t.Context(), python, append([]string{client, p.url, filepath.Join(dir, storeName), dir}, methods...)...)
	cmd.Env = append(os.Environ(), "no_proxy=*")
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.HasSuffix(string(out), " 2026-04-10\n") {
		t.Fatalf("%v\n%s\n%s", err, out, p.stderr)
	}
	t.Logf("%s: %s", methods, out)
	p.stop(os.Interrupt)

	chargecast := filepath.Join(dir, "chargecast")
	build := exec.CommandContext(t.Context(), "go", "build", "-C", rootOfClone, "-o", chargecast, "./cmd/chargecast")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	args := []string{"reconcile", "--actual", filepath.Join(dir, "actuals.csv"), "--through", "2026-04-10", "-o", "ndjson"}
	for _, method := range methods {
		args = append(args, filepath.Join(dir, method+".csv"))
	}
	records, err := exec.CommandContext(t.Context(), chargecast, args...).Output()
	check(t, err) // it ends with 1 when anything but matched and late is there
	charges := 3 + 10 + 70
	if n := strings.Count(string(records), `"kind":"matched"`); n != charges*len(methods) {
		t.Errorf("%d charges matched, not %d", n, charges*len(methods))
	}
}
