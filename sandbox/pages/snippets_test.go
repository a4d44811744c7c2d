package pages_test

import (
	"context"
	"html"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chargecast/chargecast/gateway"
	"github.com/chargecast/chargecast/gateway/gatewaytest"
	"github.com/chargecast/chargecast/sandbox/pages"
)

// Control keys that are hard to copy: one of characters that are percent-encoded in the key of the
// HMAC, or that a shell might take for its own, and one that ends in a line end.
const (
	oddKey  = "a+b/c=&%2B é~'\"$x`id`\\"
	lineKey = "a+b/c=\n"
)

// serve starts a gateway with pages on a socket, and registers a merchant with each kind of key.
func serve(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	check(t, err)
	gw, err := gateway.New(t.Context(), gateway.Config{Hosts: []string{l.Addr().String()}})
	check(t, err)
	m := gatewaytest.New(t).Merchant()
	for _, r := range []gateway.Registration{
		{Login: "rsa+'1", Endpoint: "1001", PublicKey: m.PublicKey},
		{Login: "hmac", Endpoint: "1002", ControlKey: controlKey},
		{Login: "odd", Endpoint: "1003", ControlKey: oddKey},
		{Login: "line", Endpoint: "1004", ControlKey: lineKey},
	} {
		_, err := gw.Register(t.Context(), r)
		check(t, err)
	}
	target := "http://" + l.Addr().String()
	server := gateway.NewServer(pages.New(gw, pages.Options{URL: target}))
	done := make(chan error, 1)
	go func() { done <- server.Serve(l) }()
	t.Cleanup(func() {
		_ = server.Close()
		<-done
		check(t, gw.Close())
	})
	return target
}

// TestCommandsToCopy: the commands of the page of merchants send a payload that is accepted, as
// they are written there.
func TestCommandsToCopy(t *testing.T) {
	t.Parallel()
	target := serve(t)
	m := gatewaytest.New(t).Merchant()
	response, err := http.Get(target + "/_sandbox/merchants")
	check(t, err)
	defer func() { _ = response.Body.Close() }()
	page, err := io.ReadAll(response.Body)
	check(t, err)
	var texts []string
	for _, match := range regexp.MustCompile(`(?s)<pre tabindex="0">(.*?)</pre>`).FindAllStringSubmatch(string(page), -1) {
		texts = append(texts, html.UnescapeString(match[1]))
	}
	merchants := []struct{ reason, endpoint, keyFile, content string }{
		{"a private key", "1001", "key.pem", m.PrivateKey},
		{"a plain control key", "1002", "control-key", controlKey},
		{"one that echo wrote", "1002", "control-key", controlKey + "\n"},
		{"one of which characters are encoded", "1003", "control-key", oddKey},
		{"the same with a line end of Windows", "1003", "control-key", oddKey + "\r\n"},
		{"one that ends in a line end itself", "1004", "control-key", lineKey + "\n"},
	}
	if len(texts) != 3*4 {
		t.Fatalf("%d commands", len(texts))
	}
	self, err := os.Getwd()
	check(t, err)
	programs := map[string]string{} // by endpoint
	for _, c := range merchants {
		at := slices.IndexFunc(texts, func(text string) bool { return strings.Contains(text, "%2F"+c.endpoint+"&") })
		dir := t.TempDir()
		for name, content := range map[string]string{
			"payload.csv": string(csvOf(map[string]string{"start-date": "", "city": "~~~~~~"})), c.keyFile: c.content, "main.go": texts[at+2],
		} {
			check(t, os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600))
		}
		t.Run("openssl and curl/"+c.reason, func(t *testing.T) {
			for _, name := range []string{"sh", "openssl", "curl", "sed", "od", "tr", "awk"} {
				if _, err := exec.LookPath(name); err != nil {
					t.Skipf("skipped: no %s", name)
				}
			}
			accepted(t, dir, "sh", "-c", "set -e\n"+texts[at]+texts[at+1])
		})
		t.Run("Go/"+c.reason, func(t *testing.T) {
			if programs[c.endpoint] == "" {
				program := filepath.Join(dir, "main")
				build := exec.CommandContext(t.Context(), "go", "build", "-o", program, filepath.Join(dir, "main.go"))
				build.Dir = self // whose module has the packages
				if out, err := build.CombinedOutput(); err != nil {
					t.Fatalf("%v\n%s", err, out)
				}
				programs[c.endpoint] = program
			}
			accepted(t, dir, programs[c.endpoint])
		})
	}
}

// accepted runs a command, which prints that the request was accepted.
func accepted(t *testing.T, dir, name string, args ...string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "no_proxy=*")
	if out, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(out), "200 OK") {
		t.Errorf("%v\n%s\n%s", err, out, strings.Join(args, " "))
	}
}
