package job_test

import (
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// TestPrismAsServer: a Prism that runs as a program of its own takes the job from a folder in which
// nothing is, and its totals are those of the plain command. The workers are the program that
// submits.
func TestPrismAsServer(t *testing.T) {
	prism := filepath.Join(t.TempDir(), "prism")
	if out, err := exec.Command("go", "build", "-o", prism, "github.com/apache/beam/sdks/v2/go/cmd/prism").CombinedOutput(); err != nil {
		t.Skipf("Prism cannot be built from the module of Beam: %v\n%s", err, out)
	}
	endpoint := freePort(t)
	_, port, _ := net.SplitHostPort(endpoint)
	server := exec.CommandContext(t.Context(), prism, "-job_port", port, "-serve_http=false", "-log_level", "error")
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _, _ = server.Process.Kill(), server.Wait() }()
	awaitServer(t, endpoint)

	b := randomBook(t, rand.New(rand.NewPCG(8, 73)), 60, 4)
	j, empty := query(t, filepath.Join(b.dir, "*")), t.TempDir()
	c := command("--input", j.Inputs[0], "--as-of", j.AsOf.String(), "--until", j.Until.String(), "--output", j.Output,
		"--runner", "prism", "--endpoint", endpoint, "--environment_type", "LOOPBACK")
	c.Dir = empty
	out, _ := c.CombinedOutput()
	code, want, _ := plain(t, append(flags(&j.Query), b.files...)...)
	if c.ProcessState.ExitCode() != code {
		t.Fatalf("exit status %d, want %d\n%s", c.ProcessState.ExitCode(), code, out)
	}
	same(t, "totals", load(t, filepath.Join(j.Output, "totals.ndjson")), want)
	if left, err := os.ReadDir(empty); err != nil || len(left) > 0 {
		t.Errorf("the job left %v behind, %v", left, err)
	}
}

// freePort is an address on which nobody listens.
func freePort(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "localhost:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

func awaitServer(t *testing.T, endpoint string) {
	t.Helper()
	for range 300 {
		if c, err := net.Dial("tcp", endpoint); err == nil {
			_ = c.Close()
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
	t.Fatal("Prism does not listen")
}
