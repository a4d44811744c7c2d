package campaign

import (
	"encoding/json"
	"strconv"
	"strings"
)

// AppendText appends the report for people.
func (r Report) AppendText(dst []byte) []byte {
	if r.NoEngine != "" {
		dst = append(dst, "Native targets: the Go engine did not run: "+r.NoEngine+"\n  Their seeds and the inputs of the corpus were tried in this process.\n\n"...)
	}
	failed := 0
	for _, t := range r.Targets {
		for _, f := range t.Failures {
			failed++
			dst = append(dst, t.Name+" FAILS: "+f.where()+"\n"...)
		}
		if t.Mended > 0 {
			dst = append(dst, t.Name+": "+strconv.Itoa(t.Mended)+" inputs that failed in an earlier run hold now\n"...)
		}
		if t.Incomplete != "" {
			dst = append(dst, t.Name+": "+t.Incomplete+"\n"...)
		}
	}
	if g := r.Grid; g != nil {
		for _, message := range g.Failures {
			failed++
			dst = append(dst, "C30 FAILS on its grid: "+message+"\n"...)
		}
		dst = append(dst, "Grid of C30: "+strconv.FormatUint(g.Series, 10)+" series; "+strconv.FormatUint(g.All, 10)+" of "+strconv.FormatUint(g.Whole, 10)+" in all runs\n"...)
	}
	for _, t := range r.Targets {
		line := t.Name + strings.Repeat(" ", max(34-len(t.Name), 1))
		if t.Ran {
			line += strconv.FormatUint(t.Inputs, 10) + " inputs, " + strconv.Itoa(t.New) + " new, "
		} else {
			line += "no turn, "
		}
		dst = append(dst, line+strconv.Itoa(t.Corpus)+" kept\n"...)
	}
	verdict := "nothing failed"
	if failed > 0 {
		verdict = strconv.Itoa(failed) + " failures"
	}
	if r.Interrupted {
		verdict += "; interrupted"
	}
	return append(dst, "targets: "+verdict+"\n"...)
}

// where is where an input is kept, or the input itself. What a target says of it is in the JSON report alone, since it may hold
// generated card numbers and keys.
func (f Failure) where() string {
	if f.File != "" {
		return f.File + " in the corpus; copy it to fuzz/campaign/testdata/fuzz/NAME and run go test ./fuzz/campaign -run NAME"
	}
	return strconv.Quote(string(f.Input)) + "; --dir keeps such inputs"
}

// AppendJSON appends the report as one JSON document.
func (r Report) AppendJSON(dst []byte) []byte {
	type grid struct {
		Series   uint64   `json:"series"`
		All      uint64   `json:"all"`
		Whole    uint64   `json:"whole"`
		Failures []string `json:"failures"`
	}
	type failure struct {
		Input   []byte `json:"input"`
		Message string `json:"message"`
		File    string `json:"file,omitempty"`
	}
	type row struct {
		Name       string    `json:"name"`
		Inputs     uint64    `json:"inputs"`
		New        int       `json:"new"`
		Corpus     int       `json:"corpus"`
		Ran        bool      `json:"ran"`
		Incomplete string    `json:"incomplete,omitempty"`
		Failures   []failure `json:"failures"`
		Mended     int       `json:"mended,omitempty"`
	}
	out := struct {
		Schema      string `json:"schema"`
		OK          bool   `json:"ok"`
		Interrupted bool   `json:"interrupted,omitempty"`
		NoEngine    string `json:"no_engine,omitempty"`
		Grid        *grid  `json:"grid,omitempty"`
		Targets     []row  `json:"targets"`
	}{Schema: "chargecast.targets/1", OK: r.OK(), Interrupted: r.Interrupted, NoEngine: r.NoEngine, Targets: []row{}}
	if g := r.Grid; g != nil {
		out.Grid = &grid{g.Series, g.All, g.Whole, append([]string{}, g.Failures...)}
	}
	for _, t := range r.Targets {
		one := row{t.Name, t.Inputs, t.New, t.Corpus, t.Ran, t.Incomplete, []failure{}, t.Mended}
		for _, f := range t.Failures {
			one.Failures = append(one.Failures, failure(f))
		}
		out.Targets = append(out.Targets, one)
	}
	text, _ := json.Marshal(out) // of strings and numbers alone
	return append(append(dst, text...), '\n')
}
