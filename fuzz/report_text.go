package fuzz

import (
	"cmp"
	"encoding/xml"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/chargecast/chargecast/fuzz/laws"
)

// maxMessage is how much of what a law reports is shown: the implementation may have chosen most of
// it.
const maxMessage = 8000

// shown is the message as reports have it.
func (f Failure) shown() string { return laws.Cut(strings.TrimRight(f.Message, "\n"), maxMessage) }

// AppendText appends the report for people: a line for each law, what fails, and the verdict. Replay gives the command that
// replays a token; nil shows the token alone.
func (r Report) AppendText(dst []byte, replay func(token string) string) []byte {
	dst = r.appendLaws(dst)
	for _, l := range r.Results {
		if len(l.Failures) > 0 && !l.NotRun {
			dst = l.appendFailure(dst, replay)
		}
		if l.Unspecified > 0 {
			dst = append(dst, l.Law.ID+" (clause "+l.Law.Clause+"): unspecified in "+strconv.Itoa(l.Unspecified)+" of "+strconv.Itoa(l.Cases)+
				" cases: the document is silent, and the answer fits another reading of "+strings.Join(l.Keys, ", ")+"\n\n"...)
		}
		if l.Skipped {
			dst = append(dst, l.Law.ID+" (clause "+l.Law.Clause+"): fails, as the skip list says\n\n"...)
		}
	}
	return r.appendSummary(dst)
}

// appendSummary appends which laws hold and which are not covered or not run, and the verdict.
func (r Report) appendSummary(dst []byte) []byte {
	var held, unjudged, notRun, notReached []string
	for _, l := range r.Results {
		switch {
		case l.NotRun:
			notRun = append(notRun, l.Law.ID)
		case l.Failed():
		case l.NotReached:
			notReached = append(notReached, l.Law.ID)
		case !l.Covered():
			unjudged = append(unjudged, l.Law.ID)
		case !l.Skipped:
			held = append(held, l.Law.ID)
		}
	}
	slices.Sort(held)
	slices.Sort(unjudged)
	slices.Sort(notRun)
	slices.Sort(notReached)
	dst = appendIDs(dst, "Held:", held)
	dst = appendIDs(dst, "Not covered:", unjudged)
	dst = appendIDs(dst, "Not run, as the program had failed too often before:", notRun)
	dst = appendIDs(dst, "Not reached before the time was over:", notReached)
	for _, name := range r.Unknown {
		dst = append(dst, "No law has the id or pattern "+laws.Visible(name)+"\n\n"...)
	}
	return append(dst, laws.Visible(r.Impl)+": "+r.verdict()+"; "+strconv.Itoa(r.Judged())+" judged, "+strconv.Itoa(len(unjudged))+
		" not covered, "+notRunText(len(notRun))+"seed "+strconv.FormatUint(r.Seed, 10)+r.interruption()+"\n"...)
}

// appendLaws appends what was judged by law, and what more cases may find: the classes of input that cases met, of those that there
// are, how many of them no earlier run of the corpus had met, how many cases ago the last new one was met, and the share of classes
// that a single case met. In a run by time each law has the part of the time that its cases took, and the last line how many cases
// there were.
func (r Report) appendLaws(dst []byte) []byte {
	head := false
	for _, l := range r.Results {
		for _, token := range l.Mended {
			dst = append(dst, l.Law.ID+": "+token+" failed in an earlier run and holds now\n"...)
		}
	}
	for _, l := range r.Results {
		if !l.Covered() {
			continue
		}
		if !head {
			dst, head = append(dst, "Law        cases  classes met    new    cases since  met once"...), true
			if r.took > 0 {
				dst = append(dst, "    time"...)
			}
			dst = append(dst, '\n')
		}
		line := pad(l.Law.ID, -5) + pad(strconv.Itoa(l.Cases), 11)
		if !l.Law.Once {
			met := strconv.Itoa(l.Met)
			if l.Possible > 0 {
				met += " of " + strconv.Itoa(l.Possible)
			}
			line += pad(met, 13) + pad(strconv.Itoa(l.New), 7) + pad(strconv.Itoa(l.Since), 15) + pad(percent(l.Single, l.Met), 10)
		}
		if r.took > 0 {
			line = pad(line, -61) + pad(percent(l.spent, r.took), 8)
		}
		dst = append(append(dst, line...), '\n')
	}
	if head {
		dst = append(r.appendRate(dst), '\n')
	}
	return dst
}

// appendRate appends how many cases there were in a run by time, and which law took most of it.
func (r Report) appendRate(dst []byte) []byte {
	if r.took == 0 {
		return dst
	}
	cases := 0
	for _, l := range r.Results {
		cases += l.Cases
	}
	most := slices.MaxFunc(r.Results, func(a, b Result) int { return cmp.Compare(a.spent, b.spent) })
	return append(dst, strconv.Itoa(cases)+" cases in "+r.took.Round(time.Second).String()+", "+strconv.Itoa(int(float64(cases)/r.took.Hours()))+
		" an hour; "+most.Law.ID+" took most of the time, "+percent(most.spent, r.took)+"\n"...)
}

// percent is a part of a whole, with one decimal.
func percent[N int | time.Duration](part, whole N) string {
	tenths := 1000 * int64(part) / max(int64(whole), 1)
	return strconv.FormatInt(tenths/10, 10) + "." + strconv.FormatInt(tenths%10, 10) + " %"
}

// pad makes a text so long, to the right; to the left for a negative length.
func pad(text string, length int) string {
	if length < 0 {
		return text + strings.Repeat(" ", max(-length-len(text), 0))
	}
	return strings.Repeat(" ", max(length-len(text), 1)) + text
}

// verdict is what the report comes to. A law that fails as the skip list says does not hold all the same.
func (r Report) verdict() string {
	skipped := 0
	for _, l := range r.Results {
		if l.Skipped {
			skipped++
		}
	}
	switch failed := r.broken(); {
	case failed > 0:
		return strconv.Itoa(failed) + " of " + strconv.Itoa(len(r.Results)) + " laws failed"
	case r.Judged() == 0:
		return "no law was judged"
	case skipped > 0:
		return "all laws that were judged hold, but for " + strconv.Itoa(skipped) + " on the skip list"
	}
	return "all laws that were judged hold"
}

// interruption tells of a run that was stopped.
func (r Report) interruption() string {
	if r.Interrupted {
		return "; interrupted"
	}
	return ""
}

// notRunText counts the laws that were not run, if there are any.
func notRunText(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n) + " not run, "
}

func (l Result) appendFailure(dst []byte, replay func(token string) string) []byte {
	dst = append(dst, l.Law.ID+" FAILS (clause "+l.Law.Clause+"): "+l.Law.Formula+"\n"...)
	for _, f := range l.Failures {
		dst = f.AppendText(dst)
		if f.Token == "" { // of a law that holds
			continue
		}
		again := f.Token
		if replay != nil {
			again = replay(again)
		}
		dst = append(dst, "  again:\n    "+again+"\n"...)
	}
	return append(dst, '\n')
}

// AppendText appends the failure for people: message, payload, command.
func (f Failure) AppendText(dst []byte) []byte {
	dst = laws.AppendIndented(dst, "  ", f.shown())
	if f.ShrinkStopped != "" {
		dst = laws.AppendIndented(dst, "  ", "not shrunk further: "+f.ShrinkStopped)
	}
	return f.Counterexample.AppendText(dst)
}

func appendIDs(dst []byte, title string, ids []string) []byte {
	if len(ids) == 0 {
		return dst
	}
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

// AppendJUnit appends the report as a test suite with a case for every law. Replay is that of [Report.AppendText].
func (r Report) AppendJUnit(dst []byte, replay func(token string) string) []byte {
	notRun, errors := r.number(func(l Result) bool { return l.NotRun }), ""
	if n := notRun + len(r.Unknown); n > 0 {
		errors = `" errors="` + strconv.Itoa(n)
	}
	dst = append(dst, `<?xml version="1.0" encoding="UTF-8"?>`+"\n"+`<testsuite name="chargecast-conform" tests="`+strconv.Itoa(len(r.Results)+len(r.Unknown))+
		`" failures="`+strconv.Itoa(r.broken())+errors+`" skipped="`+strconv.Itoa(len(r.Results)-r.Judged()-notRun)+`">`+"\n"...)
	for _, name := range r.Unknown {
		dst = append(dst, `<testcase classname="chargecast.conform" name="`+escaped(name)+`"><error type="unknown" message="no law has this id or pattern"/></testcase>`+"\n"...)
	}
	for _, l := range r.Results {
		dst = append(dst, `<testcase classname="chargecast.conform" name="`+escaped(l.Law.ID+" "+l.Law.Formula)+`">`...)
		switch {
		case l.NotRun:
			dst = append(dst, `<error type="not-run" message="not run: the program had failed too often before"/>`...)
		case l.Failed():
			dst = append(dst, `<failure type="`+l.Law.ID+`" message="`+escaped("clause "+l.Law.Clause)+`">`+escaped(string(l.appendFailure(nil, replay)))+`</failure>`...)
		case !l.Covered():
			dst = append(dst, `<skipped message="not covered"/>`...)
		case l.Unspecified > 0:
			dst = append(dst, `<system-out>`+escaped("unspecified in "+strconv.Itoa(l.Unspecified)+" cases: "+strings.Join(l.Keys, ", "))+`</system-out>`...)
		}
		dst = append(dst, "</testcase>\n"...)
	}
	return append(dst, "</testsuite>\n"...)
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
		ShrinkStopped  string `json:"shrink_stopped,omitempty"`
	}
	type classes struct {
		Met    int `json:"met"`
		All    int `json:"all,omitempty"`
		New    int `json:"new"`
		Single int `json:"single"`
		Since  int `json:"since"`
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
		Keys        []string  `json:"unspecified_keys,omitempty"`
		Failures    []failure `json:"failures"`
		Again       int       `json:"again,omitempty"`
		Mended      []string  `json:"mended,omitempty"`
		Classes     *classes  `json:"classes,omitempty"`
		Spent       int64     `json:"milliseconds,omitempty"`
	}
	out := struct {
		Name    string   `json:"name"`
		Seed    uint64   `json:"seed"`
		OK      bool     `json:"ok"`
		Stopped bool     `json:"interrupted,omitempty"`
		Unknown []string `json:"unknown,omitempty"`
		Laws    []law    `json:"laws"`
		Missed  []string `json:"missed_classes"`
	}{Name: r.Impl, Seed: r.Seed, OK: r.OK(), Stopped: r.Interrupted, Unknown: r.Unknown, Laws: []law{}, Missed: append([]string{}, r.hits.Unmet()...)}
	for _, l := range r.Results {
		one := law{
			ID: l.Law.ID, Clause: l.Law.Clause, Cases: l.Cases, Covered: l.Covered(), NotRun: l.NotRun, Skipped: l.Skipped, NotReached: l.NotReached, Again: l.Again,
			Unspecified: l.Unspecified, Keys: l.Keys, Failures: []failure{}, Mended: l.Mended, Spent: l.spent.Milliseconds(),
		}
		if l.Covered() && !l.Law.Once {
			one.Classes = &classes{l.Met, l.Possible, l.New, l.Single, l.Since}
		}
		for _, f := range l.Failures {
			one.Failures = append(one.Failures, failure{f.Token, f.shown(), shown(f.Counterexample), f.ShrinkStopped})
		}
		out.Laws = append(out.Laws, one)
	}
	text, _ := laws.Marshal(out) // of strings and numbers alone
	return append(dst, text...)
}
