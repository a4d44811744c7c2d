package campaign

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// The files and directories of a corpus. The reports of the last campaign are beside them.
const (
	stateFile   = "campaign.json"
	findingsDir = "findings" // a JSON file for each, and for those of targets a file of the Go engine
	nativeDir   = "native"   // inputs as files of the Go engine, by target
	rawDir      = "raw"      // the same inputs unchanged, by target
	// othersDir has inputs that failed in other engines: files whose names begin with the target's.
	othersDir = findingsDir + "/libfuzzer"
)

// halfInput is the temporary name of an input.
const halfInput = "input.tmp"

const stateSchema = "chargecast.corpus/1"

// A state is where later campaigns go on.
type state struct {
	Schema     string              `json:"schema"`
	Generators string              `json:"generators"` // their version
	Seed       uint64              `json:"seed"`
	Seeds      []uint64            `json:"earlier_seeds,omitempty"`
	Campaigns  int                 `json:"campaigns"`
	Laws       map[string]lawState `json:"laws"`
	Grid       uint64              `json:"grid"` // starts of the grid that were judged
	// Unmet are the pairs of classes of input that no campaign met.
	Unmet   []string               `json:"unmet"`
	Targets map[string]targetState `json:"targets"`
	// After is the target whose turn was last.
	After string `json:"after,omitempty"`
}

// A lawState is what campaigns did for one law.
type lawState struct {
	Next  uint64 `json:"next"`  // the index of the next case of this seed
	Cases uint64 `json:"cases"` // that were judged, of all seeds
}

// A targetState is what campaigns did for one target.
type targetState struct {
	Inputs uint64 `json:"inputs"` // that the engine tried
}

// A corpus is a directory of a campaign. Without a directory it keeps nothing.
type corpus struct {
	dir   string
	known map[string]Finding // by name
	close func()             // lets other campaigns in
}

// openCorpus opens the corpus in a directory, or creates it.
func openCorpus(dir string, seed *uint64) (*corpus, *state, error) {
	c := &corpus{dir: dir, known: map[string]Finding{}, close: func() {}}
	s := &state{Schema: stateSchema, Generators: generators, Unmet: allPairs(), Laws: map[string]lawState{}, Targets: map[string]targetState{}}
	if seed != nil {
		s.Seed = *seed
	}
	if dir == "" {
		return c, s, nil
	}
	_ = os.MkdirAll(dir, 0o777) // if it fails, lock or open does, too
	free := false
	if c.close, free = lock(dir); !free {
		return nil, nil, &fault{ErrCorpus, "another campaign is using the corpus; wait for it to end or use another directory"}
	}
	s, err := c.open(s, seed)
	if err != nil {
		c.close()
		return nil, nil, err
	}
	return c, s, nil
}

// open reads a directory and creates what it lacks; s is the state of a new corpus.
func (c *corpus) open(s *state, seed *uint64) (*state, error) {
	text, err := os.ReadFile(c.path(stateFile))
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return nil, because(ErrCorpus, err)
	default:
		if s, err = readState(text, seed); err != nil {
			return nil, err
		}
	}
	for _, sub := range [...]string{findingsDir, nativeDir, rawDir} {
		if err := os.MkdirAll(c.path(sub), 0o777); err != nil {
			return nil, because(ErrKeep, err)
		}
	}
	return s, c.readFindings()
}

// readState reads a state. Under another seed, or with other generators, laws begin at their first
// case.
func readState(text []byte, seed *uint64) (*state, error) {
	s := new(state)
	if err := json.Unmarshal(text, s); err != nil || s.Schema != stateSchema || !s.possible() {
		return nil, &fault{ErrCorpus, stateFile + " is not the state of a campaign; use another directory"}
	}
	if s.Laws == nil {
		s.Laws = map[string]lawState{}
	}
	if s.Targets == nil {
		s.Targets = map[string]targetState{}
	}
	if s.Unmet != nil { // else nothing says that any was met
		s.Unmet = slices.DeleteFunc(allPairs(), func(p string) bool { return !slices.Contains(s.Unmet, p) })
	} else {
		s.Unmet = allPairs()
	}
	s.Grid = min(s.Grid, gridStarts)
	other := seed != nil && *seed != s.Seed
	if other || s.Generators != generators {
		for id, l := range s.Laws {
			s.Laws[id] = lawState{Cases: l.Cases}
		}
	}
	if other {
		s.Seeds = append(s.Seeds, s.Seed)
		s.Seed = *seed
	}
	s.Generators = generators
	return s, nil
}

// possible reports whether the numbers of a state are such that campaigns can come to, and go on from.
func (s *state) possible() bool {
	const most = 1 << 62
	ok := s.Campaigns >= 0 && s.Campaigns < 1<<30
	for _, l := range s.Laws {
		ok = ok && l.Next < most && l.Cases < most
	}
	for _, t := range s.Targets {
		ok = ok && t.Inputs < most
	}
	return ok
}

func (c *corpus) path(name string) string { return filepath.Join(c.dir, filepath.FromSlash(name)) }

// readFindings reads the findings of earlier campaigns.
func (c *corpus) readFindings() error {
	names, err := filepath.Glob(filepath.Join(globEscaped(c.path(findingsDir)), "*.json"))
	if err != nil {
		return because(ErrCorpus, err)
	}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			return because(ErrCorpus, err)
		}
		var f Finding
		if json.Unmarshal(text, &f) != nil || f.Schema != findingSchema || f.ID+".json" != filepath.Base(name) || f.Law == "" && f.Target == "" {
			return &fault{ErrCorpus, findingsDir + "/" + filepath.Base(name) + " is not a finding; remove it"}
		}
		c.known[f.ID] = f
	}
	return nil
}

// globEscaped is a path in which no character is a pattern.
func globEscaped(path string) string {
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`).Replace(path)
}

// write writes a whole file, or leaves the earlier one.
func (c *corpus) write(name string, text []byte) error {
	if c.dir == "" {
		return nil
	}
	path := c.path(name)
	err := os.MkdirAll(filepath.Dir(path), 0o777)
	if err == nil {
		err = place(path+".tmp", path, text)
	}
	if err != nil {
		return because(ErrKeep, err)
	}
	return nil
}

// place writes a file under a temporary name and renames it.
func place(temporary, path string, text []byte) error {
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

// keep writes a finding and, for that of a target, the file that the Go command replays.
func (c *corpus) keep(f Finding) error {
	if f.Target != "" {
		if err := c.write(findingsDir+"/"+f.Target+"/"+f.ID, goInput(f.Input)); err != nil {
			return err
		}
	}
	return c.write(f.file(), f.marshal())
}

func (c *corpus) keepState(s *state) error {
	text, _ := json.MarshalIndent(s, "", "  ") // of strings and numbers alone
	return c.write(stateFile, append(text, '\n'))
}

// inputs are the raw inputs of a target, in the order of their names.
func (c *corpus) inputs(target string) ([][]byte, error) { return c.read(rawDir+"/"+target, "") }

// suspects are the inputs of a target that failed in other engines.
func (c *corpus) suspects(target string) ([][]byte, error) { return c.read(othersDir, target+"-") }

// read reads the files of a directory whose names begin with a prefix. A missing directory is
// empty.
func (c *corpus) read(dir, prefix string) (list [][]byte, err error) {
	if c.dir == "" {
		return nil, nil
	}
	files, err := os.ReadDir(c.path(dir))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, because(ErrCorpus, err)
	}
	for _, f := range files {
		if !f.Type().IsRegular() || !strings.HasPrefix(f.Name(), prefix) {
			continue
		}
		data, err := os.ReadFile(c.path(dir + "/" + f.Name()))
		if err != nil {
			return nil, because(ErrCorpus, err)
		}
		list = append(list, data)
	}
	return list, nil
}

// checkSum is the name of an input.
func checkSum(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:16])
}
