package campaign

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chargecast/chargecast/fuzz"
	"github.com/chargecast/chargecast/fuzz/gallery"
	"github.com/chargecast/chargecast/fuzz/gen"
	"github.com/chargecast/chargecast/fuzz/laws"
)

// member is a known-wrong implementation.
func member(t *testing.T, name string) *fuzz.Impl {
	t.Helper()
	for _, m := range gallery.Members() {
		if m.Name == name {
			impl := m.Impl()
			return &impl
		}
	}
	t.Fatalf("the gallery has no %s", name)
	return nil
}

func run(t *testing.T, o Options) Report {
	t.Helper()
	r, err := Run(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func forms(r Report) [3]string {
	return [3]string{string(r.AppendText(nil)), string(r.AppendJSON(nil)), string(r.AppendHTML(nil))}
}

// files are the files of a directory by name.
func files(t *testing.T, dir string) map[string]string {
	t.Helper()
	found := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		name, _ := filepath.Rel(dir, path)
		found[filepath.ToSlash(name)] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// TestSameBytes: a campaign by number of cases gives the same report and the same corpus with any number of
// workers.
func TestSameBytes(t *testing.T) {
	var reports [2][3]string
	var kept [2]map[string]string
	for i, workers := range []int{1, 5} {
		dir, seed := t.TempDir(), uint64(3)
		r := run(t, Options{Impl: member(t, "month-drift"), Laws: []string{"C07", "C09", "C12", "C24", "T01", "V06"}, Cases: 300, Seed: &seed, Dir: dir, Workers: workers})
		reports[i], kept[i] = forms(r), files(t, dir)
		if r.OK() || r.Elapsed != 0 {
			t.Errorf("%d findings, %v", len(r.Findings), r.Elapsed)
		}
	}
	if reports[0] != reports[1] {
		t.Errorf("%s\n%s", reports[0][0], reports[1][0])
	}
	for name, text := range kept[0] {
		if kept[1][name] != text {
			t.Errorf("%s differs:\n%s\n%s", name, text, kept[1][name])
		}
	}
	if len(kept[0]) != len(kept[1]) {
		t.Errorf("%d files and %d", len(kept[0]), len(kept[1]))
	}
}

// TestDamagedCorpus: a state whose numbers no campaign comes to, and a finding that names neither law nor target, are
// refused; a state that does not say which classes were met has met none.
func TestDamagedCorpus(t *testing.T) {
	for _, c := range []struct{ name, file, text, says string }{
		{"next case behind the last", stateFile, `{"schema":"chargecast.corpus/1","laws":{"C07":{"next":18446744073709551615}}}`, "not the state of a campaign"},
		{"cases that no sum can hold", stateFile, `{"schema":"chargecast.corpus/1","laws":{"C07":{"cases":18446744073709551615}}}`, "not the state of a campaign"},
		{"campaigns below none", stateFile, `{"schema":"chargecast.corpus/1","campaigns":-1}`, "not the state of a campaign"},
		{"inputs that no sum can hold", stateFile, `{"schema":"chargecast.corpus/1","targets":{"FuzzA":{"inputs":18446744073709551615}}}`, "not the state of a campaign"},
		{"a finding of nothing", findingsDir + "/a.json", `{"schema":"` + findingSchema + `","id":"a"}`, "not a finding"},
		{"classes that are not named", stateFile, `{"schema":"chargecast.corpus/1"}`, ""},
		{"a class twice", stateFile, `{"schema":"chargecast.corpus/1","unmet":["` + allPairs()[0] + `","` + allPairs()[0] + `"]}`, ""},
	} {
		dir := t.TempDir()
		if err := os.MkdirAll(filepath.Join(dir, findingsDir), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, c.file), []byte(c.text), 0o666); err != nil {
			t.Fatal(err)
		}
		r, err := Run(t.Context(), Options{Laws: []string{"T05"}, Cases: 5, Dir: dir, Workers: 1})
		switch {
		case c.says != "":
			if !errors.Is(err, ErrCorpus) || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%s: %v", c.name, err)
			}
		case err != nil || !slices.ContainsFunc(r.Pairs, func(p Pair) bool { return p.Met < p.Possible }):
			t.Errorf("%s: %v, %+v", c.name, err, r.Pairs)
		}
	}
}

// TestNoHalfFiles: a file that cannot be put in its place leaves no half of it.
func TestNoHalfFiles(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "file")
	if err := os.MkdirAll(filepath.Join(path, "in the way"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := place(path+".tmp", path, []byte("text")); err == nil {
		t.Error("a directory is replaced")
	}
	if _, err := os.Stat(path + ".tmp"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the half file: %v", err)
	}
}

// TestResumed: a campaign goes on where the last one ended, knows its findings, and sees that they are mended.
func TestResumed(t *testing.T) {
	dir := t.TempDir()
	o := Options{Impl: member(t, "month-drift"), Laws: []string{"C07", "C12"}, Cases: 300, Dir: dir}
	first := run(t, o)
	if first.New() == 0 || first.New() != len(first.Findings) || len(first.Findings) > mostFindings {
		t.Fatalf("findings: %s", forms(first)[0])
	}
	for _, f := range first.Findings {
		if f.Law != "C12" || f.Token == "" || !f.Fails() {
			t.Errorf("%+v", f)
		}
	}
	second := run(t, o)
	if second.Campaigns != 2 || second.Laws[0].ID != "C07" || second.Laws[0].Cases != 300 || second.Laws[0].All != 600 {
		t.Errorf("the second campaign: %+v", second.Laws[0])
	}
	for _, f := range first.Findings {
		i := slices.IndexFunc(second.Findings, func(g Finding) bool { return g.ID == f.ID })
		if i < 0 || second.Findings[i].New || !second.Findings[i].Fails() {
			t.Errorf("%s is not known to the second campaign", f.ID)
		}
	}
	o.Impl = nil
	third := run(t, o)
	if !third.OK() || len(third.Findings) == 0 || third.Findings[0].state() != "holds now" {
		t.Errorf("mended: %s", forms(third)[0])
	}
	o.Impl = member(t, "month-drift")
	if again := run(t, o); again.OK() {
		t.Error("what failed, held and fails again is not reported")
	}
}

// TestOtherSeed begins anew under another seed and remembers the first.
func TestOtherSeed(t *testing.T) {
	dir, seed := t.TempDir(), uint64(9)
	o := Options{Laws: []string{"C07"}, Cases: 100, Dir: dir}
	run(t, o)
	o.Seed = &seed
	r := run(t, o)
	var s state
	if err := json.Unmarshal([]byte(files(t, dir)[stateFile]), &s); err != nil {
		t.Fatal(err)
	}
	if r.Seed != 9 || !slices.Equal(s.Seeds, []uint64{0}) || s.Laws["C07"] != (lawState{100, 200}) {
		t.Errorf("%+v", s)
	}
	o.Seed = nil
	if r := run(t, o); r.Seed != 9 {
		t.Errorf("seed %d without a choice, want that of the corpus", r.Seed)
	}
}

// TestInterrupted: a campaign that is interrupted ends with a report and a corpus that the next one can read.
func TestInterrupted(t *testing.T) {
	dir := t.TempDir()
	ctx, stop := context.WithCancel(t.Context())
	stop()
	r, err := Run(ctx, Options{Laws: []string{"C", "T"}, Dir: dir})
	if err != nil || !r.Interrupted || !strings.Contains(string(r.AppendText(nil)), "; interrupted\n") {
		t.Errorf("%v: %s", err, r.AppendText(nil))
	}
	if r := run(t, Options{Laws: []string{"C07"}, Cases: 10, Dir: dir}); r.Campaigns != 2 || r.Interrupted {
		t.Errorf("afterwards: %+v", r)
	}
}

// TestBadCorpus: what is not a corpus is refused, and left as it is.
func TestBadCorpus(t *testing.T) {
	for _, c := range []struct{ name, text, reason string }{
		{stateFile, "", "an empty state"},
		{stateFile, "null", "JSON without a schema"},
		{stateFile, `{"schema":"chargecast.corpus/2"}`, "another schema"},
		{stateFile, `{"schema":"chargecast.corpus/1","laws":[]}`, "a wrong type"},
		{stateFile, `{"schema":"chargecast.corpus/1","grid":-1}`, "a number below zero"},
		{findingsDir + "/x.json", `{"schema":"chargecast.finding/1","id":"y"}`, "a finding under another name"},
		{findingsDir + "/x.json", `[`, "broken JSON"},
	} {
		dir := t.TempDir()
		path := filepath.Join(dir, filepath.FromSlash(c.name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(c.text), 0o600)); err != nil {
			t.Fatal(err)
		}
		_, err := Run(t.Context(), Options{Laws: []string{"C07"}, Cases: 1, Dir: dir})
		if !errors.Is(err, ErrCorpus) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", c.reason, err)
		}
		if text, _ := os.ReadFile(path); string(text) != c.text {
			t.Errorf("%s: the file was changed", c.reason)
		}
	}
}

// TestOddState: a state with numbers out of range, of other generators and of laws that do not exist is read.
func TestOddState(t *testing.T) {
	dir := t.TempDir()
	text := `{"schema":"chargecast.corpus/1","generators":"cc0","seed":18446744073709551615,"grid":99999999999,"unmet":["a"],"laws":{"C07":{"next":5,"cases":7},"ZZ":{"next":1}},"targets":null,"after":"nobody"}`
	if err := os.WriteFile(filepath.Join(dir, stateFile), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	r := run(t, Options{Laws: []string{"C07", "C30"}, Cases: 10, Dir: dir})
	if r.Laws[0].All != 17 || r.Grid.All != r.Grid.Whole || r.Seed != 1<<64-1 {
		t.Errorf("%+v %+v", r.Laws, r.Grid)
	}
	if !strings.Contains(files(t, dir)[stateFile], `"generators": "cc2"`) {
		t.Error("the version of the generators is not kept")
	}
}

// TestTwoAtOnce: a corpus belongs to one campaign at a time, and to the next once that is over.
func TestTwoAtOnce(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("directories cannot be locked")
	}
	dir := t.TempDir()
	c, _, err := openCorpus(dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Run(t.Context(), Options{Laws: []string{"C07"}, Cases: 1, Dir: dir}); !errors.Is(err, ErrCorpus) || !strings.Contains(err.Error(), "another campaign") {
		t.Errorf("%v", err)
	}
	c.close()
	for range 2 {
		run(t, Options{Laws: []string{"C07"}, Cases: 1, Dir: dir})
	}
}

// TestUnwritable: a corpus that cannot be written is an error, and the report is complete.
func TestUnwritable(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, stateFile+".tmp"), 0o700); err != nil {
		t.Fatal(err)
	}
	r, err := Run(t.Context(), Options{Laws: []string{"C07"}, Cases: 10, Dir: dir})
	if !errors.Is(err, ErrKeep) || r.Cases() != 10 || strings.ContainsAny(err.Error(), "\n") || strings.Contains(err.Error(), dir) {
		t.Errorf("%d cases, %v", r.Cases(), err)
	}
	if err := os.WriteFile(filepath.Join(dir, "file"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	r, err = Run(t.Context(), Options{Laws: []string{"C07"}, Cases: 10, Dir: filepath.Join(dir, "file", "below")})
	if err == nil || r.Campaigns != 0 {
		t.Errorf("a directory below a file: %v", err)
	}
}

// TestUnknown: a pattern that names nothing is refused.
func TestUnknown(t *testing.T) {
	for _, o := range []Options{{Laws: []string{"C07", "Q1"}}, {Targets: []string{"FuzzNothing"}}, {Targets: []string{""}}, {Laws: []string{"["}}} {
		if _, err := Run(t.Context(), o); !errors.Is(err, ErrUnknown) {
			t.Errorf("%v %v: %v", o.Laws, o.Targets, err)
		}
	}
}

// TestFindingsAreTold: a finding can be read back from its file, replays by its token, and is one however often
// it is met.
func TestFindingsAreTold(t *testing.T) {
	dir := t.TempDir()
	r := run(t, Options{Impl: member(t, "max-plus-one"), Laws: []string{"R04"}, Cases: 200, Dir: dir})
	if len(r.Findings) == 0 {
		t.Fatal("nothing was found")
	}
	for _, f := range r.Findings {
		var read Finding
		if err := json.Unmarshal([]byte(files(t, dir)[f.file()]), &read); err != nil || read.CSV == "" || read.Clause == "" || read.Schema != findingSchema {
			t.Errorf("%v: %+v", err, read)
		}
		again, fails := replay(*member(t, "max-plus-one"), f.Token, time.Minute)
		if !fails || again.named().ID != f.ID {
			t.Errorf("%s replays as %+v", f.ID, again)
		}
		if !strings.HasPrefix(f.ID, "r04-") || len(f.ID) > 100 {
			t.Errorf("the name %s", f.ID)
		}
	}
}

// TestReportsHoldNoPayload: reports have no word of a case that may hold cards or keys.
func TestReportsHoldNoPayload(t *testing.T) {
	const card, code = "4111111111111111", "<b>987</b>"
	r := Report{
		NoEngine: "<script>alert(1)</script>",
		Laws:     []Law{{ID: "V06", Formula: "a < b & c", Clause: "2.1", Cases: 1, Findings: 1}},
		Unmet:    []string{"<i>"},
		Targets:  []Target{{Name: "Fuzz<u>", Incomplete: "\x1b[31m"}},
		Findings: []Finding{
			Finding{Law: "V06", Message: "row 1 is " + card + code, CSV: card}.named(),
			Finding{Target: "FuzzPayload_Fix_Twice", Message: "panic: " + card, Input: []byte(card)}.named(),
			Finding{Law: "T01", Formula: "<em>", Message: "\x1b[2J<img src=x>\nand " + card, CSV: card}.named(),
		},
	}
	for i, form := range forms(r) {
		for _, never := range []string{card, "987", "\x1b"} {
			if strings.Contains(form, never) {
				t.Errorf("form %d has %q:\n%s", i, never, form)
			}
		}
	}
	page := forms(r)[2]
	for _, tag := range []string{"<script", "<img", "<em>", "<i>", "<u>", "http:", "https:"} {
		if strings.Contains(page, tag) {
			t.Errorf("the page has %s", tag)
		}
	}
	if !strings.Contains(page, "a &lt; b &amp; c") {
		t.Error("the page lacks a formula")
	}
}

// TestPlainLaws: the messages that reports show come from cases without cards and keys.
func TestPlainLaws(t *testing.T) {
	for _, l := range lawsOf(nil) {
		c := laws.Source{Seed: 1}.Case(must(fuzz.Find(l.id)), 0)
		_, isPayload := c.Value.(gen.PayloadCase)
		if isPayload && (Finding{Law: l.id, Message: "shown"}).summary() == "shown" {
			t.Errorf("%s reads payloads, and its messages are shown", l.id)
		}
	}
}

func must(l fuzz.Law, _ bool) fuzz.Law { return l }

// TestJSON: the report is one line of JSON whose numbers agree with the text.
func TestJSON(t *testing.T) {
	text := run(t, Options{Laws: []string{"C07", "T01", "C24"}, Cases: 50}).AppendJSON(nil)
	if bytes.Count(text, []byte("\n")) != 1 {
		t.Errorf("%s", text)
	}
	var r struct {
		Schema string
		Cases  int
		Laws   []struct {
			ID    string
			Cases int
		}
		Findings []any
	}
	if err := json.Unmarshal(text, &r); err != nil || r.Schema != reportSchema || r.Cases != 101 || len(r.Laws) != 3 || r.Findings == nil {
		t.Errorf("%v: %s", err, text)
	}
}
