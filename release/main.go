// Release makes what a release of chargecast consists of, from a clone: archives of all programs for each system,
// with checksums, a bill of materials, the licences of what is linked, manual pages and completions; and the files
// with which the module proxy serves its modules. Made twice from one commit, every file has the same bytes.
//
//	go run -C release . archives -version v0.1.0             all archives, into dist/
//	go run -C release . archives -version v0.1.0 -target host
//	go run -C release . modules -version v0.1.0 -out DIR     a module proxy as files
//	go run -C release . resolve -version v0.1.0              go.mod of the nested modules, ready for their tags
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"golang.org/x/mod/semver"
)

const (
	exitFailed = 1
	exitUsage  = 2
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

// A verb is one thing that the program does in a clone.
type verb struct {
	name, help string
	run        func(r *release, stdout io.Writer) error
}

var verbs = []verb{
	{"archives", "make the archives, their checksums and bills of materials", (*release).archives},
	{"texts", "write the manual pages, completions and licences of all programs", (*release).texts},
	{"modules", "make the files that a module proxy serves", (*release).modules},
	{"resolve", "write the version into the go.mod files of the nested modules", (*release).resolve},
}

// A release is what the flags say, and where the clone is.
type release struct {
	root     string // of the clone
	version  string
	out      string
	targets  []target
	programs []program
}

func run(args []string, stdout, stderr io.Writer) int {
	v, r, err := parse(args, stderr)
	if errors.Is(err, flag.ErrHelp) {
		return 0
	}
	if err != nil {
		_, _ = fmt.Fprintf(stderr, "release: %v\n", err)
		return exitUsage
	}
	if err := v.run(r, stdout); err != nil {
		_, _ = fmt.Fprintf(stderr, "release: %v\n", err)
		return exitFailed
	}
	return 0
}

func parse(args []string, stderr io.Writer) (verb, *release, error) {
	flags := flag.NewFlagSet("release", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	r := &release{}
	flags.StringVar(&r.version, "version", "", "`VERSION` of the release, such as v0.1.0")
	flags.StringVar(&r.out, "out", "dist", "`DIR` to write into; a relative one is taken from the root of the clone")
	wanted := flags.String("target", "all", "`SYSTEMS` to build for: all, host, or os/arch,os/arch")
	only := flags.String("program", "all", "`NAME` of the one program to build: chargecast, chargecast-conform or chargecast-sandbox")
	usage := func() {
		_, _ = fmt.Fprintln(stderr, "usage: go run -C release . VERB -version VERSION [flags]")
		for _, v := range verbs {
			_, _ = fmt.Fprintf(stderr, "  %-9s  %s\n", v.name, v.help)
		}
		flags.SetOutput(stderr)
		flags.PrintDefaults()
	}
	if len(args) == 0 || strings.HasPrefix(args[0], "-h") || args[0] == "--help" {
		usage()
		return verb{}, nil, flag.ErrHelp
	}
	v, err := verbOf(args[0])
	if err != nil {
		return v, nil, err
	}
	if err := flags.Parse(args[1:]); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			usage()
		}
		return v, nil, err
	}
	if flags.NArg() > 0 {
		return v, nil, errors.New("a verb takes flags only")
	}
	if err := checkVersion(r.version); err != nil {
		return v, nil, err
	}
	if r.targets, err = parseTargets(*wanted); err != nil {
		return v, nil, err
	}
	if r.programs, err = parsePrograms(*only); err != nil {
		return v, nil, err
	}
	if r.root, err = rootOfClone(); err != nil {
		return v, nil, err
	}
	if !filepath.IsAbs(r.out) {
		r.out = filepath.Join(r.root, r.out)
	}
	return v, r, nil
}

func verbOf(name string) (verb, error) {
	for _, v := range verbs {
		if v.name == name {
			return v, nil
		}
	}
	return verb{}, fmt.Errorf("no such verb %q; it is one of archives, texts, modules, resolve", name)
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

// toolError adds what the tool said, of which an exit status alone tells nothing.
func toolError(err error) error {
	var exit *exec.ExitError
	if errors.As(err, &exit) && len(exit.Stderr) > 0 {
		return fmt.Errorf("%w: %s", err, strings.TrimSpace(string(exit.Stderr)))
	}
	return err
}
