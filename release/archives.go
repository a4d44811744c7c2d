package main

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// archives makes every archive, a bill of materials beside each, and one file of checksums. The files are written under
// another name and renamed, so that none is half written; the checksums come last.
func (r *release) archives(stdout io.Writer) error {
	at, err := r.commitTime()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(r.out, 0o755); err != nil {
		return err
	}
	work, err := os.MkdirTemp("", "chargecast-release-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(work) }()
	var sums []string
	for _, p := range r.programs {
		// The program itself writes its manual pages and completions.
		self := filepath.Join(work, "host", p.binary(host))
		if err := r.build(p, host, self); err != nil {
			return err
		}
		for _, t := range r.targets {
			made, err := r.archive(p, t, self, work, at)
			if err != nil {
				return err
			}
			for _, f := range made {
				if err := writeWhole(filepath.Join(r.out, f.name), f.data); err != nil {
					return err
				}
				sums = append(sums, fmt.Sprintf("%x  %s\n", sha256.Sum256(f.data), f.name))
				_, _ = fmt.Fprintf(stdout, "%9d  %s\n", len(f.data), f.name)
			}
		}
	}
	slices.SortFunc(sums, func(a, b string) int { return strings.Compare(a[sha256.Size*2:], b[sha256.Size*2:]) })
	name := "chargecast_" + withoutV(r.version) + "_SHA256SUMS"
	_, _ = fmt.Fprintf(stdout, "%9d  %s\n", len(strings.Join(sums, "")), name)
	return writeWhole(filepath.Join(r.out, name), []byte(strings.Join(sums, "")))
}

// archive makes one archive and its bill of materials.
func (r *release) archive(p program, t target, self, work string, at time.Time) ([]file, error) {
	binary := filepath.Join(work, t.os+"_"+t.arch, p.binary(t))
	if err := r.build(p, t, binary); err != nil {
		return nil, err
	}
	data, err := os.ReadFile(binary)
	if err != nil {
		return nil, err
	}
	parts, err := r.linked(p, binary)
	if err != nil {
		return nil, err
	}
	own, err := licensed(modulePath(p.module), r.version, r.root)
	if err != nil {
		return nil, err
	}
	bill, err := materials(p, own, t, data, at, parts)
	if err != nil {
		return nil, err
	}
	in := &tree{}
	in.addProgram(p.binary(t), data)
	for _, name := range append([]string{"LICENSE", "CHANGELOG.md"}, p.extra...) {
		if err := in.addFile(name, filepath.Join(r.root, name)); err != nil {
			return nil, err
		}
	}
	if err := addTexts(p, self, parts, in); err != nil {
		return nil, err
	}
	name := strings.Join([]string{p.name, withoutV(r.version), t.os, t.arch}, "_")
	in.add(name+".cdx.json", bill)
	var archive bytes.Buffer
	if t.os == "windows" {
		err = in.writeZip(&archive, name, at)
		return []file{{name + ".cdx.json", 0o644, bill}, {name + ".zip", 0o644, archive.Bytes()}}, err
	}
	err = in.writeTar(&archive, name, at)
	return []file{{name + ".cdx.json", 0o644, bill}, {name + ".tar.gz", 0o644, archive.Bytes()}}, err
}

// addTexts adds what goes with every binary of p: the licences of its parts, manual pages and completions.
func addTexts(p program, self string, parts []part, in *tree) error {
	for _, part := range parts {
		for _, l := range part.licences {
			in.add("licences/"+part.path+"/"+l.name, l.data)
		}
	}
	return commandDocs(self, in)
}

// texts writes, for each program, the texts of its archives into a directory of its name, for other packaging tools.
func (r *release) texts(stdout io.Writer) error {
	work, err := os.MkdirTemp("", "chargecast-release-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(work) }()
	for _, p := range r.programs {
		self := filepath.Join(work, p.binary(host))
		if err := r.build(p, host, self); err != nil {
			return err
		}
		parts, err := r.linked(p, self)
		if err != nil {
			return err
		}
		in := &tree{}
		if err := addTexts(p, self, parts, in); err != nil {
			return err
		}
		for _, f := range in.files {
			name := filepath.Join(r.out, p.name, filepath.FromSlash(f.name))
			if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
				return err
			}
			if err := writeWhole(name, f.data); err != nil {
				return err
			}
		}
		_, _ = fmt.Fprintf(stdout, "%s: %d files\n", p.name, len(in.files))
	}
	return nil
}

// withoutV is a version as file names have it.
func withoutV(version string) string { return strings.TrimPrefix(version, "v") }

// writeWhole writes a file that is either whole or absent.
func writeWhole(name string, data []byte) error {
	f, err := os.CreateTemp(filepath.Dir(name), ".release-*")
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(f.Name()) }()
	_, err = f.Write(data)
	if e := f.Chmod(0o644); err == nil {
		err = e
	}
	if e := f.Close(); err == nil {
		err = e
	}
	if err != nil {
		return err
	}
	return os.Rename(f.Name(), name)
}
