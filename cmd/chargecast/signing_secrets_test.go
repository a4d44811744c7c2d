package main

import (
	"bytes"
	"encoding/base64"
	"encoding/pem"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/chargecast/chargecast/internal/program"
)

// TestNoFlagTakesSecret: whatever a flag is called after a secret names a file or a variable; help and completion offer
// no other (K05).
func TestNoFlagTakesSecret(t *testing.T) {
	places := []string{"key", "secret-file", "secret-env"}
	found := map[string]bool{}
	program.ForAll(newRoot(&app{out: new(output)}, nil), func(c *cobra.Command) {
		look := func(f *pflag.Flag) {
			words := strings.FieldsFunc(strings.ToLower(f.Name), func(r rune) bool { return r == '-' })
			for _, word := range words {
				switch word {
				case "secret", "password", "passphrase", "pass", "key", "private", "pin", "pan", "cvv", "cvv2", "control", "credential":
					if f.Name == "consumer-key" || f.Value.Type() == "bool" { // the merchant login is public, and a switch takes no text
						continue
					}
					found[f.Name] = true
					kind, _ := pflag.UnquoteUsage(f)
					if !slices.Contains(places, f.Name) || kind != "FILE" && kind != "NAME" {
						t.Errorf("%s --%s takes %s", c.CommandPath(), f.Name, kind)
					}
				}
			}
		}
		c.Flags().VisitAll(look)
		c.PersistentFlags().VisitAll(look)
	})
	if len(found) != len(places) {
		t.Errorf("%v, want all of %v", found, places)
	}
	for _, args := range [][]string{{"sign", "--secret", "Canary5521"}, {"check", "--password=Canary5521"}, {"check", "--key-text", "Canary5521"}, {"sign", "--token-secret", "Canary5521"}} {
		var out bytes.Buffer
		if code := run(args, strings.NewReader(""), &out, &out); code != 2 || strings.Contains(out.String(), "Canary5521") {
			t.Errorf("%v: exit %d, %s", args, code, out.String())
		}
	}
	for _, name := range []string{"sign", "check"} {
		var out bytes.Buffer
		run([]string{"__complete", name, "--"}, strings.NewReader(""), &out, &out)
		for line := range strings.Lines(out.String()) {
			flag, _, _ := strings.Cut(strings.TrimPrefix(strings.TrimSpace(line), "--"), "\t")
			if strings.HasPrefix(line, "--") && strings.Contains(flag, "secret") && flag != "secret-as-is" && !slices.Contains(places, flag) {
				t.Errorf("%s is offered --%s", name, flag)
			}
		}
	}
}

// TestNoSigningSecretInOutput sends canaries as secret, key and payload through all that signs, and looks for them in
// all that is written (K01). The payload shows where sign sends it, and nowhere else.
func TestNoSigningSecretInOutput(t *testing.T) {
	const secret, card = "canary Secret+5521/x", "4012888888881881"
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	keyText, err := os.ReadFile("../../internal/testkeys/pkcs1.pem")
	if err != nil {
		t.Fatal(err)
	}
	block, _ := pem.Decode(keyText)
	middle := string(block.Bytes[len(block.Bytes)/2:][:24])
	request := []string{"--url", "https://h.example/p", "--payload", write("p.csv", card)}
	given := []string{"--consumer-key", "m", "--nonce", "n", "--timestamp", "1767225600"}
	header := []string{"--authorization", `OAuth oauth_consumer_key="m", oauth_nonce="n", oauth_signature="3q2%2B7w%3D%3D", oauth_signature_method="HMAC-SHA1", oauth_timestamp="1767225600", oauth_version="1.0"`}
	hmacKey := []string{"--secret-file", write("s.txt", secret+"\n")}
	refused := []string{"--secret-file", write("q.txt", `"`+secret+`"`)}
	rsaKey := []string{"--key", write("k.pem", string(keyText))}
	damaged := []string{"--key", write("d.pem", string(keyText[:len(keyText)-90]))}
	body := "payload=" + base64.StdEncoding.EncodeToString([]byte(card))
	captured := write("r.http", "POST /p HTTP/1.1\r\nHost: h.example\r\nContent-Type: application/x-www-form-urlencoded\r\nAuthorization: "+header[1]+"\r\n\r\n"+body)
	curl := write("r.sh", "curl -X POST 'https://h.example/p' -H 'Authorization: "+strings.ReplaceAll(header[1], "'", "")+"' --data '"+body+"'")
	har := write("r.har", `{"log":{"entries":[{"request":{"method":"POST","url":"https://h.example/p","headers":[{"name":"Authorization","value":`+strconv.Quote(header[1])+`}],"postData":{"mimeType":"application/x-www-form-urlencoded","text":"`+body+`"}}}]}}`)
	theirs := write("base.txt", "POST&https%3A%2F%2Fh.example%2Fp&payload%3D"+card)
	commands := [][]string{
		slices.Concat([]string{"sign", "-o", "header"}, request, given), slices.Concat([]string{"sign", "-o", "json"}, request, given), slices.Concat([]string{"sign", "-o", "curl"}, request, given),
		{"sign"}, slices.Concat([]string{"sign"}, request),
	}
	for _, format := range []string{"text", "json"} {
		for _, how := range [][]string{nil, {"--only", "signature"}, {"--only", "payload"}, {"--base-string", theirs}, {"--window", "5m", "--now", "1767225600"}, {"--strict"}} {
			flags := append([]string{"check", "-o", format}, how...)
			commands = append(commands, slices.Concat(flags, request, header),
				slices.Concat(flags, []string{captured, "--url", "https://h.example/p"}), slices.Concat(flags, []string{curl}), slices.Concat(flags, []string{har}))
		}
	}
	for _, key := range [][]string{hmacKey, refused, rsaKey, damaged} {
		for _, command := range commands {
			var out bytes.Buffer
			run(slices.Concat(command, key), strings.NewReader(""), &out, &out)
			if text := out.String(); text == "" || strings.Contains(text, "unknown command") || strings.Contains(text, "unknown flag") {
				t.Fatalf("%v does not run: %s", command, text)
			}
			hidden := slices.Concat(forms(secret), forms(middle), []string{string(keyText[200:230])})
			if command[0] != "sign" {
				hidden = append(hidden, forms(card)...)
			}
			for _, form := range hidden {
				if strings.Contains(out.String(), form) {
					t.Errorf("%v shows %q", command, form)
				}
			}
		}
	}
}
