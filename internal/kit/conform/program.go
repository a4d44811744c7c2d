package conform

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/chargecast/chargecast/internal/kit"
	"github.com/chargecast/chargecast/internal/kit/laws"
)

// Protocol is the name and version of the protocol.
const Protocol = "chargecast.conform/1"

// Timeout is how long a program may take for a reply by default.
const Timeout = 5 * time.Second

// Memory is how many bytes a program may use.
const Memory = 1 << 30

// A Program is an implementation under test that runs as a process of its own.
type Program struct {
	Name string   // as the program gives it
	Ops  []string // the operations that it answers, sorted
	// Codes asks that refusals and problems have our codes.
	Codes bool

	command  []string
	patience patience

	mu       sync.Mutex
	running  *process // nil when it has ended or failed
	closed   bool
	log      stderrLog
	id       int
	restarts int
	replies  uint64 // to what laws have asked, not-supported left out
	last     string // the last request, as it is shown
	answer   string // the last reply
	mistakes []string
}

// patience is how long a program may take.
type patience struct {
	hello, reply time.Duration // the same, except in tests
	last         time.Duration // how long a reply may stay in the pipe of a program that has ended
	memory       int           // bytes that it may use
}

// New is a program that is not started yet: a command with its arguments, and how long a reply may
// take; 0 means [Timeout].
func New(command []string, timeout time.Duration) *Program {
	if timeout <= 0 {
		timeout = Timeout
	}
	return &Program{command: command, patience: patience{hello: timeout, reply: timeout, last: lastWords, memory: Memory}}
}

// Start starts the program and says hello. The error says what went wrong.
func (p *Program) Start() error {
	if len(p.command) == 0 {
		return errors.New("no program is given")
	}
	return p.start()
}

// Close ends the program and its process group. It may be called at any time, from another
// goroutine too; the program is not started again.
func (p *Program) Close() {
	p.mu.Lock()
	running := p.running
	p.closed = true
	p.mu.Unlock()
	if running != nil {
		running.close()
	}
}

// Stderr is what the program has written to its standard error, at most 64 KiB.
func (p *Program) Stderr() string { return p.log.String() }

// start starts the program and says hello.
func (p *Program) start() error {
	p.mu.Lock()
	if p.closed {
		p.mu.Unlock()
		return errEnded
	}
	running, err := start(p.command, &p.log, p.patience)
	p.running = running
	p.mu.Unlock()
	if err != nil {
		return fmt.Errorf("the program cannot be started: %w", errReason(err))
	}
	p.id = 0
	hello := helloRequest{Protocol: Protocol}
	var got helloReply
	refusal, err := p.ask("hello", &hello, &got, p.patience.hello)
	switch {
	case err != nil:
	case refusal != "":
		err = errors.New("the program refuses hello")
	case len(got.Ops) == 0:
		err = errors.New("the reply to hello names no ops")
	}
	if err != nil {
		p.fail()
		return err
	}
	if p.Ops == nil {
		slices.Sort(got.Ops)
		p.Name, p.Ops = laws.Cut(got.Name, 100), slices.Compact(got.Ops)
	}
	return nil
}

// Run runs laws against the program, as [kit.Run] does. The same options with a number of cases give the same report.
func (p *Program) Run(o kit.Options) kit.Report {
	p.restarts, p.mistakes = 0, nil
	report := kit.Run(p.Impl(), p.options(o))
	report.Restarts, report.Mistakes = p.restarts, p.mistakes
	return report
}

// Again judges the case of a token, as [kit.Again] does.
func (p *Program) Again(token string, o kit.Options) (kit.Result, kit.Counterexample, error) {
	return kit.Again(p.Impl(), token, p.options(o))
}

// Cases is how many cases a law is judged on where the options do not say, as [kit.Options] have it as Effort.
const Cases = 300

// options completes the options of a run. A reply has its own limit of time, so that a case needs none.
func (p *Program) options(o kit.Options) kit.Options {
	if o.Cases == 0 && o.Time == 0 {
		o.Effort = cmp.Or(o.Effort, Cases)
	}
	o.Shrinks, o.Timeout = cmp.Or(o.Shrinks, 200), -1
	o.Program = &kit.Program{Judges: p.judges, Ready: p.ready, Replies: func() uint64 { return p.replies }}
	return o
}

// ready reports whether the program runs. It is started again if it has failed.
func (p *Program) ready() bool {
	if p.running != nil {
		return true
	}
	for range 3 {
		p.restarts++
		if p.start() == nil {
			return true
		}
	}
	return false
}

// fail ends a program that broke the protocol.
func (p *Program) fail() {
	p.mu.Lock()
	running := p.running
	p.running = nil
	p.mu.Unlock()
	if running != nil {
		running.close()
	}
}

// answers reports whether the program answers an operation.
func (p *Program) answers(op string) bool { return slices.Contains(p.Ops, op) }

// A replyHead is what all replies have.
type replyHead struct {
	ID    *int `json:"id"`
	Error *struct {
		Code string `json:"code"`
	} `json:"error"`
}

// ask sends a request and reads the reply into it. A refusal is its code.
func (p *Program) ask(op string, r request, into any, timeout time.Duration) (refusal string, err error) {
	p.id++
	head := r.head()
	head.ID, head.Op = p.id, op
	line, err := laws.Marshal(r)
	if err != nil {
		return "", err
	}
	p.last = shown(line)
	p.answer = ""
	got, err := p.running.ask(line, timeout)
	p.answer = laws.Cut(string(got), maxShown)
	if err != nil {
		return "", err
	}
	var h replyHead
	if err := json.Unmarshal(got, &h); err != nil {
		return "", errors.New("the reply is not a JSON object of the protocol")
	}
	switch {
	case h.ID == nil || *h.ID != p.id:
		return "", errors.New("the reply has another id than the request")
	case h.Error != nil && h.Error.Code == "":
		return "", errors.New("the refusal has no code")
	case h.Error != nil:
		return h.Error.Code, nil
	}
	if err := json.Unmarshal(got, into); err != nil {
		return "", errForm
	}
	return "", nil
}

// must asks for a law: what is no reply ends the case as a failure and the program with it, a
// refusal as not supported the case alone.
func (p *Program) must(op string, r request, into any) (refusal string) {
	if p.running == nil {
		panic(laws.ErrNotSupported)
	}
	refusal, err := p.ask(op, r, into, p.patience.reply)
	switch {
	case errors.Is(err, errForm):
		p.mistaken(errForm.Error())
	case err != nil:
		p.broken(err.Error())
	}
	if refusal == "not-supported" {
		panic(laws.ErrNotSupported)
	}
	p.replies++
	return refusal
}

// errForm is a reply that is JSON, but not the protocol's.
var errForm = errors.New("a member of the reply has another form than the protocol's")

// broken ends the case and the program, which broke the protocol.
func (p *Program) broken(message string) {
	p.fail()
	panic(laws.Abort{Kind: laws.AbortFailed, Text: message + "\nrequest: " + p.last})
}

// mistaken notes a mistake in a reply, each once, and ends the case: a law that needs the reply is not covered.
func (p *Program) mistaken(message string) {
	if !slices.ContainsFunc(p.mistakes, func(m string) bool { return strings.HasPrefix(m, message+"\n") }) {
		p.mistakes = append(p.mistakes, message+"\nrequest: "+p.last+"\nreply: "+p.answer)
	}
	panic(laws.ErrAbsent)
}

// secrets are the members of a request that are never shown.
var secrets = regexp.MustCompile(`"(secret|private_key)":("(?:[^"\\]|\\.)*"|\{[^}]*\})`)

// maxShown is how much of a request is shown.
const maxShown = 2000

func shown(line []byte) string {
	return laws.Cut(strings.TrimSuffix(string(secrets.ReplaceAll(line, []byte(`"$1":"…"`))), "\n"), maxShown)
}
