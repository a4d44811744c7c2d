package record

import (
	"slices"

	"github.com/chargecast/chargecast/calendar"
	"github.com/chargecast/chargecast/engine"
	"github.com/chargecast/chargecast/internal/jsonline"
	"github.com/chargecast/chargecast/internal/strictjson"
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
	Schema   Schema        `json:"schema" strict:"required"`
	AsOf     calendar.Date `json:"as_of" strict:"required"`
	From     calendar.Date `json:"from,omitzero"`                // the first day of the window; zero for AsOf
	Until    calendar.Date `json:"until,omitzero"`               // the last day of the window; zero for none
	Next     int           `json:"next,omitzero" strict:"count"` // the charges of each profile at most; 0 for all
	Zone     string        `json:"zone,omitzero"`                // the time zone of AsOf; empty if it was taken in none, as from a clock that is set
	Input    string        `json:"input,omitzero"`               // the form in which the payload came: "csv", "base64" or "form"
	By       engine.By     `json:"by,omitzero"`
	Profiles []string      `json:"profiles,omitzero"` // the profiles that were selected, ids or patterns of them, masked as needed
	Excluded []string      `json:"excluded,omitzero"` // those that were left out, in the same way
	Seed     uint64        `json:"-"`                 // of SchemaSimulate alone
	Lag      int           `json:"-"`                 // of SchemaReconcile alone: days that a charge may be late; its AsOf may be zero, its Until is written as through
	Strict   bool          `json:"-"`                 // of SchemaValidate alone: warnings count as errors
	Policy   engine.Policy `json:"-"`                 // the readings in force
	Observed Readings      `json:"-"`                 // those of Policy that charges have shown; the record does not have them, reasons do
	// OldPolicy, of SchemaDiff alone, are the readings of the old side where one payload is compared
	// under two policies; else nil.
	OldPolicy *engine.Policy `json:"-"`
}

// A headerJSON is a Header as it is written: what else it has depends on its schema.
type headerJSON struct {
	headerFields
	Seed      *uint64     `json:"seed,omitzero"`
	Strict    *bool       `json:"strict,omitzero"`
	OldPolicy *policyJSON `json:"old_policy,omitzero"`
	Policy    policyJSON  `json:"policy"`
}

// The headerFields are those of a Header, without its methods: what is written is no record.
type headerFields Header

var headerForm = formOf[headerJSON]()

// AppendJSON appends the record, as [Record] says.
func (h Header) AppendJSON(dst []byte) []byte {
	if h.Schema == SchemaReconcile {
		return appendRecord(dst, "header", reconcileForm, new(h.reconciling()))
	}
	out := headerJSON{headerFields: headerFields(h), Policy: policyJSON{h.Policy}}
	for _, d := range [...]*calendar.Date{&out.From, &out.Until} {
		if !d.IsDay() {
			*d = calendar.Date{}
		}
	}
	switch h.Schema {
	case SchemaSimulate:
		out.Seed = &h.Seed
	case SchemaValidate:
		out.Strict = &h.Strict
	case SchemaDiff:
		if h.OldPolicy != nil {
			out.OldPolicy = &policyJSON{*h.OldPolicy}
		}
	}
	return appendRecord(dst, "header", headerForm, &out)
}

// A reconcileJSON is the Header of SchemaReconcile.
type reconcileJSON struct {
	Schema   Schema         `json:"schema" strict:"required"`
	AsOf     *calendar.Date `json:"as_of" strict:"required"` // null: each profile has a day of its own
	Through  calendar.Date  `json:"through" strict:"required"`
	Lag      int            `json:"lag" strict:"count"`
	Input    string         `json:"input,omitzero"`
	Profiles []string       `json:"profiles,omitzero"`
	Excluded []string       `json:"excluded,omitzero"`
	Policy   policyJSON     `json:"policy"`
}

var reconcileForm = formOf[reconcileJSON]()

func (h *Header) reconciling() reconcileJSON {
	out := reconcileJSON{
		Schema: h.Schema, Through: h.Until, Lag: h.Lag, Input: h.Input, Profiles: h.Profiles, Excluded: h.Excluded, Policy: policyJSON{h.Policy},
	}
	if !h.AsOf.IsZero() {
		out.AsOf = &h.AsOf
	}
	return out
}

func readReconcileHeader(text []byte) (Record, error) {
	in, err := read(reconcileForm, text)
	h := Header{
		Schema: in.Schema, Until: in.Through, Lag: in.Lag, Input: in.Input, Profiles: in.Profiles, Excluded: in.Excluded, Policy: in.Policy.Policy,
	}
	if in.AsOf != nil {
		h.AsOf = *in.AsOf
	}
	return h, err
}

func readHeader(text []byte) (Record, error) {
	if v, ok := strictjson.Member(text, "schema"); ok && v.Is(string(SchemaReconcile)) {
		return readReconcileHeader(text)
	}
	in, err := read(headerForm, text)
	h := Header(in.headerFields)
	h.Policy = in.Policy.Policy
	switch {
	case h.Schema == SchemaSimulate && in.Seed != nil:
		h.Seed = *in.Seed
	case h.Schema == SchemaValidate && in.Strict != nil:
		h.Strict = *in.Strict
	case h.Schema == SchemaDiff && in.OldPolicy != nil:
		h.OldPolicy = &in.OldPolicy.Policy
	}
	return h, err
}

// MarshalJSON returns what AppendJSON appends.
func (h Header) MarshalJSON() ([]byte, error) { return marshal(h) }

// UnmarshalJSON reads what MarshalJSON writes.
func (h *Header) UnmarshalJSON(data []byte) error { return unmarshal(data, h) }

// A policyJSON is a policy, all of whose keys are written.
type policyJSON struct{ engine.Policy }

// ReadJSON implements [strictjson.Special].
func (p *policyJSON) ReadJSON(v *strictjson.Value) error {
	if v.Kind != strictjson.KindObject {
		return v.Wrong("write keys and values in braces")
	}
	if p.UnmarshalJSON(v.Raw) != nil {
		return v.Refused("the policy has a key or value that does not exist", "use the keys and values of the ledger")
	}
	return nil
}
