package conform

import "github.com/chargecast/chargecast/internal/kit/laws"

// Impl is the program as an implementation: the operations that it answers, and
// what laws need beside them to write requests.
func (p *Program) Impl() laws.Impl {
	ours := laws.Ours()
	i := laws.Impl{Name: p.Name}
	if p.answers("forecast") {
		i.Forecast = p.forecast
	}
	if p.answers("simulate") {
		i.Simulate = p.simulate
	}
	if p.answers("validate") {
		i.ReadPayload = p.readPayload
	}
	if p.answers("decode") {
		i.DecodePayload = p.decodePayload
	}
	if p.answers("encode") {
		i.Encode = p.encode
	}
	if p.answers("base-string") {
		i.BaseString = p.baseString
	}
	// What is read and written beside a request is not judged.
	i.FormatHeader, i.ParseHeader = ours.FormatHeader, ours.ParseHeader
	if p.answers("sign") {
		i.Sign = p.sign
	}
	if p.answers("verify") {
		i.Verify = p.verify
	}
	return i
}
