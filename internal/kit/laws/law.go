// Package laws says what a law is, makes its cases and judges them, and states the laws of the domain.
//
// A group of laws is a file, with its table on top. A row has the law's id, its clause, its formula, the generator of its
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

	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/gen"
	"github.com/chargecast/chargecast/internal/lawtext"
)

// A Law is a statement about every input.
type Law struct {
	ID       string // "T05"; never reused
	Sentence string // what holds
	Example  string // empty for laws that only our own code is asked
	Clause   string // the clauses of the document and entries of the ledger that it follows from
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

	draw  func(gen.Chooser) any
	check func(*T, any)
}

// law states a law whose sentence package lawtext has: check reports to its T what breaks it for a value that draw makes.
func law[V any](id string, draw func(gen.Chooser) V, check func(*T, V)) Law {
	text, ok := lawtext.Find(id)
	if !ok {
		panic("no sentence for law " + id)
	}
	l := own(id, text.Clause, text.Sentence, draw, check)
	l.Example = text.Example
	return l
}

// own states a law that only our own code is asked, and that has no sentence elsewhere.
func own[V any](id, clause, sentence string, draw func(gen.Chooser) V, check func(*T, V)) Law {
	return Law{
		ID: id, Clause: clause, Sentence: sentence,
		draw:  func(r gen.Chooser) any { return draw(r) },
		check: func(t *T, v any) { check(t, v.(V)) },
	}
}

// once and ownOnce state a law without random input.
func once(id string, check func(*T)) Law {
	l := law(id, nothing, func(t *T, _ struct{}) { check(t) })
	l.Once = true
	return l
}

func ownOnce(id, clause, sentence string, check func(*T)) Law {
	l := own(id, clause, sentence, nothing, func(t *T, _ struct{}) { check(t) })
	l.Once = true
	return l
}

func nothing(gen.Chooser) struct{} { return struct{}{} }

func (l Law) heavy() Law { l.Heavy = true; return l }

func (l Law) slow() Law { l.Slow = true; return l }

func (l Law) alone() Law { l.Alone = true; return l }

// Version is the version of the generators. A change to what they make of choices changes it, since tokens of the old one name
// other cases then.
const Version = "cc3"

// A Case is one input of a law.
type Case struct {
	Law   string
	Value any

	drawn       *gen.Drawn
	policy      *engine.Policy // that every case of its run asks for; nil where each draws its own
	seed, index uint64
	numbered    bool // it has a seed and an index
}

// A Source says where the cases of a law come from.
type Source struct {
	Seed     uint64
	Policy   *engine.Policy // the readings of every case; nil leaves them to the generators
	Ordinary bool           // never an extreme
}

// ordinaryCases is how many ordinary cases a law begins with.
const ordinaryCases = 100

// Case is the case with a number: always the same one. The first ones are ordinary.
func (s Source) Case(l Law, index uint64) *Case {
	stream := gen.NewStream(l.ID, s.Seed, index)
	stream.Ordinary = s.Ordinary || index < ordinaryCases
	c := l.Drawn(stream, s.Policy)
	if !s.Ordinary || index < ordinaryCases { // else the number alone does not name it
		c.seed, c.index, c.numbered = s.Seed, index, true
	}
	return c
}

// Draw draws a value for the law.
func (l Law) Draw(r gen.Chooser) any { return l.draw(r) }

// Drawn is the case of a law that a stream of choices makes.
func (l Law) Drawn(s *gen.Stream, policy *engine.Policy) *Case {
	return l.made(gen.Draw(l.draw, s, gen.Chooser{Policy: policy}), policy)
}

func (l Law) made(d *gen.Drawn, policy *engine.Policy) *Case {
	return &Case{Law: l.ID, Value: d.Value, drawn: d, policy: policy}
}

// Simpler proposes simpler cases, one a call; false where there are no more.
func (l Law) Simpler(c *Case) func() (*Case, bool) {
	next := c.drawn.Simpler(l.draw, gen.Chooser{Policy: c.policy})
	return func() (*Case, bool) {
		d, ok := next()
		if !ok {
			return nil, false
		}
		return l.made(d, c.policy), true
	}
}

// Unnumbered is the same case, named by its choices.
func (c *Case) Unnumbered() *Case {
	same := *c
	same.numbered = false
	return &same
}

// Token names the case: "cc3:LAW:POLICY:SEED:INDEX", or by its choices "cc3:LAW:POLICY:b64:CHOICES". POLICY is empty where the
// case draws its own policy, and otherwise the readings that differ from the defaults, "defaults" where none does.
func (c *Case) Token() string {
	head := Version + ":" + c.Law + ":" + policyText(c.policy) + ":"
	if c.numbered {
		return head + strconv.FormatUint(c.seed, 10) + ":" + strconv.FormatUint(c.index, 10)
	}
	return head + "b64:" + base64.RawURLEncoding.EncodeToString(gen.Bytes(c.drawn.Choices))
}

// defaults is the policy of a token whose readings are all the defaults.
const defaults = "defaults"

func policyText(p *engine.Policy) string {
	if p == nil {
		return ""
	}
	var differ []string
	usual := strings.Split(engine.Policy{}.String(), ",")
	for i, reading := range strings.Split(p.String(), ",") {
		if reading != usual[i] {
			differ = append(differ, reading)
		}
	}
	if differ == nil {
		return defaults
	}
	return strings.Join(differ, ",")
}

func parsePolicy(text string) (*engine.Policy, error) {
	if text == "" {
		return nil, nil
	}
	p, err := engine.ParsePolicy(strings.TrimSuffix(text, defaults))
	return &p, err
}

// What is wrong with a token.
var (
	ErrToken        = errors.New("a token is written cc3:LAW:POLICY:SEED:INDEX or cc3:LAW:POLICY:b64:CHOICES")
	ErrTokenVersion = errors.New("the token is of another version of the generators, and names another case or none today")
	ErrTokenLaw     = errors.New("no law has the id that the token names")
	ErrTokenPolicy  = errors.New("the policy of the token has a key or value that does not exist")
	ErrTokenChoices = errors.New("the choices of the token are no base64, or make a case that needs fewer of them")
)

// Replay gives the law and the case that a token names.
func Replay(token string) (Law, *Case, error) {
	part := strings.Split(token, ":")
	switch {
	case part[0] != Version && strings.HasPrefix(part[0], "cc") && len(part) > 3:
		return Law{}, nil, ErrTokenVersion
	case part[0] != Version || len(part) != 5:
		return Law{}, nil, ErrToken
	}
	l, ok := Find(part[1])
	if !ok {
		return Law{}, nil, ErrTokenLaw
	}
	policy, err := parsePolicy(part[2])
	if err != nil {
		return Law{}, nil, ErrTokenPolicy
	}
	if part[3] == "b64" {
		data, err := base64.RawURLEncoding.Strict().DecodeString(part[4])
		if err != nil {
			return Law{}, nil, ErrTokenChoices
		}
		c := l.Drawn(gen.FromBytes(data), policy)
		if c.Token() != token { // each case has one token: no choice that nothing reads
			return Law{}, nil, ErrTokenChoices
		}
		return l, c, nil
	}
	seed, err1 := strconv.ParseUint(part[3], 10, 64)
	index, err2 := strconv.ParseUint(part[4], 10, 64)
	if err1 != nil || err2 != nil {
		return Law{}, nil, ErrToken
	}
	c := Source{Seed: seed, Policy: policy}.Case(l, index)
	if c.Token() != token { // no zeros in front
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
		forecastLaws(), logLaws(), calendarLaws(), amountLaws(), payloadLaws(), payloadRuleLaws(), wireLaws(), requestLaws(), signatureLaws(),
	)
}

// elsewhere are the laws that no implementation is asked, by what tests them.
var elsewhere = map[string]string{
	"a test of package calendar":                                     "C02",
	"TestWork of package fuzz, which counts the statements executed": "C28 O05 T17",
	"a test of package engine":                                       "Y01",
	"property tests of package engine":                               "A08 E01 E02 E05 E06 E08 E09 E10 E12 E14 E16 E20 E21 E24 E25 E26 E27 E28 E29 E32 E33 E34 O01 O02 O04 O06 O07 O08 O09 O12 T19 T22 T27 X01 X02 X03 X04 Y12",
	"property tests of package rules":                                "F01 F02 F03 F04 K01 K02 K03 V01 V02 V10 V11 V12 V13 V14 V15 V16 V17 V18 V19 V20 V21 W02 W03 W05 W06",
	"a property test of package gateway/response":                    "W08",
	"a test of package fuzz/vectortest":                              "Y13",
	"tests of package ledger and of the pages":                       "X05",
	"a test of package fuzz":                                         "K04",
	"tests of command chargecast":                                    "K05 N01 N02 N03 N04 N05 N06 N07 N08 N09 N10",
	"tests of package internal/kit/gallery":                          "G01 G10 G11",
	"tests of package internal/kit":                                  "G02 G03 G04 G05 G08 G09",
	"tests of package internal/kit/conform":                          "G06",
	"the native targets of the packages":                             "G07",
}

// Elsewhere names the tests of a law that no implementation can be asked, such as C02: a test of package calendar. It is empty
// for any other id.
func Elsewhere(id string) string {
	for where, ids := range elsewhere {
		if slices.Contains(strings.Fields(ids), id) {
			return where
		}
	}
	return ""
}
