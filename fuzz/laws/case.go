package laws

import (
	"encoding/base64"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/leanovate/gopter"

	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/fuzz/gen"
)

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
