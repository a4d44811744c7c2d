package gateway

import "github.com/chargecast/chargecast/calendar"

// A Snapshot names a state that was kept.
type Snapshot struct {
	ID    ID            `api:"id"`
	Now   calendar.Date `api:"now" doc:"The clock's day"`
	Login string        `api:"login,null" doc:"The merchant whose state it is; null: everything"`
}

var snapshotForm = formOf[Snapshot]()

// Key returns the key.
func (s Snapshot) Key() Key { return Key{ID: s.ID, Login: s.Login} }
