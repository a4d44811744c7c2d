package facade

import (
	"encoding/json"
	"strings"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/book"
	"github.com/chargecast/chargecast/internal/whyday"
	"github.com/chargecast/chargecast/report"
)

// explain answers with why a profile is charged on a day, or is not.
func (s *Server) explain(q *request) (object, error) {
	b, err := s.open(q)
	switch {
	case err != nil:
		return nil, err
	case q.On.IsZero():
		return nil, refused("date-not-a-day", "on is missing", "give the day")
	case q.Columns == nil && q.Profile == "":
		return nil, refused("profile", "profile is missing", "name one profile of the payload")
	}
	b.most = 1
	var found []*whyday.Day
	b.rows(nil, func(p *book.Profile) error {
		sim := b.simulation(p)
		sim.Until = calendar.Date{}
		sim.Undrawn = b.script == nil
		e, err := engine.New(b.policy).Explain(sim, q.On)
		if err == nil {
			found = append(found, &whyday.Day{Explanation: e, Subject: subjectOf(p), Policy: b.policy, Observed: b.observed})
		}
		return err
	})
	switch {
	case len(found) == 1:
		d := found[0]
		return object{
			"records": []json.RawMessage{d.AppendJSON(nil, false)}, "headline": report.Headline(&d.Explanation),
			"plain": strings.Join(report.Plain(&d.Explanation), " "),
		}, nil
	case len(found) > 1:
		return nil, refused("profile", "several rows have this client-orderid", "give every row its own")
	}
	if err := b.firstError(); err != nil {
		return nil, err
	}
	return nil, refused("profile", "no row that can be used has this client-orderid", "")
}
