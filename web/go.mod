module github.com/chargecast/chargecast/web

go 1.26.0

replace github.com/chargecast/chargecast => ../

require (
	github.com/chargecast/chargecast v0.0.0
	github.com/chromedp/cdproto v0.159.0
)

require github.com/go-json-experiment/json v0.0.0-20260213210345-44df1a37e875 // indirect

require (
	github.com/chromedp/chromedp v0.23.0
	github.com/shopspring/decimal v1.6.0 // indirect
)
