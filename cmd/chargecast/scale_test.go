package main

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
)

var fencedBlock = regexp.MustCompile("(?s)```(make|sh)\n(.*?)```\n")

// killing is a chargecast that is killed once, halfway through the part of a file; what it has written by
// then stays.
const killing = `#!/bin/sh
PATH=${PATH#*:}
case "$*" in *book/3.csv*)
	if mkdir killed 2>/dev/null; then
		chargecast "$@" | head -c 100
		kill -9 $$
	fi
esac
exec chargecast "$@"
`

// queue is a batch queue with eight machines.
const queue = `#!/bin/sh
for id in 1 2 3 4 5 6 7 8; do
	SLURM_ARRAY_TASK_ID=$id sh -c "$4" &
done
wait
`

// TestRecipesOfScale runs the recipes of docs/scale.md over a book of eight files, with a process for
// each. One of them is killed: no total is written, and running the recipe again gives the bytes of a single run.
func TestRecipesOfScale(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the recipes are for sh")
	}
	page, err := os.ReadFile("../../docs/scale.md")
	if err != nil {
		t.Fatal(err)
	}
	var script string
	recipes := 0
	for _, block := range fencedBlock.FindAllStringSubmatch(string(page), -1) {
		text := block[2]
		switch {
		case block[1] == "make":
			if _, err := exec.LookPath("make"); err != nil {
				continue
			}
			text = "make -f - -j 8 <<'END'\n" + text + "END\n"
		case strings.HasPrefix(text, "cat >part.sh"):
			script = text
			continue
		}
		recipes++
		t.Run(strings.Fields(text)[0], func(t *testing.T) { recipe(t, script, text) })
	}
	if recipes < 2 {
		t.Errorf("only %d recipes", recipes)
	}
}

func recipe(t *testing.T, script, text string) {
	dir := t.TempDir()
	book := randomBook(rand.New(rand.NewPCG(15, 16)), 80)
	files := []string{"forecast", "--as-of", "2026-01-10", "--until", "2026-12-31", "--by", "day", "-o", "csv"}
	for _, name := range []string{"book", "bin", "parts"} {
		if err := os.Mkdir(filepath.Join(dir, name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 8 {
		file := filepath.Join(dir, "book", fmt.Sprint(i+1, ".csv"))
		write(t, file, book.payload(book.rows[i*10:i*10+10]))
		files = append(files, file)
	}
	for name, text := range map[string]string{"chargecast": killing, "sbatch": queue} {
		if err := os.WriteFile(filepath.Join(dir, "bin", name), []byte(text), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	run := "PATH=$PWD/bin:$PATH\nset -e\n" + script + text
	total := filepath.Join(dir, "total.csv")
	out, err := shell(dir, run)
	if _, killed := os.Stat(filepath.Join(dir, "killed")); killed != nil || err == nil {
		t.Errorf("with a process that was killed: %v\n%s", err, out)
	}
	if part, _ := os.ReadFile(total); len(part) > 0 {
		t.Errorf("a total without the part that was killed:\n%s", part)
	}
	out, err = shell(dir, run)
	code, want, _ := outcome("", files...)
	if strings.HasPrefix(text, "make") {
		code = 0 // it takes rows with errors for done
	}
	if exitOf(err) != code {
		t.Errorf("run again: exit %d, want %d\n%s", exitOf(err), code, out)
	}
	if got, err := os.ReadFile(total); err != nil || string(got) != want {
		t.Errorf("%v\n%s\nwant\n%s", err, got, want)
	}
}

func exitOf(err error) int {
	if e, ok := errors.AsType[*exec.ExitError](err); ok {
		return e.ExitCode()
	}
	return 0
}
