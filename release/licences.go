package main

import (
	"debug/buildinfo"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// A part is a module that is linked into a binary, with its licence.
type part struct {
	path, version string
	id            string // of SPDX
	licences      []file
}

// linked lists the modules that the binary says it was built from, and Go's standard library.
func (r *release) linked(p program, binary string) ([]part, error) {
	info, err := buildinfo.ReadFile(binary)
	if err != nil {
		return nil, err
	}
	goroot, err := goEnv("GOROOT")
	if err != nil {
		return nil, err
	}
	std, err := licensed("std", strings.TrimPrefix(info.GoVersion, "go"), goroot)
	if err != nil {
		return nil, err
	}
	parts := []part{std}
	for _, dep := range info.Deps {
		var next part
		if ours(dep.Path) {
			next, err = licensed(dep.Path, r.version, r.root)
		} else {
			var dir string
			if dir, err = moduleDir(filepath.Join(r.root, p.module), dep.Path); err == nil {
				next, err = licensed(dep.Path, dep.Version, dir)
			}
		}
		if err != nil {
			return nil, err
		}
		parts = append(parts, next)
	}
	return parts, nil
}

func ours(path string) bool { return path == rootModule || strings.HasPrefix(path, rootModule+"/") }

func goEnv(name string) (string, error) {
	out, err := exec.Command("go", "env", name).Output()
	if err != nil {
		return "", toolError(err)
	}
	return strings.TrimSpace(string(out)), nil
}

// moduleDir is where the module's source lies on this machine, seen from the module in from.
func moduleDir(from, path string) (string, error) {
	cmd := exec.Command("go", "list", "-m", "-json", path)
	cmd.Dir = from
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=")
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("%s: %w", path, toolError(err))
	}
	var m struct{ Dir string }
	if err := json.Unmarshal(out, &m); err != nil {
		return "", err
	}
	if m.Dir == "" {
		return "", fmt.Errorf("%s: its source is not on this machine; run go mod download", path)
	}
	return m.Dir, nil
}

// licensed reads the licences in dir. A module without one, or with one that is not known here, is an error: somebody has
// to read it before it is shipped.
func licensed(path, version, dir string) (part, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return part{}, err
	}
	p := part{path: path, version: version}
	for _, e := range entries {
		if e.IsDir() || !isLicence(e.Name()) {
			continue
		}
		data, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			return part{}, err
		}
		p.licences = append(p.licences, file{e.Name(), 0o644, data})
		if p.id == "" {
			p.id = licenceID(string(data))
		}
	}
	if p.id == "" {
		return part{}, fmt.Errorf("%s %s: no licence that is known here; read it, and add it to licenceTexts", path, version)
	}
	return p, nil
}

func isLicence(name string) bool {
	upper := strings.ToUpper(name)
	return slices.ContainsFunc([]string{"LICENSE", "LICENCE", "COPYING", "NOTICE", "PATENTS"},
		func(prefix string) bool { return strings.HasPrefix(upper, prefix) }) && !strings.HasSuffix(upper, ".GO")
}

// licenceTexts are phrases of licences, the narrower before the wider.
var licenceTexts = []struct{ id, phrase string }{
	{"Apache-2.0", "apache license version 2.0"},
	{"MPL-2.0", "mozilla public license version 2.0"},
	{"BSD-3-Clause", "neither the name of"},
	{"BSD-3-Clause", "the names of its contributors may not be used"},
	{"BSD-2-Clause", "redistributions in binary form must reproduce"},
	{"MIT", "permission is hereby granted, free of charge"},
}

func licenceID(text string) string {
	plain := strings.ReplaceAll(strings.ToLower(strings.Join(strings.Fields(text), " ")), "license, version", "license version")
	for _, l := range licenceTexts {
		if strings.Contains(plain, l.phrase) {
			return l.id
		}
	}
	return ""
}
