package main

import (
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// TestWasmPackages: the engine in the page has no network, no second decoder of encodings, and no templates.
func TestWasmPackages(t *testing.T) {
	c := exec.Command("go", "list", "-deps", "./wasm")
	c.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	out, err := c.Output()
	if err != nil {
		t.Fatal(err)
	}
	list := strings.Fields(string(out))
	if !slices.Contains(list, "github.com/chargecast/chargecast/engine") {
		t.Fatal("the engine is not in the list of packages")
	}
	for _, p := range list {
		if p == "net/http" || p == "html/template" || p == "text/template" || p == "testing" || strings.HasPrefix(p, "golang.org/x/text") ||
			strings.HasPrefix(p, "github.com/spf13") || strings.Contains(p, "chargecast/fuzz") || strings.HasSuffix(p, "internal/testkeys") {
			t.Errorf("the page has %s in it", p)
		}
	}
}

// TestVetWasm: what only JavaScript runs is vetted, too.
func TestVetWasm(t *testing.T) {
	c := exec.Command("go", "vet", "./wasm")
	c.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	if said, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
}

// TestPackText: the text has seven characters for six bytes, none of which HTML changes.
func TestPackText(t *testing.T) {
	for n := range 20 {
		b := []byte(strings.Repeat("\xff\x00<", 7))[:n]
		text := packText(b)
		if _, packed, _ := strings.Cut(text, " "); len(packed) != (n+5)/6*7 || strings.ContainsAny(packed, unused) {
			t.Errorf("%d bytes are %q", n, text)
		}
	}
}
