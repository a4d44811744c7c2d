package laws

import (
	"slices"
	"strconv"
	"strings"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
)

// effectsDifference says in which effect two lists differ first, and in what.
func effectsDifference(got, want []engine.Effect) string {
	at := 0
	for at < len(got) && at < len(want) && got[at] == want[at] {
		at++
	}
	text := "effect " + strconv.Itoa(at+1) + " of " + strconv.Itoa(len(got)) + " is " + nthEffect(got, at) + ", want " + nthEffect(want, at)
	if at >= len(got) || at >= len(want) || nthEffect(got, at) != nthEffect(want, at) {
		return text + " of " + strconv.Itoa(len(want))
	}
	if a, b := because(got[at]), because(want[at]); a != b {
		return "effect " + strconv.Itoa(at+1) + ", " + nthEffect(got, at) + ", is because of " + a + ", want because of " + b
	}
	return "effect " + strconv.Itoa(at+1) + ", " + nthEffect(got, at) + ", has another scale, refusal or note of the card"
}

func nthEffect(list []engine.Effect, at int) string {
	if at >= len(list) {
		return "none"
	}
	return EffectText(list[at])
}

// because is what an effect rests on, its charge and its stop too.
func because(e engine.Effect) string {
	var texts []string
	for _, b := range [...]string{e.Because.String(), e.Charge.Because.String(), e.Stop.Because.String()} {
		if b != "" && !slices.Contains(texts, b) {
			texts = append(texts, b)
		}
	}
	if len(texts) == 0 {
		return "nothing"
	}
	return strings.Join(texts, " and ")
}

// stateDifference names the first member of two states that differs, with its values.
func stateDifference(got, want engine.State) string {
	for _, member := range [...][3]string{
		{"status", got.Status.String(), want.Status.String()},
		{"repeat", uintText(got.Repeat), uintText(want.Repeat)},
		{"anchor", dayInWords(got.Anchor), dayInWords(want.Anchor)},
		{"ran_through", dayInWords(got.RanThrough), dayInWords(want.RanThrough)},
		{"last", dayInWords(got.Last), dayInWords(want.Last)},
		{"paid", daysInWords(got.Paid), daysInWords(want.Paid)},
		{"missed", windowsInWords(got.Missed), windowsInWords(want.Missed)},
		{"stop", inWords(StopFrom(got.Stop)), inWords(StopFrom(want.Stop))},
		{"because", got.Because.String() + "; " + got.Stop.Because.String(), want.Because.String() + "; " + want.Stop.Because.String()},
	} {
		if member[1] != member[2] {
			return "the state has " + member[0] + " " + member[1] + ", want " + member[2]
		}
	}
	return "the states are equal"
}

func daysInWords(list []calendar.Date) string {
	if len(list) == 0 {
		return "none"
	}
	var texts []string
	for _, d := range list[:min(len(list), 10)] {
		texts = append(texts, dayInWords(d))
	}
	if len(list) > 10 {
		texts = append(texts, strconv.Itoa(len(list)-10)+" more")
	}
	return strings.Join(texts, ", ")
}

func windowsInWords(list []calendar.Window) string {
	var texts []string
	for _, w := range list {
		texts = append(texts, dayInWords(w.From)+" to "+dayInWords(w.Last()))
	}
	if len(texts) == 0 {
		return "none"
	}
	return strings.Join(texts, ", ")
}
