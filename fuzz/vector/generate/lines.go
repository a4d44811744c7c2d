package main

// A lineAnswer is what a line of a file of states or of a script comes to.
type lineAnswer struct {
	Code string `json:"code,omitempty"` // of the error; none where the line is read
}

// lineVectors are lines of --state and --script.
func lineVectors(s *sheet) {
	s.source = catalogue
	add := func(op string, list [][4]string) {
		for _, c := range list {
			d := draft{id: op + "-" + c[0], op: op, reason: c[1], clauses: "L24", input: map[string]any{"line": text(c[2])}, expect: lineAnswer{c[3]}, invalid: c[3] != ""}
			if op == "state-line" {
				d.clauses = "L16b"
			}
			s.add(d)
		}
	}
	add("state-line", [][4]string{
		{"profile-only", "every field but profile is optional", `{"profile":"a"}`, ""},
		{"whole", "every field of a state written by hand", `{"profile":"a","status":"active","repeat":5,"ran_through":"2026-03-01","paid":["2026-03-01"],"anchor":"2026-01-31"}`, ""},
		{"spaces", "spaces between the tokens", ` { "profile" : "a" , "repeat" : 5 } `, ""},
		{"repeat-of-63-bits", "the greatest repeat number", `{"profile":"a","repeat":9223372036854775807}`, ""},
		{"stopped", "a stopped profile", `{"profile":"a","status":"stopped"}`, ""},
		{"no-profile", "a state of nobody", `{"repeat":5}`, "json-type"},
		{"misspelt-field", "an unknown field", `{"profile":"a","repat":5}`, "json-unknown-field"},
		{"field-in-another-case", "names have one case", `{"profile":"a","Repeat":5}`, "json-unknown-field"},
		{"profile-in-upper-case", "names have one case", `{"PROFILE":"a"}`, "json-unknown-field"},
		{"field-twice", "the last would win silently", `{"profile":"a","repeat":5,"repeat":6}`, "json-duplicate-field"},
		{"two-objects", "a decoder would read the first", `{"profile":"a"}{"profile":"b"}`, "json-syntax"},
		{"text-after", "text after the object", `{"profile":"a"} x`, "json-syntax"},
		{"null", "null is no state", `null`, "json-type"},
		{"list", "a list is no state", `[]`, "json-type"},
		{"string", "a string is no state", `"x"`, "json-type"},
		{"number", "a number is no state", `5`, "json-type"},
		{"trailing-comma", "a trailing comma", `{"profile":"a",}`, "json-syntax"},
		{"comment", "a comment", `{"profile":"a"/* x */}`, "json-syntax"},
		{"single-quotes", "single quotes", `{'profile':'a'}`, "json-syntax"},
		{"leading-zero", "a number with a leading zero", `{"profile":"a","repeat":05}`, "json-syntax"},
		{"nan", "not a number", `{"profile":"a","repeat":NaN}`, "json-syntax"},
		{"open-string", "a string that is not closed", `{"profile":"a`, "json-syntax"},
		{"open-object", "an object that is not closed", `{"profile":"a"`, "json-syntax"},
		{"bytes-ff", "bytes that UTF-8 never has", "{\"profile\":\"a\xff\"}", "invalid-utf8"},
		{"half-a-surrogate-pair", "half a surrogate pair", `{"profile":"\ud800"}`, "invalid-utf8"},
		{"nul", "NUL in the id", `{"profile":"a\u0000"}`, "nul-character"},
		{"repeat-negative", "a negative repeat number", `{"profile":"a","repeat":-1}`, "state-repeat"},
		{"repeat-decimal", "a repeat number with decimals", `{"profile":"a","repeat":1.0}`, "state-repeat"},
		{"repeat-exponent", "a repeat number with an exponent", `{"profile":"a","repeat":1e2}`, "state-repeat"},
		{"repeat-past-63-bits", "a repeat number past 63 bits", `{"profile":"a","repeat":9223372036854775808}`, "state-repeat"},
		{"repeat-string", "a repeat number as text", `{"profile":"a","repeat":"5"}`, "json-type"},
		{"repeat-null", "null would leave 0 unnoticed", `{"profile":"a","repeat":null}`, "json-type"},
		{"status-in-upper-case", "words have one case", `{"profile":"a","status":"Active"}`, "state-status"},
		{"status-paused", "no such status", `{"profile":"a","status":"paused"}`, "state-status"},
		{"status-empty", "an empty status", `{"profile":"a","status":""}`, "state-status"},
		{"ran-through-no-day", "no such day", `{"profile":"a","ran_through":"2026-02-30"}`, "date-not-a-day"},
		{"ran-through-dotted", "the form of the payload", `{"profile":"a","ran_through":"31.01.2026"}`, "date-syntax"},
		{"ran-through-compact", "a compact form", `{"profile":"a","ran_through":"20260131"}`, "date-syntax"},
		{"ran-through-with-time", "a time of day", `{"profile":"a","ran_through":"2026-01-31T00:00:00Z"}`, "date-syntax"},
		{"ran-through-year-0", "no such year", `{"profile":"a","ran_through":"0000-01-31"}`, "date-not-a-day"},
		{"anchor-no-day", "no such day", `{"profile":"a","anchor":"2027-02-29"}`, "date-not-a-day"},
		{"paid-no-day", "no such day among the paid", `{"profile":"a","paid":["2026-04-31"]}`, "date-not-a-day"},
		{"paid-as-text", "a list of one is a list", `{"profile":"a","paid":"2026-04-30"}`, "json-type"},
		{"paid-unsorted", "paid days in any order", `{"profile":"a","paid":["2026-03-01","2026-01-31"]}`, ""},
	})
	add("script-line", [][4]string{
		{"stop", "a stop", `{"date":"2026-01-12","do":"stop"}`, ""},
		{"run", "an extra run", `{"date":"2026-01-12","do":"run"}`, ""},
		{"no-run", "a day without its run", `{"date":"2026-01-12","do":"no-run"}`, ""},
		{"charge", "a manual charge", `{"date":"2026-01-12","do":"charge"}`, ""},
		{"resume", "a resume in the UI", `{"date":"2026-01-12","do":"resume","via":"ui"}`, ""},
		{"resume-api", "read, and refused when it is applied", `{"date":"2026-01-12","do":"resume","via":"api"}`, ""},
		{"update", "an update", `{"date":"2026-01-12","do":"update","set":{"amount":"","period":"week"}}`, ""},
		{"outcome", "an outcome", `{"repeat":3,"outcome":"declined"}`, ""},
		{"outcome-approved", "the default outcome, said", `{"repeat":3,"outcome":"approved"}`, ""},
		{"before", "the default order, said", `{"date":"2026-01-12","do":"stop","when":"before"}`, ""},
		{"after", "after the run", `{"date":"2026-01-12","do":"stop","when":"after"}`, ""},
		{"one-profile", "a line for one profile", `{"profile":"a","date":"2026-01-12","do":"stop"}`, ""},
		{"no-verb", "an event without do", `{"date":"2026-01-12"}`, "script-verb"},
		{"unknown-verb", "no such verb", `{"date":"2026-01-12","do":"pause"}`, "script-verb"},
		{"verb-in-upper-case", "words have one case", `{"date":"2026-01-12","do":"Stop"}`, "script-verb"},
		{"verb-and-outcome", "an event and an outcome at once", `{"date":"2026-01-12","do":"stop","repeat":1,"outcome":"declined"}`, "script-verb"},
		{"create", "creation is no event of a script", `{"date":"2026-01-12","do":"create"}`, "script-verb"},
		{"resume-without-via", "by which door?", `{"date":"2026-01-12","do":"resume"}`, "script-via"},
		{"via-in-upper-case", "words have one case", `{"date":"2026-01-12","do":"resume","via":"UI"}`, "script-via"},
		{"stop-with-via", "only a resume has via", `{"date":"2026-01-12","do":"stop","via":"ui"}`, "script-via"},
		{"outcome-in-upper-case", "words have one case", `{"repeat":1,"outcome":"Declined"}`, "script-outcome"},
		{"outcome-without-repeat", "the outcome of which attempt?", `{"outcome":"declined"}`, "script-outcome"},
		{"amount-as-number", "money is a string", `{"date":"2026-01-12","do":"update","set":{"amount":5}}`, "json-type"},
		{"amount-exponent", "money is a string", `{"date":"2026-01-12","do":"update","set":{"amount":1E+400}}`, "json-type"},
		{"amount-null", "null would be zero", `{"date":"2026-01-12","do":"update","set":{"amount":null}}`, "json-type"},
		{"column-twice", "a column twice", `{"date":"2026-01-12","do":"update","set":{"amount":"5","amount":"6"}}`, "json-duplicate-field"},
		{"stop-with-set", "only an update has set", `{"date":"2026-01-12","do":"stop","set":{}}`, "script-verb"},
		{"update-without-set", "an update of what?", `{"date":"2026-01-12","do":"update"}`, "script-verb"},
		{"when-in-upper-case", "words have one case", `{"date":"2026-01-12","do":"stop","when":"After"}`, "script-when"},
		{"no-date", "an event on no day", `{"do":"stop"}`, "date-syntax"},
		{"no-day", "no such day", `{"date":"2026-02-30","do":"stop"}`, "date-not-a-day"},
		{"dotted-date", "the form of the payload", `{"date":"12.01.2026","do":"stop"}`, "date-syntax"},
		{"unknown-field", "an unknown field", `{"date":"2026-01-12","do":"stop","why":"x"}`, "json-unknown-field"},
		{"event-with-repeat", "an event has no repeat number", `{"date":"2026-01-12","do":"stop","repeat":1}`, "script-verb"},
		{"negative-repeat", "a negative repeat number", `{"repeat":-1,"outcome":"declined"}`, "state-repeat"},
		{"list", "a list is no line of a script", `[{"date":"2026-01-12","do":"stop"}]`, "json-type"},
	})
}
