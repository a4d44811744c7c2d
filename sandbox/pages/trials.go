package pages

import (
	"strconv"

	"github.com/chargecast/chargecast/gateway"
)

// The pages of what is tried: declines, faults and snapshots.

type outcome struct {
	ID, Login, Profile string
	Repeat             *uint64
	Last4, Amount      string
	Outcome            string
	Times, Used        int
}

func (v *pageRequest) addOutcome() (string, error) {
	record := v.typed("profile", "login", "last4", "amount", "outcome")
	if err := v.numbers(record, "repeat", "times"); err != nil {
		return "", err
	}
	return v.added("outcomes", record)
}

type fault struct {
	ID, Kind, Login string
	Where           struct {
		Profile, Day string
		Request      int
	}
	Times, Used, Ms, Days int
	BytesS                int `json:"bytes_s"`
}

// Says is what the fault selects, in words.
func (f *fault) Says() string {
	text := "any event"
	add := func(is bool, words string) {
		if is {
			text += words
		}
	}
	add(f.Login != "", " of "+f.Login)
	add(f.Where.Profile != "", ", profile "+f.Where.Profile)
	add(f.Where.Day != "", ", after "+f.Where.Day)
	add(f.Where.Request > 0, ", request "+strconv.Itoa(f.Where.Request))
	add(f.Ms > 0, ", "+strconv.Itoa(f.Ms)+" ms")
	add(f.Days > 0, ", "+counted(uint64(f.Days), "day", "days"))
	add(f.BytesS > 0, ", "+strconv.Itoa(f.BytesS)+" bytes a second")
	return text
}

// FaultKinds are the kinds that the form of a fault offers.
func (f *frame) FaultKinds() []gateway.FaultKind { return gateway.FaultKinds() }

func (v *pageRequest) addFault() (string, error) {
	record, where := v.typed("kind", "login"), v.typed("profile", "day")
	if err := v.numbers(record, "times", "ms", "days", "bytes_s"); err != nil {
		return "", err
	}
	if err := v.numbers(where, "request"); err != nil {
		return "", err
	}
	record["where"] = where
	return v.added("faults", record)
}

type snapshot struct{ ID, Now string }

func (v *pageRequest) takeSnapshot() (string, error) { return v.added("snapshots", struct{}{}) }

func (v *pageRequest) restore() (string, error) {
	if err := v.post("snapshots/"+v.id+"/restore", struct{}{}, new(struct{})); err != nil {
		return "", err
	}
	return prefix + "snapshots?done=restored", nil
}

func (v *pageRequest) reset() (string, error) {
	if err := v.post("reset", v.typed("to"), new(struct{})); err != nil {
		return "", err
	}
	return prefix + "snapshots?done=reset", nil
}
