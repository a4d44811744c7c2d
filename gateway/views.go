package gateway

import (
	"encoding/json"
	"slices"
	"time"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/cardtext"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/record"
)

// The records of the admin interface. Their names are fixed.

type merchantView struct {
	Login        string        `json:"login"`
	Endpoint     string        `json:"endpoint"`
	Currency     *string       `json:"currency"`
	PublicKey    *string       `json:"public_key"` // its fingerprint
	Methods      []string      `json:"methods"`    // what it can sign with
	WindowS      int           `json:"window_s"`
	CheckReplays bool          `json:"check_replays"`
	Response     ResponseMode  `json:"response"`
	Callback     *callbackForm `json:"callback,omitempty"`
}

type callbackForm struct {
	ContentType string `json:"content_type"`
	Body        string `json:"body"`
}

func viewMerchant(m *Merchant) merchantView {
	v := merchantView{
		Login: m.Login, Endpoint: m.Endpoint, Currency: orNull(m.Currency), PublicKey: orNull(m.Fingerprint), Methods: []string{},
		WindowS: m.WindowS, CheckReplays: m.CheckReplays, Response: m.Response,
	}
	if m.PublicKey != "" {
		v.Methods = append(v.Methods, "RSA-SHA256")
	}
	if len(m.ControlKey) > 0 {
		v.Methods = append(v.Methods, "HMAC-SHA1")
	}
	if m.Callback != (CallbackTemplate{}) {
		v.Callback = &callbackForm{m.Callback.ContentType, m.Callback.Body}
	}
	return v
}

// orNull is nil for the zero value.
func orNull[T comparable](v T) *T {
	if v == *new(T) {
		return nil
	}
	return &v
}

type stopView struct {
	Date    calendar.Date `json:"date"`
	Reasons []string      `json:"reasons"`
}

type profileView struct {
	ID      ID             `json:"id"`
	Login   string         `json:"login"`
	OrderID string         `json:"client_orderid"`
	Status  engine.Status  `json:"status"`
	Repeat  uint64         `json:"repeat"`
	Next    *calendar.Date `json:"next"`
	Stop    *stopView      `json:"stop"`
	*profileDetail
}

// A profileDetail is what only the view of one profile has.
type profileDetail struct {
	Serial   ID                `json:"serial_number"`
	Row      int               `json:"row"`
	Created  calendar.Date     `json:"created"`
	Currency string            `json:"currency"`
	Card     cardView          `json:"card"`
	Callback *string           `json:"callback"`
	Columns  map[string]string `json:"columns"`
	State    json.RawMessage   `json:"state"`
	Charges  []chargeView      `json:"charges"`
	Upcoming []json.RawMessage `json:"upcoming"`
	Forecast []json.RawMessage `json:"forecast"`
	Because  []json.RawMessage `json:"because"`
	Policy   string            `json:"policy"`
}

type cardView struct {
	Number string `json:"number"`
	Hash   string `json:"hash"`
}

func viewProfile(p *Profile) profileView {
	s := &p.Stored.State
	v := profileView{ID: p.ID, Login: p.Login, OrderID: p.OrderID, Status: s.Status, Repeat: s.Repeat, Next: orNull(p.Next)}
	if !s.Stop.IsZero() {
		v.Stop = &stopView{s.Stop.Date, slices.Collect(s.Stop.Reasons.All())}
	}
	return v
}

// What the view of one profile has at most: the last charges, the next ones, and those of the
// forecast at its creation.
const (
	maxListed   = 100
	upcoming    = 12
	maxForeseen = 1000
)

// detail returns the view of one profile with all that is known of it.
func (g *Gateway) detail(p *Profile, charges []Charge, now calendar.Date) (profileView, error) {
	pol := g.config.Policy
	stored, err := current(p.Stored, now, pol)
	if err != nil {
		return profileView{}, err
	}
	state, err := json.Marshal(stored.State)
	if err != nil {
		return profileView{}, err
	}
	end, err := engine.New(pol).End(stored, now)
	if err != nil {
		return profileView{}, err
	}
	columns, err := p.Columns.Values()
	if err != nil {
		return profileView{}, err
	}
	v := viewProfile(p)
	v.profileDetail = &profileDetail{
		Serial: p.Request, Row: p.Row, Created: p.Created, Currency: stored.Profile.Currency,
		Card: cardView{p.Card.Masked, p.Card.Hash}, Callback: orNull(shownURL(p.Callback)),
		Columns: columns, State: state, Charges: []chargeView{}, Upcoming: []json.RawMessage{}, Forecast: []json.RawMessage{},
		Because: reasons(end.Because, pol), Policy: pol.String(),
	}
	for i := range charges {
		v.Charges = append(v.Charges, viewCharge(&charges[i], &pol))
	}
	if v.Forecast, err = p.forecast(charges, now, pol); err != nil || now == calendar.Last() {
		return v, err
	}
	plan, err := engine.New(pol).Compile(stored, now)
	if err != nil {
		return profileView{}, err
	}
	for c := range plan.Next(upcoming) {
		v.Upcoming = append(v.Upcoming, record.Charge{Subject: p.subject(), Charge: c, Explain: &pol}.AppendJSON(nil))
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
		from = listed[len(listed)-1].Date
	}
	list, later := []json.RawMessage{}, 0
	for c := range plan.Charges(calendar.Through(from, calendar.Last())) {
		if c.Date.After(now) {
			later++
		}
		if later > upcoming || len(list) == maxForeseen {
			break
		}
		list = append(list, record.Charge{Subject: p.subject(), Charge: c}.AppendJSON(nil))
	}
	return list, nil
}

// subject is what records call a profile.
func (p *Profile) subject() record.Subject {
	return record.Subject{Profile: p.OrderID, Row: p.Row, Currency: p.Stored.Profile.Currency, Callback: shownURL(p.Callback)}
}

// A chargeView is the charge record of a simulation, with ids in the place of the row.
type chargeView struct {
	Type        string            `json:"type"`
	ID          ID                `json:"id"`
	ProfileID   ID                `json:"profile_id"`
	Login       string            `json:"login"`
	Profile     string            `json:"profile"`
	Repeat      uint64            `json:"repeat"`
	Date        calendar.Date     `json:"date"`
	Slot        calendar.Date     `json:"slot,omitzero"`
	Amount      amount.Amount     `json:"amount"`
	Currency    string            `json:"currency"`
	CardExpired bool              `json:"card_expired,omitempty"`
	Kind        string            `json:"kind"`
	Outcome     engine.Outcome    `json:"outcome"`
	Callback    string            `json:"callback,omitempty"`
	Because     []json.RawMessage `json:"because,omitempty"`
}

// viewCharge returns the record of a charge, with its reasons if a policy is given.
func viewCharge(c *Charge, explain *engine.Policy) chargeView {
	v := chargeView{
		Type: "charge", ID: c.ID, ProfileID: c.Profile, Login: c.Login, Profile: c.OrderID, Repeat: c.Repeat, Date: c.Date,
		Amount: c.Min, Currency: c.Currency, CardExpired: c.CardExpired, Kind: "automatic", Outcome: c.Outcome, Callback: c.Callback,
	}
	if c.Slot != c.Date {
		v.Slot = c.Slot
	}
	if c.Manual {
		v.Kind = "manual"
	}
	if explain != nil {
		v.Because = reasons(c.Because, *explain)
	}
	return v
}

type requestView struct {
	ID         ID              `json:"id"`
	At         time.Time       `json:"at"`
	Day        calendar.Date   `json:"day"`
	Login      *string         `json:"login"`
	Method     string          `json:"method"`
	URI        string          `json:"uri"`
	Status     int             `json:"status"`
	Reason     *Reason         `json:"reason"`
	Message    string          `json:"message,omitempty"`
	Errors     int             `json:"errors"`
	Findings   ledger.Findings `json:"findings"`
	Profiles   int             `json:"profiles"`
	First      *ID             `json:"first_profile"`
	Fault      *FaultKind      `json:"fault,omitempty"`
	Headers    []headerView    `json:"headers,omitempty"`
	Parameters []paramView     `json:"parameters,omitempty"`
	Diagnosis  *diagnosisView  `json:"diagnosis,omitempty"`
}

type headerView struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

type paramView struct {
	Name  string `json:"name"`
	Bytes int    `json:"bytes"`
}

type diagnosisView struct {
	Match       bool            `json:"match"`
	Causes      []causeView     `json:"causes"`
	Known       []string        `json:"known"`
	NotTried    []string        `json:"not_tried"`
	Findings    ledger.Findings `json:"findings"`
	Unavailable string          `json:"unavailable,omitempty"`
	BaseStrings *baseView       `json:"base_strings,omitempty"`
}

type baseView struct {
	Right  string `json:"right"`
	Signed string `json:"signed"`
	Start  int    `json:"start"`
	Offset int    `json:"offset"`
	Text   string `json:"text"`
}

type causeView struct {
	IDs  []string `json:"ids"`
	Text string   `json:"text"`
	Fix  string   `json:"fix"`
}

// viewRequest returns the record of a request; only the view of one has headers and parameters.
func viewRequest(r *Request, detail bool) requestView {
	v := requestView{
		ID: r.ID, At: r.At.UTC(), Day: r.Date, Fault: orNull(r.Fault), Login: orNull(r.Login), Method: r.Method, URI: r.URI, Status: r.Status, Reason: orNull(r.Reason),
		Message: r.Reason.Message(), Errors: r.Errors, Findings: orEmpty(r.Findings), Profiles: r.Profiles, First: orNull(r.First),
	}
	if !detail {
		return v
	}
	for _, h := range r.Headers {
		v.Headers = append(v.Headers, headerView(h))
	}
	for _, p := range r.Params {
		v.Parameters = append(v.Parameters, paramView(p))
	}
	if d := r.Diagnosis; d != nil {
		v.Diagnosis = &diagnosisView{
			Match: d.Match, Causes: []causeView{}, Known: orEmpty(d.Known), NotTried: orEmpty(d.NotTried),
			Findings: orEmpty(d.Findings), Unavailable: d.Unavailable,
		}
		if d.Bases != nil {
			v.Diagnosis.BaseStrings = (*baseView)(d.Bases)
		}
		for _, c := range d.Causes {
			v.Diagnosis.Causes = append(v.Diagnosis.Causes, causeView(c))
		}
	}
	return v
}

// orEmpty is an empty list for nil.
func orEmpty[L ~[]E, E any](list L) L {
	if list == nil {
		return L{}
	}
	return list
}

type callbackView struct {
	ID        ID            `json:"id"`
	ChargeID  ID            `json:"charge_id"`
	ProfileID ID            `json:"profile_id"`
	Login     string        `json:"login"`
	URL       string        `json:"url"`
	Attempts  []attemptView `json:"attempts"`
	State     CallbackState `json:"state"`
	Next      *time.Time    `json:"next_attempt"`
	At        time.Time     `json:"at"`
	Fault     *FaultKind    `json:"fault,omitempty"`
	Type      string        `json:"content_type"`
	Body      string        `json:"body"`
}

type attemptView struct {
	At     time.Time `json:"at"`
	Status int       `json:"status"`
	Error  string    `json:"error,omitempty"`
	Answer string    `json:"answer,omitempty"`
}

func viewCallback(b *Callback) callbackView {
	v := callbackView{
		ID: b.ID, ChargeID: b.Charge, ProfileID: b.Profile, Login: b.Login, URL: shownURL(b.URL), State: b.State, Attempts: []attemptView{},
		At: b.At.UTC(), Fault: orNull(b.Fault), Type: b.ContentType, Body: cardtext.MaskEscaped(b.Body),
	}
	if !b.Next.IsZero() {
		next := b.Next.UTC()
		v.Next = &next
	}
	for _, a := range b.Attempts {
		v.Attempts = append(v.Attempts, attemptView{a.At.UTC(), a.Status, a.Error, a.Answer})
	}
	return v
}

type outcomeView struct {
	ID      ID             `json:"id"`
	Login   *string        `json:"login"`
	OrderID *string        `json:"profile"`
	Repeat  *uint64        `json:"repeat"`
	Last4   *string        `json:"last4"`
	Amount  *amount.Amount `json:"amount"`
	Outcome engine.Outcome `json:"outcome"`
	Times   int            `json:"times"`
	Used    int            `json:"used"`
}

func viewOutcome(o *Outcome) outcomeView {
	v := outcomeView{
		ID: o.ID, Login: orNull(o.Login), OrderID: orNull(o.OrderID), Repeat: o.Repeat, Last4: orNull(o.Last4),
		Outcome: o.Outcome, Times: o.Times, Used: o.Used,
	}
	if !o.Amount.IsZero() {
		v.Amount = &o.Amount
	}
	return v
}

type faultView struct {
	ID     ID        `json:"id"`
	Kind   FaultKind `json:"kind"`
	Login  *string   `json:"login"`
	Where  whereView `json:"where"`
	Times  int       `json:"times"`
	Chance float64   `json:"chance"`
	Ms     int       `json:"ms"`
	Days   int       `json:"days"`
	BytesS int       `json:"bytes_s"`
	Used   int       `json:"used"`
}

type whereView struct {
	Profile *string        `json:"profile"`
	Day     *calendar.Date `json:"day"`
	Request *int           `json:"request"`
}

func viewFault(f *Fault) faultView {
	return faultView{
		ID: f.ID, Kind: f.Kind, Login: orNull(f.Login), Times: f.Times, Chance: f.Chance, Ms: f.Ms, Days: f.Days, BytesS: f.BytesS,
		Used: f.Used, Where: whereView{orNull(f.Where.Profile), orNull(f.Where.Day), orNull(f.Where.Request)},
	}
}

// effectRecords are the records of what an event did.
func (g *Gateway) effectRecords(a *Applied) ([]any, error) {
	pol := g.config.Policy
	list, next := []any{}, 0
	for i := range a.Effects {
		switch e := &a.Effects[i]; e.Kind {
		case engine.EventHandled:
			list = append(list, json.RawMessage(record.EventOf(a.Profile.subject(), e, &pol, engine.Readings{}).AppendJSON(nil)))
		case engine.ChargeAttempted:
			list = append(list, viewCharge(&a.Charges[next], &pol))
			next++
		case engine.ProfileStopped:
			end, err := engine.New(pol).End(a.Profile.Stored, e.Date)
			if err != nil {
				return nil, err
			}
			list = append(list, json.RawMessage(record.End{Subject: a.Profile.subject(), End: end, Explain: &pol}.AppendJSON(nil)))
		}
	}
	return list, nil
}
