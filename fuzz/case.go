package fuzz

import (
	"errors"
	"math/rand"
	"strconv"
	"strings"

	"github.com/leanovate/gopter"

	"github.com/chargecast/chargecast/engine"
)

// Version is the version of the generators. A change to what they make of a seed
// changes it, since tokens of the old one name other cases then.
const Version = "cc1"

// A Case is one input of a law.
type Case struct {
	Law   string
	Seed  uint64
	Index uint64
	// Value is what the law's generator made; nil for a law without one.
	Value any

	shrinker gopter.Shrinker
	sieve    func(any) bool
	fixed    *engine.Policy // the policy of Under; nil without
}

// NewCase makes the case of a law with a seed and an index: always the same one.
func NewCase(l Law, seed, index uint64) *Case {
	c := &Case{Law: l.ID, Seed: seed, Index: index}
	if l.Gen != nil {
		c.draw(l.Gen, NewSource(l.ID, seed, index))
	}
	return c
}

// CaseOf makes a case of a law from a source of chance, such as a fuzzer's bytes. It has
// no token.
func CaseOf(l Law, source rand.Source) *Case {
	c := &Case{Law: l.ID}
	if l.Gen != nil {
		c.draw(l.Gen, source)
	}
	return c
}

func (c *Case) draw(gen gopter.Gen, source rand.Source) {
	r := gen(&gopter.GenParameters{MaxSize: 100, MaxShrinkCount: maxShrinks, Rng: RandOf(source)})
	c.shrinker, c.sieve = r.Shrinker, r.Sieve
	// Generators make valid values only, so that nothing is ever thrown away.
	c.Value, _ = r.Retrieve()
}

// with is the case with another value.
func (c *Case) with(v any) *Case {
	o := *c
	o.Value = v
	if c.fixed != nil {
		o.Value = fixedPolicy(v, *c.fixed)
	}
	return &o
}

// Token names the case: "cc1:<law>:<seed>:<index>".
func (c *Case) Token() string {
	return Version + ":" + c.Law + ":" + strconv.FormatUint(c.Seed, 10) + ":" + strconv.FormatUint(c.Index, 10)
}

// What is wrong with a token.
var (
	ErrToken        = errors.New("a token is written cc1:LAW:SEED:INDEX")
	ErrTokenVersion = errors.New("the token is of another version of the generators")
	ErrTokenLaw     = errors.New("no law has the id that the token names")
)

// Replay gives the law and the case that a token names.
func Replay(token string) (Law, *Case, error) {
	part := strings.Split(token, ":")
	if len(part) != 4 {
		return Law{}, nil, ErrToken
	}
	if part[0] != Version {
		return Law{}, nil, ErrTokenVersion
	}
	seed, err1 := strconv.ParseUint(part[2], 10, 64)
	index, err2 := strconv.ParseUint(part[3], 10, 64)
	if err1 != nil || err2 != nil {
		return Law{}, nil, ErrToken
	}
	l, ok := Find(part[1])
	if !ok {
		return Law{}, nil, ErrTokenLaw
	}
	return l, NewCase(l, seed, index), nil
}

// Again checks a law on one case and gives what it reports; empty when it holds or
// cannot be judged. A panic is a report.
func Again(l Law, c *Case, impl Impl) string {
	return Judge(l, c, impl).Message
}
