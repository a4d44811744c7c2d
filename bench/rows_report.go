package main

// reportRows are P18: what people read.
func reportRows() []row {
	return []row{
		{id: "P18", ours: "HTML page of 5,000 profiles, a year", against: "their totals by day as NDJSON", goal: within(5), possible: "–",
			note:  "both make every charge; a map of days and currencies adds them up for NDJSON",
			ready: readyPage(false)},
		{id: "P18", ours: "the same with what other readings change", against: "their totals by day as NDJSON", goal: within(5), possible: "–",
			note:  "with the Sensitivities of each profile, which the totals do without",
			ready: readyPage(true)},
		{id: "P18", ours: "HTML page of 5,000 profiles, a year", against: "size", goal: goal{kind: upTo, value: 300, unit: "kB"}, possible: "163", count: pageSize},
	}
}
