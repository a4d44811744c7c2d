package campaign

import (
	"errors"
	"path"
	"runtime"
	"strings"
	"syscall"
	"time"

	"github.com/chargecast/chargecast/fuzz"
)

// Options say what a campaign runs. The zero value runs every law and every target for [Time], and
// keeps nothing.
type Options struct {
	// Impl is the implementation that the laws judge; nil means chargecast itself. Targets always
	// test chargecast.
	Impl *fuzz.Impl
	// Laws and Targets are patterns of ids and names. If one list is empty and the other is not,
	// its kind is left out; if both are, everything runs.
	Laws, Targets []string
	// Time is about how long the campaign takes; 0 means [Time] where Cases is 0 too, else no
	// limit.
	Time time.Duration
	// Cases is the number of cases of a law, of which laws that read payloads get a quarter and
	// slow ones a fortieth; 0 means as many as the time allows. Native targets get as many inputs.
	Cases uint64
	// Seed is what cases are drawn from; nil means the seed of the corpus, 0 for a new one.
	Seed *uint64
	// Dir is the directory of the corpus, which is created if it is missing; empty keeps nothing.
	Dir string
	// Workers is how many cases are judged at the same time; 0 means the cores.
	Workers int
	// Clone is a directory in a clone of this module, for the native targets; empty for none.
	Clone string
}

// Time is how long a campaign takes by default.
const Time = time.Minute

// ErrUnknown is a pattern that names no law or target; the error that wraps it names the pattern.
var ErrUnknown = errors.New("no law or target has that name")

// ErrCorpus is a corpus that cannot be read, or that another campaign is using. Its campaign.json
// and its last report are unchanged. Missing directories may have been created, known findings
// judged again, and the inputs of one engine copied to the other.
var ErrCorpus = errors.New("the corpus cannot be read")

// ErrKeep is a corpus that cannot be written. The report is complete nevertheless.
var ErrKeep = errors.New("the corpus cannot be written")

// check completes the options, or refuses a pattern that names nothing.
func (o Options) check() (Options, error) {
	for _, p := range o.Laws {
		if !knownLaw(p) {
			return o, unknown("law", p)
		}
	}
	for _, p := range o.Targets {
		if len(targetsOf([]string{p})) == 0 {
			return o, unknown("target", p)
		}
	}
	if o.Impl == nil {
		ours := fuzz.Ours()
		o.Impl = &ours
	}
	if o.Time <= 0 && o.Cases == 0 {
		o.Time = Time
	}
	if o.Workers <= 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	return o, nil
}

// laws are the laws to run.
func (o Options) laws() []law {
	if len(o.Laws) == 0 && len(o.Targets) > 0 {
		return nil
	}
	return lawsOf(o.Laws)
}

// targets are the targets to run.
func (o Options) targets() []target {
	if len(o.Targets) == 0 && len(o.Laws) > 0 {
		return nil
	}
	return targetsOf(o.Targets)
}

// A fault is one of the errors above with its particulars.
type fault struct {
	kind error
	text string
}

func (f *fault) Error() string { return f.text }
func (f *fault) Unwrap() error { return f.kind }

func unknown(kind, pattern string) error {
	return &fault{ErrUnknown, "no " + kind + " has the name or pattern " + pattern}
}

// because is a fault whose cause lies in the system, without the path that package os puts around
// it.
func because(kind, cause error) error {
	if cause == nil {
		return nil
	}
	text := kind.Error()
	if errno, ok := errors.AsType[syscall.Errno](cause); ok {
		text += ": " + errno.Error()
	}
	return &fault{kind, text}
}

// matches reports whether a name is that of a pattern or begins with it.
func matches(pattern, name string) bool {
	ok, err := path.Match(pattern, name)
	return err == nil && ok || pattern != "" && strings.HasPrefix(name, pattern)
}
