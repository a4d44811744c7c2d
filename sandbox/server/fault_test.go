package server

import (
	"bufio"
	"bytes"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"github.com/chargecast/chargecast/internal/program"
)

// asLocker makes the test binary a program that locks the database that it names until its stdin
// ends.
const asLocker = "CHARGECAST_SANDBOX_LOCKS"

func lockUntilEOF(path string) {
	db, err := sql.Open("sqlite", "file:"+path)
	if err == nil {
		db.SetMaxOpenConns(1)
		_, err = db.Exec("BEGIN EXCLUSIVE")
	}
	fmt.Println("locked:", err)
	_, _ = io.Copy(io.Discard, os.Stdin)
}

// lockOf locks a store as another program would; the result releases it.
func lockOf(t *testing.T, path string) (free func()) {
	t.Helper()
	self, err := os.Executable()
	check(t, err)
	cmd := exec.Command(self)
	cmd.Env = append(os.Environ(), asLocker+"="+path)
	stdin, err := cmd.StdinPipe()
	check(t, err)
	stdout, err := cmd.StdoutPipe()
	check(t, err)
	check(t, cmd.Start())
	line, err := bufio.NewReader(stdout).ReadString('\n')
	if check(t, err); line != "locked: <nil>\n" {
		t.Fatal(line)
	}
	return func() {
		t.Helper()
		check(t, stdin.Close())
		check(t, cmd.Wait())
	}
}

// TestStoreLockedWhileItRuns: another program that locks the file gets requests refused, with the
// reason in the log; what needs no change is still answered, and nothing is lost.
func TestStoreLockedWhileItRuns(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	p := start(t, dir, "--as-of", "2026-01-31")
	control := controlKey(t, dir)
	if status, err := p.create(control, payload(map[string]string{"client-orderid": "before"})); err != nil || status != 200 {
		t.Fatal(status, err)
	}
	free := lockOf(t, filepath.Join(dir, storeName))
	if status, err := p.create(control, payload(map[string]string{"client-orderid": "meanwhile"})); err != nil || status != 403 {
		t.Errorf("a create is answered with %d, %v", status, err)
	}
	status, text, err := p.try("clock", `{"to":"2026-02-28"}`)
	if check(t, err); status != 500 || !strings.Contains(string(text), "another program has locked the file") {
		t.Errorf("the clock answers %d %s", status, text)
	}
	if !strings.Contains(p.stderr.String(), "another program has locked the file") {
		t.Errorf("the log does not say why:\n%s", p.stderr)
	}
	if got := profileIDs(p); len(got) != 1 {
		t.Errorf("while it is locked the profiles are %v", got)
	}
	free()
	if status, err := p.create(control, payload(map[string]string{"client-orderid": "after"})); err != nil || status != 200 {
		t.Errorf("once it is free a create is answered with %d, %v\n%s", status, err, p.stderr)
	}
	if status, answer := p.admin("clock", `{"to":"2026-02-28"}`); status != 200 || answer["charges"] != 4.0-2.0 {
		t.Errorf("once it is free the clock answers %d %v", status, answer)
	}
	p.stop(os.Interrupt)
}

// profileIDs returns how often each profile was charged.
func profileIDs(p *process) map[string]int {
	p.t.Helper()
	_, text, err := p.try("profiles?limit=1000", "")
	check(p.t, err)
	var list struct {
		Profiles []struct {
			ClientOrderID string `json:"client_orderid"`
			Repeat        int    `json:"repeat"`
		} `json:"profiles"`
	}
	check(p.t, json.Unmarshal(text, &list))
	ids := map[string]int{}
	for _, profile := range list.Profiles {
		ids[profile.ClientOrderID] = profile.Repeat
	}
	return ids
}

// TestStdoutThatCannotBeWritten: a program that cannot say where it listens ends.
func TestStdoutThatCannotBeWritten(t *testing.T) {
	t.Parallel()
	reader, broken, err := os.Pipe()
	check(t, err)
	check(t, reader.Close())
	defer func() { _ = broken.Close() }()
	outputs := map[string]*os.File{"a pipe that nobody reads": broken}
	if full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0); err == nil {
		outputs["a full device"] = full
		defer func() { _ = full.Close() }()
	}
	for what, stdout := range outputs {
		cmd := command(t, t.TempDir(), "--listen", ":0")
		var stderr bytes.Buffer
		cmd.Stdout, cmd.Stderr = stdout, &stderr
		err := cmd.Run()
		exit, ok := errors.AsType[*exec.ExitError](err)
		if !ok || program.ExitCode(exit.ExitCode()) != program.ExitInternal || !strings.Contains(stderr.String(), "the ready line cannot be written to stdout") {
			t.Errorf("%s: %v\n%s", what, err, stderr.String())
		}
	}
}

// TestReaderOfTheLogGoesAway: the server goes on without it.
func TestReaderOfTheLogGoesAway(t *testing.T) {
	t.Parallel()
	cmd := command(t, t.TempDir(), "--listen", ":0")
	stdout, err := cmd.StdoutPipe()
	check(t, err)
	reader, writer, err := os.Pipe()
	check(t, err)
	cmd.Stderr = writer
	check(t, cmd.Start())
	defer func() { _ = cmd.Process.Kill() }()
	p := &process{t: t, rest: bufio.NewReader(stdout)}
	p.await()
	check(t, errors.Join(reader.Close(), writer.Close()))
	control := controlKey(t, cmd.Dir)
	if status, err := p.create(control, payload(nil)); err != nil || status != 200 {
		t.Errorf("a create is answered with %d, %v", status, err)
	}
	check(t, cmd.Process.Signal(syscall.SIGTERM)) // which the program logs
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
}

// TestClosedStdout: a program does not learn that its stdout is closed, since the runtime of Go
// puts the null device there. The log says where it listens.
func TestClosedStdout(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("no shell to close stdout")
	}
	self, err := os.Executable()
	check(t, err)
	cmd := exec.Command("sh", "-c", `exec "$0" --listen :0 >&-`, self)
	cmd.Env, cmd.Dir = append(os.Environ(), asProgram+"=1"), t.TempDir()
	stderr, err := cmd.StderrPipe()
	check(t, err)
	check(t, cmd.Start())
	defer func() { _ = cmd.Process.Kill() }()
	p, log := &process{t: t}, bufio.NewScanner(stderr)
	for p.url == "" && log.Scan() {
		if _, rest, ok := strings.Cut(log.Text(), "msg=ready url="); ok {
			p.url = strings.TrimSpace(rest)
		}
	}
	if p.url == "" {
		t.Fatal("the log does not say where it listens")
	}
	if status, _ := p.admin("clock", ""); status != 200 {
		t.Errorf("%s answers with %d", p.url, status)
	}
	check(t, cmd.Process.Signal(syscall.SIGTERM))
	_, _ = io.Copy(io.Discard, stderr)
	check(t, cmd.Wait())
	if content, err := os.ReadFile(filepath.Join(cmd.Dir, storeName)); err != nil || bytes.Contains(content, []byte(`"type":"ready"`)) {
		t.Errorf("the ready line is in the store: %v", err)
	}
}
