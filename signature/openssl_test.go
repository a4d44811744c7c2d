package signature_test

import (
	"bytes"
	"encoding/base64"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/chargecast/chargecast/internal/signtest"
	"github.com/chargecast/chargecast/signature"
)

// opensslSigned is the answer of openssl dgst -sha256 -sign internal/testkeys/pkcs1.pem for the text POST&a&b.
const opensslSigned = "NK5ebyMKSJtnz2m4P8ryw6ttaWI8i2GQGfpvntWE7CNSI7RTZImZtSVjpXHJ/7U6ltkl8tGbYMfX4jSic5xtRwI308YuKKXl9n4IWHxAcwEuHl278rvnT+beIG99FhIXMPiWU5D/ReZbsKn7GrcjFmgSPY9q1SUxzZtj0vjFZRgl76GRjwHoSUJM4YDvu84lgllCUlPMIYDF5K19BdwK/Y5uAwaIlaieh/xvuRUsWdzQwYSMu/lxqcQ7/wqWiRg05c1No0J18suJKstFAcNRfZDdJ/eWCHw/oQmirPwaJiuaRBow+8kGvifjlBVzcKqpsB1/Gg+iBC2nQjz7EeN6rg=="

// TestOpenSSLSample: a frozen answer of openssl (S03).
func TestOpenSSLSample(t *testing.T) {
	got, err := signature.SignBase(signtest.PrivateKey(t, "pkcs1.pem"), "POST&a&b")
	if err != nil || got != opensslSigned {
		t.Errorf("%s, %v", got, err)
	}
}

// TestOpenSSL signs with openssl where it is installed, and compares both ways (S03).
func TestOpenSSL(t *testing.T) {
	if _, err := exec.LookPath("openssl"); err != nil {
		t.Skip("openssl is not installed: the peer is NOT asked; the frozen sample runs")
	}
	for _, name := range []string{"pkcs1.pem", "pkcs8.pem", "rsa4096.pem", "multiprime.pem"} {
		key := signtest.PrivateKey(t, name)
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

// TestOpenSSLMany compares HMAC tags over drawn base strings, and a tenth as many RSA signatures, with
// openssl where it is installed. CHARGECAST_PEER_CASES says how many; 10000 are a campaign's.
func TestOpenSSLMany(t *testing.T) {
	if _, err := exec.LookPath("openssl"); err != nil {
		t.Skip("openssl is not installed: the peer is NOT asked; the frozen sample runs")
	}
	count := 50
	if n, err := strconv.Atoi(os.Getenv("CHARGECAST_PEER_CASES")); err == nil {
		count = n
	}
	r := rand.New(rand.NewPCG(3, 3))
	dir := t.TempDir()
	var files, bases []string
	for i := range count {
		base := make([]byte, r.IntN(300))
		for j := range base {
			base[j] = byte(r.Uint32())
		}
		name := filepath.Join(dir, strconv.Itoa(i))
		if err := os.WriteFile(name, base, 0o600); err != nil {
			t.Fatal(err)
		}
		files, bases = append(files, name), append(bases, string(base))
	}
	opensslTags(t, files, bases)
	key := signtest.PrivateKey(t, "pkcs1.pem")
	for i, base := range bases[:count/10] {
		want, err := exec.CommandContext(t.Context(), "openssl", "dgst", "-sha256", "-sign", "../internal/testkeys/pkcs1.pem", files[i]).Output()
		if err != nil {
			t.Fatal(err)
		}
		if got, err := signature.SignBase(key, base); err != nil || got != base64.StdEncoding.EncodeToString(want) {
			t.Errorf("%q: %s, %v", base, got, err)
		}
	}
	t.Logf("%d HMAC tags and %d RSA signatures compared with openssl", count, count/10)
}

// opensslTags compares HMAC-SHA1 of files, many at a time.
func opensslTags(t *testing.T, files, bases []string) {
	t.Helper()
	key, err := signature.NewHMACKey("s3cret")
	if err != nil {
		t.Fatal(err)
	}
	const atOnce = 500
	for i := 0; i < len(files); i += atOnce {
		some := files[i:min(i+atOnce, len(files))]
		out, err := exec.CommandContext(t.Context(), "openssl", append([]string{"dgst", "-sha1", "-hmac", "s3cret&", "-r"}, some...)...).Output()
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(strings.TrimSpace(string(out)), "\n")
		if len(lines) != len(some) {
			t.Fatalf("%d tags for %d texts", len(lines), len(some))
		}
		for j, line := range lines {
			text, err := signature.SignBase(key, bases[i+j])
			if got := hexOf(mustBase64(t, text)); err != nil || !strings.HasPrefix(line, got+" ") {
				t.Errorf("%q: %s, want %s, %v", bases[i+j], got, line, err)
			}
		}
	}
}
