package laws

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"sync"
	"time"

	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/gateway/response"
	"github.com/chargecast/chargecast/internal/gen"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/rules"
	"github.com/chargecast/chargecast/signature"
)

// Ours is chargecast itself.
func Ours() Impl {
	return Impl{
		Name:          "chargecast",
		Prompt:        true,
		CalendarImpl:  ourCalendar(),
		AmountImpl:    ourAmounts(),
		EngineImpl:    ourEngine(),
		BookImpl:      ourBooks(),
		SignatureImpl: ourSignatures(),
		PayloadImpl:   ourPayloads(),
	}
}

// payloadDate reads a date as the columns of a payload do.
func payloadDate(text string) (calendar.Date, error) {
	u, findings := rules.ParseUpdate(func(yield func(string, string) bool) { yield(rules.ColumnStartDate.String(), text) }, rules.UpdateOptions{})
	if err := findings.Err(); err != nil || u.Start.Value.IsZero() {
		return calendar.Date{}, errors.Join(errNoDate, err)
	}
	return u.Start.Value, nil
}

var errNoDate = errors.New("not a date of a payload")

func ourCalendar() CalendarImpl {
	return CalendarImpl{
		DaysIn:      calendar.DaysIn,
		NewDate:     calendar.New,
		DateOf:      calendar.Of,
		ParseDate:   calendar.Parse,
		ParseDotted: payloadDate,
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
			return totalFrom(t)
		},
		MinorUnits:  amount.MinorUnits,
		FromDecimal: amount.FromDecimal,
		Quantiles:   ourQuantiles,
	}
}

// totalFrom is a total of the library in the words of the kit.
func totalFrom(t amount.Total) Total {
	return Total{t.Charges, t.Min.String(), t.Max.String(), string(t.AppendMean(nil))}
}

func ourQuantiles(runs []gen.RangeRun, percents []string) (texts []string, normal bool) {
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
	sums, err := total.Quantiles(q...)
	if err != nil {
		return nil, false
	}
	for _, s := range sums {
		texts = append(texts, s.String())
	}
	return texts, total.Normal()
}

func ourEngine() EngineImpl {
	return EngineImpl{
		Cites:    true,
		Forecast: ourForecast,
		Simulate: func(p engine.Policy, s engine.Simulation, yield func(engine.Effect) bool) (engine.Stored, error) {
			return engine.New(p).Simulate(s, yield)
		},
		Create: func(profile engine.Profile, day calendar.Date, p engine.Policy) (engine.Stored, error) {
			return engine.New(p).Create(profile, day)
		},
		Advance: func(s engine.Stored, through calendar.Date, p engine.Policy) (engine.Stored, []engine.Effect, error) {
			return engine.New(p).Advance(s, through)
		},
		Handle: func(s engine.Stored, e engine.Event, p engine.Policy) (engine.Stored, []engine.Effect, error) {
			return engine.New(p).Handle(s, e)
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
		CompareReadings: func(j gen.Job, until calendar.Date) ([]engine.Sensitivity, error) {
			list, _, err := engine.New(j.Policy).Sensitivities(nil, j.Stored(), j.AsOf, calendar.Through(j.AsOf, until))
			return list, err
		},
	}
}

// ourForecast is a plan of the library in the words of the kit.
func ourForecast(j gen.Job) (Forecast, error) {
	plan, err := engine.New(j.Policy).Compile(j.Stored(), j.AsOf)
	if err != nil {
		return Forecast{}, err
	}
	return Forecast{
		Charges: plan.Charges,
		Next:    plan.Next,
		Count:   plan.Count,
		Total:   func(w calendar.Window) Total { return totalFrom(plan.Total(w)) },
		Stop:    func() Stop { return StopFrom(plan.Stop()) },
		End: func(d calendar.Date) End {
			e := plan.End(d)
			return End{e.Status, e.Repeat, StopFrom(e.Stop), e.LastDay, e.Because}
		},
		State: plan.State,
		Explain: func(d calendar.Date) engine.Explanation {
			e, _ := engine.New(j.Policy).Explain(engine.Simulation{Stored: j.Stored(), AsOf: j.AsOf, Undrawn: true}, d)
			return e
		},
	}, nil
}

// StopFrom is a stop of the library in the words of the kit.
func StopFrom(s engine.Stop) Stop {
	if s.IsZero() {
		return Stop{}
	}
	return Stop{s.Date, slices.Collect(s.Reasons.All()), s.Because}
}

func ourBooks() BookImpl {
	return BookImpl{
		NewBook: func(p engine.Policy, s engine.Scope) (Book, error) {
			b, err := engine.New(p).NewBook(s)
			if err != nil {
				return Book{}, err
			}
			return ourBook(b), nil
		},
		LoadBook: func(form []byte) (Book, error) {
			b := new(engine.Book)
			if err := json.Unmarshal(form, b); err != nil {
				return Book{}, err
			}
			return ourBook(b), nil
		},
	}
}

func ourBook(b *engine.Book) Book {
	return Book{
		Add:       func(j gen.Job) error { return b.Add(j.Stored()) },
		AddCharge: b.AddCharge,
		Merge:     func(o Book) error { return b.Merge(o.Self.(*engine.Book)) },
		Totals:    func(by engine.By) []BookTotal { return bookTotals(by, b.Totals(by)) },
		Save: func() []byte {
			form, err := json.Marshal(b)
			if err != nil {
				panic(err)
			}
			return form
		},
		Self: b,
	}
}

func bookTotals(by engine.By, totals iter.Seq[engine.Total]) (list []BookTotal) {
	for t := range totals {
		list = append(list, BookTotal{by.Value(t.Period), t.Currency, totalFrom(t.Tally.Total), totalFrom(t.CardExpired), totalFrom(t.Declined), t.Draws()})
	}
	return list
}

func ourPayloads() PayloadImpl {
	return PayloadImpl{
		ReadPayload:    ourReadPayload,
		ShowPayload:    ourShowPayload,
		WriteRows:      ourWriteRows,
		RewritePayload: ourRewritePayload,
		EncodePayload: func(csv []byte, to rules.Input) []byte {
			var b bytes.Buffer
			if err := rules.Encode(&b, bytes.NewReader(csv), to); err != nil {
				return nil
			}
			return b.Bytes()
		},
		DecodePayload: func(wire []byte, o rules.Options) ([]byte, []Finding) {
			var text bytes.Buffer
			found, err := rules.Decode(&text, bytes.NewReader(wire), o)
			if err != nil || found.Err() != nil {
				return nil, findingsFrom(found)
			}
			return text.Bytes(), findingsFrom(found)
		},
		FixPayload: func(payload []byte) ([]byte, []rules.Change) { return ourFixPayload(payload, rules.Fixer{}) },
		FixPayloadFrom: func(payload []byte, encoding string) ([]byte, []rules.Change) {
			return ourFixPayload(payload, rules.Fixer{Decode: gen.FromEncoding(encoding)})
		},
		ParseResponse: response.Parse,
		FormatResponse: func(r response.Record) []byte {
			text, _ := r.AppendText(nil)
			return text
		},
		Mask: rules.Mask,
	}
}

func ourReadPayload(src io.Reader, o rules.Options, yield func(PayloadStep) bool) PayloadEnd {
	r := rules.NewReader(src, o)
	for row, ps := range r.Rows() {
		step := PayloadStep{Findings: findingsFrom(ps)}
		if row != nil {
			step.Row = payloadRowFrom(row)
		}
		if !yield(step) {
			break
		}
	}
	s := r.Summary()
	return PayloadEnd{s.Rows, s.Valid, s.Errors, r.Err()}
}

// findingsFrom are findings of the library in the words of the kit.
func findingsFrom(ps ledger.Findings) []Finding {
	var list []Finding
	for _, p := range ps {
		column, _ := rules.ColumnOf(p.Subject)
		list = append(list, Finding{p.Code, p.Severity, p.Place.Row, p.Place.Line, p.Place.Col, p.Place.Offset, p.Place.Wire, column, p.Message + "; " + p.Help})
	}
	return list
}

func payloadRowFrom(row *rules.Row) *PayloadRow {
	r := &PayloadRow{Number: row.Number, Line: row.Line, Profile: row.Profile()}
	for column, cell := range row.Cells() {
		r.Cells[column] = cell.Reveal()
	}
	return r
}

func ourShowPayload(src io.Reader, o rules.Options) []string {
	var shown []string
	show := func(v any) {
		for _, verb := range [...]string{"%v", "%+v", "%#v", "%s", "%q"} {
			shown = append(shown, fmt.Sprintf(verb, v))
		}
	}
	r := rules.NewReader(src, o)
	for row, ps := range r.Rows() {
		for i := range ps {
			ps[i].Place.Profile = "" // the merchant's own key may be shown (L47)
		}
		show(ps)
		for _, p := range ps {
			show(p)
			text, _, _ := r.Excerpt(p)
			shown = append(shown, text)
		}
		if row == nil {
			continue
		}
		show(row)
		for column, cell := range row.Cells() {
			// What the mask of a column leaves is the business of the law of masking.
			if column.Spec().Kind() != "URL" && rules.Mask(column, "a") != "a" {
				show(cell)
			}
		}
	}
	show(r.Err())
	show(r.Summary())
	return shown
}

func ourWriteRows(rows []gen.Cells) []byte {
	text := rules.AppendHeader(nil)
	for i := range rows {
		text = rules.AppendRecord(text, rows[i][1:]...)
	}
	return text
}

func ourRewritePayload(payload []byte, o rules.Options) []byte {
	text := rules.AppendHeader(nil)
	for row := range rules.NewReader(bytes.NewReader(payload), o).Rows() {
		if row != nil {
			text = appendRow(text, row)
		}
	}
	return text
}

// appendRow appends a row as it is written, with all columns.
func appendRow(dst []byte, row *rules.Row) []byte {
	var cells []string
	for _, cell := range row.Cells() {
		cells = append(cells, cell.Reveal())
	}
	return rules.AppendRecord(dst, cells...)
}

// ourFixPayload is what a fixer of the library makes of a payload.
func ourFixPayload(payload []byte, f rules.Fixer) ([]byte, []rules.Change) {
	var text bytes.Buffer
	var changes []rules.Change
	f.Report = func(c rules.Change) { changes = append(changes, c) }
	if done, err := f.Fix(&text, bytes.NewReader(payload)); err != nil || done.Findings.Err() != nil {
		return nil, changes
	}
	return text.Bytes(), changes
}

func made(r gen.SignRequest) signature.Request {
	return signature.NewRequest(r.Method, r.URL).WithParams(paramsOf(r.Params)...).WithAuthorization(r.Authorization)
}

func paramsOf(pairs []gen.Pair) []signature.Param {
	list := make([]signature.Param, len(pairs))
	for i, p := range pairs {
		list[i] = signature.NewParam(p.Name, p.Value)
	}
	return list
}

func oauthOf(c gen.SignChoices) signature.OAuth {
	return signature.OAuth{ConsumerKey: c.ConsumerKey, Nonce: c.Nonce, Timestamp: c.Timestamp, Realm: c.Realm}
}

// pairsOf are parameters of the library in the words of the kit.
func pairsOf(params []signature.Param) []gen.Pair {
	var list []gen.Pair
	for _, p := range params {
		list = append(list, gen.Pair{Name: p.Name(), Value: p.Value()})
	}
	return list
}

// A keyring loads each key once: checking an RSA key takes longer than signing with it.
type keyring struct{ private, public sync.Map } // by the text of the PEM

func (ring *keyring) signing(k SignKey) (signature.SigningKey, error) {
	if k.Method == "HMAC-SHA1" {
		return signature.NewHMACKey(k.Secret)
	}
	if key, ok := ring.private.Load(k.PEM); ok {
		return key.(signature.SigningKey), nil
	}
	key, err := signature.ParsePrivateKey([]byte(k.PEM))
	if err != nil {
		return nil, err
	}
	ring.private.Store(k.PEM, key)
	return key, nil
}

func (ring *keyring) verifying(k SignKey) (signature.VerifyingKey, error) {
	if k.Method == "HMAC-SHA1" {
		return signature.NewHMACKey(k.Secret)
	}
	if key, ok := ring.public.Load(k.PEM); ok {
		return key.(signature.VerifyingKey), nil
	}
	key, err := signature.ParsePublicKey([]byte(k.PEM))
	if err != nil {
		return nil, err
	}
	ring.public.Store(k.PEM, key)
	return key, nil
}

func ourSignatures() SignatureImpl {
	ring := new(keyring)
	return SignatureImpl{
		Encode: signature.Encode, Decode: signature.Decode, BaseString: ourBaseString,
		FormatHeader: func(h SignHeader) string {
			return signature.Header{Realm: h.Realm, Params: paramsOf(h.Params)}.String()
		},
		ParseHeader: func(text string) (SignHeader, error) {
			h, err := signature.ParseHeader(text)
			return SignHeader{h.Realm, pairsOf(h.Params)}, err
		},
		Sign: ring.sign, Verify: ring.verify,
	}
}

// ourBaseString is the last stage of a trace: the library has no other door to a base string that
// is not signed.
func ourBaseString(r gen.SignRequest, oauth []gen.Pair) (string, error) {
	h := signature.Header{Params: paramsOf(oauth)}
	if len(oauth) == 0 {
		h.Realm = new("")
	}
	r.Authorization = h.String()
	trace, err := signature.NewTrace(made(r))
	return trace.BaseString(), err
}

func (ring *keyring) sign(r gen.SignRequest, c gen.SignChoices, k SignKey) (string, error) {
	key, err := ring.signing(k)
	if err != nil {
		return "", err
	}
	signed, _, err := signature.Sign(made(r), oauthOf(c), key)
	return signed.Authorization(), err
}

func (ring *keyring) verify(r gen.SignRequest, k SignKey, o SignOptions) SignVerdict {
	key, err := ring.verifying(k)
	if err != nil {
		return SignVerdict{Codes: []string{err.Error()}}
	}
	v, err := signature.Verify(made(r), signature.Options{Now: time.Unix(o.Now, 0), Window: time.Duration(o.Window) * time.Second, NonceMin: o.NonceMin, NonceMax: o.NonceMax}, key)
	verdict := SignVerdict{Signature: v.Signature.String(), Acceptable: err == nil, Stale: v.Stale, Consumer: v.ConsumerKey, Codes: []string{}}
	for _, f := range v.Findings {
		verdict.Codes = append(verdict.Codes, string(f.Code))
	}
	if (v.Use == signature.Use{}) != (v.ConsumerKey == "") {
		verdict.Consumer += " without its use"
	}
	return verdict
}
