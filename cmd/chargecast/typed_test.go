package main

import (
	"encoding/json"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// TestFileIsTheArgumentAsTyped: a control character in a file's name was escaped twice in records, so
// that a program which read them had another name than that of the file. Texts show it escaped.
func TestFileIsTheArgumentAsTyped(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("other systems refuse such names")
	}
	row := map[string]string{"rp_card_type": "SRC", "amount": "10.00", "currency": "EUR", "period": "day", "interval": "1", "client-orderid": "b"}
	text := payloadOf(row)
	row["client-orderid"] = "a"
	t.Chdir(t.TempDir())
	write(t, "first.csv", payloadOf(row))
	for _, c := range []struct{ reason, typed, file, shown string }{
		{"a line break", "a\nb.csv", "a\nb.csv", `a\u000ab.csv`},
		{"the escape itself is another name", `a\u000ab.csv`, `a\u000ab.csv`, `a\u000ab.csv`},
		{"an escape sequence", "a\x1b[2Jb.csv", "a\x1b[2Jb.csv", `a\u001b[2Jb.csv`},
		{"a control character beyond ASCII", "a\u009bb.csv", "a\u009bb.csv", `a\u009bb.csv`},
		{"a direction mark", "a\u202eb.csv", "a\u202eb.csv", `a\u202eb.csv`},
		{"letters", "Köln \"1\".csv", "Köln \"1\".csv", `Köln "1".csv`},
		{"not UTF-8, which JSON cannot hold", "a\xff.csv", `a\xff.csv`, `a\xff.csv`},
		{"its folder belongs to it", "./a.csv", "./a.csv", "./a.csv"},
	} {
		write(t, filepath.Clean(c.typed), text)
		flags := []string{"--as-of", "2026-01-10", "--until", "2026-01-12"}
		run := func(command string, more ...string) string {
			code, out, log := outcome(t, "", append(append([]string{command}, flags...), more...)...)
			if code != 0 {
				t.Fatalf("%s: %s: exit %d\n%s", c.reason, command, code, log)
			}
			return out
		}
		write(t, "states.jsonl", `{"profile":"b","status":"stopped"}`+"\n")
		for what, out := range map[string]string{
			"forecast":    run("forecast", "-o", "ndjson", "first.csv", c.typed),
			"with states": run("forecast", "-o", "ndjson", "--state", "states.jsonl", "first.csv", c.typed),
			"simulate":    run("simulate", "-o", "ndjson", "first.csv", c.typed),
			"by profile":  run("forecast", "--by", "profile", "-o", "ndjson", "first.csv", c.typed),
		} {
			filesAreTyped(t, c.reason+", "+what, out, c.file)
		}
		for _, form := range []string{"table", "csv", "html"} {
			shown := c.shown
			switch form {
			case "csv":
				shown = strings.ReplaceAll(shown, `"`, `""`)
			case "html":
				shown = strings.ReplaceAll(shown, `"`, "&#34;")
			}
			if out := run("forecast", "-o", form, "first.csv", c.typed); !strings.Contains(out, shown) || strings.ContainsAny(out, "\x1b\u009b\u202e") {
				t.Errorf("%s: %s does not show %q, or shows a control character\n%s", c.reason, form, shown, out)
			}
		}
	}
}

// filesAreTyped checks that each record of the profile b names a file, and that there are some.
func filesAreTyped(t *testing.T, what, out, file string) {
	t.Helper()
	if strings.ContainsAny(out, "\x1b\u009b\u202e") {
		t.Errorf("%s: a control character is not escaped: %q", what, out)
	}
	found := 0
	for line := range strings.Lines(out) {
		var rec struct{ Profile, File string }
		if err := json.Unmarshal([]byte(line), &rec); err != nil {
			t.Fatalf("%s: %v: %q", what, err, line)
		}
		if rec.Profile != "b" {
			continue
		}
		if found++; rec.File != file {
			t.Errorf("%s: the file is %q, want %q", what, rec.File, file)
		}
	}
	if found == 0 {
		t.Errorf("%s: no record\n%s", what, out)
	}
}
