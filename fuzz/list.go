package fuzz

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/chargecast/chargecast/fuzz/laws"
	"github.com/chargecast/chargecast/fuzz/laws/payloads"
	"github.com/chargecast/chargecast/fuzz/laws/profiles"
	"github.com/chargecast/chargecast/fuzz/laws/signing"
	"github.com/chargecast/chargecast/fuzz/laws/values"
)

// Laws are all laws, in the order of their groups.
func Laws() []Law {
	return slices.Concat(values.Laws(), profiles.Laws(), payloads.Laws(), signing.Laws())
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

// Known reports whether an id or a pattern, as [Options] have them, names any law.
func Known(pattern string) bool {
	o := Options{Laws: []string{pattern}}
	return slices.ContainsFunc(Laws(), func(l Law) bool { return o.Wants(l.ID) })
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
	if part[0] != laws.Version {
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
	c := laws.NewCase(l, seed, index)
	if c.Token() != token { // each case has one token: no zeros in front
		return Law{}, nil, ErrToken
	}
	return l, c, nil
}
