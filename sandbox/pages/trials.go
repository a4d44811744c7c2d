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

type outcomesPage struct {
	list
	Outcomes []outcome
}

func (v *pageRequest) outcomes() (any, error) {
	l, records, err := listOf[outcome](v, "outcomes", "")
	return outcomesPage{l, records}, err
}

func (v *pageRequest) addOutcome() (string, error) {
	record := v.typed("profile", "login", "last4", "amount", "outcome")
	if err := v.numbers(record, "repeat", "times"); err != nil {
		return "", err
	}
	return v.added("outcomes", record)
}

func (v *pageRequest) removeOutcome() (string, error)  { return v.removed("outcomes") }
func (v *pageRequest) removeFault() (string, error)    { return v.removed("faults") }
func (v *pageRequest) removeSnapshot() (string, error) { return v.removed("snapshots") }

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

type faultsPage struct {
	list
	Faults []fault
	Kinds  []gateway.FaultKind
}

func (v *pageRequest) faults() (any, error) {
	l, records, err := listOf[fault](v, "faults", "")
	return faultsPage{l, records, gateway.FaultKinds()}, err
}

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

type snapshotsPage struct {
	list
	Snapshots []snapshot
}

func (v *pageRequest) snapshots() (any, error) {
	l, records, err := listOf[snapshot](v, "snapshots", "")
	return snapshotsPage{l, records}, err
}

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
