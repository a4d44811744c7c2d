package gateway

import (
	"encoding/json"
	"slices"
	"strconv"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/record"
)

// What the admin interface shows otherwise than a store keeps it.

// A merchantView is a merchant, and what it can sign with.
type merchantView struct {
	Merchant
	Methods []string `api:"methods" words:"RSA-SHA256|HMAC-SHA1" doc:"What it can sign with"`
}

var merchantForm = formOf[merchantView]()

func viewMerchant(m *Merchant) merchantView {
	v := merchantView{Merchant: *m}
	if m.PublicKey != "" {
		v.Methods = append(v.Methods, "RSA-SHA256")
	}
	if len(m.ControlKey) > 0 {
		v.Methods = append(v.Methods, "HMAC-SHA1")
	}
	return v
}

type profileView struct {
	ID            ID            `api:"id"`
	Login         string        `api:"login"`
	ClientOrderID string        `api:"client_orderid" doc:"As it may be shown"`
	Status        engine.Status `api:"status" words:"active|stopped"`
	Repeat        uint64        `api:"repeat" doc:"The current repeat number"`
	Next          calendar.Date `api:"next,null"`
	Stop          *stopView     `api:"stop"`
}

var profileForm = formOf[profileView]()

type stopView struct {
	Date    calendar.Date `api:"date"`
	Reasons []string      `api:"reasons" words:"max-repeats|finish-date|stopped-by-api"`
}

func viewProfile(p *Profile) profileView {
	s := &p.Stored.State
	v := profileView{ID: p.ID, Login: p.Login, ClientOrderID: p.ClientOrderID, Status: s.Status, Repeat: s.Repeat, Next: p.Next}
	if !s.Stop.IsZero() {
		v.Stop = &stopView{s.Stop.Date, slices.Collect(s.Stop.Reasons.All())}
	}
	return v
}

// A profileDetail is a profile with all that is known of it.
type profileDetail struct {
	profileView
	Serial   ID                `api:"serial_number"`
	Row      int               `api:"row"`
	Created  calendar.Date     `api:"created"`
	Currency string            `api:"currency"`
	Card     cardView          `api:"card"`
	Callback string            `api:"callback,null" doc:"Masked"`
	Columns  map[string]string `api:"columns" doc:"Masked"`
	State    json.RawMessage   `api:"state" doc:"The state line of the command, without profile"`
	Charges  []chargeView      `api:"charges" doc:"The last 100"`
	Upcoming []json.RawMessage `api:"upcoming" doc:"The next 12 charge records of a forecast"`
	Forecast []json.RawMessage `api:"forecast" doc:"The charge records that were forecast when the profile was created: from the oldest of charges to the 12th after today, at most 1,000"`
	Because  []becauseView     `api:"because"`
	Policy   string            `api:"policy" doc:"The readings in force"`
}

var detailForm = formOf[profileDetail]()

type cardView struct {
	Number string `api:"number" doc:"At most the first 6 and last 4 digits"`
	Hash   string `api:"hash" doc:"Tells cards apart"`
}

// What the view of one profile has at most: the last charges, the next ones, and those of the
// forecast at its creation.
const (
	maxListed   = 100
	upcoming    = 12
	maxForeseen = 1000
)

// detail returns the view of one profile with all that is known of it.
func (g *Gateway) detail(p *Profile, charges []Charge, now calendar.Date) (v profileDetail, err error) {
	pol := g.config.Policy
	stored, err := current(p.Stored, now, pol)
	if err != nil {
		return v, err
	}
	end, err := engine.New(pol).End(stored, now)
	if err != nil {
		return v, err
	}
	v = profileDetail{
		profileView: viewProfile(p), Serial: p.Request, Row: p.Row, Created: p.Created, Currency: stored.Profile.Currency,
		Card: cardView{p.Card.Masked, p.Card.Hash}, Callback: shownURL(p.Callback), Because: reasons(end.Because, pol), Policy: pol.String(),
	}
	if v.State, err = json.Marshal(stored.State); err != nil {
		return v, err
	}
	if v.Columns, err = p.Columns.Values(); err != nil {
		return v, err
	}
	for i := range charges {
		v.Charges = append(v.Charges, viewCharge(&charges[i], &pol))
	}
	if v.Forecast, err = p.forecast(charges, now, pol); err != nil || now == calendar.MaxDate() {
		return v, err
	}
	plan, err := engine.New(pol).Compile(stored, now)
	if err != nil {
		return v, err
	}
	for c := range plan.Next(upcoming) {
		v.Upcoming = append(v.Upcoming, record.AppendExplained(nil, record.Charge{Subject: p.subject(), Charge: c}, pol, record.Readings{}))
	}
	return v, nil
}

// forecast returns what was forecast when the profile was created: from the oldest of the charges
// that are listed with it, or from its creation if they are all, to the 12th charge after now.
func (p *Profile) forecast(listed []Charge, now calendar.Date, pol engine.Policy) ([]json.RawMessage, error) {
	first := engine.Stored{Profile: p.Stored.Profile}
	if p.First != nil {
		first.Profile = *p.First
	}
	plan, err := engine.New(pol).Compile(first, p.Created)
	if err != nil {
		return nil, err
	}
	from := p.Created
	if len(listed) == maxListed {
		from = listed[len(listed)-1].Charge.Date
	}
	var list []json.RawMessage
	later := 0
	for c := range plan.Charges(calendar.Through(from, calendar.MaxDate())) {
		if c.Date.After(now) {
			later++
		}
		if later > upcoming || len(list) == maxForeseen {
			break
		}
		c.Because = ledger.Because{} // without reasons
		list = append(list, record.Charge{Subject: p.subject(), Charge: c}.AppendJSON(nil))
	}
	return list, nil
}

// subject is what records call a profile.
func (p *Profile) subject() record.Subject {
	return record.Subject{Profile: p.ClientOrderID, Row: p.Row, Currency: p.Stored.Profile.Currency, Callback: shownURL(p.Callback)}
}

// A chargeView is the charge record of a simulation, with ids in the place of the row.
type chargeView struct {
	Type        string         `api:"type" words:"charge"`
	ID          ID             `api:"id"`
	ProfileID   ID             `api:"profile_id"`
	Login       string         `api:"login"`
	Profile     string         `api:"profile" doc:"client-orderid"`
	Repeat      uint64         `api:"repeat"`
	Date        calendar.Date  `api:"date"`
	Slot        calendar.Date  `api:"slot,omitzero"`
	Amount      amount.Amount  `api:"amount"`
	Currency    string         `api:"currency"`
	CardExpired bool           `api:"card_expired,omitzero"`
	Kind        string         `api:"kind" words:"automatic|manual"`
	Outcome     engine.Outcome `api:"outcome"`
	Callback    string         `api:"callback,omitzero" doc:"Masked"`
	Because     []becauseView  `api:"because,omitzero"`
}

var chargeForm = formOf[chargeView]()

// viewCharge returns the record of a charge, with its reasons if a policy is given.
func viewCharge(c *Charge, explain *engine.Policy) chargeView {
	v := chargeView{
		Type: "charge", ID: c.ID, ProfileID: c.Profile, Login: c.Login, Profile: c.ClientOrderID, Repeat: c.Charge.Repeat, Date: c.Charge.Date,
		Amount: c.Charge.Min, Currency: c.Currency, CardExpired: c.Charge.CardExpired, Kind: "automatic", Outcome: c.Charge.Outcome, Callback: c.Callback,
	}
	if c.Charge.Slot != c.Charge.Date {
		v.Slot = c.Charge.Slot
	}
	if c.Charge.Manual {
		v.Kind = "manual"
	}
	if explain != nil {
		v.Because = reasons(c.Charge.Because, *explain)
	}
	return v
}

// A requestView is a request, and its reason in a sentence.
type requestView struct {
	Request
	Message string `api:"message,omitzero" doc:"The reason in a sentence"`
	Cause   string `api:"cause,omitzero" doc:"What the message leaves open: the mistake in the signature, or the first error"`
}

var requestForm = formOf[requestView]()

func viewRequest(r *Request) requestView {
	v := requestView{Request: *r, Message: r.Reason.Message(), Cause: r.cause()}
	v.At = r.At.UTC()
	return v
}

// cause says what the reason leaves open; it is empty where nothing more is known.
func (r *Request) cause() string {
	if d := r.Diagnosis; d != nil && len(d.Causes) > 0 {
		return d.Causes[0].Text
	}
	for _, f := range r.Findings {
		if f.Severity != ledger.SeverityError || f.Code == ledger.Code(r.Reason) {
			continue
		}
		text := f.Message
		if f.Subject != "" {
			text = f.Subject + ": " + text
		}
		if f.Place.Row > 0 {
			text = "row " + strconv.Itoa(f.Place.Row) + ", " + text
		}
		return text
	}
	return ""
}

// An appliedView is what an event did.
type appliedView struct {
	Effects []json.RawMessage `api:"effects" doc:"Records of the types event, charge and end; those of events have at, the machine's time"`
	Profile profileView       `api:"profile"`
}

var appliedForm = formOf[appliedView]()

func (g *Gateway) viewApplied(a *Applied) (v appliedView, err error) {
	pol := g.config.Policy
	v.Profile = viewProfile(&a.Profile)
	next := 0
	for i := range a.Effects {
		switch e := &a.Effects[i]; e.Kind {
		case engine.EffectEvent:
			text := record.AppendExplained(nil, record.EventOf(a.Profile.subject(), e), pol, record.Readings{})
			at, err := a.At.UTC().MarshalJSON()
			if err != nil {
				return v, err
			}
			v.Effects = append(v.Effects, slices.Concat(text[:len(text)-1], []byte(`,"at":`), at, []byte("}")))
		case engine.EffectCharge:
			charge := viewCharge(&a.Charges[next], &pol)
			v.Effects = append(v.Effects, chargeForm.Append(nil, &charge))
			next++
		case engine.EffectStop:
			end, err := engine.New(pol).End(a.Profile.Stored, e.Date)
			if err != nil {
				return v, err
			}
			v.Effects = append(v.Effects, record.AppendExplained(nil, record.End{Subject: a.Profile.subject(), End: end}, pol, record.Readings{}))
		}
	}
	return v, nil
}

// A becauseView is a clause with the text of the reading in force, as records of the command have
// it.
type becauseView struct {
	Clause string `api:"clause"`
	Basis  string `api:"basis" words:"stated|observed|inferred|assumed"`
	Text   string `api:"text"`
}

func reasons(b ledger.Because, pol engine.Policy) (list []becauseView) {
	for clause := range b.All() {
		list = append(list, becauseView{clause.String(), clause.Basis().String(), pol.Reading(clause).Text})
	}
	return list
}
