package record

import (
	"slices"
	"strconv"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/jsonline"
)

// A Schema is the kind and the version of an output. The number grows when a member changes its
// meaning; records may gain members without that.
type Schema string

// The schemas.
const (
	SchemaForecast  Schema = "chargecast.forecast/1"
	SchemaSimulate  Schema = "chargecast.simulate/1"
	SchemaDiff      Schema = "chargecast.diff/1"
	SchemaCompare   Schema = "chargecast.compare/1"
	SchemaValidate  Schema = "chargecast.validate/1"
	SchemaReconcile Schema = "chargecast.reconcile/1"
)

var schemas = []Schema{SchemaForecast, SchemaSimulate, SchemaDiff, SchemaCompare, SchemaValidate, SchemaReconcile}

// MarshalText returns the name.
func (s Schema) MarshalText() ([]byte, error) { return []byte(s), nil }

// UnmarshalText reads the name of one of the schemas; any other text is a [ledger.Finding] with the
// code record-schema.
func (s *Schema) UnmarshalText(text []byte) error {
	if !slices.Contains(schemas, Schema(text)) {
		return jsonline.Fault(RecordSchema, 1, "the schema is not one that this version reads", "write the output again with this version")
	}
	*s = Schema(text)
	return nil
}

// A Header is the first record of an output: what it answers. Members without a value are left out.
type Header struct {
	Schema   Schema
	AsOf     calendar.Date // of SchemaReconcile zero where each profile has a day of its own
	From     calendar.Date // the first day of the window; zero for AsOf
	Until    calendar.Date // the last day of the window; zero for none; of SchemaReconcile the last day that is judged
	Next     int           // the charges of each profile at most; 0 for all
	ToEnd    bool          // each profile is followed to its last charge and its stop; Until and Next are zero
	Zone     string        // the time zone of AsOf; empty if it was taken in none, as from a clock that is set
	Input    string        // the form in which the payload came: "csv", "base64" or "form"
	By       engine.By
	Profiles []string      // the profiles that were selected, ids or patterns of them, masked as needed
	Excluded []string      // those that were left out, in the same way
	Seed     uint64        // of SchemaSimulate alone
	Lag      int           // of SchemaReconcile alone: days that a charge may be late
	Strict   bool          // of SchemaValidate alone: warnings count as errors
	Policy   engine.Policy // the readings in force
	Observed Readings      // those of Policy that charges have shown; the record does not have them, reasons do
	// OldPolicy, of SchemaDiff alone, are the readings of the old side where one payload is
	// compared under two policies; else nil.
	OldPolicy *engine.Policy
}

// A headerJSON is a Header as it is written. Which members there are depends on the schema.
type headerJSON struct {
	Schema    Schema         `json:"schema" strict:"required"`
	AsOf      calendar.Date  `json:"as_of" strict:"required,null"`
	From      calendar.Date  `json:"from,omitzero"`
	Until     calendar.Date  `json:"until,omitzero"`
	Through   calendar.Date  `json:"through,omitzero"` // Until of SchemaReconcile
	Next      int            `json:"next,omitzero" strict:"count"`
	ToEnd     bool           `json:"to_end,omitzero"`
	Lag       *int           `json:"lag,omitzero" strict:"count"`
	Zone      string         `json:"zone,omitzero"`
	Input     string         `json:"input,omitzero"`
	By        engine.By      `json:"by,omitzero"`
	Profiles  []string       `json:"profiles,omitzero"`
	Excluded  []string       `json:"excluded,omitzero"`
	Seed      *uint64        `json:"seed,omitzero"`
	Strict    *bool          `json:"strict,omitzero"`
	OldPolicy *engine.Policy `json:"old_policy,omitzero"`
	Policy    engine.Policy  `json:"policy"`
}

var headerForm = formOf[headerJSON]()

// AppendJSON appends the record, as [Record] says.
func (h Header) AppendJSON(dst []byte) []byte {
	out := headerJSON{
		Schema: h.Schema, AsOf: h.AsOf, From: day(h.From), Until: day(h.Until), Next: h.Next, ToEnd: h.ToEnd, Zone: h.Zone, Input: h.Input, By: h.By,
		Profiles: h.Profiles, Excluded: h.Excluded, Policy: h.Policy,
	}
	switch h.Schema {
	case SchemaSimulate:
		out.Seed = &h.Seed
	case SchemaValidate:
		out.Strict = &h.Strict
	case SchemaDiff:
		out.OldPolicy = h.OldPolicy
	case SchemaReconcile:
		out.Through, out.Until, out.Lag = h.Until, calendar.Date{}, &h.Lag
	}
	return appendRecord(dst, "header", headerForm, &out)
}

// day returns d; the zero Date for one after the calendar.
func day(d calendar.Date) calendar.Date {
	if d.IsDay() {
		return d
	}
	return calendar.Date{}
}

func readHeader(line []byte) (Record, error) {
	in, err := read(headerForm, line)
	h := Header{
		Schema: in.Schema, AsOf: in.AsOf, From: in.From, Until: in.Until, Next: in.Next, ToEnd: in.ToEnd, Zone: in.Zone, Input: in.Input, By: in.By,
		Profiles: in.Profiles, Excluded: in.Excluded, Policy: in.Policy,
	}
	if err == nil && in.AsOf.IsZero() && in.Schema != SchemaReconcile {
		err = refuse(codeRecordMember, "as_of", "the day is missing", "write the record as the command does")
	}
	switch {
	case h.Schema == SchemaSimulate && in.Seed != nil:
		h.Seed = *in.Seed
	case h.Schema == SchemaValidate && in.Strict != nil:
		h.Strict = *in.Strict
	case h.Schema == SchemaDiff:
		h.OldPolicy = in.OldPolicy
	case h.Schema == SchemaReconcile:
		h.Until = in.Through
		if in.Lag != nil {
			h.Lag = *in.Lag
		}
	}
	return h, err
}

// MarshalJSON returns what AppendJSON appends.
func (h Header) MarshalJSON() ([]byte, error) { return marshal(h) }

// Extent says in words how far an output goes: "to 2026-12-31 and for 3 charges of each profile".
func (h *Header) Extent() string {
	text := ""
	switch {
	case h.ToEnd:
		text = "to each profile's end"
	case !h.Until.IsZero():
		text = "to " + h.Until.String()
	}
	if h.Next > 0 {
		if text != "" {
			text += " and "
		}
		text += "for " + strconv.Itoa(h.Next) + " charge"
		if h.Next > 1 {
			text += "s"
		}
		text += " of each profile"
	}
	return text
}
