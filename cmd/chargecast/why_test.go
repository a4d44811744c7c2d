package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/chargecast/chargecast/signature"
)

// shellBlock is a command of the page whose output is not shown.
var shellBlock = regexp.MustCompile("(?s)```sh\n(chargecast [^`]*)```")

// TestWhy403: the transcripts of docs/why-403.md are what the commands print about a request signed with the mistake that
// the page explains, and each command works as it is written.
func TestWhy403(t *testing.T) {
	page, err := filepath.Abs("../../docs/why-403.md")
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	keys, err := filepath.Abs("../../internal/testkeys")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	write := func(name, content string) {
		if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for name, file := range map[string]string{"key.pem": "pkcs1.pem", "public.pem": "spki.pem"} {
		key, err := os.ReadFile(filepath.Join(keys, file))
		if err != nil {
			t.Fatal(err)
		}
		write(name, string(key))
	}
	do := func(command string) string {
		var out bytes.Buffer
		run(strings.Fields(command), strings.NewReader(""), &out, &out)
		return out.String()
	}
	payload := strings.Replace(do("payload template --example"), "Example Street 1", "Street >>>>", 1)
	write("profiles.csv", payload)
	value := signature.Payload([]byte(payload)).Value()
	if !strings.Contains(value, "+") {
		t.Fatal("the base64 of the payload has no +, so that the mistake would change nothing")
	}
	const path = "/paynet/api/v4/create-recurring-payments/77"
	write("wrong", "payload="+signature.Encode(strings.ReplaceAll(value, "+", " ")))
	header := do("sign --url https://gate.example.com" + path + " --form wrong --consumer-key merchant-login --key key.pem")
	write("capture.txt", "POST "+path+" HTTP/1.1\r\nHost: gate.example.com\r\nContent-Type: application/x-www-form-urlencoded\r\n"+
		strings.TrimSpace(header)+"\r\n\r\n"+do("payload encode profiles.csv"))
	transcripts := 0
	want := consoleBlock.ReplaceAllStringFunc(string(text), func(block string) string {
		transcripts++
		command := consoleBlock.FindStringSubmatch(block)[1]
		return "```console\n$ chargecast " + command + "\n" + do(command) + "```\n"
	})
	commands := shellBlock.FindAllStringSubmatch(string(text), -1)
	for _, block := range commands {
		var out bytes.Buffer
		if code := run(strings.Fields(strings.ReplaceAll(block[1], "\\\n", ""))[1:], strings.NewReader(""), &out, &out); code != 0 {
			t.Errorf("%s: exit %d, %s", block[1], code, out.String())
		}
	}
	if transcripts != 2 || len(commands) != 1 {
		t.Errorf("%d transcripts and %d commands; the page has two and one", transcripts, len(commands))
	}
	golden(t, page, want)
}
