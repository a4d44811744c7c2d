package main

// A response is the input of the op response.
type response struct {
	Status int `json:"status"`
	Body   any `json:"body"`
}

// An answer is what a response comes to.
type answer struct {
	Outcome string      `json:"outcome,omitempty"` // created, rejected or failed
	Params  [][2]string `json:"params,omitempty"`  // of the record, in order
	Error   bool        `json:"error,omitempty"`
}

// responseVectors are replies of the service (2.3, 7, X1, X2, L70).
func responseVectors(s *sheet) {
	s.source = byHand
	for _, c := range []struct {
		id, reason, clauses string
		status              int
		body                string
		want                answer
	}{
		{"accepted", "200 with an empty body", "7 X1", 200, "", answer{Outcome: "accepted"}},
		{"rejected", "403 with an empty body", "7 X1", 403, "", answer{Outcome: "rejected"}},
		{"joined-by-ampersand", "parameters joined by &", "4.1 L70", 200, "type=create-recurring-payment-response&recurring-payment-id=77&status=new&serial-number=s1",
			answer{Outcome: "accepted", Params: [][2]string{{"type", "create-recurring-payment-response"}, {"recurring-payment-id", "77"}, {"status", "new"}, {"serial-number", "s1"}}}},
		{"line-feed-after-each-value", "a line feed after each value", "4.1 L70", 200, "type=create-recurring-payment-response\n&recurring-payment-id=77\n",
			answer{Outcome: "accepted", Params: [][2]string{{"type", "create-recurring-payment-response"}, {"recurring-payment-id", "77"}}}},
		{"joined-by-line-feed", "parameters joined by line feeds", "4.1 L70", 200, "type=create-recurring-payment-response\nrecurring-payment-id=77\n",
			answer{Outcome: "accepted", Params: [][2]string{{"type", "create-recurring-payment-response"}, {"recurring-payment-id", "77"}}}},
		{"validation-error", "the type decides", "2.3 7", 200, "type=validation-error&error-code=200&error-message=bad",
			answer{Outcome: "rejected", Params: [][2]string{{"type", "validation-error"}, {"error-code", "200"}, {"error-message", "bad"}}}},
		{"error-500", "an unknown parameter survives", "2.3 7 L70", 500, "type=error&error-code=500&error-message=x&error-id=abc",
			answer{Outcome: "rejected", Params: [][2]string{{"type", "error"}, {"error-code", "500"}, {"error-message", "x"}, {"error-id", "abc"}}}},
		{"escaped-line-feed", "an escaped line feed is part of the value", "4.1 L70", 200, "type=error&error-code=403&error-message=a%0A%0A",
			answer{Outcome: "rejected", Params: [][2]string{{"type", "error"}, {"error-code", "403"}, {"error-message", "a\n\n"}}}},
		{"another-status", "an empty body with another status says nothing", "7 X1", 500, "", answer{Error: true}},
		{"403-with-a-record", "the status does not decide", "2.3 X2", 403, "type=create-recurring-payment-response", answer{Outcome: "accepted", Params: [][2]string{{"type", "create-recurring-payment-response"}}}},
		{"two-line-feeds", "one line feed is left out, the other is the value's", "4.1 L70", 200, "type=create-recurring-payment-response\n&status=a\n\n",
			answer{Outcome: "accepted", Params: [][2]string{{"type", "create-recurring-payment-response"}, {"status", "a\n"}}}},
		{"plus-is-a-space", "form-urlencoded", "4.1", 200, "type=create-recurring-payment-response&status=a+b%21",
			answer{Outcome: "accepted", Params: [][2]string{{"type", "create-recurring-payment-response"}, {"status", "a b!"}}}},
		{"created-with-an-error-code", "error fields belong to errors", "2.3", 200, "type=create-recurring-payment-response&error-code=1", answer{Error: true}},
		{"error-without-a-message", "an error has a message", "2.3", 200, "type=validation-error&error-code=1", answer{Error: true}},
		{"error-without-a-code", "an error has a code", "2.3", 200, "type=error&error-message=m", answer{Error: true}},
		{"type-twice", "a parameter twice", "2.3", 200, "type=error&type=error", answer{Error: true}},
		{"name-alone", "a name without =", "4.1 L70", 200, "type", answer{Error: true}},
		{"broken-escape", "a broken escape", "4.1 L70", 200, "type=%zz", answer{Error: true}},
		{"type-in-upper-case", "words have one case", "2.3", 200, "type=Error&error-code=1&error-message=m", answer{Error: true}},
		{"unknown-type", "an unknown type is an error, never a success", "2.3 X2", 200, "type=created&recurring-payment-id=77", answer{Error: true}},
		{"no-type", "a record without a type", "2.3 X2", 200, "recurring-payment-id=77", answer{Error: true}},
	} {
		d := draft{id: "response-" + c.id, op: "response", reason: c.reason, clauses: c.clauses, input: response{c.status, c.body}, expect: c.want}
		d.invalid = c.want.Error || c.want.Outcome == "rejected"
		s.add(d)
	}
}
