//go:build unix

package campaign

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// aClone is a directory that looks like a clone, and a Go command in its PATH that builds a script in place of the
// targets: an engine that says what is to be said, and runs what else the script has.
func aClone(t *testing.T, engine string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":         "module github.com/chargecast/chargecast\n\ngo 1.26\n",
		"bin/go":         "#!/bin/sh\nwhile [ \"$1\" != -o ]; do shift; done\ncp " + filepath.Join(dir, "engine") + " \"$2\"\n",
		"engine":         "#!/bin/sh\nfor a; do case $a in -test.fuzz=*) name=${a#-test.fuzz=^}; name=${name%?};; -test.fuzzcachedir=*) cache=${a#*=};; esac; done\n" + engine,
		"fuzz/inside.go": "package fuzz\n",
	} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", filepath.Join(dir, "bin")+":"+os.Getenv("PATH"))
	return filepath.Join(dir, "fuzz")
}

const progress = `echo 'fuzz: elapsed: 0s, gathering baseline coverage: 0/7 completed'
echo 'fuzz: elapsed: 3s, execs: 10 (3/sec), new interesting: 1 (total: 8)'
echo 'fuzz: elapsed: 4s, execs: 1234 (300/sec), new interesting: 2 (total: 9)'
`

// TestEngineFinds: what the engine writes as failing is a finding with a file for the Go command, and what it keeps
// is carried to the other engines.
func TestEngineFinds(t *testing.T) {
	clone := aClone(t, progress+`
mkdir -p "$cache/$name" testdata/fuzz/$name
printf 'go test fuzz v1\n[]byte("new")\n' >"$cache/$name/abc"
printf 'go test fuzz v1\n[]byte("failing")\n' >testdata/fuzz/$name/def
echo FAIL
exit 1
`)
	dir := t.TempDir()
	o := Options{Targets: []string{"FuzzDate_Parse_Reference"}, Inputs: 7, Store: storeIn(t, dir), Clone: clone}
	r := run(t, o)
	if r.NoEngine != "" || len(r.Targets) != 1 || r.OK() {
		t.Fatalf("%s", r.AppendText(nil))
	}
	got := r.Targets[0]
	if !got.Ran || got.Inputs != 1234 || got.New != 1 || got.Corpus != 1 || len(got.Failures) != 1 || got.Incomplete != "" {
		t.Errorf("%+v", got)
	}
	kept := files(t, dir)
	if raw, err := rawInput([]byte(kept[got.Failures[0].File])); err != nil || string(raw) != "failing" {
		t.Errorf("kept as %q, %v", raw, err)
	}
	if kept["raw/FuzzDate_Parse_Reference/"+checkSum([]byte("new"))] != "new" {
		t.Errorf("the new input is not carried: %q", kept)
	}
	if _, err := os.Stat(filepath.Join(clone, "testdata")); err == nil {
		t.Error("the clone was written to")
	}
	// The body of the target holds for that input, so that the next run reports it as mended.
	o.Clone = ""
	if r := run(t, o); !r.OK() || r.Targets[0].Mended != 1 {
		t.Errorf("afterwards %s", r.AppendText(nil))
	}
}

// TestEngineEnds: the ways in which the engine can end without an input that fails.
func TestEngineEnds(t *testing.T) {
	for _, c := range []struct{ engine, incomplete string }{
		{progress, ""},
		{progress + "echo '    context deadline exceeded'\nexit 1\n", ""},
		{progress + "echo 'panic: something else'\nexit 2\n", "the engine failed without an input that fails"},
		{"exit 1\n", "the engine failed without an input that fails"},
	} {
		r := run(t, Options{Targets: []string{"FuzzDate_Parse_Reference"}, Inputs: 7, Clone: aClone(t, c.engine)})
		if got := r.Targets[0]; got.Incomplete != c.incomplete || !r.OK() {
			t.Errorf("%s: %+v", c.engine, got)
		}
	}
}

// TestEngineInterrupted: an interrupt ends the engine, and the campaign with its report.
func TestEngineInterrupted(t *testing.T) {
	fifo := filepath.Join(t.TempDir(), "begun")
	if err := syscall.Mkfifo(fifo, 0o600); err != nil {
		t.Skipf("no named pipe: %v", err)
	}
	clone := aClone(t, "trap 'exit 3' INT\n"+progress+"echo >"+fifo+"\nwhile :; do sleep 0.1; done\n")
	ctx, stop := context.WithCancel(t.Context())
	go func() {
		_, _ = os.ReadFile(fifo) // until the engine runs
		stop()
	}()
	store := storeIn(t, t.TempDir())
	r, err := Run(ctx, Options{Targets: []string{"FuzzDate_Parse_Reference", "FuzzPEM_Load"}, Inputs: 7, Store: store, Clone: clone})
	if err != nil || !r.Interrupted || r.Targets[0].Incomplete != "interrupted" || r.Targets[1].Ran {
		t.Errorf("%v: %s", err, r.AppendText(nil))
	}
	if store.after != "" {
		t.Errorf("the turn that was interrupted is not the first one of the next run, but that behind %s", store.after)
	}
}

// TestNoEngine: the report says why the engine did not run; seeds and the corpus are tried all the same.
func TestNoEngine(t *testing.T) {
	broken := aClone(t, "")
	if err := os.WriteFile(filepath.Join(filepath.Dir(broken), "bin", "go"), []byte("#!/bin/sh\nexit 1\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ clone, why string }{
		{"", "no clone of the module was given"},
		{t.TempDir(), "the directory is not in a clone of github.com/chargecast/chargecast"},
		{broken, "go test -c -fuzz=. ./fuzz/campaign fails in the clone: run it there to see why"},
	} {
		r := run(t, Options{Targets: []string{"FuzzDate"}, Inputs: 7, Clone: c.clone})
		if r.NoEngine != c.why || !strings.Contains(string(r.AppendText(nil)), "the Go engine did not run: "+c.why+"\n") {
			t.Errorf("%s", r.AppendText(nil))
		}
	}
	if r := run(t, Options{Targets: []string{"FuzzDate"}, Time: 1, Clone: broken}); !strings.HasPrefix(r.NoEngine, "compiling the targets was not finished after ") || !strings.HasSuffix(r.NoEngine, "; give the run more time, or run it again: what is compiled is kept") {
		t.Errorf("%q", r.NoEngine)
	}
	t.Setenv("PATH", t.TempDir())
	if r := run(t, Options{Targets: []string{"FuzzDate"}, Inputs: 7, Clone: broken}); r.NoEngine != "the Go command is not installed" {
		t.Errorf("%q", r.NoEngine)
	}
}

// TestCompilingTakesTheTime: where no target has a turn since compiling left too little time, the report says so.
func TestCompilingTakesTheTime(t *testing.T) {
	r := run(t, Options{Targets: []string{"FuzzDate"}, Time: slice/2 - 1, Clone: aClone(t, progress)})
	text := string(r.AppendText(nil))
	if r.Targets[0].Ran || !strings.Contains(text, "the Go engine did not run: compiling the targets took ") || !strings.Contains(text, ", and less than the 5s that a turn needs was left; give the run more time, or run it again: what is compiled is kept\n") {
		t.Errorf("%s", text)
	}
}

// TestCorpusIsTried: inputs of other engines that break a target fail without the Go command, and so do those that failed before.
func TestCorpusIsTried(t *testing.T) {
	c := &campaign{Options: Options{Store: storeIn(t, t.TempDir())}, ctx: t.Context()}
	for name, input := range map[string]string{
		"raw/FuzzX/crash": "boom", othersDir + "/FuzzX-crash-1": "bad", othersDir + "/FuzzXY-crash-1": "boom", othersDir + "/FuzzX-crash-2": "harmless",
	} {
		if err := c.Store.write(name, []byte(input)); err != nil {
			t.Fatal(err)
		}
	}
	fragile := Target{Name: "FuzzX", Seeds: seeds("a seed", "seed"), Body: func(data []byte) {
		if string(data) == "boom" || string(data) == "bad" {
			panic("broken")
		}
	}}
	for range 2 {
		c.report.Targets = nil
		if err := c.tryInputs([]Target{fragile}); err != nil {
			t.Fatal(err)
		}
		row := c.report.Targets[0]
		if len(row.Failures) != 2 || row.Corpus != 1 || row.Failures[0].Message != "broken" || row.Failures[1].Message != "broken" {
			t.Errorf("%+v", row)
		}
	}
}

// TestTurns: a target that had the last turn waits for the others.
func TestTurns(t *testing.T) {
	turns := filepath.Join(t.TempDir(), "turns")
	names := []string{"FuzzDate_Parse_Reference", "FuzzAmount_Parse_Expression", "FuzzInt_Grid_Exact"}
	store := storeIn(t, t.TempDir())
	store.after = names[1]
	run(t, Options{Targets: names, Inputs: 7, Store: store, Clone: aClone(t, progress+"echo \"$name\" >>"+turns+"\n")})
	had, err := os.ReadFile(turns)
	if err != nil || string(had) != names[2]+"\n"+names[0]+"\n"+names[1]+"\n" || store.after != names[1] {
		t.Errorf("turns %q, the last one of %s: %v", had, store.after, err)
	}
}
