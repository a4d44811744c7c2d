package conform_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/chargecast/chargecast/internal/kit"
	"github.com/chargecast/chargecast/internal/kit/conform"
)

const scheduler = "testdata/scheduler.py"

// stranger runs laws against a program in another language.
func stranger(t *testing.T, o kit.Options, interpreter string, words ...string) kit.Report {
	t.Helper()
	interpreter, err := exec.LookPath(interpreter)
	if err != nil {
		t.Skip("the interpreter is absent")
	}
	p := conform.New(append([]string{interpreter}, words...), long)
	t.Cleanup(p.Close)
	if err := p.Start(); err != nil {
		t.Fatalf("%v\n%s", err, p.Stderr())
	}
	r := p.Run(o)
	if s := p.Stderr(); s != "" {
		t.Log(s)
	}
	return r
}

// python runs laws against a Python program, without the packages of the machine.
func python(t *testing.T, file string, o kit.Options) kit.Report {
	t.Helper()
	return stranger(t, o, "python3", "-S", file)
}

// TestStrangers: a small program in another language, under the default reading, fails no law.
func TestStrangers(t *testing.T) {
	for _, c := range []struct {
		name    string
		command []string
	}{
		{"scheduler.py", []string{"python3", "-S", scheduler}},
		{"scheduler.js", []string{"node", "testdata/scheduler.js"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := stranger(t, kit.Options{Effort: inGate(40, 120)}, c.command[0], c.command[1:]...)
			if !r.OK() || r.Judged() < 4 {
				t.Errorf("%s", r.AppendText(nil, nil))
			}
			if r.Impl != c.name {
				t.Errorf("the program is called %s", r.Impl)
			}
		})
	}
}

// TestPythonFaults: each fault that is put into the program is found by the law about it.
func TestPythonFaults(t *testing.T) {
	right, err := os.ReadFile(scheduler)
	if err != nil {
		t.Fatal(err)
	}
	for _, fault := range []struct{ name, was, is, law string }{
		{"every short month ends on the 28th", "min(start.day, calendar.monthrange(year, month)[1])", "min(start.day, 28)", "T07"},
		{"the sequence begins again", "elements[min(repeat, len(elements) - 1)]", "elements[repeat % len(elements)]", "T07"},
		{"one charge too many", "len(charges) >= int(", "len(charges) > int(", "T07"},
		{"stopped on the day after finish-date", "today >= finish)", "today > finish)", "T25"},
		{"reasons in the other order", `["max-repeats"] * capped + ["finish-date"] * over`, `["finish-date"] * over + ["max-repeats"] * capped`, "T25"},
		{"the first repeat is 1", `{"repeat": len(charges), "date"`, `{"repeat": len(charges) + 1, "date"`, "T07"},
		{"a week has five days", "7 if period", "5 if period", "T07"},
		{"no charge on the start date", "day < today", "day <= today", "T07"},
		{"finish-date is forgotten", "finish is not None and today", "False and today", "T07"},
		{"as-of is charged at once", "if day == today:", "if day == today or not charges:", "T07"},
	} {
		t.Run(fault.name, func(t *testing.T) {
			wrong := strings.ReplaceAll(string(right), fault.was, fault.is)
			if wrong == string(right) {
				t.Fatalf("the program does not have %s", fault.was)
			}
			file := filepath.Join(t.TempDir(), "scheduler.py")
			if err := os.WriteFile(file, []byte(wrong), 0o600); err != nil {
				t.Fatal(err)
			}
			r := python(t, file, kit.Options{Laws: []string{fault.law}, Cases: 600, Shrinks: 3})
			l := law(t, r, fault.law)
			if len(l.Failures) != 1 {
				t.Fatalf("%s holds: %+v", fault.law, l)
			}
			f := l.Failures[0]
			if !strings.HasPrefix(f.Counterexample.CSV, `"rp_card_type"`) || !strings.Contains(f.Counterexample.Command, "chargecast forecast --as-of ") {
				t.Errorf("the case is shown as %+v", f.Counterexample)
			}
		})
	}
}

// TestPythonDrifts: a scheduler whose 31st becomes the 28th for good fails in its first run, within five seconds and the first
// hundred cases, with a payload that has no day more than two years before as-of or ten after it.
func TestPythonDrifts(t *testing.T) {
	right, err := os.ReadFile(scheduler)
	if err != nil {
		t.Fatal(err)
	}
	const day = "min(start.day, calendar.monthrange(year, month)[1])"
	const drifted = "min([start.day] + [calendar.monthrange(m // 12, m % 12 + 1)[1] for m in range(start.year * 12 + start.month - 1, months + 1, interval)])"
	file := filepath.Join(t.TempDir(), "scheduler.py")
	if err := os.WriteFile(file, []byte(strings.Replace(string(right), day, drifted, 1)), 0o600); err != nil || !strings.Contains(string(right), day) {
		t.Fatal("the program has no last day of the month")
	}
	begun := time.Now()
	r := python(t, file, kit.Options{Laws: []string{"T07"}, Cases: 2000})
	l := law(t, r, "T07")
	if took := time.Since(begun); len(l.Failures) != 1 || l.Cases > 100 || took > 5*time.Second {
		t.Fatalf("after %v and %d cases: %s", took, l.Cases, r.AppendText(nil, nil))
	}
	shown := l.Failures[0].Counterexample
	_, asOf, _ := strings.Cut(shown.Command, "--as-of ")
	year, err := strconv.Atoi(asOf[:4])
	if err != nil {
		t.Fatal(shown.Command)
	}
	for _, date := range regexp.MustCompile(`"\d\d\.\d\d\.(\d{4})"`).FindAllStringSubmatch(shown.CSV, -1) {
		if of, _ := strconv.Atoi(date[1]); of < year-2 || of > year+10 {
			t.Errorf("as of %d the payload has a day of %d", year, of)
		}
	}
}

// TestPythonFailsWithItsCase: a scheduler that crashes at each tenth question, one that hangs and one that eats memory end with
// the case named, and no run ends early.
func TestPythonFailsWithItsCase(t *testing.T) {
	right, err := os.ReadFile(scheduler)
	if err != nil {
		t.Fatal(err)
	}
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("python3 is absent")
	}
	for _, fault := range []struct{ name, is, want string }{
		{"crashes", "count = globals().get(\"count\", 0) + 1; assert count % 10 or request[\"op\"] == \"hello\"", "ended before it replied"},
		{"hangs", "import time; time.sleep(0 if request[\"op\"] == \"hello\" else 3600)", "did not reply in time"},
		{"eats", "import time; kept = bytearray(0 if request[\"op\"] == \"hello\" else 1 << 28); time.sleep(0 if request[\"op\"] == \"hello\" else 3600)", "more memory than it may"},
	} {
		t.Run(fault.name, func(t *testing.T) {
			if _, err := os.Stat("/proc/self/statm"); err != nil && fault.name == "eats" {
				t.Skip("the system does not say how much memory a process uses")
			}
			text := strings.Replace(string(right), "    request = json.loads(line)\n", "    request = json.loads(line)\n    "+fault.is+"\n", 1)
			file := filepath.Join(t.TempDir(), "scheduler.py")
			if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			timeout := time.Second
			if fault.name != "hangs" {
				timeout = long
			}
			p := conform.New([]string{python, "-S", file}, timeout)
			p.Memory(128 << 20)
			p.Wait(long, time.Second)
			t.Cleanup(p.Close)
			if err := p.Start(); err != nil {
				t.Fatalf("%v\n%s", err, p.Stderr())
			}
			r := p.Run(kit.Options{Laws: []string{"T07", "T25"}, Cases: 40, Shrinks: -1})
			for _, l := range r.Results {
				if len(l.Failures) != 1 || !strings.Contains(l.Failures[0].Message, fault.want) || !strings.Contains(l.Failures[0].Message, `"op":"forecast"`) || l.Failures[0].Token == "" {
					t.Errorf("%+v", l)
				}
			}
			if r.Ended != "" || r.Restarts == 0 {
				t.Errorf("%s", r.AppendText(nil, nil))
			}
		})
	}
}
