package main

// signingRows are P7 and P8, making an Authorization header, and P17, explaining a wrong one.
func signingRows() []row {
	var rows []row
	for _, size := range []struct {
		name                                  string
		bytes                                 int
		possible, possibleStd, possibleLimits string
	}{
		{"1 KB", 700, "24×", "5.5×", "1.6×"},
		{"1 MB", 750_000, "27×", "6.3×", "2.4×"},
	} {
		what := "HMAC-SHA1 header, " + size.name
		rows = append(rows,
			row{id: "P7", ours: what, against: "dghubble/oauth1", goal: faster(8), possible: size.possible,
				note:  "builds a request for each header and reads the parameters back from its body",
				ready: readyOAuth1(size.bytes)},
			row{id: "P7", ours: what, against: "stdlib: map, sort, QueryEscape twice", goal: faster(2), possible: size.possibleStd,
				ready: readyStandard(size.bytes)},
			row{id: "P7", ours: what, against: "limit: HMAC of the base string", goal: within(6), possible: size.possibleLimits,
				ready: readyMAC(size.bytes)},
		)
	}
	return append(rows,
		row{id: "P8", ours: "RSA-SHA256 header, 1 KB, all but the RSA", against: "rsa.SignPKCS1v15, 2048 bits",
			goal: percent(1), possible: "0.15 %", ready: readyRSA(700)},
		row{id: "P17", ours: "Diagnose, all singles and pairs, HMAC-SHA1, 1 KB", against: "limit: a base string and an HMAC for each candidate",
			goal: within(1.5), ready: readyDiagnosis(700)})
}
