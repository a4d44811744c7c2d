package main

import (
	"encoding/base64"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// TestWasmPackages: the engine in the page has no network, no second decoder of encodings, no
// curves and no templates.
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
		if p == "net" || p == "net/http" || p == "crypto/x509" || p == "html/template" || p == "text/template" || p == "testing" || strings.HasPrefix(p, "golang.org/x/text") ||
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

// TestPage: the page is at most 3.2 MB, has the same bytes each time, and allows no connection.
func TestPage(t *testing.T) {
	first, err := thePage()
	if err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile(first)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := Page(); err != nil || string(again) != string(page) {
		t.Errorf("made again, it has other bytes: %v", err)
	}
	const most = 3_200_000
	if len(page) > most {
		t.Errorf("%d bytes, the most is %d", len(page), most)
	}
	for _, want := range []string{"default-src 'none'", "connect-src 'none'"} {
		if !strings.Contains(string(page[:2000]), want) {
			t.Errorf("the policy lacks %s", want)
		}
	}
	for i, c := range page {
		if c == 0 || c == '\r' {
			t.Fatalf("byte %d is %#x, which HTML changes", i, c)
		}
	}
}

// TestHost: node answers with the engine of the page.
func TestHost(t *testing.T) {
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("no node here: web/host.mjs is not run")
	}
	page, err := thePage()
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command("node", "host.mjs", page)
	c.Stdin = strings.NewReader(`{"id":1,"op":"hello","protocol":"chargecast.conform/1"}` + "\n" +
		`{"id":2,"op":"fix","encoding":"windows-1252","csv":{"b64":"` + base64.StdEncoding.EncodeToString([]byte("W\xe4hrung;amount;client-orderid\r\nEUR;1.00;M\xfcller\r\n")) + `"}}` + "\n")
	out, err := c.Output()
	if err != nil {
		t.Fatal(err)
	}
	replies := strings.Split(string(out), "\n")
	if !strings.Contains(replies[0], `"name":"chargecast"`) {
		t.Errorf("hello is answered with %s", replies[0])
	}
	if want := base64.StdEncoding.EncodeToString([]byte("\"currency\";\"amount\";\"client-orderid\"\r\n\"EUR\";\"1.00\";\"Müller\"\r\n")); !strings.Contains(replies[1], want) {
		t.Errorf("a text in windows-1252 is mended to %s", replies[1])
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

// TestConform: the laws that the protocol covers hold of the engine in the page.
func TestConform(t *testing.T) {
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("no node here: web/host.mjs is not judged")
	}
	if testing.Short() {
		t.Skip("the laws are slow")
	}
	page, err := thePage()
	if err != nil {
		t.Fatal(err)
	}
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command("go", "run", "./cmd/chargecast-conform", "--cases", "5", "--codes", "--", "node", here+"/host.mjs", page)
	c.Dir = ".."
	out, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if !strings.Contains(string(out), " judged") || strings.Contains(string(out), " 0 judged") {
		t.Errorf("no law was judged:\n%s", out)
	}
}
