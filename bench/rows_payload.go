package main

import "github.com/chargecast/chargecast/internal/workload"

// readingRows are P5 and P6: from bytes to typed rows.
func readingRows() []row {
	const n = payloadRows
	const varied = "W3v to typed rows, validated"
	return []row{
		{id: "P5", ours: "W3-crlf", against: "itself with W3", goal: within(1.2), possible: "–", ready: readyVariant(workload.CRLF, n)},
		{id: "P5", ours: "W3-bad", against: "itself with W3", goal: within(3), possible: "–", ready: readyVariant(workload.Bad, n)},
		{id: "P5", ours: varied, against: "encoding/csv Read", goal: faster(0.5), possible: "0.87×",
			note:  "neither types nor validates",
			ready: readyRead(workload.Varied, n, bareRead)},
		{id: "P5", ours: varied, against: "naive: csv, map, shopspring, time.Parse", goal: faster(1.8), possible: "2.6×",
			note:  "checks types, lengths and what is required, and stops at the first fault",
			ready: readyRead(workload.Varied, n, naiveRead)},
		{id: "P5", ours: varied, against: "allocations", goal: allocs(3, "a row"), possible: "1", note: "three rows in four have a warning", count: readAllocated(workload.Varied, n/10)},
		{id: "P6", ours: "form body to typed rows, validated", against: "url.ParseQuery, base64, csv.ReadAll", goal: faster(1.5), possible: "3.3×",
			note:  "does not validate",
			ready: readyForm(n)},
	}
}
