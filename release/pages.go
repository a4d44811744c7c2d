package main

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
)

// pagesOf names the pages of each archive: files of the clone, or patterns of them.
var pagesOf = map[string][]string{
	"chargecast":         {"README.md", "CHANGELOG.md", "SECURITY.md", "docs/*.md", "docs/schemas/*.json"},
	"chargecast-conform": {"CHANGELOG.md", "docs/fuzz-your-own.md", "docs/cli-conform.md", "docs/conform-protocol.md", "docs/campaigns.md"},
	"chargecast-sandbox": {"CHANGELOG.md", "docs/sandbox.md", "docs/sandbox-reference.md"},
}

var linkTarget = regexp.MustCompile(`\]\(([^)\s#]+)(#[^)\s]*)?\)`)

// pages writes the pages of each archive into a folder of its name. A link to a file that the archive does not have becomes one to that
// file of the version on the web.
func (r *release) pages(io.Writer) error {
	clone := os.DirFS(r.root)
	for name, patterns := range pagesOf {
		files, inArchive := []string{}, map[string]bool{} // in the archive: files, and folders of some
		for _, pattern := range patterns {
			found, err := fs.Glob(clone, pattern)
			if err != nil || len(found) == 0 {
				return fmt.Errorf("the archive of %s: no file %s: %w", name, pattern, err)
			}
			for _, file := range found {
				files = append(files, file)
				inArchive[file], inArchive[path.Dir(file)] = true, true
			}
		}
		for _, file := range files {
			text, err := fs.ReadFile(clone, file)
			if err != nil {
				return err
			}
			if path.Ext(file) == ".md" {
				text = []byte(linkTarget.ReplaceAllStringFunc(string(text), func(link string) string {
					parts := linkTarget.FindStringSubmatch(link)
					target := path.Join(path.Dir(file), parts[1])
					info, err := fs.Stat(clone, target)
					if strings.Contains(parts[1], "://") || inArchive[target] || err != nil {
						return link
					}
					kind := "blob"
					if info.IsDir() {
						kind = "tree"
					}
					return "](https://" + rootModule + "/" + kind + "/" + r.version + "/" + target + parts[2] + ")"
				}))
			}
			to := filepath.Join(r.out, name, filepath.FromSlash(file))
			if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
				return err
			}
			if err := writeWhole(to, text); err != nil {
				return err
			}
		}
	}
	return nil
}
