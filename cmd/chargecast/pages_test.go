package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
)

var (
	pageTranscript = regexp.MustCompile("(?s)```console\n(.*?)```\n")
	pageScript     = regexp.MustCompile("(?s)```sh\n(.*?)```\n")
)

// elsewhere are the pages whose blocks need keys, programs or files that other tests have, or a server
// that runs.
const elsewhere = "fuzz-your-own.md conform-protocol.md campaigns.md sandbox.md sandbox-reference.md scale.md"

// TestPages runs every shell block of the pages of docs in a directory with their files, and holds the
// transcripts to what the commands print.
func TestPages(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the pages are for sh")
	}
	pages, err := filepath.Glob("../../docs/*.md")
	if err != nil || len(pages) == 0 {
		t.Fatal("no pages: ", err)
	}
	blocks := 0
	for _, page := range pages {
		t.Run(filepath.Base(page), func(t *testing.T) {
			file, err := os.ReadFile(page)
			if err != nil {
				t.Fatal(err)
			}
			if strings.Contains(elsewhere, filepath.Base(page)) {
				return
			}
			if !pageScript.Match(file) && !pageTranscript.Match(file) {
				return
			}
			dir := pageDir(t)
			for _, block := range pageScript.FindAllStringSubmatch(string(file), -1) {
				blocks++
				if out, err := shell(dir, "set -e\n"+block[1]); err != nil {
					t.Errorf("%s%s%v", block[1], out, err)
				}
			}
			golden(t, page, pageTranscript.ReplaceAllStringFunc(string(file), func(block string) string {
				blocks++
				return "```console\n" + played(dir, pageTranscript.FindStringSubmatch(block)[1]) + "```\n"
			}))
		})
	}
	if blocks < 16 {
		t.Errorf("only %d blocks", blocks)
	}
}

// played is a pageTranscript with what its commands print now.
func played(dir, text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		command, ok := strings.CutPrefix(line, "$ ")
		if !ok {
			continue
		}
		out, _ := shell(dir, command) // an exit code of 1 is a finding, which is shown
		b.WriteString(line)
		b.Write(out)
	}
	return b.String()
}

func shell(dir, command string) ([]byte, error) {
	c := exec.Command("sh", "-c", "exec 2>&1\n"+command)
	c.Dir = dir
	c.Env = append(os.Environ(), "NO_COLOR=1", "LC_ALL=C") // a locale that is not installed would be remarked on
	return c.Output()
}

// pageDir is a directory with the files that the pages name.
func pageDir(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for _, glob := range []string{"../../testdata/docs/*", "../../testdata/payloads/demo.csv"} {
		names, err := filepath.Glob(glob)
		if err != nil || len(names) == 0 {
			t.Fatal(glob, ": ", err)
		}
		for _, name := range names {
			data, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(dir, filepath.Base(name)), data, 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	for name, key := range map[string]string{"key.pem": "pkcs1.pem", "public.pem": "spki.pem"} {
		text, err := os.ReadFile("../../internal/testkeys/" + key)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if out, err := shell(dir, pageFiles); err != nil {
		t.Fatalf("%s%v", out, err)
	}
	return dir
}

// pageFiles makes a payload about which there is nothing to find on any day.
const pageFiles = `set -e
mkdir payloads
chargecast payload template --example >profiles.csv
cp profiles.csv payloads/next.csv
cp profiles.csv export.csv
git init -q .
git add payloads
path=gate.example.com/paynet/api/v4/create-recurring-payments/77
header=$(chargecast sign --url "http://$path" --payload profiles.csv --consumer-key merchant-login --nonce n1 --timestamp 1767225600 --key key.pem)
printf 'POST /%s HTTP/1.1\nHost: %s\nContent-Type: application/x-www-form-urlencoded\n%s\n\n' "${path#*/}" "${path%%/*}" "$header" >capture.txt
chargecast payload encode profiles.csv | tr -d '\n' >>capture.txt
`
