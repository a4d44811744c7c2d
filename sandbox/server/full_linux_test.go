package server

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// mount mounts a disk of so many MiB, where that is allowed.
func mount(t *testing.T, size int) (dir string, err error) {
	t.Helper()
	dir = t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, fmt.Sprintf("size=%dm", size)); err != nil {
		return dir, err
	}
	t.Cleanup(func() { _ = syscall.Unmount(dir, syscall.MNT_DETACH) })
	return dir, nil
}

// smallDisk mounts a disk of 2 MiB, and skips the test where that is not allowed; package store has
// the same test with a limit of SQLite's own.
func smallDisk(t *testing.T) string {
	t.Helper()
	dir, err := mount(t, 2)
	if err != nil {
		t.Skipf("no disk can be mounted here: %v", err)
	}
	return dir
}

// diskToFill is a directory with so many MiB of room, and a function that takes all of it and gives
// it back; nil where no disk can be mounted.
func diskToFill(t *testing.T, size int) (dir string, fill func(full bool)) {
	t.Helper()
	dir, err := mount(t, size)
	if err != nil {
		t.Logf("skipped: no disk can be mounted here, so none becomes full: %v", err)
		return dir, nil
	}
	filler := filepath.Join(dir, "filler")
	return dir, func(full bool) {
		t.Helper()
		if full {
			fillUp(t, filler)
		} else {
			check(t, os.Remove(filler))
		}
	}
}

// fillUp takes all the room that a directory has.
func fillUp(t *testing.T, path string) {
	t.Helper()
	f, err := os.Create(path)
	check(t, err)
	defer func() { _ = f.Close() }()
	for size := 64 << 10; size > 0; {
		if _, err := f.Write(make([]byte, size)); err != nil {
			size /= 2
		}
	}
}

// wellness returns what /healthz answers, and what /metrics says of the store.
func (p *process) wellness() (status int, says, gauge string) {
	p.t.Helper()
	get := func(path string) (int, string) {
		r, err := http.NewRequest(http.MethodGet, p.url+path, nil)
		check(p.t, err)
		status, text, err := send(r)
		check(p.t, err)
		return status, string(text)
	}
	status, says = get("/healthz")
	_, counters := get("/metrics")
	_, gauge, _ = strings.Cut(counters, "\nchargecast_store_writable ")
	return status, says, strings.TrimSpace(gauge)
}

// TestDiskBecomesFull: what the disk has no room for is refused, whatever was accepted stays, the
// log and the admin interface say why, and with room again everything goes on, without a restart
// and with one.
func TestDiskBecomesFull(t *testing.T) {
	t.Parallel()
	dir := smallDisk(t)
	p := start(t, dir, "--as-of", "2026-01-31")
	control := controlKey(t, dir)
	sent, accepted := 0, map[string]bool{}
	create := func() int {
		id := fmt.Sprintf("full-%04d", sent)
		sent++
		status, err := p.create(control, payload(map[string]string{"client-orderid": id, "period": "day"}))
		check(t, err)
		if status == 200 {
			accepted[id] = true
		}
		return status
	}
	if status := create(); status != 200 {
		t.Fatalf("with room: %d", status)
	}
	filler := filepath.Join(dir, "filler")
	fillUp(t, filler)
	refused := 0
	for range 500 { // what the files have room for is still accepted
		if status := create(); status == 403 {
			refused++
		} else if status != 200 {
			t.Fatalf("answered with %d", status)
		}
		if refused == 3 {
			break
		}
	}
	if refused < 3 {
		t.Fatalf("%d profiles were accepted on a full disk", len(accepted))
	}
	status, text, err := p.try("clock", `{"to":"2026-02-28"}`)
	if check(t, err); status != 500 || !strings.Contains(string(text), "the disk is full") || !strings.Contains(string(text), "make room") {
		t.Errorf("the clock answers %d %s", status, text)
	}
	if log := p.stderr.String(); !strings.Contains(log, "the disk is full") {
		t.Errorf("the log does not say why:\n%s", log)
	}
	for range 3 { // small writes that find room, such as of a trial, do not make it well
		if status, says, gauge := p.wellness(); status != 503 || !strings.Contains(says, "the disk is full: make room") || gauge != "0" {
			t.Errorf("on a full disk /healthz says %d %s, /metrics %q", status, says, gauge)
		}
		time.Sleep(time.Second)
	}
	check(t, os.Remove(filler))
	if status := create(); status != 200 {
		t.Errorf("with room again: %d\n%s", status, p.stderr)
	}
	if status, answer := p.admin("clock", `{"to":"2026-02-03"}`); status != 200 || answer["now"] != "2026-02-03" {
		t.Errorf("with room again the clock answers %d %v", status, answer)
	}
	begin := time.Now()
	for status, says, gauge := p.wellness(); status != 200 || gauge != "1"; status, says, gauge = p.wellness() {
		if time.Since(begin) > 20*time.Second {
			t.Fatalf("with room again /healthz says %d %s, /metrics %q", status, says, gauge)
		}
		time.Sleep(100 * time.Millisecond)
	}
	before := profileIDs(p)
	p.kill()
	p = start(t, dir)
	after := profileIDs(p)
	if len(before) != len(accepted) || len(after) != len(accepted) {
		t.Errorf("%d profiles were accepted, %d are there, %d after a restart", len(accepted), len(before), len(after))
	}
	for id, charges := range after {
		if !accepted[id] || charges != 4 { // 31 January to 3 February
			t.Errorf("%s, accepted %v, has %d charges", id, accepted[id], charges)
		}
	}
}

// TestAConfigurationThatNeverComes: the first signal ends a program that waits for the writer of a
// pipe.
func TestAConfigurationThatNeverComes(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	check(t, syscall.Mkfifo(filepath.Join(dir, "config"), 0o600))
	p := launch(t, dir, "--config", "config")
	time.Sleep(500 * time.Millisecond) // it is at the pipe
	check(t, p.cmd.Process.Signal(syscall.SIGTERM))
	select {
	case err := <-p.ended:
		p.ended <- err
		if err != nil {
			t.Error(err)
		}
	case <-time.After(10 * time.Second):
		t.Error("it goes on after the first signal")
	}
}

// TestAStartWithoutRoomForTheDemoCommand: it is written anew at each start, and the store can be
// read without it.
func TestAStartWithoutRoomForTheDemoCommand(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	start(t, dir).stop(os.Interrupt)
	check(t, os.MkdirAll(filepath.Join(dir, ".chargecast-new-chargecast-sandbox.db.demo.curl", "in the way"), 0o700))
	p := start(t, dir)
	if status, _, err := p.try("profiles", ""); err != nil || status != 200 || !strings.Contains(p.stderr.String(), "the demo command cannot be written") {
		t.Errorf("%d %v %s", status, err, p.stderr)
	}
}
