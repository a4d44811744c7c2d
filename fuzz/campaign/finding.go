package campaign

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"strings"
)

// A Finding is a failing case: of a law, or of a native target. Its JSON form is a vector, one
// finding a file.
type Finding struct {
	Schema string `json:"schema"`
	// ID is the name of the finding, made of its law or target, words and a check sum of the
	// counterexample.
	ID      string `json:"id"`
	Law     string `json:"law,omitempty"`
	Clause  string `json:"clause,omitempty"`
	Formula string `json:"formula,omitempty"`
	Target  string `json:"target,omitempty"`
	Verdict string `json:"verdict"` // "fails" or, since a later campaign, "holds"
	// Token replays the case while the generators stay as they are; empty for an input of a target.
	Token   string `json:"token,omitempty"`
	Message string `json:"message"`
	CSV     string `json:"csv,omitempty"` // the payload; empty for a case without one
	Command string `json:"command,omitempty"`
	Input   []byte `json:"input,omitempty"` // of a target
	// ShrinkStopped is why the search for a simpler case stopped early; empty if it did not.
	ShrinkStopped string `json:"shrink_stopped,omitempty"`
	// Grid is the number of the start of a finding of the grid of law C30, counted from 1; 0 for
	// others.
	Grid uint64 `json:"grid,omitempty"`
	New  bool   `json:"-"` // first found in this campaign
}

const findingSchema = "chargecast.finding/1"

// Fails reports whether the case failed when it was judged last.
func (f Finding) Fails() bool { return f.Verdict != "holds" }

// named returns the finding with its name. Equal findings have one name: a case without a payload
// is identified by its message.
func (f Finding) named() Finding {
	h := sha256.New()
	about := []string{f.Law, f.Target, string(f.Input)}
	switch {
	case f.CSV != "":
		about = append(about, f.CSV, f.Command)
	case f.Target == "":
		about = append(about, f.Message)
	}
	for _, part := range about {
		h.Write(append([]byte(part), 0))
	}
	f.Schema, f.Verdict = findingSchema, "fails"
	words := f.Target
	if f.Law != "" {
		words = f.Law + " " + f.Formula
	}
	f.ID = slug(words, 6) + "-" + hex.EncodeToString(h.Sum(nil))[:10]
	return f
}

// slug is the first words of a text as part of a file's name.
func slug(text string, most int) string {
	words := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return (r < 'a' || r > 'z') && (r < '0' || r > '9') })
	return strings.Join(words[:min(most, len(words))], "-")
}

// plainLaws are the groups whose cases hold dates, amounts and events alone. The messages of the
// others may hold generated card numbers and keys, and are in the finding's file only.
const plainLaws = "ACERTXY"

// summary is what a report may show of a finding's message: its first line.
func (f Finding) summary() string {
	if f.Law == "" || !strings.Contains(plainLaws, f.Law[:1]) {
		return "the message is in " + f.file()
	}
	line, _, _ := strings.Cut(f.Message, "\n")
	const most = 300
	if runes := []rune(line); len(runes) > most {
		line = string(runes[:most]) + "…"
	}
	return line
}

// file is where the finding is kept, below the directory of the corpus.
func (f Finding) file() string { return findingsDir + "/" + f.ID + ".json" }

// again is the command that reproduces the finding.
func (f Finding) again() string {
	switch {
	case f.Token != "" && f.judgeable():
		return "chargecast-conform repro " + f.Token
	case f.Target != "":
		in := strings.TrimPrefix(targetPackage, "./") + "/testdata/fuzz/" + f.Target
		return "copy " + findingsDir + "/" + f.Target + "/" + f.ID + " to " + in + ", then: go test " + targetPackage + " -run '^" + f.Target + "$'"
	}
	return ""
}

// judgeable reports whether the finding can be judged again: an index of other generators names
// another case.
func (f Finding) judgeable() bool {
	return f.Token == "" || strings.HasPrefix(f.Token, generators+":")
}

func (f Finding) marshal() []byte {
	text, _ := json.MarshalIndent(f, "", "  ") // of strings alone
	return append(text, '\n')
}
