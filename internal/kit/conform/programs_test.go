package conform_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/gen"
	"github.com/chargecast/chargecast/internal/kit/gallery"
	"github.com/chargecast/chargecast/internal/kit/laws"
)

// faultOf is what is wrong with a program, here or in the gallery; nil for the name of none.
func faultOf(name string) func(*laws.Impl) {
	if fault := faults[name]; fault != nil {
		return fault
	}
	return inGallery(name)
}

// inGallery is what is wrong with a member of the gallery; nil for the name of none.
func inGallery(name string) func(*laws.Impl) {
	m, found := gallery.Find(name)
	if !found {
		return nil
	}
	return func(i *laws.Impl) { *i = m.Impl() }
}

// faults are what programs do wrong that no member of the gallery does.
var faults = map[string]func(*laws.Impl){
	"one charge too many": func(i *laws.Impl) {
		forecast := i.Forecast
		i.Forecast = func(j gen.Job) (laws.Forecast, error) {
			if n, set := j.Profile.MaxRepeats.Value(); set && n > 0 && n < 1<<60 {
				j.Profile.MaxRepeats = engine.AtMost(n + 2) // one more would be a reading of L08
			}
			return forecast(j)
		}
	},
	"ends at a large interval": func(i *laws.Impl) {
		forecast := i.Forecast
		i.Forecast = func(j gen.Job) (laws.Forecast, error) {
			if j.Profile.Interval > 1<<30 {
				os.Exit(7)
			}
			if n, set := j.Profile.MaxRepeats.Value(); set && n > 0 && n < 1<<60 {
				j.Profile.MaxRepeats = engine.AtMost(n + 2)
			}
			return forecast(j)
		}
	},
	"a stop is forgotten": func(i *laws.Impl) {
		simulate := i.Simulate
		i.Simulate = func(p engine.Policy, s engine.Simulation, yield func(engine.Effect) bool) (engine.Stored, error) {
			var steps []engine.Step
			for _, step := range s.Steps {
				if step.Kind != engine.EventStop {
					steps = append(steps, step)
				}
			}
			s.Steps = steps
			return simulate(p, s, yield)
		}
	},
	"both reasons of a manual charge past finish-date": func(i *laws.Impl) {
		simulate := i.Simulate
		i.Simulate = func(p engine.Policy, s engine.Simulation, yield func(engine.Effect) bool) (engine.Stored, error) {
			stored, err := simulate(p, s, yield)
			stop, finish := &stored.State.Stop, s.Stored.Profile.Finish
			if stop.Reasons == engine.ReasonMaxRepeats && !finish.IsZero() && stop.Date.After(finish) {
				stop.Reasons |= engine.ReasonFinishDate
			}
			return stored, err
		}
	},
	"stopped a day late": func(i *laws.Impl) {
		simulate := i.Simulate
		i.Simulate = func(p engine.Policy, s engine.Simulation, yield func(engine.Effect) bool) (engine.Stored, error) {
			stored, err := simulate(p, s, yield)
			if stop := &stored.State.Stop; !stop.Date.IsZero() && stop.Reasons != engine.ReasonAPI {
				stop.Date = stop.Date.AddDays(1)
			}
			return stored, err
		}
	},
	"the secret is not encoded": func(i *laws.Impl) { inGallery("secret-raw")(i) },
	"panics later": func(i *laws.Impl) {
		forecast, n := i.Forecast, 0
		i.Forecast = func(j gen.Job) (laws.Forecast, error) {
			if n++; n > 40 {
				fmt.Fprintln(os.Stderr, "out of luck")
				os.Exit(7)
			}
			return forecast(j)
		}
	},
}

// programs are what the test binary can be, beside those with a fault.
var programs = map[string]func(in io.Reader, out io.Writer){
	"ours": with(func(*laws.Impl) {}),

	// Programs that follow another reading of a silence, or support one alone.
	"catches up":           under("start-past=catch-up"),
	"zero is no limit":     under("max-zero=unlimited"),
	"exclusive finish":     under("finish-bound=exclusive"),
	"overflowing months":   under("month-end=overflow"),
	"default reading only": defaultOnly,
	"counts from 0 again":  under("resume-counter=reset"),

	// Programs that break the protocol: after hello, or at once.
	"exits at once":              func(io.Reader, io.Writer) {},
	"exits after hello":          afterHello(func(*bufio.Reader, io.Writer) {}),
	"hangs at hello":             func(io.Reader, io.Writer) { sleep() },
	"hangs after hello":          afterHello(func(in *bufio.Reader, _ io.Writer) { sleep() }),
	"garbage at hello":           func(_ io.Reader, out io.Writer) { fmt.Fprintln(out, "Starting up…"); sleep() },
	"garbage after hello":        afterHello(each("{]\n")),
	"null":                       afterHello(each("null\n")),
	"another id":                 afterHello(each(`{"id":0,"charges":[],"end":{}}` + "\n")),
	"no members":                 afterHello(answering(`{}`)),
	"a string for a list":        afterHello(answering(`{"charges":"none","end":{}}`)),
	"money as a number":          afterHello(answering(`{"charges":[{"repeat":0,"date":"2026-01-31","amount":10}],"end":{"status":"active","repeat":1,"stop":null}}`)),
	"no such day":                afterHello(answering(`{"charges":[{"repeat":0,"date":"2026-02-31","amount":"10"}],"end":{"status":"active","repeat":1,"stop":null}}`)),
	"null in a list":             afterHello(answering(`{"charges":[null],"end":{"status":"active","repeat":1,"stop":null}}`)),
	"negative repeat":            afterHello(answering(`{"charges":[{"repeat":-1,"date":"2026-01-31","amount":"10"}],"end":{}}`)),
	"another status":             afterHello(answering(`{"charges":[],"end":{"status":"paused","repeat":1,"stop":null}}`)),
	"a stop without a day":       afterHello(answering(`{"charges":[],"end":{"status":"stopped","repeat":1,"stop":{}}}`)),
	"an amount with an exponent": afterHello(answering(`{"charges":[{"repeat":0,"date":"2026-01-31","amount":"1e9"}],"end":{"status":"active","repeat":1,"stop":null}}`)),
	"a deep reply":               afterHello(answering(`{"x":` + strings.Repeat("[", 100_000) + `}`)),
	"half a line":                afterHello(func(in *bufio.Reader, out io.Writer) { _, _ = in.ReadBytes('\n'); fmt.Fprint(out, `{"id":`) }),
	"a giant line":               afterHello(giant),
	"a flood of lines": afterHello(func(_ *bufio.Reader, out io.Writer) {
		for {
			if _, err := fmt.Fprintln(out, `{"id":1}`); err != nil {
				return
			}
		}
	}),
	"floods stderr": func(in io.Reader, out io.Writer) {
		_, _ = io.WriteString(os.Stderr, strings.Repeat("noise\n", 1<<18))
		serve(in, out, laws.Ours())
	},
	"closes stdin":  afterHello(func(*bufio.Reader, io.Writer) { _ = os.Stdin.Close(); sleep() }),
	"closes stdout": afterHello(func(*bufio.Reader, io.Writer) { _ = os.Stdout.Close(); sleep() }),
	"leaves a child": afterHello(func(*bufio.Reader, io.Writer) {
		c := exec.Command(os.Args[0])
		c.Env = append(os.Environ(), program+"=hangs at hello")
		c.Stdin, c.Stdout, c.Stderr = os.Stdin, os.Stdout, os.Stderr
		_ = c.Start()
		fmt.Fprintln(os.Stderr, "child", c.Process.Pid)
	}),
	"refuses hello": func(in io.Reader, out io.Writer) {
		_, _ = bufio.NewReader(in).ReadBytes('\n')
		fmt.Fprintln(out, `{"id":1,"error":{"code":"not-supported"}}`)
		sleep()
	},
	"no ops": func(in io.Reader, out io.Writer) {
		_, _ = bufio.NewReader(in).ReadBytes('\n')
		fmt.Fprintln(out, `{"id":1,"name":"idle","ops":[]}`)
		sleep()
	},
}

// sleep is longer than any test: the program has to be killed.
func sleep() { time.Sleep(time.Hour) }

func with(change func(*laws.Impl)) func(io.Reader, io.Writer) {
	return func(in io.Reader, out io.Writer) {
		impl := laws.Ours()
		change(&impl)
		serve(in, out, impl)
	}
}

// under is a program that follows other readings where the request asks for none.
func under(readings string) func(io.Reader, io.Writer) {
	return with(func(i *laws.Impl) {
		p, err := engine.ParsePolicy(readings)
		if err != nil {
			panic(err)
		}
		own := func(asked engine.Policy) engine.Policy {
			for c := range engine.Keys() {
				for n, r := range c.Entry().Readings {
					if n > 0 && r == p.Reading(c) && asked.Reading(c) == c.Entry().Readings[0] {
						asked = asked.WithReading(c, n)
					}
				}
			}
			return asked
		}
		forecast, simulate := i.Forecast, i.Simulate
		i.Forecast = func(j gen.Job) (laws.Forecast, error) {
			j.Policy = own(j.Policy)
			return forecast(j)
		}
		i.Simulate = func(asked engine.Policy, s engine.Simulation, yield func(engine.Effect) bool) (engine.Stored, error) {
			return simulate(own(asked), s, yield)
		}
	})
}

// defaultOnly refuses every other reading as not supported.
func defaultOnly(in io.Reader, out io.Writer) {
	impl := laws.Ours()
	r, w := bufio.NewReader(in), json.NewEncoder(out)
	for {
		line, err := r.ReadBytes('\n')
		var q asked
		if err != nil || json.Unmarshal(line, &q) != nil {
			return
		}
		reply, err := answerTo(q, impl)
		if err != nil || len(q.Policy) > 0 {
			reply = object{"error": object{"code": "not-supported"}}
		}
		reply["id"] = q.ID
		_ = w.Encode(reply)
	}
}

func afterHello(then func(in *bufio.Reader, out io.Writer)) func(io.Reader, io.Writer) {
	return func(in io.Reader, out io.Writer) {
		r := bufio.NewReader(in)
		if _, err := r.ReadBytes('\n'); err != nil {
			return
		}
		fmt.Fprintln(out, `{"id":1,"name":"bad","ops":["forecast","simulate"]}`)
		then(r, out)
	}
}

// each writes a text for every request.
func each(text string) func(*bufio.Reader, io.Writer) {
	return func(in *bufio.Reader, out io.Writer) {
		for {
			if _, err := in.ReadBytes('\n'); err != nil {
				return
			}
			_, _ = io.WriteString(out, text)
		}
	}
}

// answering writes an object with the right id for every request.
func answering(members string) func(*bufio.Reader, io.Writer) {
	return func(in *bufio.Reader, out io.Writer) {
		for {
			line, err := in.ReadBytes('\n')
			var q asked
			if err != nil || json.Unmarshal(line, &q) != nil {
				return
			}
			rest := strings.TrimPrefix(members, "{")
			if rest != "}" {
				rest = "," + rest
			}
			fmt.Fprintf(out, `{"id":%d%s`+"\n", q.ID, rest)
		}
	}
}

func giant(in *bufio.Reader, out io.Writer) {
	_, _ = in.ReadBytes('\n')
	for {
		if _, err := io.WriteString(out, strings.Repeat("x", 1<<20)); err != nil {
			return
		}
	}
}
