package main

import (
	"errors"
	"path"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/book"
	near "github.com/chargecast/chargecast/internal/nearest"
	"github.com/chargecast/chargecast/internal/program"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/rules"
)

// A selection is the flags that say which rows of a payload count, and from which state
// they go on.
type selection struct {
	input    *program.Flag[string]
	profiles idsFlag
	excluded idsFlag
	states   []string
	charged  program.Flag[uint64]
	findingFlags
}

func (s *selection) register(c *cobra.Command) {
	s.registerProfiles(c)
	s.registerPayload(c)
}

func (s *selection) registerProfiles(c *cobra.Command) {
	c.Flags().Var(&s.profiles, "profile", "only this client-orderid or pattern (* ? [a-z], \\ before a literal one); may be repeated")
	c.Flags().Var(&s.excluded, "exclude", "leave out profiles with this client-orderid or pattern; may be repeated")
}

// registerPayload adds the flags that say how rows are read and where they go on.
func (s *selection) registerPayload(c *cobra.Command) {
	c.Flags().StringArrayVar(&s.states, "state", nil, "`FILE` with the states of stored profiles, as --save-state writes it; may be repeated")
	s.charged = program.Whole("")
	c.Flags().Var(&s.charged, "charged", "the selected profile has been charged `N` times so far")
	s.input = inputFlag(c)
	s.registerFindings(c)
}

func inputFlag(c *cobra.Command) *program.Flag[string] {
	f := program.OneOf("auto", "csv", "base64", "form")
	c.Flags().Var(f, "input", "form of the payload; auto recognises it")
	return f
}

// hasStates reports whether profiles may go on from a state.
func (s *selection) hasStates() bool { return len(s.states) > 0 || s.charged.String() != "" }

// options are those with which a command reads a payload to forecast it.
func (s *selection) options(asOf, until calendar.Date, policy engine.Policy, saved *states) rules.Options {
	o := book.Options(asOf, until, policy, saved.States)
	o.Input, o.Severity = inputNamed(s.input.V), s.severity
	return o
}

// inputNamed returns the form of a payload that a flag, which takes no other words, names.
func inputNamed(word string) (form rules.Input) {
	_ = form.UnmarshalText([]byte(word))
	return form
}

// A selector chooses rows by their client-orderid: those of --profile, or all without it, but not
// those of --exclude.
type selector struct {
	only, but []wanted
	// unsure: of what was left out for an error the client-orderid is not known, and may be any.
	unsure bool
}

// A wanted is one value of --profile or --exclude.
type wanted struct {
	text     string
	met      bool     // a row had it
	left     bool     // … or one that is left out for an error
	similar  []string // ids of other rows that a mistyped one may have meant, all equally near
	distance int      // … by this
}

func newSelector(only, but []string) *selector {
	return &selector{only: wantedOf(only), but: wantedOf(but)}
}

func wantedOf(texts []string) []wanted {
	var list []wanted
	for _, text := range texts {
		list = append(list, wanted{text: text})
	}
	return list
}

// isGlob reports whether the text may match another id than the one that equals it.
func (w *wanted) isGlob() bool {
	_, bad := path.Match(w.text, "")
	return bad == nil && strings.ContainsAny(w.text, "*?[")
}

// noSlash makes a slash a character like any other.
var noSlash = strings.NewReplacer("/", "\x00")

// matches reports whether a client-orderid is selected: the one that equals the text, and those that it matches as a
// pattern of [path.Match]. A pattern that is not well formed matches nothing else.
func (w *wanted) matches(id string) bool {
	if id == w.text || !w.isGlob() {
		return id == w.text
	}
	met, _ := path.Match(noSlash.Replace(w.text), noSlash.Replace(id))
	return met
}

// wants reports whether a client-orderid counts, which is not noted as met.
func (s *selector) wants(id string) bool {
	is := func(w wanted) bool { return w.matches(id) }
	return (len(s.only) == 0 || slices.ContainsFunc(s.only, is)) && !slices.ContainsFunc(s.but, is)
}

// leave notes an error of a row, which is left out: it may be the one of a client-orderid that no other row has.
func (s *selector) leave(at ledger.Place) {
	if at.Row == 0 || at.Profile == "" || isMasked(at.Profile) {
		s.unsure = true
		return
	}
	for _, list := range [...][]wanted{s.only, s.but} {
		for i := range list {
			list[i].left = list[i].left || list[i].matches(at.Profile)
		}
	}
}

// selects reports whether the row counts.
func (s *selector) selects(row *rules.Row) bool {
	return s.selectsID(row.OrderID(), func() string { return row.ShownID })
}

// selectsID is selects for a client-orderid; shown returns it as it may be shown.
func (s *selector) selectsID(id string, shown func() string) bool {
	excluded := meet(s.but, id, shown)
	return (len(s.only) == 0 || meet(s.only, id, shown)) && !excluded
}

// meet reports whether an id is one of the list.
func meet(list []wanted, id string, shown func() string) bool {
	met := false
	for i := range list {
		w := &list[i]
		if w.matches(id) {
			w.met, w.similar, met = true, nil, true
		} else if !w.met && !w.isGlob() {
			w.compare(id, shown)
		}
	}
	return met
}

// compare remembers an id if none was nearer.
func (w *wanted) compare(id string, shown func() string) {
	d, isNear := near.Distance(w.text, id)
	switch {
	case !isNear || len(w.similar) > 0 && d > w.distance:
		return
	case d < w.distance:
		w.similar = w.similar[:0]
	}
	w.distance = d
	if len(w.similar) > maxClose {
		return
	}
	if like := shown(); !slices.Contains(w.similar, like) { // both files of diff may have it
		w.similar = append(w.similar, like)
	}
}

// maxClose is how many ids like a mistyped one are named. Of more than these none is likelier than
// the others.
const maxClose = 3

// hint is the end of a sentence about an id that no row has.
func (w *wanted) hint() string {
	last := len(w.similar) - 1
	switch {
	case last < 0 || last >= maxClose:
		return ""
	case last == 0:
		return "; did you mean " + w.similar[0] + "?"
	}
	return "; did you mean " + strings.Join(w.similar[:last], ", ") + " or " + w.similar[last] + "?"
}

// failed returns an error if no row had one of the values of --profile or, after these, --exclude; a pattern
// that excludes nothing is not an error. A row that was left out for an error may have it, and is excluded then: it is known or
// possible, and the flag not at fault.
func (s *selector) failed() error {
	for _, w := range s.only {
		if !w.met {
			return w.noRow("--profile: ", w.left || s.unsure)
		}
	}
	for _, w := range s.but {
		if !w.met && !w.isGlob() && !w.left && !s.unsure {
			return w.noRow("--exclude: ", false)
		}
	}
	return nil
}

// noRow says that no row has it. With left a row that was left out may have it.
func (w *wanted) noRow(flag string, left bool) error {
	text := flag + "no profile "
	if w.isGlob() {
		text += "matches "
	}
	if w.left && !w.isGlob() {
		return &failure{Code: exitFindings, Text: visible(flag + "the row of " + rules.Mask(0, w.text) + " has errors and is left out")}
	}
	text = visible(text + rules.Mask(0, w.text) + w.hint())
	if left {
		return &failure{Code: exitFindings, Text: text, Help: "rows with errors are left out, and one of them may have it; chargecast validate shows them"}
	}
	return usage(text, "")
}

// An idsFlag is the values of --profile or of --exclude, each once.
type idsFlag []string

func (*idsFlag) String() string { return "" }
func (*idsFlag) Type() string   { return "ID" }

func (f *idsFlag) Set(id string) error {
	if id == "" {
		return errNoText
	}
	if !slices.Contains(*f, id) {
		*f = append(*f, id)
	}
	return nil
}

// A severityFlag is --severity.
type severityFlag map[ledger.Code]ledger.Severity

func (*severityFlag) String() string { return "" }
func (*severityFlag) Type() string   { return "CODE=SEVERITY" }

// Set takes CODE=SEVERITY, or more of them with commas between.
func (f *severityFlag) Set(s string) error {
	for item := range strings.SplitSeq(s, ",") {
		name, word, _ := strings.Cut(item, "=")
		rule, ok := rulebook.Lookup(ledger.Code(name))
		if !ok {
			hint := didYouMean(name, codeNames(), "")
			if hint == "" {
				hint = "; chargecast explain --kind code lists them"
			}
			return errors.New("no such code" + hint)
		}
		if !isPayloadCode(rule.Code) {
			return errors.New("the severity of " + name + " cannot be overridden: it is about states, scripts and outputs")
		}
		var severity ledger.Severity
		if word == "" || severity.UnmarshalText([]byte(word)) != nil {
			return errors.New("write " + name + "=error, " + name + "=warning or " + name + "=off")
		}
		if *f == nil {
			*f = severityFlag{}
		}
		(*f)[rule.Code] = severity
	}
	return nil
}

func codeNames() []string {
	var names []string
	for r := range inputRules() {
		names = append(names, string(r.Code))
	}
	return names
}
