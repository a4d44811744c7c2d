package main

import "github.com/chargecast/chargecast/ledger"

// A valueOfKey is a policy value with its key, as --policy takes them.
type valueOfKey struct {
	ID     string        `json:"id"`
	Clause ledger.Clause `json:"clause"`
	Text   string        `json:"text"`
}

// valueExplanation explains a policy value without its key: as its key is explained or, where several
// keys have the value, by what it does for each.
func valueExplanation(value string) (explanation, bool) {
	var last ledger.Entry
	var all []valueOfKey
	for e := range ledger.Entries() {
		for _, r := range e.Readings {
			if r.Value == value && value != "" {
				last, all = e, append(all, valueOfKey{e.Key + "=" + value, e.Clause, r.Text})
			}
		}
	}
	if len(all) < 2 {
		return entryExplanation(last), len(all) == 1
	}
	const kind = "a value of several policy keys"
	return explanation{
		func(dst []byte, p paint) []byte {
			dst = append(p.bold(dst, value), "  "+kind+"\n\n"...)
			for _, v := range all {
				dst = p.wrapped(dst, "  ", v.ID+": "+v.Text)
			}
			return dst
		},
		func(dst []byte) []byte {
			return appendAsJSON(dst, struct {
				ID     string       `json:"id"`
				Kind   string       `json:"kind"`
				Values []valueOfKey `json:"values"`
			}{value, kind, all})
		},
	}, true
}
