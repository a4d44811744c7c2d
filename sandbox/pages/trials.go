package pages

import (
	"cmp"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/gateway"
	"github.com/chargecast/chargecast/record"
)

// The pages of what is tried: declines, faults, snapshots, and the timeline of what came of them.

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

func (v *visit) outcomes() (any, error) {
	var p struct {
		Outcomes []outcome
		Cursor   string
	}
	l, err := v.list("outcomes", "", []string{"all"}, &p, &p.Cursor)
	return outcomesPage{l, p.Outcomes}, err
}

// typed collects what a form says under these names; empty values are left out.
func (v *visit) typed(names ...string) map[string]any {
	record := map[string]any{}
	for _, name := range names {
		if value := strings.TrimSpace(v.form.Get(name)); value != "" {
			record[name] = value
		}
	}
	return record
}

// numbers adds whole numbers; what is no number fails with the name of its field.
func (v *visit) numbers(record map[string]any, names ...string) error {
	for _, name := range names {
		text := strings.TrimSpace(v.form.Get(name))
		if text == "" {
			continue
		}
		n, err := strconv.ParseUint(text, 10, 31)
		if err != nil {
			return &problem{Status: http.StatusBadRequest, Field: name, Title: "the value is not a whole number", Detail: "write digits"}
		}
		record[name] = n
	}
	return nil
}

func (v *visit) addOutcome() (string, error) {
	record := v.typed("profile", "login", "last4", "amount", "outcome")
	if err := v.numbers(record, "repeat", "times"); err != nil {
		return "", err
	}
	return v.added("outcomes", record)
}

// added posts a record, and goes to its list.
func (v *visit) added(name string, record any) (string, error) {
	if err := v.post(name, record, new(struct{})); err != nil {
		return "", err
	}
	return prefix + name + "?done=added", nil
}

// removed deletes the record of the path, and goes to its list.
func (v *visit) removed(name string) (string, error) {
	id := v.id
	if id == "" {
		id = url.PathEscape(v.form.Get("login"))
	}
	if _, err := v.ask(http.MethodDelete, name+"/"+id, nil); err != nil {
		return "", err
	}
	return prefix + name + "?done=removed", nil
}

func (v *visit) removeOutcome() (string, error)  { return v.removed("outcomes") }
func (v *visit) removeFault() (string, error)    { return v.removed("faults") }
func (v *visit) removeSnapshot() (string, error) { return v.removed("snapshots") }
func (v *visit) removeMerchant() (string, error) { return v.removed("merchants") }

type fault struct {
	ID, Kind, Login string
	Where           struct {
		Profile, Day string
		Request      int
	}
	Times, Used, Ms, Days int
	Chance                float64
	BytesS                int `json:"bytes_s"`
}

// Says is what the fault strikes, in words.
func (f *fault) Says() string {
	text := "any event"
	add := func(is bool, words string) {
		if is {
			text += words
		}
	}
	add(f.Login != "", " of "+f.Login)
	add(f.Where.Profile != "", ", profile "+f.Where.Profile)
	add(f.Where.Day != "", ", on "+f.Where.Day)
	add(f.Where.Request > 0, ", request "+strconv.Itoa(f.Where.Request))
	add(f.Ms > 0, ", "+strconv.Itoa(f.Ms)+" ms")
	add(f.Days > 0, ", "+counted(uint64(f.Days), "day", "days"))
	add(f.BytesS > 0, ", "+strconv.Itoa(f.BytesS)+" bytes a second")
	add(f.Chance < 1, ", with chance "+strconv.FormatFloat(f.Chance, 'g', -1, 64))
	return text
}

type faultsPage struct {
	list
	Faults []fault
	Kinds  []gateway.FaultKind
}

func (v *visit) faults() (any, error) {
	var p struct {
		Faults []fault
		Cursor string
	}
	l, err := v.list("faults", "", []string{"all"}, &p, &p.Cursor)
	return faultsPage{l, p.Faults, gateway.FaultKinds()}, err
}

func (v *visit) addFault() (string, error) {
	record, where := v.typed("kind", "login"), v.typed("profile", "day")
	if err := v.numbers(record, "times", "ms", "days", "bytes_s"); err != nil {
		return "", err
	}
	if err := v.numbers(where, "request"); err != nil {
		return "", err
	}
	record["where"] = where
	if text := v.form.Get("chance"); text != "" {
		chance, err := strconv.ParseFloat(text, 64)
		if err != nil || !(chance > 0 && chance <= 1) {
			return "", &problem{Status: http.StatusBadRequest, Field: "chance", Title: "the value is not above 0 and at most 1", Detail: "write 1 to strike every event"}
		}
		record["chance"] = chance
	}
	return v.added("faults", record)
}

type snapshotsPage struct {
	list
	Snapshots []struct{ ID, Now, Login string }
}

func (v *visit) snapshots() (any, error) {
	var p struct {
		Snapshots []struct{ ID, Now, Login string }
		Cursor    string
	}
	l, err := v.list("snapshots", "", []string{"all"}, &p, &p.Cursor)
	return snapshotsPage{l, p.Snapshots}, err
}

func (v *visit) takeSnapshot() (string, error) { return v.added("snapshots", v.typed("login")) }

func (v *visit) restore() (string, error) {
	if err := v.post("snapshots/"+v.id+"/restore", struct{}{}, new(struct{})); err != nil {
		return "", err
	}
	return prefix + "snapshots?done=restored", nil
}

func (v *visit) reset() (string, error) {
	if err := v.post("reset", v.typed("login", "to"), new(struct{})); err != nil {
		return "", err
	}
	return prefix + "snapshots?done=reset", nil
}

// A dayPage is the charges of one day.
type dayPage struct {
	Day, Before, After string
	Charges            []charge
	Sums               []daySum
	HasMore            bool
	IsLater            bool // the clock has not come to it: its sums are a forecast
}

// A daySum is what was charged on a day in a currency, declined, or is expected.
type daySum struct {
	Currency, Outcome, Sum string
	Count                  uint64
}

// day shows the day of the query, or today.
func (v *visit) day() (any, error) {
	day := cmp.Or(v.query.Get("on"), v.now)
	d, err := calendar.Parse(day)
	if err != nil {
		return nil, &problem{Status: http.StatusBadRequest, Title: "the value is not a date", Detail: "follow a link of the calendar"}
	}
	p := dayPage{Day: day}
	if d != calendar.First() {
		p.Before = d.AddDays(-1).String()
	}
	if d != calendar.Last() {
		p.After = d.AddDays(1).String()
	}
	var list struct {
		Charges []charge
		Cursor  string
	}
	if err := v.get("charges?limit=1000&from="+day+"&until="+day, &list); err != nil {
		return nil, err
	}
	p.Charges, p.HasMore = list.Charges, list.Cursor != ""
	sums := map[daySum]*amount.Sum{}
	counts := map[daySum]uint64{}
	for _, c := range list.Charges {
		key := daySum{Currency: c.Currency, Outcome: c.Outcome}
		if sums[key] == nil {
			sums[key] = new(amount.Sum)
		}
		if a, err := amount.Parse(c.Amount); err == nil {
			sums[key].Add(a)
		}
		counts[key]++
	}
	for key, sum := range sums {
		p.Sums = append(p.Sums, daySum{key.Currency, key.Outcome, sum.String(), counts[key]})
	}
	if err := v.expect(&p, d); err != nil {
		return nil, err
	}
	slices.SortFunc(p.Sums, func(a, b daySum) int {
		return cmp.Or(strings.Compare(a.Currency, b.Currency), strings.Compare(a.Outcome, b.Outcome))
	})
	return p, nil
}

// foreseen is how many days ahead of the clock a day shows its forecast.
const foreseen = 36525

// expect adds the sums that are forecast for a day to come.
func (v *visit) expect(p *dayPage, d calendar.Date) error {
	now, err := calendar.Parse(v.now)
	if err != nil || !now.Before(d) || d.Sub(now) > foreseen {
		return err
	}
	p.IsLater = true
	all := years{}
	err = v.addTotals(all, "forecast?by=day&from="+p.Day+"&until="+p.Day, d, d, func(t *record.Total, day *dayTally) { day.forecast = t.Total })
	for currency, days := range all {
		t := viewOf(days[d].forecast)
		p.Sums = append(p.Sums, daySum{currency, string(kindExpected), t.Sum, days[d].forecast.Charges})
	}
	return err
}

// A moment is one line of the timeline.
type moment struct {
	At          time.Time
	Day         string // of the clock; empty where it is not known
	Text, Class string
	Link        string
	Fault       string
}

// Clock is the time as the pages show it.
func (m moment) Clock() string { return callback{}.Clock(m.At) }

type timelinePage struct {
	Moments []moment
}

// shownMoments is how many lines the timeline has.
const shownMoments = 200

// timeline shows requests and callbacks in the order in which they came, the newest first, with the faults that struck them.
func (v *visit) timeline() (any, error) {
	var requests struct{ Requests []request }
	var callbacks struct{ Callbacks []callback }
	if err := v.get("requests?limit=200", &requests); err != nil {
		return nil, err
	}
	if err := v.get("callbacks?limit=200", &callbacks); err != nil {
		return nil, err
	}
	var p timelinePage
	for _, r := range requests.Requests {
		m := moment{At: r.At, Day: r.Date, Class: "s" + strconv.Itoa(r.Status), Link: prefix + "requests/" + r.ID, Fault: r.Fault}
		m.Text = "request " + r.ID + ": " + strconv.Itoa(r.Status) + ", "
		if r.Reason == "" {
			m.Text += counted(uint64(r.Profiles), "profile created", "profiles created")
		} else {
			m.Text += r.Message
		}
		p.Moments = append(p.Moments, m)
	}
	for _, c := range callbacks.Callbacks {
		to := prefix + "profiles/" + c.ProfileID
		what := "callback " + c.ID + " of profile " + c.ProfileID
		p.Moments = append(p.Moments, moment{At: c.At, Text: what + ": made", Link: to, Fault: c.Fault})
		for _, a := range c.Attempts {
			m := moment{At: a.At, Text: what + ": no answer (" + a.Error + ")", Class: "declined", Link: to}
			if a.Status != 0 {
				m.Text = what + ": answered with " + strconv.Itoa(a.Status)
			}
			if a.Status >= http.StatusOK && a.Status < http.StatusMultipleChoices {
				m.Class = "delivered"
			}
			p.Moments = append(p.Moments, m)
		}
	}
	slices.SortStableFunc(p.Moments, func(a, b moment) int { return b.At.Compare(a.At) })
	p.Moments = p.Moments[:min(len(p.Moments), shownMoments)]
	return p, nil
}

// register registers a merchant. Keys are never shown again, so what was typed of them is not kept.
func (v *visit) register() (string, error) {
	record := v.typed("login", "endpoint", "currency", "control_key", "public_key", "response")
	v.form.Del("control_key")
	return v.merchantOf(record, func(r map[string]any) error { return v.post("merchants", r, new(struct{})) })
}

func (v *visit) changeMerchant() (string, error) {
	record := v.typed("endpoint", "currency", "response")
	return v.merchantOf(record, func(r map[string]any) error { return v.patch("merchants/"+url.PathEscape(v.form.Get("login")), r) })
}

// merchantOf adds what both forms have, and sends the record.
func (v *visit) merchantOf(record map[string]any, send func(map[string]any) error) (string, error) {
	if err := v.numbers(record, "window_s"); err != nil {
		return "", err
	}
	record["check_replays"] = v.form.Get("check_replays") != ""
	if err := send(record); err != nil {
		return "", err
	}
	return prefix + "merchants?done=saved", nil
}
