package server

import (
	"encoding/json"
	"errors"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/chargecast/chargecast/internal/program"
	"github.com/chargecast/chargecast/sandbox/store"
)

const storeName = "chargecast-sandbox.db"

func TestReadyLineIsAllOfStdout(t *testing.T) {
	t.Parallel()
	for _, by := range []os.Signal{os.Interrupt, syscall.SIGTERM} {
		p := start(t, t.TempDir(), "--public-url", "https://gate.example.com")
		if want := `{"type":"ready","url":"` + p.url + `","public_url":"https://gate.example.com"}` + "\n"; p.line != want {
			t.Errorf("%q, not %q", p.line, want)
		}
		if status, _, err := p.try("clock", ""); err != nil || status != 200 {
			t.Errorf("not ready: %d %v", status, err)
		}
		p.stop(by)
	}
}

// TestDemoCommand runs the command that the log shows, as it is written; without curl its options
// are sent by this test.
func TestDemoCommand(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "it's here")
	check(t, os.Mkdir(dir, 0o700))
	p := start(t, dir, "--as-of", "2026-01-31", "--log", "json")
	for range 2 { // it can be sent again
		if _, err := exec.LookPath("curl"); err == nil {
			shell := exec.Command("sh", "-c", logged(t, p.stderr.String(), "command"))
			shell.Env = append(os.Environ(), "no_proxy=*")
			out, err := shell.CombinedOutput()
			if check(t, err); !strings.HasPrefix(string(out), "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n") {
				t.Errorf("curl shows %q", out)
			}
		} else if status := sendOptions(t, filepath.Join(dir, storeName+demoRequest)); status != 200 {
			t.Errorf("answered with %d", status)
		}
	}
	if status, answer := p.admin("clock", `{"to":"2026-02-28"}`); status != 200 || answer["charges"] != 2.0 {
		t.Errorf("%d %v", status, answer)
	}
	for _, name := range []string{"", ".key", ".lock", demoAccount, demoControlKey, demoPrivateKey, demoPublicKey, demoRequest} {
		info, err := os.Stat(filepath.Join(dir, storeName+name))
		check(t, err)
		if runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
			t.Errorf("%s has mode %o", name, info.Mode().Perm())
		}
	}
	for _, secret := range []string{controlKey(t, dir), "4111111111111111"} {
		for _, name := range []string{"", "-wal"} {
			content, err := os.ReadFile(filepath.Join(dir, storeName+name))
			if check(t, err); strings.Contains(string(content), secret) {
				t.Errorf("%s%s holds a secret", storeName, name)
			}
		}
		if strings.Contains(p.stderr.String(), secret) {
			t.Error("the log shows a secret")
		}
	}
}

func TestRestartKeepsEverything(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	p := start(t, dir, "--as-of", "2026-01-31")
	if status, err := p.create(controlKey(t, dir), payload(nil)); err != nil || status != 200 {
		t.Fatal(status, err, p.stderr)
	}
	p.admin("clock", `{"to":"2026-03-01"}`)
	paths := []string{"merchants", "profiles", "charges", "requests", "clock", "callbacks"}
	before := map[string]string{}
	for _, path := range paths {
		_, text, err := p.try(path, "")
		check(t, err)
		before[path] = string(text)
	}
	p.stop(os.Interrupt)
	p = start(t, dir, "--as-of", "2030-01-01")
	if !strings.Contains(p.stderr.String(), "the store has a clock of its own") {
		t.Errorf("the log has no word about --as-of:\n%s", p.stderr)
	}
	for _, path := range paths {
		if _, text, err := p.try(path, ""); err != nil || string(text) != before[path] {
			t.Errorf("%s: %s, not %s", path, text, before[path])
		}
	}
	if status, err := p.create(controlKey(t, dir), payload(nil)); err != nil || status != 200 {
		t.Errorf("HMAC after a restart: %d %v", status, err)
	}
}

func TestMissingKeyFileRefusesHMAC(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	start(t, dir).stop(os.Interrupt)
	check(t, os.Remove(filepath.Join(dir, storeName+".key")))
	p := start(t, dir)
	if log := p.stderr.String(); !strings.Contains(log, "the key file was missing") || !strings.Contains(log, "login=demo") {
		t.Errorf("the log does not say so:\n%s", log)
	}
	if status, err := p.create(controlKey(t, dir), payload(nil)); err != nil || status != 403 {
		t.Errorf("%d %v", status, err)
	}
	if _, text, err := p.try("requests/1", ""); err != nil || !strings.Contains(string(text), "the control key was encrypted with a key") {
		t.Errorf("the request does not say so: %s %v", text, err)
	}
	if status := sendOptions(t, filepath.Join(dir, storeName+demoRequest)); status != 200 {
		t.Errorf("RSA needs no key file, and was answered with %d", status)
	}
	if status, answer := p.admin("merchants/demo/keys", `{"control_key":"`+controlKey(t, dir)+`"}`); status != 200 {
		t.Errorf("%d %v", status, answer)
	}
	p.stop(os.Interrupt)
	p = start(t, dir)
	if status, err := p.create(controlKey(t, dir), payload(nil)); err != nil || status != 200 {
		t.Errorf("HMAC after the key was registered again: %d %v", status, err)
	}
}

func TestMemoryStoreLeavesNothing(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	p := start(t, dir, "--store", ":memory:", "--as-of", "2026-01-01")
	if status, answer := p.admin("clock", `{"to":"2026-02-01"}`); status != 200 || answer["now"] != "2026-02-01" {
		t.Errorf("%d %v", status, answer)
	}
	p.stop(os.Interrupt)
	entries, err := os.ReadDir(dir)
	if check(t, err); len(entries) > 0 {
		t.Errorf("%v is left", entries)
	}
}

func TestConfigRegistersMissingMerchants(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := filepath.Join(dir, "c.json")
	write := func(text string) { check(t, os.WriteFile(file, []byte(text), 0o600)) }
	write(`{"merchants":[{"login":"m1","endpoint":"77","currency":"EUR","control_key":"hidden-control-key","window_s":300}]}`)
	p := start(t, dir, "--config", file)
	_, text, err := p.try("merchants", "")
	if check(t, err); !strings.Contains(string(text), `"login":"m1"`) || strings.Contains(string(text), "demo") {
		t.Errorf("the merchants are %s", text)
	}
	p.stop(os.Interrupt)
	write(`{"merchants":[{"login":"m1","endpoint":"78"},{"login":"m2","endpoint":"79"}]}`)
	p = start(t, dir, "--config", file)
	_, text, err = p.try("merchants", "")
	if check(t, err); !strings.Contains(string(text), `"endpoint":"77"`) || strings.Contains(string(text), `"endpoint":"78"`) || !strings.Contains(string(text), `"login":"m2"`) {
		t.Errorf("the merchants are %s", text)
	}
	p.stop(os.Interrupt)
	for text, want := range map[string]string{
		`{"merchants":[{"login":"m3","endpoint":"77"}]}`:                 "merchant 1: another merchant has this endpoint",
		`{"merchants":[{"login":"m4","endpoint":"4","windows":3}]}`:      "merchant 1: ",
		`{"merchants":[{"login":"m4","endpoint":"4","window_s":-3}]}`:    "merchant 1: ",
		`{"merchants":[{"login":"m4","endpoint":"4","public_key":""}]}x`: "not a JSON object",
		`{"merchants":[],"merchants":[{"login":"m4","endpoint":"4"}]}`:   "not a JSON object",
		`{"Merchants":[]}`: "not a JSON object",
		`{"merchant":[]}`:  "not a JSON object",
		``:                 "not a JSON object",
	} {
		write(text)
		if code, stderr := fails(t, dir, "--listen", ":0", "--config", file); code != program.ExitUsage || !strings.Contains(stderr, want) || !strings.Contains(stderr, "\n  ") {
			t.Errorf("%s: %d %s", text, code, stderr)
		}
	}
}

// TestConfigSaysWhatDiffers: each member of a merchant that is there by its name, and outcomes and
// faults that are not in the store; never a value, and nothing of what is the same.
func TestConfigSaysWhatDiffers(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := filepath.Join(dir, "c.json")
	const first = `"login":"m1","endpoint":"77","currency":"EUR","control_key":"first-secret","callback":{"content_type":"text/plain","body":"{status}"}`
	const trials = `"outcomes":[{"login":"m1","profile":"o1","outcome":"declined","times":2}],"faults":[{"login":"m1","kind":"callback-late","days":3,"where":{"profile":"o1"}}]`
	warnings := func(config string) (list []string) {
		check(t, os.WriteFile(file, []byte(config), 0o600))
		p := start(t, dir, "--config", file)
		p.stop(os.Interrupt)
		for line := range strings.Lines(p.stderr.String()) {
			if strings.Contains(line, "level=WARN") {
				list = append(list, strings.TrimSpace(line))
			}
			for _, secret := range []string{"secret", "{status}", "{amount}", "BEGIN", "USD"} {
				if strings.Contains(line, secret) {
					t.Errorf("the log says %s", line)
				}
			}
		}
		return list
	}
	warnings(`{"merchants":[{` + first + `}],` + trials + `}`)
	key, err := newPrivateKey()
	check(t, err)
	public, err := publicOf(key)
	check(t, err)
	quoted, err := json.Marshal(string(public))
	check(t, err)
	with := func(old, text string) string {
		return `{"merchants":[{` + strings.Replace(first, old, text, 1) + `}],` + trials + `}`
	}
	for _, c := range []struct{ config, differs string }{
		{with("", ""), ""},
		{with("first-secret", "other-secret"), "control_key"},
		{with(`"control_key":"first-secret",`, ""), "control_key"},
		{with("EUR", "USD"), "currency"},
		{with(`"currency":"EUR",`, ""), "currency"},
		{with("{status}", "{amount}"), "callback"},
		{with(`"77"`, `"78","window_s":300,"check_replays":true,"response":"parameters","public_key":`+string(quoted)), "endpoint,public_key,window_s,check_replays,response"},
	} {
		got := warnings(c.config)
		if c.differs == "" && len(got) > 0 || c.differs != "" && (len(got) != 1 || !strings.HasSuffix(got[0], "login=m1 differs="+c.differs)) {
			t.Errorf("%s\nis said as %q", c.config, got)
		}
	}
	got := warnings(strings.NewReplacer(`"times":2`, `"times":3`, `"days":3`, `"days":4`).Replace(with("", "")))
	if len(got) != 2 || !strings.Contains(got[0], "outcome=1 login=m1") || !strings.Contains(got[1], "fault=1 login=m1") {
		t.Errorf("other outcomes and faults are said as %q", got)
	}
}

func TestForeignHostIsRefused(t *testing.T) {
	t.Parallel()
	p := start(t, t.TempDir())
	for host, want := range map[string]int{
		"evil.example": 421, "localhost": 421,
		"localhost:" + port(p.url): 200, "127.0.0.1:" + port(p.url): 200,
	} {
		if status := statusAt(t, p.url, host); status != want {
			t.Errorf("%s: %d, not %d", host, status, want)
		}
	}
}

// TestStartsThatFail: each says what is wrong and what to do, and leaves the right exit code.
func TestStartsThatFail(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	running := start(t, dir)
	put := func(name, content string) { check(t, os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600)) }
	put("damaged.db", strings.Repeat("not a database ", 1000))
	put("torn.db", torn(t))
	put("a.db.key", "not hex")
	for _, c := range []struct {
		reason string
		args   []string
		code   program.ExitCode
		want   string
	}{
		{"the port is in use", []string{"--listen", running.url[len("http://"):], "--store", "b.db"}, program.ExitInternal, "the port is in use"},
		{"another process has the store", nil, program.ExitUnreadable, "another process has the store open"},
		{"no directory", []string{"--store", "none/b.db"}, program.ExitUnreadable, "no such directory"},
		{"a directory", []string{"--store", "."}, program.ExitUnreadable, "not a regular file"},
		{"not a database", []string{"--store", "damaged.db"}, program.ExitUnreadable, "the store is damaged, or the file is not a store"},
		{"a torn file", []string{"--store", "torn.db"}, program.ExitUnreadable, "the store is damaged, or the file is not a store"},
		{"a damaged key file", []string{"--store", "a.db"}, program.ExitUnreadable, "not 64 hex digits"},
		{"no configuration", []string{"--config", "none.json"}, program.ExitUnreadable, "--config: the file cannot be opened"},
		{"reachable by others", []string{"--listen", "0.0.0.0:0"}, program.ExitUsage, "--allow-remote"},
		{"not an address", []string{"--listen", "8043"}, program.ExitUsage, "not an address"},
		{"not a date", []string{"--as-of", "2026-02-30"}, program.ExitUsage, "--as-of"},
		{"unknown zone", []string{"--zone", "Mars/Base"}, program.ExitUsage, "--zone"},
		{"unknown policy", []string{"--policy", "month-end=never"}, program.ExitUsage, "policy"},
		{"unknown mode", []string{"--callbacks", "some"}, program.ExitUsage, "callbacks"},
		{"a negative pause", []string{"--callback-pauses", "1,-1"}, program.ExitUsage, "callback-pauses"},
		{"less room for all bodies than for one", []string{"--max-body", "1000", "--max-bodies", "999"}, program.ExitUsage, "--max-bodies"},
		{"an argument", []string{"serve"}, program.ExitUsage, "unknown command"},
		{"an unknown flag", []string{"--port", "1"}, program.ExitUsage, "port"},
		{"a public URL with a query", []string{"--store", "c.db", "--public-url", "https://a.example/?b"}, program.ExitUsage, "public URL"},
		{"a value given twice", []string{"--seed", "1", "--seed", "2"}, program.ExitUsage, "given twice"},
		{"not a seed", []string{"--seed", "-1"}, program.ExitUsage, "whole number"},
		{"no name of a host", []string{"--host", "http://gateway/"}, program.ExitUsage, "must be a name"},
		{"an empty store", []string{"--store", ""}, program.ExitUnreadable, "empty"},
		{"unknown log", []string{"--log", "xml"}, program.ExitUsage, "text, json"},
	} {
		args := c.args
		if !slices.Contains(args, "--listen") {
			args = append([]string{"--listen", ":0"}, args...)
		}
		code, stderr := fails(t, dir, args...)
		if code != c.code || !strings.Contains(stderr, c.want) || !strings.Contains(stderr, "\n  ") {
			t.Errorf("%s: %d %s", c.reason, code, stderr)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "b.db")); err == nil {
		t.Error("a start without a port made a store")
	}
}

// torn is a store of which every page but the first is overwritten.
func torn(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "s.db")
	s, err := store.Open(t.Context(), path)
	check(t, err)
	check(t, s.Close())
	content, err := os.ReadFile(path)
	check(t, err)
	for i := 4096; i < len(content); i++ {
		content[i] = 'x'
	}
	return string(content)
}

// TestTheStoreKeepsPolicyAndSeed: a start without them goes on; one with others is refused, and
// says what to do.
func TestTheStoreKeepsPolicyAndSeed(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	start(t, dir, "--policy", "month-end=skip", "--seed", "7").stop(os.Interrupt)
	for _, args := range [][]string{{"--policy", "month-end=overflow"}, {"--policy", "month-end=clamp"}, {"--seed", "8"}, {"--seed", "0"}} {
		code, stderr := fails(t, dir, append([]string{"--listen", ":0"}, args...)...)
		if code != program.ExitUsage || !strings.Contains(stderr, "another "+args[0][2:]) || !strings.Contains(stderr, "\n  leave ") {
			t.Errorf("%v: %d %s", args, code, stderr)
		}
	}
	start(t, dir).stop(os.Interrupt)
	start(t, dir, "--policy", "month-end=skip", "--seed", "7").stop(os.Interrupt)
}

// TestARestartFault ends the program with a code of its own, between two days; the next start goes
// on.
func TestARestartFault(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	p := start(t, dir, "--as-of", "2026-01-31")
	if status, err := p.create(controlKey(t, dir), payload(map[string]string{"period": "day"})); err != nil || status != 200 {
		t.Fatal(status, err)
	}
	p.admin("faults", `{"kind":"restart","where":{"day":"2026-02-03"}}`)
	_, _, _ = p.try("clock", `{"to":"2026-02-06"}`) // may be answered before the end, or not
	err := <-p.ended
	p.ended <- err
	if exit, ok := errors.AsType[*exec.ExitError](err); !ok || program.ExitCode(exit.ExitCode()) != exitRestart {
		t.Fatalf("%v\n%s", err, p.stderr)
	}
	p = start(t, dir)
	_, answer := p.admin("charges?limit=100", "")
	if list := answer["charges"].([]any); len(list) != 7 {
		t.Errorf("%d charges", len(list))
	}
	if _, clock := p.admin("clock", ""); clock["now"] != "2026-02-06" {
		t.Error(clock)
	}
}

// TestHosts: a mapped port and the name of a service are answered if they are named; others are
// not.
func TestHosts(t *testing.T) {
	t.Parallel()
	status := func(p *process, host string) int {
		r, err := http.NewRequest("GET", p.url+"/healthz", nil)
		check(t, err)
		r.Host = host
		code, _, err := send(r)
		check(t, err)
		return code
	}
	p := start(t, t.TempDir(), "--store", ":memory:", "--host", "localhost:49153", "--host", "gateway")
	_, port, _ := strings.Cut(strings.TrimPrefix(p.url, "http://"), ":")
	for host, want := range map[string]int{"localhost:49153": 200, "gateway": 200, "gateway:" + port: 200, "gateway:1": 421, "other": 421, "127.0.0.1:" + port: 200} {
		if got := status(p, host); got != want {
			t.Errorf("%s: %d, not %d", host, got, want)
		}
	}
	if code, stderr := fails(t, t.TempDir(), "--listen", ":0", "--host", "any"); code != program.ExitUsage || !strings.Contains(stderr, "--allow-remote") {
		t.Errorf("%d %s", code, stderr)
	}
	if got := status(start(t, t.TempDir(), "--store", ":memory:", "--host", "any", "--allow-remote"), "whatever"); got != 200 {
		t.Errorf("any: %d", got)
	}
}

// TestTheConfiguration: what the help prints works on every start; what differs from the store is
// in the log, and outcomes and faults come with new merchants alone.
func TestTheConfiguration(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := filepath.Join(dir, "c.json")
	write := func(text string) { check(t, os.WriteFile(file, []byte(text), 0o600)) }
	_, stderr := fails(t, dir, "--listen", ":0", "--config", "/dev/null")
	_, example, _ := strings.Cut(stderr, "write ")
	write(example)
	start(t, dir).stop(os.Interrupt) // has the demo merchant
	start(t, dir, "--config", file).stop(os.Interrupt)
	write(`{"merchants":[{"login":"m1","endpoint":"1001","currency":"USD"},{"login":"m2","endpoint":"1002"}],
		"outcomes":[{"login":"m2","outcome":"declined"}],"faults":[{"kind":"cut","login":"m2"},{"kind":"cut","login":"m1"}]}`)
	for n := range 2 {
		p := start(t, dir, "--config", file)
		if log := p.stderr.String(); !strings.Contains(log, "otherwise in the store") || !strings.Contains(log, "login=m1") {
			t.Errorf("start %d: %s", n, log)
		}
		_, outcomes := p.admin("outcomes", "")
		_, faults := p.admin("faults", "")
		if len(outcomes["outcomes"].([]any)) != 1 || len(faults["faults"].([]any)) != 1 {
			t.Errorf("start %d: %v %v", n, outcomes, faults)
		}
		p.stop(os.Interrupt)
	}
}

// TestTheSameBytesButCardHashes: two stores to which the same happens give the same bytes, apart
// from the hash of a card; with a copy of the key file it is the same, too.
func TestTheSameBytesButCardHashes(t *testing.T) {
	t.Parallel()
	hashes := regexp.MustCompile(`"hash":"[0-9a-f]+"`)
	profile := func(key []byte) (text string, keyFile []byte) {
		dir := t.TempDir()
		file := filepath.Join(dir, "chargecast-sandbox.db.key")
		if key != nil {
			check(t, os.WriteFile(file, key, 0o600))
		}
		p := start(t, dir, "--as-of", "2026-01-31")
		status, err := p.create(controlKey(t, dir), payload(map[string]string{"client-orderid": "same", "amount": "", "amount-from": "1.00", "amount-to": "9.00"}))
		if check(t, err); status != 200 {
			t.Fatalf("created with %d\n%s", status, p.stderr)
		}
		p.admin("clock", `{"to":"2026-04-01"}`)
		_, answer, err := p.try("profiles/1", "")
		check(t, err)
		keyFile, err = os.ReadFile(file)
		check(t, err)
		return string(answer), keyFile
	}
	first, key := profile(nil)
	second, _ := profile(nil)
	if !hashes.MatchString(first) || hashes.FindString(first) == hashes.FindString(second) || hashes.ReplaceAllString(first, "") != hashes.ReplaceAllString(second, "") {
		t.Errorf("two stores answer\n%s\nand\n%s", first, second)
	}
	if third, _ := profile(key); third != first {
		t.Errorf("with the same key file\n%s\nbecomes\n%s", first, third)
	}
}
