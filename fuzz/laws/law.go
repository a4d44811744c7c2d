// Package laws says what a law is, makes its cases and judges them, and states the laws of the domain.
//
// A group of laws is a file, with its table on top. A row has the law's id, what it rests on, its formula, the generator of its
// cases, and the function that reports to its [T] what breaks it. T is the implementation too: a law asks t.Forecast as
// [Impl] has it, or t.forecast where a refusal breaks the law, and compares what it gets with [T.Equal]. A function that the
// implementation lacks, or that answers [ErrNotSupported], ends the case, which is not covered then.
//
// The files law, judge, impl and guard are the machinery: what a law and its cases are, how a case is judged, what an
// implementation is, and how it is asked so that no case runs for ever; ours and reference are two implementations,
// chargecast and the slow oracle; show is a case as a user meets it.
package laws

import (
	"encoding/base64"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/leanovate/gopter"
	"github.com/leanovate/gopter/prop"

	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/gen"
)

// A Law is a statement about every input.
type Law struct {
	ID      string // "T05"; never reused
	Formula string // what holds
	Clause  string // what it rests on: a clause of the document or an entry of the ledger
	// Presumes are the policy keys whose default the law needs; its generator keeps
	// to them.
	Presumes []string
	// Heavy marks a law that reads a whole payload or adds up whole books in each case: it runs on
	// a quarter of the cases.
	Heavy bool
	// Slow marks a law that runs on few cases.
	Slow bool
	// Alone marks a law that measures allocations or work: nothing else may run
	// meanwhile. All others may be checked at the same time.
	Alone bool
	// Once marks a law without random input: its only case is judged once.
	Once bool

	draw     func(gen.Chooser) any
	check    func(*T, any)
	promised func(Impl) bool // nil: nothing
}

// law states a law: check reports to its T what breaks it for a value that draw makes.
func law[V any](id, clause, formula string, draw func(gen.Chooser) V, check func(*T, V)) Law {
	return Law{
		ID: id, Clause: clause, Formula: formula,
		draw:  func(r gen.Chooser) any { return draw(r) },
		check: func(t *T, v any) { check(t, v.(V)) },
	}
}

// once states a law without random input.
func once(id, clause, formula string, check func(*T)) Law {
	l := law(id, clause, formula, func(gen.Chooser) struct{} { return struct{}{} }, func(t *T, _ struct{}) { check(t) })
	l.Once = true
	return l
}

func (l Law) presuming(keys ...string) Law { l.Presumes = keys; return l }

func (l Law) heavy() Law { l.Heavy = true; return l }

func (l Law) slow() Law { l.Slow = true; return l }

func (l Law) alone() Law { l.Alone = true; return l }

// prompt and cites ask for a promise of the implementation.
func (l Law) prompt() Law { l.promised = func(i Impl) bool { return i.Prompt }; return l }

func (l Law) cites() Law { l.promised = func(i Impl) bool { return i.Cites }; return l }

// Covers reports whether the implementation promises what the law is about.
func (l Law) Covers(i Impl) bool { return l.promised == nil || l.promised(i) }

// Prop is the law as a gopter property. It calls seen, which may be nil, with each case that it judges, those of the search
// for a simpler one included. Put one law in a Properties: all properties of one share a random stream.
func (l Law) Prop(from gopter.Gen, impl Impl, seen func(*Case, Verdict)) gopter.Prop {
	return prop.ForAll1(from, func(v any) (any, error) {
		d := v.(*gen.Drawn)
		c := &Case{Law: l.ID, Value: d.Value, Choices: d.Choices}
		verdict := Judge(l, c, impl)
		if seen != nil {
			seen(c, verdict)
		}
		if verdict.Message != "" {
			return &gopter.PropResult{Status: gopter.PropFalse, Labels: []string{verdict.Message}}, nil
		}
		return true, nil // one that is not covered, too: gopter looks for simpler cases of what is undecided
	})
}

// Gen generates the law's values, of type *gen.Drawn.
func (l Law) Gen() gopter.Gen { return gen.Gopter(l.draw, gen.Chooser{}) }

// Version is the version of the generators. A change to what they make of choices changes it, since tokens of the old one name
// other cases then.
const Version = "cc2"

// A Case is one input of a law.
type Case struct {
	Law     string
	Value   any
	Choices []uint64 // that Value was drawn by

	seed, index uint64
	numbered    bool // it has a seed and an index
}

// A Source says where the cases of a law come from.
type Source struct {
	Seed   uint64
	Policy *engine.Policy // the readings of every case; nil leaves them to the generators
	Given  *Case          // the only case, in place of those with a number; nil for these
}

func (s Source) stream(l Law, index uint64) *gen.Stream {
	if s.Given != nil {
		return gen.Again(s.Given.Choices)
	}
	return gen.NewStream(l.ID, s.Seed, index)
}

// Case is the case with a number: always the same one.
func (s Source) Case(l Law, index uint64) *Case {
	c := l.Drawn(s.stream(l, index), s.Policy)
	c.seed, c.index, c.numbered = s.Seed, index, true
	if s.Given != nil {
		c.seed, c.index, c.numbered = s.Given.seed, s.Given.index, s.Given.numbered
	}
	return c
}

// Gen generates the case with a number, to be made simpler by gopter.
func (s Source) Gen(l Law, index uint64) gopter.Gen {
	return func(*gopter.GenParameters) *gopter.GenResult {
		return gen.Result(l.draw, s.stream(l, index), gen.Chooser{Policy: s.Policy})
	}
}

// Index is the number of the case; false for one that is named by its choices.
func (c *Case) Index() (uint64, bool) { return c.index, c.numbered }

// Drawn is the case of a law that a stream of choices makes.
func (l Law) Drawn(s *gen.Stream, policy *engine.Policy) *Case {
	d := gen.Draw(l.draw, s, gen.Chooser{Policy: policy})
	return &Case{Law: l.ID, Value: d.Value, Choices: d.Choices}
}

// Token names the case: "cc2:<law>:<seed>:<index>", or by its choices "cc2:<law>:b64:<choices>".
func (c *Case) Token() string {
	if c.numbered {
		return Version + ":" + c.Law + ":" + strconv.FormatUint(c.seed, 10) + ":" + strconv.FormatUint(c.index, 10)
	}
	return Version + ":" + c.Law + ":b64:" + base64.RawURLEncoding.EncodeToString(gen.Bytes(c.Choices))
}

// What is wrong with a token.
var (
	ErrToken        = errors.New("a token is written cc2:LAW:SEED:INDEX or cc2:LAW:b64:CHOICES")
	ErrTokenVersion = errors.New("the token is of another version of the generators")
	ErrTokenLaw     = errors.New("no law has the id that the token names")
)

// Replay gives the law and the case that a token names.
func Replay(token string) (Law, *Case, error) { return ReplayUnder(token, nil) }

// ReplayUnder gives the law and the case that a token names where every case asks for a policy; nil leaves it to the case.
func ReplayUnder(token string, policy *engine.Policy) (Law, *Case, error) {
	part := strings.Split(token, ":")
	if len(part) != 4 {
		return Law{}, nil, ErrToken
	}
	if part[0] != Version {
		return Law{}, nil, ErrTokenVersion
	}
	l, ok := Find(part[1])
	if !ok {
		return Law{}, nil, ErrTokenLaw
	}
	var c *Case
	if part[2] == "b64" {
		data, err := base64.RawURLEncoding.Strict().DecodeString(part[3])
		if err != nil {
			return Law{}, nil, ErrToken
		}
		c = l.Drawn(gen.FromBytes(data), policy)
	} else {
		seed, err1 := strconv.ParseUint(part[2], 10, 64)
		index, err2 := strconv.ParseUint(part[3], 10, 64)
		if err1 != nil || err2 != nil {
			return Law{}, nil, ErrToken
		}
		c = Source{Seed: seed, Policy: policy}.Case(l, index)
	}
	if c.Token() != token { // each case has one token: no zeros in front, no choice that nothing reads
		return Law{}, nil, ErrToken
	}
	return l, c, nil
}

// Find gives the law with an id.
func Find(id string) (Law, bool) {
	all := Laws()
	i := slices.IndexFunc(all, func(l Law) bool { return l.ID == id })
	if i < 0 {
		return Law{}, false
	}
	return all[i], true
}

// Laws are all laws, in the order of their files.
func Laws() []Law {
	return slices.Concat(
		calendarLaws(), amountLaws(), stopLaws(), forecastLaws(), policyLaws(), logLaws(), stateLaws(), explainLaws(), portfolioLaws(), secretLaws(),
		payloadLaws(), payloadRuleLaws(), payloadTextLaws(), payloadFixLaws(), wireLaws(), requestLaws(), signatureLaws(), diagnoseLaws(), reconcileLaws(), probeLaws(),
	)
}

// elsewhere are the laws that no implementation can be asked, and what tests them.
var elsewhere = map[string]string{
	"C02": "a test of package calendar",
	"Y01": "a test of package engine",
	"Y13": "a test of package fuzz/vectortest",
	"X05": "tests of package ledger and of the pages",
	"K04": "a test of package fuzz",
	"K05": "tests of command chargecast",
	"N01": "tests of command chargecast",
	"N02": "tests of command chargecast",
	"N03": "tests of command chargecast",
	"N04": "tests of command chargecast",
	"N05": "tests of command chargecast",
	"N06": "tests of command chargecast",
	"N07": "tests of command chargecast",
	"N08": "tests of command chargecast",
	"N09": "tests of command chargecast",
	"N10": "tests of command chargecast",
	"G01": "tests of packages fuzz and fuzz/gallery",
	"G02": "tests of package fuzz",
	"G03": "tests of package fuzz",
	"G04": "tests of package fuzz",
	"G05": "tests of package fuzz",
	"G06": "tests of package fuzz/conform",
	"G07": "tests of package fuzz/campaign",
	"G08": "tests of package fuzz",
	"G09": "tests of package fuzz",
	"G10": "a test of package fuzz/gallery",
	"G11": "a test of package fuzz/gallery",
}

// Elsewhere names the tests of a law that no implementation can be asked, such as C02: a test of package calendar. It is empty
// for any other id.
func Elsewhere(id string) string { return elsewhere[id] }
