package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"
	"golang.org/x/mod/sumdb/dirhash"
	modzip "golang.org/x/mod/zip"
)

// rootModule is the module that all others need.
const rootModule = "github.com/chargecast/chargecast"

// released are the directories of the modules that get a tag, the root first since the others need its sums. The other
// modules of the clone are for its own tests and measurements.
var released = []string{".", "beam", "sandbox"}

// modulePath is the path of the module in a directory of the clone.
func modulePath(dir string) string { return path.Join(rootModule, dir) }

// A published module is what a proxy serves of one version.
type published struct {
	path string
	mod  []byte // go.mod
	sum  []byte // go.sum; nil where there is none
	zip  []byte
}

// modules writes a module proxy as a tree of files: GOPROXY=file://DIR serves it.
func (r *release) modules(stdout io.Writer) error {
	at, err := r.commitTime()
	if err != nil {
		return err
	}
	list, err := r.publish()
	if err != nil {
		return err
	}
	for _, p := range list {
		if err := p.write(r.out, r.version, at); err != nil {
			return err
		}
		_, _ = fmt.Fprintf(stdout, "%9d  %s@%s\n", len(p.zip), p.path, r.version)
	}
	return nil
}

// publish makes every released module as its tag will have it.
func (r *release) publish() ([]published, error) {
	var list []published
	var sums string // of the root module
	for _, dir := range released {
		if dir != "." && !exists(filepath.Join(r.root, dir, "go.mod")) {
			return nil, fmt.Errorf("%s is to be released, and has no go.mod", dir)
		}
		p, err := r.published(dir, sums)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", modulePath(dir), err)
		}
		if dir == "." {
			if sums, err = p.sums(r.version); err != nil {
				return nil, err
			}
		}
		list = append(list, p)
	}
	return list, nil
}

func ours(path string) bool { return path == rootModule || strings.HasPrefix(path, rootModule+"/") }

func exists(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}

// published makes the files of one module. A nested one needs the root at the same version instead of the clone around it.
func (r *release) published(dir, rootSums string) (published, error) {
	p := published{path: modulePath(dir)}
	var err error
	if p.mod, err = os.ReadFile(filepath.Join(r.root, dir, "go.mod")); err != nil {
		return p, err
	}
	if p.sum, err = os.ReadFile(filepath.Join(r.root, dir, "go.sum")); err != nil && !os.IsNotExist(err) {
		return p, err
	}
	if dir != "." {
		if p.mod, err = resolved(p.mod, r.version); err != nil {
			return p, err
		}
		p.sum = withSums(p.sum, rootSums)
	}
	files, err := r.files(dir, p)
	if err != nil {
		return p, err
	}
	var zipped bytes.Buffer
	err = modzip.Create(&zipped, module.Version{Path: p.path, Version: r.version}, files)
	p.zip = zipped.Bytes()
	return p, err
}

// resolved is a go.mod that needs our modules at version, and replaces none.
func resolved(mod []byte, version string) ([]byte, error) {
	f, err := modfile.Parse("go.mod", mod, nil)
	if err != nil {
		return nil, err
	}
	for _, replace := range f.Replace {
		if !ours(replace.Old.Path) {
			return nil, fmt.Errorf("it replaces %s, which go install does not accept", replace.Old.Path)
		}
		if err := f.DropReplace(replace.Old.Path, replace.Old.Version); err != nil {
			return nil, err
		}
	}
	for _, require := range f.Require {
		if ours(require.Mod.Path) {
			if err := f.AddRequire(require.Mod.Path, version); err != nil {
				return nil, err
			}
		}
	}
	f.Cleanup()
	return f.Format()
}

// sums are the lines of go.sum for a published module.
func (p published) sums(version string) (string, error) {
	name, err := os.CreateTemp("", "chargecast-*.zip")
	if err != nil {
		return "", err
	}
	defer func() { _ = os.Remove(name.Name()) }()
	_, err = name.Write(p.zip)
	if e := name.Close(); err == nil {
		err = e
	}
	if err != nil {
		return "", err
	}
	whole, err := dirhash.HashZip(name.Name(), dirhash.Hash1)
	if err != nil {
		return "", err
	}
	mod, err := dirhash.Hash1([]string{"go.mod"}, func(string) (io.ReadCloser, error) {
		return io.NopCloser(bytes.NewReader(p.mod)), nil
	})
	return fmt.Sprintf("%s %s %s\n%s %s/go.mod %s\n", p.path, version, whole, p.path, version, mod), err
}

// withSums is a go.sum with the lines of the root module first, instead of those it had for it.
func withSums(sum []byte, root string) []byte {
	var rest strings.Builder
	for line := range strings.Lines(string(sum)) {
		if !strings.HasPrefix(line, rootModule+" ") {
			rest.WriteString(line)
		}
	}
	return []byte(root + rest.String())
}

// A source is one file of a module, either of the disk or written for the release.
type source struct {
	name, from string
	data       []byte // instead of what the disk has
}

func (s source) Path() string { return s.name }

func (s source) Lstat() (os.FileInfo, error) {
	info, err := os.Lstat(s.from)
	if err != nil || s.data == nil {
		return info, err
	}
	return sized{info, int64(len(s.data))}, nil
}

func (s source) Open() (io.ReadCloser, error) {
	if s.data != nil {
		return io.NopCloser(bytes.NewReader(s.data)), nil
	}
	return os.Open(s.from)
}

// A sized is the FileInfo of a file whose contents are not those of the disk.
type sized struct {
	os.FileInfo
	size int64
}

func (s sized) Size() int64 { return s.size }

// files lists what the module in dir has, except what git ignores, as a proxy would take it: without the modules below it, and with the
// licence of the root.
func (r *release) files(dir string, p published) ([]modzip.File, error) {
	cmd := exec.Command("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
	cmd.Dir = filepath.Join(r.root, dir)
	out, err := cmd.Output()
	if err != nil {
		return nil, toolError(err)
	}
	var list []modzip.File
	licence := false
	for name := range strings.SplitSeq(strings.TrimSuffix(string(out), "\x00"), "\x00") {
		s := source{name: name, from: filepath.Join(cmd.Dir, filepath.FromSlash(name))}
		switch {
		case !exists(s.from):
			continue // removed, and not yet committed
		case name == "go.mod":
			s.data = p.mod
		case name == "go.sum":
			s.data = p.sum
		case name == "LICENSE":
			licence = true
		}
		list = append(list, s)
	}
	if !licence {
		list = append(list, source{name: "LICENSE", from: filepath.Join(r.root, "LICENSE")})
	}
	return list, nil
}

// write writes the four files of a version, and the list of versions.
func (p published) write(dir, version string, at time.Time) error {
	escaped, err := module.EscapePath(p.path)
	if err != nil {
		return err
	}
	dir = filepath.Join(dir, filepath.FromSlash(escaped), "@v")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	info, err := json.Marshal(struct {
		Version string
		Time    time.Time
	}{version, at})
	if err != nil {
		return err
	}
	for name, data := range map[string][]byte{
		version + ".info": info,
		version + ".mod":  p.mod,
		version + ".zip":  p.zip,
		"list":            []byte(version + "\n"),
	} {
		if err := writeWhole(filepath.Join(dir, name), data); err != nil {
			return err
		}
	}
	return nil
}

// resolve writes go.mod and go.sum of the nested modules into the clone, as the commit of the release needs them.
func (r *release) resolve(stdout io.Writer) error {
	if err := r.clean(); err != nil {
		return err
	}
	list, err := r.publish()
	if err != nil {
		return err
	}
	for i, p := range list[1:] {
		dir := filepath.Join(r.root, released[i+1])
		if err := writeWhole(filepath.Join(dir, "go.mod"), p.mod); err != nil {
			return err
		}
		if err := writeWhole(filepath.Join(dir, "go.sum"), p.sum); err != nil {
			return err
		}
		_, _ = fmt.Fprintf(stdout, "%s needs %s %s\n", p.path, rootModule, r.version)
	}
	return nil
}

// clean refuses a clone with changes: the sums in go.sum would be those of no commit.
func (r *release) clean() error {
	cmd := exec.Command("git", "status", "--porcelain")
	cmd.Dir = r.root
	out, err := cmd.Output()
	if err != nil {
		return toolError(err)
	}
	if len(out) > 0 {
		return fmt.Errorf("the clone has files that are not committed, so that the sums would be those of no commit:\n%s", out)
	}
	return nil
}
