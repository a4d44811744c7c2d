package campaign

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// TestGoInput: every input comes back from a file of the Go engine.
func TestGoInput(t *testing.T) {
	all := make([]byte, 256)
	for i := range all {
		all[i] = byte(i)
	}
	for _, raw := range [][]byte{nil, all, []byte(`"quoted" \ back`), []byte("`\r\n"), []byte("é\xff\u2028"), bytes.Repeat([]byte{0}, 5000)} {
		back, err := rawInput(goInput(raw))
		if err != nil || !bytes.Equal(back, raw) {
			t.Errorf("%q comes back as %q, %v", raw, back, err)
		}
	}
}

// TestRawInput: files as the Go command and people write them, and files that are something else.
func TestRawInput(t *testing.T) {
	for _, c := range []struct{ file, want, reason string }{
		{"go test fuzz v1\n[]byte(\"a\\xff\\n\")\n", "a\xff\n", "as the engine writes"},
		{"go test fuzz v1\n[]byte(`a\\n`)\n", `a\n`, "as a person writes"},
		{"go test fuzz v1\r\n[]byte(\"a\")\r\n", "a", "with line ends of Windows"},
		{"go test fuzz v1\n[]byte(\"a\")", "a", "without the last line end"},
	} {
		if raw, err := rawInput([]byte(c.file)); err != nil || string(raw) != c.want {
			t.Errorf("%s: %q, %v", c.reason, raw, err)
		}
	}
	for _, c := range []struct{ file, reason string }{
		{"", "empty"},
		{"go test fuzz v2\n[]byte(\"a\")\n", "another version"},
		{"go test fuzz v1\nstring(\"a\")\n", "another type"},
		{"go test fuzz v1\n[]byte(\"a\")\nint(1)\n", "two values"},
		{"go test fuzz v1\n[]byte('a')\n", "a rune"},
		{"go test fuzz v1\n[]byte()\n", "no value"},
		{"go test fuzz v1\n[]byte(\"a)\n", "an open quote"},
		{"go test fuzz v1\n", "nothing but the header"},
	} {
		if raw, err := rawInput([]byte(c.file)); err == nil {
			t.Errorf("%s: read as %q", c.reason, raw)
		}
	}
}

// TestCarryIsWhole: an input that cannot be written to its end is not there under its name.
func TestCarryIsWhole(t *testing.T) {
	dir := t.TempDir()
	c := &Store{dir: dir}
	err := errors.Join(os.MkdirAll(filepath.Join(dir, "raw", "FuzzX"), 0o700), os.WriteFile(filepath.Join(dir, "raw", "FuzzX", "a"), []byte("a"), 0o600),
		os.Mkdir(filepath.Join(dir, halfInput), 0o700)) // what takes the place of the file on its way
	if err != nil {
		t.Fatal(err)
	}
	if err := c.carry("FuzzX"); !errors.Is(err, ErrKeep) || len(files(t, dir)) != 1 {
		t.Errorf("%v, with %q", err, files(t, dir))
	}
	if err := os.Remove(filepath.Join(dir, halfInput)); err != nil {
		t.Fatal(err)
	}
	if err := c.carry("FuzzX"); err != nil || len(files(t, dir)) != 2 {
		t.Errorf("afterwards: %v, with %q", err, files(t, dir))
	}
}

// TestCarry: each engine gets the inputs of the other, equal inputs become one, and a second time changes nothing.
func TestCarry(t *testing.T) {
	dir := t.TempDir()
	c := &Store{dir: dir}
	for name, text := range map[string]string{
		"native/FuzzX/1":      "go test fuzz v1\n[]byte(\"one\")\n",
		"native/FuzzX/again":  "go test fuzz v1\n[]byte(`one`)\n",
		"native/FuzzX/broken": "go test fuzz v1\nint(1)\n",
		"raw/FuzzX/two":       "two",
		"raw/FuzzX/one":       "one",
		"raw/FuzzX/empty":     "",
	} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var last map[string]string
	for range 2 {
		if err := c.carry("FuzzX"); err != nil {
			t.Fatal(err)
		}
		got := files(t, dir)
		if len(got) != 7 || got["native/FuzzX/broken"] == "" {
			t.Errorf("%d files: %q", len(got), got)
		}
		for _, raw := range []string{"one", "two", ""} {
			name := "FuzzX/" + checkSum([]byte(raw))
			back, err := rawInput([]byte(got["native/"+name]))
			if text, there := got["raw/"+name]; !there || text != raw || err != nil || string(back) != raw {
				t.Errorf("%q is carried as %q and %q, %v", raw, text, back, err)
			}
		}
		if last != nil && len(last) != len(got) {
			t.Errorf("the second time makes %d files of %d", len(got), len(last))
		}
		last = got
	}
	if err := c.carry("FuzzNothing"); err != nil {
		t.Errorf("a target without inputs: %v", err)
	}
}
