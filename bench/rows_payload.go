package main

import "github.com/chargecast/chargecast/internal/workload"

// readingRows are P5 and P6: from bytes to typed rows.
func readingRows() []row {
	const n = payloadRows
	const what = "W3 to typed rows, validated"
	const varied = "W3v to typed rows, validated"
	return []row{
		{id: "P5", ours: what, against: "encoding/csv Read", goal: faster(1.2), possible: "1.34×",
			note:  "neither types nor validates",
			ready: readyRead(workload.Plain, n, bareRead)},
		{id: "P5", ours: what, against: "csvutil into strings", goal: faster(1.6), possible: "2.1×",
			note:  "neither types nor validates",
			ready: readyRead(workload.Plain, n, utilRead)},
		{id: "P5", ours: what, against: "naive: csv, map, shopspring, time.Parse", goal: faster(4), possible: "5.4×",
			note:  "checks types, lengths and what is required, and stops at the first fault",
			ready: readyRead(workload.Plain, n, naiveRead)},
		{id: "P5", ours: what, against: "limit: copy of the file", possible: "27×", ready: readyCopy(n)},
		{id: "P5", ours: what, against: "allocations", goal: allocs(2, "a row"), possible: "1", count: readAllocated(workload.Plain, n/10)},
		{id: "P5", ours: "W3-crlf", against: "itself with W3", goal: within(1.1), possible: "–", ready: readyVariant(workload.CRLF, n)},
		{id: "P5", ours: "W3-bad", against: "itself with W3", goal: within(2), possible: "–", ready: readyVariant(workload.Bad, n)},
		{id: "P5v", ours: varied, against: "encoding/csv Read", goal: faster(1.2), possible: "–",
			note:  "neither types nor validates",
			ready: readyRead(workload.Varied, n, bareRead)},
		{id: "P5v", ours: varied, against: "naive: csv, map, shopspring, time.Parse", goal: faster(4), possible: "–",
			note:  "checks types, lengths and what is required, and stops at the first fault",
			ready: readyRead(workload.Varied, n, naiveRead)},
		{id: "P5v", ours: varied, against: "allocations", goal: allocs(2, "a row"), possible: "–", count: readAllocated(workload.Varied, n/10)},
		{id: "P6", ours: "form body to typed rows, validated", against: "url.ParseQuery, base64, csv.ReadAll", goal: faster(2.5), possible: "3.3×",
			note:  "does not validate",
			ready: readyForm(n)},
		{id: "P14", ours: "W3 to typed rows, validated, two workers", against: "one worker", goal: faster(1.7), possible: "1.9×", cores: 2,
			ready: readyWorkers(n)},
		{id: "P14", ours: "W3 to typed rows, validated, two workers", against: "limit: two readers that share nothing", possible: "–", cores: 2,
			ready: readyWorkersLimit(n)},
		{id: "P14", ours: "W3 to totals by day, two workers", against: "the same rows validated", goal: within(1.5), possible: "–", cores: 2,
			ready: readyPayloadTotals(n)},
	}
}

// commandRows is P14 with the whole command. They build it and write 375 MB, so they run only when they
// are named.
func commandRows() []row {
	return []row{
		{id: "P14", ours: "validate of 1,000,000 rows, two workers", against: "one worker", goal: faster(1.7), possible: "1.9×", cores: 2,
			ready: readyCommandWorkers("validate")},
		{id: "P14", ours: "forecast of 1,000,000 rows to NDJSON, two workers", against: "one worker", goal: faster(1.7), possible: "–", cores: 2,
			ready: readyCommandWorkers("forecast", "--until", portfolioLast)},
	}
}
