// Release proves what a release of chargecast's modules consists of, from a clone: the files with which the module proxy
// serves them, and the go.mod files of the nested modules for their tags. The archives are made by GoReleaser; their pages are written here.
//
//	go run -C release . modules -version v0.1.0 -out DIR     a module proxy as files
//	go run -C release . resolve -version v0.1.0              go.mod of the nested modules, ready for their tags
//	go run -C release . pages -version v0.1.0 -out DIR       the pages of each archive, without links that lead nowhere
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"golang.org/x/mod/semver"
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

// A release is a version, and where the clone is.
type release struct {
	root    string // of the clone
	version string
	out     string
}

const usage = `usage: go run -C release . VERB -version VERSION [-out DIR]
  modules  make the files that a module proxy serves
  resolve  write the version into the go.mod files of the nested modules
  pages    write the pages of each archive
`

// run ends with 0, with 1 if the verb failed, and with 2 for a wrong command line.
func run(args []string, stdout, stderr io.Writer) int {
	r, verb, err := parse(args)
	if errors.Is(err, flag.ErrHelp) {
		_, _ = fmt.Fprint(stderr, usage)
		return 0
	}
	if err != nil {
		_, _ = fmt.Fprintf(stderr, "release: %v\n%s", err, usage)
		return 2
	}
	if err := verb(r, stdout); err != nil {
		_, _ = fmt.Fprintf(stderr, "release: %v\n", err)
		return 1
	}
	return 0
}

func parse(args []string) (*release, func(*release, io.Writer) error, error) {
	if len(args) == 0 || strings.HasPrefix(args[0], "-") {
		return nil, nil, flag.ErrHelp
	}
	verb, ok := map[string]func(*release, io.Writer) error{
		"modules": (*release).modules, "resolve": (*release).resolve, "pages": (*release).pages,
	}[args[0]]
	if !ok {
		return nil, nil, fmt.Errorf("no such verb %q", args[0])
	}
	r := &release{}
	flags := flag.NewFlagSet("release", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	flags.StringVar(&r.version, "version", "", "")
	flags.StringVar(&r.out, "out", "dist", "")
	if err := flags.Parse(args[1:]); err != nil {
		return nil, nil, err
	}
	if flags.NArg() > 0 {
		return nil, nil, errors.New("a verb takes flags only")
	}
	if err := checkVersion(r.version); err != nil {
		return nil, nil, err
	}
	var err error
	if r.root, err = rootOfClone(); err != nil {
		return nil, nil, err
	}
	if !filepath.IsAbs(r.out) {
		r.out = filepath.Join(r.root, r.out)
	}
	return r, verb, nil
}

// checkVersion accepts the versions that a module can have as a tag.
func checkVersion(v string) error {
	switch {
	case v == "":
		return errors.New("-version is missing, such as -version v0.1.0")
	case !semver.IsValid(v) || semver.Canonical(v) != v:
		return fmt.Errorf("-version %q is not of the form v1.2.3 or v1.2.3-rc.1", v)
	case semver.Major(v) != "v0" && semver.Major(v) != "v1":
		return fmt.Errorf("-version %s needs another module path; see the reference of Go modules, major version suffixes", v)
	}
	return nil
}

// rootOfClone finds the clone that the current directory is in.
func rootOfClone() (string, error) {
	out, err := exec.Command("git", "rev-parse", "--show-toplevel").Output()
	if err != nil {
		return "", fmt.Errorf("this is not a clone: %w", toolError(err))
	}
	return strings.TrimSpace(string(out)), nil
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
		return time.Time{}, fmt.Errorf("SOURCE_DATE_EPOCH is not a number of seconds: %q", text)
	}
	return time.Unix(seconds, 0).UTC(), nil
}

// toolError adds what the tool wrote to stderr.
func toolError(err error) error {
	var exit *exec.ExitError
	if errors.As(err, &exit) && len(exit.Stderr) > 0 {
		return fmt.Errorf("%w: %s", err, strings.TrimSpace(string(exit.Stderr)))
	}
	return err
}

// writeWhole writes a file that is either whole or absent.
func writeWhole(name string, data []byte) error {
	temporary := name + ".tmp"
	if err := os.WriteFile(temporary, data, 0o644); err != nil {
		return err
	}
	return os.Rename(temporary, name)
}
