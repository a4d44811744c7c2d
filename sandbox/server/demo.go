package server

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/chargecast/chargecast/gateway"
	"github.com/chargecast/chargecast/internal/program"
	"github.com/chargecast/chargecast/internal/testpayload"
	"github.com/chargecast/chargecast/signature"
)

// The merchant that a new store has.
const (
	demoLogin    = "demo"
	demoEndpoint = "1234"
	demoCurrency = "EUR"
)

// The files of the demo merchant beside the store, whose names begin with that of the store.
const (
	demoAccount    = ".demo.json"        // login, endpoint and currency
	demoControlKey = ".demo.control-key" // for HMAC-SHA1
	demoPrivateKey = ".demo.pem"         // for RSA-SHA256
	demoPublicKey  = ".demo.public.pem"
	demoRequest    = ".demo.curl" // a signed request, as options of curl
)

// demo makes the demo merchant of a store without merchants, and says how to send its payload.
func (b *boot) demo(ctx context.Context, gw *gateway.Gateway, path string) error {
	list, err := merchants(ctx, gw, gateway.Query{})
	if err != nil {
		return err
	}
	if len(list) == 0 {
		if err := b.makeDemo(ctx, gw, path); err != nil {
			return err
		}
	}
	known, err := knows(ctx, gw, demoLogin)
	if err != nil || !known {
		return err
	}
	private, err := os.ReadFile(path + demoPrivateKey)
	if err != nil {
		return nil // its files were moved away, which is not an error
	}
	request, err := signedDemo(b.target()+"/paynet/api/v4/create-recurring-payments/"+demoEndpoint, private)
	if err != nil {
		return program.Unreadable("the private key of the demo merchant cannot be used", "restore the file "+filepath.Base(path+demoPrivateKey)+", or move it away")
	}
	if err := writePrivate(path+demoRequest, request); err != nil { // as on a full disk: the store can be read
		b.log.Warn("the demo command cannot be written", "file", path+demoRequest, "error", err)
		return nil
	}
	b.command = "curl -sS -i -K " + shellWord(path+demoRequest)
	b.log.Info("send the demo payload", "command", b.command)
	return nil
}

// target is the URL that clients sign, up to the path.
func (b *boot) target() string {
	if b.base.PublicURL != "" {
		return strings.TrimSuffix(b.base.PublicURL, "/")
	}
	return b.url
}

// makeDemo writes the files and registers the merchant. Keys that are there are used again: they
// may be in somebody's configuration.
func (b *boot) makeDemo(ctx context.Context, gw *gateway.Gateway, path string) error {
	control, err := readOrMake(path+demoControlKey, func() ([]byte, error) { return []byte(rand.Text()), nil })
	if err != nil {
		return err
	}
	private, err := readOrMake(path+demoPrivateKey, newPrivateKey)
	if err != nil {
		return err
	}
	public, err := publicOf(private)
	if err != nil {
		return program.Unreadable("the private key of the demo merchant cannot be read", "remove the file "+filepath.Base(path+demoPrivateKey))
	}
	account, err := json.Marshal(map[string]string{"login": demoLogin, "endpoint": demoEndpoint, "currency": demoCurrency})
	if err != nil {
		return err
	}
	if err := errors.Join(writePrivate(path+demoPublicKey, public), writePrivate(path+demoAccount, append(account, '\n'))); err != nil {
		return err
	}
	_, err = gw.Register(ctx, gateway.Registration{
		Login: demoLogin, Endpoint: demoEndpoint, Currency: demoCurrency,
		ControlKey: string(bytes.TrimSpace(control)), PublicKey: string(public),
	})
	if err == nil {
		b.log.Info("demo merchant registered", "login", demoLogin, "endpoint", demoEndpoint, "files", path+".demo.*")
	}
	return err
}

// readOrMake reads a file, or makes it readable by its owner alone.
func readOrMake(path string, content func() ([]byte, error)) ([]byte, error) {
	text, err := os.ReadFile(path)
	if err == nil {
		return text, nil
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return nil, program.Unreadable("the file "+filepath.Base(path)+" cannot be read", "check its permissions")
	}
	if text, err = content(); err != nil {
		return nil, err
	}
	return text, writePrivate(path, text)
}

func newPrivateKey() ([]byte, error) {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		return nil, err
	}
	return pem.EncodeToMemory(&pem.Block{Type: "RSA PRIVATE KEY", Bytes: x509.MarshalPKCS1PrivateKey(key)}), nil
}

// publicOf returns the public half of a private key, both as PEM.
func publicOf(private []byte) ([]byte, error) {
	block, _ := pem.Decode(private)
	if block == nil {
		return nil, errors.New("not PEM")
	}
	key, err := x509.ParsePKCS1PrivateKey(block.Bytes)
	if err != nil {
		return nil, err
	}
	der, err := x509.MarshalPKIXPublicKey(&key.PublicKey)
	if err != nil {
		return nil, err
	}
	return pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der}), nil
}

// shellWord quotes a path for a shell, if it needs that.
func shellWord(path string) string {
	plain := strings.Trim(path, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-:\\") == ""
	if plain {
		return path
	}
	return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
}

// demoRow is the demo payload: a monthly profile.
func demoRow() map[string]string {
	return map[string]string{"client-orderid": "demo-1", "currency": demoCurrency, "period": "month", "interval": "1", "max-repeats-number": "12"}
}

const formType = "application/x-www-form-urlencoded"

// signedDemo returns the options of curl that send the demo payload. The demo merchant checks
// neither timestamps nor nonces, so the request can be sent at any time and again.
func signedDemo(target string, private []byte) ([]byte, error) {
	key, err := signature.ParsePrivateKey(private)
	if err != nil {
		return nil, err
	}
	body := testpayload.Body(testpayload.Payload(nil, demoRow()))
	nonce, err := signature.Nonce(rand.Reader)
	if err != nil {
		return nil, err
	}
	signed, _, err := signature.Sign(signature.NewRequest("POST", target).WithBody(formType, body), signature.OAuth{
		ConsumerKey: demoLogin, Nonce: nonce, Timestamp: signature.Timestamp(time.Now()),
	}, key)
	if err != nil {
		return nil, err
	}
	var b strings.Builder
	b.WriteString("# The demo payload of chargecast-sandbox, signed with RSA-SHA256. Send it with: curl -sS -i -K FILE\n")
	for _, option := range [][2]string{
		{"url", target}, {"header", "Authorization: " + signed.Authorization()}, {"header", "Content-Type: " + formType}, {"data", body},
	} {
		b.WriteString(option[0] + ` = "` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(option[1]) + "\"\n")
	}
	return []byte(b.String()), nil
}
