package kit

import (
	"encoding/xml"
	"slices"
	"strconv"
	"strings"

	"github.com/chargecast/chargecast/internal/kit/laws"
	"github.com/chargecast/chargecast/internal/termtext"
)

// maxMessage is how much of what a law reports is shown: the implementation may have chosen most of it.
const maxMessage = 8000

// AppendText appends the report for people: what fails, which laws hold, and the verdict. Repro gives the command that repeats
// the case of a token; nil shows the token alone.
func (r Report) AppendText(dst []byte, repro func(token string) string) []byte {
	for _, m := range r.Mistakes {
		dst = append(dst, "A mistake in the protocol, said once; the laws that need the answer are not covered:\n"...)
		dst = append(laws.AppendIndented(dst, "  ", m), '\n')
	}
	for _, token := range r.Mended {
		dst = append(dst, token+" failed in an earlier run and holds now\n"...)
	}
	said := map[string]bool{}
	for _, l := range r.Results {
		if len(l.Failures) > 0 && !said[l.Failures[0].Message] {
			dst = l.appendFailure(dst, repro)
			if others := r.alike(l); len(others) > 0 && l.Failures[0].Token != "" {
				said[l.Failures[0].Message] = true
				dst = appendIDs(dst, "The same of:", others)
			}
		}
		for _, u := range l.Readings {
			dst = append(dst, l.Law.ID+" (clause "+l.Law.Clause+"): unspecified in "+strconv.Itoa(l.Unspecified)+" of "+strconv.Itoa(l.Cases)+
				" cases: the document is silent, and the answer fits another reading of "+u.Key+"\n"...)
			if u.Got != "" {
				dst = laws.AppendIndented(dst, "  ", "answered: "+u.Got)
				dst = laws.AppendIndented(dst, "  ", "the ledger: "+u.Want)
			}
			dst = append(appendRepro(dst, u.Token, repro), '\n')
		}
		if l.Skipped {
			dst = append(dst, l.Law.ID+" (clause "+l.Law.Clause+"): fails, as the skip list says\n\n"...)
		}
	}
	return r.appendSummary(dst)
}

// alike are the other laws that fail with the same message.
func (r Report) alike(of Result) (ids []string) {
	for _, l := range r.Results {
		if l.Law.ID != of.Law.ID && len(l.Failures) > 0 && l.Failures[0].Message == of.Failures[0].Message {
			ids = append(ids, l.Law.ID)
		}
	}
	return ids
}

// appendSummary appends which laws hold and which are not covered or not run, and the verdict.
func (r Report) appendSummary(dst []byte) []byte {
	var held, notRun, notReached []string
	cases, unjudged := 0, 0
	for _, l := range r.Results {
		cases += l.Cases
		switch {
		case l.NotRun:
			notRun = append(notRun, l.Law.ID)
		case l.Failed(), l.Skipped:
		case l.NotReached:
			notReached = append(notReached, l.Law.ID)
		case !l.Covered():
			unjudged++
		default:
			held = append(held, l.Law.ID)
		}
	}
	dst = appendIDs(dst, "Held:", held)
	dst = appendIDs(dst, "Not run:", notRun)
	dst = appendIDs(dst, "Not reached before the time was over:", notReached)
	for _, name := range r.Unknown {
		dst = append(dst, "No law has the id or pattern "+termtext.Visible(name)+"\n\n"...)
	}
	dst = append(dst, termtext.Visible(r.Impl)+": "+r.verdict()+"; "+strconv.Itoa(r.Judged())+" judged on "+strconv.Itoa(cases)+" cases, "+strconv.Itoa(unjudged)+" not covered, "...)
	if r.Restarts > 0 {
		dst = append(dst, "started again "+strconv.Itoa(r.Restarts)+" times, "...)
	}
	dst = append(dst, "seed "+strconv.FormatUint(r.Seed, 10)...)
	if r.Ended != "" {
		dst = append(dst, "; ended early: "+r.Ended...)
	}
	if r.Interrupted {
		dst = append(dst, "; interrupted"...)
	}
	return append(dst, '\n')
}

// verdict is what the report comes to. A law that fails as the skip list says does not hold all the same.
func (r Report) verdict() string {
	skipped := r.number(func(l Result) bool { return l.Skipped })
	switch failed := r.number(func(l Result) bool { return len(l.Failures) > 0 }); {
	case failed > 0:
		return strconv.Itoa(failed) + " of " + strconv.Itoa(len(r.Results)) + " laws failed"
	case r.Judged() == 0:
		return "no law was judged"
	case skipped > 0:
		return "all laws that were judged hold, but for " + strconv.Itoa(skipped) + " on the skip list"
	}
	return "all laws that were judged hold"
}

func (l Result) appendFailure(dst []byte, repro func(token string) string) []byte {
	dst = append(dst, l.Law.ID+" FAILS (clause "+l.Law.Clause+"): "+l.Law.Sentence+"\n"...)
	for _, f := range l.Failures {
		dst = laws.AppendIndented(dst, "  ", f.Text())
		dst = f.Counterexample.AppendText(dst)
		dst = appendRepro(dst, f.Token, repro)
	}
	return append(dst, '\n')
}

// appendRepro appends how a case is repeated; nothing for a law that holds, which has no token.
func appendRepro(dst []byte, token string, repro func(token string) string) []byte {
	switch {
	case token == "":
		return dst
	case repro != nil:
		token = repro(token)
	}
	return append(dst, "  again:\n    "+token+"\n"...)
}

func appendIDs(dst []byte, title string, ids []string) []byte {
	if len(ids) == 0 {
		return dst
	}
	slices.Sort(ids)
	dst = append(dst, title...)
	at := len(title)
	for _, id := range ids {
		if at+1+len(id) > 80 {
			dst, at = append(dst, "\n "...), 1
		}
		dst = append(append(dst, ' '), id...)
		at += 1 + len(id)
	}
	return append(dst, "\n\n"...)
}

// AppendJUnit appends the report as a test suite with a case for every law. Repro is that of [Report.AppendText].
func (r Report) AppendJUnit(dst []byte, repro func(token string) string) []byte {
	notRun, errors := r.number(func(l Result) bool { return l.NotRun }), ""
	if n := notRun + len(r.Unknown); n > 0 {
		errors = `" errors="` + strconv.Itoa(n)
	}
	failed := r.number(func(l Result) bool { return len(l.Failures) > 0 })
	dst = append(dst, `<?xml version="1.0" encoding="UTF-8"?>`+"\n"+`<testsuite name="chargecast-conform" tests="`+strconv.Itoa(len(r.Results)+len(r.Unknown))+
		`" failures="`+strconv.Itoa(failed)+errors+`" skipped="`+strconv.Itoa(len(r.Results)-r.Judged()-notRun)+`">`+"\n"...)
	for _, name := range r.Unknown {
		dst = append(dst, `<testcase classname="chargecast.conform" name="`+escaped(name)+`"><error type="unknown" message="no law has this id or pattern"/></testcase>`+"\n"...)
	}
	for _, l := range r.Results {
		dst = append(dst, `<testcase classname="chargecast.conform" name="`+escaped(l.Law.ID+" "+l.Law.Sentence)+`">`...)
		switch {
		case len(l.Failures) > 0:
			dst = append(dst, `<failure type="`+l.Law.ID+`" message="`+escaped("clause "+l.Law.Clause)+`">`+escaped(string(l.appendFailure(nil, repro)))+`</failure>`...)
		case l.NotRun:
			dst = append(dst, `<error type="not-run" message="not run: `+escaped(r.Ended)+`"/>`...)
		case !l.Covered():
			dst = append(dst, `<skipped message="not covered"/>`...)
		case l.Unspecified > 0:
			dst = append(dst, `<system-out>`+escaped("unspecified in "+strconv.Itoa(l.Unspecified)+" cases: "+strings.Join(l.keys(), ", "))+`</system-out>`...)
		}
		dst = append(dst, "</testcase>\n"...)
	}
	return append(dst, "</testsuite>\n"...)
}

// keys are the policy keys of the readings that answers fit.
func (r Result) keys() (keys []string) {
	for _, u := range r.Readings {
		keys = append(keys, u.Key)
	}
	return keys
}

// escaped is text for an XML document.
func escaped(s string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(s)) // a Builder does not fail
	return b.String()
}

// AppendJSON appends the report as one JSON document.
func (r Report) AppendJSON(dst []byte) []byte {
	type shown struct {
		CSV     string `json:"csv"`
		Command string `json:"command"`
	}
	type failure struct {
		Token          string `json:"token"`
		Message        string `json:"message"`
		Counterexample shown  `json:"counterexample"`
	}
	type reading struct {
		Key   string `json:"key"`
		Token string `json:"token"`
		Got   string `json:"answered,omitempty"`
		Want  string `json:"ledger,omitempty"`
	}
	type law struct {
		ID          string    `json:"id"`
		Clause      string    `json:"clause"`
		Cases       int       `json:"cases"`
		Covered     bool      `json:"covered"`
		NotRun      bool      `json:"not_run,omitempty"`
		Skipped     bool      `json:"skipped,omitempty"`
		NotReached  bool      `json:"not_reached,omitempty"`
		Unspecified int       `json:"unspecified"`
		Readings    []reading `json:"readings,omitempty"`
		Failures    []failure `json:"failures"`
	}
	out := struct {
		Name     string   `json:"name"`
		Seed     uint64   `json:"seed"`
		OK       bool     `json:"ok"`
		Stopped  bool     `json:"interrupted,omitempty"`
		Ended    string   `json:"ended,omitempty"`
		Restarts int      `json:"restarts,omitempty"`
		Unknown  []string `json:"unknown,omitempty"`
		Mistakes []string `json:"mistakes,omitempty"`
		Mended   []string `json:"mended,omitempty"`
		Laws     []law    `json:"laws"`
	}{r.Impl, r.Seed, r.OK(), r.Interrupted, r.Ended, r.Restarts, r.Unknown, r.Mistakes, r.Mended, []law{}}
	for _, l := range r.Results {
		one := law{ID: l.Law.ID, Clause: l.Law.Clause, Cases: l.Cases, Covered: l.Covered(), NotRun: l.NotRun, Skipped: l.Skipped, NotReached: l.NotReached, Unspecified: l.Unspecified, Failures: []failure{}}
		for _, u := range l.Readings {
			one.Readings = append(one.Readings, reading{u.Key, u.Token, u.Got, u.Want})
		}
		for _, f := range l.Failures {
			one.Failures = append(one.Failures, failure{f.Token, f.Text(), shown(f.Counterexample)})
		}
		out.Laws = append(out.Laws, one)
	}
	text, _ := laws.Marshal(out) // of strings and numbers alone
	return append(dst, text...)
}
