package gateway

import (
	"bytes"
	"encoding/csv"
	"errors"
	"strings"

	"github.com/chargecast/chargecast/internal/termtext"
)

// actuals are what happened as the command reads it: CSV, unpaged, in the order in which the
// profiles were created, those of each by date. They are read piece by piece, so that neither their
// length takes memory nor a slow reader holds up the store.
type actuals struct {
	c    *call
	q    Query
	done bool
	// The export ends with the charge that is the last when it begins, and breaks off if the past is
	// replaced meanwhile.
	begun bool
	epoch uint64
	last  ID
	// How far it has come.
	profiles []Profile // the next ones
	profile  ID        // the last of these
	charge   ID        // of the first of these
}

// How much of them is read at a time.
const (
	actualsPiece    = 64 << 10 // bytes, and what one page of charges adds
	actualsProfiles = 100
	actualsCharges  = 1000
)

func (c *call) actuals(q Query) (a answer, err error) {
	s := actuals{c: c, q: q}
	a = answer{contentType: "text/csv; charset=utf-8"}
	if a.text, err = s.next(); !s.done {
		a.more = s.next
	}
	return a, err
}

// next returns the next piece; none at the end.
func (s *actuals) next() ([]byte, error) {
	if s.done {
		return nil, nil
	}
	if err := s.c.g.heavy(s.c.r.Context()); err != nil {
		return nil, err
	}
	defer s.c.g.light()
	var b bytes.Buffer
	w := csv.NewWriter(&b) // into memory: never fails
	err := s.c.g.store.View(s.c.r.Context(), func(tx Tx) error {
		if err := s.begin(tx, w); err != nil {
			return err
		}
		for !s.done && b.Len() < actualsPiece {
			if err := s.page(tx, w); err != nil {
				return err
			}
			w.Flush()
		}
		return nil
	})
	return b.Bytes(), err
}

// begin sets what is to be read, and later makes sure that it is there.
func (s *actuals) begin(tx Tx, w *csv.Writer) error {
	clock, err := tx.Clock()
	if err != nil {
		return err
	}
	if s.begun {
		if clock.Epoch != s.epoch {
			return found(StoreFailed, "the past was replaced while it was read", "ask for the charges again")
		}
		return nil
	}
	list, err := tx.Charges().List(Query{Limit: 1})
	for i := range list {
		s.last = list[i].ID
	}
	s.begun, s.epoch = true, clock.Epoch
	_ = w.Write([]string{"profile", "date", "amount", "currency", "outcome", "created", "id"})
	return err
}

// page writes a page of the charges of the next profile.
func (s *actuals) page(tx Tx, w *csv.Writer) error {
	if len(s.profiles) == 0 {
		list, err := s.nextProfiles(tx)
		if s.done = len(list) == 0; s.done || err != nil {
			return err
		}
		s.profiles, s.profile = list, list[len(list)-1].ID
	}
	p, written := &s.profiles[0], 0
	list, err := tx.Charges().List(Query{Profile: p.ID, OldestFirst: true, Past: s.charge, Limit: actualsCharges})
	if err != nil {
		return err
	}
	for i := range list {
		a := &list[i]
		if a.ID > s.last {
			break
		}
		_ = w.Write([]string{csvText(a.ClientOrderID), a.Charge.Date.String(), a.Charge.Min.String(), csvText(a.Currency), a.Charge.Outcome.String(), p.Created.String(), a.ID.String()})
		s.charge = a.ID
		written++
	}
	if written < actualsCharges {
		s.profiles, s.charge = s.profiles[1:], 0
	}
	return nil
}

// nextProfiles returns the next profiles whose charges are read; none at the end.
func (s *actuals) nextProfiles(tx Tx) ([]Profile, error) {
	if s.q.Profile == 0 {
		return tx.Profiles().List(Query{Login: s.q.Login, OldestFirst: true, Past: s.profile, Limit: actualsProfiles})
	}
	if s.profile == s.q.Profile {
		return nil, nil
	}
	p, err := tx.Profiles().Get(s.q.Profile)
	if errors.Is(err, NotFound) || err == nil && s.q.Login != "" && s.q.Login != p.Login {
		return nil, nil
	}
	return []Profile{p}, err
}

// csvText is a text in which a spreadsheet finds nothing to obey, as the command writes it: control
// characters are made visible, and what would begin a formula has an apostrophe before it.
func csvText(text string) string {
	text = termtext.Visible(text)
	if text != "" && strings.IndexByte("=+-@", text[0]) >= 0 {
		text = "'" + text
	}
	return text
}
