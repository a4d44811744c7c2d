package main

import "github.com/chargecast/chargecast/rules"

// repairText says what payload fix changes under a code, and what it refuses.
func repairText(r rules.Repair) string {
	switch {
	case r.Text == "":
		return "refused: " + r.Refusal
	case r.Refusal != "":
		return r.Text + "; or refused: " + r.Refusal
	}
	return r.Text
}

// repairExplanation explains the code of a change that payload fix makes or refuses.
func repairExplanation(r rules.Repair) explanation {
	const kind = "a change of payload fix"
	return explanation{
		func(dst []byte, p paint) []byte {
			dst = append(p.bold(dst, string(r.Code)), "  "+kind+"\n\n"...)
			dst = p.wrapped(dst, "  ", sentence(repairText(r)))
			return p.hanging(append(dst, "\n  example  "...), 11, r.Example)
		},
		func(dst []byte) []byte {
			return appendAsJSON(dst, struct {
				ID      string `json:"id"`
				Kind    string `json:"kind"`
				Text    string `json:"text,omitempty"`
				Refusal string `json:"refusal,omitempty"`
				Example string `json:"example"`
			}{string(r.Code), kind, r.Text, r.Refusal, r.Example})
		},
	}
}
