package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

const version = "v0.9.7"

// epoch is the time that every file of these releases has.
const epoch = "1767225600" // 2026-01-01

// copied is the working tree's tracked files in another directory.
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

// made makes the archives of this system from the clone at root, or from the one around this test.
func made(t *testing.T, root, system string, p ...program) string {
	t.Helper()
	list, err := parseTargets(system)
	if err != nil {
		t.Fatal(err)
	}
	if root == "" {
		if root, err = rootOfClone(); err != nil {
			t.Skipf("skipped: %v", err)
		}
	}
	r := &release{root: root, version: version, out: t.TempDir(), targets: list, programs: p}
	if err := r.archives(io.Discard); err != nil {
		t.Fatal(err)
	}
	return r.out
}

// The archive of this system does the README's main job in an empty folder, and is the same from another clone.
func TestArchiveOfThisSystem(t *testing.T) {
	if !slices.Contains(targets, host) {
		t.Skipf("skipped: no archive is made for %s", host)
	}
	t.Setenv("SOURCE_DATE_EPOCH", epoch)
	first := made(t, "", "host", programs...)
	second := made(t, copied(t), "host", programs...)
	sameFiles(t, first, second)
	checkSums(t, first)

	for _, p := range programs {
		dir := unpacked(t, first, p)
		said := output(t, dir, "./"+p.binary(host), "--version")
		if !strings.HasPrefix(said, p.name+" "+version+" ") {
			t.Errorf("%s --version: %q", p.name, said)
		}
		for _, name := range []string{"LICENSE", "man/man1/" + p.name + ".1", "completions/" + p.name + ".bash",
			"licences/std/LICENSE", "licences/github.com/shopspring/decimal/LICENSE"} {
			if info, err := os.Stat(filepath.Join(dir, name)); err != nil || info.Size() == 0 {
				t.Errorf("%s: %s is missing: %v", p.name, name, err)
			}
		}
		checkBill(t, dir, p)
	}
	dir := unpacked(t, first, programs[0])
	readme, err := os.ReadFile(filepath.Join(dir, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(readme), "\ngo run ./cmd/chargecast forecast ")
	args, _, ok := strings.Cut(rest, "\n")
	if !ok {
		t.Fatal("README.md does not show its main job")
	}
	said := output(t, dir, "./"+programs[0].binary(host), append([]string{"forecast"}, strings.Fields(args)...)...)
	if !strings.Contains(said, "rent-31") || !strings.Contains(said, "850.00") {
		t.Errorf("the README's main job printed\n%s", said)
	}
}

// Windows gets a zip with a program that Windows can start.
func TestArchiveOfWindows(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped: -short")
	}
	t.Setenv("SOURCE_DATE_EPOCH", epoch)
	dir := made(t, "", "windows/amd64", programs[0])
	r, err := zip.OpenReader(filepath.Join(dir, "chargecast_0.9.7_windows_amd64.zip"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = r.Close() }()
	f, err := r.Open("chargecast_0.9.7_windows_amd64/chargecast.exe")
	if err != nil {
		t.Fatal(err)
	}
	start := make([]byte, 2)
	if _, err := io.ReadFull(f, start); err != nil || string(start) != "MZ" {
		t.Errorf("chargecast.exe begins with %q, %v", start, err)
	}
	checkSums(t, dir)
}

func sameFiles(t *testing.T, a, b string) {
	t.Helper()
	names := 0
	for _, e := range entries(t, a) {
		names++
		x, err := os.ReadFile(filepath.Join(a, e))
		if err != nil {
			t.Fatal(err)
		}
		y, err := os.ReadFile(filepath.Join(b, e))
		if err != nil || !bytes.Equal(x, y) {
			t.Errorf("%s is another one when it is made again elsewhere: %v", e, err)
		}
	}
	if names != len(entries(t, b)) || names < 3 {
		t.Errorf("%d files, then %d", names, len(entries(t, b)))
	}
}

func entries(t *testing.T, dir string) []string {
	t.Helper()
	list, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range list {
		names = append(names, e.Name())
	}
	return names
}

// checkSums holds every file against the line it has in the checksums.
func checkSums(t *testing.T, dir string) {
	t.Helper()
	sums, err := os.ReadFile(filepath.Join(dir, "chargecast_0.9.7_SHA256SUMS"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range entries(t, dir) {
		if strings.HasSuffix(name, "SHA256SUMS") {
			continue
		}
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if line := fmt.Sprintf("%x  %s\n", sha256.Sum256(data), name); !strings.Contains(string(sums), line) {
			t.Errorf("the checksums lack %q", line)
		}
	}
}

// unpacked unpacks the archive of p for this system as tar would, into an empty folder.
func unpacked(t *testing.T, from string, p program) string {
	t.Helper()
	name := strings.Join([]string{p.name, "0.9.7", host.os, host.arch}, "_")
	to := t.TempDir()
	put := func(file string, mode fs.FileMode, r io.Reader) {
		data, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		at := filepath.Join(to, filepath.FromSlash(file))
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at, data, mode); err != nil {
			t.Fatal(err)
		}
	}
	if host.os == "windows" {
		r, err := zip.OpenReader(filepath.Join(from, name+".zip"))
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = r.Close() }()
		for _, f := range r.File {
			data, err := f.Open()
			if err != nil {
				t.Fatal(err)
			}
			put(f.Name, f.Mode(), data)
		}
		return filepath.Join(to, name)
	}
	f, err := os.Open(filepath.Join(from, name+".tar.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	zr, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	tr := tar.NewReader(zr)
	for {
		head, err := tr.Next()
		if err == io.EOF {
			return filepath.Join(to, name)
		}
		if err != nil {
			t.Fatal(err)
		}
		if head.Uid != 0 || head.Uname != "" || head.ModTime.Unix() != 1767225600 || path.IsAbs(head.Name) {
			t.Errorf("%s bears a mark of the machine: %+v", head.Name, head)
		}
		put(head.Name, fs.FileMode(head.Mode), tr)
	}
}

func output(t *testing.T, dir, program string, args ...string) string {
	t.Helper()
	cmd := exec.Command(program, args...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s %q: %v\n%s", program, args, err, out)
	}
	return string(out)
}

// checkBill reads the bill of materials as a scanner would.
func checkBill(t *testing.T, dir string, p program) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, strings.Join([]string{p.name, "0.9.7", host.os, host.arch}, "_")+".cdx.json"))
	if err != nil {
		t.Fatal(err)
	}
	var b bill
	if err := json.Unmarshal(data, &b); err != nil {
		t.Fatal(err)
	}
	binary, err := os.ReadFile(filepath.Join(dir, p.binary(host)))
	if err != nil {
		t.Fatal(err)
	}
	if want := fmt.Sprintf("%x", sha256.Sum256(binary)); b.Metadata.Component.Hashes[0].Content != want {
		t.Errorf("%s: the bill is of another binary", p.name)
	}
	if _, err := time.Parse(time.RFC3339, b.Metadata.Timestamp); err != nil || b.Metadata.Timestamp != "2026-01-01T00:00:00Z" {
		t.Errorf("%s: timestamp %q", p.name, b.Metadata.Timestamp)
	}
	names := map[string]string{}
	for _, c := range b.Components {
		names[c.Name] = c.Licences[0].Licence.ID
		if c.Version == "" || !strings.HasPrefix(c.PURL, "pkg:golang/") {
			t.Errorf("%s: component %+v", p.name, c)
		}
	}
	want := map[string]string{"std": "BSD-3-Clause", "github.com/shopspring/decimal": "MIT"}
	if p.module != "." {
		want[rootModule] = "Apache-2.0"
		want["modernc.org/sqlite"] = "BSD-3-Clause"
	}
	for name, id := range want {
		if names[name] != id {
			t.Errorf("%s: %s has the licence %q, want %q", p.name, name, names[name], id)
		}
	}
	if len(b.Dependencies) != 1 || len(b.Dependencies[0].DependsOn) != len(b.Components) {
		t.Errorf("%s: dependencies %+v", p.name, b.Dependencies)
	}
}

// A module whose licence nobody has read is not shipped.
func TestUnknownLicence(t *testing.T) {
	dir := t.TempDir()
	if _, err := licensed("example.org/none", "v1.0.0", dir); err == nil {
		t.Error("a module without a licence was accepted")
	}
	if err := os.WriteFile(filepath.Join(dir, "LICENSE"), []byte("All rights reserved."), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := licensed("example.org/closed", "v1.0.0", dir); err == nil {
		t.Error("a licence that is not known was accepted")
	}
}

func TestFlagsRefused(t *testing.T) {
	for _, args := range [][]string{
		{"archives"},
		{"archives", "-version", "0.1.0"},
		{"archives", "-version", "v0.1"},
		{"archives", "-version", "v2.0.0"},
		{"archives", "-version", "v0.1.0", "-target", "plan9/amd64"},
		{"archives", "-version", "v0.1.0", "-program", "other"},
		{"archives", "-version", "v0.1.0", "more"},
		{"upload", "-version", "v0.1.0"},
	} {
		var stderr strings.Builder
		if code := run(args, io.Discard, &stderr); code != exitUsage || stderr.Len() == 0 {
			t.Errorf("%q ended with %d: %s", args, code, stderr.String())
		}
	}
	if code := run([]string{"--help"}, io.Discard, io.Discard); code != 0 {
		t.Errorf("--help ended with %d", code)
	}
}
