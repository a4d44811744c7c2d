package gateway

import "github.com/chargecast/chargecast/calendar"

// A Snapshot names a state that was kept.
type Snapshot struct {
	ID    ID
	Login string        // the merchant whose state it is; empty: everything
	Now   calendar.Date // the clock's day
}

// Key returns the key.
func (s Snapshot) Key() Key { return Key{ID: s.ID, Login: s.Login} }
