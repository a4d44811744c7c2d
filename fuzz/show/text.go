package show

import (
	"encoding/xml"
	"slices"
	"strconv"
	"strings"
)

// Cut shortens a text that another program chose.
func Cut(s string, most int) string {
	s = strings.ToValidUTF8(s, "\uFFFD")
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "…"
}

// AppendText appends the report for people. Replay is the command that replays a token, without the
// token.
func (r Report) AppendText(dst []byte, replay func(token string) string) []byte {
	for _, l := range r.Laws {
		if len(l.Failures) > 0 && !l.NotRun {
			dst = l.appendFailure(dst, replay)
		}
		if l.Unspecified > 0 {
			dst = append(dst, l.ID+" (clause "+l.Clause+"): unspecified in "+strconv.Itoa(l.Unspecified)+" of "+strconv.Itoa(l.Cases)+
				" cases: the document is silent, and the answer fits another reading of "+strings.Join(l.Keys, ", ")+"\n\n"...)
		}
		if l.Skipped {
			dst = append(dst, l.ID+" (clause "+l.Clause+"): fails, as the skip list says\n\n"...)
		}
	}
	return r.AppendSummary(dst)
}

// AppendSummary appends which laws hold and which are not covered or not run, and the verdict.
func (r Report) AppendSummary(dst []byte) []byte {
	var held, unjudged, notRun []string
	for _, l := range r.Laws {
		switch {
		case l.NotRun:
			notRun = append(notRun, l.ID)
		case l.Failed():
		case !l.Covered:
			unjudged = append(unjudged, l.ID)
		case !l.Skipped:
			held = append(held, l.ID)
		}
	}
	slices.Sort(held)
	slices.Sort(unjudged)
	slices.Sort(notRun)
	dst = appendIDs(dst, "Held:", held)
	dst = appendIDs(dst, "Not covered:", unjudged)
	dst = appendIDs(dst, "Not run, as the program had failed too often before:", notRun)
	for _, name := range r.Unknown {
		dst = append(dst, "No law has the id or pattern "+visible(name)+"\n\n"...)
	}
	return append(dst, visible(r.Name)+": "+r.verdict()+"; "+strconv.Itoa(r.Covered())+" judged, "+strconv.Itoa(len(unjudged))+
		" not covered, "+notRunText(len(notRun))+"seed "+strconv.FormatUint(r.Seed, 10)+"\n"...)
}

// verdict is what the report comes to. A law that fails as the skip list says does not hold all the same.
func (r Report) verdict() string {
	skipped := 0
	for _, l := range r.Laws {
		if l.Skipped {
			skipped++
		}
	}
	switch failed := r.broken(); {
	case failed > 0:
		return strconv.Itoa(failed) + " of " + strconv.Itoa(len(r.Laws)) + " laws failed"
	case r.Covered() == 0:
		return "no law was judged"
	case skipped > 0:
		return "all laws that were judged hold, but for " + strconv.Itoa(skipped) + " on the skip list"
	}
	return "all laws that were judged hold"
}

// notRunText counts the laws that were not run, if there are any.
func notRunText(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n) + " not run, "
}

func (l Law) appendFailure(dst []byte, replay func(token string) string) []byte {
	dst = append(dst, l.ID+" FAILS (clause "+l.Clause+"): "+l.Formula+"\n"...)
	for _, f := range l.Failures {
		dst = f.AppendText(dst)
		if f.Token != "" && replay != nil {
			dst = append(dst, "  again:\n    "+replay(f.Token)+"\n"...)
		}
	}
	return append(dst, '\n')
}

// AppendText appends the failure for people: message, payload, command.
func (f Failure) AppendText(dst []byte) []byte {
	dst = appendIndented(dst, "  ", f.Message)
	if f.ShrinkStopped != "" {
		dst = appendIndented(dst, "  ", "not shrunk further: "+f.ShrinkStopped)
	}
	return f.Counterexample.AppendText(dst)
}

// AppendText appends the payload and the command; nothing for a case that only its token shows.
func (c Counterexample) AppendText(dst []byte) []byte {
	if c.CSV == "" && (c.Command == "" || strings.HasPrefix(c.Command, repro)) {
		return dst
	}
	if c.CSV != "" {
		dst = append(dst, "  payload.csv:\n"...)
		dst = appendIndented(dst, "    ", c.CSV)
	}
	dst = append(dst, "  the right answer:\n"...)
	return appendIndented(dst, "    ", c.Command)
}

func appendIndented(dst []byte, indent, text string) []byte {
	for line := range strings.SplitSeq(strings.TrimRight(text, "\n"), "\n") {
		dst = append(append(append(dst, indent...), visible(line)...), '\n')
	}
	return dst
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

// visible is a text with control characters written as escapes, so that no terminal obeys them.
func visible(s string) string {
	quoted := strconv.Quote(s)
	return strings.ReplaceAll(strings.ReplaceAll(quoted[1:len(quoted)-1], `\"`, `"`), `\\`, `\`)
}

// AppendJUnit appends the report as a test suite with a case for every law.
func (r Report) AppendJUnit(dst []byte) []byte {
	notRun, errors := r.count(func(l Law) bool { return l.NotRun }), ""
	if n := notRun + len(r.Unknown); n > 0 {
		errors = `" errors="` + strconv.Itoa(n)
	}
	dst = append(dst, `<?xml version="1.0" encoding="UTF-8"?>`+"\n"+`<testsuite name="chargecast-conform" tests="`+strconv.Itoa(len(r.Laws)+len(r.Unknown))+
		`" failures="`+strconv.Itoa(r.broken())+errors+`" skipped="`+strconv.Itoa(len(r.Laws)-r.Covered()-notRun)+`">`+"\n"...)
	for _, name := range r.Unknown {
		dst = append(dst, `<testcase classname="chargecast.conform" name="`+escaped(name)+`"><error type="unknown" message="no law has this id or pattern"/></testcase>`+"\n"...)
	}
	for _, l := range r.Laws {
		dst = append(dst, `<testcase classname="chargecast.conform" name="`+escaped(l.ID+" "+l.Formula)+`">`...)
		switch {
		case l.NotRun:
			dst = append(dst, `<error type="not-run" message="not run: the program had failed too often before"/>`...)
		case l.Failed():
			dst = append(dst, `<failure type="`+l.ID+`" message="`+escaped("clause "+l.Clause)+`">`+escaped(string(l.appendFailure(nil, nil)))+`</failure>`...)
		case !l.Covered:
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
