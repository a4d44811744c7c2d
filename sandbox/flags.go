package main

import (
	"flag"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"
	_ "time/tzdata" // zones are the same on every machine

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/gateway"
)

// anyHost is the value of --host that lets every Host header pass.
const anyHost = "any"

// memoryStore is the name of a store that keeps nothing.
const memoryStore = ":memory:"

// settings are what the flags say.
type settings struct {
	listen, store, configFile string
	allowRemote               bool
	jsonLog                   bool
	asOf                      string
	zone                      string
	hostNames                 []string
	base                      gateway.Config // without what the store decides
	policy                    string         // as it was given; empty for that of the store
	seed                      *uint64        // nil for that of the store
	info                      infoFlags
	flags                     *flag.FlagSet
}

const usageText = `Chargecast-sandbox is the payment gateway of the document as a server to test against.

  chargecast-sandbox [flags]

The first line on stdout says where it listens: {"type":"ready","url":"http://127.0.0.1:8043"}

`

// parseFlags reads the command line. With --help it writes the help and returns flag.ErrHelp.
func parseFlags(args []string, stderr io.Writer) (*settings, error) {
	s := &settings{}
	flags := flag.NewFlagSet("chargecast-sandbox", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	flags.StringVar(&s.listen, "listen", "127.0.0.1:8043", "`ADDRESS` to listen at; port 0 is any free one")
	flags.StringVar(&s.store, "store", "chargecast-sandbox.db", "`FILE` that keeps everything; :memory: keeps nothing")
	flags.StringVar(&s.asOf, "as-of", "", "`DATE` that the clock of a new store shows; by default today in --zone")
	flags.StringVar(&s.zone, "zone", "UTC", "time `ZONE` of today, such as Europe/Berlin")
	flags.Func("policy", "readings in force, as in `KEY=VALUE`,KEY=VALUE; a store keeps those that it was made with", s.setPolicy)
	flags.Func("seed", "`NUMBER` that random amounts and faults are drawn from; a store keeps its own (default 0)", s.setSeed)
	flags.StringVar(&s.base.PublicURL, "public-url", "", "`URL` that clients sign, if a proxy hides it")
	flags.StringVar(&s.configFile, "config", "", "JSON `FILE` with merchants to register, and outcomes and faults of new ones")
	flags.Func("host", "another `NAME` or NAME:PORT that requests may name in their Host header, such as a compose service; can be given again; any with --allow-remote", s.addHost)
	flags.BoolVar(&s.allowRemote, "allow-remote", false, "allow to listen at an address that other machines can reach")
	flags.Int64Var(&s.base.MaxBody, "max-body", 64<<20, "longest body of a create request in `BYTES`")
	flags.Int64Var(&s.base.MaxBodies, "max-bodies", 0, "longest bodies of all create requests under way, in `BYTES` together (default 67108864, or --max-body if that is more)")
	flags.TextVar(&s.base.Callbacks, "callbacks", gateway.CallbacksLoopback, "where callbacks go: `loopback|any|off`")
	flags.Func("callback-pauses", "`SECONDS` between the attempts of a callback (default 1,5,30,120,600)", s.setPauses)
	flags.BoolVar(&s.base.ReasonHeader, "reason-header", false, "send the reason of a 403 in the header X-Chargecast-Reason")
	flags.Func("log", "form of the log: `text|json` (default text)", s.setLog)
	s.info.add(flags)
	s.flags = flags
	err := flags.Parse(args)
	switch {
	case err == flag.ErrHelp:
		_, _ = io.WriteString(stderr, usageText)
		flags.SetOutput(stderr)
		flags.PrintDefaults()
		return nil, err
	case err != nil:
		return nil, usage(err.Error())
	case flags.NArg() > 0:
		return nil, usage("the program takes flags only")
	}
	return s, s.check()
}

func usage(text string) error {
	return &failure{exitUsage, text, "see chargecast-sandbox --help"}
}

func (s *settings) setPolicy(text string) (err error) {
	s.base.Policy, err = engine.ParsePolicy(text)
	s.policy = text
	return err
}

func (s *settings) setSeed(text string) error {
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		return fmt.Errorf("must be a whole number from 0")
	}
	s.base.Seed, s.seed = n, &n
	return nil
}

func (s *settings) addHost(text string) error {
	if text == "" || strings.ContainsAny(text, "/ \t@?#") {
		return fmt.Errorf("must be a name such as gateway or localhost:49153")
	}
	s.hostNames = append(s.hostNames, text)
	return nil
}

// maxPause is the longest pause between two attempts: a day, in seconds.
const maxPause = 86400

func (s *settings) setPauses(text string) error {
	s.base.CallbackPauses = []time.Duration{}
	if text == "" {
		return nil
	}
	for part := range strings.SplitSeq(text, ",") {
		n, err := strconv.ParseUint(part, 10, 32)
		if err != nil || n > maxPause {
			return fmt.Errorf("each pause must be a whole number of seconds from 0 to %d", maxPause)
		}
		s.base.CallbackPauses = append(s.base.CallbackPauses, time.Duration(n)*time.Second)
	}
	return nil
}

func (s *settings) setLog(text string) error {
	if text != "text" && text != "json" {
		return fmt.Errorf("must be text or json")
	}
	s.jsonLog = text == "json"
	return nil
}

// check checks what one flag alone cannot, and sets the first day.
func (s *settings) check() error {
	zone, err := time.LoadLocation(s.zone)
	if err != nil || s.zone == "" || s.zone == "Local" {
		return usage("--zone: unknown time zone")
	}
	s.base.AsOf = calendar.Of(time.Now().In(zone))
	if s.asOf != "" {
		if s.base.AsOf, err = calendar.Parse(s.asOf); err != nil {
			return usage("--as-of: not a date; write YYYY-MM-DD")
		}
	}
	switch {
	case slices.Contains(s.hostNames, anyHost) && !s.allowRemote:
		return usage("--host any: pages of other sites could reach the server by a name of their own; add --allow-remote if nobody browses on this machine")
	case s.store == "":
		return usage("--store: the name is empty; write :memory: to keep nothing")
	case s.base.MaxBody < 1:
		return usage("--max-body: must be a whole number of bytes from 1")
	case s.base.MaxBodies != 0 && s.base.MaxBodies < s.base.MaxBody:
		return usage("--max-bodies: must be at least --max-body")
	}
	return nil
}
