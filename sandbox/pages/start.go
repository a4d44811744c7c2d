package pages

import "strconv"

// shownToday is how many of today's charges the first page has.
const shownToday = 50

// A startPage is what happened today and what was refused last.
type startPage struct {
	Charges   []charge
	HasMore   bool // charges of today beyond those
	Refused   []request
	Demo      string
	IsNew     bool // no request has come yet
	Merchants int
}

func (v *pageRequest) start() (any, error) {
	var charges struct{ Charges []charge }
	var requests, newest struct{ Requests []request }
	var merchants struct{ Merchants []merchant }
	for path, to := range map[string]any{
		"charges?limit=" + strconv.Itoa(shownToday+1) + "&from=" + v.now + "&until=" + v.now: &charges, "requests?status=403&limit=10": &requests, "requests?limit=1": &newest, "merchants?limit=1": &merchants,
	} {
		if err := v.get(path, to); err != nil {
			return nil, err
		}
	}
	p := startPage{Refused: requests.Requests, Demo: v.options.Demo, Merchants: len(merchants.Merchants)}
	p.Charges = charges.Charges
	if p.HasMore = len(p.Charges) > shownToday; p.HasMore {
		p.Charges = p.Charges[:shownToday]
	}
	p.IsNew = len(newest.Requests) == 0
	return p, nil
}
