package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chargecast/chargecast/fuzz/vectortest"
	"github.com/chargecast/chargecast/internal/signtest"
	"github.com/chargecast/chargecast/signature"
)

// TestSigningVectors sends every diagnose vector through the command, as a captured request, and holds the exit code and
// the causes.
func TestSigningVectors(t *testing.T) {
	count := 0
	for _, v := range slices.Concat(vectortest.Family(t, "signing-public"), vectortest.Family(t, "diagnose")) {
		if v.Op != "diagnose" {
			continue
		}
		in := vectortest.Input[signtest.Input](t, v)
		count++
		want := vectortest.Expect[struct {
			Match  bool
			Causes [][]string
		}](t, v)
		dir := t.TempDir()
		file := func(name, text string) string {
			path := filepath.Join(dir, name)
			if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			return path
		}
		header := signtest.Header(append(in.OAuthParams, signtest.Param{"oauth_signature", in.Signature}))
		body := string(signature.NewRequest("", "").WithParams(signtest.Params(in.BodyParams)...).Body())
		if in.Body != nil {
			body = *in.Body
		}
		args := []string{"check", "--only", "signature", "-o", "json", file("request", in.Method+" "+in.URL+
			" HTTP/1.1\r\nContent-Type: "+in.ContentType+"\r\nAuthorization: "+header.String()+"\r\n\r\n"+body)}
		if in.PublicKey != "" {
			args = append(args, "--key", file("key", in.PublicKey))
		} else {
			args = append(args, "--secret-file", file("secret", in.ConsumerSecret), "--secret-as-is")
		}
		var stdout, stderr bytes.Buffer
		code := run(args, strings.NewReader(""), &stdout, &stderr)
		var got struct {
			Signature string
			Causes    []struct{ IDs []string }
		}
		if err := json.Unmarshal(stdout.Bytes(), &got); err != nil {
			t.Fatalf("%s: %v %s", v.ID, err, stderr.String())
		}
		causes := [][]string{}
		for _, c := range got.Causes {
			causes = append(causes, c.IDs)
		}
		slices.SortFunc(causes, slices.Compare)
		if (got.Signature == "ok") != want.Match || !slices.EqualFunc(causes, want.Causes, slices.Equal) || (code == 0) != want.Match {
			t.Errorf("%s: %s, causes %v, exit %d; want %v %v", v.ID, got.Signature, causes, code, want.Match, want.Causes)
		}
	}
	if count < 100 {
		t.Errorf("%d vectors, want all", count)
	}
}
