package gateway

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/record"
)

// A totalKey is what a total is for, in the order of the document: a period, or a profile by its
// id, since two profiles can have the same client-orderid.
type totalKey struct {
	period   calendar.Date
	profile  ID
	value    string
	currency string
}

type totalCell struct {
	tally   amount.Tally
	because ledger.Because
}

func (c *call) getTotals() (a answer, err error) {
	by := engine.ByMonth
	if text := c.query.Get(totalsBy.name); text != "" {
		if err := by.UnmarshalText([]byte(text)); err != nil {
			return a, err // not reached: the word is one of the parameter's
		}
	}
	until, err := c.date("until")
	if err != nil {
		return a, err
	}
	if err := c.heavy(); err != nil {
		return a, err
	}
	defer c.light()
	clock, cells, profiles, err := c.g.totals(c.r.Context(), c.query.Get("login"), by, until)
	if err != nil {
		return a, err
	}
	if !until.IsZero() && until.Before(clock.Now) {
		clock.Now = until
	}
	var b bytes.Buffer
	w := record.NewWriter(&b, record.Header{
		Schema: record.SchemaSimulate, AsOf: clock.Began, Until: clock.Now, By: by, Seed: c.g.config.Seed, Policy: c.g.config.Policy,
	}, record.Options{Form: record.FormJSON})
	sum := record.ForecastSummary{Profiles: profiles}
	for _, key := range slices.SortedFunc(maps.Keys(cells), totalKey.compare) {
		cell := cells[key]
		sum.Charges += cell.tally.Charges
		sum.CardExpired += cell.tally.CardExpired.Charges
		if err := w.Total(&record.Total{By: by, Value: key.value, Currency: key.currency, Tally: cell.tally, Because: cell.because}); err != nil {
			return a, err
		}
	}
	err = errors.Join(w.Write(sum), w.Close())
	return answer{text: b.Bytes()}, err
}

func (k totalKey) compare(o totalKey) int {
	return cmp.Or(k.period.Compare(o.period), cmp.Compare(k.profile, o.profile), strings.Compare(k.currency, o.currency))
}

// heavy waits until an answer that takes long may be made; light lets the next one go on.
func (c *call) heavy() error {
	select {
	case c.g.heavy <- struct{}{}:
		return nil
	case <-c.r.Context().Done():
		return c.r.Context().Err()
	}
}

func (c *call) light() { <-c.g.heavy }

// totals adds up the charges of a merchant, or of all, up to a day unless that is zero, and counts the profiles that have some.
func (g *Gateway) totals(ctx context.Context, login string, by engine.By, until calendar.Date) (clock Clock, cells map[totalKey]*totalCell, profiles uint64, err error) {
	cells = map[totalKey]*totalCell{}
	charged := map[ID]struct{}{}
	err = g.store.View(ctx, func(tx Tx) (err error) {
		if clock, err = tx.Clock(); err != nil {
			return err
		}
		const page = 1000
		for past := ID(0); ; {
			list, err := tx.Charges().List(Query{Login: login, OldestFirst: true, Past: past, Limit: page})
			if err != nil || len(list) == 0 {
				return err
			}
			for i := range list {
				charge := &list[i]
				past = charge.ID
				if !until.IsZero() && charge.Charge.Date.After(until) {
					continue
				}
				charged[charge.Profile] = struct{}{}
				key := keyOf(charge, by)
				cell := cells[key]
				if cell == nil {
					cell = new(totalCell)
					cells[key] = cell
				}
				charge.Charge.AddTo(&cell.tally)
				cell.because = cell.because.And(charge.Charge.Because)
			}
		}
	})
	return clock, cells, uint64(len(charged)), err
}

// keyOf returns what a charge counts for.
func keyOf(c *Charge, by engine.By) totalKey {
	if by == engine.ByProfile {
		return totalKey{profile: c.Profile, value: c.ClientOrderID, currency: c.Currency}
	}
	return totalKey{period: by.Period(c.Charge.Date), value: by.Value(c.Charge.Date), currency: c.Currency}
}

// Limits of a forecast: how many totals it has at most, how many charges a page has, and how far its totals reach.
const (
	maxForecast     = 1_000_000
	maxPage         = 1000
	maxTotalDays    = 36525 // 100 years
	profilesAtATime = 1000
)

func (c *call) getForecast() (a answer, err error) {
	if err := c.heavy(); err != nil {
		return a, err
	}
	defer c.light()
	err = c.g.store.View(c.r.Context(), func(tx Tx) error {
		clock, err := tx.Clock()
		if err != nil {
			return err
		}
		h, err := c.forecastHeader(clock.Now)
		if err != nil {
			return err
		}
		f := forecast{header: h, login: c.query.Get("login"), window: calendar.Through(h.From, h.Until)}
		if h.By != engine.ByCharge {
			a.text, err = f.totals(tx)
			return err
		}
		if f.limit, f.at, err = c.forecastPage(); err == nil {
			a.text, err = f.charges(tx)
		}
		return err
	})
	return a, err
}

// forecastHeader reads the days and the period of a forecast.
func (c *call) forecastHeader(now calendar.Date) (h record.Header, err error) {
	h = record.Header{AsOf: now, Schema: record.SchemaForecast, By: engine.ByCharge, Policy: c.g.config.Policy}
	if h.Until, err = c.date("until"); err != nil {
		return h, err
	}
	if h.Until.IsZero() {
		return h, inField("until", "the last day is missing", "send until=YYYY-MM-DD")
	}
	if h.Until.Before(h.AsOf) {
		return h, inField("until", "the last day is before the day that the clock shows", "send a later one")
	}
	h.From, err = c.date("from")
	switch {
	case err != nil:
		return h, err
	case h.From.IsZero():
		h.From = h.AsOf
	case h.From.Before(h.AsOf):
		return h, inField("from", "the first day is before the day that the clock shows", "send a later one")
	case h.Until.Before(h.From):
		return h, inField("until", "the last day is before the first one", "send a later one")
	}
	if text := c.query.Get("by"); text != "" {
		if err := h.By.UnmarshalText([]byte(text)); err != nil {
			return h, err // not reached: the word is one of the parameter's
		}
	}
	if h.By != engine.ByCharge && h.Until.Sub(h.From) > maxTotalDays {
		return h, found(ForecastTooBig, "", "")
	}
	return h, nil
}

// A forecastPlace is where a page begins: at the charge of a profile after the first ones on a day; the zero place is the
// beginning.
type forecastPlace struct {
	profile ID
	day     calendar.Date
	after   int
}

// String is the cursor, such as "12.2027-01-31.0".
func (p forecastPlace) String() string { return fmt.Sprint(p.profile, ".", p.day, ".", p.after) }

func (c *call) forecastPage() (limit int, at forecastPlace, err error) {
	limit, err = c.limit(maxPage)
	text := c.query.Get("cursor")
	if text == "" || err != nil {
		return limit, at, err
	}
	id, rest, _ := strings.Cut(text, ".")
	day, after, _ := strings.Cut(rest, ".")
	n, err1 := strconv.Atoi(after)
	d, err2 := calendar.Parse(day)
	at = forecastPlace{day: d, after: n}
	if at.profile.UnmarshalText([]byte(id)) != nil || err1 != nil || err2 != nil || n < 0 {
		return 0, at, inField("cursor", "the value is not a cursor", "send the one of an earlier answer")
	}
	return limit, at, nil
}

// A forecast is what will be charged in a window if nothing but the runs happens.
type forecast struct {
	header record.Header
	login  string
	window calendar.Window
	limit  int // of charges on a page
	at     forecastPlace
}

// each calls do for every profile of the merchant, or of all, in order of id, as of the day that the clock shows.
func (f *forecast) each(tx Tx, do func(*Profile, engine.Stored) error) error {
	for past := ID(0); ; {
		list, err := tx.Profiles().List(Query{Login: f.login, OldestFirst: true, Past: past, Limit: profilesAtATime})
		if err != nil || len(list) == 0 {
			return err
		}
		for i := range list {
			past = list[i].ID
			stored, err := current(list[i].Stored, f.header.AsOf, f.header.Policy)
			if err != nil {
				return err
			}
			if err := do(&list[i], stored); err != nil {
				return err
			}
		}
	}
}

// charges returns a page of the document, charge by charge, with the summary of the whole.
func (f *forecast) charges(tx Tx) ([]byte, error) {
	var b bytes.Buffer
	w := record.NewWriter(&b, f.header, record.Options{Form: record.FormJSON})
	var plan engine.Plan
	var sum record.ForecastSummary
	var next *forecastPlace
	left := f.limit
	err := f.each(tx, func(p *Profile, stored engine.Stored) error {
		if err := engine.New(f.header.Policy).Recompile(&plan, stored, f.header.AsOf); err != nil {
			return err
		}
		tally := plan.Tally(f.window, 0)
		sum.Count(&tally)
		if p.ID < f.at.profile || next != nil {
			return nil
		}
		from := forecastPlace{p.ID, f.header.From, 0}
		if p.ID == f.at.profile {
			from = f.at
		}
		w.Start(p.subject())
		day, nth := from.day, 0
		for charge := range plan.Charges(calendar.Through(from.day, f.header.Until)) {
			if charge.Date != day {
				day, nth = charge.Date, 0
			}
			if nth++; day == from.day && nth <= from.after {
				continue
			}
			if left == 0 {
				next = &forecastPlace{p.ID, day, nth - 1}
				return nil
			}
			left--
			if err := w.Charge(&charge); err != nil {
				return err
			}
		}
		end := plan.End(f.header.Until)
		return w.End(&end)
	})
	if err := errors.Join(err, w.Write(sum), w.Close()); err != nil {
		return nil, err
	}
	cursor := "null"
	if next != nil {
		cursor = strconv.Quote(next.String())
	}
	return append(bytes.TrimSuffix(b.Bytes(), []byte("}\n")), ",\n\"cursor\":"+cursor+"}\n"...), nil
}

// totals returns the document by period, which needs no list of charges.
func (f *forecast) totals(tx Tx) ([]byte, error) {
	book, err := engine.New(f.header.Policy).NewBook(engine.Scope{AsOf: f.header.AsOf, Window: f.window})
	if err != nil {
		return nil, err
	}
	var sum record.ForecastSummary
	err = f.each(tx, func(_ *Profile, stored engine.Stored) error {
		sum.Profiles++
		return book.Add(stored)
	})
	if err != nil {
		return nil, err
	}
	count := 0 // before the first is written, so that a refusal takes no memory
	for range book.Totals(f.header.By) {
		if count++; count > maxForecast {
			return nil, found(ForecastTooBig, "", "")
		}
	}
	var b bytes.Buffer
	w := record.NewWriter(&b, f.header, record.Options{Form: record.FormJSON})
	for total := range book.Totals(f.header.By) {
		sum.Charges += total.Charges
		sum.CardExpired += total.CardExpired.Charges
		r := record.TotalOf(f.header.By, &total)
		if err := w.Total(&r); err != nil {
			return nil, err
		}
	}
	if err := errors.Join(w.Write(sum), w.Close()); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}
