package main

import (
	"fmt"
	"go/token"
)

// A mutant is a change of one operator.
type mutant struct {
	File   string   `json:"file"`
	Line   int      `json:"line"`
	Column int      `json:"column"`
	Func   string   `json:"func,omitempty"`
	From   string   `json:"from"`
	To     string   `json:"to"`
	Names  []string `json:"names"` // what gremlins calls it; it lists - to + under two names
	// Verdict is killed, timed out, lived, undecided (not all tests that reach it were run), not
	// reached, not compiled, or constant (it needs a build of its own, see -constants).
	Verdict string `json:"verdict"`
	By      string `json:"by,omitempty"` // the test that killed it

	id     int // its number in the test binary
	call   int // the number with which its function is called
	offset int
	alone  bool // it needs a build of its own
}

// The verdicts; open is none yet.
const (
	open        = ""
	killed      = "killed"
	timedOut    = "timed out"
	lived       = "lived"
	undecided   = "undecided"
	notReached  = "not reached"
	notCompiled = "not compiled"
	constant    = "constant"
)

// key tells a mutant from the others of its package.
func (m *mutant) key() string {
	return fmt.Sprintf("%s:%d:%d %s to %s", m.File, m.Line, m.Column, m.From, m.To)
}

// String is the mutant with its verdict, for people.
func (m *mutant) String() string {
	text := fmt.Sprintf("%s:%d %s to %s: %s", m.File, m.Line, m.From, m.To, m.Verdict)
	if m.By != "" {
		text += " by " + m.By
	}
	return text
}

// An operator is what one token is changed to, and the function of switch.go that does so; the
// first change has the number that the function gets, the second the one after it.
type operator struct {
	call    string
	changes []change
}

type change struct {
	to    token.Token
	names []string
}

const (
	arithmetic = "ARITHMETIC_BASE"
	boundary   = "CONDITIONALS_BOUNDARY"
	negation   = "CONDITIONALS_NEGATION"
	step       = "INCREMENT_DECREMENT"
	negatives  = "INVERT_NEGATIVES"
)

// binaries, unaries and steps are the operators that gremlins changes by default.
var binaries = map[token.Token]operator{
	token.ADD: {"mutantAdd", []change{{token.SUB, []string{arithmetic}}}},
	token.SUB: {"mutantSub", []change{{token.ADD, []string{arithmetic, negatives}}}},
	token.MUL: {"mutantMul", []change{{token.QUO, []string{arithmetic}}}},
	token.QUO: {"mutantQuo", []change{{token.MUL, []string{arithmetic}}}},
	token.REM: {"mutantRem", []change{{token.MUL, []string{arithmetic}}}},
	token.LSS: {"mutantLess", []change{{token.LEQ, []string{boundary}}, {token.GEQ, []string{negation}}}},
	token.LEQ: {"mutantLessEqual", []change{{token.LSS, []string{boundary}}, {token.GTR, []string{negation}}}},
	token.GTR: {"mutantGreater", []change{{token.GEQ, []string{boundary}}, {token.LEQ, []string{negation}}}},
	token.GEQ: {"mutantGreaterEqual", []change{{token.GTR, []string{boundary}}, {token.LSS, []string{negation}}}},
	token.EQL: {"mutantNot", []change{{token.NEQ, []string{negation}}}},
	token.NEQ: {"mutantNot", []change{{token.EQL, []string{negation}}}},
}

var unaries = map[token.Token]operator{
	token.SUB: {"mutantMinus", []change{{token.ADD, []string{arithmetic, negatives}}}},
}

var steps = map[token.Token]operator{
	token.INC: {"mutantStep", []change{{token.DEC, []string{step}}}},
	token.DEC: {"mutantStep", []change{{token.INC, []string{step}}}},
}
