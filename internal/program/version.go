package program

import (
	"bytes"
	"encoding/json"
	"io"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/chargecast/chargecast/internal/termtext"
)

// A build is what the toolchain recorded about the program.
type build struct {
	Version  string `json:"version"`
	Go       string `json:"go"`
	OS       string `json:"os"`
	Arch     string `json:"arch"`
	Commit   string `json:"commit,omitempty"`
	Time     string `json:"time,omitempty"`
	Modified *bool  `json:"modified,omitempty"`
}

// Version adds the command version and the flag --version to the root. Stamped is the version that a release writes in
// with the linker's -X; a program that was built otherwise has none, and shows what the toolchain recorded. Text fits the
// columns of a terminal; 0 is for none.
func Version(root *cobra.Command, stamped string, columns int) {
	name := root.Name()
	c := &cobra.Command{
		Use:   "version",
		Short: "Shows which " + name + " this is",
		Long: `version shows the version of ` + name + `, of Go, and the commit it was built from, as
far as the build recorded them.`,
		Example: "  " + name + " version\n  " + name + " version -o json",
		Args: func(c *cobra.Command, args []string) error {
			if len(args) > 0 {
				return Usage(c.CommandPath()+" takes no arguments", "see: "+c.CommandPath()+" --help")
			}
			return nil
		},
	}
	format := Output(c, "text", "json")
	c.RunE = func(c *cobra.Command, _ []string) error {
		return buildOf(stamped).write(c.OutOrStdout(), name, format.V, columns)
	}
	root.AddCommand(c)
	asked := root.Flags().Bool("version", false, "show which "+name+" this is")
	without := root.RunE
	root.RunE = func(c *cobra.Command, args []string) error {
		if *asked {
			return buildOf(stamped).write(c.OutOrStdout(), name, "text", columns)
		}
		return without(c, args)
	}
}

func buildOf(stamped string) build {
	b := build{Version: "unknown", Go: runtime.Version(), OS: runtime.GOOS, Arch: runtime.GOARCH}
	info, ok := debug.ReadBuildInfo()
	if ok && info.Main.Version != "" {
		b.Version = info.Main.Version
	}
	if stamped != "" {
		b.Version = stamped
	}
	if !ok {
		return b
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			b.Commit = s.Value
		case "vcs.time":
			b.Time = s.Value
		case "vcs.modified":
			modified := s.Value == "true"
			b.Modified = &modified
		}
	}
	return b
}

func (b build) write(w io.Writer, name, format string, columns int) error {
	var text []byte
	if format == "json" {
		text = JSON(b)
	} else {
		text = []byte(name + " " + b.Version + " (" + b.Go + ", " + b.OS + "/" + b.Arch + ")\n")
		if b.Commit != "" {
			text = append(text, "commit "+b.Commit+" of "+b.Time+"\n"...)
		}
		if columns > 0 {
			text = termtext.AppendFolded(nil, text, columns)
		}
	}
	_, err := w.Write(text)
	return err
}

// JSON is one line of JSON, in which < > and & stay as they are. The value is plain data, which has a form.
func JSON(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(v)
	return b.Bytes()
}
