package job_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"testing"
)

// TestReadme runs the first pipeline of README.md as it is written, and compares its totals with
// those of the plain command.
func TestReadme(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the page is for sh")
	}
	page := load(t, filepath.Join("..", "README.md"))
	block := regexp.MustCompile("(?s)```sh\n(.*?)```").FindStringSubmatch(page)
	if block == nil {
		t.Fatal("no block to run")
	}
	dir := t.TempDir()
	data, err := filepath.Abs(filepath.Join("..", "..", "testdata"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(data, filepath.Join(dir, "testdata")); err != nil {
		t.Fatal(err)
	}
	work := filepath.Join(dir, "beam")
	if err := os.Mkdir(work, 0o700); err != nil {
		t.Fatal(err)
	}
	// The program is this one: building it again would take the tests another minute.
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	script := "set -e\ngo() { ln -s \"$SELF\" chargecast-beam; }\n" + block[1]
	c := exec.Command("sh", "-c", script)
	c.Dir, c.Env = work, append(os.Environ(), asCommand+"=1", "SELF="+self)
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	files, _ := filepath.Glob(filepath.Join(work, "book", "*.csv"))
	j := query(t)
	_, want, _ := plain(t, append(flags(&j.Query), files...)...)
	same(t, "totals", load(t, filepath.Join(work, "results", "totals.ndjson")), want)
}
