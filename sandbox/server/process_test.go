package server

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chargecast/chargecast/internal/program"
	"github.com/chargecast/chargecast/internal/testpayload"
	"github.com/chargecast/chargecast/signature"
)

// asProgram makes the test binary the program itself.
const asProgram = "CHARGECAST_SANDBOX_AS_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		Main("")
	}
	if path := os.Getenv(asLocker); path != "" {
		lockUntilEOF(path)
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// A process is a running sandbox.
type process struct {
	t      *testing.T
	cmd    *exec.Cmd
	url    string
	line   string    // the ready line
	rest   io.Reader // what follows it on stdout
	stderr logFile
	ended  chan error
}

// A logFile is what a process writes to stderr: a file, so that all of it can be read at any time.
type logFile struct{ path string }

func (f logFile) String() string {
	text, err := os.ReadFile(f.path)
	if err != nil {
		return err.Error()
	}
	return string(text)
}

func command(t *testing.T, dir string, args ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	check(t, err)
	cmd := exec.Command(self, args...)
	cmd.Env = append(os.Environ(), asProgram+"=1")
	cmd.Dir = dir
	return cmd
}

// launch starts the program in a directory at any free port, and does not wait until it is ready.
func launch(t *testing.T, dir string, args ...string) *process {
	t.Helper()
	return launchWith(t, dir, append([]string{"--listen", ":0"}, args...)...)
}

func launchWith(t *testing.T, dir string, args ...string) *process {
	t.Helper()
	p := &process{t: t, cmd: command(t, dir, args...), stderr: logFile{filepath.Join(t.TempDir(), "stderr")}, ended: make(chan error, 1)}
	stderr, err := os.Create(p.stderr.path)
	check(t, err)
	defer func() { _ = stderr.Close() }()
	p.cmd.Stderr = stderr
	reader, writer, err := os.Pipe()
	check(t, err)
	p.cmd.Stdout, p.rest = writer, bufio.NewReader(reader)
	check(t, p.cmd.Start())
	check(t, writer.Close())
	go func() { p.ended <- p.cmd.Wait() }()
	t.Cleanup(func() {
		p.kill()
		_ = reader.Close()
	})
	return p
}

// start starts the program, and waits until it is ready.
func start(t *testing.T, dir string, args ...string) *process {
	t.Helper()
	p := launch(t, dir, args...)
	p.await()
	return p
}

// startWith is start with these arguments alone.
func startWith(t *testing.T, dir string, args ...string) *process {
	t.Helper()
	p := launchWith(t, dir, args...)
	p.await()
	return p
}

func (p *process) await() {
	p.t.Helper()
	if p.endsAgain() {
		p.t.Fatalf("a fault ended it before it was ready\n%s", p.stderr)
	}
}

// endsAgain waits until the program is ready, and reports whether a fault ended it instead.
func (p *process) endsAgain() bool {
	p.t.Helper()
	line, err := p.rest.(*bufio.Reader).ReadString('\n')
	if err != nil {
		end := <-p.ended
		p.ended <- end
		if exit, ok := errors.AsType[*exec.ExitError](end); ok && program.ExitCode(exit.ExitCode()) == exitRestart {
			return true
		}
		p.t.Fatalf("not ready: %v\n%s", err, p.stderr)
	}
	var ready struct{ Type, URL string }
	if json.Unmarshal([]byte(line), &ready) != nil || ready.Type != "ready" {
		p.t.Fatalf("the first line is %q", line)
	}
	p.line, p.url = line, ready.URL
	return false
}

// kill ends the process as kill -9 does.
func (p *process) kill() {
	_ = p.cmd.Process.Kill()
	p.ended <- <-p.ended
}

// hasEnded reports whether the process has ended by itself.
func (p *process) hasEnded() bool {
	select {
	case err := <-p.ended:
		p.ended <- err
		return true
	default:
		return false
	}
}

// stop ends the process by a signal, and checks that it ends well and wrote nothing but the ready
// line.
func (p *process) stop(by os.Signal) {
	p.t.Helper()
	check(p.t, p.cmd.Process.Signal(by))
	rest, err := io.ReadAll(p.rest)
	check(p.t, err)
	if len(rest) > 0 {
		p.t.Errorf("stdout goes on with %q", rest)
	}
	select {
	case err := <-p.ended:
		p.ended <- err
		if err != nil {
			p.t.Errorf("%v\n%s", err, p.stderr)
		}
	case <-time.After(5 * time.Minute):
		p.t.Fatal("the program does not end")
	}
}

// fails runs the program, and returns its exit code and what it wrote to stderr.
func fails(t *testing.T, dir string, args ...string) (program.ExitCode, string) {
	t.Helper()
	cmd := command(t, dir, args...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	if stdout.Len() > 0 {
		t.Errorf("stdout has %q", stdout.String())
	}
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		return program.ExitCode(exit.ExitCode()), stderr.String()
	}
	check(t, err)
	return 0, stderr.String()
}

func check(t testing.TB, err error) {
	if err != nil {
		t.Helper()
		t.Fatal(err)
	}
}

// admin calls the admin interface: GET without a body, otherwise POST.
func (p *process) admin(path, body string) (int, map[string]any) {
	p.t.Helper()
	status, text, err := p.try(path, body)
	check(p.t, err)
	var v map[string]any
	if len(text) > 0 {
		check(p.t, json.Unmarshal(text, &v))
	}
	return status, v
}

func (p *process) try(path, body string) (int, []byte, error) {
	method := http.MethodPost
	if body == "" {
		method = http.MethodGet
	}
	r, err := http.NewRequest(method, p.url+"/_sandbox/v1/"+path, strings.NewReader(body))
	if err != nil {
		return 0, nil, err
	}
	return send(r)
}

func send(r *http.Request) (int, []byte, error) {
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		return 0, nil, err
	}
	defer func() { _ = response.Body.Close() }()
	text, err := io.ReadAll(response.Body)
	return response.StatusCode, text, err
}

// payload is the CSV of rows; what is left out of one is that of the demo payload.
func payload(rows ...map[string]string) string {
	return string(testpayload.Payload(demoRow(), rows...))
}

// create sends a payload, signed with HMAC-SHA1 by the demo merchant of a store.
func (p *process) create(control, csv string) (int, error) {
	body := testpayload.Body([]byte(csv))
	target := p.url + "/paynet/api/v4/create-recurring-payments/" + demoEndpoint
	secret, err := signature.NewHMACKey(control)
	if err != nil {
		return 0, err
	}
	signed, _, err := signature.Sign(signature.NewRequest("POST", target).WithBody(formType, body),
		signature.OAuth{ConsumerKey: demoLogin, Nonce: "n", Timestamp: "1"}, secret)
	if err != nil {
		return 0, err
	}
	r, err := http.NewRequest("POST", target, strings.NewReader(body))
	if err != nil {
		return 0, err
	}
	r.Header.Set("Content-Type", formType)
	r.Header.Set("Authorization", signed.Authorization())
	status, _, err := send(r)
	return status, err
}

// controlKey is that of the demo merchant.
func controlKey(t testing.TB, dir string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, "chargecast-sandbox.db"+demoControlKey))
	check(t, err)
	return string(text)
}

// rootOfClone is the directory of the clone.
const rootOfClone = "../.."
