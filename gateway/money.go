package gateway

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"maps"
	"net/http"
	"slices"
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

func (c *call) getTotals() error {
	by := engine.ByMonth
	if text := c.query.Get("by"); text != "" && (by.UnmarshalText([]byte(text)) != nil || by == engine.ByCharge) {
		return inField("by", "unknown value", "use day, week, month, quarter, weekday or profile")
	}
	clock, cells, profiles, err := c.g.totals(c.r.Context(), c.query.Get("login"), by)
	if err != nil {
		return err
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
			return err
		}
	}
	if err := errors.Join(w.Write(sum), w.Close()); err != nil {
		return err
	}
	c.write(http.StatusOK, "application/json", b.Bytes())
	return nil
}

func (k totalKey) compare(o totalKey) int {
	return cmp.Or(k.period.Compare(o.period), cmp.Compare(k.profile, o.profile), strings.Compare(k.currency, o.currency))
}

// totals adds up the charges of a merchant, or of all, and counts the profiles that have charges.
func (g *Gateway) totals(ctx context.Context, login string, by engine.By) (clock Clock, cells map[totalKey]*totalCell, profiles uint64, err error) {
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
				charged[charge.Profile] = struct{}{}
				key := keyOf(charge, by)
				cell := cells[key]
				if cell == nil {
					cell = new(totalCell)
					cells[key] = cell
				}
				charge.Charge.AddTo(&cell.tally)
				cell.because = cell.because.And(charge.Because)
			}
		}
	})
	return clock, cells, uint64(len(charged)), err
}

// keyOf returns what a charge counts for.
func keyOf(c *Charge, by engine.By) totalKey {
	if by == engine.ByProfile {
		return totalKey{profile: c.Profile, value: c.OrderID, currency: c.Currency}
	}
	return totalKey{period: by.Period(c.Date), value: by.Value(c.Date), currency: c.Currency}
}

// maxForecast is how many charges, or totals, a forecast has at most.
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
	from, err := c.date("from")
	switch {
	case err != nil:
		return err
	case from.IsZero():
		from = now
	case from.Before(now):
		return inField("from", "the first day is before the day that the clock shows", "send a later one")
	case until.Before(from):
		return inField("until", "the last day is before the first one", "send a later one")
	}
	by := engine.ByCharge
	if text := c.query.Get("by"); text != "" && (by.UnmarshalText([]byte(text)) != nil || by == engine.ByProfile) {
		return inField("by", "unknown value", "use charge, day, week, month, quarter or weekday")
	}
	header := record.Header{Schema: record.SchemaForecast, AsOf: now, From: from, Until: until, By: by, Policy: c.g.config.Policy}
	forecast := forecastCharges
	if by != engine.ByCharge {
		forecast = forecastTotals
	}
	text, err := forecast(profiles, &header)
	if err != nil {
		return err
	}
	c.write(http.StatusOK, "application/json", text)
	return nil
}

// forecastCharges returns the document of a forecast of stored profiles, charge by charge.
func forecastCharges(profiles []Profile, h *record.Header) ([]byte, error) {
	var b bytes.Buffer
	w := record.NewWriter(&b, *h, record.Options{Form: record.FormJSON})
	var plan engine.Plan
	window, count := calendar.Through(h.From, h.Until), 0
	var sum record.ForecastSummary
	for i := range profiles {
		p := &profiles[i]
		stored, err := current(p.Stored, h.AsOf, h.Policy)
		if err == nil {
			err = engine.New(h.Policy).Recompile(&plan, stored, h.AsOf)
		}
		if err != nil {
			return nil, err
		}
		if count += plan.Count(window); count > maxForecast {
			return nil, found(ForecastTooBig, "", "")
		}
		tally := plan.Tally(window, 0)
		sum.Count(&tally)
		w.Start(p.subject())
		for charge := range plan.Charges(window) {
			if err := w.Charge(&charge); err != nil {
				return nil, err
			}
		}
		end := plan.End(h.Until)
		if err := w.End(&end); err != nil {
			return nil, err
		}
	}
	if err := errors.Join(w.Write(sum), w.Close()); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// forecastTotals returns the document of a forecast by period, which needs no list of charges.
func forecastTotals(profiles []Profile, h *record.Header) ([]byte, error) {
	book, err := engine.NewPortfolio(engine.Scope{AsOf: h.AsOf, Window: calendar.Through(h.From, h.Until), Policy: h.Policy})
	if err != nil {
		return nil, err
	}
	for i := range profiles {
		stored, err := current(profiles[i].Stored, h.AsOf, h.Policy)
		if err == nil {
			err = book.Add(stored)
		}
		if err != nil {
			return nil, err
		}
	}
	count := 0 // before the first is written, so that a refusal takes no memory
	for range book.Totals(h.By) {
		if count++; count > maxForecast {
			return nil, found(ForecastTooBig, "", "")
		}
	}
	var b bytes.Buffer
	w := record.NewWriter(&b, *h, record.Options{Form: record.FormJSON})
	sum := record.ForecastSummary{Profiles: uint64(len(profiles))}
	for total := range book.Totals(h.By) {
		sum.Charges += total.Charges
		sum.CardExpired += total.CardExpired.Charges
		r := record.TotalOf(h.By, &total)
		if err := w.Total(&r); err != nil {
			return nil, err
		}
	}
	if err := errors.Join(w.Write(sum), w.Close()); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}
