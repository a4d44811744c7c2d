package pages

import (
	"strings"
	"time"

	"github.com/chargecast/chargecast/ledger"
	"github.com/chargecast/chargecast/sandbox/admin"
)

// The records of the admin interface, as far as the pages show them.

type because = admin.Because

type merchant struct {
	Login, Endpoint string
	Currency        string
	PublicKey       string `json:"public_key"`
	Methods         []string
	WindowS         int  `json:"window_s"`
	CheckReplays    bool `json:"check_replays"`
	Response        string
	Callback        *struct {
		ContentType string `json:"content_type"`
		Body        string
	}
}

type stop struct {
	Date    string
	Reasons []string
}

// Why says in words why a profile stopped.
func (s *stop) Why() string {
	var list []string
	for _, reason := range s.Reasons {
		switch reason {
		case "max-repeats":
			reason = "max-repeats-number is reached"
		case "finish-date":
			reason = "finish-date is reached"
		case "stopped-by-api":
			reason = "stopped through the update operation"
		}
		list = append(list, reason)
	}
	return strings.Join(list, " and ")
}

type profile struct {
	ID, Login     string
	ClientOrderID string `json:"client_orderid"`
	Status        string
	Repeat        uint64
	Next          string // empty for none
	Stop          *stop

	// Only of one profile.
	Serial   string `json:"serial_number"`
	Row      int
	Created  string
	Currency string
	Card     struct{ Number, Hash string }
	Callback string
	Columns  map[string]string
	Charges  []charge
	Upcoming []charge
	Forecast []charge
	Because  []because
	Policy   string
}

type charge struct {
	ID          string
	ProfileID   string `json:"profile_id"`
	Profile     string
	Login       string
	Repeat      uint64
	Date, Slot  string
	Amount      string
	Min, Max    string // of a forecast whose amount is random
	Currency    string
	CardExpired bool `json:"card_expired"`
	Kind        string
	Outcome     string
	Because     []because
}

// Money is the amount, or its bounds.
func (c *charge) Money() string {
	if c.Amount == "" {
		return c.Min + " to " + c.Max
	}
	return c.Amount
}

type request struct {
	ID         string
	Date       string `json:"day"`
	Login      string
	Method     string
	URI        string
	Status     int
	Reason     string
	Message    string
	Cause      string
	Errors     int
	Findings   ledger.Findings
	Profiles   int
	First      string `json:"first_profile"`
	Headers    []struct{ Name, Value string }
	Parameters []struct {
		Name  string
		Bytes int
	}
	Diagnosis *diagnosis
	At        time.Time
	Fault     string
}

type diagnosis struct {
	Match       bool
	Causes      []cause
	Known       []string
	NotTried    []string `json:"not_tried"`
	Findings    ledger.Findings
	Unavailable string
	BaseStrings *baseStrings `json:"base_strings"`
}

type cause struct {
	IDs       []string
	Text, Fix string
}

type callback struct {
	ID        string
	ChargeID  string `json:"charge_id"`
	ProfileID string `json:"profile_id"`
	Login     string
	URL       string
	Attempts  []struct {
		At     time.Time
		Status int
		Error  string
		Answer string
	}
	Body  string
	State string
	Next  time.Time `json:"next_attempt"` // zero for none
	At    time.Time
	Fault string
}

// Clock is a time as the pages show it.
func (callback) Clock(t time.Time) string { return t.UTC().Format("2006-01-02 15:04:05") }

// baseStrings are what had to be signed and what was signed, both masked alike.
type baseStrings struct {
	Right, Signed string
	Offset        int // of the first byte that differs
	Text          string
}
