package conform

import (
	"maps"
	"slices"
	"strings"

	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/fuzz"
)

// A Counterexample is a case as a user would meet it.
type Counterexample struct {
	CSV     string // the payload; empty for a case without one
	Command string // what shows the right answer, the payload in payload.csv
}

// Show is a case as a payload and the command that shows the right answer. A case that no payload
// can hold has the command of its token alone.
func Show(c *fuzz.Case) Counterexample {
	shown, ok := Counterexample{}, false
	switch v := c.Value.(type) {
	case fuzz.PlanCase:
		shown, ok = showPlan("forecast", v, engine.Script{})
	case fuzz.LogCase:
		shown, ok = showPlan("simulate", v.PlanCase, v.Script())
	case fuzz.PayloadCase:
		shown, ok = Counterexample{string(v.Text()), "chargecast validate payload.csv"}, true
	}
	if !ok {
		shown.Command = "chargecast repro " + c.Token()
	}
	return shown
}

func showPlan(verb string, p fuzz.PlanCase, script engine.Script) (Counterexample, bool) {
	of, ok := newJob(p.Job, nil)
	if !ok {
		return Counterexample{}, false
	}
	lines, ok := scriptOf(script)
	if !ok {
		return Counterexample{}, false
	}
	var files, flags strings.Builder
	flags.WriteString("chargecast " + verb + " --as-of " + p.AsOf.String() + " --until " + p.Last().String())
	for i, key := range slices.Sorted(maps.Keys(of.policy)) {
		flags.WriteString([...]string{" --policy ", ","}[min(i, 1)] + key + "=" + of.policy[key])
	}
	if p.State.Status != 0 {
		line, _ := engine.AppendStateLine(nil, of.Profile.ID, p.State)
		writeFile(&files, "state.jsonl", string(line))
		flags.WriteString(" --state state.jsonl")
	}
	if len(lines) > 0 {
		var all []string
		for _, line := range lines {
			all = append(all, string(line))
		}
		writeFile(&files, "script.jsonl", strings.Join(all, "\n"))
		flags.WriteString(" --script script.jsonl")
	}
	return Counterexample{string(of.csv), files.String() + flags.String() + " payload.csv"}, true
}

// writeFile writes the command of a shell that writes a file.
func writeFile(b *strings.Builder, name, content string) {
	b.WriteString("cat > " + name + " <<'EOF'\n" + content + "\nEOF\n")
}
