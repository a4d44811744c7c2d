module github.com/chargecast/chargecast/browser

go 1.26.0

replace github.com/chargecast/chargecast => ../

require (
	github.com/chargecast/chargecast v0.0.0
	github.com/chromedp/cdproto v0.159.0
	github.com/chromedp/chromedp v0.23.0
	github.com/emersion/go-ical v0.0.0-20250329121855-f41e73efc392
	github.com/santhosh-tekuri/jsonschema/v6 v6.0.3
)

require golang.org/x/text v0.43.0 // indirect

require (
	github.com/chargecast/chargecast/sandbox v0.0.0
	github.com/go-json-experiment/json v0.0.0-20260213210345-44df1a37e875 // indirect
	github.com/shopspring/decimal v1.6.0 // indirect
	github.com/teambition/rrule-go v1.8.2 // indirect
)

replace github.com/chargecast/chargecast/sandbox => ../sandbox
