package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A program is a command that is released.
type program struct {
	name   string
	module string   // its directory in the clone
	pkg    string   // the package in that module
	extra  []string // files of the clone that lie in the archive under the same name
}

var programs = []program{
	{"chargecast", ".", "./cmd/chargecast", []string{"README.md", "testdata/payloads/demo.csv"}},
	{"chargecast-conform", ".", "./cmd/chargecast-conform", []string{"docs/fuzz-your-own.md", "docs/conform-protocol.md", "docs/campaigns.md"}},
	{"chargecast-sandbox", "sandbox", ".", []string{"docs/sandbox.md", "docs/sandbox-reference.md"}},
}

func parsePrograms(name string) ([]program, error) {
	if name == "all" {
		return programs, nil
	}
	for i, p := range programs {
		if p.name == name {
			return programs[i : i+1], nil
		}
	}
	return nil, fmt.Errorf("no such program %q; it is chargecast, chargecast-conform or chargecast-sandbox", name)
}

// A target is a system that a program is built for.
type target struct{ os, arch string }

func (t target) String() string { return t.os + "/" + t.arch }

// targets are the systems that a release has archives for.
var targets = []target{
	{"darwin", "amd64"}, {"darwin", "arm64"},
	{"linux", "amd64"}, {"linux", "arm64"},
	{"windows", "amd64"}, {"windows", "arm64"},
}

var host = target{runtime.GOOS, runtime.GOARCH}

func parseTargets(text string) ([]target, error) {
	switch text {
	case "all":
		return targets, nil
	case "host":
		return []target{host}, nil
	}
	var list []target
	for part := range strings.SplitSeq(text, ",") {
		osName, arch, ok := strings.Cut(part, "/")
		t := target{osName, arch}
		if !ok || !slices.Contains(targets, t) {
			return nil, fmt.Errorf("no archive is made for %q; -target is all, host, or some of %v", part, targets)
		}
		if !slices.Contains(list, t) {
			list = append(list, t)
		}
	}
	return list, nil
}

// build compiles one program. Nothing of the machine goes into the binary: no paths, no C.
func (r *release) build(p program, t target, to string) error {
	cmd := exec.Command("go", "build", "-trimpath", "-buildvcs=false",
		"-ldflags", "-s -w -buildid= -X main.stamped="+r.version, "-o", to, p.pkg)
	cmd.Dir = filepath.Join(r.root, p.module)
	cmd.Env = append(os.Environ(), "GOOS="+t.os, "GOARCH="+t.arch, "CGO_ENABLED=0", "GOFLAGS=", "GOWORK=off",
		"GOAMD64=v1", "GOARM64=v8.0", "GOEXPERIMENT=", "GOFIPS140=off")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s for %s: %w\n%s", p.name, t, err, out)
	}
	return nil
}

// binary is the file name of p on t.
func (p program) binary(t target) string {
	if t.os == "windows" {
		return p.name + ".exe"
	}
	return p.name
}

// commitTime is the time that all files of a release have: that of the commit, or SOURCE_DATE_EPOCH.
func (r *release) commitTime() (time.Time, error) {
	text := os.Getenv("SOURCE_DATE_EPOCH")
	if text == "" {
		cmd := exec.Command("git", "log", "-1", "--format=%ct")
		cmd.Dir = r.root
		out, err := cmd.Output()
		if err != nil {
			return time.Time{}, fmt.Errorf("the time of the commit: %w", toolError(err))
		}
		text = strings.TrimSpace(string(out))
	}
	seconds, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return time.Time{}, fmt.Errorf("the time of the release is not a number of seconds: %q", text)
	}
	return time.Unix(seconds, 0).UTC(), nil
}
