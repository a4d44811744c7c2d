package laws

import (
	"bytes"
	"encoding/json"
	"fmt"
	"iter"
	"slices"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/fuzz/gen"
	"github.com/chargecast/chargecast/record"
)

// Ours is chargecast itself.
func Ours() Impl {
	return Impl{
		Name:          "chargecast",
		Prompt:        true,
		CalendarImpl:  ourCalendar(),
		AmountImpl:    ourAmounts(),
		QuantileImpl:  ourQuantiles(),
		EngineImpl:    ourEngine(),
		CompareImpl:   ourCompare(),
		PortfolioImpl: ourPortfolios(),
		MaskImpl:      ourMask(),
		SignatureImpl: ourSignatures(),
		PayloadImpl:   ourPayloads(),
		ReconcileImpl: ourReconciliations(),
	}
}

func ourCalendar() CalendarImpl {
	return CalendarImpl{
		DaysIn:      calendar.DaysIn,
		NewDate:     calendar.New,
		DateOf:      calendar.Of,
		ParseDate:   calendar.Parse,
		ParseDotted: calendar.ParseDotted,
		FormatDate:  calendar.Date.String,
		NewGrid: func(start calendar.Date, unit calendar.Unit, interval int, end calendar.MonthEnd) (Grid, error) {
			s, err := calendar.NewSchedule(start, unit, interval, end)
			if err != nil {
				return nil, err
			}
			return s, nil
		},
	}
}

func ourAmounts() AmountImpl {
	return AmountImpl{
		ParseAmount:    amount.Parse,
		FormatAmount:   amount.Amount.String,
		CompareAmounts: amount.Amount.Compare,
		Sum: func(list []amount.Amount) string {
			var s amount.Sum
			for _, a := range list {
				s.Add(a)
			}
			return s.String()
		},
		Bounds: func(s amount.Choice, repeat uint64) (min, max amount.Amount) { return s.Bounds(repeat) },
		Draw: func(r amount.Choice, seed uint64, profile string, repeat uint64) amount.Amount {
			return r.Draw(amount.NewSeed(seed, profile), repeat)
		},
		TotalOf: func(s amount.Choice, first, n uint64) Total {
			var t amount.Total
			t.AddRun(s, first, n)
			return TotalFrom(t)
		},
		MinorUnits:  amount.MinorUnits,
		FromDecimal: amount.FromDecimal,
	}
}

// TotalFrom is a total of the library in the words of the kit.
func TotalFrom(t amount.Total) Total {
	return Total{t.Charges, t.Min.String(), t.Max.String(), string(t.AppendMean(nil))}
}

func ourQuantiles() QuantileImpl {
	return QuantileImpl{Quantiles: func(runs []gen.RangeRun, percents []string) (texts []string, normal bool) {
		var total amount.Total
		for _, r := range runs {
			total.AddRun(r.Choice(), 0, r.N)
		}
		var q []amount.Percent
		for _, text := range percents {
			p, err := amount.ParsePercent(text)
			if err != nil {
				return nil, false
			}
			q = append(q, p)
		}
		sums, normal, err := total.Quantiles(q...)
		if err != nil {
			return nil, false
		}
		for _, s := range sums {
			texts = append(texts, s.String())
		}
		return texts, normal
	}}
}

func ourEngine() EngineImpl {
	return EngineImpl{
		Cites:    true,
		Forecast: ourForecast,
		Simulate: func(p engine.Policy, s engine.Simulation, yield func(engine.Effect) bool) (engine.Stored, error) {
			return engine.New(p).Simulate(s, yield)
		},
		Apply: func(s engine.Stored, e engine.Event, p engine.Policy) ([]engine.Effect, engine.Stored, error) {
			return engine.New(p).Apply(nil, s, e)
		},
		Advance: func(s engine.Stored, through calendar.Date, p engine.Policy) ([]engine.Effect, engine.Stored, error) {
			return engine.New(p).Advance(nil, s, through)
		},
		Check: func(s engine.Stored, asOf calendar.Date, p engine.Policy) error { return engine.New(p).Check(s, asOf) },
		End: func(s engine.Stored, d calendar.Date, p engine.Policy) (engine.End, error) {
			return engine.New(p).End(s, d)
		},
		SaveState: func(profile string, s engine.State) []byte {
			line, _ := engine.AppendStateLine(nil, profile, s)
			return line
		},
		LoadState: engine.ParseStateLine,
	}
}

// ourForecast is a plan of the library in the words of the kit.
func ourForecast(j gen.Job) (Forecast, error) {
	plan, err := engine.New(j.Policy).Compile(engine.Stored{Profile: j.Profile, State: j.State}, j.AsOf)
	if err != nil {
		return Forecast{}, err
	}
	return Forecast{
		Charges: plan.Charges,
		Next:    plan.Next,
		Count:   plan.Count,
		Total:   func(w calendar.Window) Total { return TotalFrom(plan.Total(w)) },
		Stop:    func() Stop { return StopFrom(plan.Stop()) },
		End: func(d calendar.Date) End {
			e := plan.End(d)
			return End{e.Status, e.Repeat, StopFrom(e.Stop), e.LastDay, e.Because}
		},
		State:   plan.State,
		Explain: plan.Explain,
	}, nil
}

// StopFrom is a stop of the library in the words of the kit.
func StopFrom(s engine.Stop) Stop {
	if s.IsZero() {
		return Stop{}
	}
	return Stop{s.Date, slices.Collect(s.Reasons.All()), s.Because}
}

func ourCompare() CompareImpl {
	return CompareImpl{CompareReadings: func(j gen.Job, until calendar.Date) ([]engine.Sensitivity, error) {
		list, _, err := engine.New(j.Policy).Sensitivities(nil, engine.Stored{Profile: j.Profile, State: j.State}, j.AsOf, calendar.Through(j.AsOf, until))
		return list, err
	}}
}

func ourPortfolios() PortfolioImpl {
	return PortfolioImpl{
		NewBook: func(s engine.Scope) (Book, error) {
			p, err := engine.NewPortfolio(s)
			if err != nil {
				return Book{}, err
			}
			return ourBook(p), nil
		},
		LoadBook: func(form []byte) (Book, error) {
			p, err := record.ReadPart(bytes.NewReader(form), nil)
			if err != nil {
				return Book{}, err
			}
			return partBook(p), nil
		},
	}
}

func ourBook(p *engine.Portfolio) Book {
	return Book{
		Add:       func(j gen.Job) error { return p.Add(engine.Stored{Profile: j.Profile, State: j.State}) },
		AddCharge: func(currency string, c engine.Charge) error { return p.AddCharge(currency, &c) },
		Merge:     func(o Book) error { return p.Merge(o.Self.(*engine.Portfolio)) },
		Totals:    func(by engine.By) []BookTotal { return bookTotals(by, p.Totals(by)) },
		Save:      func() []byte { return partOf(p.Scope(), p.Totals(engine.ByDay)) },
		Self:      p,
	}
}

// partBook is a book that was saved.
func partBook(p *record.Part) Book {
	save := func() []byte {
		var out bytes.Buffer
		w := record.NewPartWriter(&out, p.Header, p.PartAsked)
		_ = w.Days(slices.Values(p.Days))
		_ = w.Close(p.PartEnd)
		return out.Bytes()
	}
	return Book{
		Merge: func(o Book) error {
			other, err := record.ReadPart(bytes.NewReader(o.Save()), nil)
			if err != nil {
				return err
			}
			if what := p.Differs(other); what != "" {
				return fmt.Errorf("another %s", what)
			}
			return p.Merge(other)
		},
		Totals: func(by engine.By) []BookTotal { return bookTotals(by, p.Days.Totals(by)) },
		Save:   save,
		Self:   p,
	}
}

// partOf is a part with the totals of a scope. Its as-of day is not after the window, since a book may
// have charges before.
func partOf(s engine.Scope, days iter.Seq[engine.Total]) []byte {
	h := record.Header{Schema: record.SchemaForecast, AsOf: s.AsOf, From: s.Window.First(), Until: s.Window.Last(), By: engine.ByDay, Policy: s.Policy}
	if h.From.Before(h.AsOf) && !h.From.IsZero() {
		h.AsOf = h.From
	}
	asked := record.PartAsked{Explain: s.Explain}
	if s.Draws {
		asked.Quantiles = []amount.Percent{{}}
	}
	var out bytes.Buffer
	w := record.NewPartWriter(&out, h, asked)
	_ = w.Days(days)
	_ = w.Close(record.PartEnd{})
	return out.Bytes()
}

func bookTotals(by engine.By, totals iter.Seq[engine.Total]) (list []BookTotal) {
	for t := range totals {
		list = append(list, BookTotal{by.Value(t.Period), t.Currency, TotalFrom(t.Tally.Total), TotalFrom(t.CardExpired), TotalFrom(t.Declined), drawsOf(t.Tally.Total)})
	}
	return list
}

// drawsOf are those that the JSON of a total has.
func drawsOf(t amount.Total) []Draws {
	var v struct {
		Draws []Draws `json:"draws"`
	}
	text, err := json.Marshal(t)
	if err == nil {
		err = json.Unmarshal(text, &v)
	}
	if err != nil {
		panic(err)
	}
	return v.Draws
}
