package gateway

import (
	"bytes"
	"cmp"
	"context"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/record"
)

// A totalKey is what a total is for, in the order of the document: a period, or a profile by its id,
// since two profiles can have the same client-orderid.
type totalKey struct {
	period   calendar.Date
	profile  ID
	value    string
	currency string
}

type totalCell struct {
	tally   record.Tally
	because ledger.Because
}

func (c *call) getTotals() error {
	by := engine.ByMonth
	if text := c.query.Get("by"); text != "" && (by.UnmarshalText([]byte(text)) != nil || by == engine.ByCharge) {
		return inField("by", "unknown value", "use day, week, month, quarter, weekday or profile")
	}
	clock, cells, err := c.g.totals(c.r.Context(), c.query.Get("login"), by)
	if err != nil {
		return err
	}
	var b bytes.Buffer
	w := record.NewWriter(&b, record.Header{
		Schema: record.SchemaSimulate, AsOf: clock.Began, Until: clock.Now, By: by, Seed: c.g.config.Seed, Policy: c.g.config.Policy,
	}, record.Options{Form: record.FormJSON})
	for _, key := range slices.SortedFunc(maps.Keys(cells), totalKey.compare) {
		cell := cells[key]
		if err := w.Total(&record.Total{By: by, Value: key.value, Currency: key.currency, Tally: cell.tally, Because: cell.because}); err != nil {
			return err
		}
	}
	if err := w.Close(); err != nil {
		return err
	}
	c.write(http.StatusOK, "application/json", b.Bytes())
	return nil
}

func (k totalKey) compare(o totalKey) int {
	return cmp.Or(k.period.Compare(o.period), cmp.Compare(k.profile, o.profile), strings.Compare(k.currency, o.currency))
}

// totals adds up the charges of a merchant, or of all.
func (g *Gateway) totals(ctx context.Context, login string, by engine.By) (clock Clock, cells map[totalKey]*totalCell, err error) {
	cells = map[totalKey]*totalCell{}
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
				key := keyOf(charge, by)
				cell := cells[key]
				if cell == nil {
					cell = new(totalCell)
					cells[key] = cell
				}
				cell.tally.Add(&charge.Charge)
				cell.because = cell.because.And(charge.Because)
			}
		}
	})
	return clock, cells, err
}

// keyOf returns what a charge counts for.
func keyOf(c *Charge, by engine.By) totalKey {
	if by == engine.ByProfile {
		return totalKey{profile: c.Profile, value: c.OrderID, currency: c.Currency}
	}
	return totalKey{period: by.Period(c.Date), value: by.Value(c.Date), currency: c.Currency}
}

// maxForecast is how many charges a forecast has at most.
const maxForecast = 1_000_000

func (c *call) getForecast() error {
	until, err := c.date("until")
	if err != nil {
		return err
	}
	if until.IsZero() {
		return inField("until", "the last day is missing", "send until=YYYY-MM-DD")
	}
	var now calendar.Date
	var profiles []Profile
	err = c.g.store.View(c.r.Context(), func(tx Tx) error {
		clock, err := tx.Clock()
		if err != nil {
			return err
		}
		now = clock.Now
		profiles, err = tx.Profiles().List(Query{Login: c.query.Get("login"), OldestFirst: true})
		return err
	})
	if err != nil {
		return err
	}
	if until.Before(now) {
		return inField("until", "the last day is before the day that the clock shows", "send a later one")
	}
	by := engine.ByCharge
	if text := c.query.Get("by"); text != "" && (by.UnmarshalText([]byte(text)) != nil || by == engine.ByProfile) {
		return inField("by", "unknown value", "use charge, day, week, month, quarter or weekday")
	}
	forecast := c.g.forecast
	if by != engine.ByCharge {
		forecast = func(profiles []Profile, now, until calendar.Date) ([]byte, error) {
			return c.g.forecastTotals(profiles, now, until, by)
		}
	}
	text, err := forecast(profiles, now, until)
	if err != nil {
		return err
	}
	c.write(http.StatusOK, "application/json", text)
	return nil
}

// forecast returns the document of a forecast of stored profiles from the day after now.
func (g *Gateway) forecast(profiles []Profile, now, until calendar.Date) ([]byte, error) {
	pol := g.config.Policy
	var b bytes.Buffer
	w := record.NewWriter(&b, record.Header{Schema: record.SchemaForecast, AsOf: now, Until: until, Policy: pol}, record.Options{Form: record.FormJSON})
	var plan engine.Plan
	window, count := calendar.Through(now, until), 0
	for i := range profiles {
		p := &profiles[i]
		stored, err := current(p.Stored, now, pol)
		if err == nil {
			err = plan.Reset(stored, now, pol)
		}
		if err != nil {
			return nil, err
		}
		if count += plan.Count(window); count > maxForecast {
			return nil, found(ForecastTooBig, "", "")
		}
		w.Start(p.subject())
		for charge := range plan.Charges(window) {
			if err := w.Charge(&charge); err != nil {
				return nil, err
			}
		}
		end := plan.End(until)
		if err := w.End(&end); err != nil {
			return nil, err
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// forecastTotals returns the document of a forecast by period, which needs no list of charges.
func (g *Gateway) forecastTotals(profiles []Profile, now, until calendar.Date, by engine.By) ([]byte, error) {
	pol := g.config.Policy
	book, err := engine.NewPortfolio(engine.Scope{AsOf: now, Window: calendar.Through(now, until), Policy: pol})
	if err != nil {
		return nil, err
	}
	for i := range profiles {
		stored, err := current(profiles[i].Stored, now, pol)
		if err == nil {
			err = book.Add(stored)
		}
		if err != nil {
			return nil, err
		}
	}
	var b bytes.Buffer
	w := record.NewWriter(&b, record.Header{Schema: record.SchemaForecast, AsOf: now, Until: until, By: by, Policy: pol}, record.Options{Form: record.FormJSON})
	for total := range book.Totals(by) {
		r := record.Total{By: by, Value: by.Value(total.Period), Currency: total.Currency, Tally: record.Tally{
			Sums: record.SumsOf(total.Approved), CardExpired: record.SumsOf(total.CardExpired),
		}}
		if err := w.Total(&r); err != nil {
			return nil, err
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}
