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
	text, _ := json.Marshal(struct { // of strings and numbers alone
		Schema string `json:"schema"`
		OK     bool   `json:"ok"`
		Report
	}{"chargecast.targets/1", r.OK(), r})
	return append(append(dst, text...), '\n')
}
