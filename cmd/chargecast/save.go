package main

import (
	"bufio"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"

	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/book"
	"github.com/chargecast/chargecast/record"
)

// A saver writes the state file of --save-state: a line for each profile, in the order of the rows.
// Until it is finished everything is in a temporary file beside it.
type saver struct {
	app  *app
	flag string
	path string // of the file
	file *os.File
	w    *bufio.Writer
	line []byte
	err  error // of writing

	updates int    // profiles whose columns a script changed
	updated string // … the first of them
}

// newSaver begins a state file; without a path there is none, and the saver is nil.
func newSaver(a *app, path string) (*saver, error) {
	if path == "" {
		return nil, nil
	}
	s, err := a.begin("--save-state", path)
	if err != nil {
		return nil, err
	}
	s.w = bufio.NewWriterSize(s.file, outputBuffer)
	return s, nil
}

// begin begins a file of a flag.
func (a *app) begin(flag, path string) (*saver, error) {
	s := &saver{app: a, flag: flag, path: path}
	if target, err := filepath.EvalSymlinks(path); err == nil {
		s.path = target // a link stays one
	}
	switch info, err := os.Stat(s.path); {
	case err != nil: // there is none yet
	case !info.Mode().IsRegular():
		return nil, s.failed("not a regular file", "give the name of a file, which is replaced as a whole")
	case a.out.isFile(info): // which would be lost
		return nil, usage(flag+": the output is written to this file", "give another name")
	}
	if err := s.create(); err != nil {
		return nil, s.failed(reason(err), "check the directory")
	}
	return s, nil
}

// create makes the temporary file.
func (s *saver) create() error {
	return s.app.scratch.make(func() (string, error) {
		var err error
		if s.file, err = os.CreateTemp(filepath.Dir(s.path), "."+filepath.Base(s.path)+".*.tmp"); err != nil {
			return "", err
		}
		return s.file.Name(), nil
	})
}

// place puts the temporary file, whole and on the disk, where the file is to be.
func (s *saver) place() {
	s.try(s.keepMode)
	s.try(s.file.Sync)
	s.try(s.file.Close)
	s.try(func() error {
		return s.app.scratch.done(func() error { return os.Rename(s.file.Name(), s.path) })
	})
}

// overwrites refuses a file of a flag that is one of the inputs. A state file may be the one that was read.
func overwrites(flag, path string, inputs ...string) error {
	target, err := os.Stat(path)
	if path == "" || err != nil {
		return nil
	}
	for _, input := range inputs {
		if info, err := os.Stat(input); err == nil && os.SameFile(info, target) {
			return usage(flag+": the file is an input", "give another name")
		}
	}
	return nil
}

func (s *saver) failed(why, help string) error {
	return internal(s.flag+": "+quoted(s.path)+" cannot be written: "+why, help)
}

// add writes the state of a row's profile. What a state file cannot hold is a finding about the row.
func (s *saver) add(row *book.Profile, state engine.State) error {
	switch {
	case row.Repeated:
		return notSaved("an earlier row has the same client-orderid, and one line of a state file cannot serve two profiles", "give every row its own client-orderid")
	case row.ShownID != row.OrderID():
		return notSaved("the client-orderid is the card number of the row, which is written nowhere", "give the row another client-orderid")
	}
	line, err := engine.AppendStateLine(s.line[:0], row.OrderID(), state)
	if err != nil {
		return err
	}
	s.line = append(line, '\n')
	s.try(func() error {
		_, err := s.w.Write(s.line)
		return err
	})
	return nil
}

// noteUpdate notes that a script changed columns of a row's profile.
func (s *saver) noteUpdate(row *book.Profile) {
	if s.updates++; s.updates == 1 {
		s.updated = row.ShownID
	}
}

// warnOfUpdates says that the payload is not what the states belong to.
func (s *saver) warnOfUpdates() {
	if s.updates > 0 {
		s.app.log.line(visible(s.path) + ": warning: the script changed columns of " + counted(strconv.Itoa(s.updates), "profile") + ", the first of them " + visible(s.updated))
		s.app.log.line("  help: change the payload in the same way before it goes on from these states")
	}
}

// notSaved is a finding about a row whose state is not in the file.
func notSaved(message, help string) error {
	return rulebook.Finding(record.StateProfileAmbiguous, "the state is not saved: "+message, help)
}

// finish puts the file in its place, whole and on the disk, or removes what there is of it.
func (s *saver) finish(complete bool) error {
	if !complete {
		s.discard()
		s.app.log.line("chargecast: --save-state: nothing is saved, since the run failed")
		return nil
	}
	s.try(s.w.Flush)
	if err := s.end(); err != nil {
		return err
	}
	s.warnOfUpdates()
	return nil
}

func (s *saver) try(do func() error) {
	if s.err == nil {
		s.err = do()
	}
}

// keepMode gives the file the permissions of the one that it replaces.
func (s *saver) keepMode() error {
	info, err := os.Stat(s.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return s.file.Chmod(info.Mode().Perm())
}

// replaceFile writes a file of a flag, which is there whole or as it was.
func (a *app) replaceFile(flag, path string, text []byte) error {
	s, err := a.begin(flag, path)
	if err != nil {
		return err
	}
	s.try(func() error {
		_, err := s.file.Write(text)
		return err
	})
	return s.end()
}

// end puts the file in its place, or removes what there is of it.
func (s *saver) end() error {
	if s.place(); s.err != nil {
		s.discard()
		return s.failed(reason(s.err), "the file that was there is as it was")
	}
	return nil
}

func (s *saver) discard() {
	_ = s.file.Close()
	_ = s.app.scratch.done(func() error { return os.Remove(s.file.Name()) })
}
