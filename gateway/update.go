package gateway

import (
	"context"
	"iter"
	"maps"

	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/rules"
)

// Update sets columns of a profile, by name and value as in the payload; an empty value removes one. Values are judged as
// those of a payload are. A name that no column has is an error with the findings. A column that an update cannot set (see [rules.ParseUpdate]), one that is required and would be
// empty, and a callback address that is not one of http or https make it a [*Refused], or an error with [EventRefused], which
// changes nothing. Otherwise it is [Gateway.Apply] with what the schedule rests on.
func (g *Gateway) Update(ctx context.Context, id ID, set iter.Seq2[string, string]) (Applied, error) {
	columns := maps.Collect(set)
	update, findings := rules.ParseUpdate(set)
	for _, f := range findings {
		if f.Code == rules.ColumnUnknown {
			return Applied{}, findings
		}
		if f.Severity == ledger.SeverityError && len(update.Unreadable) == 0 || f.Code == rules.URLForm {
			refused := found(EventRefused, f.Message, f.Help)
			refused.Kind, refused.Subject, refused.Clause, refused.Because = f.Kind, f.Subject, f.Clause, f.Because
			return Applied{}, refused
		}
	}
	e := engine.Event{Do: engine.DoUpdate, Set: update}
	return g.apply(ctx, id, e, func(p *Profile) error { return p.set(columns) })
}

// set sets columns on which no charge depends.
func (p *Profile) set(columns map[string]string) error {
	all, err := p.Columns.Values()
	if err != nil {
		return err
	}
	callbacks := [...]string{rules.ColumnServerCallbackURL.String(), rules.ColumnNotifyURL.String()}
	address := p.Callback
	for name, value := range columns {
		c, ok := rules.ColumnOf(name)
		if !ok {
			continue // refused before
		}
		all[name] = rules.Mask(c, value)
		if name == callbacks[0] || name == callbacks[1] {
			if value != "" || all[callbacks[0]]+all[callbacks[1]] == "" {
				address = value
			}
		}
	}
	if all[callbacks[0]] != "" && all[callbacks[1]] != "" {
		f := found(EventRefused, "the profile would have two callback addresses", "set one of the two columns, and the other to an empty text")
		f.Kind, f.Subject = ledger.SubjectColumn, callbacks[0]
		return f
	}
	var text []byte
	for spec := range rules.Columns() {
		value := all[spec.Name]
		if value != "" {
			text = appendColumn(text, spec.Name, value)
		}
		if _, set := columns[spec.Name]; set && value == "" && spec.Need == "R" && (!spec.SourceOnly || p.Stored.Profile.Kind == engine.KindSource) {
			f := found(EventRefused, "the column is required", "set it to a value, or leave it out")
			f.Kind, f.Subject = ledger.SubjectColumn, spec.Name
			return f
		}
	}
	p.Columns, p.Callback = Columns(text), address
	return nil
}

// hide replaces what a customer's own text says of the card's check code or the e-mail address of the same row: a code that
// stands alone, in whatever case an address is.
func hide(text, cvv2, email string) string {
	for _, secret := range [...]string{cvv2, email} {
		if secret != "" {
			text = hideOne(text, secret)
		}
	}
	return text
}

// hideOne replaces a secret that is not part of a longer word or number.
func hideOne(text, secret string) string {
	isWord := func(i int) bool {
		return 0 <= i && i < len(text) && (isUnreserved(text[i]) && text[i] != '.' && text[i] != '-' && text[i] != '~')
	}
	lower := lowered(secret)
	for i := 0; i+len(secret) <= len(text); i++ {
		if !isWord(i-1) && !isWord(i+len(secret)) && lowered(text[i:i+len(secret)]) == lower {
			const shown = "***"
			text = text[:i] + shown + text[i+len(secret):]
			i += len(shown) - 1
		}
	}
	return text
}

// lowered is a text with its ASCII letters in lower case: no byte moves.
func lowered(text string) string {
	b := []byte(text)
	for i, c := range b {
		if 'A' <= c && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
	return string(b)
}

// Change changes a merchant: change is given what it is registered with, keys aside, and sets members of it. The login stays.
// Errors are those of [Gateway.Register], or [NotFound], or what change returns.
func (g *Gateway) Change(ctx context.Context, login string, change func(*Registration) error) (Merchant, error) {
	var m Merchant
	err := g.store.Update(ctx, func(tx Tx) (err error) {
		if m, err = merchantOf(tx, login); err != nil {
			return err
		}
		r := Registration{
			Login: m.Login, Endpoint: m.Endpoint, Currency: m.Currency, WindowS: m.WindowS, CheckReplays: m.CheckReplays,
			Response: m.Response, Callback: m.Callback,
		}
		if err := change(&r); err != nil {
			return err
		}
		if err := r.check(); err != nil {
			return err
		}
		m.Endpoint, m.Currency, m.WindowS, m.CheckReplays = r.Endpoint, r.Currency, r.WindowS, r.CheckReplays
		m.Response, m.Callback = r.Response, r.Callback
		if err := tx.Merchants().Put(m); err != nil {
			return err
		}
		return endpointsDiffer(tx, login)
	})
	if err != nil {
		return Merchant{}, err
	}
	return m, nil
}

// Unregister removes a merchant without profiles, with its snapshots and whatever else is its own. The error has the code
// [HasProfiles] for one that has some, and [NotFound] for a login that no merchant has.
func (g *Gateway) Unregister(ctx context.Context, login string) error {
	return g.store.Update(ctx, func(tx Tx) error {
		m, err := merchantOf(tx, login)
		if err != nil {
			return err
		}
		list, err := tx.Profiles().List(Query{Login: login, Limit: 1})
		if err != nil {
			return err
		}
		if len(list) > 0 {
			return found(HasProfiles, "", "")
		}
		snapshots, err := tx.Snapshots().List(Query{Login: login})
		if err != nil {
			return err
		}
		for _, s := range snapshots {
			if err := dropSnapshot(tx, s.ID); err != nil {
				return err
			}
		}
		if err := tx.Clear(login); err != nil {
			return err
		}
		return tx.Merchants().Delete(m.ID)
	})
}
