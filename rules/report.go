package rules

import (
	"io"

	"github.com/chargecast/chargecast/ledger"
)

// A Report is what [Validate] found in a payload.
type Report struct {
	Summary

	// Findings are in the order in which they were found, at most [Options.MaxFindings] of each code.
	Findings ledger.Findings
}

// Validate reads a payload from src to its end and reports what was found. The error is that of src,
// and the report is then about what was read up to there; or it has the code as-of-missing or payload-option, where the
// options cannot be used and nothing was read. Memory does not grow with the payload. To use the rows, read them with a
// [Reader].
func Validate(src io.Reader, o Options) (Report, error) {
	r := NewReader(src, o)
	if err := r.hidden().fault; err != nil {
		return Report{}, err
	}
	var report Report
	most := r.hidden().opts.MaxFindings
	counts := map[ledger.Code]int{}
	for _, found := range r.Rows() {
		for _, f := range found {
			if counts[f.Code]++; counts[f.Code] <= most {
				report.Findings = append(report.Findings, f)
			}
		}
	}
	report.Summary = r.Summary()
	return report, r.Err()
}
