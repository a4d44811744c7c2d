package main

// reportRows are P18: what people read.
func reportRows() []row {
	return []row{
		{id: "P18", ours: "HTML page of 5,000 profiles, a year", against: "their totals by day as NDJSON", goal: within(5), possible: "–",
			note:  "both make every charge; a map of days and currencies adds them up for NDJSON, and the page has the Sensitivities of each profile",
			ready: readyPage},
		{id: "P18", ours: "HTML page of 5,000 profiles, a year", against: "size", goal: goal{kind: upTo, value: 300, unit: "kB"}, possible: "163", count: pageSize},
	}
}
