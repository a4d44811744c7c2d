package campaign

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/chargecast/chargecast/fuzz"
)

// run runs targets.
func run(t *testing.T, o Options) Report {
	t.Helper()
	r, err := Run(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// storeIn opens a store until the test ends.
func storeIn(t *testing.T, dir string) *Store {
	t.Helper()
	s, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

// files are the texts of all files below a directory.
func files(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := fs.WalkDir(os.DirFS(dir), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		text, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
		all[name] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// learned is a corpus after a short run of our own code.
func learned(seed uint64) fuzz.Corpus {
	var c fuzz.Corpus
	fuzz.Run(fuzz.Ours(), fuzz.Options{Laws: []string{"T01", "C07"}, Cases: 40, Seed: seed, Corpus: &c})
	k := c.Laws["C07"]
	k.Failing = []string{"cc2:C07:0:0"}
	c.Laws["C07"] = k
	return c
}

// TestStoreKeeps: what was saved is what is read, and saving it again changes nothing.
func TestStoreKeeps(t *testing.T) {
	dir := t.TempDir()
	s, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	s.Corpus, s.grid, s.after = learned(7), 640, "FuzzPEM_Load"
	if err := s.Save(); err != nil {
		t.Fatal(err)
	}
	s.Close()
	before := files(t, dir)
	again := storeIn(t, dir)
	if !reflect.DeepEqual(again.Corpus, s.Corpus) || again.grid != s.grid || again.after != s.after {
		t.Errorf("kept %+v, read %+v", s, again)
	}
	if err := again.Save(); err != nil || !reflect.DeepEqual(files(t, dir), before) {
		t.Errorf("saved again: %v, %q", err, files(t, dir))
	}
	if _, err := Open(dir); !errors.Is(err, ErrCorpus) || !strings.Contains(err.Error(), "another run is using the corpus") {
		t.Errorf("two runs at once: %v", err)
	}
}

// TestBadStores: what cannot be read is an error, and nothing in it is changed.
func TestBadStores(t *testing.T) {
	for _, c := range []struct{ name, text, reason string }{
		{stateFile, "[]", "not an object"},
		{stateFile, `{"schema":"chargecast.corpus/1"}`, "of another version"},
		{stateFile, `{"schema":"chargecast.corpus/2","grid":9000000}`, "more than the whole grid"},
		{stateFile, `{"schema":"chargecast.corpus/2","laws":{"T01":{"next":{"0":18446744073709551615}}}}`, "the last index there is"},
		{stateFile, `{"schema":"chargecast.corpus/2","laws":{"T01":{"judged":-1}}}`, "fewer than none"},
		{"cases/T01.txt", "half a to", "a line that is cut off"},
		{"cases", "a file", "a file for a directory"},
	} {
		dir := t.TempDir()
		path := filepath.Join(dir, filepath.FromSlash(c.name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(c.text), 0o600)); err != nil {
			t.Fatal(err)
		}
		if _, err := Open(dir); !errors.Is(err, ErrCorpus) && !errors.Is(err, ErrKeep) {
			t.Errorf("%s: %v", c.reason, err)
		}
		if got := files(t, dir); len(got) != 1 || got[c.name] != c.text {
			t.Errorf("%s: left %q", c.reason, got)
		}
	}
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(file); err == nil {
		t.Error("a file is opened as a store")
	}
}

// TestOtherGenerators: with other generators an index names another case, so that every law begins at its first.
func TestOtherGenerators(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, stateFile), []byte(`{"schema":"chargecast.corpus/2","generators":"cc1","laws":{"T01":{"next":{"0":40},"judged":40,"since":2}}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if k := storeIn(t, dir).Corpus.Laws["T01"]; k.Next != nil || k.Judged != 40 {
		t.Errorf("%+v", k)
	}
}

// TestMerge: stores of two machines are joined, inputs of targets included; what is no store is refused.
func TestMerge(t *testing.T) {
	dirs := []string{t.TempDir(), t.TempDir()}
	for i, dir := range dirs {
		s, err := Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		s.Corpus, s.grid = learned(uint64(i)), uint64(64*i)
		if err := errors.Join(s.write("raw/FuzzX/both", []byte("both")), s.write("raw/FuzzX/"+dirs[i][len(dirs[i])-3:], []byte{byte(i)}), s.Save()); err != nil {
			t.Fatal(err)
		}
		s.Close()
	}
	out := filepath.Join(t.TempDir(), "out")
	if err := Merge(out, dirs...); err != nil {
		t.Fatal(err)
	}
	s := storeIn(t, out)
	k := s.Corpus.Laws["T01"]
	if k.Next[0] != 40 || k.Next[1] != 40 || k.Judged != 80 || s.grid != 64 || len(s.Corpus.Laws["C07"].Failing) != 1 {
		t.Errorf("%+v, grid %d", k, s.grid)
	}
	if inputs, err := s.inputs("FuzzX"); err != nil || len(inputs) != 3 {
		t.Errorf("inputs %q, %v", inputs, err)
	}
	if err := Merge(filepath.Join(t.TempDir(), "out"), t.TempDir()); !errors.Is(err, ErrCorpus) {
		t.Errorf("an empty directory is merged: %v", err)
	}
}
