package conform_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

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
