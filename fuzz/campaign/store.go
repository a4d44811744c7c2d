package campaign

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/chargecast/chargecast/fuzz"
	"github.com/chargecast/chargecast/fuzz/laws"
)

// The files and directories of a store.
const (
	stateFile  = "corpus.json"
	casesDir   = "cases"   // a file of tokens for each law: cases that hold
	failingDir = "failing" // a file of tokens for each law; for each target a directory of files of the Go engine
	nativeDir  = "native"  // inputs as files of the Go engine, by target
	rawDir     = "raw"     // the same inputs unchanged, by target
	// othersDir has inputs that failed in other engines: files whose names begin with the target's.
	othersDir = failingDir + "/libfuzzer"
)

// halfInput is the temporary name of an input.
const halfInput = "input.tmp"

const schema = "chargecast.corpus/2"

// ErrCorpus is a directory that cannot be read as a store, or that another run is using.
var ErrCorpus = errors.New("the corpus cannot be read")

// ErrKeep is a store that cannot be written.
var ErrKeep = errors.New("the corpus cannot be written")

// A Store is a corpus in a directory. Only one run at a time can have it open.
type Store struct {
	Corpus fuzz.Corpus

	dir     string
	grid    uint64 // starts of the grid that were judged
	after   string // the target whose turn was last
	release func()
}

// state is the file of numbers.
type state struct {
	Schema     string              `json:"schema"`
	Generators string              `json:"generators"` // their version: with another one an index names another case
	Laws       map[string]lawState `json:"laws"`
	Grid       uint64              `json:"grid,omitempty"`
	After      string              `json:"after,omitempty"`
}

type lawState struct {
	Next   map[uint64]uint64 `json:"next"` // by seed
	Judged uint64            `json:"judged"`
	Since  uint64            `json:"since"`
}

// Open opens the store in a directory, or makes an empty one. The error is [ErrCorpus] or [ErrKeep].
func Open(dir string) (*Store, error) {
	_ = os.MkdirAll(dir, 0o777) // if it fails, what follows does, too
	release, free := lock(dir)
	if !free {
		return nil, &fault{ErrCorpus, "another run is using the corpus; wait for it to end or use another directory"}
	}
	s := &Store{dir: dir, release: release}
	if err := s.read(); err != nil {
		release()
		return nil, err
	}
	return s, nil
}

// Close lets other runs in. It does not save.
func (s *Store) Close() { s.release() }

func (s *Store) path(name string) string { return filepath.Join(s.dir, filepath.FromSlash(name)) }

func (s *Store) read() error {
	kept := state{Generators: laws.Version}
	text, err := os.ReadFile(s.path(stateFile))
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return because(ErrCorpus, err)
	default:
		if err := json.Unmarshal(text, &kept); err != nil || kept.Schema != schema || kept.Grid > gridStarts {
			return &fault{ErrCorpus, stateFile + " is not that of a corpus; use another directory"}
		}
	}
	s.Corpus.Laws, s.grid, s.after = map[string]fuzz.Kept{}, kept.Grid, kept.After
	for id, l := range kept.Laws {
		const most = 1 << 62
		if l.Judged > most || l.Since > most || slices.ContainsFunc(slices.Collect(maps.Values(l.Next)), func(n uint64) bool { return n > most }) {
			return &fault{ErrCorpus, stateFile + " has a number that no run comes to; use another directory"}
		}
		if kept.Generators != laws.Version {
			l.Next = nil
		}
		s.Corpus.Laws[id] = fuzz.Kept{Next: l.Next, Judged: l.Judged, Since: l.Since}
	}
	for _, sub := range [...]string{casesDir, failingDir} {
		if err := os.MkdirAll(s.path(sub), 0o777); err != nil {
			return because(ErrKeep, err)
		}
	}
	for _, l := range fuzz.Laws() {
		k := s.Corpus.Laws[l.ID]
		for _, of := range []struct {
			dir  string
			into *[]string
		}{{casesDir, &k.Cases}, {failingDir, &k.Failing}} {
			if *of.into, err = s.tokens(of.dir, l.ID); err != nil {
				return err
			}
		}
		if len(k.Cases)+len(k.Failing) > 0 {
			s.Corpus.Laws[l.ID] = k
		}
	}
	return nil
}

// tokens are the lines of a file, which may be missing.
func (s *Store) tokens(dir, law string) ([]string, error) {
	text, err := os.ReadFile(s.path(dir + "/" + law + ".txt"))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, because(ErrCorpus, err)
	}
	tokens := strings.Fields(string(text))
	for _, token := range tokens {
		if strings.Count(token, ":") != 3 {
			return nil, &fault{ErrCorpus, dir + "/" + law + ".txt has a line that is no token; remove it"}
		}
	}
	return tokens, nil
}

// Save writes what was learned. The error is [ErrKeep].
func (s *Store) Save() error {
	kept := state{Schema: schema, Generators: laws.Version, Laws: map[string]lawState{}, Grid: s.grid, After: s.after}
	for id, k := range s.Corpus.Laws {
		kept.Laws[id] = lawState{k.Next, k.Judged, k.Since}
		for dir, tokens := range map[string][]string{casesDir: k.Cases, failingDir: k.Failing} {
			if err := s.keep(dir+"/"+id+".txt", tokens); err != nil {
				return err
			}
		}
	}
	text, _ := json.MarshalIndent(kept, "", "  ") // of strings and numbers alone
	return s.write(stateFile, append(text, '\n'))
}

// keep writes tokens, or removes the file of none.
func (s *Store) keep(name string, tokens []string) error {
	if len(tokens) > 0 {
		return s.write(name, []byte(strings.Join(tokens, "\n")+"\n"))
	}
	if err := os.Remove(s.path(name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return because(ErrKeep, err)
	}
	return nil
}

// Merge joins what stores have learned, inputs of targets included, into the one in a directory, which may have learned
// something already.
func Merge(into string, from ...string) (err error) {
	out, err := Open(into)
	if err != nil {
		return err
	}
	defer out.Close()
	for _, dir := range from {
		if _, err := os.Stat(filepath.Join(dir, stateFile)); err != nil {
			return because(ErrCorpus, err)
		}
		s, err := Open(dir)
		if err != nil {
			return err
		}
		out.Corpus.Merge(&s.Corpus)
		out.grid, out.after = max(out.grid, s.grid), cmp.Or(out.after, s.after)
		err = out.copyInputs(s)
		s.Close()
		if err != nil {
			return err
		}
	}
	return out.Save()
}

// copyInputs copies the inputs of targets: each is named by its check sum.
func (s *Store) copyInputs(from *Store) error {
	for _, dir := range [...]string{nativeDir, rawDir, failingDir} {
		err := fs.WalkDir(os.DirFS(from.dir), dir, func(name string, entry fs.DirEntry, err error) error {
			if errors.Is(err, fs.ErrNotExist) {
				return fs.SkipDir
			}
			if err != nil || !entry.Type().IsRegular() || strings.HasSuffix(name, ".txt") {
				return err
			}
			data, err := os.ReadFile(from.path(name))
			if err != nil {
				return err
			}
			return s.write(name, data)
		})
		if err != nil {
			return because(ErrKeep, err)
		}
	}
	return nil
}

// failing are the inputs of a target that failed, by their names below the store.
func (s *Store) failing(target string) (map[string][]byte, error) {
	found := map[string][]byte{}
	if s == nil {
		return found, nil
	}
	err := s.each(failingDir+"/"+target, func(name string, data []byte) {
		if raw, err := rawInput(data); err == nil {
			found[name] = raw
		}
	})
	if err != nil {
		return nil, err
	}
	return found, s.each(othersDir, func(name string, data []byte) {
		if strings.HasPrefix(filepath.Base(name), target+"-") {
			found[name] = data
		}
	})
}

// inputs are the raw inputs of a target, in the order of their names.
func (s *Store) inputs(target string) (list [][]byte, err error) {
	if s == nil {
		return nil, nil
	}
	err = s.each(rawDir+"/"+target, func(_ string, data []byte) { list = append(list, data) })
	return list, err
}

// each reads the files of a directory, which may be missing.
func (s *Store) each(dir string, of func(name string, data []byte)) error {
	files, err := os.ReadDir(s.path(dir))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return because(ErrCorpus, err)
	}
	for _, f := range files {
		if !f.Type().IsRegular() {
			continue
		}
		data, err := os.ReadFile(s.path(dir + "/" + f.Name()))
		if err != nil {
			return because(ErrCorpus, err)
		}
		of(dir+"/"+f.Name(), data)
	}
	return nil
}

// write writes a whole file, or leaves the earlier one.
func (s *Store) write(name string, text []byte) error {
	path := s.path(name)
	if was, err := os.ReadFile(path); err == nil && bytes.Equal(was, text) {
		return nil
	}
	err := os.MkdirAll(filepath.Dir(path), 0o777)
	if err == nil {
		err = placeFile(path+".tmp", path, text)
	}
	return because(ErrKeep, err)
}

// placeFile writes a file under a temporary name and renames it.
func placeFile(temporary, path string, text []byte) error {
	err := os.WriteFile(temporary, text, 0o666)
	if err == nil {
		err = os.Rename(temporary, path)
	}
	if err == nil {
		return nil
	}
	if half, stat := os.Lstat(temporary); stat == nil && half.Mode().IsRegular() {
		_ = os.Remove(temporary) // it only takes room where there is none
	}
	return err
}

// checkSum is the name of an input.
func checkSum(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:16])
}

// A fault is one of the errors above with its particulars.
type fault struct {
	kind error
	text string
}

func (f *fault) Error() string { return f.text }
func (f *fault) Unwrap() error { return f.kind }

// because is a fault whose cause lies in the system, without the path that package os puts around
// it.
func because(kind, cause error) error {
	if cause == nil {
		return nil
	}
	if _, is := errors.AsType[*fault](cause); is {
		return cause
	}
	text := kind.Error()
	if errno, ok := errors.AsType[syscall.Errno](cause); ok {
		text += ": " + errno.Error()
	}
	return &fault{kind, text}
}
