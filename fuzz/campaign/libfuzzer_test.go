package campaign

import (
	"archive/zip"
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// fakeProgram stands for a program of build.sh: it writes what it is to run, and of a merge it keeps one input.
const fakeProgram = `#!/usr/bin/env bash
case $1 in
-merge=1) cp "$3/kept" "$2" ;;
*) for d; do if [ -d "$d" ]; then (cd "$d" && grep -H . *) >>"$0.ran" || true; fi; done ;;
esac
`

// deaths are programs mv that kill the script that calls them.
var deaths = map[string]string{
	"before the first move": "#!/usr/bin/env bash\nkill -9 $PPID\n",
	"between the moves":     "#!/usr/bin/env bash\nPATH=${PATH#*:}\nmv \"$@\" && kill -9 $PPID\n",
}

// libFuzzer is run.sh with a fake program in a directory, and a corpus.
type libFuzzer struct {
	t           *testing.T
	out, corpus string
}

func newLibFuzzer(t *testing.T) libFuzzer {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("run.sh is for Linux")
	}
	for _, needed := range []string{"bash", "unzip"} {
		if _, err := exec.LookPath(needed); err != nil {
			t.Skip(needed + " is not installed")
		}
	}
	if _, err := os.Stat("libfuzzer/run.sh"); err != nil { // go test remembers what it depends on
		t.Fatal(err)
	}
	l := libFuzzer{t, t.TempDir(), t.TempDir()}
	l.write(filepath.Join(l.out, "FuzzX"), fakeProgram)
	var packed bytes.Buffer
	w := zip.NewWriter(&packed)
	f, err := w.Create("seed-1")
	if err != nil {
		t.Fatal(err)
	}
	_, _ = f.Write([]byte("a seed\n"))
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	l.write(filepath.Join(l.out, "FuzzX_seed_corpus.zip"), packed.String())
	return l
}

func (l libFuzzer) write(path, text string) {
	l.t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		l.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o700); err != nil {
		l.t.Fatal(err)
	}
}

// run runs the script. Programs in the directories come before those of PATH.
func (l libFuzzer) run(seconds string, before ...string) (said string, err error) {
	c := exec.Command("bash", "libfuzzer/run.sh", l.out, l.corpus, seconds)
	c.Env = append(os.Environ(), "TMPDIR="+l.t.TempDir(), "PATH="+strings.Join(append(before, os.Getenv("PATH")), ":"))
	text, err := c.CombinedOutput()
	return string(text), err
}

// TestLibFuzzerRunsSeeds: a program gets the inputs of the corpus and its seeds, which the corpus does not keep.
func TestLibFuzzerRunsSeeds(t *testing.T) {
	l := newLibFuzzer(t)
	l.write(filepath.Join(l.corpus, "raw", "FuzzX", "kept"), "of the corpus\n")
	if said, err := l.run("0"); err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	if ran := files(t, l.out)["FuzzX.ran"]; ran != "kept:of the corpus\nseed-1:a seed\n" {
		t.Errorf("it ran %q", ran)
	}
	if left := files(t, l.corpus); len(left) != 1 {
		t.Errorf("the corpus has %q", left)
	}
}

// TestLibFuzzerMerge: a merge keeps what the program keeps, and one that is killed loses no input.
func TestLibFuzzerMerge(t *testing.T) {
	for when, death := range deaths {
		t.Run(when, func(t *testing.T) {
			l := newLibFuzzer(t)
			for name, text := range map[string]string{"raw/FuzzX/kept": "1", "raw/FuzzX/other": "2", "native/FuzzX/kept": "3"} {
				l.write(filepath.Join(l.corpus, filepath.FromSlash(name)), text)
			}
			dying := t.TempDir()
			l.write(filepath.Join(dying, "mv"), death)
			if said, err := l.run("1", dying); err == nil {
				t.Fatalf("it was not killed: %s", said)
			}
			if said, err := l.run("0"); err != nil {
				t.Fatalf("after the kill: %v: %s", err, said)
			}
			if left := files(t, l.corpus); left["raw/FuzzX/kept"] != "1" || left["raw/FuzzX/other"] != "2" {
				t.Errorf("after the kill the corpus has %q", left)
			}
			if said, err := l.run("1"); err != nil {
				t.Fatalf("%v: %s", err, said)
			}
			if left := files(t, l.corpus); len(left) != 1 || left["raw/FuzzX/kept"] != "1" {
				t.Errorf("after the merge the corpus has %q", left)
			}
		})
	}
}
