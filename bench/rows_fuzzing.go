package main

// fuzzingRows are P13: targets with the Go engine. They build the targets and run for minutes, so
// they run only when they are named.
func fuzzingRows() []row {
	var rows []row
	for _, t := range [...]struct{ name, what string }{
		{"FuzzInt_Grid_Exact", "dates of any number"},
		{"FuzzDate_Parse_Reference", "dates read"},
		{"FuzzAmount_Parse_Expression", "amounts read"},
		{"FuzzPercent_Encode_Decode", "percent-encoding"},
		{"FuzzSchedule_At_Walk", "schedules walked"},
		{"FuzzBaseString_Stages", "base strings"},
		{"FuzzPayload_Read_Chunks", "payloads"},
		{"FuzzProfile_Forecast_Walk", "forecasts walked"},
	} {
		rows = append(rows, row{id: "P13", ours: "target of " + t.what + ", one worker", against: "an empty target", goal: faster(0.6), possible: "about 1×",
			rated: fuzzed{t.name, 1}.against(fuzzed{emptyTarget, 1})})
	}
	const many = 256
	return append(rows,
		row{id: "P13", ours: "dates, 256 cases an input", against: "dates of any number, a case an input", goal: faster(100), possible: "256×",
			rated: fuzzed{"FuzzDates_Number_Steps", many}.against(fuzzed{"FuzzInt_Grid_Exact", 1})},
		row{id: "P13", ours: "amounts, 256 cases an input", against: "amounts read, a case an input", goal: faster(100), possible: "256×",
			rated: fuzzed{"FuzzAmounts_Add_Digits", many}.against(fuzzed{"FuzzAmount_Parse_Expression", 1})},
	)
}
