package fuzz

import "github.com/chargecast/chargecast/fuzz/laws"

// Merge adds the results of another part of the same run.
func (r *Report) Merge(o Report) {
	r.Results = append(r.Results, o.Results...)
	r.hit(o.hits)
}

// Case is the failing case.
func (f Failure) Case() *laws.Case { return f.of }
