package gateway

import (
	"errors"
	"iter"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/rules"
	"github.com/chargecast/chargecast/signature"
)

// A batch is the payload of a request: one profile a row, all of them or none (L48).
type batch struct {
	use      signature.Use
	reason   Reason
	orders   []string     // the client-orderid of each row
	profiles []newProfile // those of the rows, unless there are more than maxHeld
	warned   ledger.Findings
	errors   int
	text     []byte       // of the columns of a row, used again for the next one
	cells    []rules.Cell // of a row by column, used again for the next one
}

// maxHeld is the most profiles of a payload that are held between its reading and the transaction:
// a profile takes five times the memory of its row. The rows of a longer payload are read again.
const maxHeld = 1000

// A newProfile is a profile on the day of its creation, after that day's run.
type newProfile struct {
	profile Profile
	effects []engine.Effect
}

// A created profile is what an answer says of it.
type created struct {
	id     ID
	status engine.Status
}

// create reads the payload, and decides in one transaction whether the request is accepted.
func (v *createRequest) create() (Reason, error) {
	v.g.moving.RLock() // the day of the payload is that of the transaction
	defer v.g.moving.RUnlock()
	now, err := v.g.Now(v.r.Context())
	if err != nil {
		return "", err
	}
	v.read(now)
	var t *transaction
	err = v.g.store.Update(v.r.Context(), func(tx Tx) error {
		t, v.created, v.fault = v.g.transaction(tx), nil, Fault{}
		t.creates = true
		return errors.Join(v.decide(t, now), t.flush())
	})
	if err != nil {
		v.created, v.fault = nil, Fault{}
		return "", err
	}
	v.g.metrics.tally(t.done)
	v.kept, v.release = t, v.g.courier.hold(t.deliveries) // before the clock can move
	return "", nil
}

// decide records the request, and creates its profiles if nothing is against that.
func (v *createRequest) decide(t *transaction, now calendar.Date) error {
	record := v.record // as it is before: a transaction may be tried again
	record.Date, record.At = now, v.g.config.Now()
	reason, findings := v.batch.reason, v.batch.warned
	if err := t.faults.count(v.merchant.Login, false); err != nil {
		return err
	}
	if reason == "" {
		f, err := v.useFault(t, now, FaultCut, FaultRefusedLate)
		if err != nil {
			return err
		}
		if v.fault = f; f.Kind != 0 {
			reason = ReasonFault
			findings = ledger.Findings{reason.finding()}
		}
	}
	if reason != ReasonFault {
		again, err := v.isReplayed(t.tx)
		if err != nil {
			return err
		}
		if again {
			reason = ReasonReplayed
			findings = ledger.Findings{reason.finding()}
		}
	}
	id, err := t.tx.Requests().NextID()
	if err != nil {
		return err
	}
	record.ID, record.Reason, record.Status = id, reason, http.StatusForbidden
	if reason == "" {
		if v.fault, err = v.useFault(t, now, FaultAnswerLost, FaultAnswerLate); err != nil {
			return err
		}
		record.Status = http.StatusOK
		if err := v.storeProfiles(t, &record, now); err != nil {
			return err
		}
	}
	if v.fault.Kind != 0 {
		record.Fault = v.fault.Kind
	}
	if err := putRequest(t.tx, &record, findings, v.batch.errors); err != nil {
		return err
	}
	v.record = record
	return nil
}

// maxNonces is how many nonces of a merchant without a window are kept.
const maxNonces = 100_000

// isReplayed reports whether the nonce of the request was used before, if the merchant wants that
// to be checked, and records its use.
func (v *createRequest) isReplayed(tx Tx) (bool, error) {
	if !v.merchant.CheckReplays {
		return false, nil
	}
	at, forget := v.g.config.Now(), time.Time{}
	if s := v.merchant.WindowS; s > 0 { // a timestamp of the future is fresh for twice as long
		forget = at.Add(-2 * time.Duration(s) * time.Second)
	}
	first, err := tx.UseNonce(v.merchant.Login, v.batch.use.Hash(), at, forget, maxNonces)
	return !first, err
}

// storeProfiles stores the profiles, with what their first run did.
func (v *createRequest) storeProfiles(t *transaction, record *Request, now calendar.Date) error {
	for n, err := range v.newProfiles(now) {
		if err != nil {
			return err
		}
		id, err := t.tx.Profiles().NextID()
		if err != nil {
			return err
		}
		p := n.profile
		p.ID, p.Request = id, record.ID
		if record.Profiles++; record.Profiles == 1 {
			record.First = id
		}
		if _, err := t.keep(&p, slices.Clone(n.effects), now); err != nil {
			return err
		}
		if v.merchant.Response == ResponseParameters {
			v.created = append(v.created, created{id, p.Stored.State.Status})
		}
	}
	return nil
}

// newProfiles yields the profiles of a payload that was read without an error.
func (v *createRequest) newProfiles(now calendar.Date) iter.Seq2[newProfile, error] {
	return func(yield func(newProfile, error) bool) {
		if len(v.batch.profiles) == len(v.batch.orders) {
			for _, n := range v.batch.profiles {
				if !yield(n, nil) {
					return
				}
			}
			return
		}
		for row := range v.payload(now).Rows() {
			if n, err := v.newProfile(row, now); !yield(n, err) {
				return
			}
		}
	}
}

// payload returns a reader of the request's rows.
func (v *createRequest) payload(now calendar.Date) *rules.Reader {
	return rules.NewReader(strings.NewReader(v.body), rules.Options{
		AsOf: now, Policy: v.g.config.Policy, Currency: v.merchant.Currency, Input: rules.InputForm,
	})
}

// read reads the payload of the request.
func (v *createRequest) read(now calendar.Date) {
	b := &v.batch
	r := v.payload(now)
	onlyCurrency := true
	for row, list := range r.Rows() {
		for _, f := range list {
			onlyCurrency = onlyCurrency && (f.Severity != ledger.SeverityError || f.Code == rules.ProjectCurrency)
		}
		b.note(list)
		if row == nil || b.errors > 0 {
			b.profiles, b.orders = nil, nil // one bad row refuses the whole request
			continue
		}
		n, err := v.newProfile(row, now)
		if refusal, ok := errors.AsType[*engine.Error](err); ok {
			f := ReasonPayload.finding()
			f.Message, f.Place = refusal.Error(), ledger.Place{Row: row.Number, Line: row.Line, Profile: row.ShownID}
			f.Code = refusal.Code
			b.note(ledger.Findings{f})
			onlyCurrency = false
			continue
		}
		if err != nil {
			b.note(ledger.Findings{ReasonInternal.finding()})
			onlyCurrency = false
			continue
		}
		b.orders = append(b.orders, strings.Clone(n.profile.ClientOrderID))
		if len(b.orders) <= maxHeld {
			b.profiles = append(b.profiles, n)
		} else {
			b.profiles = nil
		}
	}
	switch {
	case b.errors > 0 && onlyCurrency:
		b.reason = ReasonCurrency
	case b.errors > 0 || r.Summary().Rows == 0 || r.Summary().Unreadable:
		b.reason = ReasonPayload
	}
}

// note keeps the first findings of a payload, and counts the errors.
func (b *batch) note(list ledger.Findings) {
	b.errors += list.Count(ledger.SeverityError)
	for _, f := range list {
		if len(b.warned) < maxFindings {
			b.warned = append(b.warned, f)
		} else if f.Severity == ledger.SeverityError {
			b.replaceWarning(f)
		}
	}
}

// replaceWarning keeps an error in the place of a warning, so that warnings hide no error.
func (b *batch) replaceWarning(f ledger.Finding) {
	for i := len(b.warned) - 1; i >= 0; i-- {
		if b.warned[i].Severity == ledger.SeverityWarning {
			b.warned = append(b.warned[:i], b.warned[i+1:]...)
			b.warned = append(b.warned, f)
			return
		}
	}
}

// newProfile creates the profile of a row, and lets the run of its day take place (2.2.4).
func (v *createRequest) newProfile(row *rules.Row, now calendar.Date) (newProfile, error) {
	profile := row.Profile()
	if shown := row.ShownID; shown != profile.ID {
		profile.ID = strings.Clone(shown) // never a card number (L47)
	}
	e := engine.New(v.g.config.Policy)
	stored, err := e.Create(profile, now)
	if err != nil {
		return newProfile{}, err
	}
	stored, effects, err := e.Advance(stored, now)
	if err != nil {
		return newProfile{}, err
	}
	b := &v.batch
	b.cells = append(b.cells[:0], rules.Cell{})
	for _, cell := range row.Cells() {
		b.cells = append(b.cells, cell)
	}
	number, address := b.cells[rules.ColumnCardNumber], b.callbackURL()
	masked := number.String()
	return newProfile{effects: effects, profile: Profile{
		Login: v.merchant.Login, Row: row.Number, ClientOrderID: profile.ID, Created: now,
		Card:       Card{Masked: masked, Last4: lastDigits(masked), Hash: v.g.seal.Hash(number.Reveal())},
		Columns:    b.columns(profile.ID),
		Callback:   shownURL(address),
		CallbackTo: v.g.sealAddress(v.merchant.Login, address),
		Private:    v.g.hashPrivate("", b.value),
		Stored:     stored,
	}}, nil
}

// sealAddress seals the address of callbacks; nil for none.
func (g *Gateway) sealAddress(login, address string) []byte {
	if address == "" {
		return nil
	}
	return g.seal.Seal(login, address)
}

// value is that of a column of the row that was read last.
func (b *batch) value(c rules.Column) string { return b.cells[c].Reveal() }

// columns returns the values of the row, masked, in memory of their own: nothing of the row is
// kept. cvv2 was checked, and is dropped here.
func (b *batch) columns(shownID string) Columns {
	const usual = 1 << 10 // bytes, of one row
	b.text = slices.Grow(b.text[:0], usual)
	for _, cell := range b.cells {
		c := cell.Column()
		if c == rules.ColumnCVV2 {
			continue
		}
		text := cell.Reveal()
		switch {
		case text == "":
			continue
		case c == rules.ColumnOrderID:
			text = shownID
		case isFreeText(c):
			for _, private := range privateColumns {
				text = hide(text, b.value(private))
			}
			text = rules.Mask(c, text)
		default:
			text = rules.Mask(c, text)
		}
		b.text = appendColumn(b.text, c.String(), text)
	}
	return Columns(b.text)
}

// lastDigits returns the digits that a masked card number ends with, at most 4.
func lastDigits(masked string) string {
	i := len(masked)
	for i > 0 && len(masked)-i < 4 && '0' <= masked[i-1] && masked[i-1] <= '9' {
		i--
	}
	return masked[i:]
}

// callbackURL returns the address of the callbacks of the row; the two columns are never both
// filled (L55).
func (b *batch) callbackURL() string {
	if u := b.value(rules.ColumnServerCallbackURL); u != "" {
		return strings.Clone(u)
	}
	return strings.Clone(b.value(rules.ColumnNotifyURL))
}

// shownURL returns the address of callbacks as it may be shown.
func shownURL(text string) string { return rules.Mask(rules.ColumnServerCallbackURL, text) }
