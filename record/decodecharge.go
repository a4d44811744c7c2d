package record

import (
	"github.com/chargecast/chargecast/amount"
	"github.com/chargecast/chargecast/internal/jsonline"
)

// A chargeDraft is a charge as it is read.
type chargeDraft struct {
	charge            Charge
	why               reasons
	amount, low, high *amount.Amount
}

// sideMembers are those of a charge but its profile.
var sideMembers = append([]member[chargeDraft]{
	{"repeat", true, func(c *chargeDraft, v *jsonline.Value) error {
		return jsonline.Count(v, &c.charge.Repeat, RecordMember)
	}},
	{"date", true, func(c *chargeDraft, v *jsonline.Value) error { return jsonline.Date(v, &c.charge.Date) }},
	{"slot", false, func(c *chargeDraft, v *jsonline.Value) error { return jsonline.Date(v, &c.charge.Slot) }},
	{"amount", false, func(c *chargeDraft, v *jsonline.Value) error { return readAmount(v, &c.amount) }},
	{"min", false, func(c *chargeDraft, v *jsonline.Value) error { return readAmount(v, &c.low) }},
	{"max", false, func(c *chargeDraft, v *jsonline.Value) error { return readAmount(v, &c.high) }},
	{"currency", true, func(c *chargeDraft, v *jsonline.Value) error { return jsonline.String(v, &c.charge.Currency) }},
	{"card_expired", false, func(c *chargeDraft, v *jsonline.Value) error { return jsonline.Bool(v, &c.charge.CardExpired) }},
	{"kind", false, func(c *chargeDraft, v *jsonline.Value) error {
		var kind uint8
		err := jsonline.Word(v, &kind, RecordMember, []string{kindAutomatic, kindManual})
		c.charge.Simulated, c.charge.Manual = true, kind == 1
		return err
	}},
	{"outcome", false, func(c *chargeDraft, v *jsonline.Value) error {
		c.charge.Simulated = true
		return jsonline.Word(v, &c.charge.Outcome, RecordMember, outcomes)
	}},
	{"callback", false, func(c *chargeDraft, v *jsonline.Value) error {
		c.charge.Simulated = true
		return jsonline.String(v, &c.charge.Callback)
	}},
}, of(func(c *chargeDraft) *reasons { return &c.why }, reasonsMembers)...)

var chargeMembers = append(of(func(c *chargeDraft) *Subject { return &c.charge.Subject }, subjectMembers), sideMembers...)

func readCharge(fields []jsonline.Field, h *Header) (Record, error) {
	c := chargeDraft{why: reasons{header: h}}
	if err := readMembers(fields, chargeMembers, &c); err != nil {
		return nil, err
	}
	err := c.finish()
	return c.charge, err
}

// finish completes a charge whose members are read.
func (c *chargeDraft) finish() error {
	c.charge.Because, c.charge.Explain = c.why.because, c.why.explain
	if c.charge.Slot.IsZero() {
		c.charge.Slot = c.charge.Date
	}
	switch {
	case c.amount != nil && c.low == nil && c.high == nil:
		c.charge.Min, c.charge.Max = *c.amount, *c.amount
	case c.amount == nil && c.low != nil && c.high != nil && c.low.Compare(*c.high) < 0:
		c.charge.Min, c.charge.Max = *c.low, *c.high
	default:
		return refuse(RecordMember, "amount", "a charge has either an amount, or min and a greater max", "write the record as the command does")
	}
	return nil
}

func readAmount(v *jsonline.Value, to **amount.Amount) error {
	if err := jsonline.As(v, jsonline.KindString, "write an amount in double quotes"); err != nil {
		return err
	}
	a, err := amount.Parse(v.Text())
	if err != nil {
		return jsonline.Fault("amount-syntax", v.At+1, "the amount cannot be read", "write digits, with decimals after a point")
	}
	*to = &a
	return nil
}
