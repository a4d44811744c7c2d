package server

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	_ "time/tzdata" // zones are the same on every machine

	"github.com/spf13/cobra"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/gateway"
	"github.com/chargecast/chargecast/internal/program"
)

// anyHost is the value of --host that lets every Host header pass.
const anyHost = "any"

// memoryStore is the name of a store that keeps nothing.
const memoryStore = ":memory:"

// settings are what the flags say.
type settings struct {
	listen, store, configFile string
	asOf                      program.Flag[calendar.Date]
	zone                      program.Flag[*time.Location]
	policy                    program.Flag[engine.Policy]
	seed                      program.Flag[uint64]
	hostNames                 []string
	allowRemote               bool
	maxBody, maxBodies        program.Flag[int64]
	callbacks, log            *program.Flag[string]
	pauses                    program.Flag[[]time.Duration]
	health                    string

	base                        gateway.Config // without what the store decides
	hasPolicy, hasSeed, hasAsOf bool           // were given; otherwise the store decides
}

func newSettings() *settings {
	return &settings{
		asOf: program.NewFlag("DATE", "", calendar.Date{}, func(s string) (calendar.Date, error) {
			day, err := calendar.Parse(s)
			if err != nil {
				return day, errors.New("not a date; write YYYY-MM-DD")
			}
			return day, nil
		}),
		zone: program.NewFlag("ZONE", "UTC", time.UTC, func(s string) (*time.Location, error) {
			zone, err := time.LoadLocation(s)
			if err != nil || s == "" || s == "Local" {
				return nil, errors.New("unknown time zone")
			}
			return zone, nil
		}),
		policy:  program.NewFlag("KEY=VALUE,...", "", engine.Policy{}, engine.ParsePolicy),
		seed:    program.Seed(),
		maxBody: program.Size().Or(64<<20, "67108864"), maxBodies: program.Size(),
		callbacks: program.OneOf(gateway.CallbacksLoopback.String(), gateway.CallbacksAny.String(), gateway.CallbacksOff.String()),
		log:       program.OneOf("text", "json"),
		pauses:    program.NewFlag("SECONDS,...", "", nil, parsePauses),
	}
}

func (s *settings) register(c *cobra.Command) {
	f := c.Flags()
	f.StringVar(&s.listen, "listen", "127.0.0.1:8043", "`ADDRESS`; port 0: any free")
	f.StringVar(&s.store, "store", "chargecast-sandbox.db", "`FILE`, or :memory:")
	f.Var(&s.asOf, "as-of", "`DATE` of the clock of a new store (default today)")
	f.Var(&s.zone, "zone", "`ZONE` of today, such as Europe/Berlin")
	f.StringVar(&s.configFile, "config", "", "JSON `FILE` of merchants, outcomes and faults to add")
	f.Var(&s.policy, "policy", "readings in force; a store keeps its own")
	f.Var(&s.seed, "seed", "of random amounts; a store keeps its own")
	f.Var(s.callbacks, "callbacks", "`TO` loopback, any or off")
	f.Var(&s.pauses, "callback-pauses", "`S,...` between attempts (default 1,5,30,120,600)")
	f.StringArrayVar(&s.hostNames, "host", nil, "another `NAME` in Host headers; may be repeated")
	f.BoolVar(&s.allowRemote, "allow-remote", false, "allow an address that other machines can reach")
	f.StringVar(&s.base.PublicURL, "public-url", "", "`URL` that clients sign, if a proxy hides the server")
	f.Var(&s.maxBody, "max-body", "most `BYTES` of a create request")
	f.Var(&s.maxBodies, "max-bodies", "most `BYTES` of all (default 64 MiB, or --max-body)")
	f.BoolVar(&s.base.ReasonHeader, "reason-header", false, "add X-Chargecast-Reason to each 403")
	f.Var(s.log, "log", "`FORMAT` of the log: text, json")
	f.StringVar(&s.health, "health", "", "ask the server at `URL` whether it is well, and end")
	for name, words := range map[string]*program.Flag[string]{"callbacks": s.callbacks, "log": s.log} {
		// It fails only for a flag that the command lacks.
		_ = c.RegisterFlagCompletionFunc(name, cobra.FixedCompletions(strings.Split(words.Type(), "|"), cobra.ShellCompDirectiveNoFileComp))
	}
	for _, name := range []string{"listen", "as-of", "zone", "policy", "seed", "callback-pauses", "host", "public-url", "max-body", "max-bodies", "health"} {
		_ = c.RegisterFlagCompletionFunc(name, cobra.NoFileCompletions)
	}
}

// defaultBodies is how many bytes the bodies of all create requests under way may have together.
const defaultBodies = 64 << 20

func usage(text string) error { return program.Usage(text, "see: "+name+" --help") }

// maxPause is the longest pause between two attempts: a day, in seconds.
const maxPause = 86400

// parsePauses reads seconds; an empty text is for one attempt alone.
func parsePauses(text string) ([]time.Duration, error) {
	pauses := []time.Duration{}
	if text == "" {
		return pauses, nil
	}
	for part := range strings.SplitSeq(text, ",") {
		n, ok := program.WholeNumber(part)
		if !ok || n > maxPause {
			return nil, fmt.Errorf("each pause must be a whole number of seconds from 0 to %d", maxPause)
		}
		pauses = append(pauses, time.Duration(n)*time.Second)
	}
	return pauses, nil
}

// check checks what one flag alone cannot, and makes the gateway's configuration of them.
func (s *settings) check(c *cobra.Command) error {
	s.hasPolicy, s.hasSeed, s.hasAsOf = s.policy.String() != "", c.Flags().Changed("seed"), c.Flags().Changed("as-of")
	for _, host := range s.hostNames {
		if host == "" || strings.ContainsAny(host, "/ \t@?#") {
			return usage("--host: must be a name such as gateway or localhost:49153")
		}
	}
	switch {
	case slices.Contains(s.hostNames, anyHost) && !s.allowRemote:
		return usage("--host any: pages of other sites could reach the server by a name of their own; add --allow-remote if nobody browses on this machine")
	case s.maxBodies.V != 0 && s.maxBodies.V < s.maxBody.V:
		return usage("--max-bodies: must be at least --max-body")
	}
	s.base.AsOf = s.asOf.V
	if !s.hasAsOf {
		s.base.AsOf = calendar.Of(time.Now().In(s.zone.V))
	}
	s.base.Policy, s.base.Seed, s.base.CallbackPauses = s.policy.V, s.seed.V, s.pauses.V
	s.base.MaxBody, s.base.MaxBodies = s.maxBody.V, s.maxBodies.V
	if s.base.MaxBodies == 0 {
		s.base.MaxBodies = max(defaultBodies, s.base.MaxBody)
	}
	return s.base.Callbacks.UnmarshalText([]byte(s.callbacks.V))
}
