package main

import (
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"
)

// TestPages: in the pages of each archive every link is to a file of the archive or to the web.
func TestPages(t *testing.T) {
	root, readme := inClone(t, "README.md")
	out := t.TempDir()
	r := &release{root: root, version: version, out: out}
	if err := r.pages(io.Discard); err != nil {
		t.Fatal(err)
	}
	for name := range pagesOf {
		links := 0
		archive := os.DirFS(filepath.Join(out, name))
		err := fs.WalkDir(archive, ".", func(page string, d fs.DirEntry, err error) error {
			if err != nil || path.Ext(page) != ".md" {
				return err
			}
			text, err := fs.ReadFile(archive, page)
			if err != nil {
				return err
			}
			for _, m := range linkTarget.FindAllStringSubmatch(string(text), -1) {
				links++
				if strings.Contains(m[1], "://") || inCode(string(text), m[0]) {
					continue
				}
				if _, err := fs.Stat(archive, path.Join(path.Dir(page), m[1])); err != nil {
					t.Errorf("%s, %s: %v", name, page, err)
				}
			}
			return nil
		})
		if err != nil || links == 0 {
			t.Errorf("%s: %d links, %v", name, links, err)
		}
	}
	got, err := os.ReadFile(filepath.Join(out, "chargecast", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	if want := "](https://github.com/chargecast/chargecast/blob/" + version + "/CONTRIBUTING.md)"; !strings.Contains(string(got), want) || strings.Contains(readme, want) {
		t.Errorf("the README of the archive has no %s", want)
	}
}

// inCode reports whether every use of a text in a page is inside a block of code.
func inCode(page, text string) bool {
	for i, part := range strings.Split(page, "```") {
		if i%2 == 0 && strings.Contains(part, text) {
			return false
		}
	}
	return true
}
