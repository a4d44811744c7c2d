package signature_test

import (
	"bytes"
	"encoding/base64"
	"os/exec"
	"strings"
	"testing"

	"github.com/chargecast/chargecast/signature"
)

// opensslSigned is the answer of openssl dgst -sha256 -sign internal/testkeys/pkcs1.pem for the text POST&a&b.
const opensslSigned = "NK5ebyMKSJtnz2m4P8ryw6ttaWI8i2GQGfpvntWE7CNSI7RTZImZtSVjpXHJ/7U6ltkl8tGbYMfX4jSic5xtRwI308YuKKXl9n4IWHxAcwEuHl278rvnT+beIG99FhIXMPiWU5D/ReZbsKn7GrcjFmgSPY9q1SUxzZtj0vjFZRgl76GRjwHoSUJM4YDvu84lgllCUlPMIYDF5K19BdwK/Y5uAwaIlaieh/xvuRUsWdzQwYSMu/lxqcQ7/wqWiRg05c1No0J18suJKstFAcNRfZDdJ/eWCHw/oQmirPwaJiuaRBow+8kGvifjlBVzcKqpsB1/Gg+iBC2nQjz7EeN6rg=="

// TestOpenSSLSample: a frozen answer of openssl (S03).
func TestOpenSSLSample(t *testing.T) {
	got, err := signature.SignBase(privateKey(t, "pkcs1.pem"), "POST&a&b")
	if err != nil || got != opensslSigned {
		t.Errorf("%s, %v", got, err)
	}
}

// TestOpenSSL signs with openssl where it is installed, and compares both ways (S03).
func TestOpenSSL(t *testing.T) {
	if _, err := exec.LookPath("openssl"); err != nil {
		t.Skip("openssl is not installed; the sample runs")
	}
	for _, name := range []string{"pkcs1.pem", "pkcs8.pem", "rsa4096.pem", "multiprime.pem"} {
		key := privateKey(t, name)
		for _, base := range []string{"", "POST&a&b", strings.Repeat("POST%20", 5000)} {
			cmd := exec.CommandContext(t.Context(), "openssl", "dgst", "-sha256", "-sign", "../internal/testkeys/"+name)
			cmd.Stdin = strings.NewReader(base)
			want, err := cmd.Output()
			if err != nil {
				t.Fatal(err)
			}
			got, err := signature.SignBase(key, base)
			if err != nil || got != base64.StdEncoding.EncodeToString(want) || !signature.VerifyBase(key.Public(), base, want) {
				t.Errorf("%s: %s, %v", name, got, err)
			}
			if signature.VerifyBase(key.Public(), base+"x", want) || bytes.Equal(want, nil) {
				t.Errorf("%s: another text verifies", name)
			}
		}
	}
}
