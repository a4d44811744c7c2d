package main

import (
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/chargecast/chargecast/internal/strictjson"
)

func newVersion(a *app) *cobra.Command {
	c := &cobra.Command{
		Use:   "version",
		Short: "Shows which chargecast this is",
		Long: `version shows the version of chargecast, of Go, and the commit it was built from, as
far as the build recorded them.`,
		Example: `  chargecast version
  chargecast version -o json`,
		Args: noArguments,
	}
	format := outputFlag(c, "text", "json")
	c.RunE = func(*cobra.Command, []string) error {
		a.fit(format.value)
		a.out.b = buildOf(debug.ReadBuildInfo()).append(a.out.b, format.value)
		a.out.endLine()
		return nil
	}
	return c
}

// addVersion adds --version to the root, which does nothing else of its own.
func addVersion(a *app, root *cobra.Command) {
	asked := root.Flags().Bool("version", false, "show which chargecast this is")
	root.Args = unknownCommand
	root.RunE = func(*cobra.Command, []string) error {
		if !*asked {
			return root.Help()
		}
		a.out.b = buildOf(debug.ReadBuildInfo()).append(a.out.b, "text")
		a.out.endLine()
		return nil
	}
}

// stamped is the version that a release writes in with the linker's -X. A program that was built otherwise has none, and
// shows what the toolchain recorded.
var stamped string

// A build is what the toolchain recorded about the program.
type build struct{ version, commit, time, modified string }

func buildOf(info *debug.BuildInfo, ok bool) build {
	b := build{version: "unknown"}
	if ok && info.Main.Version != "" {
		b.version = info.Main.Version
	}
	if stamped != "" {
		b.version = stamped
	}
	if !ok {
		return b
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			b.commit = s.Value
		case "vcs.time":
			b.time = s.Value
		case "vcs.modified":
			b.modified = s.Value
		}
	}
	return b
}

func (b build) append(dst []byte, format string) []byte {
	if format != "json" {
		dst = append(dst, "chargecast "+b.version+" ("+runtime.Version()+", "+runtime.GOOS+"/"+runtime.GOARCH+")\n"...)
		if b.commit != "" {
			dst = append(dst, "commit "+b.commit+" of "+b.time+"\n"...)
		}
		return dst
	}
	sep := byte('{')
	for _, f := range [...]struct{ name, value string }{
		{"version", b.version},
		{"go", runtime.Version()},
		{"os", runtime.GOOS},
		{"arch", runtime.GOARCH},
		{"commit", b.commit},
		{"time", b.time},
	} {
		if f.value != "" {
			dst = append(append(dst, sep), '"')
			dst = append(append(dst, f.name...), '"', ':')
			dst = strictjson.AppendString(dst, f.value)
			sep = ','
		}
	}
	if b.modified != "" {
		dst = append(append(dst, `,"modified":`...), b.modified...)
	}
	return append(dst, "}\n"...)
}
