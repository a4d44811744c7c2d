package vectortest

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// TestPython: the runner that README.md shows has no line of Go in it and agrees with every forecast,
// each reading of a deciding key included; the one beside it tries every policy on every profile and agrees with every
// reconciliation. They are proven able to fail by a vector that is wrong.
func TestPython(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("python3 is not installed: the examples of a runner are NOT checked")
	}
	for op, c := range map[string]struct {
		files int
		wrong string
	}{
		"forecast": {7, `{"id":"wrong","op":"forecast","input":{"columns":{"rp_card_type":"SRC","amount":"1"},"as_of":"2026-01-10","until":"2026-01-10"},` +
			`"expect":{"charges":[],"end":{"status":"stopped","repeat":0}}}`},
		"reconcile": {1, `{"id":"wrong","op":"reconcile","input":{"rows":[],"as_of":"2026-01-10","through":"2026-01-10","actual":{"a.csv":"profile,date,amount\n"}},"expect":{}}`},
	} {
		t.Run(op, func(t *testing.T) {
			files, err := filepath.Glob("testdata/" + op + "*.jsonl")
			if err != nil || len(files) < c.files {
				t.Fatalf("%v, %v", files, err)
			}
			want := 0
			for _, v := range All(t) {
				if v.Op == op {
					want += max(1, len(v.Readings))
				}
			}
			out, err := exec.CommandContext(t.Context(), python, append([]string{"testdata/" + op + ".py"}, files...)...).CombinedOutput()
			if err != nil || !strings.HasSuffix(string(out), "expectations, 0 differ\n") || !strings.HasPrefix(string(out), strconv.Itoa(want)+" ") {
				t.Errorf("%v, want %d expectations\n%s", err, want, out)
			}
			wrong := filepath.Join(t.TempDir(), "wrong.jsonl")
			if err := os.WriteFile(wrong, []byte(c.wrong), 0o600); err != nil {
				t.Fatal(err)
			}
			cmd := exec.CommandContext(t.Context(), python, "testdata/"+op+".py", wrong)
			if out, err := cmd.CombinedOutput(); err == nil || !strings.Contains(string(out), "1 expectations, 1 differ") {
				t.Errorf("a wrong vector passes: %v\n%s", err, out)
			}
		})
	}
}
