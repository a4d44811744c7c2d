package main

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// The parts of the page. The order of the scripts is that of the page.
//
//go:embed page
var parts embed.FS

// scripts are the files that run in the page.
var scripts = [...]string{"unpack.js", "app.js", "forecast.js", "repair.js", "check.js", "lookup.js", "start.js"}

// Page makes the page: the engine is compiled, compressed and put into it.
func Page() ([]byte, error) {
	dir, err := sourceDir()
	if err != nil {
		return nil, err
	}
	wasm, err := engine(dir)
	if err != nil {
		return nil, err
	}
	glue, err := glueOf(dir)
	if err != nil {
		return nil, err
	}
	examples, err := examplesOf(dir)
	if err != nil {
		return nil, err
	}
	licences, err := licencesOf(dir)
	if err != nil {
		return nil, err
	}
	return assemble(wasm, glue, examples, licences)
}

// sourceDir is the directory of this module: the working directory, or the one of this file.
func sourceDir() (string, error) {
	_, file, _, _ := runtime.Caller(0)
	for _, dir := range []string{".", filepath.Dir(file)} {
		if _, err := os.Stat(filepath.Join(dir, "wasm", "main.go")); err == nil {
			return filepath.Abs(dir)
		}
	}
	return "", errors.New("the sources are not here: run it in the module's directory, with go run -C web")
}

// engine compiles the engine. Functions are not inlined and there are no symbols, for the size.
func engine(dir string) ([]byte, error) {
	scratch, err := os.MkdirTemp("", "chargecast-web-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(scratch)
	file := filepath.Join(scratch, "engine.wasm")
	c := exec.Command("go", "build", "-trimpath", "-buildvcs=false", "-gcflags=all=-l", "-ldflags=-s -w -buildid=", "-o", file, "./wasm")
	c.Dir = dir
	c.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "GOFLAGS=", "GOWORK=off", "CGO_ENABLED=0", "GOEXPERIMENT=", "GOWASM=")
	if said, err := c.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("the engine does not compile: %w\n%s", err, said)
	}
	return os.ReadFile(file)
}

// licencesOf are the licences of what is in the page beside chargecast: the standard library and
// the modules of the engine.
func licencesOf(dir string) (string, error) {
	c := exec.Command("go", "list", "-deps", "-f", "{{with .Module}}{{if not .Main}}{{.Path}} {{.Dir}}{{end}}{{end}}", "./wasm")
	c.Dir, c.Env = dir, append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	list, err := c.Output()
	if err != nil {
		return "", fmt.Errorf("go list: %w", err)
	}
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return "", fmt.Errorf("go env: %w", err)
	}
	var text strings.Builder
	text.WriteString("chargecast: Apache License 2.0, https://www.apache.org/licenses/LICENSE-2.0\n")
	modules := append([]string{"The Go standard library " + strings.TrimSpace(string(root))}, slices.Compact(strings.Split(strings.TrimSpace(string(list)), "\n"))...)
	seen := map[string]bool{}
	for _, module := range modules {
		at := strings.LastIndex(module, " ")
		if at < 0 || seen[module] || strings.HasPrefix(module, "github.com/chargecast/chargecast") {
			continue
		}
		seen[module] = true
		licence, err := os.ReadFile(filepath.Join(module[at+1:], "LICENSE"))
		if err != nil {
			return "", err
		}
		text.WriteString("\n" + module[:at] + "\n\n" + strings.ReplaceAll(string(licence), "\r", ""))
	}
	return text.String(), nil
}

// glueOf is the toolchain's file that loads a program of Go in JavaScript.
func glueOf(dir string) ([]byte, error) {
	c := exec.Command("go", "env", "GOROOT")
	c.Dir = dir
	root, err := c.Output()
	if err != nil {
		return nil, fmt.Errorf("go env: %w", err)
	}
	return os.ReadFile(filepath.Join(strings.TrimSpace(string(root)), "lib", "wasm", "wasm_exec.js"))
}

// examplesOf are the files that the page opens at a click, as JSON with their bytes in base64.
func examplesOf(dir string) (string, error) {
	files := map[string]string{
		"demo": "payloads/demo.csv", "export": "docs/excel-de.csv", "request": "requests/refused.txt", "key": "requests/merchant-public.pem",
	}
	list := map[string][]byte{}
	for name, path := range files {
		text, err := os.ReadFile(filepath.Join(dir, "..", "testdata", filepath.FromSlash(path)))
		if err != nil {
			return "", err
		}
		list[name] = text
	}
	text, err := json.Marshal(list)
	return string(text), err
}

// assemble puts the parts together.
func assemble(wasm, glue []byte, examples, licences string) ([]byte, error) {
	var packed bytes.Buffer
	w, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	_, _ = w.Write(wasm) // to memory
	_ = w.Close()
	read := func(name string) string {
		text, e := parts.ReadFile("page/" + name)
		err = errors.Join(err, e)
		return string(text)
	}
	var code strings.Builder
	code.WriteString("(() => {\n'use strict';\n")
	for _, name := range scripts {
		code.WriteString(read(name))
	}
	code.WriteString("})();\n")
	script, style, worker := plain(code.String()), read("style.css"), plain(read("worker.js"))
	policy := "default-src 'none'; connect-src 'none'; img-src data:; style-src " + hashOf(style) + "; script-src " + hashOf(script) +
		" 'wasm-unsafe-eval'; worker-src blob:; base-uri 'none'; form-action 'none'"
	page := strings.NewReplacer(
		"{{policy}}", policy, "{{style}}", style, "{{script}}", script, "{{glue}}", string(glue)+workerMark+worker,
		"{{alphabet}}", "", "{{examples}}", examples, "{{licences}}", html.EscapeString(licences), "{{engine}}", packText(packed.Bytes()),
	).Replace(read("index.html"))
	return []byte(page), err
}

// workerMark is between the toolchain's file and the worker.
const workerMark = "\n// The worker:\n"

// plain leaves out the indentation of lines and those that are comments. No text of a script spans
// lines.
func plain(script string) string {
	var b strings.Builder
	for line := range strings.Lines(script) {
		if line = strings.TrimLeft(line, "\t"); !strings.HasPrefix(line, "//") && line != "\n" {
			b.WriteString(line)
		}
	}
	return b.String()
}

// hashOf is the source expression of a Content-Security-Policy for an inline text.
func hashOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// unused are the ASCII characters that packed text does not have: those that HTML changes or reads
// as markup, and controls that are not kept everywhere. 116 are left, and seven of them are enough
// for six bytes: 116⁷ > 2⁴⁸.
const unused = "\x00\x08\x0b\x0c\r\x1a\x1b\"&<\\\x7f"

// packText writes bytes as ASCII, seven characters for six bytes, least significant first; the text
// begins with the number of bytes and a space.
func packText(b []byte) string {
	var alphabet []byte
	for c := range byte(0x80) {
		if strings.IndexByte(unused, c) < 0 {
			alphabet = append(alphabet, c)
		}
	}
	var out strings.Builder
	fmt.Fprintf(&out, "%d ", len(b))
	for len(b) > 0 {
		n := min(6, len(b))
		v := uint64(0)
		for i := range n {
			v |= uint64(b[i]) << (8 * i)
		}
		for range 7 {
			out.WriteByte(alphabet[v%uint64(len(alphabet))])
			v /= uint64(len(alphabet))
		}
		b = b[n:]
	}
	return out.String()
}
