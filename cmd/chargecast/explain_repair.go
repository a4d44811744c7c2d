package main

import "github.com/chargecast/chargecast/ledger"

// repairText says what payload fix changes under a code, and what it refuses.
func repairText(r ledger.Rule) string {
	switch {
	case r.Severity == ledger.SeverityError:
		return "refused: " + r.Text
	case r.Note != "":
		return r.Text + "; or refused: " + r.Note
	}
	return r.Text
}

// repairExplanation explains the code of a change that payload fix makes or refuses.
func repairExplanation(r ledger.Rule) explanation {
	const kind = "a change of payload fix"
	return explanation{
		func(dst []byte, p paint) []byte {
			dst = append(p.bold(dst, string(r.Code)), "  "+kind+"\n\n"...)
			dst = p.wrapped(dst, "  ", sentence(repairText(r)))
			if r.Note != "" || r.Severity == ledger.SeverityError {
				dst = p.wrapped(dst, "  ", sentence(r.Help))
			}
			dst = p.hanging(append(dst, "\n  good  "...), 8, r.Good)
			return p.hanging(append(dst, "  bad   "...), 8, r.Bad)
		},
		func(dst []byte) []byte {
			return appendAsJSON(dst, struct {
				ID      string `json:"id"`
				Kind    string `json:"kind"`
				Text    string `json:"text"`
				Refusal string `json:"refusal,omitempty"`
				Help    string `json:"help"`
				Good    string `json:"good"`
				Bad     string `json:"bad"`
			}{string(r.Code), kind, r.Text, r.Note, r.Help, r.Good, r.Bad})
		},
	}
}
