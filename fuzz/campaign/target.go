package campaign

import (
	"math/bits"
	"slices"
	"strings"
	"sync"

	"github.com/chargecast/chargecast/fuzz"
	"github.com/chargecast/chargecast/fuzz/laws"
	"github.com/chargecast/chargecast/internal/gen"
)

// A Target is a native fuzz target: a body that takes any bytes. The body panics when a
// law is broken, since that is all that a fuzzer understands; it returns for every
// input otherwise, soon and in bounded memory.
type Target struct {
	// Name is that of the native wrapper: Fuzz<What>_<Op>_<Oracle>.
	Name  string
	Body  func(data []byte)
	Seeds []Seed
	// Words are what means something to the target and chance would not find; each stands
	// in a seed. Targets that read the bytes as chance have none.
	Words []string
}

// A Seed is an input that a target begins with, and what it is for.
type Seed struct{ Data, Why string }

// Targets are all targets, in the order of their groups. A group is one file.
func Targets() []Target {
	return slices.Concat(valueTargets(), manyTargets(), engineTargets(), payloadTargets(), signatureTargets())
}

// seeds are inputs with one reason.
func seeds(why string, data ...string) []Seed {
	var list []Seed
	for _, d := range data {
		list = append(list, Seed{d, why})
	}
	return list
}

// chosen is a seed of a target that reads the bytes as choices.
func chosen(why string, choices ...uint64) []Seed { return seeds(why, string(gen.Bytes(choices))) }

// byteSeeds are inputs for targets that read the bytes as chance: none, one, and a few
// that lead the generators to different corners.
func byteSeeds() []Seed {
	return []Seed{
		{"", "chance goes on when the bytes end"},
		{"\x00", "every first choice"},
		{strings.Repeat("\x00", 64), "every first choice, far down"},
		{strings.Repeat("\xff", 64), "every last choice"},
		{strings.Repeat("\x80\x00", 64), "every choice in the middle"},
		{"\x10\x20\x30\x40\x50\x60\x70\x80\x90\xa0\xb0\xc0\xd0\xe0\xf0\x00\x08\x18\x28\x38\x48\x58\x68\x78", "rising"},
		{strings.Repeat("monthly on the 31st; ", 8), "text"},
	}
}

// hold panics with what a check reports.
func hold(check func(t *laws.T)) {
	if message := laws.Reported(ours(), check); message != "" {
		panic(message)
	}
}

// holds panics where our own code breaks one of some laws on a value.
func holds(value any, ids ...string) {
	for _, id := range ids {
		if v := laws.Judge(law(id), &laws.Case{Law: id, Value: value}, ours()); v.Message != "" {
			panic(id + ": " + v.Message)
		}
	}
}

// judging is a target that only judges some laws on what a generator makes of the bytes.
func judging[V any](draw func(gen.Chooser) V, ids ...string) func([]byte) {
	return func(data []byte) { holds(draw(chooser(data)), ids...) }
}

// judgingText is a target that only judges some laws on the bytes as a text.
func judgingText(ids ...string) func([]byte) {
	return func(data []byte) { holds(string(data), ids...) }
}

// drawing is a target that only judges a law on what its own generator makes of the bytes.
func drawing(id string) func([]byte) {
	return func(data []byte) { holds(law(id).Drawn(gen.FromBytes(data), nil).Value, id) }
}

// chooser makes choices from a fuzzer's bytes.
func chooser(data []byte) gen.Chooser {
	return gen.Chooser{Stream: gen.FromBytes(data)}
}

// law is the law with an id.
func law(id string) laws.Law {
	l, ok := byID()[id]
	if !ok {
		panic("no such law: " + id)
	}
	return l
}

// inHalf reports whether an input is in one half of all: a matter of all of its bytes (FNV-1a).
func inHalf(data []byte) bool {
	sum := uint32(2_166_136_261)
	for _, c := range data {
		sum = (sum ^ uint32(c)) * 16_777_619
	}
	return bits.OnesCount32(sum)%2 == 0
}

// ours is our own code as the laws ask it, made once: an engine gives a target ten thousand inputs a second.
var ours = sync.OnceValue(func() laws.Impl { return laws.Ours().Guarded() })

// byID are the laws by their ids.
var byID = sync.OnceValue(func() map[string]laws.Law {
	laws := map[string]laws.Law{}
	for _, l := range fuzz.Laws() {
		laws[l.ID] = l
	}
	return laws
})
