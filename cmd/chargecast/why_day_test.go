package main

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/race"
)

// TestWhyIsTheForecast asks why for many days of every profile and holds the answer to what forecast,
// or simulate with the same script, lists: the charge and all charges of the day, the nearest days,
// and the charge under every other value of every key.
func TestWhyIsTheForecast(t *testing.T) {
	race.Skip(t)
	payload, err := filepath.Abs("../../testdata/payloads/demo.csv")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	script := `{"profile":"rent-31","date":"2026-02-10","do":"stop"}
{"profile":"rent-31","date":"2026-03-20","do":"resume","via":"ui"}
{"profile":"gym-weekly","date":"2026-04-01","do":"update","set":{"interval":"2"}}
{"date":"2026-02-28","do":"charge"}
{"date":"2026-03-10","do":"no-run"}
{"repeat":1,"outcome":"declined"}
`
	states := `{"profile":"rent-31","repeat":7,"anchor":"2025-12-30"}
{"profile":"lessons-max","repeat":3,"ran_through":"2026-01-05"}
{"profile":"trial-sequence","status":"stopped","repeat":2}
`
	for name, text := range map[string]string{"script.jsonl": script, "states.jsonl": states} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		reason, list string
		flags        []string
		policy       string
	}{
		{"a forecast", "forecast", nil, "start-past=catch-up"},
		{"from states", "forecast", []string{"--state", "states.jsonl"}, "run-missed=catch-up"},
		{"a simulation", "simulate", []string{"--script", "script.jsonl", "--seed", "3"}, "resume-missed=catch-up"},
	} {
		t.Run(c.reason, func(t *testing.T) {
			whole := listed(t, payload, c.list, c.flags, c.policy)
			others := map[string]map[string][]string{}
			for key := range engine.Keys() {
				for _, r := range key.Entry().Readings {
					setting := key.Entry().Key + "=" + r.Value
					if k, v, _ := strings.Cut(c.policy, "="); k != key.Entry().Key && r.Value != key.Entry().Readings[0].Value || k == key.Entry().Key && v != r.Value {
						policy := c.policy + "," + setting
						if k == key.Entry().Key {
							policy = setting
						}
						others[setting] = listed(t, payload, c.list, c.flags, policy)
					}
				}
			}
			asked, charged := 0, 0
			for _, id := range slices.Sorted(maps.Keys(whole)) {
				for _, on := range interesting(whole[id]) {
					asked++
					why := whyOf(t, payload, c.flags, c.policy, id, on)
					if len(why.Charge) > 4 {
						charged++
					}
					why.hold(t, id, on, whole, others)
				}
			}
			if asked < 40 || charged < 10 || charged == asked {
				t.Errorf("%d days asked about, %d with a charge", asked, charged)
			}
		})
	}
}

// listed are the automatic charges of a command by profile, as records; manual ones count as days.
func listed(t *testing.T, payload, command string, flags []string, policy string) map[string][]string {
	t.Helper()
	args := append([]string{command, "--as-of", "2026-01-10", "--until", "2029-12-31", "-o", "ndjson", "--policy", policy, payload}, flags...)
	var out, log bytes.Buffer
	if code := run(args, strings.NewReader(""), &out, &log); code > 1 {
		t.Fatalf("%q: exit %d: %s", args, code, log.String())
	}
	of := map[string][]string{}
	for line := range strings.SplitSeq(out.String(), "\n") {
		if m := ofProfile.FindStringSubmatch(line); m != nil && strings.Contains(line, `"type":"charge"`) {
			of[m[1]] = append(of[m[1]], line)
		} else if m != nil && strings.Contains(line, `"type":"end"`) && of[m[1]] == nil {
			of[m[1]] = []string{}
		}
	}
	return of
}

// interesting are days about which an answer could be wrong: those of the first charges, the days
// beside them, and a few more.
func interesting(charges []string) []string {
	days := map[string]bool{"2026-01-09": true, "2026-01-10": true, "2026-02-28": true, "2026-03-10": true}
	for i, c := range charges {
		if i > 0 && i != 3 && i != len(charges)-1 {
			continue
		}
		d := calendar.MustParse(dateIn(c))
		days[d.AddDays(-1).String()], days[d.String()], days[d.AddDays(1).String()] = true, true, true
	}
	return slices.Sorted(maps.Keys(days))
}

func dateIn(charge string) string {
	_, rest, _ := strings.Cut(charge, `"date":"`)
	return rest[:len("2026-01-31")]
}

type whyAnswer struct {
	Charge  json.RawMessage
	Charges []json.RawMessage
	Reason  string
	Slot    *string
	Nearest struct{ Before, After *string }
	Other   []struct {
		Policy string
		Charge json.RawMessage
	}
}

func whyOf(t *testing.T, payload string, flags []string, policy, id, on string) (w whyAnswer) {
	t.Helper()
	args := append([]string{"why", "--as-of", "2026-01-10", "--profile", id, "--on", on, "-o", "json", "--policy", policy, payload}, flags...)
	var out, log bytes.Buffer
	if code := run(args, strings.NewReader(""), &out, &log); code != 0 {
		t.Fatalf("%q: exit %d: %s", args, code, log.String())
	}
	if err := json.Unmarshal(out.Bytes(), &w); err != nil {
		t.Fatal(err)
	}
	return w
}

// hold compares the answer with the lists.
func (w *whyAnswer) hold(t *testing.T, id, on string, whole map[string][]string, others map[string]map[string][]string) {
	t.Helper()
	today := chargesOn(whole[id], on)
	if got := string(w.Charge); got != last(today) {
		t.Errorf("%s on %s: charge\n%s, want\n%s", id, on, got, last(today))
	}
	if (w.Reason == "due") != (len(today) > 0) {
		t.Errorf("%s on %s: reason %s with %d charges", id, on, w.Reason, len(today))
	}
	if len(today) > 1 && len(w.Charges) != len(today) || len(today) <= 1 && w.Charges != nil {
		t.Errorf("%s on %s: %d charges are listed, want %d", id, on, len(w.Charges), len(today))
	}
	var before, after string
	for _, c := range whole[id] {
		if d := dateIn(c); d < on {
			before = d
		} else if d > on && after == "" {
			after = d
		}
	}
	if orEmpty(w.Nearest.Before) != before || orEmpty(w.Nearest.After) != after && after != "" {
		t.Errorf("%s on %s: nearest %s and %s, want %s and %s", id, on, orEmpty(w.Nearest.Before), orEmpty(w.Nearest.After), before, after)
	}
	got := map[string]string{}
	for _, o := range w.Other {
		got[o.Policy] = string(o.Charge)
	}
	want := map[string]string{}
	for policy, list := range others {
		if then := chargesOn(list[id], on); !slices.Equal(then, today) {
			want[policy] = last(then)
		}
	}
	if !maps.Equal(got, want) {
		t.Errorf("%s on %s: other readings\n%v, want\n%v", id, on, got, want)
	}
}

// chargesOn are the automatic charges of a day.
func chargesOn(charges []string, on string) []string {
	var list []string
	for _, c := range charges {
		if dateIn(c) == on && !strings.Contains(c, `"kind":"manual"`) {
			list = append(list, c)
		}
	}
	return list
}

func last(charges []string) string {
	if len(charges) == 0 {
		return "null"
	}
	return charges[len(charges)-1]
}

func orEmpty(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
