package record_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/clause"
	"github.com/chargecast/chargecast/internal/race"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/record"
)

func states() []record.StateLine {
	return []record.StateLine{
		{Profile: "order-1", State: engine.State{Status: engine.StatusActive, Repeat: 5, RanThrough: day("2026-03-01"), Paid: []calendar.Date{day("2026-03-01")}}},
		{Profile: "", State: engine.State{Status: engine.StatusStopped, Repeat: 1<<63 - 1, Stop: engine.Stop{Date: day("2026-03-01"), Reasons: engine.ReasonAPI}}},
		{Profile: "o\u2028\"\\", State: engine.State{
			Status: engine.StatusActive, Anchor: day("2026-01-31"), Last: day("9999-12-31"), Because: ledger.On(clause.L16),
			Missed: []calendar.Window{calendar.Through(day("2026-02-01"), day("2026-02-07"))},
		}},
	}
}

// fileOf returns a file with lines.
func fileOf[L json.Marshaler](t *testing.T, lines []L) *bytes.Buffer {
	t.Helper()
	file := new(bytes.Buffer)
	for _, l := range lines {
		text, err := l.MarshalJSON()
		if err != nil {
			t.Fatal(err)
		}
		file.Write(append(text, '\n'))
	}
	return file
}

// TestStatesRoundTrip: what is written is read back the same, an empty id included (E10), and
// so is what StateJoin keeps.
func TestStatesRoundTrip(t *testing.T) {
	file := fileOf(t, states())
	kept := record.NewStateJoin(day("9999-12-31"))
	var offset int64
	lines := strings.SplitAfter(file.String(), "\n")
	for i, want := range states() {
		want.Line, want.Offset = i+1, offset
		offset += int64(len(lines[i]))
		for l, err := range record.ReadStates(strings.NewReader(file.String())) {
			if err != nil {
				t.Fatal(err)
			}
			if l.Line != i+1 {
				continue
			}
			if !reflect.DeepEqual(l, want) {
				t.Errorf("%+v, want %+v", l, want)
			}
			if err := kept.Add(l); err != nil {
				t.Error(err)
			}
			text, err := json.Marshal(l)
			var back record.StateLine
			if err != nil || string(text)+"\n" != lines[i] || json.Unmarshal(text, &back) != nil || !reflect.DeepEqual(back.State, l.State) {
				t.Errorf("%s, %v", text, err)
			}
		}
		if l, ok, err := kept.Join(want.Profile, ledger.Place{Row: i + 1}); !ok || err != nil || !reflect.DeepEqual(l, want) {
			t.Errorf("%+v is kept, want %+v", l, want)
		}
	}
	if _, ok := kept.State("order-2"); ok || kept.Len() != 3 {
		t.Errorf("%d lines are kept", kept.Len())
	}
}

// TestReadStates: what a state file can be wrong in, and what of it is a warning.
func TestReadStates(t *testing.T) {
	for _, c := range []struct {
		reason, text string
		want         []string
	}{
		{"h232", "\ufeff{\"profile\":\"a\"}\r\n\n{\"profile\":\"b\"}", []string{"1:1 warning byte-order-mark", "1 a", "3 b"}},
		{"h243", `{"profile":"a","paid":["2026-01-31","2026-01-01","2026-01-31"]}`, []string{"1:1 warning state-paid-repeated", "1 a"}},
		{"h243 sorted", `{"profile":"a","paid":["2026-01-01","2026-01-31","2026-02-28"]}`, []string{"1 a"}},
		{"h236", "{\"profile\":\"a\"}\n{\"profile\":\"b\",\"repeat\":-1}\n{\"profile\":\"c\"}", []string{"1 a", "2:25 error state-repeat", "3 c"}},
		{"h259", `{"schema":"chargecast.state/2","profile":"a"}`, []string{"1:11 error json-unknown-field"}},
		{"h230", "null\n[]\n5", []string{"1:1 error json-type", "2:1 error json-type", "3:1 error json-type"}},
	} {
		var got []string
		for l, err := range record.ReadStates(strings.NewReader(c.text)) {
			if f, ok := errors.AsType[ledger.Finding](err); ok {
				got = append(got, fmt.Sprintf("%d:%d %s %s", f.Place.Line, f.Place.Col, f.Severity, f.Code))
			} else {
				got = append(got, fmt.Sprintf("%d %s", l.Line, l.Profile))
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.reason, got, c.want)
		}
	}
}

// TestTwoStatesOfOneProfile: the second line is refused with the place of the first.
func TestTwoStatesOfOneProfile(t *testing.T) {
	kept := record.NewStateJoin(day("2026-01-01"))
	var err error
	for l := range record.ReadStates(strings.NewReader("{\"profile\":\"a\",\"repeat\":1}\n{\"profile\":\"a\",\"repeat\":2}")) {
		err = kept.Add(l)
	}
	f, ok := errors.AsType[ledger.Finding](err)
	if s, _ := kept.State("a"); !ok || f.Code != "state-profile-duplicate" || f.Place.Line != 2 || f.Place.Offset != 27 || !strings.Contains(f.Message, "line 1") || s.Repeat != 1 {
		t.Errorf("%v", err)
	}
}

func script() []record.ScriptLine {
	on := func(s string, do engine.EventKind) engine.Step {
		return engine.Step{Event: engine.Event{Date: day(s), Kind: do}}
	}
	after := on("2026-01-16", engine.EventRun)
	after.After = true
	ui, api := on("2026-01-14", engine.EventResume), on("2026-01-14", engine.EventResumeByAPI)
	return []record.ScriptLine{
		{Step: on("2026-01-12", engine.EventStop)},
		{Profile: "a", Step: on("2026-01-13", engine.EventUpdate), Cells: []record.Cell{{Column: "start-date", Value: "11.01.2026"}, {Column: "amount"}}},
		{Step: on("2026-01-13", engine.EventUpdate)},
		{Profile: "a", Step: ui}, {Profile: "b\"\u202e", Step: api},
		{Step: on("2026-01-11", engine.EventCharge)}, {Step: on("2026-01-15", engine.EventNoRun)}, {Step: after},
		{IsOutcome: true, Repeat: 1<<63 - 1, Outcome: engine.OutcomeDeclined}, {Profile: "a", IsOutcome: true, Outcome: engine.OutcomeApproved},
	}
}

// TestScriptRoundTrip: AppendScriptLine is the inverse of ParseScriptLine, and ScriptJoin keeps the lines
// in their order.
func TestScriptRoundTrip(t *testing.T) {
	file := fileOf(t, script())
	var kept record.ScriptJoin
	want := script()
	n := 0
	for l, err := range record.ReadScript(file) {
		if err != nil {
			t.Fatal(err)
		}
		want[n].Line, want[n].Offset = l.Line, l.Offset
		for i := range want[n].Cells { // {"profile":"a","date":"2026-01-13","do":"update","set":{"start-date":"11.01.2026","amount":""}}
			want[n].Cells[i].Col = []int{57, 83}[i]
		}
		if l.Line != n+1 || !reflect.DeepEqual(l, want[n]) {
			t.Errorf("%+v, want %+v", l, want[n])
		}
		if err := kept.Add(l); err != nil {
			t.Error(err)
		}
		n++
	}
	var set []record.Cell
	update := func(cells []record.Cell) (u engine.Update) {
		set = append(set, cells...)
		return u
	}
	for profile, do := range map[string]string{
		"a": "stop update update resume charge no-run run", "b\"\u202e": "stop update resume-by-api charge no-run run", "c": "stop update charge no-run run",
	} {
		of := kept.Join(profile, update)
		var verbs []string
		for _, step := range of.Steps {
			verbs = append(verbs, step.Kind.String())
		}
		if got := strings.Join(verbs, " "); got != do || of.Outcomes[1<<63-1] != engine.OutcomeDeclined || len(of.Outcomes) != 1+strings.Count(profile, "a") {
			t.Errorf("%q: %q, want %q; %v", profile, got, do, of.Outcomes)
		}
	}
	if len(set) != 2 || set[0].Value != "11.01.2026" {
		t.Errorf("%+v", set)
	}
	err := kept.Add(record.ScriptLine{Line: 12, IsOutcome: true, Repeat: 1<<63 - 1})
	if f, ok := errors.AsType[ledger.Finding](err); !ok || f.Code != "script-outcome-twice" || f.Place.Line != 12 || !strings.Contains(f.Message, "line 9") {
		t.Errorf("a second outcome: %v", err)
	}
}

// TestUnusedLinesOfAScript: lines about a profile that is not there, and outcomes that no attempt had, are counted.
func TestUnusedLinesOfAScript(t *testing.T) {
	var j record.ScriptJoin
	for i, l := range []record.ScriptLine{
		{Profile: "gone", IsOutcome: true, Repeat: 1}, {Profile: "a", IsOutcome: true, Repeat: 1}, {IsOutcome: true, Repeat: 1},
		{IsOutcome: true, Repeat: 7}, {Profile: "skipped", IsOutcome: true, Repeat: 1}, {Profile: "a", IsOutcome: true, Repeat: 2},
	} {
		l.Line = i + 1
		if err := j.Add(l); err != nil {
			t.Fatal(err)
		}
	}
	for _, profile := range []string{"a", "b"} {
		j.Join(profile, nil)
		j.Attempted(profile, 1)
	}
	j.Skip("skipped")
	var got []string
	for f := range j.Unused() {
		got = append(got, strconv.Itoa(f.Place.Line)+" "+string(f.Code))
	}
	if want := []string{"1 script-profile-unknown"}; !slices.Equal(got, want) || j.UnusedLines() != 3 {
		t.Errorf("%q, want %q; %d lines, want 3", got, want, j.UnusedLines())
	}
}

// TestAppendScriptLineRefuses: what ParseScriptLine would refuse is not written.
func TestAppendScriptLineRefuses(t *testing.T) {
	lines := map[string]record.ScriptLine{"script-verb": {}, "state-repeat": {IsOutcome: true, Repeat: 1 << 63}, "script-outcome": {IsOutcome: true, Outcome: 9}}
	bad := func(code string, change func(l *record.ScriptLine)) {
		l := script()[1]
		change(&l)
		lines[code] = l
	}
	bad("date-syntax", func(l *record.ScriptLine) { l.Step.Date = calendar.Date{} })
	bad("json-duplicate-field", func(l *record.ScriptLine) { l.Cells = append(l.Cells, l.Cells[0]) })
	bad("nul-character", func(l *record.ScriptLine) { l.Cells[0].Value = "\x00" })
	bad("invalid-utf8", func(l *record.ScriptLine) { l.Profile = "\xff" })
	for code, l := range lines {
		b, err := record.AppendScriptLine([]byte("x"), l)
		if !errors.Is(err, ledger.Code(code)) || string(b) != "x" {
			t.Errorf("%s: %s, %v", code, b, err)
		}
	}
	for _, l := range []record.ScriptLine{
		{Step: engine.Step{Event: engine.Event{Date: day("2026-01-12")}}}, {Step: engine.Step{Event: engine.Event{Date: day("2026-01-12"), Kind: 99}}},
		{Step: engine.Step{Event: engine.Event{Date: day("2026-01-12"), Kind: engine.EventStop}}, Cells: []record.Cell{{}}},
	} {
		if _, err := record.AppendScriptLine(nil, l); err == nil {
			t.Errorf("%+v is written", l)
		}
	}
}

// TestEndlessBadLines: a source that never ends is read as far as the caller wants, in the memory of a
// line (C3).
func TestEndlessBadLines(t *testing.T) {
	for name, read := range map[string]func(io.Reader) func(func(error) bool){
		"states": func(r io.Reader) func(func(error) bool) {
			return func(yield func(error) bool) {
				for _, err := range record.ReadStates(r) {
					if !yield(err) {
						return
					}
				}
			}
		},
		"script": func(r io.Reader) func(func(error) bool) {
			return func(yield func(error) bool) {
				for _, err := range record.ReadScript(r) {
					if !yield(err) {
						return
					}
				}
			}
		},
	} {
		n := 0
		for err := range read(&endless{text: []byte("{\"profile\"}\n")}) {
			if !errors.Is(err, ledger.Code("json-syntax")) {
				t.Fatal(err)
			}
			if n++; n == 20 {
				break
			}
		}
		n = 0
		for err := range read(&endless{text: bytes.Repeat([]byte("x"), 4096)}) {
			if !errors.Is(err, ledger.Code("limit-line")) {
				t.Errorf("%s: %v", name, err)
			}
			n++
		}
		for err := range read(iotest.ErrReader(io.ErrClosedPipe)) {
			if n++; err != io.ErrClosedPipe {
				t.Errorf("%s: %v", name, err)
			}
		}
		if n != 2 {
			t.Errorf("%s: %d errors", name, n)
		}
	}
}

// heap returns the bytes that what make returns takes.
func heap(make func() any) uint64 {
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	kept := make()
	runtime.GC()
	runtime.ReadMemStats(&after)
	runtime.KeepAlive(kept)
	return after.HeapAlloc - min(before.HeapAlloc, after.HeapAlloc)
}

// TestMemoryOfFiles: many lines take at most so many bytes each beside the file and a buffer (C4).
func TestMemoryOfFiles(t *testing.T) {
	if race.Enabled {
		t.Skip("the race detector needs memory of its own")
	}
	const lines, each, buffers = 40_000, 256, 1 << 20
	for _, c := range []struct {
		name, format string
		states       bool
	}{
		{"short states", `{"profile":"order-%07d","repeat":5}`, true},
		{"states as we write them", `{"schema":"chargecast.state/1","profile":"order-%07d","status":"active","repeat":5,"ran_through":"2026-03-01","anchor":"2026-01-31","last":"2026-03-01","paid":["2026-03-01"]}`, true},
		{"events of a profile each", `{"profile":"order-%07d","date":"2026-01-12","do":"stop"}`, false},
		{"events of all profiles", `{"date":"2026-01-12","do":"charge"}`, false},
		{"updates", `{"profile":"order-%07d","date":"2026-01-12","do":"update","set":{"amount":"9.90"}}`, false},
		{"outcomes", `{"repeat":%d,"outcome":"declined"}`, false},
	} {
		size := 0
		source := &generated{lines: lines, line: func(b []byte, n int) []byte {
			from := len(b)
			if b = fmt.Appendf(b, c.format, n); !strings.Contains(c.format, "%") {
				b, _, _ = bytes.Cut(b, []byte("%!"))
			}
			b = append(b, '\n')
			size += len(b) - from
			return b
		}}
		used := heap(func() any {
			if c.states {
				s := record.NewStateJoin(day("2026-03-01"))
				for l, err := range record.ReadStates(source) {
					if err = errors.Join(err, s.Add(l)); err != nil {
						t.Fatal(err)
					}
				}
				return s
			}
			var s record.ScriptJoin
			for l, err := range record.ReadScript(source) {
				if err = errors.Join(err, s.Add(l)); err != nil {
					t.Fatal(err)
				}
			}
			return &s
		})
		if used > uint64(size)+lines*each+buffers {
			t.Errorf("%s: %d MiB for a file of %d MiB", c.name, used>>20, size>>20)
		}
		t.Logf("%s: %d bytes a line of %d", c.name, used/lines, size/lines)
	}
}

// generated is a file that is made while it is read.
type generated struct {
	lines, n int
	line     func(b []byte, n int) []byte
	rest     []byte
}

func (g *generated) Read(p []byte) (int, error) {
	for len(g.rest) < len(p) && g.n < g.lines {
		g.rest = g.line(g.rest, g.n)
		g.n++
	}
	if len(g.rest) == 0 {
		return 0, io.EOF
	}
	n := copy(p, g.rest)
	g.rest = append(g.rest[:0], g.rest[n:]...)
	return n, nil
}

// FuzzReadStates: no text makes the reader panic, and what it accepts is written and read back the
// same.
func FuzzReadStates(f *testing.F) {
	for _, l := range states() {
		text, _ := json.Marshal(l)
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var lines []record.StateLine
		for l, err := range record.ReadStates(bytes.NewReader(text)) {
			if err == nil {
				l.Line, l.Offset = len(lines)+1, 0
				lines = append(lines, l)
			}
		}
		file := fileOf(t, lines)
		n := 0
		for l, err := range record.ReadStates(file) {
			if l.Offset = 0; err != nil && !errors.Is(err, ledger.Code("state-paid-repeated")) || err == nil && !reflect.DeepEqual(l, lines[n]) {
				t.Errorf("%+v is read back as %+v, %v", lines[n], l, err)
			}
			if err == nil {
				n++
			}
		}
		if n != len(lines) {
			t.Errorf("%d lines of %d", n, len(lines))
		}
	})
}

// FuzzReadScript: as FuzzReadStates.
func FuzzReadScript(f *testing.F) {
	for _, l := range script() {
		text, _ := record.AppendScriptLine(nil, l)
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var lines []record.ScriptLine
		for l, err := range record.ReadScript(bytes.NewReader(text)) {
			if err == nil {
				l.Line, l.Offset = len(lines)+1, 0
				lines = append(lines, withoutPlaces(l))
			}
		}
		file := fileOf(t, lines)
		n := 0
		for l, err := range record.ReadScript(file) {
			if l.Offset = 0; err != nil || !reflect.DeepEqual(withoutPlaces(l), lines[n]) {
				t.Fatalf("%+v is read back as %+v, %v", lines[n], l, err)
			}
			n++
		}
		if n != len(lines) {
			t.Errorf("%d lines of %d", n, len(lines))
		}
	})
}

// withoutPlaces returns a line whose cells have no place in it.
func withoutPlaces(l record.ScriptLine) record.ScriptLine {
	l.Cells = slices.Clone(l.Cells)
	for i := range l.Cells {
		l.Cells[i].Col = 0
	}
	return l
}
